"""The lines of a board as networks: which hexes they join, and whether two hexes may lie on one of them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from functools import cached_property

from ...model.board import Board, Edge, may_be


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
        """As :attr:`certain`, with every line that may be there counted as one."""
        if self.board.all_lines_known:
            return self.certain
        return self._joined(self._open(self.kinds))

    def _open(self, kinds: Iterable[str]) -> Iterator[Edge]:
        """The hexsides that a line of one of some kinds may cross besides those drawn."""
        board, wanted = self.board, tuple(kinds)
        sides = board.exceptions.lines if "lines" in board.complete else board.every_side
        for side in sides:
            may = board.maybe_across(side)
            if any(may_be(kind, may) for kind in wanted):
                yield side

    def _joined(self, more: Iterable[Edge]) -> dict[str, int]:
        """As :attr:`certain`, for the lines drawn and, as further lines, the hexsides ``more``."""
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
        """Whether two hexes may lie on one network."""
        found = self.possible
        return here in found and found[here] == found.get(to)

    def through(self, kind: str) -> frozenset[str]:
        """The hexes through which lines of a kind go or may go."""
        found = self._through.get(kind)
        if found is None:
            hexes = [ln.hexes for ln in self.board.lines if ln.kind == kind]
            hexes += self._open((kind,))
            found = self._through[kind] = frozenset(name for run in hexes for name in run)
        return found
