"""Counters that stood where their units never were, or not so long. Opportunity Fire may stop its target
in any hex it enters (13.8): a player who has dragged it farther by then puts it back to that hex. And who
assaults stays where he is until he has won (15)."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from ....model.unit import Unit
from ...answers import Question, answer
from . import ruleset_facts
from .tables import FOOT
from .unit_history import UnitHistory


def stops_to_ask_about(
    unit: Unit, drags: Sequence[int], kind: str | None, unit_history: UnitHistory
) -> tuple[Question, ...]:
    """What of its move may have been otherwise than shown: stopped by fire and put back to that hex
    (13.8), only shown where it assaulted (15), or put on the map by the wrong hex first. ``kind``: of
    the phase, None if that is not known."""
    found: list[Question] = []
    stopped = put_back(unit.id, drags, unit_history) if kind != "advance" else None
    if stopped is not None:
        found.append(ruleset_facts.stopped(unit, stopped))
    on_foot = any(unit.fact("class").may_be(cls) for cls in FOOT) and kind != "movement"
    shown = thrown_back(unit.id, drags, unit_history) if on_foot else None
    if shown is not None:
        found.append(ruleset_facts.assaulting(unit, shown))
    entry = entered_anew(unit.id, drags, unit_history)
    if entry is not None:
        found.append(ruleset_facts.entering(unit, entry))
    return tuple(question for question in found if answer(unit_history.game, question) is not False)


def put_back(unit: str, drags: Sequence[int], unit_history: UnitHistory) -> str | None:
    """The hex in which a unit may have been stopped, and to which it was only put back; None if its
    ``drags`` show nothing of the kind."""
    side = unit_history.game.units[unit].side
    first = 0
    for number, (before, after) in enumerate(pairwise(drags)):
        if not unit_history.seen(before, after, side):
            continue
        run = drags[first : number + 1]
        target = unit_history.drag(after).target
        if target.kind == "hex" and _passed(target.name, run, unit_history):
            question = ruleset_facts.stopped(unit_history.game.units[unit], target.name)
            return None if answer(unit_history.game, question) is False else target.name
        first = number + 1
    return None


def thrown_back(unit: str, drags: Sequence[int], unit_history: UnitHistory) -> str | None:
    """The enemy hex into which a unit was put to show its close assault (15), and from which it went
    back when that had failed; None if its ``drags`` show nothing of the kind."""
    whose = unit_history.game.units[unit]
    for before, after in pairwise(drags):
        came, went = unit_history.drag(before), unit_history.drag(after)
        if went.target == came.origin and unit_history.beset(whose, after):
            return came.target.name
    return None


def entered_anew(unit: str, drags: Sequence[int], unit_history: UnitHistory) -> str | None:
    """The hex on the edge of the map by which a unit may have entered, if nobody saw it in the one it
    was put in before; None if its ``drags`` show nothing of the kind."""
    if not drags or not unit_history.came_in(unit, drags[0]):
        return None
    target, side = unit_history.drag(drags[0]).target, unit_history.game.units[unit].side
    if target.kind != "hex" or len(unit_history.game.board.neighbours(target.name)) == 6:
        return None
    first = unit_history.in_phase(unit, drags[0])[0]
    entered = unit_history.drag(first).origin.kind == "box" and not unit_history.seen(
        first, drags[0], side
    )
    return target.name if entered else None


def _passed(name: str, run: Sequence[int], unit_history: UnitHistory) -> bool:
    """Whether the drags of ``run``, between which nobody saw the unit, may have led through a hex on
    the way to the last."""
    start, end = unit_history.drag(run[0]).origin, unit_history.drag(run[-1]).target
    if start.kind != "hex" or end.kind != "hex" or name in (start.name, end.name):
        return False
    if any(unit_history.drag(index).target.name == name for index in run[:-1]):
        return True
    distance = unit_history.game.board.distance
    whole, there, rest = (
        distance(start.name, end.name),
        distance(start.name, name),
        distance(name, end.name),
    )
    if whole is None or there is None or rest is None:
        return False
    return there < whole and there + rest <= whole + 1
