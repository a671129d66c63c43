"""Traces of a game: actions other than moves of counters by the rules. None of them is an accusation.

For example: a deck was looked into; a player uncovered a masked or hidden counter that he may not know; a
counter entered or left the game during play, was copied, or came from another map.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from ...model.finding import Audit
from ...model.game import Displacement, Game, StepRef
from ...model.integrity import Trace, TraceKind
from ...model.table import (
    Actor,
    Concealment,
    Deck,
    DieRoll,
    Displaced,
    Piece,
    PieceChange,
    Step,
    TableHistory,
)
from ...model.viewer import Viewer
from ...model.visibility import deck_open, name_of, presence_open
from ..checks import CONTINUITY, INTEGRITY, OWNER, PHASE
from .dice import Numbered, undone_rolls
from .following import does_not_follow, numbered, trace_of


def decks(at: StepRef, step: Step, viewer: Viewer) -> Iterator[Trace]:
    """Face-down decks that were turned face up, or from which a card was taken that was not on top. Decks on
    a side's own map are included only if ``viewer`` may look at it."""
    if step.undoing is not None:
        return
    for change in step.stacks:
        before, after = change.before, change.after
        if not (isinstance(before, Deck) and isinstance(after, Deck)) or not before.face_down:
            continue
        if not deck_open(before, viewer) or not before.members:
            continue
        name = before.name or "a deck"
        if not after.face_down:
            number = len(before.members)
            cards = f"{number} card{'s' if number != 1 else ''}"
            yield trace_of("deck", at, f"{name} was turned face up ({cards})", step.actor)
        within = _from_within(before, after)
        if within and not before.random:
            cards = "a card that was" if within == 1 else f"{within} cards that were"
            yield trace_of("deck", at, f"{cards} not on top came from {name}", step.actor)


def _from_within(before: Deck, after: Deck) -> int:
    """How many cards left a deck from below a card that stayed in it."""
    stayed = set(after.members)
    gone = [id_text not in stayed for id_text in before.members]
    last = max((place for place, left in enumerate(gone) if not left), default=-1)
    return sum(gone[:last]) if last >= 0 else 0


def uncovered(at: StepRef, step: Step, game: Game, viewer: Viewer) -> Iterator[Trace]:
    """Counters that a player uncovered or moved although he may not know or see them, or concealed although
    they are of another side."""
    actor = step.actor
    if step.undoing is not None or actor is None:
        return
    if not actor.who.side:  # he may be of any side, also the owner's
        return
    known = {actor.who.label, actor.who.side}
    displaced = {d.piece: d for d in step.displacements if d.by == "drag"}
    closed = []
    for change in step.changes:
        before, after = change.before, change.after
        if before is None or after is None:
            continue
        concealments = _closed(before, known)
        if not concealments:
            yield from _masked(at, before, after, game, viewer)
            continue
        if not (presence_open(before, viewer) or presence_open(after, viewer)):
            continue
        owner = _owner(concealments)
        now = {c.kind for c in after.concealments}
        for concealment in concealments:
            if concealment.kind not in now:
                piece = after if presence_open(after, viewer) else before
                how = "unmasked" if concealment.kind == "masked" else "uncovered"
                said = f"{name_of(piece, viewer)}, which only {owner} could know, was {how}"
                yield trace_of("uncovered", at, said, actor)
        if change.id in displaced and any(v.kind in ("hidden", "private") for v in concealments):
            closed.append((before, owner))
    if closed and len(closed) == len(displaced) and actor.known_by == "move":
        for piece, owner in closed:
            if presence_open(piece, viewer):
                said = f"{name_of(piece, viewer)}, which only {owner} could see, was moved"
                yield trace_of("uncovered", at, said, actor)


def _closed(piece: Piece, known: set[str]) -> list[Concealment]:
    """The concealments that have owners and hide a piece from the players or sides ``known``."""
    return [c for c in piece.concealments if c.kind != "deck" and c.owners and not c.open_to(known)]


def _masked(
    at: StepRef, before: Piece, after: Piece, game: Game, viewer: Viewer
) -> Iterator[Trace]:
    """Traces of an open counter that another side masked or hid."""
    unit = game.units.get(after.id)
    if before.concealments or not after.concealments or unit is None or unit.side is None:
        return
    if unit.side not in game.sides or not presence_open(before, viewer):
        return
    for concealment in after.concealments:
        sides = concealment.owners & set(game.sides)
        if concealment.kind in ("masked", "hidden") and sides and unit.side not in sides:
            who = " and ".join(sorted(sides))
            if all(game.relation(side, unit.side) != "friend" for side in sides):
                done = "masked" if concealment.kind == "masked" else "hidden"
                said = f"{name_of(before, viewer)} of {unit.side} was {done}: only {who} can know it now"
                yield Trace("uncovered", (at,), said, side=who)


def _owner(concealments: list[Concealment]) -> str:
    """The owners of concealments: sides, else labels of players."""
    owners = {owner for concealment in concealments for owner in concealment.owners}
    sides = {owner for owner in owners if not owner.startswith("player ")}
    return " and ".join(sorted(sides or owners))


_CLONE = "CloneID"
"""The property that the engine sets on a copy of a counter [Clone.myKeyEvent, 3.7 and later]."""


def counters(at: StepRef, step: Step, game: Game, viewer: Viewer) -> Iterator[Trace]:
    """Units that entered or left the game in a step; one trace for each way in which they did. Undos and
    markers are left out."""
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
    """Units that were dragged from one map to another in the ``steps`` of a log: one trace for each player
    and pair of maps."""
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
    """The text "from map A to map B" if a counter was dragged to another map; else empty."""
    maps = [spot.map for spot in (moved.origin, moved.target) if spot is not None]
    if moved.by != "drag" or len(maps) < 2 or None in maps or maps[0] == maps[1]:
        return ""
    return f"from {maps[0]} to {maps[1]}"


def _place(moved: Displaced, after: Piece) -> str:
    return moved.target_location or after.location or str(moved.target)


def _swapped(moved: Displaced, step: Step) -> bool:
    """Whether one counter replaced another: another left, or came to, the same place in the same step."""
    if moved.by == "add":
        return any(d.by == "remove" and d.origin == moved.target for d in step.displacements)
    return any(d.by == "add" and d.target == moved.origin for d in step.displacements)


def _listed(names: list[str]) -> str:
    counted = {name: names.count(name) for name in names}
    said = [f"{number} × {name}" if number > 1 else name for name, number in counted.items()]
    return ", ".join(said[:6]) + (f" and {len(said) - 6} more" if len(said) > 6 else "")


def markers(game: Game, viewer: Viewer) -> Iterator[Trace]:
    """Markers that a player of another, not allied side dragged: one trace for each step. The check of
    ownership finds units of another side."""
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


TOLD_HERE = (OWNER, CONTINUITY, INTEGRITY)
"""Codes of notes that are reported as traces, so that they are not reported twice."""

_FOUND: dict[str, TraceKind] = {
    OWNER: "other-side",
    CONTINUITY: "does-not-follow",
    INTEGRITY: "does-not-follow",
}


def traces(
    history: TableHistory | None, game: Game, shown: Audit, viewer: Viewer
) -> tuple[Trace, ...]:
    """All traces that ``viewer`` may know, in order of their steps. ``history``: the table behind ``game``;
    None: there is none. ``shown``: the audit of ``game`` as ``viewer`` may read it."""
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
    """Logs that were made with another module, or another version of it."""
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
