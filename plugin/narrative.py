"""Steps of a log as plain JSON values, limited to what the reader may see.

This is the one place where a table's history meets the fog of war; text, Markdown and JSON Lines are
all made from these values. A piece's id is given only while its identity is open to the reader: else
it would tie a masked piece to what it was before.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any

from ..importers.analysis.records import told_problem
from ..importers.vassal.continuity import gaps
from ..importers.vassal.module import Module
from ..model.problem import Problem
from ..model.table import (
    Actor,
    ChatLine,
    Displaced,
    LogHistory,
    Piece,
    PieceChange,
    Spot,
    Step,
    taken_back,
)
from ..model.viewer import Viewer
from ..model.visibility import identity_open, knows_name, look, name_of, presence_open
from .printable import readable_chat

StepJson = dict[str, Any]
KINDS = ("moves", "changes", "dice", "chat", "turns", "globals")
"""The kinds of things a step can contain, as ``--only`` names them."""

_SILENT = frozenset({"Moved", "BasicName", "LocationName", "PieceName"})
_SILENT_ENDS = ("_Image", "_Active", "_Degrees", "_IsActive")
_SILENT_STARTS = ("Old", "Current", "Obscured", "Invisible", "Selected", "ClickedX", "ClickedY")


def log_told(history: LogHistory, number: int) -> StepJson:
    """The beginning of a log, before its first step."""
    return {
        "kind": "log",
        "log": number,
        "file": history.source,
        "sha256": history.sha256,
        "module": history.module_name,
        "module_version": history.module_version,
        "vassal_version": history.vassal_version,
        "players": [
            {"player": player.name or player.label, "side": player.side or None}
            for player in history.opening.players
        ],
        "turns": dict(history.opening.turns),
        "steps": len(history.steps),
    }


def module_told(module: Module, number: int) -> StepJson:
    """Problems of a module, shown after log ``number``, the first it was read for."""
    return {
        "kind": "module",
        "log": number,
        "file": module.file_name,
        "module": module.name,
        "module_version": module.version,
        "problems": [str(problem) for problem in module.problems],
    }


def gaps_told(
    before: LogHistory | None, history: LogHistory, viewer: Viewer
) -> list[StepJson] | None:
    """Pieces whose state at the opening of a log is not that at the end of the one before; None for the first
    log."""
    if before is None:
        return None
    told = []
    for gap in gaps(before.end, history.opening):
        ends = [piece for piece in (gap.before, gap.after) if piece is not None]
        if all(identity_open(piece, viewer) for piece in ends):
            places = (p and _place(p.spot, p.location) for p in (gap.before, gap.after))
            told.append(
                {
                    "piece": gap.id,
                    **_called(ends[-1], viewer),
                    **dict(zip(("end", "opening"), places, strict=True)),
                }
            )
    return told


def step_told(step: Step, viewer: Viewer, unseen: Collection[str] = ()) -> StepJson:
    """Everything in a step that the reader may see. ``unseen``: see :func:`unseen_pieces`.

    ``step`` is its number as VASSAL counts them; None if it is not a step for VASSAL.
    """
    changes = {change.id: change for change in step.changes}
    moves = [told for d in step.displacements if (told := _move(d, changes.get(d.piece), viewer))]
    displaced = {d.piece for d in step.displacements}
    return {
        "kind": "step",
        "log": step.log,
        "step": step.engine_number,
        **_actor(step.actor),
        "undo": _undo(step),
        "moves": moves,
        "changes": [
            told
            for change in step.changes
            for told in _changes(change, viewer, moved=change.id in displaced)
        ],
        "dice": [
            {"dice": r.dice, "results": list(r.results), "player": r.player, "text": r.text}
            for r in step.rolls
        ],
        "chat": [_chat(line) for line in step.chat],
        "turns": [
            {"tracker": t.tracker, "before": t.old_value, "after": t.new_value} for t in step.turns
        ],
        "globals": [
            {"container": g.container, "name": g.name, "before": g.old_value, "after": g.new_value}
            for g in step.globals
            # What the dice showed is told by the roll.
            if not any(r.dice and g.name.startswith(f"{r.dice}_") for r in step.rolls)
        ],
        "problems": [told_problem(str(problem), unseen) for problem in step.problems],
    }


def unseen_pieces(history: LogHistory, viewer: Viewer) -> set[str]:
    """Ids of the pieces whose presence or identity at the opening is hidden from the reader. Computed only if
    a problem might name one."""
    if viewer.director or not (history.problems or any(step.problems for step in history.steps)):
        return set()
    pieces = history.opening.pieces.values()
    return {piece.id for piece in pieces if not identity_open(piece, viewer)}


def log_problems(history: LogHistory, viewer: Viewer) -> tuple[Problem, ...]:
    """The problems of a log as a whole that the reader may know of."""
    unseen = unseen_pieces(history, viewer)
    return tuple(replace(p, message=told_problem(p.message, unseen)) for p in history.problems)


def follow_unseen(unseen: set[str], step: Step, viewer: Viewer) -> None:
    """Update ``unseen`` after a step. Pieces that were unseen just before it stay in it."""
    for change in step.changes:
        ends = [piece for piece in (change.before, change.after) if piece is not None]
        if not viewer.director and not all(identity_open(piece, viewer) for piece in ends):
            unseen.add(change.id)
        elif change.after is not None:
            unseen.discard(change.id)


def _actor(actor: Actor | None) -> StepJson:
    if actor is None:
        return {"side": None, "player": None, "known_by": None}
    return {
        "side": actor.who.side or None,
        "player": actor.who.name or actor.who.label,
        "known_by": actor.known_by,
    }


def _undo(step: Step) -> StepJson | None:
    if step.undoing is None:
        return None
    undo = step.undoing
    return {"step": undo.step, "redo": undo.redo, "whole": undo.whole}


def typed(step: Step) -> Iterator[tuple[str, str]]:
    """Chat typed by players in a step: who, and the text."""
    for line in step.chat:
        text = readable_chat(line.text).removeprefix(f"<{line.author}> - ")
        if line.kind == "player" and text:
            yield line.author, text


def _chat(line: ChatLine) -> StepJson:
    return {"kind": line.kind, "author": line.author, "text": readable_chat(line.text)}


def _move(moved: Displaced, change: PieceChange | None, viewer: Viewer) -> StepJson | None:
    """A displacement, as far as its ends are visible; None if neither is."""
    before = change.before if change is not None else None
    after = change.after if change is not None else None
    left = presence_open(before, viewer)
    came = presence_open(after, viewer)
    shown = after if came else before
    if shown is None or not (left or came):
        return None
    known = identity_open(after if came else before, viewer) and (
        before is None or not left or identity_open(before, viewer)
    )
    return {
        "piece": moved.piece if known else None,
        **_called(shown, viewer),
        "from": _place(moved.origin, moved.origin_location) if left else None,
        "to": _place(moved.target, moved.target_location) if came else None,
        "how": moved.by
        if (left or moved.origin is None) and (came or moved.target is None)
        else None,
        "group": moved.group,
        **({"why": moved.why} if moved.why and left and (came or after is None) else {}),
    }


def _called(piece: Piece, viewer: Viewer) -> StepJson:
    """The name of a piece; if it is not known, None and the name with which the piece was stored."""
    name = name_of(piece, viewer)
    if knows_name(piece, viewer, look(piece, viewer)):
        return {"name": name}
    return {"name": None, "stored_name": name}


def _place(spot: Spot | None, location: str) -> StepJson | None:
    if spot is None:
        return None
    return {"map": spot.map, "x": spot.x, "y": spot.y, "location": location}


def _changes(change: PieceChange, viewer: Viewer, *, moved: bool) -> list[StepJson]:
    """Changes of a piece that was and is in the game, except of its place."""
    before, after = change.before, change.after
    if before is None or after is None:
        return []
    if not (presence_open(before, viewer) and presence_open(after, viewer)):
        return [] if moved else _sight(before, after, viewer)
    then, now = _called(before, viewer), _called(after, viewer)
    told: list[StepJson] = []
    if then != now:
        told.append(_change("name", then["name"], now["name"], then["name"], now["name"]))
    known = identity_open(before, viewer) and identity_open(after, viewer)
    if known:
        told.extend(_property_changes(before, after))
    return [{"piece": change.id if known else None, **then, **one} for one in told]


def _change(
    what: str, before: str | None, after: str | None, was_known: object, is_known: object
) -> StepJson:
    """A changed value. ``not_known`` lists which of the two values is not known (and therefore None)."""
    ends = (("before", was_known), ("after", is_known))
    doubtful = [end for end, known in ends if known is None or known is False]
    told: StepJson = {"what": what, "before": before, "after": after}
    return {**told, "not_known": doubtful} if doubtful else told


def _sight(before: Piece, after: Piece, viewer: Viewer) -> list[StepJson]:
    """A piece that becomes visible or invisible in its place."""
    if presence_open(before, viewer):
        return [_seen(before, viewer, "in sight", "out of sight")]
    if presence_open(after, viewer):
        return [_seen(after, viewer, "out of sight", "in sight")]
    return []


def _seen(piece: Piece, viewer: Viewer, before: str, after: str) -> StepJson:
    return {
        "piece": piece.id if identity_open(piece, viewer) else None,
        **_called(piece, viewer),
        "what": "sight",
        "before": before,
        "after": after,
    }


def _property_changes(before: Piece, after: Piece) -> Iterable[StepJson]:
    was, now = before.properties, after.properties
    keys = [k for k in {**was, **now} if was.get(k) != now.get(k) and not _silent(k)]
    named = {key.removesuffix("_Name") for key in keys if key.endswith("_Name")}
    for key in keys:
        # The name of a layer's level says more than its number.
        if not (key.endswith("_Level") and key.removesuffix("_Level") in named):
            known = [key in has or p.facts.knows(key) for p, has in ((before, was), (after, now))]
            yield _change(key, was.get(key), now.get(key), *known)


def _silent(key: str) -> bool:
    """Properties that mean nothing to a reader: pictures, marks of having moved, former places."""
    return key in _SILENT or key.endswith(_SILENT_ENDS) or key.startswith(_SILENT_STARTS)


def narrowed(told: StepJson, only: Sequence[str]) -> StepJson | None:
    """The step reduced to ``only`` (see :data:`KINDS`); None if nothing is left."""
    if not only:
        return told
    left = {**told, **{kind: [] for kind in KINDS if kind not in only}, "problems": []}
    return left if any(left[kind] for kind in only) else None


def cancelled_steps(steps: Sequence[Step]) -> frozenset[int]:
    """Numbers of steps without effect: those undone for good, and the undo steps themselves.

    A step that was undone and redone stays.
    """
    undoing = {
        step.number
        for step in steps
        if step.undoing is not None and step.undoing.step is not None and step.undoing.whole
    }
    return frozenset(taken_back(steps).keys() | undoing)
