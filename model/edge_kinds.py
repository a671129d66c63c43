"""Edges of a board that are alike: what is worked out of one holds for all of its kind."""

from __future__ import annotations

from collections.abc import Hashable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .board import Board

Kind = int
"""The number of a kind of edge, the same for all edges that differ in nothing but their place."""


class EdgeKinds:
    """The kinds of the edges of one board, found as they are asked for.

    Two edges are alike if the hexes they lead from and to have the same terrain, features, level and kinds of
    lines, and the same lies on the hexside and crosses it. Lines that do not meet others count one by one.
    ``numbers``: the kinds of other boards, whose edges of one kind then have the same number, if as much is
    known of all hexsides and lines."""

    def __init__(self, board: Board, numbers: dict[Hashable, Kind] | None = None) -> None:
        self._board = board
        self._told = board.all_sides_known, board.all_lines_known
        self._hexes: dict[str, Kind | None] = {}
        self._numbers = {} if numbers is None else numbers
        self._lines: dict[str, set[str]] = {}
        for line in board.lines:
            for name in line.hexes:
                self._lines.setdefault(name, set()).add(line.kind)

    def of(self, here: str, to: str) -> Kind | None:
        """The kind of the edge from a hex to its neighbour; None: not all of it is known, so that it may
        be like no other."""
        ends = self.of_hex(here), self.of_hex(to)
        between = None if None in ends else self.of_side(here, to)
        return None if between is None else self._number((ends, between))

    def of_side(self, here: str, to: str) -> Kind | None:
        """The kind of a hexside by itself; None as in :meth:`of`."""
        board, side = self._board, (here, to) if here <= to else (to, here)
        if not (all(self._told) or (board.sides_known(side) and board.lines_known(side))):
            return None
        crossing = board.lines_by_edge.get(side, ())
        lines = tuple(
            (line.kind, None if line.junctions else board.lines.index(line)) for line in crossing
        )
        return self._number((board.sides.get(side), lines, self._told))

    def of_hex(self, name: str) -> Kind | None:
        """The kind of a hex by itself; None as in :meth:`of`."""
        if name in self._hexes:
            return self._hexes[name]
        board, here, found = self._board, self._board.hexes[name], None
        if here.terrain is not None and board.hex_known(name):
            lines = frozenset(self._lines.get(name, ()))
            levels = here.level, board.level_of(name)
            found = self._number((here.terrain, here.features, levels, lines, self._told))
        self._hexes[name] = found
        return found

    def _number(self, alike: Hashable) -> Kind:
        return self._numbers.setdefault(alike, len(self._numbers))
