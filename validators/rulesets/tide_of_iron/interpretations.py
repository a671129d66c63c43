"""Other interpretations of a unit's actions, in which it did not pay for its whole path from one
allowance."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from ....model.board import Board
from ....model.fact import Fact
from ....model.game import Place
from ...concepts import logic
from ...concepts.sides import is_enemy
from ...concepts.zones import Zones
from ...moves import phase_is_known
from .unit_actions import Leg, UnitActions
from .unit_history import UnitHistory

SPENT = ("fatigued", "op-fire")
"""The tokens of a unit that has been activated and is not fresh."""


def advanced(unit_actions: UnitActions, board: Board) -> Iterator[UnitActions]:
    """The actions of a squad under the interpretation that its last step was the advance into the hex that
    its assault emptied. The text allows that as an exception to MV-c and names no MPs for it.

    That step counts as carried, so it is free. If the last leg is longer than one hex, there is one
    interpretation for each hex next to its target. None at all if no enemy may have been in the target."""
    if not unit_actions.walked or unit_actions.legs[-1].carried:
        return
    last = unit_actions.legs[-1]
    if not was_held(last.target, unit_actions):
        return
    if last.origin in board.neighbours(last.target):
        yield _with_last(unit_actions, replace(last, carried=True))
        return
    for near in board.neighbours(last.target):
        yield _with_last(
            unit_actions, replace(last, target=near), replace(last, origin=near, carried=True)
        )


def pushed_back(unit_actions: UnitActions, zones: Zones) -> int | None:
    """The index of the leg by which the unit may have been put back, heavily damaged in an overrun (X-OV-b);
    None if there is none."""
    for number, leg in enumerate(unit_actions.legs):
        damage = unit_actions.value("damage", leg.at)
        if number and damage.may_be("heavy") and zones.enemies(leg.origin):
            return number
    return None


def put_back(unit_actions: UnitActions, number: int) -> UnitActions:
    """The actions of a unit under the interpretation that the leg ``number`` put it back."""
    legs = [
        replace(leg, carried=True) if n == number else leg
        for n, leg in enumerate(unit_actions.legs)
    ]
    return replace(unit_actions, legs=tuple(legs))


def _with_last(unit_actions: UnitActions, *legs: Leg) -> UnitActions:
    return replace(unit_actions, legs=(*unit_actions.legs[:-1], *legs))


def was_held(name: str, unit_actions: UnitActions) -> bool:
    """Whether a unit that may be an enemy was in hex ``name`` in the phase, before the unit's last drag."""
    unit_history, here = unit_actions.unit_history, Place("hex", name)
    until = unit_actions.legs[-1].at if unit_actions.legs else unit_actions.end
    for unit in unit_history.game.units.values():
        enemy = is_enemy(unit_history.game, unit_actions.side, unit.side)
        if unit.kind == "unit" and enemy is not False and unit.id != unit_actions.unit:
            at_first = unit_history.place(unit.id, unit_actions.start)
            if here in (at_first, *unit_history.targets(unit.id, unit_actions.start, until)):
                return True
    return False


def refreshed(unit_actions: UnitActions) -> UnitActions | None:
    """The actions of a unit under the interpretation that it was activated twice. That is possible if it
    lost, or may have lost, the token ``fatigued`` or ``op-fire`` between two legs, or after the last one. The
    legs before that then count as carried; if it was after the last one, the actions end there. None if that
    is not possible."""
    for number in range(len(unit_actions.legs) - 1, 0, -1):
        before, after = unit_actions.legs[number - 1], unit_actions.legs[number]
        if may_be_refreshed(unit_actions.unit, before.at, after.at, unit_actions.unit_history):
            done = tuple(replace(leg, carried=True) for leg in unit_actions.legs[:number])
            return replace(unit_actions, legs=(*done, *unit_actions.legs[number:]))
    if unit_actions.legs:
        rested = unit_actions.legs[-1].at
        for at, _ in unit_actions.unit_history.series(
            unit_actions.unit, "token", rested, unit_actions.end
        )[1:]:
            if may_be_refreshed(unit_actions.unit, rested, at + 1, unit_actions.unit_history):
                return replace(unit_actions, end=at)
    return None


def is_movement_alone(unit_history: UnitHistory, index: int) -> bool:
    """Whether every displacement in the phase of event ``index`` must be movement: the phase is known, and
    the pack says that it is complete and all its forms are judged."""
    game, timeline = unit_history.game, unit_history.timeline
    at = timeline.step_of(index)
    rule = game.phases.get(timeline.phase(at).phase or "")
    if rule is None or not rule.complete or rule.complete_for or not phase_is_known(timeline, at):
        return False
    return all(name in game.forms and game.forms[name].judged for name in rule.forms)


def is_refreshed(unit: str, start: int, end: int, unit_history: UnitHistory) -> bool | None:
    """Whether a unit had a token of :data:`SPENT` between two events, and no longer has one at the second;
    None: not known."""
    *before, now = (_is_spent(fact) for _, fact in unit_history.series(unit, "token", start, end))
    return logic.both(logic.some(before), logic.negation(now))


def may_be_refreshed(unit: str, start: int, end: int, unit_history: UnitHistory) -> bool:
    """Whether :func:`is_refreshed`, or perhaps."""
    return is_refreshed(unit, start, end, unit_history) is not False


def _is_spent(token: Fact) -> bool | None:
    answers = {option in SPENT for option in token.options or ()}
    return answers.pop() if len(answers) == 1 else None
