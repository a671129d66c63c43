"""Traces of a game: what was done besides moving counters by the rules. Nothing here accuses anybody."""

from __future__ import annotations

from collections.abc import Iterator

from ...model.finding import Audit
from ...model.game import Game, StepRef
from ...model.integrity import Trace, TraceKind
from ...model.table import DieRoll, Step, TableHistory
from ...model.viewer import Viewer
from ..checks import CONTINUITY, INTEGRITY, OWNER, PHASE
from .counters import brought, counters, markers
from .dice import Numbered, undone_rolls
from .following import does_not_follow
from .hands import decks, uncovered
from .steps import numbered, trace_of

TOLD_HERE = (OWNER, CONTINUITY, INTEGRITY)
"""Codes of notes that are told as traces, and need not be told twice."""

_FOUND: dict[str, TraceKind] = {
    OWNER: "other-side",
    CONTINUITY: "does-not-follow",
    INTEGRITY: "does-not-follow",
}


def traces(
    history: TableHistory | None, game: Game, shown: Audit, viewer: Viewer
) -> tuple[Trace, ...]:
    """All traces that ``viewer`` may know of, in order of their steps. ``history``: the table behind
    ``game``, None where there is none; ``shown``: what ``viewer`` may read of the audit of ``game``."""
    found = [*_of_findings(shown), *markers(game, viewer), *_other_modules(history, game)]
    if history is not None:
        for number, log in enumerate(history.logs, 1):
            steps = list(numbered(number, log))
            found.extend(_undone(steps))
            found.extend(brought(steps, game, viewer))
            for at, step in steps:
                found.extend(counters(at, step, game, viewer))
                found.extend(uncovered(at, step, game, viewer))
                found.extend(decks(at, step, viewer))
    return tuple(sorted(found, key=lambda trace: trace.steps[:1]))


def _of_findings(shown: Audit) -> Iterator[Trace]:
    for number, one in enumerate(shown.findings):
        asked = one.code == OWNER and one.kind == "unverifiable"
        kind = _FOUND.get(one.code) if one.kind == "note" or asked else None
        if one.code == PHASE and one.kind == "illegal-move":
            kind = "out-of-phase"
        if kind is not None:
            text = one.explanation.removeprefix(does_not_follow(one.steps[0]) if one.steps else "")
            yield Trace(kind, one.steps, text, one.player, one.side, finding=number)


def _undone(steps: list[Numbered]) -> Iterator[Trace]:
    for (at, step), back, since in undone_rolls(steps):
        after = [one for one in since if one != back]
        said = f"step {back[0].step} of log {back[0].log} was taken back"
        if len(after) < len(since):
            said += f", in which dice were rolled ({_dice(back[1])})"
        if after:
            said += f" after {_rolls_of(after)}"
        yield trace_of("undo-after-roll", at, said, step.actor)


def _rolls_of(steps: list[Numbered]) -> str:
    told = "; ".join(f"step {place.step}: {_dice(step)}" for place, step in steps[-3:])
    if len(steps) == 1:
        return f"the roll of {told}"
    return f"the rolls of {told}" if len(steps) <= 3 else f"{len(steps)} rolls, the last of {told}"


def _dice(step: Step) -> str:
    return "; ".join(dict.fromkeys(map(_shown, step.rolls)))


def _shown(roll: DieRoll) -> str:
    return (
        f"{roll.dice} = {','.join(roll.results)}" if roll.text or roll.kind is None else roll.dice
    )


def _other_modules(history: TableHistory | None, game: Game) -> Iterator[Trace]:
    """Logs that say that they were made with another module, or another version of it."""
    module = next((source for source in game.sources if source.kind == "module"), None)
    logs = history.logs if history is not None else ()
    names = [log.module_name for log in logs if log.module_name]
    for number, log in enumerate(logs, 1):
        at = (StepRef(number, 0),)
        if log.module_name and log.module_name != names[0]:
            said = (
                f"log {number} is of the module {log.module_name!r}, an earlier one of {names[0]!r}"
            )
            yield Trace("other-module", at, said)
        version = module.version if module is not None else ""
        if log.module_version and version and log.module_version != version:
            yield Trace(
                "other-module",
                at,
                f"log {number} was made with version {log.module_version} of the module, and read with"
                f" version {version}",
            )
