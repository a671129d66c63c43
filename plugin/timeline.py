"""All logs of a game as one timeline: who moved, chat, dice, and what was undone."""

from __future__ import annotations

import re
import zipfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from ..importers.vassal.actors import actors_seen
from ..model.entities import resolved
from ..model.game import StepRef
from ..model.table import ChatLine, Displaced, LogHistory, Piece, PieceChange, Step, TableHistory
from ..model.viewer import Viewer
from ..model.visibility import presence_open

_TAG = re.compile(r"<[^<>]{0,200}>")
_AUTHOR = re.compile(r"^\s*(?:<[^<>]{0,80}>|&lt;.{0,80}?&gt;)\s*-\s*")
_BY_HAND = ("drag", "send", "stack")
LONGEST = 400
"""Maximum number of characters shown of a chat line."""


@dataclass(frozen=True, slots=True)
class Tick:
    """One step as VASSAL counts them. ``side``: of the player who did it, "" if not known; ``sure``: the step
    itself names him. ``moved``: pieces moved that the viewer may know of. ``dice``: number of rolls.
    ``lines``: chat typed by players. ``undo``: it undid something. ``cleared``: pieces that lost their mark
    of having moved without moving; ``marked``: those that got one; ``placed``: pieces that came onto a
    map."""

    at: StepRef
    side: str
    sure: bool
    moved: int
    dice: int
    lines: tuple[str, ...]
    undo: bool
    cleared: int = 0
    marked: int = 0
    placed: int = 0


def timeline(history: TableHistory, viewer: Viewer) -> tuple[tuple[Tick, ...], ...]:
    """The steps of each log. Groups of commands that are no step for VASSAL belong to the step before."""
    return tuple(tuple(_ticks(number, log, viewer)) for number, log in enumerate(history.logs, 1))


def _ticks(number: int, log: LogHistory, viewer: Viewer) -> Iterator[Tick]:
    held: list[Step] = []
    for step in actors_seen(log, viewer).steps:
        if step.engine_number is not None and held:
            yield _tick(number, held, viewer)
            held = []
        held.append(step)
    if held:
        yield _tick(number, held, viewer)


def _tick(number: int, steps: list[Step], viewer: Viewer) -> Tick:
    first = next((s.actor for s in steps if s.actor is not None), None)
    lines = [line for step in steps for line in step.chat if line.kind == "player"]
    return Tick(
        StepRef(number, next((s.engine_number for s in steps if s.engine_number is not None), 0)),
        first.who.side if first is not None else "",
        first is not None and first.known_by == "move",
        sum(_moved(step, viewer) for step in steps),
        sum(len(step.rolls) for step in steps),
        tuple(text for line in lines if (text := said(line))),
        any(step.undoing is not None for step in steps),
        sum(marks_cleared(step, viewer) for step in steps),
        sum(_marked(step, viewer) for step in steps),
        sum(_placed(step, viewer) for step in steps),
    )


def said(line: ChatLine) -> str:
    """A chat line without the name in front of it."""
    text = line.text
    if line.kind == "player":
        text = _AUTHOR.sub("", text, count=1)
    text = resolved(_TAG.sub("", text)).strip()
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"


def _moved(step: Step, viewer: Viewer) -> int:
    """The pieces moved by hand, if ``viewer`` may know of them before and after."""
    return sum(
        presence_open(change.before, viewer) and presence_open(change.after, viewer)
        for one, change in _displaced(step)
        if one.by in _BY_HAND and one.origin is not None and one.target is not None
    )


def _displaced(step: Step) -> Iterator[tuple[Displaced, PieceChange]]:
    """The displaced pieces, each with its changes."""
    changes = {change.id: change for change in step.changes}
    return ((one, changes[one.piece]) for one in step.displacements if one.piece in changes)


def marks_cleared(step: Step, viewer: Viewer) -> int:
    """The pieces that stayed and lost their mark of having moved."""
    changes = _mark_changes(step, viewer)
    return sum(before.spot == after.spot and has_mark(before) for before, after in changes)


def _marked(step: Step, viewer: Viewer) -> int:
    """The pieces that got the mark of having moved."""
    return sum(has_mark(after) for _, after in _mark_changes(step, viewer))


def _mark_changes(step: Step, viewer: Viewer) -> Iterator[tuple[Piece, Piece]]:
    """The pieces whose mark of having moved changes, as far as ``viewer`` may know of them."""
    for change in step.changes if step.undoing is None else ():
        before, after = change.before, change.after
        if before is None or after is None or has_mark(before) == has_mark(after):
            continue
        if presence_open(before, viewer) and presence_open(after, viewer):
            yield before, after


def has_mark(piece: Piece) -> bool:
    """Whether a piece bears the mark of having moved (VASSAL's *Mark When Moved*)."""
    return piece.facts.property("Moved") == "true"


def _placed(step: Step, viewer: Viewer) -> int:
    """The pieces that came onto a map from elsewhere, as far as ``viewer`` may know of them."""
    return sum(
        presence_open(change.after, viewer)
        for one, change in (_displaced(step) if step.undoing is None else ())
        if one.target is not None
        and one.target.map is not None
        and (one.origin is None or one.origin.map != one.target.map)
    )


def between(ticks: Iterable[Iterable[Tick]], first: StepRef, last: StepRef) -> Iterator[Tick]:
    """The steps from ``first`` to ``last``, both included."""
    return (tick for log in ticks for tick in log if first <= tick.at <= last)


def day_saved(path: Path) -> str:
    """The day a log was written, from its archive (2007-01-14); "" if it does not say."""
    try:
        with zipfile.ZipFile(path) as archive:
            days = [entry.date_time[:3] for entry in archive.infolist()[:4]]
    except (OSError, ValueError, zipfile.BadZipFile, NotImplementedError):
        return ""
    told = [day for day in days if day[0] > 1980]
    return "{:04}-{:02}-{:02}".format(*told[0]) if told else ""
