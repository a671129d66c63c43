"""The board as clauses about a mover read it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ...model.board import Board
from ..search import watch
from .objects import hex_named


class BoardView:
    """The board during a move, for clauses about its mover. A hex whose cell a clause reads counts as reached
    by a search (:func:`~..search.watch`), wherever its name comes from."""

    def __init__(self, board: Board) -> None:
        self._board = board

    def has(self, name: str, names: Iterable[str]) -> bool | None:
        """Whether one of ``names`` is among the terrain and features of a hex; None: not known."""
        watch((name,))
        return self._board.has(name, names)

    def perhaps_with(self, what: str) -> list[str]:
        """The hexes that have, or may have, a terrain or feature."""
        watch(self._board.hexes)
        return [name for name in self._board.hexes if self._board.has(name, (what,)) is not False]

    def terrain_told(self, name: str) -> bool:
        """Whether it is a hex whose terrain is known."""
        here = self._board.hexes.get(name)
        watch((name,) if here is not None else ())
        return here is not None and here.terrain is not None

    def neighbours(self, name: str) -> Sequence[str]:
        """The hexes next to a hex."""
        return self._board.neighbours(name)

    def distance(self, a: str, b: str) -> int | None:
        """The distance between two hexes; None: there is none."""
        return self._board.distance(a, b)

    def hex_named(self, value: object) -> str:
        """See :func:`.objects.hex_named`."""
        return hex_named(self._board, value)
