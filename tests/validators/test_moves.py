"""Displacements become moves: what goes together, what was taken back, what is no move at all."""

from __future__ import annotations

import pytest
from flat import new_game
from vassal_umpire.model.fact import known
from vassal_umpire.model.game import StepRef
from vassal_umpire.validators.moves import find_moves
from vassal_umpire.validators.timeline import Timeline
from vassal_umpire.validators.witness import Witnesses


def moves(played):
    game = played.game()
    return find_moves(game, Timeline(game), Witnesses(game))


def told(tracks):
    """Each move as ``units: place>place``, with ``!`` at stops that bind, ``-`` if taken back."""
    lines = []
    for track in tracks:
        stops = zip(track.move.waypoints, track.move.binding, strict=True)
        way = ">".join(f"{p}{'!' if b else ''}" for p, b in list(stops)[1:-1])
        ends = (
            [str(track.move.origin), way, str(track.move.target)]
            if way
            else [str(track.move.origin), str(track.move.target)]
        )
        sign = "-" if track.move.taken_back else ""
        lines.append(f"{sign}{'+'.join(track.move.units)}: {'>'.join(ends)}")
    return lines


def test_drags_of_one_unit_in_a_phase_are_one_move():
    found = moves(new_game("a Red 0101").move().drag("a", "0102").drag("a", "0103"))
    assert told(found) == ["a: 0101>0102>0103"]
    assert found[0].move.steps == (StepRef(1, 2), StepRef(1, 3))


def test_a_new_phase_begins_a_new_move():
    s = new_game("a Red 0101").play("move; a 0102; phase 2 Movement Red; a 0103")
    assert told(moves(s)) == ["a: 0101>0102", "a: 0102>0103"]


def test_the_same_phase_announced_again_goes_on():
    s = new_game("a Red 0101").move().drag("a", "0102").move().drag("a", "0103")
    assert told(moves(s)) == ["a: 0101>0102>0103"]


def test_interleaved_drags_of_two_units_are_two_moves():
    s = new_game("a Red 0101", "b Red 0501").move()
    s.drag("a", "0102").drag("b", "0502").drag("a", "0103").drag("b", "0503")
    assert told(moves(s)) == ["a: 0101>0102>0103", "b: 0501>0502>0503"]


def test_units_dragged_together_go_on_as_one_until_they_part():
    s = new_game("a Red 0101", "b Red 0101").move()
    s.drag("a+b", "0102").drag("a+b", "0103").drag("a", "0104").drag("b", "0203")
    found = moves(s)
    assert told(found) == ["a+b: 0101>0102>0103", "a: 0103>0104", "b: 0103>0203"]
    assert [t.move.resumed for t in found] == [False, True, True]
    assert found[1].earlier == ((1,),)


def test_a_selection_from_two_hexes_is_two_moves():
    s = new_game("a Red 0101", "b Red 0501").move().drag("a+b", "0301")
    assert told(moves(s)) == ["a: 0101>0301", "b: 0501>0301"]


def test_without_a_phase_every_drag_stands_by_itself():
    s = new_game("a Red 0101").drag("a", "0102").drag("a", "0103")
    found = moves(s)
    assert told(found) == ["a: 0101>0102", "a: 0102>0103"]
    assert not any(t.phase_known or t.move.resumed for t in found)


def test_an_uncertain_phase_is_as_good_as_none():
    s = new_game("a Red 0101").play("phase 1 Movement Red perhaps; a 0102; a 0103")
    assert told(moves(s)) == ["a: 0101>0102", "a: 0102>0103"]


@pytest.mark.parametrize(
    ("between", "binds"),
    [
        (lambda s: s.roll(), True),
        (lambda s: s.drag("x", "2003", actor="Blue"), True),
        (lambda s: s.flip("x", "mode", known("up"), known("down"), "Blue"), True),
        (lambda s: s.new_log(), True),
        (lambda s: s.drag("b", "0602"), False),
        (lambda s: s.drag("x", "2003", actor="?"), False),
        (lambda s: s.flip("a", "mode", known("up"), known("down")), False),
    ],
    ids=["roll", "enemy-step", "enemy-flip", "log-end", "own-drag", "nobody-known", "own-mark"],
)
def test_a_stop_binds_where_something_witnessed_it(between, binds):
    s = new_game("a Red 0101", "b Red 0601", "x Blue 2001").move().drag("a", "0102")
    between(s)
    s.drag("a", "0103")
    mine = [line for line in told(moves(s)) if line.startswith("a")]
    assert mine == [f"a: 0101>0102{'!' if binds else ''}>0103"]


class TestTakeBacks:
    def test_undo_cancels_the_move(self):
        s = new_game("a Red 0101").move().drag("a", "0104").undo("a", "0101", 2)
        found = moves(s)
        assert told(found) == ["-a: 0101>0104>0101"]
        assert found[0].move.taken_back == StepRef(1, 3)

    def test_undo_of_the_last_drag_keeps_the_first(self):
        s = new_game("a Red 0101").play("move; a 0102; a 0104; undo a 0102 3; a 0202")
        assert told(moves(s)) == ["a: 0101>0102>0202", "-a: 0102>0104>0102"]

    def test_redo_makes_the_move_again(self):
        s = new_game("a Red 0101").move().drag("a", "0104").undo("a", "0101", 2).drag("a", "0104")
        assert told(moves(s)) == ["-a: 0101>0104>0101", "a: 0101>0104"]

    def test_undo_of_a_stack(self):
        s = new_game("a Red 0101", "b Red 0101").move().drag("a+b", "0104").undo("a+b", "0101", 2)
        assert told(moves(s)) == ["-a+b: 0101>0104>0101"]

    def test_put_back_by_hand(self):
        s = new_game("a Red 0101").play("move; a 0102; a 0104; a 0101; a 0201")
        assert told(moves(s)) == ["-a: 0101>0102>0104>0101", "a: 0101>0201"]

    def test_only_one_of_a_stack_put_back(self):
        s = new_game("a Red 0101", "b Red 0101").move().drag("a+b", "0104").drag("b", "0101")
        assert sorted(told(moves(s))) == ["-b: 0101>0104>0101", "a: 0101>0104"]

    def test_put_back_after_another_own_unit_moved(self):
        s = new_game("a Red 0101", "b Red 0501").play("move; a 0104; b 0502; a 0101")
        assert told(moves(s)) == ["-a: 0101>0104>0101", "b: 0501>0502"]

    @pytest.mark.parametrize("undo", [True, False])
    def test_too_late_after_a_die_roll(self, undo):
        s = new_game("a Red 0101").move().drag("a", "0104").roll()
        s = s.undo("a", "0101", 2) if undo else s.drag("a", "0101")
        found = moves(s)
        assert told(found) == ["a: 0101>0104!>0101"]
        assert found[0].late == StepRef(1, 4)

    def test_too_late_after_the_other_sides_step(self):
        s = new_game("a Red 0101", "x Blue 2001").play("move; a 0104; x 2002 by Blue")
        assert "a: 0101>0104!>0101" in told(moves(s.drag("a", "0101")))

    def test_the_end_of_a_log_does_not_make_it_too_late(self):
        s = new_game("a Red 0101").move().drag("a", "0104").new_log().drag("a", "0101")
        assert told(moves(s)) == ["-a: 0101>0104!>0101"]

    def test_back_to_where_it_was_seen_last(self):
        s = new_game("a Red 0101").play("move; a 0102; roll; a 0104; a 0102; a 0103")
        assert told(moves(s)) == ["a: 0101>0102!>0103", "-a: 0102>0104>0102"]

    def test_undo_of_what_was_done_before_the_phase_changed(self):
        s = new_game("a Red 0101").play("move; a 0104; phase 1 Combat Red; undo a 0101 2")
        assert all(line.startswith("-a") for line in told(moves(s)))

    def test_going_back_in_the_next_phase_is_a_move(self):
        s = new_game("a Red 0101").move().drag("a", "0103").move("Red", "2").drag("a", "0101")
        assert told(moves(s)) == ["a: 0101>0103", "a: 0103>0101"]

    def test_an_undo_that_leads_nowhere_known_is_not_judged(self):
        s = new_game("a Red 0101").move().undo("a", "0109", 1)
        assert [t.nature for t in moves(s)] == ["undo"]


class TestNoMoves:
    @pytest.mark.parametrize(
        ("start", "target", "nature"),
        [
            ("0101", "[Dead]", "removal"),
            ("0101", "-", "removal"),
            ("?", "[Dead]", "removal"),
            ("[Turn-3]", "0101", "appearance"),
            ("-", "0101", "appearance"),
            ("[Turn-3]", "[Turn-4]", "off-map"),
            ("0101", "?", "unclear"),
            ("?", "0101", "unclear"),
        ],
    )
    def test_natures(self, start, target, nature):
        found = moves(new_game(f"a Red {start}").move().drag("a", target))
        assert [t.nature for t in found] == [nature]

    def test_put_back_from_the_dead_pile(self):
        found = moves(new_game("a Red 0101").move().drag("a", "[Dead]").roll().drag("a", "0102"))
        assert [t.nature for t in found] == ["removal", "put-back"]

    def test_put_down_where_it_was(self):
        assert moves(new_game("a Red 0101").move().drag("a", "0101")) == ()

    def test_markers_go_along(self):
        s = new_game("a Red 0101").marker("m", "0101").move().drag("a+m", "0102")
        assert told(moves(s)) == ["a: 0101>0102"]

    def test_a_marker_alone(self):
        found = moves(new_game("a Red 0101").marker("m", "0101").move().drag("m", "0102"))
        assert [t.nature for t in found] == ["marker"]

    def test_what_the_next_log_opens_with_is_nobodys_move(self):
        s = new_game("a Red 0101").move().new_log()
        s.step = -1
        assert [t.nature for t in moves(s.drag("a", "0102"))] == ["between-logs"]
