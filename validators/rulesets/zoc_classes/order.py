"""Who moves when: one unit after the other, pauses apart, and nobody who has been turned (6.A, 6.A.5)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from ....model.finding import Finding
from ....model.game import Game
from ...concepts import questions
from ...moves import Track
from ...order import check_order
from ...ruleset import OrderRule
from ...witness import Witnesses
from .history import History
from .tables import Tables

_ONE_BY_ONE = OrderRule("ZC-6.A-d", resume=False)
TURNED = "turned"
"""The attribute of a counter that is turned to show that it has moved."""


def resumed_moves(
    game: Game, tracks: Sequence[Track], tables: Tables, history: History
) -> Iterator[Finding]:
    """The units moved on after others had moved, unless they had paused for something."""
    for found in check_order(game, tracks, _ONE_BY_ONE, Witnesses(game)):
        index = _second_drag(found, tracks)
        clause = "6.A-d"
        if tables.applies("6.A.5-b") and _is_turned(found.units[0], index, history):
            clause = "6.A.5-b"
        if tables.applies(clause):
            yield from _unless_paused(found, clause, tables, history, index)


def _is_turned(unit: str, index: int, history: History) -> bool:
    """Whether a unit was turned in the phase: one that is turned from its beginning on was in another."""
    turns = history.since_opening(unit, TURNED, index)
    return turns[-1].must_be(True) and any(fact.must_be(False) for fact in turns)


def _second_drag(found: Finding, tracks: Sequence[Track]) -> int:
    """The event with which the unit was moved on."""
    by_id = {track.move.id: track for track in tracks}
    unit, between = found.units[0], by_id[found.moves[1]]
    own = [e for t in tracks if unit in t.move.units and t.counts for e in t.events]
    return next(
        event
        for event in sorted(own)
        if any(other < event for other in between.events) and any(e < event for e in own)
    )


def _unless_paused(
    found: Finding, clause: str, tables: Tables, history: History, index: int
) -> Iterator[Finding]:
    cited = replace(found, code=f"ZC-{clause}", clause=f"ZC-{clause}")
    paused = history.told("pause", found.units[0], index)
    if paused.must_be(True) and tables.applies("6.A-e"):
        return
    if found.kind == "note" or paused.is_known:
        yield cited
        return
    asked = questions.of_condition("pause")
    yield replace(
        cited,
        kind="unverifiable",
        verdict="unverifiable",
        unknowns=(asked,),
        remedy=asked.question,
    )
