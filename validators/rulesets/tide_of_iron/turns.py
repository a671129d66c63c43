"""The checks of action turns: one active unit at a time (X-AP-b), and the number of actions (X-AP-c)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from ....model.finding import Finding
from ....model.game import Game
from ...answers import answer
from ...concepts import missing_facts
from ...moves import Track
from ...order import check_order
from ...ruleset import OrderRule
from ...verdicts import left_open
from .action_checks import ActionChecks, UnitAction
from .allowance import ACTIONS
from .interpretations import may_be_refreshed
from .ruleset_facts import again, one_action_turn
from .unit_actions import read_unit_actions
from .unit_history import UnitHistory


def action_turns(game: Game, tracks: Sequence[Track], checks: ActionChecks) -> Iterator[Finding]:
    """The findings of both checks."""
    if checks.tables.applies("X-AP-c"):
        yield from _activations(game, tracks, checks)
    if checks.tables.applies("X-AP-b"):
        yield from _interrupted(game, tracks, checks)


def _interrupted(game: Game, tracks: Sequence[Track], checks: ActionChecks) -> Iterator[Finding]:
    """X-AP-b: units that moved on after others had been activated. If that depends on who was carried, the
    finding is left open."""
    rule, witnesses = OrderRule("TOI-X-AP-b", resume=False), checks.unit_history.witnesses
    own = [found for track in tracks for found in _by_itself(track, checks, sure=True)]
    certain = [
        found
        for f in check_order(game, own, rule, witnesses)
        if (found := _perhaps_again(f, game, checks.unit_history)) is not None
    ]
    yield from certain
    told = {unit for found in certain if found.kind != "note" for unit in found.units}
    every = [found for track in tracks for found in _by_itself(track, checks, sure=False)]
    walked = {(track.move.id, unit) for track in own for unit in track.move.units}
    for found in check_order(game, every, rule, witnesses) if every != own else ():
        if found.kind != "note" and told.isdisjoint(found.units):
            moved = [
                (t.move.id, u) for t in every if t.move.id in found.moves for u in t.move.units
            ]
            asked = dict.fromkeys(unit for key in moved if key not in walked for unit in key[1:])
            yield left_open(
                found, *(missing_facts.of_unit(game.units[str(unit)], "aboard") for unit in asked)
            )


def _by_itself(track: Track, checks: ActionChecks, *, sure: bool) -> Iterator[Track]:
    """``track`` with only the units that moved by themselves: those that certainly did (``sure``), or those
    that may have. Nothing if there are none."""
    own = []
    for number, unit in enumerate(track.move.units):
        open_reading = None if sure and checks.may_ride(unit, track.events[0]) else False
        unit_actions = read_unit_actions(
            unit, track.side, track.move, checks.unit_history, open_reading
        )
        if all(leg.carried is False for leg in unit_actions.legs):
            own.append(number)
    if own:
        units = tuple(track.move.units[n] for n in own)
        earlier = tuple(track.earlier[n] for n in own) if track.earlier else ()
        yield replace(track, move=replace(track.move, units=units), earlier=earlier)


def _activations(game: Game, tracks: Sequence[Track], checks: ActionChecks) -> Iterator[Finding]:
    """X-AP-c: more units were activated in an action turn than the condition ``actions`` allows."""
    timeline, unit_history = checks.timeline, checks.unit_history
    active: dict[tuple[int, str | None], dict[str, bool]] = {}
    for track in tracks:
        at = track.move.steps[0]
        if not track.counts or not checks.is_closed(unit_history.phase(track.events[0])):
            continue
        most = timeline.condition("actions", at).high
        if most is None:
            continue
        units = active.setdefault((track.phase_number, track.side), {})
        for unit in track.move.units:
            unit_actions = read_unit_actions(unit, track.side, track.move, unit_history, None)
            unit_action = UnitAction(game.units[unit], track.events[0], unit_actions)
            if unit not in units and _may_be_active(unit_action, checks):
                units[unit] = _sure(unit_action, checks)
                if len(units) > most:
                    text = f"is moved as number {len(units)} in an action turn of {most} actions"
                    found = replace(
                        checks.finding(unit_action, "X-AP-c", text), moves=(track.move.id,)
                    )
                    others = {t.side for t in tracks if t.phase_number == track.phase_number}
                    own = track.move.phase.active == track.side and others == {track.side}
                    if own and sum(units.values()) <= most:
                        asked = (game.units[u] for u, sure in units.items() if not sure)
                        found = left_open(
                            found, *(missing_facts.of_unit(u, "action") for u in asked)
                        )
                    named = track.move.phase.phase or ""
                    told = True if own else answer(game, one_action_turn(named))
                    if told is None:
                        found = left_open(found, one_action_turn(named).unknown())
                    if told is not False:
                        yield found


def _may_be_active(unit_action: UnitAction, checks: ActionChecks) -> bool:
    """Whether the unit may have been activated: it may have moved by itself, it was not just put back to
    where it started, and its action may be one that spends MPs."""
    legs = unit_action.unit_actions.legs
    walked = any(leg.carried is not True for leg in legs)
    options = checks.action(unit_action).options
    put_back = legs[0].origin == legs[-1].target
    return walked and not put_back and (options is None or any(o in ACTIONS for o in options))


def _sure(unit_action: UnitAction, checks: ActionChecks) -> bool:
    """Whether a unit that may have been activated certainly was: it moved by itself, and its action is one
    that spends MPs."""
    actions = checks.action(unit_action).options
    walked = any(leg.carried is False for leg in unit_action.unit_actions.legs)
    return walked and actions is not None and all(option in ACTIONS for option in actions)


def _perhaps_again(found: Finding, game: Game, unit_history: UnitHistory) -> Finding | None:
    """``found``, left open if the unit lost, or may have lost, the token of a spent unit in the phase: it may
    have been activated again. If the facts answer that question: ``found`` itself, or None if it was."""
    (unit,), timeline = found.units, unit_history.timeline
    start, _ = unit_history.phase(timeline.first_event(found.steps[0]))
    end = timeline.end_event(found.steps[-1])
    drags = unit_history.drags(unit, start, end)
    if found.kind == "note" or not drags:
        return found
    if not may_be_refreshed(unit, drags[0][0], end, unit_history):
        return found
    asked = again(game.units[unit])
    told = answer(game, asked)
    return left_open(found, asked.unknown()) if told is None else None if told else found
