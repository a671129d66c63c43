"""The check of integrity: does each step of a log start from the position after the step before it? Also the
numbers of steps in reports.
"""

from __future__ import annotations

from collections.abc import Iterator

from ...model.finding import Finding, PhaseView
from ...model.game import Displacement, Game, StepRef
from ...model.integrity import Trace, TraceKind
from ...model.table import Actor, LogHistory, Step
from ..checks import INTEGRITY, names_of
from ..situation import Situation
from ..timeline import Timeline


def check_integrity(game: Game, timeline: Timeline) -> tuple[Finding, ...]:
    """One note for each step that does not follow by the importer (``game.integrity``), and one for each
    displacement whose origin is not the place where the unit was. In order of the steps."""
    found = [_note(at, said, (), (), timeline.phase(at)) for at, said in game.integrity]
    situation = Situation(game, timeline)
    for event in game.events:
        if isinstance(event, Displacement):
            before = situation.where(event.unit)
            if before != event.origin and event.unit in game.units:
                name = names_of(game, (event.unit,))
                said = f"{name[0]} is moved from {event.origin}, but lay in {before}"
                found.append(_note(event.at, said, (event.unit,), name, timeline.phase(event.at)))
        situation.advance_by_one()
    return tuple(sorted(found, key=lambda note: note.steps))


def does_not_follow(at: StepRef) -> str:
    """The beginning of the note on step ``at``."""
    return f"{at.said} does not follow from the position before it: "


def _note(
    at: StepRef, said: str, units: tuple[str, ...], names: tuple[str, ...], phase: PhaseView
) -> Finding:
    return Finding(
        code=INTEGRITY,
        clause=INTEGRITY,
        kind="note",
        verdict="unverifiable",
        units=units,
        names=names,
        hexes=(),
        steps=(at,),
        explanation=f"{does_not_follow(at)}{said}",
        phase=phase,
    )


def numbered(number: int, log: LogHistory) -> Iterator[tuple[StepRef, Step]]:
    """The steps of log ``number`` with VASSAL's numbers; a step that VASSAL does not count has the number of
    the one before."""
    counted = 0
    for step in log.steps:
        counted = step.engine_number or counted
        yield StepRef(number, counted), step


def trace_of(kind: TraceKind, at: StepRef, said: str, actor: Actor | None) -> Trace:
    """A trace of something that ``actor`` did (None: not known who)."""
    if actor is None:
        return Trace(kind, (at,), said)
    player, sure = actor.who.name or actor.who.label, actor.known_by in ("move", "chat")
    return Trace(kind, (at,), said, player, actor.who.side or None, sure)
