"""The kinds and directions of the edges of a board, and the networks of its lines: the hexes that they join,
and whether two hexes may be on one of them.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterable, Iterator, Sequence
from functools import cached_property
from typing import Any

from ...model.board import NONE, Board, Edge, EdgeKinds, edge, may_be
from ...model.hexgrid import direction
from .memo import once


class Networks:
    """The networks of the lines of some ``kinds`` on a board."""

    def __init__(self, board: Board, kinds: Collection[str]) -> None:
        self.board, self.kinds = board, tuple(kinds)
        self._through: dict[str, frozenset[str]] = {}

    @cached_property
    def certain(self) -> dict[str, int]:
        """Hex → the number of its network. Lines drawn through a common hex are one network."""
        return self._joined(())

    @cached_property
    def possible(self) -> dict[str, int]:
        """As :attr:`certain`, including every line that may be there."""
        if self.board.all_lines_known:
            return self.certain
        return self._joined(self._open(self.kinds))

    def _open(self, kinds: Iterable[str]) -> Iterator[Edge]:
        """The hexsides that lines of ``kinds`` may cross besides those drawn."""
        board, wanted = self.board, tuple(kinds)
        sides = board.exceptions.lines if "lines" in board.complete else board.every_side
        for side in sides:
            may = board.maybe_across(side)
            if any(may_be(kind, may) for kind in wanted):
                yield side

    def _joined(self, more: Iterable[Edge]) -> dict[str, int]:
        """As :attr:`certain`, with further lines across the hexsides ``more``."""
        first: dict[int, int] = {}

        def root(number: int) -> int:
            while first.setdefault(number, number) != number:
                number = first[number]
            return number

        through: dict[str, int] = {}
        drawn = (line.hexes for line in self.board.lines if line.kind in self.kinds)
        for number, hexes in enumerate((*drawn, *more)):
            for name in hexes:
                first[root(number)] = root(through.setdefault(name, number))
        return {name: root(number) for name, number in through.items()}

    def one(self, here: str, to: str) -> bool:
        """Whether two hexes may be on one network."""
        found = self.possible
        return here in found and found[here] == found.get(to)

    def through(self, kind: str) -> frozenset[str]:
        """The hexes through which lines of a kind go or may go."""
        return once(self._through, kind, lambda: self._look_through(kind))

    def _look_through(self, kind: str) -> frozenset[str]:
        drawn = (line.hexes for line in self.board.lines if line.kind == kind)
        return frozenset(name for run in (*drawn, *self._open((kind,))) for name in run)


Kind = tuple[Hashable, int | None]
"""The kind of an edge, and its direction; None across a link of the board and within a hex."""


class Edges:
    """The kinds and directions of the edges of a board, and the neighbours of its hexes, each computed once.
    ``numbers``: the numbers of the kinds of edges, shared by the boards of a game. ``like``: the edges of
    another board, which are the same out of all hexes not in ``unlike``. ``features``, ``lines``: the data
    that :class:`.hex_view.HexView` keeps about hexes."""

    def __init__(
        self,
        board: Board,
        numbers: dict[Hashable, int],
        like: Edges | None = None,
        unlike: frozenset[str] = frozenset(),
    ) -> None:
        self.board, self._like, self._unlike = board, like, unlike
        self.known: dict[tuple[str, str], Kind] = {}
        self._kinds = EdgeKinds(board, numbers)
        self._mark = object()
        self._sides: dict[tuple[str, str], Hashable] = {}
        self._ways: dict[str, tuple[int | None, ...]] = {}
        self._near: dict[str, Sequence[str]] = {}
        self.features: dict[Any, Any] = {}
        self.lines: dict[str, Any] = {}
        self._networks: dict[tuple[str, ...], Networks] = {}

    def networks(self, kinds: tuple[str, ...]) -> Networks:
        """The networks of the lines of some kinds."""
        return once(self._networks, kinds, lambda: Networks(self.board, kinds))

    def place(self, here: str) -> Hashable:
        """The key of a hex: its name, or, if its steps differ from those on the first board, a key of this
        board only."""
        if here in self._unlike:
            return self._mark, here
        return here if self._like is None else self._like.place(here)

    def near(self, here: str) -> Sequence[str]:
        """The neighbours of a hex, in the order of the board."""
        found = self._near.get(here)
        if found is None:
            like = self._like
            found = self.board.neighbours(here) if like is None else like.near(here)
            self._near[here] = found
        return found

    def flanks(self, here: str, to: str) -> Sequence[str]:
        """The hexes beside both of two hexes, in the order of the board."""
        beside = frozenset(self.near(to))
        return [name for name in self.near(here) if name in beside]

    def passages(self, here: str, kind: str) -> frozenset[frozenset[int]]:
        """The pairs of neighbours of a hex, by their index in :meth:`near`, that a line of a kind joins."""
        near = {name: place for place, name in enumerate(self.near(here))}
        return frozenset(
            frozenset((near[a], near[b]))
            for line in self.board.lines
            if line.kind == kind and here in line.hexes
            for a, at, b in zip(line.hexes, line.hexes[1:], line.hexes[2:], strict=False)
            if at == here and a in near and b in near
        )

    def ways(self, here: str) -> tuple[int | None, ...]:
        """The directions of the neighbours of a hex."""
        found = self._ways.get(here)
        if found is None:
            found = self._ways[here] = tuple(self.edge(here, to)[1] for to in self.near(here))
        return found

    def edge(self, here: str, to: str) -> Kind:
        """The kind and direction of an edge, or of a hex if ``here`` is ``to``. Edges of one kind have the
        same costs and prohibitions."""
        key = here, to
        found = self.known.get(key)
        if found is None:
            if self._like is not None and here not in self._unlike:
                found = self._like.edge(here, to)
            elif here == to:
                found = ("in", self._kinds.of_hex(here)), None
            else:
                hexes = self.board.hexes
                found = self._kinds.of(here, to), direction(hexes[here].at, hexes[to].at)
            self.known[key] = found
        return found

    def is_bare(self, here: str, to: str) -> bool:
        """Whether there is certainly nothing on the hexside between two hexes."""
        side = edge(here, to)
        return not self.board.sides.get(side) and self.board.maybe_on(side) == NONE

    def side(self, here: str, to: str) -> Hashable:
        """The kind of the hexside between two hexes, without the hexes; within a hex, the hex's name."""
        key = here, to
        found = self._sides.get(key)
        if found is None:
            if self._like is not None and here not in self._unlike:
                found = self._like.side(here, to)
            else:
                found = (self.place(here), to) if here == to else self._kinds.of_side(here, to)
            self._sides[key] = found
        return found
