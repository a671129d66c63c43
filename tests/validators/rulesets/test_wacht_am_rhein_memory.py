"""The ruleset wacht-am-rhein keeps what it has worked out of a step: what has changed since the last move
must tell on the next all the same."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest
from vassal_umpire.model.board import Board, Hex, Line
from vassal_umpire.model.fact import Fact, known
from vassal_umpire.model.finding import Move
from vassal_umpire.model.game import (
    Condition,
    Displacement,
    Game,
    PhaseStart,
    Place,
    Rules,
    StateChange,
    StepRef,
    Witness,
)
from vassal_umpire.model.hexgrid import Axial
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
USUAL: dict[str, Any] = {
    "class": "mech",
    "type": "armor",
    "mode": "tactical",
    "designation": "none",
    "supply": "in",
    "resting": False,
    "fatigue": False,
    "fuel": "normal",
    "released": False,
    "leader": False,
    "motor": False,
    "formation": "A",
    "attached": "no",
    "echelon": "division",
    "command": "X",
    "army": "First",
    "infantry-division": False,
    "breakdown": False,
    "strength": 1,
    "stacking": 1,
    "works": "none",
    "red": False,
    "depleted": False,
    "range": 10,
    "traction": "towed",
    "battery": "in",
    "calibre": "other",
    "bridge-class": "none",
    "static": False,
    "deployed": "no",
}
AT_H = ("h0", "h1", "h2", "h3")
BEYOND = Place("elsewhere", "Casualties")


def unit(name: str, side: str, told: dict[str, Any]) -> Unit:
    nation = "german" if side == "German" else "us"
    facts = {key: known(value) for key, value in {**USUAL, "nation": nation, **told}.items()}
    return Unit(name, name, side, attributes=facts)


def change(name: str, attribute: str, value: str | bool | int) -> StateChange:
    return StateChange(StepRef(1, 3), name, attribute, known("?"), known(value), "Allied")


def drag(name: str, origin: str, target: str) -> Displacement:
    goal = BEYOND if not target else Place("hex", target)
    return Displacement(StepRef(1, 3), name, Place("hex", origin), goal, "Allied")


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
ALONE = ("legal", (), 6)


def stopped(clause: str) -> tuple[str, tuple[str, ...], int]:
    return "illegal", (clause,), 8


@pytest.mark.parametrize(
    ("others", "between", "second", "before", "after"),
    [
        ([ENEMY], [change("e", "works", "et")], {}, PASSES, stopped("WAR-5.3.1-c")),
        ([ENEMY, GUN], [change("n", "depleted", False)], {}, PASSES, stopped("WAR-5.3.1-a")),
        ([ENEMY], [drag("e", "g2", "g6")], {}, PASSES, ALONE),
        ([ENEMY], [drag("e", "g2", "")], {}, ("legal", (), None), ALONE),
        ([DUG_IN, WEAK], [drag("e", "g2", "g6")], {}, stopped("WAR-5.3.1-c"), PASSES),
        ([("x", *ENEMY[1:])], [PERHAPS_DEAD], {}, PASSES, ("legal", (), None)),
        ([("e", "Allied", "g6", {})], [drag("e", "g6", "g2")], {}, ALONE, PASSES),
        ([FRIEND], [change("f", "formation", "B")], {}, ALONE, ("legal", (), 7)),
        ([FRIEND], [], {"formation": "B"}, ALONE, ("legal", (), 7)),
        ([FRIEND], [drag("f", "h2", "h1")], {"formation": "B"}, ALONE, ("legal", (), 7)),
    ],
    ids=[
        "an enemy digs in",
        "a gun is made good",
        "an enemy goes away",
        "an enemy is taken off",
        "one of two enemies goes away",
        "an enemy may have died",
        "an enemy comes",
        "a friend of another formation now",
        "the next mover is of another formation",
        "a friend goes on",
    ],
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
    back_again = ("h0", "h1", "h0")
    joins, returns = judged(units, [], ("c", ("h2", "h1", "h0")), ("a", back_again), "road")
    assert joins[:2] == ("illegal", ("WAR-5.6.3-d",))
    assert returns == ("legal", (), Fraction(1 + 1 + 2))


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
    hexes = {f"h{q}": Hex(f"h{q}", Axial(q, 0), ("clear",)) for q in range(8)}
    hexes |= {f"g{q}": Hex(f"g{q}", Axial(q, -1), ("clear",)) for q in range(8)}
    happened = (event for event in between if not isinstance(event, Condition))
    options = {"adjacency_list": "complete", "adjacency_combine": "once", "stop_hex": "entered"}
    road = Line("secondary", tuple(f"h{q}" for q in range(8)))
    played = Game(
        "small",
        Board("row", hexes, lines=(road,) if form == "road" else ()),
        ("German", "Allied"),
        {name: unit(name, side, told) for name, side, _, told in several},
        {name: Place("hex", where) for name, _, where, _ in several},
        (PhaseStart(StepRef(1, 1), "1", "Movement", "German"), ROLL, *happened),
        rules=Rules("wacht-am-rhein", TABLES, options),
        conditions=(*CONDITIONS, *(said for said in between if isinstance(said, Condition))),
    )
    rules, situation, found = RULESET.in_force(played), Situation(played), []
    for step, (mover, way) in ((2, first), (4, second)):
        at = StepRef(1, step)
        situation.advance_before(at)
        places = tuple(Place("hex", name) for name in way)
        path = (mover,), places[0], places[-1], places, (True,) * len(way), (at,), situation.phase
        judgement = judge_move(Move(1, *path), situation.over(at), rules, forms=(form,))
        bill = judgement.judged.bill
        clauses = tuple(f.clause for f in judgement.findings if f.kind != "unverifiable")
        cost = bill.total.lo if bill is not None and bill.total.is_exact else None
        found.append((judgement.judged.verdict, clauses, cost))
    return found
