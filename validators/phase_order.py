"""Makes every phase begin at the start of a step.

The rest of the audit asks for the phase of a whole step. But a log can have a phase that begins in the middle
of a step, after a counter was displaced in that step. Then the phase begins, for the audit, with the next
step. If counters were displaced in the step both before and after that point, the phase of the step counts as
not known.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import groupby

from ..model.game import Displacement, Event, Game, PhaseStart, StepRef


def phases_in_order(game: Game) -> Game:
    """``game`` with every phase beginning at the start of a step; ``game`` itself if that is so already."""
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
