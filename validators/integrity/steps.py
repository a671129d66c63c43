"""Steps of a history as reports number them, and who did them."""

from __future__ import annotations

from collections.abc import Iterator

from ...model.game import StepRef
from ...model.integrity import Trace, TraceKind
from ...model.table import Actor, LogHistory, Step


def numbered(number: int, log: LogHistory) -> Iterator[tuple[StepRef, Step]]:
    """The steps of log ``number`` with what VASSAL counts them as; one that it does not count has the number
    of the one before."""
    counted = 0
    for step in log.steps:
        counted = step.engine_number or counted
        yield StepRef(number, counted), step


def trace_of(kind: TraceKind, at: StepRef, said: str, actor: Actor | None) -> Trace:
    """A trace of what ``actor`` (None: not known) did."""
    if actor is None:
        return Trace(kind, (at,), said)
    player, sure = actor.who.name or actor.who.label, actor.known_by in ("move", "chat")
    return Trace(kind, (at,), said, player, actor.who.side or None, sure)
