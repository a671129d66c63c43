"""Counters that came into the game or left it in play, were copied, or came from another map."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from ...model.game import Displacement, Game, StepRef
from ...model.integrity import Trace, TraceKind
from ...model.table import Actor, Displaced, Piece, PieceChange, Step
from ...model.viewer import Viewer
from ...model.visibility import name_of, presence_open
from .steps import trace_of

_CLONE = "CloneID"
"""What the engine notes on a copy of a counter [Clone.myKeyEvent, 3.7 and later]."""


def counters(at: StepRef, step: Step, game: Game, viewer: Viewer) -> Iterator[Trace]:
    """Units that a step brought into the game or took out of it; one trace for each way in which it did so.
    Undos are left out; of markers nothing is said, they come and go."""
    if not step.displacements:
        return
    changes = {change.id: change for change in step.changes}
    found: dict[tuple[TraceKind, str], list[str]] = {}
    for moved in step.displacements:
        unit = game.units.get(moved.piece)
        change = changes.get(moved.piece)
        if unit is None or unit.kind != "unit" or change is None:
            continue
        told = _told(moved, change, step, viewer)
        if told is not None:
            kind, how, piece = told
            found.setdefault((kind, how), []).append(name_of(piece, viewer))
    for (kind, how), names in found.items():
        yield trace_of(kind, at, f"{_listed(names)} {how}", step.actor)


def _told(
    moved: Displaced, change: PieceChange, step: Step, viewer: Viewer
) -> tuple[TraceKind, str, Piece] | None:
    before, after = change.before, change.after
    if moved.by == "add" and after is not None and presence_open(after, viewer):
        if after.facts.property(_CLONE):
            return (
                "cloned",
                f"came in at {_place(moved, after)} as a copy of another counter",
                after,
            )
        swapped = " in place of another" if _swapped(moved, step) else ""
        return "came", f"came into the game at {_place(moved, after)}{swapped}", after
    if moved.by == "remove" and before is not None and presence_open(before, viewer):
        if _swapped(moved, step):
            return None
        where = moved.origin_location or str(moved.origin)
        return "left", f"was taken out of the game at {where}", before
    return None


def brought(steps: Iterable[tuple[StepRef, Step]], game: Game, viewer: Viewer) -> Iterator[Trace]:
    """Units that were dragged from one map to another in the ``steps`` of a log: a trace for each player and
    each two maps."""
    found: dict[tuple[Actor | None, str], list[tuple[StepRef, str]]] = {}
    for at, step in steps:
        if not step.displacements:
            continue
        changes = {change.id: change for change in step.changes}
        for moved in step.displacements:
            maps, unit = _other_map(moved), game.units.get(moved.piece)
            change = changes.get(moved.piece)
            if not maps or unit is None or unit.kind != "unit" or change is None:
                continue
            before, after = change.before, change.after
            if presence_open(before, viewer) and presence_open(after, viewer) and after is not None:
                found.setdefault((step.actor, maps), []).append((at, name_of(after, viewer)))
    for (actor, maps), brought_there in found.items():
        names = [name for _, name in brought_there]
        one = trace_of("other-map", brought_there[0][0], f"{_listed(names)} {maps}", actor)
        yield replace(one, steps=tuple(dict.fromkeys(at for at, _ in brought_there)))


def _other_map(moved: Displaced) -> str:
    """From which map to which other a counter was dragged; empty where it was not."""
    maps = [spot.map for spot in (moved.origin, moved.target) if spot is not None]
    if moved.by != "drag" or len(maps) < 2 or None in maps or maps[0] == maps[1]:
        return ""
    return f"from {maps[0]} to {maps[1]}"


def _place(moved: Displaced, after: Piece) -> str:
    return moved.target_location or after.location or str(moved.target)


def _swapped(moved: Displaced, step: Step) -> bool:
    """Whether another counter left, or came to, the same place in the same step: one was put in place of the
    other."""
    if moved.by == "add":
        return any(d.by == "remove" and d.origin == moved.target for d in step.displacements)
    return any(d.by == "add" and d.target == moved.origin for d in step.displacements)


def _listed(names: list[str]) -> str:
    counted = {name: names.count(name) for name in names}
    said = [f"{number} × {name}" if number > 1 else name for name, number in counted.items()]
    return ", ".join(said[:6]) + (f" and {len(said) - 6} more" if len(said) > 6 else "")


def markers(game: Game, viewer: Viewer) -> Iterator[Trace]:
    """Markers of one side that a player of another, no ally, dragged on the map or off it: a trace for each
    step. Units of another side are found by the check of ownership."""
    found: dict[tuple[StepRef, str, str, str], list[str]] = {}
    for event in game.events:
        if not isinstance(event, Displacement) or event.cause != "drag" or event.at.step == 0:
            continue
        marker = game.units.get(event.unit)
        if marker is None or marker.kind != "marker" or event.origin == event.target:
            continue
        if event.actor not in game.sides or marker.side not in game.sides:
            continue
        if event.actor is None or game.relation(event.actor, marker.side) == "friend":
            continue
        if viewer.may_see(marker.seen_by):
            key = (event.at, event.player, event.actor, str(marker.side))
            found.setdefault(key, []).append(marker.name)
    for (at, player, actor, side), names in found.items():
        said = f"{actor} moved {_listed(names)} of {side}"
        yield Trace("other-side", (at,), said, player, actor)
