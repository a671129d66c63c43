"""Stacks that are too big: when they are looked at, what counts, how often it is said."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest
from flat import Flat, audited, new_game, stacking
from vassal_umpire.model.board import Board, Hex
from vassal_umpire.model.fact import UNKNOWN, between, known, one_of
from vassal_umpire.model.game import PhaseRule, StepRef
from vassal_umpire.model.hexgrid import Axial
from vassal_umpire.validators.ruleset import Measure, Requirement, StackingLimit, StackingRule
from vassal_umpire.validators.situation import Situation
from vassal_umpire.validators.stacking import overstacked


def stacks(played, rule=None, **more):
    """What an audit says of stacks, two units allowed: kind, hex and the moves that led there."""
    found = audited(played, Flat(stacking=rule or stacking(2)), **more).findings
    return [(f.kind, f.hexes[0], f.moves) for f in found if f.code == "FLAT-STACK"]


def three(**changes):
    return new_game(
        "a Red 0101", "b Red 0101", "c Red 0103", "d Red 0105", "x Blue 2001", **changes
    )


def test_a_stack_too_big_by_two_rules_is_told_once():
    s = three().move().drag("c", "0101").move("Blue")
    rule = replace(stacking(2), also=(stacking(1),))
    assert [kind for kind, _, _ in stacks(s, rule)] == ["overstack"]


class TestWhoseDoing:
    """A stack is held against the moves only where it was moves that made it too big."""

    def test_a_counter_cloned_later_is_not_the_doing_of_who_moved_there_before(self):
        s = new_game("a Red 0101", "b Red 0103", "x Blue 2001").unit("e", "Red", "-").move()
        s.drag("b", "0101").drag("e", "0101", cause="appearance").move("Blue")
        assert stacks(s) == [("overstack", "0101", ())]

    def test_who_moves_there_after_it_was_cloned(self):
        s = new_game("a Red 0101", "c Red 0103", "x Blue 2001").unit("e", "Red", "-").move()
        s.drag("e", "0101", cause="appearance").drag("c", "0101").move("Blue")
        assert stacks(s) == [("overstack", "0101", (2,))]

    def test_who_comes_onto_a_stack_that_is_too_big_already(self):
        s = new_game("a Red 0101", "b Red 0103", "c Red 0105", "x Blue 2001").unit("e", "Red", "-")
        s.move().drag("b", "0101").drag("e", "0101", cause="appearance").drag("c", "0101")
        assert stacks(s.move("Blue")) == [("overstack", "0101", (3,))]

    def test_the_step_is_that_of_the_counter_that_came_by_no_move(self):
        s = new_game("a Red 0101", "c Red 0103", "x Blue 2001").unit("e", "Red", "-").move()
        s.drag("c", "0101").drag("e", "0101", cause="appearance", player="Ann").move("Blue")
        found = audited(s, Flat(stacking=stacking(2)))
        [told] = [f for f in found.findings if f.code == "FLAT-STACK"]
        assert (told.moves, told.steps, told.player) == ((), (StepRef(1, 3),), "Ann")

    def test_a_counter_that_grows_later_is_not_their_doing_either(self):
        rule = stacking(2, size="size")
        one = {"attributes": {"size": known(1)}}
        s = new_game("x Blue 2001").unit("a", "Red", "0101", **one).unit("c", "Red", "0103", **one)
        s.move().drag("c", "0101").flip("a", "size", known(1), known(2)).move("Blue")
        assert stacks(s, rule) == [("overstack", "0101", ())]

    def test_who_joins_a_counter_that_has_grown(self):
        rule = stacking(2, size="size")
        one = {"attributes": {"size": known(1)}}
        s = new_game("x Blue 2001").unit("a", "Red", "0101", **one).unit("c", "Red", "0103", **one)
        s.move().flip("a", "size", known(1), known(2)).drag("c", "0101").move("Blue")
        assert stacks(s, rule) == [("overstack", "0101", (1,))]

    def test_all_who_were_dragged_there_share_in_it(self):
        s = new_game("a Red 0103", "b Red 0103", "c Red 0105", "x Blue 2001").move()
        s.drag("c", "0101").drag("a+b", "0101").move("Blue")
        assert stacks(s) == [("overstack", "0101", (1, 2))]


class TestWhen:
    def test_at_the_end_of_the_phase(self):
        s = three().move().drag("c", "0101").move("Blue", "1")
        assert stacks(s) == [("overstack", "0101", (1,))]

    def test_two_is_allowed(self):
        assert stacks(three().move().drag("c", "0105").move("Blue", "1")) == []

    def test_passing_through_is_nothing(self):
        s = three().move().drag("c", "0101").roll().drag("c", "0102").move("Blue", "1")
        assert stacks(s) == []

    def test_those_who_leave_later_make_room(self):
        s = three().move().drag("c", "0101").roll().drag("a", "0102").move("Blue", "1")
        assert stacks(s) == []

    @pytest.mark.parametrize("checked", ["move-end", "phase-end"])
    def test_the_end_of_the_last_log_ends_no_phase(self, checked):
        s = three().move().drag("c", "0101")
        assert stacks(s, stacking(2, checked)) == [("unverifiable", "0101", (1,))]

    def test_the_end_of_a_log_in_between_is_none(self):
        s = three().move().drag("c", "0101").new_log().drag("c", "0102").move("Blue", "1")
        assert stacks(s) == []

    @pytest.mark.parametrize("phase", [None, "Combat", "Nowhere described"])
    def test_open_where_the_phase_does_not_tell(self, phase):
        s = three().phase("1", phase, "Red").drag("c", "0101")
        assert stacks(s) == [("unverifiable", "0101", (1,))]

    def test_open_where_the_phase_is_not_certain(self):
        s = three().phase("1", "Movement", "Red", certain=False).drag("c", "0101").move("Blue", "2")
        assert [kind for kind, *_ in stacks(s)] == ["unverifiable"]

    def test_a_stack_is_put_right_in_its_own_sides_phase(self):
        s = three().play("phase 1 Combat Blue; c 0101; move Blue 2; x 2002")
        s.play("move Red 2; c 0103; move Blue 3")
        assert [kind for kind, *_ in stacks(s)] == ["unverifiable"]

    def test_or_it_is_told(self):
        s = three().play("phase 1 Combat Blue; c 0101; move Blue 2; x 2002")
        s.play("move Red 2; d 0106; move Blue 3")
        assert [kind for kind, *_ in stacks(s)] == ["unverifiable", "overstack"]

    def test_what_the_game_opens_with(self):
        s = new_game("a Red 0101", "b Red 0101", "c Red 0101", "d Red 0105").play("move; d 0106")
        assert stacks(s.move("Blue", "1")) == [("overstack", "0101", ())]


class TestHowOften:
    def test_standing_on_is_said_once(self):
        s = three().move().drag("c", "0101").move("Blue", "1").move("Red", "2").drag("d", "0106")
        assert len(stacks(s.move("Blue", "2").move("Red", "3"))) == 1

    def test_a_change_refers_to_the_first(self):
        s = three().move().drag("c", "0101").move("Red", "2").drag("d", "0101").move("Blue", "2")
        first, second = (
            f for f in audited(s, Flat(stacking=stacking(2))).findings if f.code == "FLAT-STACK"
        )
        assert (first.follows_from, second.follows_from) == (None, first.moves[0])
        assert f"too many since step {first.steps[0]}" not in first.explanation
        assert "too many since" in second.explanation

    def test_put_right_and_wrong_again_is_said_again(self):
        s = three().move().drag("c", "0101").move("Red", "2").drag("c", "0102").move("Red", "3")
        s.drag("c", "0101").move("Blue", "3")
        found = [
            f for f in audited(s, Flat(stacking=stacking(2))).findings if f.code == "FLAT-STACK"
        ]
        assert [f.follows_from for f in found] == [None, None]


class TestWhatCounts:
    def one(self, builder, rule, *names):
        return overstacked(Situation(builder.game()), rule, *names)

    def test_sides_apart(self):
        s = new_game("a Red 0101", "b Red 0101", "x Blue 0101", "d Red 0105").play("move; d 0106")
        assert stacks(s) == []

    def test_markers_never(self):
        s = (
            new_game("a Red 0101", "b Red 0101")
            .marker("m", "0101")
            .marker("n", "0101")
            .play("move; a 0102")
        )
        assert stacks(s.drag("a", "0101")) == []

    @pytest.mark.parametrize(
        ("size", "over"),
        [
            (known(1), False),
            (known(2), True),
            (UNKNOWN, False),
            (one_of(1, 2), False),
            (one_of(2, 3), True),
            (between(2, None), True),
            (between(None, 9), False),
        ],
    )
    def test_only_what_is_surely_exceeded(self, size, over):
        s = new_game()
        s.unit("a", "Red", "0101", attributes={"size": size})
        s.unit("b", "Red", "0101", attributes={"size": known(1)})
        assert bool(self.one(s, stacking(2, size="size"), "0101", "Red")) is over

    @pytest.mark.parametrize(
        ("kind", "over"),
        [
            (known("hq"), False),
            (known("foot"), True),
            (one_of("hq", "foot"), False),
            (UNKNOWN, False),
        ],
    )
    def test_exemptions(self, kind, over):
        measure = Measure("units", exempt=(Requirement("class", ("hq",)),))
        rule = StackingRule("S", (measure,), (StackingLimit(((Fraction(1),),)),))
        s = new_game().unit("a", "Red", "0101", attributes={"class": kind})
        s.unit("b", "Red", "0101", attributes={"class": known("foot")})
        assert bool(self.one(s, rule, "0101", "Red")) is over

    def test_alternatives(self):
        tanks = Measure("tanks", counted=(Requirement("class", ("tank",)),))
        squads = Measure("squads", counted=(Requirement("class", ("squad",)),))
        bounds = (
            (Fraction(2), Fraction(0)),
            (Fraction(0), Fraction(4)),
            (Fraction(1), Fraction(2)),
        )
        rule = StackingRule("S", (tanks, squads), (StackingLimit(bounds),))

        def over(number_of_tanks, number_of_squads):
            s = new_game()
            for n in range(number_of_tanks):
                s.unit(f"t{n}", "Red", "0101", attributes={"class": known("tank")})
            for n in range(number_of_squads):
                s.unit(f"s{n}", "Red", "0101", attributes={"class": known("squad")})
            return bool(self.one(s, rule, "0101", "Red"))

        assert not any([over(2, 0), over(0, 4), over(1, 2)])
        assert all([over(3, 0), over(0, 5), over(1, 3), over(2, 1)])

    @pytest.mark.parametrize(
        ("terrain", "whole", "over"),
        [
            (("swamp",), True, True),
            (("clear",), True, False),
            (None, True, False),
            (("clear",), False, False),
        ],
        ids=["swamp", "clear", "terrain-unknown", "layer-not-whole"],
    )
    def test_limits_by_terrain(self, terrain, whole, over):
        limits = (StackingLimit(((Fraction(1),),), ("swamp",)), StackingLimit(((Fraction(2),),)))
        rule = StackingRule("S", (Measure(),), limits)
        layers = frozenset({"terrain"}) if whole else frozenset()
        board = Board("b", {"0101": Hex("0101", Axial(0, 0), terrain)}, complete=layers)
        game = new_game("a Red 0101", "b Red 0101").game(board=board)
        assert bool(overstacked(Situation(game), rule, "0101", "Red")) is over

    def test_dead_counters_left_lying(self):
        s = new_game("a Red 0101", "b Red 0101", "c Red 0101", "d Red 0105").play("move; d 0106")
        s.play("move Blue 1; a [Dead] by Red")
        assert stacks(s) == []

    def test_a_counter_that_moved_this_phase_was_alive(self):
        s = three().move().drag("c", "0101").phase("1", "Combat", "Red").drag("c", "[Dead]")
        assert stacks(s) == [("overstack", "0101", (1,))]

    def test_a_counter_known_dead(self):
        s = new_game("a Red 0101", "b Red 0101", "d Red 0103")
        s.unit("c", "Red", "0101", attributes={"dead": known(True)})
        assert stacks(s.move().drag("d", "0104")) == []

    def test_other_phases_open(self):
        phases = {"Movement": PhaseRule("Movement", "none", (), complete=True)}
        assert (
            stacks(new_game("a Red 0101", "b Red 0101", "c Red 0101", phases=phases).move()) == []
        )
