"""The ruleset wacht-am-rhein keeps what it has worked out of a step: what has changed since the last move
must tell on the next all the same."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

import counters
import drawn
import pytest
from counters import begins, two_rows
from flat import place
from vassal_umpire.model.board import Board, Line
from vassal_umpire.model.fact import Fact, known
from vassal_umpire.model.game import (
    Condition,
    Displacement,
    Game,
    Place,
    Rules,
    StateChange,
    StepRef,
    Witness,
)
from vassal_umpire.model.unit import Unit
from vassal_umpire.validators.judge import judge_move
from vassal_umpire.validators.rulesets.wacht_am_rhein import RULESET
from vassal_umpire.validators.situation import Situation

TABLES: dict[str, Any] = {
    "terrain": {"clear": 2},
    "hexsides": {},
    "roads": {"secondary": 1},
    "adjacent": {"cost": 1},
    "stacking": {"limit": 9},
}
USUAL = {**counters.ARDENNES, "class": "mech", "type": "armor", "battery": "in"}
AT_H = ("h0", "h1", "h2", "h3")
BEYOND = Place("elsewhere", "Casualties")


def unit(name: str, side: str, told: dict[str, Any]) -> Unit:
    nation = "german" if side == "German" else "us"
    return counters.unit(name, side, {**USUAL, "nation": nation, **told})


def change(name: str, attribute: str, value: str | bool | int) -> StateChange:
    return counters.flip(3, name, attribute, value, "?", actor="Allied")


def drag(name: str, origin: str, target: str) -> Displacement:
    """``target`` empty: it was taken off."""
    goal = place(target) if target else BEYOND
    return Displacement(StepRef(1, 3), name, place(origin), goal, "Allied")


ENEMY = ("e", "Allied", "g2", {"strength": 2, "formation": "P"})
DUG_IN = ("e", "Allied", "g2", {"strength": 2, "works": "et"})
WEAK = ("d", "Allied", "g2", {"strength": 0})
GUN = ("n", "Allied", "g6", {"type": "artillery", "red": True, "depleted": True, "formation": "P"})
FAR = ("d", "Allied", "g7", {"strength": 2, "works": "et"})
FRIEND = ("f", "German", "h2", {})
ROLL = Witness(StepRef(1, 3), "roll", "a die is rolled", "Allied")
"""What is changed after it, is no mark of the move before."""
CONDITIONS = (
    Condition("night", known(False), StepRef(1, 1)),
    Condition("ground", known("normal"), StepRef(1, 1)),
    Condition("dead", known(False), StepRef(1, 1), None, "x"),
)
PERHAPS_DEAD = Condition("dead", Fact((False, True)), StepRef(1, 3), None, "x")
PASSES = ("legal", (), 8)
ALONE, SEVEN = ("legal", (), 6), ("legal", (), 7)
PAST_BOTH = ("legal", (), 8)
"""Past the friend, and to the first mover, both of another formation."""


def stopped(clause: str) -> tuple[str, tuple[str, ...], int]:
    return "illegal", (clause,), 8


OTHER = {"formation": "B"}
CHANGES: dict[str, tuple[Any, ...]] = {
    # who is there besides, what happens between two moves, what the second unit is, what is said of both
    "an enemy digs in": ([ENEMY], [change("e", "works", "et")], {}, PASSES, stopped("WAR-5.3.1-c")),
    "a gun is made good": (
        *([ENEMY, GUN], [change("n", "depleted", False)], {}),
        *(PASSES, stopped("WAR-5.3.1-a")),
    ),
    "an enemy goes away": ([ENEMY], [drag("e", "g2", "g6")], {}, PASSES, ALONE),
    "an enemy is taken off": ([ENEMY], [drag("e", "g2", "")], {}, ("legal", (), None), ALONE),
    "one of two enemies goes away": (
        *([DUG_IN, WEAK], [drag("e", "g2", "g6")], {}),
        *(stopped("WAR-5.3.1-c"), PASSES),
    ),
    "an enemy may have died": (
        *([("x", *ENEMY[1:])], [PERHAPS_DEAD], {}),
        *(PASSES, ("legal", (), None)),
    ),
    "an enemy comes": ([("e", "Allied", "g6", {})], [drag("e", "g6", "g2")], {}, ALONE, PASSES),
    "a friend of another formation now": (
        [FRIEND],
        [change("f", "formation", "B")],
        {},
        ALONE,
        SEVEN,
    ),
    "the next mover is of another formation": ([FRIEND], [], OTHER, ALONE, PAST_BOTH),
    "a friend goes on": ([FRIEND], [drag("f", "h2", "h1")], OTHER, ALONE, PAST_BOTH),
}


@pytest.mark.parametrize(
    ("others", "between", "second", "before", "after"), CHANGES.values(), ids=CHANGES
)
def test_what_has_changed_tells_on_the_next_move(
    others: list[tuple[str, str, str, dict[str, Any]]],
    between: list[StateChange | Displacement | Condition],
    second: dict[str, Any],
    before: tuple[str, tuple[str, ...], int | None],
    after: tuple[str, tuple[str, ...], int | None],
) -> None:
    movers = [("a", "German", "h0", {}), ("b", "German", "h0", second)]
    found = judged([*movers, *others], between, ("a", AT_H), ("b", AT_H), "tactical")
    for (verdict, clauses, cost), told in zip((before, after), found, strict=True):
        assert told[:2] == (verdict, clauses)
        if verdict == "legal":
            assert told[2] == (None if cost is None else Fraction(cost))


def test_who_moves_is_not_in_its_own_way() -> None:
    units = [(name, "German", at, {}) for name, at in (("a", "h0"), ("b", "h0"), ("c", "h2"))]
    joins, leaves = judged(units, [], ("c", ("h2", "h1", "h0")), ("b", ("h0", "h1")), "road")
    assert joins[:2] == ("illegal", ("WAR-5.6.3-d",))
    assert leaves[:2] == ("illegal", ("WAR-5.6.3-e",))
    assert judged(units, [], ("a", ("h0", "h1")), ("b", ("h0", "h1")), "road")[0] == (
        *("legal", ()),
        Fraction(1),
    )


@pytest.mark.parametrize(
    ("happens", "verdict", "cost"),
    [
        (change("e", "works", "et"), "unverifiable", 8),
        (change("n", "depleted", False), "unverifiable", 8),
        (drag("e", "g2", "g6"), "legal", None),
        (drag("d", "g7", "g3"), "unverifiable", None),
    ],
    ids=["an enemy digs in", "a gun is made good", "an enemy goes away", "an enemy comes"],
)
def test_what_changes_while_it_moves_is_not_taken_as_it_was(
    happens: StateChange | Displacement, verdict: str, cost: int | None
) -> None:
    units = [(name, "German", "h0", {}) for name in ("a", "b")]
    meanwhile = replace(happens, at=StepRef(1, 4))
    first, second = judged(
        [*units, ENEMY, GUN, FAR], [meanwhile], ("a", AT_H), ("b", AT_H), "tactical"
    )
    assert first == PASSES
    assert second == (verdict, (), cost)


def judged(
    several: list[tuple[str, str, str, dict[str, Any]]],
    between: list[StateChange | Displacement | Condition],
    first: tuple[str, tuple[str, ...]],
    second: tuple[str, tuple[str, ...]],
    form: str,
) -> list[tuple[str, tuple[str, ...], Fraction | None]]:
    """Verdict, clauses and cost, if it is exact, of two moves by the same rules in force."""
    happened = [event for event in between if not isinstance(event, Condition)]
    dragged = [
        Displacement(StepRef(1, step), mover, place(way[0]), place(way[-1]), "German")
        for step, (mover, way) in ((2, first), (4, second))
    ]
    events = sorted((ROLL, *happened, *dragged), key=lambda event: event.at)
    options = {"adjacency_list": "complete", "adjacency_combine": "once", "stop_hex": "entered"}
    road = Line("secondary", tuple(f"h{q}" for q in range(8)))
    played = Game(
        "small",
        Board("row", two_rows(8), lines=(road,) if form == "road" else ()),
        ("German", "Allied"),
        {name: unit(name, side, told) for name, side, _, told in several},
        {name: place(where) for name, _, where, _ in several},
        (begins(1, "1", "Movement", "German"), *events),
        rules=Rules("wacht-am-rhein", TABLES, options),
        conditions=(*CONDITIONS, *(said for said in between if isinstance(said, Condition))),
    )
    rules, situation, found = RULESET.in_force(played), Situation(played), []
    for step, (mover, way) in ((2, first), (4, second)):
        at = StepRef(1, step)
        situation.advance_before(at)
        move = drawn.move(mover, *way, at=at, phase=situation.phase)
        judgement = judge_move(move, situation.over(at), rules, forms=(form,))
        bill = judgement.judged.bill
        clauses = tuple(f.clause for f in judgement.findings if f.kind != "unverifiable")
        cost = bill.total.lo if bill is not None and bill.total.is_exact else None
        found.append((judgement.judged.verdict, clauses, cost))
    return found
