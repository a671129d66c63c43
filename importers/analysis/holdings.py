"""What stacks and decks hold, as far as a viewer may see it.

A place in a stack is counted among what this viewer see: a gap would give away who is hidden there. A
stack is told of anew only when what they see of it has changed.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from ...model.table import Deck, LogHistory, Piece, Spot, Stack, Step
from ...model.viewer import Viewer
from ...model.visibility import Visibility, knows_name, look, name_seen

Record = dict[str, Any]


class _Content(NamedTuple):
    """What is seen of a stack or deck: ``cards`` of a deck; ``members``: ids, or names of masks."""

    kind: str
    at: Spot
    cards: int | None
    members: tuple[tuple[str, str], ...]


def name_told(piece: Piece, viewer: Viewer, visibility: Visibility) -> Record:
    """The name this viewer see under ``name``; under ``stored_name`` where it is not known."""
    key = "name" if knows_name(piece, viewer, visibility) else "stored_name"
    return {key: name_seen(piece, viewer, visibility)}


def spot(at: Spot | None) -> list[Any] | None:
    """A spot as ``[map, x, y]``; None is None."""
    return None if at is None else [at.map, at.x, at.y]


def deck_open(deck: Deck, viewer: Viewer) -> bool:
    """Whether this viewer may know how many cards a deck holds."""
    return viewer.director or deck.owners is None or not deck.owners.isdisjoint(viewer.viewers)


class Holdings:
    """Follows the stacks and decks of a log from its opening, step by step."""

    def __init__(self, log: LogHistory, viewer: Viewer) -> None:
        self._viewer = viewer
        self._pieces = dict(log.opening.pieces)
        self._holders: dict[str, Stack | Deck] = {**log.opening.stacks, **log.opening.decks}
        self._told = {id_text: self._content(id_text) for id_text in self._holders}

    def places(self) -> dict[str, int]:
        """The place of each piece seen in its stack or deck, from the bottom among those seen."""
        return {
            piece.id: index
            for holder in self._holders.values()
            for index, (piece, _) in enumerate(self._members(holder))
        }

    def opening(self) -> Iterator[Record]:
        """What every stack and deck holds that this viewer see; ask before the first step."""
        return (self._record(i, seen) for i, seen in self._told.items() if seen is not None)

    def advance(self, step: Step) -> list[Record]:
        """What they see otherwise after a step; ask once for every step, in order."""
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
        """None: this viewer do not see that there is such a stack or deck."""
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
