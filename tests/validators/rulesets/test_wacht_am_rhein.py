"""The ruleset wacht-am-rhein: its tables and options, allowances reckoned by hand, and moves that must
come out the same however the board lies or the drag is split."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from itertools import permutations
from math import ceil
from typing import Any

import counters
import drawn
import pytest
from cases import cases
from counters import begins, two_rows
from flat import place
from vassal_umpire.model.bill import Amount
from vassal_umpire.model.board import Board, Hex, Line, edge
from vassal_umpire.model.fact import UNKNOWN, Fact, known
from vassal_umpire.model.game import Condition, Displacement, Game, Rules, StepRef
from vassal_umpire.model.hexgrid import Axial
from vassal_umpire.model.unit import Unit
from vassal_umpire.plugin.conformance import run_case
from vassal_umpire.validators.judge import Judgement, judge_move
from vassal_umpire.validators.rulesets.wacht_am_rhein import RULESET
from vassal_umpire.validators.situation import Situation

AT = StepRef(1, 1)
TABLES: dict[str, Any] = {
    "terrain": {"clear": 2, "woods": {"mech": "prohibited", "leg": 3}},
    "hexsides": {"stream": {"mech": "+3", "leg": "+2"}, "minor-river": {"leg": "+3"}},
    "roads": {"secondary": 1, "trail": 2},
    "adjacent": {"cost": 1},
    "stacking": {"limit": 6},
}
OPTIONS = {"adjacency_list": "complete"}
ARMOR: dict[str, Any] = {"class": "mech", "type": "armor"}
ROAD = (Line("primary", ("h0", "h1")),)


def unit(name: str, side: str = "German", **more: str | bool | int | Fact) -> Unit:
    nation = "german" if side == "German" else "us"
    return counters.unit(name, side, {**counters.ARDENNES, "nation": nation}, **more)


def row(count: int) -> Board:
    return Board("row", two_rows(count))


def game(
    board: Board,
    units: Mapping[str, Unit],
    at: Mapping[str, str],
    conditions: Mapping[str, str | bool] | None = None,
    **rules: Any,
) -> Game:
    said = {"night": False, "ground": "normal", **(conditions or {})}
    begun = begins(1, "1", rules.pop("phase", "Movement"), rules.pop("active", "German"))
    return Game(
        "small",
        board,
        ("German", "Allied"),
        units,
        {name: place(where) for name, where in at.items()},
        (begun,),
        rules=Rules("wacht-am-rhein", TABLES, rules.pop("options", OPTIONS), rules.pop("off", ())),
        conditions=tuple(Condition(key, known(value), AT) for key, value in said.items()),
    )


def judged(played: Game, *hexes: str, goes_on: bool = False) -> Judgement:
    """The judgement on one move of ``a`` through ``hexes``; one in brackets was not witnessed."""
    at = StepRef(1, 2)
    drag = Displacement(at, "a", place(hexes[0]), place(hexes[-1]), "German")
    after = () if goes_on else (begins(3, "1", "Administration", "German"),)
    played = replace(played, events=(*played.events, drag, *after))
    situation = Situation(played)
    situation.advance_before(at)
    moved = drawn.move("a", *hexes, at=at, phase=situation.phase, goes_on=goes_on)
    return judge_move(moved, situation, RULESET.in_force(played))


def verdict(judgement: Judgement) -> tuple[str, tuple[str, ...]]:
    return judgement.judged.verdict, tuple(f.clause for f in judgement.findings)


def allowance(mover: Unit, **more: Any) -> Amount | None:
    """What a unit may spend on a step into clear terrain."""
    board = replace(row(3), lines=more.pop("lines", ()))
    found = judged(game(board, {"a": mover}, {"a": "h0"}, **more), "h0", "h1").judged
    return found.bill.allowance


def exactly(number: int) -> Amount:
    return Amount.exactly(number)


def between(low: int, high: int) -> Amount:
    return Amount(Fraction(low), Fraction(high))


@pytest.mark.parametrize(
    ("kind", "expected"),
    [
        ({"class": "mech", "type": "m5", "nation": "us"}, exactly(14)),
        ({"class": "mech", "type": "humber", "nation": "british"}, exactly(14)),
        ({"class": "mech", "type": "heavy-armor", "nation": "us"}, exactly(12)),
        ({"class": "mech", "type": "bridge-column"}, exactly(9)),
        ({"class": "mech", "ma": 12, "fatigue": True, "supply": "out"}, between(2, 5)),
    ],
)
def test_allowances_that_no_case_reckons(kind: dict[str, Any], expected: Amount) -> None:
    assert allowance(unit("a", **kind)) == expected


def test_frozen_ground_adds_one_off_the_road_alone() -> None:
    frozen = {**TABLES, "grounds": {"frozen": {"factor": 1, "plus": 1, "chart": True}}}
    mover = unit("a", **ARMOR, supply="out", ma=9)
    board = replace(row(3), lines=ROAD)
    for hexes, most in ((("h0", "h1"), exactly(5)), (("h0", "g0"), between(5, 6))):
        played = game(board, {"a": mover}, {"a": "h0"}, {"ground": "frozen"})
        played = replace(played, rules=replace(played.rules, tables=frozen))
        found = judged(played, *hexes).judged
        assert found.bill.allowance == most


def test_every_way_to_reckon_lies_within_the_bounds() -> None:
    """Halves and the raise by a half in any order, rounded each time or once."""
    half, raised = Fraction(1, 2), Fraction(3, 2)
    settled = {**OPTIONS, "strat_factor": "3/2"}
    for base in range(5, 15):
        for cuts in (0, 1, 2):
            states = dict([("supply", "out"), ("resting", True)][:cuts])
            mover = unit("a", **ARMOR, mode="strategic", ma=base, **states)
            found = allowance(mover, lines=ROAD, options=settled)
            assert found.hi is not None
            factors = [half] * cuts + [raised]
            ways = {ceil(base * half**cuts * raised)}
            for order in permutations(factors):
                number = Fraction(base)
                for factor in order:
                    number = Fraction(ceil(number * factor))
                if order[0] == raised or order[-1] == raised:
                    ways.add(int(number))
            assert (found.lo, found.hi) == (min(ways), max(ways)), (base, cuts)


def test_what_is_not_known_of_the_kind_widens_the_base() -> None:
    mech = unit("a", **ARMOR, designation=UNKNOWN)
    assert allowance(mech) == between(12, 14)
    found = judged(game(row(9), {"a": mech}, {"a": "h0"}), "h0", "h7").judged
    assert found.verdict == "unverifiable"
    assert [u.key for u in found.unknowns] == ["unit a designation"]


def wheel() -> Board:
    """A country of all kinds of things."""
    hexes = {}
    for q in range(5):
        for r in range(-2, 3):
            name = f"{q}{r:+}"
            terrain = "woods" if (q, r) in ((1, 1), (3, -1)) else "clear"
            features = ("constricted",) if (q, r) == (2, 0) else ()
            hexes[name] = Hex(name, Axial(q, r), (terrain,), features=features)
    sides = {
        edge("1+0", "2-1"): ("stream",),
        edge("0+1", "1+1"): ("minor-river", "bridge"),
        edge("3+0", "4+0"): ("minor-river",),
    }
    lines = (
        Line("dashed", ("1+0", "2+0", "3+0")),
        Line("primary", ("0+0", "0+1", "1+1", "2+1")),
        Line("trail", ("2+1", "3+1", "4+0"), junctions=True),
    )
    return Board("wheel", hexes, sides, lines)


WHEEL_TARGETS = ("2+0", "3+0", "2-1", "2+1", "3+1", "4+0", "3-1", "2-2")


@pytest.mark.parametrize("target", WHEEL_TARGETS)
def test_stops_on_the_path_that_nobody_saw_change_nothing_against_a_player(target: str) -> None:
    board = wheel()
    played = game(board, {"a": unit("a", **ARMOR)}, {"a": "0+0"})
    whole = judged(played, "0+0", target)
    if whole.judged.verdict != "legal":
        assert verdict(judged(played, "0+0", "(1+0)", target))[0] != "legal"
        return
    by = whole.judged.path[1:-1]
    assert verdict(judged(played, "0+0", *by, target)) == verdict(whole)
    assert verdict(judged(played, "0+0", "(0-1)", target))[0] != "illegal"


def test_who_is_moved_on_has_not_stopped() -> None:
    """Towed artillery next to an enemy (5.8.5)."""
    units = {"a": unit("a", type="artillery"), "e": unit("e", "Allied")}
    played = game(row(5), units, {"a": "h0", "e": "h3"})
    assert verdict(judged(played, "h0", "h2")) == ("illegal", ("WAR-5.8.5",))
    assert verdict(judged(played, "h0", "h2", goes_on=True)) == ("legal", ())


def test_a_type_that_the_tables_do_not_name_is_held_against_nobody() -> None:
    units = {"a": unit("a", type="zeppelin"), "e": unit("e", "Allied")}
    played = game(row(9), units, {"a": "h0", "e": "h1"})
    found = judged(played, "h0", "h1")
    assert found.judged.verdict == "unverifiable"
    assert [u.key for u in found.judged.unknowns] == ["unit a type"]


def test_of_whom_next_to_nothing_is_known_nobody_is_accused() -> None:
    """So many kinds of unit are possible that none is tried."""
    unknown = dict.fromkeys(("class", "type", "nation", "mode", "motor"), UNKNOWN)
    played = game(row(30), {"a": unit("a", **unknown)}, {"a": "h0"})
    found = judged(played, "h0", "h25").judged
    assert found.verdict == "unverifiable"
    assert {u.key for u in found.unknowns} >= {"unit a class", "unit a type"}


def test_the_form_that_would_have_done_is_named() -> None:
    """On foot 10 of 6; by the trucks of the division 5/2, but not next to an enemy (vector U05)."""
    found = run_case(cases("wacht-am-rhein")["U05"], RULESET).audit
    (wrong,) = (one for one in found.findings if one.verdict == "illegal")
    said = "otherwise it costs 5/2 of 6 MP, but then it comes next to an enemy on trucks at 0601"
    assert said in wrong.explanation


def test_every_reading_has_a_default_among_its_choices() -> None:
    readings = [r for clause in RULESET.clauses().values() for r in clause.readings]
    assert readings
    for reading in readings:
        assert reading.default in reading.choices


def test_what_the_text_does_not_fix_is_unknown() -> None:
    chart = RULESET.printed()
    assert set(chart["terrain"].values()) == {"unknown"}
    assert set(chart["hexsides"].values()) == {"unknown"}
    assert chart["roads"] == {"primary": "1/2", "secondary": "unknown", "trail": "unknown"}
