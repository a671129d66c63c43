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
from .record import Record
from .tables import AFV


@dataclass(frozen=True, slots=True)
class Marks:
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


def marked(unit: Unit, move: Move, record: Record) -> Marks:
    """The marks of ``unit`` in ``move``."""
    drags = record.of_move(unit.id, move)
    side = move.actor or unit.side
    pinned_then = _on_the_way(unit, "pinned", drags, side, record)
    immobile_then = _on_the_way(unit, "immobile", drags, side, record)
    pinned = at_start(unit, "pinned", drags[0], side, record)
    if unit.fact("class").may_be(AFV):
        # nothing pins an AFV (14.1): the marker says something else
        told = record.is_declared(record.fact(unit.id, "immobile", drags[0]))
        pinned, pinned_then = False if told else pinned and None, pinned_then and None
    return Marks(
        pinned=pinned,
        fired=at_start(unit, "fired", drags[0], side, record),
        moved=at_start(unit, "moved", drags[0], side, record),
        immobile=at_start(unit, "immobile", drags[0], side, record),
        pinned_on_the_way=pinned_then,
        halted=logic.some((pinned_then, immobile_then)),
        weapons=_several(unit, drags[0], record),
        weapons_told=record.fact(unit.id, "weapons", drags[0]) != UNKNOWN,
    )


def at_start(unit: Unit, mark: str, index: int, side: str | None, record: Record) -> bool | None:
    """Whether it was marked when event ``index`` happened; None also if the marker may have been laid
    for what happened then, or be left over from another turn."""
    fact = record.fact(unit.id, mark, index)
    if fact.must_be(False):
        return False
    if fact.must_be(True) and record.is_declared(fact):
        return True
    if not fact.must_be(True) or _righted(unit.id, mark, index, side, record):
        return None
    laid = record.last_change(unit.id, mark, index)
    first, _ = record.phase(index)
    if laid is not None and laid >= first:
        if mark in _OF_THE_PHASE and not _has_moved(unit.id, first, laid, record):
            return None  # it was laid too early, or on the wrong counter
        return True if record.seen(laid, index, side) else None
    if mark in _LASTING:
        return True
    if laid is None:  # since when it has lain there is not known: not longer, if all is in order
        return True if record.phase(0) == record.phase(index) and mark not in _RALLIED else None
    if record.phase(laid) == record.phase(index):
        return True
    now, before = record.view(index), record.view(laid)
    same = now.turn is not None and (now.turn, now.active) == (before.turn, before.active)
    same = same and not _other_active(laid, index, record)
    return True if same and mark not in _OF_THE_PHASE else None


def _righted(unit: str, mark: str, index: int, side: str | None, record: Record) -> bool:
    """Whether the marker was taken off after event ``index`` before anybody saw it, as one left lying is."""
    for at, after in record.changes(unit, mark, index, record.phase(index)[1]):
        if record.seen(index, at, side):
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


def _other_active(first: int, end: int, record: Record) -> bool:
    """Whether another side's phase lies between two events: it is another turn, whatever is told."""
    side = record.view(end).active
    return any(record.view(a).active != side for a, _ in record.phases() if first < a < end)


def assault_move(unit: Unit, move: Move, record: Record) -> Fact:
    """Whether it bore an Assault Move marker of this phase from the first drag to the last; one that was
    laid later, taken off on the way or left over may tell of it, or be a mistake."""
    drags = record.of_move(unit.id, move)
    facts = [record.fact(unit.id, "assault", index) for index in drags]
    if all(fact.is_known and record.is_declared(fact) for fact in facts):
        return facts[0]
    laid = record.last_change(unit.id, "assault", drags[0]) or 0
    fresh = record.phase(laid) == record.phase(drags[0])
    if fresh and all(fact.must_be(True) for fact in facts):
        return known(True)
    later = record.changes(unit.id, "assault", drags[-1], record.phase(drags[-1])[1])
    if any(not fact.must_be(False) for fact in (*facts, *(after for _, after in later))):
        return UNKNOWN
    return known(False)


def _has_moved(unit: str, first: int, end: int, record: Record) -> bool:
    """Whether it did anything from event ``first`` to ``end`` that a Move marker tells of: moved, turned,
    was loaded or unloaded."""
    if any(index < end for index in record.in_phase(unit, first)):
        return True
    return any(record.changes(unit, about, first, end) for about in ("facing", "aboard"))


def _on_the_way(
    unit: Unit, mark: str, drags: list[int], side: str | None, record: Record
) -> bool | None:
    """Whether it was marked after a drag, and dragged on; None: perhaps only in the wrong order."""
    found: bool | None = False
    for before, after in pairwise(drags):
        changes = record.changes(unit.id, mark, before, after)
        if not changes or changes[-1][1].must_be(False):
            continue
        sure = changes[-1][1].must_be(True) and record.seen(before, after, side)
        if sure and not record.beset(unit, after):  # an overrun goes on to the exit hex, hit or not
            return True
        found = None
    return found


def _several(unit: Unit, index: int, record: Record) -> bool | None:
    fact = record.fact(unit.id, "weapons", index)
    if fact.low is not None and fact.low > 1:
        return True
    return False if fact.high is not None and fact.high <= Fraction(1) else None
