"""The markers on a unit when it moved. Players put a marker down before or after the drag, as they please. So
a marker counts only if it was there when the phase began, or if others saw it."""

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
    """The markers on a unit when it moved; None: not known.

    ``pinned``, ``fired``, ``moved``, ``immobile``: before its first drag. ``pinned_on_the_way``: it was
    pinned between two drags of the move. ``halted``: it was pinned or immobilized then. ``weapons``: it
    carries more than one support weapon; None also if nothing is given. ``weapons_told``: something is given
    about that.
    """

    pinned: bool | None
    fired: bool | None
    moved: bool | None
    immobile: bool | None
    pinned_on_the_way: bool | None
    halted: bool | None
    weapons: bool | None
    weapons_told: bool = False


def marked(unit: Unit, move: Move, unit_history: UnitHistory) -> MarkerState:
    """The markers on ``unit`` in ``move``."""
    drags = unit_history.of_move(unit.id, move)
    side = move.actor or unit.side
    pinned_then = _on_the_way(unit, "pinned", drags, side, unit_history)
    immobile_then = _on_the_way(unit, "immobile", drags, side, unit_history)
    if unit.fact("class").may_be(AFV):
        pinned_then = pinned_then and None
    return MarkerState(
        pinned=pinned_at_start(unit, drags[0], side, unit_history),
        fired=at_start(unit, "fired", drags[0], side, unit_history),
        moved=at_start(unit, "moved", drags[0], side, unit_history),
        immobile=at_start(unit, "immobile", drags[0], side, unit_history),
        pinned_on_the_way=pinned_then,
        halted=logic.some((pinned_then, immobile_then)),
        weapons=_several(unit, drags[0], unit_history),
        weapons_told=unit_history.fact(unit.id, "weapons", drags[0]) != UNKNOWN,
    )


def pinned_at_start(
    unit: Unit, index: int, side: str | None, unit_history: UnitHistory
) -> bool | None:
    """As :func:`at_start`, for the marker ``pinned``. An AFV cannot be pinned (14.1): on it the marker means
    something else, perhaps that it is immobilized."""
    pinned = at_start(unit, "pinned", index, side, unit_history)
    if not unit.fact("class").may_be(AFV):
        return pinned
    told = unit_history.is_declared(unit_history.fact(unit.id, "immobile", index))
    return False if told else pinned and None


def at_start(
    unit: Unit, mark: str, index: int, side: str | None, unit_history: UnitHistory
) -> bool | None:
    """Whether a unit had a marker just before event ``index``. None if not known, and also if the marker may
    have been put there for what happens then, or may be left over from another turn. ``mark``: the
    attribute."""
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
            return None  # put there too early, or on the wrong counter
        return True if unit_history.seen(laid, index, side) else None
    if mark in _LASTING:
        return True
    # A marker that is there from the beginning of the logs is of this turn, if the players were tidy.
    if laid is None:
        of_the_turn = mark not in (*_RALLIED, *_OF_THE_PHASE)
        first_phase = unit_history.phase(0) == unit_history.phase(index)
        return True if first_phase and of_the_turn else None
    if unit_history.phase(laid) == unit_history.phase(index):
        return True
    now, before = unit_history.view(index), unit_history.view(laid)
    same = now.turn is not None and (now.turn, now.active) == (before.turn, before.active)
    same = same and not _other_active(laid, index, unit_history)
    return True if same and mark not in _OF_THE_PHASE else None


def _righted(unit: str, mark: str, index: int, side: str | None, unit_history: UnitHistory) -> bool:
    """Whether the marker was taken off after event ``index`` before others saw it, as is done with one that
    was left over."""
    for at, after in unit_history.changes(unit, mark, index, unit_history.phase(index)[1]):
        if unit_history.seen(index, at, side):
            return False
        if not after.must_be(True):
            return True
    return False


_LASTING = ("immobile",)
"""The markers that are never taken off."""
_RALLIED = ("pinned",)
"""The markers that are removed without a roll before the side moves (5.31). If a counter has one when the
logs begin, the player may only have forgotten to remove it."""
_OF_THE_PHASE = ("moved",)
"""The markers that are about the current phase. The others are about the turn of a side and are taken off at
its end. If a counter has one when the logs begin, it may be of another turn."""


def _other_active(first: int, end: int, unit_history: UnitHistory) -> bool:
    """Whether a phase with another active side begins between two events. It is then another turn, whatever
    the turn tracker shows."""
    side = unit_history.view(end).active
    return any(
        unit_history.view(a).active != side for a, _ in unit_history.phases() if first < a < end
    )


def assault_move(unit: Unit, move: Move, unit_history: UnitHistory) -> Fact:
    """Whether a unit had an Assault Move marker of this phase from its first drag to its last. UNKNOWN if the
    marker was put there later, was taken off on the way, or may be left over."""
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
    """Whether a unit did anything from event ``first`` to ``end`` that a Move marker stands for: it moved,
    turned, or was loaded or unloaded."""
    if any(index < end for index in unit_history.in_phase(unit, first)):
        return True
    return any(unit_history.changes(unit, about, first, end) for about in ("facing", "aboard"))


def _on_the_way(
    unit: Unit, mark: str, drags: list[int], side: str | None, unit_history: UnitHistory
) -> bool | None:
    """Whether a unit got a marker after a drag and was dragged on. None if the marker may have been put there
    in the wrong order."""
    found: bool | None = False
    for before, after in pairwise(drags):
        changes = unit_history.changes(unit.id, mark, before, after)
        if not changes or changes[-1][1].must_be(False):
            continue
        sure = changes[-1][1].must_be(True) and unit_history.seen(before, after, side)
        if sure and not unit_history.is_among_enemies(
            unit, after
        ):  # an overrun continues into the exit hex even after a hit
            return True
        found = None
    return found


def _several(unit: Unit, index: int, unit_history: UnitHistory) -> bool | None:
    """Whether a unit carries more than one support weapon; None if not known."""
    fact = unit_history.fact(unit.id, "weapons", index)
    if fact.low is not None and fact.low > 1:
        return True
    return False if fact.high is not None and fact.high <= Fraction(1) else None
