"""The phases of a game in the order of its events: what was displaced in a step before a phase began in it is
of the phase before.

Everything else asks for the phase of a step. So a phase that begins in a step after something was displaced
begins, for the audit, with the next step; where more is displaced in the step after that, the step is of no
known phase.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import groupby

from ..model.game import Displacement, Event, Game, PhaseStart, StepRef


def phases_in_order(game: Game) -> Game:
    """``game`` with every phase beginning at a step that belongs to it whole; itself, if they all do."""
    found: list[Event] = []
    for at, group in groupby(game.events, key=lambda event: event.at):
        events = list(group)
        found += _step(at, events) if len(events) > 1 else events
    return game if found == list(game.events) else replace(game, events=tuple(found))


def _step(at: StepRef, events: Sequence[Event]) -> Iterator[Event]:
    moved = [number for number, event in enumerate(events) if _displaces(event)]
    late = [
        number
        for number, event in enumerate(events)
        if isinstance(event, PhaseStart) and moved and moved[0] < number
    ]
    if not late:
        yield from events
        return
    if moved[-1] > late[0]:
        yield PhaseStart(at, None, None, None, certain=False)
        late = [n for n, event in enumerate(events) if isinstance(event, PhaseStart)]
    yield from (event for number, event in enumerate(events) if number not in late)
    for number in late:
        start = events[number]
        assert isinstance(start, PhaseStart)
        yield replace(start, at=StepRef(at.log, at.step + 1))


def _displaces(event: Event) -> bool:
    return isinstance(event, Displacement) and event.origin != event.target
