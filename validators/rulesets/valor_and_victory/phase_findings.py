"""Helpers for findings that are not about a single move."""

from __future__ import annotations

from collections.abc import Iterable

from ....model.finding import Finding
from ....model.game import Displacement, Place
from ...checks import names_of
from ...moves import phase_is_known
from .unit_history import UnitHistory


def accused(
    unit_history: UnitHistory, clause: str, units: Iterable[str], events: Iterable[int], text: str
) -> Finding:
    """The finding that ``units`` broke ``clause``. ``events``: the indices of the events that show it;
    ``text`` continues the name of the first unit."""
    game = unit_history.game
    who = tuple(units)
    shown = sorted(set(events))
    at = unit_history.timeline.step_of(shown[-1])
    places = (unit_history.place(unit, shown[-1] + 1) for unit in who)
    hexes = dict.fromkeys(p.name for p in places if isinstance(p, Place) and p.kind == "hex")
    names = names_of(game, who)
    return Finding(
        code=clause,
        clause=clause,
        kind="illegal-move",
        verdict="illegal",
        units=who,
        names=names,
        hexes=tuple(hexes),
        steps=tuple(dict.fromkeys(unit_history.timeline.step_of(index) for index in shown)),
        explanation=f"{names[0]} {text}",
        player=_by(unit_history, shown),
        side=game.units[who[0]].side,
        phase=unit_history.timeline.phase(at),
    )


def _by(unit_history: UnitHistory, shown: Iterable[int]) -> str:
    """The player who made all the displacements among these events; '' if there are several, or none."""
    events = (unit_history.game.events[index] for index in shown)
    hands = {event.player for event in events if isinstance(event, Displacement)}
    return hands.pop() if len(hands) == 1 else ""


def judged_phase(unit_history: UnitHistory, first: int) -> str | None:
    """The name of the phase that begins with event ``first``. None if it is not certain, or if something
    other than movement may displace a counter in it."""
    at = unit_history.timeline.step_of(first)
    view = unit_history.timeline.phase(at)
    rule = unit_history.game.phases.get(view.phase or "")
    told = rule is not None and rule.complete and not rule.complete_for
    if not told or not phase_is_known(unit_history.timeline, at):
        return None
    return None if unit_history.timeline.is_reopened(at) else view.phase
