"""The boards of a game whose board changes in play.

Boards are immutable. A :class:`BoardChange` gives the new state of some cells from an event on, and
:class:`Boards` makes the board that holds over a span of events. A cell that changes within the span is
open: it may be in any state that it has during the span.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple, TypeVar

from .board import NONE, Board, Edge, Exceptions, Hex, Line, Names, edge

_K = TypeVar("_K")
_V = TypeVar("_V")
Span = tuple[int, int]
"""How many board changes precede the first event of a range, and how many precede its last."""


class StepRef(NamedTuple):
    """A step of a log: ``log`` counts the logs of the game from 1, ``step`` the steps of that log
    from 1 as VASSAL's "Step forward" does; step 0 is the position the log opens with."""

    log: int
    step: int

    def __str__(self) -> str:
        return f"{self.log}:{self.step}"

    @property
    def said(self) -> str:
        """The text for a sentence: ``step 6 of log 1``."""
        return f"step {self.step} of log {self.log}"


@dataclass(frozen=True)
class BoardChange:
    """New states of some cells of the board from this event on; other cells do not change.

    ``hexes``: the changed hexes (``at`` and ``sheet`` as on the board). ``sides``: all features of the
    changed hexsides. ``gone``: lines, or parts of lines, that are removed. ``lines``: lines that are added.
    ``exceptions``: what else may be in these or other cells. A hex of ``hexes`` with terrain, or a hexside
    of ``sides``, that is not among them is known completely. A hex of ``hexes`` whose level is not known,
    though the board's levels are complete, is among its ``levels``. ``source``: where this is stated.
    """

    at: StepRef
    hexes: tuple[Hex, ...] = ()
    sides: Mapping[Edge, tuple[str, ...]] = field(default_factory=dict)
    lines: tuple[Line, ...] = ()
    gone: tuple[Line, ...] = ()
    exceptions: Exceptions = field(default_factory=Exceptions)
    source: str = ""

    def touched_sides(self) -> Iterator[Edge]:
        """The hexsides whose lines change or may change."""
        for line in (*self.gone, *self.lines):
            yield from line.edges()
        yield from self.exceptions.lines


def changed(board: Board, changes: Iterable[BoardChange]) -> Board:
    """``board`` after ``changes``, applied in order."""
    lines, may = board.lines, board.exceptions
    hexes, in_hexes = dict[str, Hex](), dict[str, Names]()
    sides, on_sides = dict[Edge, tuple[str, ...]](), dict[Edge, Names]()
    across, levels = dict[Edge, Names](), set(may.levels)
    for change in changes:
        for told in change.hexes:
            hexes[told.name] = told
            in_hexes[told.name] = None if told.terrain is None else NONE
        sides.update(change.sides)
        on_sides.update((side, NONE) for side in change.sides)
        if change.gone or change.lines:
            lines = lines_after(lines, change)
        in_hexes.update(change.exceptions.hexes)
        on_sides.update(change.exceptions.sides)
        across.update(change.exceptions.lines)
        levels.difference_update(h.name for h in change.hexes)
        levels.update(change.exceptions.levels)
    return board.with_cells(
        _with(board.hexes, hexes),
        _with(board.sides, sides),
        lines,
        Exceptions(
            _with(may.hexes, in_hexes),
            _with(may.sides, on_sides),
            _with(may.lines, across),
            frozenset(levels),
        ),
    )


def _with(cells: Mapping[_K, _V], told: Mapping[_K, _V]) -> Mapping[_K, _V]:
    """``cells`` updated with ``told``; the same object if ``told`` is empty."""
    return {**cells, **told} if told else cells


def lines_after(lines: tuple[Line, ...], change: BoardChange) -> tuple[Line, ...]:
    """``lines`` without the removed parts, followed by the added lines."""
    gone: dict[str, set[Edge]] = {}
    for line in change.gone:
        gone.setdefault(line.kind, set()).update(line.edges())
    left = [part for line in lines for part in _without(line, gone.get(line.kind, set()))]
    return (*left, *change.lines)


def parts(line: Line, kept: set[Edge]) -> Iterator[Line]:
    """The parts of a line on the hexsides ``kept``, in one piece or several."""
    return _without(line, {side for side in line.edges() if side not in kept})


def _without(line: Line, gone: set[Edge]) -> Iterator[Line]:
    """The parts of a line without the hexsides ``gone``, in one piece or several."""
    if gone.isdisjoint(line.edges()):
        yield line
        return
    piece = [line.hexes[0]]
    for a, b in zip(line.hexes, line.hexes[1:], strict=False):
        if edge(a, b) in gone:
            if len(piece) > 1:
                yield replace(line, hexes=tuple(piece))
            piece = []
        piece = piece or [b]
        if piece[-1] != b:
            piece.append(b)
    if len(piece) > 1:
        yield replace(line, hexes=tuple(piece))


class _Cell:
    """The states of a cell at several times: what is there at all of them, and what at some."""

    def __init__(self) -> None:
        self.sure: list[tuple[str, ...]] = []
        self.may: list[Names] = []

    def add(self, there: tuple[str, ...], may: Names) -> None:
        self.sure.append(there)
        self.may.append(may)

    @property
    def always(self) -> tuple[str, ...]:
        first, *others = self.sure
        return tuple(name for name in first if all(name in other for other in others))

    @property
    def sometimes(self) -> Names:
        always, found = set(self.always), set[str]()
        for there, may in zip(self.sure, self.may, strict=True):
            if may is None:
                return None
            found.update(may, there)
        return frozenset(found - always)


def either_way(board: Board, changes: Sequence[BoardChange]) -> BoardChange:
    """A change that leaves each cell of ``changes`` (at least one) open between its state on ``board`` and
    the states that the changes give it."""
    sides = {side: _Cell() for change in changes for side in change.sides}
    sides.update((side, _Cell()) for change in changes for side in change.exceptions.sides)
    roads = {side: _Cell() for change in changes for side in change.touched_sides()}
    names = [h.name for change in changes for h in change.hexes]
    names += [name for change in changes for name in change.exceptions.hexes]
    hexes: dict[str, list[tuple[Hex, Names, int | None]]] = {name: [] for name in names}
    now = board
    for change in (None, *changes):
        now = now if change is None else changed(now, (change,))
        for side, cell in sides.items():
            cell.add(now.sides.get(side, ()), now.maybe_on(side))
        for side, cell in roads.items():
            kinds = (line.kind for line in now.lines_by_edge.get(side, ()))
            cell.add(tuple(dict.fromkeys(kinds)), now.maybe_across(side))
        for name, held in hexes.items():
            held.append((now.hexes[name], now.maybe_in(name), now.level_of(name)))
    told = [_hex_at_any_time(held) for held in hexes.values()]
    levels = {h.name for h, _, level in told if level is None}
    gone = tuple(line for change in changes for line in change.gone)
    left = changed(board, (BoardChange(changes[0].at, gone=gone),))
    for side, cell in roads.items():
        cell.add(tuple(line.kind for line in left.lines_by_edge.get(side, ())), NONE)
    may = Exceptions(
        {h.name: names for h, names, _ in told},
        {side: cell.sometimes for side, cell in sides.items()},
        {side: cell.sometimes for side, cell in roads.items()},
        frozenset(levels),
    )
    always = {side: cell.always for side, cell in sides.items()}
    cells = tuple(h for h, _, _ in told)
    source = changes[0].source
    return BoardChange(changes[0].at, cells, always, gone=gone, exceptions=may, source=source)


def _hex_at_any_time(
    held: Sequence[tuple[Hex, Names, int | None]],
) -> tuple[Hex, Names, int | None]:
    """A hex that had several states in turn. Its terrain is not known unless all have the same."""
    first = held[0][0]
    cell = _Cell()
    for here, may, _ in held:
        cell.add(here.features, may)
    levels = {level for _, _, level in held}
    level = levels.pop() if len(levels) == 1 else None
    own = first.level if level is not None else None
    if any(here.terrain != first.terrain for here, _, _ in held):
        return replace(first, terrain=None, features=cell.always, level=own), None, level
    return replace(first, features=cell.always, level=own), cell.sometimes, level


class Boards:
    """The boards of a game. ``opening``: the first board. ``changes``: each with the index of its event."""

    def __init__(self, opening: Board, changes: Sequence[tuple[int, BoardChange]]) -> None:
        self.opening = opening
        self._indices = [index for index, _ in changes]
        self._changes = [change for _, change in changes]
        self._latest: tuple[int, Board] = (0, opening)

    @property
    def change(self) -> bool:
        """Whether there is more than one."""
        return bool(self._changes)

    def span(self, first: int, last: int) -> Span:
        """How many changes precede event ``first``, and how many precede event ``last``."""
        before = bisect_left(self._indices, first)
        return before, max(before, bisect_left(self._indices, last))

    def board(self, span: Span) -> Board:
        """The board over a span; before any change, the ``opening`` object itself."""
        first, last = span
        number, board = self._latest
        if first < number:
            number, board = 0, self.opening
        if first > number:
            board = changed(board, self._changes[number:first])
        self._latest = (first, board)
        return (
            changed(board, (either_way(board, self._changes[first:last]),))
            if last > first
            else board
        )
