"""The course a board takes through a game: which of its cells are how for which steps, to be drawn."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import TypeVar

from ...model.board import Board, Edge, Hex, Line
from ...model.boards import BoardChange, parts
from ...model.game import Game, StepRef
from .map_scene import ALWAYS, While

T = TypeVar("T")


class BoardCourse:
    """See the module's text. A board that changes more than once in a step is drawn as it is after it."""

    def __init__(self, game: Game) -> None:
        self._board = game.board
        changes = [(i, e) for i, e in enumerate(game.events) if isinstance(e, BoardChange)]
        hexes = {h.name for _, change in changes for h in change.hexes}
        sides = {side for _, change in changes for side in change.sides}
        crossed = {side for _, change in changes for side in change.touched_sides()}
        self._starts: list[StepRef | None] = []
        self._hexes: dict[str, list[Hex]] = {name: [] for name in sorted(hexes)}
        self._sides: dict[Edge, list[tuple[str, ...]]] = {side: [] for side in sorted(sides)}
        self._crossed: dict[Edge, list[tuple[str, ...]]] = {side: [] for side in sorted(crossed)}
        self._note(None, game.board)
        for number, (index, change) in enumerate(changes):
            if number + 1 == len(changes) or changes[number + 1][1].at != change.at:
                self._note(change.at, game.on_board(index + 1, index + 1).board)

    def _note(self, since: StepRef | None, board: Board) -> None:
        self._starts.append(since)
        for name, held in self._hexes.items():
            held.append(board.hexes[name])
        for side, had in self._sides.items():
            had.append(board.sides.get(side, ()))
        for side, kinds in self._crossed.items():
            lines = board.lines_by_edge.get(side, ())
            kinds.append(tuple(sorted({line.kind for line in lines})))

    def _spells(self, told: list[T]) -> Iterator[tuple[T, While]]:
        """The different things that are so, one after the other, each with its steps."""
        kept = [0, *(n for n in range(1, len(told)) if told[n] != told[n - 1])]
        for here, following in pairwise([*kept, len(told)]):
            until = self._starts[following] if following < len(told) else None
            yield told[here], While(self._starts[here], until)

    def sides(self) -> Iterator[tuple[Edge, tuple[str, ...], While]]:
        """What lies on hexsides."""
        for side, kinds in self._board.sides.items():
            if side not in self._sides:
                yield side, kinds, ALWAYS
        for side, had in self._sides.items():
            yield from ((side, kinds, while_) for kinds, while_ in self._spells(had) if kinds)

    def lines(self) -> Iterator[tuple[Line, While]]:
        """Roads and the like; a part that changes is drawn hexside by hexside."""
        for line in self._board.lines:
            if self._crossed.keys().isdisjoint(line.edges()):
                yield line, ALWAYS
            else:
                kept = {side for side in line.edges() if side not in self._crossed}
                yield from ((part, ALWAYS) for part in parts(line, kept))
        for side, drawn in self._crossed.items():
            for kinds, while_ in self._spells(drawn):
                yield from ((Line(kind, side), while_) for kind in kinds)

    def hexes(self) -> Iterator[tuple[Hex, While]]:
        """Hexes that are otherwise than at the opening, while they are."""
        for name, held in self._hexes.items():
            for here, while_ in self._spells(held):
                if here != self._board.hexes[name]:
                    yield here, while_
