"""Findings that are about no single move."""

from __future__ import annotations

from collections.abc import Iterable

from ....model.finding import Finding
from ....model.game import Displacement, Place
from ...checks import names_of
from ...moves import phase_is_known
from .record import Record


def accused(
    record: Record, clause: str, units: Iterable[str], events: Iterable[int], text: str
) -> Finding:
    """What is held against ``units``, by events that show it; ``text`` goes on from their names."""
    game = record.game
    who = tuple(units)
    shown = sorted(set(events))
    at = record.timeline.step_of(shown[-1])
    places = (record.place(unit, shown[-1] + 1) for unit in who)
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
        steps=tuple(dict.fromkeys(record.timeline.step_of(index) for index in shown)),
        explanation=f"{names[0]} {text}",
        player=_by(record, shown),
        side=game.units[who[0]].side,
        phase=record.timeline.phase(at),
        rests_on=who[1:],
    )


def _by(record: Record, shown: Iterable[int]) -> str:
    """The one player whose hand all of it shows, else nobody."""
    events = (record.game.events[index] for index in shown)
    hands = {event.player for event in events if isinstance(event, Displacement)}
    return hands.pop() if len(hands) == 1 else ""


def judged_phase(record: Record, first: int) -> str | None:
    """The name of the phase that begins with event ``first``, if it is known for certain and nothing but
    movement displaces a counter in it."""
    at = record.timeline.step_of(first)
    view = record.timeline.phase(at)
    rule = record.game.phases.get(view.phase or "")
    told = rule is not None and rule.complete and not rule.complete_for
    if not told or not phase_is_known(record.timeline, at):
        return None
    return None if record.timeline.is_reopened(at) else view.phase
