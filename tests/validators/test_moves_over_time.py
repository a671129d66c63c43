"""Facts that change during a phase, and the order in which units are moved."""

from __future__ import annotations

import pytest
from audit_results import codes, verdicts
from flat import Flat, audited, new_game
from vassal_umpire.model.fact import known
from vassal_umpire.validators.ruleset import OrderRule


class TestOverTime:
    """An enemy that was there only for a while is held against nobody."""

    def test_an_enemy_in_the_way(self):
        s = new_game("a Red 0101", "x Blue 0103").play("move; a 0103; move Blue 2; x 0104")
        assert verdicts(audited(s))[1] == "illegal"

    def test_it_left_while_the_unit_moved(self):
        s = new_game("a Red 0101", "x Blue 0103").play("move; a 0102; x 0105 by Red; a 0103")
        assert verdicts(audited(s))[1] == "unverifiable"

    def test_a_dead_counter_cleared_late(self):
        s = new_game("a Red 0101", "x Blue 0103").play("move; a 0103; x [Dead] by Blue")
        assert verdicts(audited(s))[1] == "unverifiable"

    def test_a_counter_cleared_turns_later_was_alive(self):
        s = new_game("a Red 0101", "x Blue 0103").move().drag("a", "0103").move("Blue", "2")
        s.move("Red", "3").drag("x", "[Dead]")
        assert verdicts(audited(s))[1] == "illegal"

    def test_a_counter_cleared_in_the_next_turn(self):
        s = new_game("a Red 0101", "x Blue 0103").move().drag("a", "0103").move("Blue", "2")
        assert verdicts(audited(s.drag("x", "[Dead]")))[1] == "unverifiable"

    @pytest.mark.parametrize(
        ("fact", "verdict"), [(known(True), "legal"), (known(False), "illegal")]
    )
    def test_declared_dead_or_alive(self, fact, verdict):
        s = new_game("a Red 0101").unit("x", "Blue", "0103", attributes={"dead": fact})
        assert verdicts(audited(s.play("move; a 0103; x [Dead] by Blue")))[1] == verdict

    def test_marked_just_after_it_moved(self):
        s = (
            new_game("a Red 0101 4")
            .play("move; a 0107")
            .flip("a", "ma", known(4), known(6))
            .drag("a", "0107")
        )
        assert verdicts(audited(s)) == {1: "unverifiable"}

    def test_flipped_long_after_it_moved(self):
        s = new_game("a Red 0101 4", "b Red 0501").move().drag("a", "0107").drag("b", "0502")
        assert verdicts(audited(s.flip("a", "ma", known(4), known(6))))[1] == "illegal"


class TestOrder:
    RULE = OrderRule("FLAT-ORDER", resume=False)

    def run(self, played):
        found = audited(played, Flat(order=self.RULE))
        return [(f.kind, f.units) for f in found.findings if f.code == "FLAT-ORDER"]

    def test_moved_on_after_another_with_a_roll_between(self):
        s = new_game("a Red 0101", "b Red 0901").play("move; a 0102; b 0902; roll; a 0103")
        assert self.run(s) == [("illegal-move", ("a",))]

    def test_put_right_at_once_is_a_note(self):
        s = new_game("a Red 0101", "b Red 0901").play("move; a 0102; b 0902; a 0103")
        assert self.run(s) == [("note", ("a",))]

    def test_a_stack_dragged_counter_by_counter(self):
        s = new_game("a Red 0101", "b Red 0101").move()
        s.drag("a", "0102").drag("b", "0102").roll().drag("a", "0103").drag("b", "0103")
        assert self.run(s) == []

    def test_one_dropped_on_the_way(self):
        s = new_game("a Red 0101", "b Red 0101").play("move; a 0103; b 0102; roll; a 0104")
        assert self.run(s) == []

    def test_what_was_taken_back_is_no_move_in_between(self):
        s = new_game("a Red 0101", "b Red 0901").play("move; a 0102; b 0902; undo b 0901 3")
        assert self.run(s.play("roll; a 0103")) == []

    def test_the_enemys_retreat_is_not_in_between(self):
        s = new_game("a Red 0101", "x Blue 0901").play("move; a 0102; x 0902 by Blue; a 0103")
        assert self.run(s) == []

    def test_not_asked_where_moving_on_is_allowed(self):
        s = new_game("a Red 0101", "b Red 0901").play("move; a 0102; b 0902; roll; a 0103")
        found = audited(s, Flat())
        assert "FLAT-ORDER" not in codes(found)
