"""Other readings of a unit's deeds, by which not all of its way was paid for out of one allowance."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from ....model.board import Board
from ....model.game import Place
from ...concepts.sides import is_enemy
from ...moves import phase_is_known
from .deeds import Deeds, Leg
from .unit_history import UnitHistory

SPENT = ("fatigued", "op-fire")
"""The tokens of a unit that is not fresh."""


def advanced(deeds: Deeds, board: Board) -> Iterator[Deeds]:
    """The deeds of a squad whose last leg ended, or may have ended, as an advance into the hex that its
    assault emptied: an exception to MV-c that the movement text makes, and for which no MPs are named."""
    if not deeds.walked or deeds.legs[-1].carried:
        return
    last = deeds.legs[-1]
    if not was_held(last.target, deeds):
        return
    if last.origin in board.neighbours(last.target):
        yield _with_last(deeds, replace(last, carried=True))
        return
    for near in board.neighbours(last.target):
        yield _with_last(
            deeds, replace(last, target=near), replace(last, origin=near, carried=True)
        )


def _with_last(deeds: Deeds, *legs: Leg) -> Deeds:
    return replace(deeds, legs=(*deeds.legs[:-1], *legs))


def was_held(name: str, deeds: Deeds) -> bool:
    """Whether somebody who may be an enemy was in a hex in the phase, before the unit came to lie there."""
    unit_history, here = deeds.unit_history, Place("hex", name)
    until = deeds.legs[-1].at if deeds.legs else deeds.end
    for unit in unit_history.game.units.values():
        enemy = is_enemy(unit_history.game, deeds.side, unit.side)
        if unit.kind == "unit" and enemy is not False and unit.id != deeds.unit:
            at_first = unit_history.place(unit.id, deeds.start)
            if here in (at_first, *unit_history.targets(unit.id, deeds.start, until)):
                return True
    return False


def refreshed(deeds: Deeds) -> Deeds | None:
    """The deeds of a unit from which the token of a spent unit was taken while it rested between two legs,
    or after the last: what it did before may have been another activation. None if that is not so."""
    for number in range(len(deeds.legs) - 1, 0, -1):
        before, after = deeds.legs[number - 1], deeds.legs[number]
        if is_refreshed(deeds.unit, before.at, after.at, deeds.unit_history):
            done = tuple(replace(leg, carried=True) for leg in deeds.legs[:number])
            return replace(deeds, legs=(*done, *deeds.legs[number:]))
    if deeds.legs:
        rested = deeds.legs[-1].at
        for at, _ in deeds.unit_history.series(deeds.unit, "token", rested, deeds.end)[1:]:
            if is_refreshed(deeds.unit, rested, at + 1, deeds.unit_history):
                return replace(deeds, end=at)
    return None


def is_movement_alone(unit_history: UnitHistory, index: int) -> bool:
    """Whether a counter that is displaced in the phase of event ``index`` can only have moved."""
    game, timeline = unit_history.game, unit_history.timeline
    at = timeline.step_of(index)
    rule = game.phases.get(timeline.phase(at).phase or "")
    if rule is None or not rule.complete or rule.complete_for or not phase_is_known(timeline, at):
        return False
    return all(name in game.forms and game.forms[name].judged for name in rule.forms)


def is_refreshed(unit: str, start: int, end: int, unit_history: UnitHistory) -> bool:
    """Whether a unit lost the token of a spent one between two events, so that it was fresh again."""
    series = unit_history.series(unit, "token", start, end)
    spent = [all(o in SPENT for o in fact.options or ("",)) for _, fact in series]
    return True in spent and not spent[-1]
