"""What a unit was marked with when it moved. Markers are laid before or after a drag, as it comes: one
counts only if it lay there when the phase began, or was seen."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise

from ....model.fact import UNKNOWN, Fact, known
from ....model.finding import Move
from ....model.unit import Unit
from ...concepts import logic
from .tables import AFV
from .unit_history import UnitHistory


@dataclass(frozen=True, slots=True)
class MarkerState:
    """Each True, False or None for not known. ``pinned_on_the_way`` and ``halted`` (immobilized, too):
    marked between two of its drags. ``weapons``: whether it carries several; None also if nothing is
    said of it. ``weapons_told``: something is said of it."""

    pinned: bool | None
    fired: bool | None
    moved: bool | None
    immobile: bool | None
    pinned_on_the_way: bool | None
    halted: bool | None
    weapons: bool | None
    weapons_told: bool = False


def marked(unit: Unit, move: Move, unit_history: UnitHistory) -> MarkerState:
    """The marks of ``unit`` in ``move``."""
    drags = unit_history.of_move(unit.id, move)
    side = move.actor or unit.side
    pinned_then = _on_the_way(unit, "pinned", drags, side, unit_history)
    immobile_then = _on_the_way(unit, "immobile", drags, side, unit_history)
    pinned = at_start(unit, "pinned", drags[0], side, unit_history)
    if unit.fact("class").may_be(AFV):
        # nothing pins an AFV (14.1): the marker says something else
        told = unit_history.is_declared(unit_history.fact(unit.id, "immobile", drags[0]))
        pinned, pinned_then = False if told else pinned and None, pinned_then and None
    return MarkerState(
        pinned=pinned,
        fired=at_start(unit, "fired", drags[0], side, unit_history),
        moved=at_start(unit, "moved", drags[0], side, unit_history),
        immobile=at_start(unit, "immobile", drags[0], side, unit_history),
        pinned_on_the_way=pinned_then,
        halted=logic.some((pinned_then, immobile_then)),
        weapons=_several(unit, drags[0], unit_history),
        weapons_told=unit_history.fact(unit.id, "weapons", drags[0]) != UNKNOWN,
    )


def at_start(
    unit: Unit, mark: str, index: int, side: str | None, unit_history: UnitHistory
) -> bool | None:
    """Whether it was marked when event ``index`` happened; None also if the marker may have been laid
    for what happened then, or be left over from another turn."""
    fact = unit_history.fact(unit.id, mark, index)
    if fact.must_be(False):
        return False
    if fact.must_be(True) and unit_history.is_declared(fact):
        return True
    if not fact.must_be(True) or _righted(unit.id, mark, index, side, unit_history):
        return None
    laid = unit_history.last_change(unit.id, mark, index)
    first, _ = unit_history.phase(index)
    if laid is not None and laid >= first:
        if mark in _OF_THE_PHASE and not _has_moved(unit.id, first, laid, unit_history):
            return None  # it was laid too early, or on the wrong counter
        return True if unit_history.seen(laid, index, side) else None
    if mark in _LASTING:
        return True
    if laid is None:  # since when it has lain there is not known: not longer, if all is in order
        return (
            True
            if unit_history.phase(0) == unit_history.phase(index) and mark not in _RALLIED
            else None
        )
    if unit_history.phase(laid) == unit_history.phase(index):
        return True
    now, before = unit_history.view(index), unit_history.view(laid)
    same = now.turn is not None and (now.turn, now.active) == (before.turn, before.active)
    same = same and not _other_active(laid, index, unit_history)
    return True if same and mark not in _OF_THE_PHASE else None


def _righted(unit: str, mark: str, index: int, side: str | None, unit_history: UnitHistory) -> bool:
    """Whether the marker was taken off after event ``index`` before anybody saw it, as one left lying is."""
    for at, after in unit_history.changes(unit, mark, index, unit_history.phase(index)[1]):
        if unit_history.seen(index, at, side):
            return False
        if not after.must_be(True):
            return True
    return False


_LASTING = ("immobile",)
"""Markers that are never taken off."""
_RALLIED = ("pinned",)
"""Of what is rallied without more ado before its side moves (5.31): a counter that shows it from the
beginning may only not have been turned up."""
_OF_THE_PHASE = ("moved",)
"""Markers that tell of this phase; other ones tell of the turn of a side, at whose end they are taken off."""


def _other_active(first: int, end: int, unit_history: UnitHistory) -> bool:
    """Whether another side's phase lies between two events: it is another turn, whatever is told."""
    side = unit_history.view(end).active
    return any(
        unit_history.view(a).active != side for a, _ in unit_history.phases() if first < a < end
    )


def assault_move(unit: Unit, move: Move, unit_history: UnitHistory) -> Fact:
    """Whether it bore an Assault Move marker of this phase from the first drag to the last; one that was
    laid later, taken off on the way or left over may tell of it, or be a mistake."""
    drags = unit_history.of_move(unit.id, move)
    facts = [unit_history.fact(unit.id, "assault", index) for index in drags]
    if all(fact.is_known and unit_history.is_declared(fact) for fact in facts):
        return facts[0]
    laid = unit_history.last_change(unit.id, "assault", drags[0]) or 0
    fresh = unit_history.phase(laid) == unit_history.phase(drags[0])
    if fresh and all(fact.must_be(True) for fact in facts):
        return known(True)
    later = unit_history.changes(unit.id, "assault", drags[-1], unit_history.phase(drags[-1])[1])
    if any(not fact.must_be(False) for fact in (*facts, *(after for _, after in later))):
        return UNKNOWN
    return known(False)


def _has_moved(unit: str, first: int, end: int, unit_history: UnitHistory) -> bool:
    """Whether it did anything from event ``first`` to ``end`` that a Move marker tells of: moved, turned,
    was loaded or unloaded."""
    if any(index < end for index in unit_history.in_phase(unit, first)):
        return True
    return any(unit_history.changes(unit, about, first, end) for about in ("facing", "aboard"))


def _on_the_way(
    unit: Unit, mark: str, drags: list[int], side: str | None, unit_history: UnitHistory
) -> bool | None:
    """Whether it was marked after a drag, and dragged on; None: perhaps only in the wrong order."""
    found: bool | None = False
    for before, after in pairwise(drags):
        changes = unit_history.changes(unit.id, mark, before, after)
        if not changes or changes[-1][1].must_be(False):
            continue
        sure = changes[-1][1].must_be(True) and unit_history.seen(before, after, side)
        if sure and not unit_history.beset(
            unit, after
        ):  # an overrun goes on to the exit hex, hit or not
            return True
        found = None
    return found


def _several(unit: Unit, index: int, unit_history: UnitHistory) -> bool | None:
    fact = unit_history.fact(unit.id, "weapons", index)
    if fact.low is not None and fact.low > 1:
        return True
    return False if fact.high is not None and fact.high <= Fraction(1) else None
