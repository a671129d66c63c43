"""Counters that were put down in hexes where their units never were. Opportunity Fire may stop its target in
any hex that it enters (13.8): if the player has dragged the counter farther by then, he puts it back to that
hex. A unit that makes a close assault stays in its hex until it has won (15), but its counter may be put into
the enemy hex before."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

from ....model.unit import Unit
from ...answers import Question, answer
from . import ruleset_facts
from .tables import FOOT
from .unit_history import UnitHistory


def stops_to_ask_about(
    unit: Unit, drags: Sequence[int], kind: str | None, unit_history: UnitHistory
) -> tuple[Question, ...]:
    """The questions whether a move was different from what the drags show: it was stopped by fire and put
    back (13.8), it was only put into the hex that it assaulted (15), or it was put on the map in the wrong
    hex first. Questions that the facts answer with no are left out. ``kind``: of the phase, None if not
    known."""
    found: list[Question] = []
    stopped = put_back(unit.id, drags, unit_history) if kind != "advance" else None
    if stopped is not None:
        found.append(ruleset_facts.stopped(unit, stopped))
    on_foot = any(unit.fact("class").may_be(cls) for cls in FOOT) and kind != "movement"
    shown = hex_of_failed_assault(unit.id, drags, unit_history) if on_foot else None
    if shown is not None:
        found.append(ruleset_facts.assaulting(unit, shown))
    entry = entered_anew(unit.id, drags, unit_history)
    if entry is not None:
        found.append(ruleset_facts.entering(unit, entry))
    return tuple(question for question in found if answer(unit_history.game, question) is not False)


def put_back(unit: str, drags: Sequence[int], unit_history: UnitHistory) -> str | None:
    """The hex in which a unit may have been stopped by fire and to which it was put back; None if its
    ``drags`` show no such thing, or the facts deny it. Of several, the first that the facts confirm, else the
    first that they do not deny."""
    whose = unit_history.game.units[unit]
    questions = ((ruleset_facts.stopped(whose, n), n) for n in _put_back(unit, drags, unit_history))
    return _likeliest(questions, unit_history)


def _likeliest(questions: Iterable[tuple[Question, str]], unit_history: UnitHistory) -> str | None:
    """Of hexes, each with its question, the first for which the facts say yes, else the first for which they
    do not say no; None if they deny all."""
    answers = [(answer(unit_history.game, question), name) for question, name in questions]
    sure = (name for said, name in answers if said)
    return next(sure, None) or next((name for said, name in answers if said is None), None)


def _put_back(unit: str, drags: Sequence[int], unit_history: UnitHistory) -> Iterator[str]:
    """The hexes to which a unit was put back after fire may have stopped it there, in order."""
    side = unit_history.game.units[unit].side
    first = 0
    for number, (before, after) in enumerate(pairwise(drags)):
        if not unit_history.seen(before, after, side):
            continue
        run = drags[first : number + 1]
        target = unit_history.drag(after).target
        if target.kind == "hex" and _passed(target.name, run, unit_history):
            yield target.name
        first = number + 1


def hex_of_failed_assault(unit: str, drags: Sequence[int], unit_history: UnitHistory) -> str | None:
    """The enemy hex into which a unit may have been put to show its close assault (15) and from which it was
    put back when that had failed; None if its ``drags`` show no such thing, or the facts deny it. Of several,
    as in :func:`put_back`."""
    whose = unit_history.game.units[unit]
    shown = (
        unit_history.drag(before).target.name
        for before, after in pairwise(drags)
        if unit_history.drag(after).target == unit_history.drag(before).origin
        and unit_history.is_among_enemies(whose, after)
    )
    return _likeliest(((ruleset_facts.assaulting(whose, n), n) for n in shown), unit_history)


def entered_anew(unit: str, drags: Sequence[int], unit_history: UnitHistory) -> str | None:
    """The hex on the edge of the map by which a unit may really have entered, if it was put down in another
    hex before and nobody saw it there; None if its ``drags`` show no such thing."""
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
    """Whether the drags of ``run``, between which nobody saw the unit, may have led through the hex ``name``
    before the last: it was put down there, or a path of at most one extra hex passes it. False if a hex is
    not known."""
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
