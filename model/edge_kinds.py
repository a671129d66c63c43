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
    lines, the same lies on the hexside and crosses it, and the same is not known of all that. Lines that do
    not meet others count one by one. ``numbers``: the kinds of other boards, whose edges of one kind then
    have the same number, if as much is known of all hexsides and lines."""

    def __init__(self, board: Board, numbers: dict[Hashable, Kind] | None = None) -> None:
        self._board = board
        self._told = board.all_sides_known, board.all_lines_known
        self._hexes: dict[str, Kind] = {}
        self._numbers = {} if numbers is None else numbers
        self._lines: dict[str, set[str]] = {}
        for line in board.lines:
            for name in line.hexes:
                self._lines.setdefault(name, set()).add(line.kind)

    def of(self, here: str, to: str) -> Kind:
        """The kind of the edge from a hex to its neighbour."""
        ends = self.of_hex(here), self.of_hex(to)
        return self._number((ends, self.of_side(here, to)))

    def of_side(self, here: str, to: str) -> Kind:
        """The kind of a hexside by itself."""
        board, side = self._board, (here, to) if here <= to else (to, here)
        crossing = board.lines_by_edge.get(side, ())
        lines = tuple(
            (line.kind, None if line.junctions else board.lines.index(line)) for line in crossing
        )
        maybe = board.maybe_on(side), board.maybe_across(side)
        return self._number((board.sides.get(side), lines, maybe, self._told))

    def of_hex(self, name: str) -> Kind:
        """The kind of a hex by itself."""
        found = self._hexes.get(name)
        if found is None:
            board, here = self._board, self._board.hexes[name]
            lines = frozenset(self._lines.get(name, ()))
            levels = here.level, board.level_of(name)
            maybe = board.maybe_in(name), board.lines_maybe_in(name), board.hex_told(name)
            alike = here.terrain, here.features, levels, lines, maybe, self._told
            found = self._hexes[name] = self._number(alike)
        return found

    def _number(self, alike: Hashable) -> Kind:
        return self._numbers.setdefault(alike, len(self._numbers))
