"""The contents of stacks and decks that a viewer may see.

Positions in a stack count only pieces that the viewer sees: a gap would give away a hidden piece. A stack is
reported again only when its visible contents have changed.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from ...model.table import Deck, LogHistory, Piece, Spot, Stack, Step
from ...model.viewer import Viewer
from ...model.visibility import Visibility, deck_open, knows_name, look, name_seen

Record = dict[str, Any]


class _Content(NamedTuple):
    """The visible contents of a stack or deck. ``cards``: the number of cards of a deck; None for a stack.
    ``members``: (id, ""), or ("", name shown) for a piece that is not known."""

    kind: str
    at: Spot
    cards: int | None
    members: tuple[tuple[str, str], ...]


def name_told(piece: Piece, viewer: Viewer, visibility: Visibility) -> Record:
    """The name that the viewer sees, as ``name``; as ``stored_name`` if the piece's name is not known."""
    key = "name" if knows_name(piece, viewer, visibility) else "stored_name"
    return {key: name_seen(piece, viewer, visibility)}


def spot(at: Spot | None) -> list[Any] | None:
    """A spot as ``[map, x, y]``; None is None."""
    return None if at is None else [at.map, at.x, at.y]


class Holdings:
    """Follows the stacks and decks of a log from its opening, step by step."""

    def __init__(self, log: LogHistory, viewer: Viewer) -> None:
        self._viewer = viewer
        self._pieces = dict(log.opening.pieces)
        self._holders: dict[str, Stack | Deck] = {**log.opening.stacks, **log.opening.decks}
        self._told = {id_text: self._content(id_text) for id_text in self._holders}

    def places(self) -> dict[str, int]:
        """The position of each visible piece in its stack or deck, from the bottom among the visible ones."""
        return {
            piece.id: index
            for holder in self._holders.values()
            for index, (piece, _) in enumerate(self._members(holder))
        }

    def opening(self) -> Iterator[Record]:
        """The contents of every stack and deck that the viewer sees. Call it before the first step."""
        return (self._record(i, seen) for i, seen in self._told.items() if seen is not None)

    def advance(self, step: Step) -> list[Record]:
        """The stacks and decks that the viewer sees changed after a step. Call it once for every step, in
        order."""
        touched = dict.fromkeys(change.id for change in step.stacks)
        for change in step.changes:
            for piece in (change.before, change.after):
                if piece is not None and piece.holder:
                    touched[piece.holder] = None
            if change.after is None:
                self._pieces.pop(change.id, None)
            else:
                self._pieces[change.id] = change.after
        for held in step.stacks:
            if held.after is None:
                self._holders.pop(held.id, None)
            else:
                self._holders[held.id] = held.after
        found = []
        for id_text in touched:
            before, now = self._told.get(id_text), self._content(id_text)
            self._told[id_text] = now
            if now is not None and before != now:
                found.append(self._record(id_text, now))
            elif now is None and before is not None:
                found.append({"id": id_text, "kind": before.kind, "at": None, "members": []})
        return found

    def _members(self, holder: Stack | Deck) -> Iterator[tuple[Piece, Visibility]]:
        for member in holder.members:
            piece = self._pieces.get(member)
            visibility = look(piece, self._viewer)
            if piece is not None and visibility.present:
                yield piece, visibility

    def _content(self, id_text: str) -> _Content | None:
        """The visible contents of a stack or deck; None if the viewer does not see that there is one."""
        holder = self._holders.get(id_text)
        if holder is None:
            return None
        seen = tuple(
            (piece.id, "") if visibility.known else ("", name_seen(piece, self._viewer, visibility))
            for piece, visibility in self._members(holder)
        )
        if not isinstance(holder, Deck):
            return _Content("stack", holder.spot, None, seen) if seen else None
        if not deck_open(holder, self._viewer):
            return None
        return _Content("deck", holder.spot, len(holder.members), seen)

    def _record(self, id_text: str, content: _Content) -> Record:
        record: Record = {"id": id_text, "kind": content.kind, "at": spot(content.at)}
        if content.cards is not None:
            record["cards"] = content.cards
        record["members"] = [
            {
                "piece": piece.id if visibility.known else "",
                **name_told(piece, self._viewer, visibility),
            }
            for piece, visibility in self._members(self._holders[id_text])
        ]
        return record
