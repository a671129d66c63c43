"""Stacks that are too big: when they are looked at, what counts, how often it is said."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest
from flat import MARCH, Flat, audited, in_movement, new_game, rows, stacking
from vassal_umpire.model.board import Board, Hex
from vassal_umpire.model.game import StepRef
from vassal_umpire.model.hexgrid import Axial
from vassal_umpire.validators.ruleset import Measure, Requirement, StackingLimit, StackingRule
from vassal_umpire.validators.situation import Situation
from vassal_umpire.validators.stack_size import Pile

THREE = "a Red 0101, b Red 0101, c Red 0103, d Red 0105, x Blue 2001"
TOO_BIG = "a Red 0101, b Red 0101, c Red 0101, d Red 0105"


def told(played, rule=None, **more):
    """The findings on stacks; two units are allowed."""
    found = audited(played, Flat(stacking=rule or stacking(2)), **more).findings
    return [f for f in found if f.code == "FLAT-STACK"]


def stacks(*game):
    """What an audit says of stacks: kind, hex and the moves that led there."""
    return [(f.kind, f.hexes[0], f.moves) for f in told(*game)]


@pytest.mark.parametrize(
    ("units", "script", "said"),
    rows("""
at the end of the phase | THREE | move; c 0101; move Blue | overstack 1
two is allowed | THREE | move; c 0105; move Blue |
passing through is nothing | THREE | move; c 0101; roll; c 0102; move Blue |
those who leave later make room | THREE | move; c 0101; roll; a 0102; move Blue |
the end of a log in between is none | THREE | move; c 0101; log; c 0102; move Blue |
open where the phase is not known | THREE | phase 1 ? Red; c 0101 | unverifiable 1
open where the phase does not tell | THREE | phase 1 Combat Red; c 0101 | unverifiable 1
open where the phase is not described | THREE | phase 1 Nowhere Red; c 0101 | unverifiable 1
open where the phase is not certain | THREE | phase 1 Movement Red perhaps; c 0101; move Blue 2
    | unverifiable 1
put right in its own side's phase | THREE
    | phase 1 Combat Blue; c 0101; move Blue 2; x 2002; move Red 2; c 0103; move Blue 3 | unverifiable 1
not put right in it | THREE
    | phase 1 Combat Blue; c 0101; move Blue 2; x 2002; move Red 2; d 0106; move Blue 3
    | unverifiable 1, overstack
what the game opens with | TOO_BIG | move; d 0106; move Blue | overstack
standing on is said once | THREE | move; c 0101; move Blue; move Red 2; d 0106; move Blue 2; move Red 3
    | overstack 1
sides apart | a Red 0101, b Red 0101, x Blue 0101, d Red 0105 | move; d 0106 |
markers never | a Red 0101, b Red 0101, m marker 0101, n marker 0101 | move; a 0102; a 0101 |
dead counters left lying | TOO_BIG | move; d 0106; move Blue; a [Dead] by Red |
a counter that moved this phase was alive | THREE | move; c 0101; phase 1 Combat Red; c [Dead] | overstack 1
a counter known dead | a Red 0101, b Red 0101, c Red 0101 dead=true, d Red 0103 | move; d 0104 |
"""),
)
def test_when_a_stack_is_told(units, script, said):
    units = {"THREE": THREE, "TOO_BIG": TOO_BIG}.get(units, units)
    found = stacks(new_game(units).play(script))
    assert ", ".join(" ".join([kind, *map(str, moves)]) for kind, _, moves in found) == said
    assert {name for _, name, _ in found} <= {"0101"}


@pytest.mark.parametrize(
    ("units", "script", "moves"),
    rows("""
a counter cloned later is not the doing of who moved there before | a Red 0101, b Red 0103, e Red -
    | move; b 0101; e 0101 as appearance; move Blue |
who moves there after it was cloned | a Red 0101, c Red 0103, e Red -
    | move; e 0101 as appearance; c 0101; move Blue | 2
who comes onto a stack that is too big already | a Red 0101, b Red 0103, c Red 0105, e Red -
    | move; b 0101; e 0101 as appearance; c 0101; move Blue | 3
all who were dragged there share in it | a Red 0103, b Red 0103, c Red 0105
    | move; c 0101; a+b 0101; move Blue | 1 2
a counter that grows later is not their doing either | a Red 0101 size=1, c Red 0103 size=1
    | move; c 0101; flip a size 1 2; move Blue |
who joins a counter that has grown | a Red 0101 size=1, c Red 0103 size=1
    | move; flip a size 1 2; c 0101; move Blue | 1
"""),
)
def test_whose_doing_it_is(units, script, moves):
    """A stack is held against the moves only where it was moves that made it too big."""
    rule = stacking(2, size="size") if "size" in units else None
    played = new_game(units, "x Blue 2001").play(script)
    assert stacks(played, rule) == [("overstack", "0101", tuple(map(int, moves.split())))]


def test_the_step_is_that_of_the_counter_that_came_by_no_move():
    s = new_game("a Red 0101, c Red 0103, x Blue 2001, e Red -").play("move; c 0101")
    [found] = told(s.drag("e", "0101", cause="appearance", player="Ann").move("Blue"))
    assert (found.moves, found.steps, found.player) == ((), (StepRef(1, 3),), "Ann")


def test_the_end_of_the_last_log_ends_no_phase():
    s = new_game(THREE).play("move; c 0101")
    assert stacks(s, stacking(2)) == [("unverifiable", "0101", (1,))]


def test_other_phases_open():
    assert stacks(new_game(TOO_BIG, **in_movement(MARCH, movers="none")).move()) == []


class TestHowOften:
    def test_a_stack_too_big_by_two_rules_is_told_once(self):
        s = new_game(THREE).play("move; c 0101; move Blue")
        assert [f.kind for f in told(s, replace(stacking(2), also=(stacking(1),)))] == ["overstack"]

    def test_a_change_refers_to_the_first(self):
        s = new_game(THREE).play("move; c 0101; move Red 2; d 0101; move Blue 2")
        first, second = told(s)
        assert (first.follows_from, second.follows_from) == (None, first.moves[0])
        assert f"too many since step {first.steps[0]}" not in first.explanation
        assert "too many since" in second.explanation

    def test_put_right_and_wrong_again_is_said_again(self):
        s = new_game(THREE).play(
            "move; c 0101; move Red 2; c 0102; move Red 3; c 0101; move Blue 3"
        )
        assert [f.follows_from for f in told(s)] == [None, None]


class TestWhatCounts:
    def over(self, units, rule, **more):
        return bool(Pile(Situation(new_game(units).game(**more)), rule, "0101", "Red").too_big())

    @pytest.mark.parametrize(
        ("size", "over"),
        [
            *(("1", False), ("2", True), ("?", False), ("1|2", False), ("2|3", True)),
            *(("2..", True), ("..9", False)),
        ],
    )
    def test_only_what_is_surely_exceeded(self, size, over):
        units = f"a Red 0101 size={size}, b Red 0101 size=1"
        assert self.over(units, stacking(2, size="size")) is over

    @pytest.mark.parametrize(
        ("kind", "over"), [("hq", False), ("foot", True), ("hq|foot", False), ("?", False)]
    )
    def test_exemptions(self, kind, over):
        measure = Measure("units", exempt=(Requirement("class", ("hq",)),))
        rule = StackingRule("S", (measure,), (StackingLimit(((Fraction(1),),)),))
        assert self.over(f"a Red 0101 class={kind}, b Red 0101 class=foot", rule) is over

    def mixed(self, tanks, squads, *bounds):
        """What is said of so many tanks and squads in a hex, by limits for (tanks, squads)."""
        measures = tuple(
            Measure(k, counted=(Requirement("class", (k,)),)) for k in ("tank", "squad")
        )
        limit = StackingLimit(tuple(tuple(map(Fraction, bound)) for bound in bounds))
        kinds = ["tank"] * tanks + ["squad"] * squads
        units = ", ".join(f"u{n} Red 0101 class={kind}" for n, kind in enumerate(kinds))
        rule = StackingRule("S", measures, (limit,))
        return Pile(Situation(new_game(units).game()), rule, "0101", "Red").too_big()

    @pytest.mark.parametrize(
        ("tanks", "squads", "over"),
        [
            *((2, 0, False), (0, 4, False), (1, 2, False)),
            *((3, 0, True), (0, 5, True), (1, 3, True), (2, 1, True)),
        ],
    )
    def test_alternatives(self, tanks, squads, over):
        assert bool(self.mixed(tanks, squads, (2, 0), (0, 4), (1, 2))) is over

    @pytest.mark.parametrize(
        ("tanks", "squads", "said"),
        [
            (2, 1, "2 tank, 1 beside squad"),
            (1, 3, "3 squad, 2 beside tank"),
            (3, 0, "3 tank, 2"),
            (0, 5, "5 squad, 4"),
            (3, 1, "3 tank, 2"),
        ],
    )
    def test_what_else_is_in_the_hex_is_said_where_it_is_the_reason(self, tanks, squads, said):
        stack = self.mixed(tanks, squads, (1, 2), (2, 0), (0, 4))
        beside = f" beside {' and '.join(stack.beside)}" if stack.beside else ""
        assert f"{stack.least} {stack.measure}, {stack.bound}{beside}" == said

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
        layers = frozenset({"terrain"}) if whole else frozenset()
        board = Board("b", {"0101": Hex("0101", Axial(0, 0), terrain)}, complete=layers)
        rule = StackingRule("S", (Measure(),), limits)
        assert self.over("a Red 0101, b Red 0101", rule, board=board) is over
