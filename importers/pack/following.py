"""Follows the pieces of a game step by step, to know at any time which pieces are with a unit."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from ...model.table import Deck, Piece, Spot, Stack, Step, Table
from .attributes import ALONE, Company


class TableNow:
    """The pieces on the table that matter: units, and markers from which attributes of units are read.
    ``watched``: their ids; other pieces are ignored."""

    def __init__(self, watched: Mapping[str, object], companions: frozenset[str]) -> None:
        self._watched = watched
        self._companions = companions
        self.pieces: dict[str, Piece] = {}
        self.stacks: dict[str, tuple[str, ...]] = {}
        self.decks: dict[str, str] = {}
        self._at: dict[Spot, dict[str, None]] = {}
        self._companions_at: dict[Spot, dict[str, None]] = {}

    def open(self, table: Table) -> None:
        """Set the table to the opening of a log."""
        self.pieces, self._at, self._companions_at = {}, {}, {}
        for piece in table.pieces.values():
            self._put(piece.id, piece)
        self.stacks = {stack.id: stack.members for stack in table.stacks.values()}
        self.decks = {deck.id: deck.name for deck in table.decks.values()}

    def advance(self, step: Step) -> set[str]:
        """Apply a step. Returns the units that may have changed, in themselves or in the pieces stacked with
        them."""
        touched: set[str] = set()
        for change in step.changes:
            if change.id not in self._watched and change.id not in self._companions:
                continue
            touched.add(change.id)
            if change.id in self._companions:
                for piece in (change.before, change.after):
                    if piece is not None:
                        touched.update(self._at.get(piece.spot, ()))
            self._put(change.id, change.after)
        for stack_change in step.stacks:
            for holder in (stack_change.before, stack_change.after):
                if isinstance(holder, Stack) and self._companions:
                    touched.update(holder.members)
            self._restack(stack_change.id, stack_change.after)
        return {id_text for id_text in touched if id_text in self._watched}

    def company(self, piece: Piece) -> Company:
        """The pieces with a piece."""
        if not self._companions:
            return ALONE
        members = self.stacks.get(piece.holder, ())
        above: tuple[Piece, ...] = ()
        below: tuple[Piece, ...] = ()
        if piece.id in members:
            index = members.index(piece.id)
            above = self._known(members[index + 1 :])
            below = self._known(reversed(members[:index]))
        near = self._companions_at.get(piece.spot)
        if not near and not above and not below:
            return ALONE
        others = (i for i in near or () if i not in members and i != piece.id)
        return Company(above, below, self._known(others))

    def deck_of(self, piece: Piece | None) -> str | None:
        """The name of the deck a piece lies in; None if it is in none."""
        if piece is None or piece.holder not in self.decks:
            return None
        return self.decks[piece.holder] or "a deck"

    def _known(self, ids: Iterable[str]) -> tuple[Piece, ...]:
        return tuple(self.pieces[i] for i in ids if i in self.pieces)

    def _put(self, id_text: str, piece: Piece | None) -> None:
        if id_text not in self._watched and id_text not in self._companions:
            return
        before = self.pieces.pop(id_text, None)
        places = [self._at] if id_text not in self._companions else [self._at, self._companions_at]
        for at in places:
            if before is not None:
                at.get(before.spot, {}).pop(id_text, None)
            if piece is not None:
                at.setdefault(piece.spot, {})[id_text] = None
        if piece is not None:
            self.pieces[id_text] = piece

    def _restack(self, id_text: str, holder: Stack | Deck | None) -> None:
        self.stacks.pop(id_text, None)
        self.decks.pop(id_text, None)
        if isinstance(holder, Stack):
            self.stacks[id_text] = holder.members
        elif isinstance(holder, Deck):
            self.decks[id_text] = holder.name
