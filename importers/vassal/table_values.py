"""Frozen values of the live table: stacks, decks, and their marks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from ...model.table import Deck, Spot, Stack
from .property_source import Places
from .sequence import split
from .table_items import LiveMap, LivePiece, LiveStack
from .table_state import LiveTable, PieceMark, StackMark

_NONE: frozenset[str] = frozenset()


class Pile(NamedTuple):
    """``members``: ids of the pieces from the bottom up; ``hidden``: of those not everybody sees."""

    members: tuple[str, ...]
    hidden: frozenset[str] = _NONE

    def place(self, piece: str) -> int:
        """A piece's place from the bottom, from 0; -1: it is not a member."""
        return self.members.index(piece) if piece in self.members else -1


def deck_name(deck_type: str) -> str:
    """The name in a deck's type."""
    fields = split(deck_type, ";")
    return fields[13] if len(fields) > 13 else ""


def spot(on: LiveMap | None, x: int, y: int) -> Spot:
    return Spot(None if on is None else on.name, x, y)


def piece_mark(piece: LivePiece, known: bool) -> PieceMark:
    """The mark of the piece as it is now."""
    return (known, piece.on, *piece.at, piece.parent, piece.traits, piece.base)


def pile_as(
    table: LiveTable, members: Sequence[LivePiece], traits: Mapping[LivePiece, str]
) -> Pile:
    """The content of a stack or deck with these ``members``; ``traits``: their states then, if different."""
    hidden = [piece.id for piece in members if table.may_be_hidden(piece, traits.get(piece))]
    return Pile(tuple(piece.id for piece in members), frozenset(hidden) if hidden else _NONE)


def pile_of(table: LiveTable, holder: LiveStack) -> Pile:
    """The content of a stack or deck now."""
    return pile_as(table, holder.members, {})


def pile_before(table: LiveTable, holder: LiveStack) -> Pile:
    """Its content before this step."""
    journal = table.journal
    mark = journal.stacks.get(holder)
    members = holder.members if mark is None else mark[4]
    return pile_as(
        table, members, {p: journal.pieces[p][5] for p in members if p in journal.pieces}
    )


def stack_mark(holder: LiveStack, known: bool = True) -> StackMark:
    """The mark of the stack or deck as it is now."""
    return (known, holder.map, holder.x, holder.y, tuple(holder.members), holder.face_down)


def holder_value(holder: LiveStack, mark: StackMark, places: Places) -> Stack | Deck | None:
    """A stack or deck as it was; None: it was not in the game, or an empty stack, which the engine leaves
    behind."""
    known, on, x, y, members, face_down = mark
    if not known:
        return None
    ids = tuple(piece.id for piece in members)
    if holder.deck_type is not None:
        owners = None if on is None else places.owners(on.name)
        fields = split(holder.deck_type, ";")
        name, random = deck_name(holder.deck_type), fields[5:6] == ["Always"]
        return Deck(holder.id, name, spot(on, x, y), ids, face_down, owners, random)
    return Stack(holder.id, spot(on, x, y), ids) if ids else None
