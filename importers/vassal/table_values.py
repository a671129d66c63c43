"""Frozen values made of the live table: stacks, decks, whole tables put together when looked into."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Generic, NamedTuple, TypeVar, overload

from ...model.table import Deck, Participant, Piece, Spot, Stack, Table
from .property_source import Globals, Places
from .sequence import split
from .table_items import LiveMap, LivePiece, LiveStack
from .table_state import LiveTable, PieceMark, StackMark


class Pile(NamedTuple):
    """``members``: ids of the pieces from the bottom up; ``hidden``: of those not everybody sees."""

    members: tuple[str, ...]
    hidden: frozenset[str] = frozenset()

    def place(self, piece: str) -> int:
        """A piece's place from the bottom, from 0; -1: it is not in there."""
        return self.members.index(piece) if piece in self.members else -1


Contents = tuple[Mapping[str, Piece], Mapping[str, Stack], Mapping[str, Deck]]
V = TypeVar("V")


class WhenAskedList(Sequence[V], Generic[V]):
    """A sequence that is made when somebody looks into it."""

    __slots__ = ("_made", "_make")

    def __init__(self, make: Callable[[], Sequence[V]]) -> None:
        self._make: Callable[[], Sequence[V]] | None = make
        self._made: Sequence[V] = ()

    def _all(self) -> Sequence[V]:
        if self._make is not None:
            self._made, self._make = self._make(), None
        return self._made

    @overload
    def __getitem__(self, index: int) -> V: ...

    @overload
    def __getitem__(self, index: slice) -> Sequence[V]: ...

    def __getitem__(self, index: int | slice) -> V | Sequence[V]:
        return self._all()[index]

    def __len__(self) -> int:
        return len(self._all())

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and list(self._all()) == list(other)

    def __hash__(self) -> int:
        return hash(tuple(self._all()))

    def __repr__(self) -> str:
        return repr(self._all())


class _WhenAsked(Mapping[str, V], Generic[V]):
    """A mapping that is made when somebody looks into it."""

    __slots__ = ("_made", "_make")

    def __init__(self, make: Callable[[], Mapping[str, V]]) -> None:
        self._make: Callable[[], Mapping[str, V]] | None = make
        self._made: Mapping[str, V] = {}

    def _all(self) -> Mapping[str, V]:
        if self._make is not None:
            self._made, self._make = self._make(), None
        return self._made

    def __getitem__(self, key: str) -> V:
        return self._all()[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._all())

    def __len__(self) -> int:
        return len(self._all())

    def __repr__(self) -> str:
        return repr(dict(self._all()))


def lazy_table(
    make: Callable[[], Contents],
    globals_now: Globals,
    turns: Mapping[str, str],
    players: tuple[Participant, ...],
) -> Table:
    """A table whose pieces, stacks and decks are made by ``make`` when first looked at."""
    made: list[Contents] = []

    def contents() -> Contents:
        if not made:
            made.append(make())
        return made[0]

    return Table(
        pieces=_WhenAsked(lambda: contents()[0]),
        stacks=_WhenAsked(lambda: contents()[1]),
        decks=_WhenAsked(lambda: contents()[2]),
        globals=globals_now,
        turns=turns,
        players=players,
    )


def deck_name(deck_type: str) -> str:
    """The name in a deck's type."""
    fields = split(deck_type, ";")
    return fields[13] if len(fields) > 13 else ""


def spot(on: LiveMap | None, x: int, y: int) -> Spot:
    return Spot(None if on is None else on.name, x, y)


def piece_mark(piece: LivePiece, known: bool) -> PieceMark:
    """The piece as the journal would remember it now."""
    return (known, piece.on, *piece.at, piece.parent, piece.traits, piece.base)


def pile_as(
    table: LiveTable, members: Sequence[LivePiece], traits: Mapping[LivePiece, str]
) -> Pile:
    """What a stack or deck holds that has these ``members``, who may have had other ``traits`` then."""
    hidden = [piece.id for piece in members if table.may_be_hidden(piece, traits.get(piece))]
    return Pile(tuple(piece.id for piece in members), frozenset(hidden))


def pile_of(table: LiveTable, holder: LiveStack) -> Pile:
    """What a stack or deck holds now."""
    return pile_as(table, holder.members, {})


def pile_before(table: LiveTable, holder: LiveStack) -> Pile:
    """What it held before this step."""
    journal = table.journal
    mark = journal.stacks.get(holder)
    members = holder.members if mark is None else mark[4]
    return pile_as(
        table, members, {p: journal.pieces[p][5] for p in members if p in journal.pieces}
    )


def stack_mark(holder: LiveStack, known: bool = True) -> StackMark:
    """The stack or deck as the journal would remember it now."""
    return (known, holder.map, holder.x, holder.y, tuple(holder.members), holder.face_down)


def holder_value(holder: LiveStack, mark: StackMark, places: Places) -> Stack | Deck | None:
    """A stack or deck as it was; None if it was not in the game, or was an empty stack: those are
    leftovers of the engine."""
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
