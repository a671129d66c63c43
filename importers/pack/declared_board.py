"""The facts file's entries about the board, for the whole game or for some steps.

They take precedence over the board and the events of the game. At the end of a span, the cell is as it would
be without the facts. Also the facts of the board that a person has looked at.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import TypeVar

from ...model.board import NONE, Board, Edge, Exceptions, Hex, Line, Names, edge
from ...model.boards import BoardChange, changed, lines_after, parts
from ...model.game import Event, StepRef
from ...model.problem import Problem
from ...model.provenance import Key, Layer, Records
from ...model.vouching import NOTHING, Suggestion, cell_of, values_of
from .declared import after
from .facts import DeclaredCell, DeclaredHex, DeclaredHexside, DeclaredLine, Facts
from .pack import Pack

OPENING = StepRef(1, 0)
Entry = TypeVar("Entry", DeclaredHex, DeclaredHexside, DeclaredLine)
Cell = TypeVar("Cell", str, Edge)
Held = TypeVar("Held")


def with_declared_board(
    board: Board, events: Iterable[Event], facts: Facts
) -> tuple[Board, list[Event], tuple[Problem, ...]]:
    """The opening board and the events, with the ``facts`` about the board added. Faults are returned as
    problems of severity error; then nothing is added."""
    problems = tuple(_faults(board, facts))
    if problems or not (facts.hexes or facts.hexsides or facts.lines):
        return board, list(events), problems
    told = _DeclaredCells(board, facts)
    first = told.due(OPENING)
    opening = board if first is None else _opening(board, first, facts)
    return opening, list(_with_changes(events, told)), ()


def untold(suggestions: Iterable[Suggestion], facts: Facts) -> tuple[Suggestion, ...]:
    """The suggestions for cells that the facts do not name."""
    told = {fact.hex for fact in facts.hexes}
    told |= {cell_of(edge(*fact.hexes)) for fact in facts.hexsides}
    told |= {cell_of(edge(a, b)) for line in facts.lines for a, b in pairwise(line.hexes)}
    return tuple(one for one in suggestions if one.key.cell not in told)


def cells_told(facts: Facts) -> dict[tuple[str, Layer], list[tuple[str, DeclaredCell]]]:
    """For each layer of a cell, the ``facts`` about it, each with its kind of line; "": the fact is about the
    whole layer."""
    found: dict[tuple[str, Layer], list[tuple[str, DeclaredCell]]] = {}

    def tell(cell: str, layer: Layer, told: DeclaredCell, kind: str = "") -> None:
        found.setdefault((cell, layer), []).append((kind, told))

    for one in facts.hexes:
        if one.terrain is not None:
            tell(one.hex, "terrain", one)
        if one.features is not None:
            tell(one.hex, "features", one)
    for side in facts.hexsides:
        if side.has is not None:
            tell(cell_of(edge(*side.hexes)), "hexsides", side)
        if side.lines is not None:
            tell(cell_of(edge(*side.hexes)), "lines", side)
    for line in facts.lines:
        for a, b in pairwise(line.hexes):
            tell(cell_of(edge(a, b)), "lines", line, line.kind)
    return found


def _opening(board: Board, first: BoardChange, facts: Facts) -> Board:
    """``board`` by the facts at the beginning. The features of a hex that the facts do not give are known
    only as far as they were before."""
    told = changed(board, (first,))
    featured = {entry.hex for entry in facts.hexes if entry.features is not None}
    may = {
        name: names
        for name, names in told.exceptions.hexes.items()
        if names != NONE or name in featured or name in board.exceptions.hexes
    }
    return replace(told, exceptions=replace(told.exceptions, hexes=may))


def _with_changes(events: Iterable[Event], told: _DeclaredCells) -> Iterator[Event]:
    for event in events:
        due = told.due(event.at)
        if due is not None:
            yield due
        if isinstance(event, BoardChange):
            yield from told.under(event)
        else:
            yield event


def _faults(board: Board, facts: Facts) -> Iterator[Problem]:
    """The facts about hexes that do not exist or are not adjacent."""
    for told in facts.hexes:
        if told.hex not in board.hexes:
            yield _fault(told.source, "a hex of the board", told.hex)
    chains: list[tuple[tuple[str, ...], str, str]]
    chains = [(h.hexes, h.source, "two hexes next to each other") for h in facts.hexsides]
    chains += [
        (line.hexes, line.source, "hexes each next to the one before") for line in facts.lines
    ]
    for hexes, source, expected in chains:
        for a, b in pairwise(hexes):
            if a not in board.hexes or b not in board.hexes or b not in board.neighbours(a):
                yield _fault(source, expected, f"{a} and {b}")
                break


def _fault(source: str, expected: str, found: str) -> Problem:
    return Problem("facts", f"expected {expected}; found {found}", source, "error")


class _DeclaredCells:
    """Follows a game and gives the changes of the cells with facts. ``_bare``: the board without the facts;
    ``_now``: with them, as last returned."""

    def __init__(self, board: Board, facts: Facts) -> None:
        self._facts = facts
        self._bare = self._now = board
        self._hexes = dict.fromkeys(told.hex for told in facts.hexes)
        self._sides = dict.fromkeys(edge(*told.hexes) for told in facts.hexsides)
        self._crossed = {edge(*told.hexes) for told in facts.hexsides if told.lines is not None}
        self._crossed |= {edge(a, b) for line in facts.lines for a, b in pairwise(line.hexes)}
        entries: list[DeclaredHex | DeclaredHexside | DeclaredLine]
        entries = [*facts.hexes, *facts.hexsides, *facts.lines]
        ends = (after(entry.span) for entry in entries)
        edges = {entry.span.first for entry in entries} | {end for end in ends if end is not None}
        self._edges = sorted(edges)

    def due(self, at: StepRef) -> BoardChange | None:
        """The board change at a step at which facts begin or end; None if there is none."""
        if not self._edges or self._edges[0] > at:
            return None
        while self._edges and self._edges[0] <= at:
            self._edges.pop(0)
        return self._say(at)

    def under(self, change: BoardChange) -> Iterator[BoardChange]:
        """A change of the board in play, without the cells that have facts, followed by the present state of
        these cells."""
        self._bare = changed(self._bare, (change,))
        may = change.exceptions
        left = replace(
            change,
            hexes=tuple(h for h in change.hexes if h.name not in self._hexes),
            sides=_left(change.sides, self._sides),
            exceptions=Exceptions(
                _left(may.hexes, self._hexes),
                _left(may.sides, self._sides),
                _left(may.lines, self._crossed),
                may.levels - self._hexes.keys(),
            ),
        )
        if left.hexes or left.sides or left.lines or left.gone or left.exceptions:
            self._now = changed(self._now, (left,))
            yield left
        more = self._say(change.at)
        if more is not None:
            yield more

    def _say(self, at: StepRef) -> BoardChange | None:
        """The change from the last returned state to the state at a step."""
        before, now = self._now, self._as_told(at)
        self._now = now
        hexes = [n for n in self._hexes if _hex_on(now, n) != _hex_on(before, n)]
        sides = [s for s in self._sides if _side_on(now, s) != _side_on(before, s)]
        across = [s for s in self._crossed if now.maybe_across(s) != before.maybe_across(s)]
        gone, lines = self._lines(before, now)
        if not (hexes or sides or across or gone or lines):
            return None
        may = Exceptions(
            {n: now.maybe_in(n) for n in hexes},
            {s: now.maybe_on(s) for s in sides},
            {s: now.maybe_across(s) for s in across},
            now.exceptions.levels.intersection(hexes),
        )
        told = tuple(now.hexes[n] for n in hexes)
        has = {s: now.sides.get(s, ()) for s in sides}
        return BoardChange(at, told, has, lines, gone, may, self._facts.file)

    def _lines(self, before: Board, now: Board) -> tuple[tuple[Line, ...], tuple[Line, ...]]:
        """The lines that are gone, and those that are new."""
        was = {(k, s) for s in self._crossed for k in _kinds_across(before, s)}
        is_now = {(k, s) for s in self._crossed for k in _kinds_across(now, s)}
        gone, new = was - is_now, is_now - was
        added = [
            part
            for line in now.lines
            for part in parts(line, {s for k, s in new if k == line.kind})
        ]
        return tuple(Line(kind, side) for kind, side in sorted(gone)), tuple(added)

    def _as_told(self, at: StepRef) -> Board:
        """The board with the facts that hold at a step."""
        bare, may = self._bare, self._bare.exceptions
        hexes, inside = dict(bare.hexes), dict(may.hexes)
        for told in _holding(self._facts.hexes, at):
            here = hexes[told.hex]
            if told.terrain is not None:
                if here.terrain is None:
                    inside[told.hex] = NONE
                here = replace(here, terrain=told.terrain)
            if told.features is not None:
                if here.terrain is not None:
                    inside[told.hex] = NONE
                here = replace(here, features=told.features)
            if told.level is not None:
                here = replace(here, level=told.level)
            hexes[told.hex] = here
        sides, on_sides = dict(bare.sides), dict(may.sides)
        for there in _holding(self._facts.hexsides, at):
            if there.has is not None:
                sides[edge(*there.hexes)] = there.has
                on_sides[edge(*there.hexes)] = NONE
        lines, across = self._lines_as_told(at)
        exceptions = Exceptions(inside, on_sides, {**may.lines, **across}, may.levels)
        return bare.with_cells(hexes, sides, lines, exceptions)

    def _lines_as_told(self, at: StepRef) -> tuple[tuple[Line, ...], dict[Edge, Names]]:
        lines = self._bare.lines
        across = {side: self._bare.maybe_across(side) for side in self._crossed}
        for told in _holding(self._facts.hexsides, at):
            if told.lines is not None:
                side = edge(*told.hexes)
                drawn = {line.kind for line in lines if side in line.edges()}
                lines = _drawn(lines, side, [(kind, False) for kind in drawn - {*told.lines}])
                lines = _drawn(
                    lines, side, [(kind, True) for kind in told.lines if kind not in drawn]
                )
                across[side] = NONE
        for line in _holding(self._facts.lines, at):
            for a, b in pairwise(line.hexes):
                side = edge(a, b)
                may = across[side]
                across[side] = None if may is None else may - {line.kind}
                drawn = {other.kind for other in lines if side in other.edges()}
                if (line.kind in drawn) != line.there:
                    lines = _drawn(lines, side, [(line.kind, line.there)])
        return lines, across


def _drawn(
    lines: tuple[Line, ...], side: Edge, kinds: Sequence[tuple[str, bool]]
) -> tuple[Line, ...]:
    """``lines`` with one line of each of ``kinds`` across a hexside, or without any."""
    for kind, there in kinds:
        line = (Line(kind, side),)
        told = BoardChange(OPENING, lines=line) if there else BoardChange(OPENING, gone=line)
        lines = lines_after(lines, told)
    return lines


def _holding(entries: Iterable[Entry], at: StepRef) -> Iterator[Entry]:
    """Those of ``entries`` that hold at a step, in order. Later ones take precedence."""
    return (entry for entry in entries if at in entry.span)


def _hex_on(board: Board, name: str) -> tuple[Hex, Names, bool]:
    """A hex, what may be in it besides, and whether its level is an exception: not known although levels are
    known whole."""
    return board.hexes[name], board.maybe_in(name), name in board.exceptions.levels


def _side_on(board: Board, side: Edge) -> tuple[tuple[str, ...], Names]:
    return board.sides.get(side, ()), board.maybe_on(side)


def _kinds_across(board: Board, side: Edge) -> set[str]:
    return {line.kind for line in board.lines_by_edge.get(side, ())}


def _left(cells: Mapping[Cell, Held], told: Container[Cell]) -> dict[Cell, Held]:
    return {cell: held for cell, held in cells.items() if cell not in told}


def seen_of(pack: Pack, values: Mapping[Key, str], records: Records) -> frozenset[Key]:
    """The facts that a person entered or looked at. ``values``: all facts in the files; ``records``: those
    not void. A fact in the files without a record counts as entered, unless records are required. A layer's
    entry in ``complete`` does not count, as it needs no look at each cell."""
    seen = {key for key, record in records.items() if record.is_seen}
    if not pack.provenance_required:
        seen.update(
            key
            for key, value in values.items()
            if key not in records and not _at_once(key, value, pack)
        )
    return frozenset(seen)


def _at_once(key: Key, value: str, pack: Pack) -> bool:
    """Whether a fact without a record follows from a statement about a whole layer."""
    if key.name:
        return False
    if key.layer in ("hexsides", "lines"):
        return key.layer in pack.complete
    return key.layer != "features" and value == NOTHING


def facts_seen(board: Board, facts: Facts) -> frozenset[Key]:
    """The facts of ``board`` that a facts file gives for the whole game: its author has seen them."""
    told = cells_told(facts)
    whole = {
        cell: {kind for kind, one in entries if one.span.whole} for cell, entries in told.items()
    }
    return frozenset(
        key
        for key in (values_of(board) if told else ())
        if not whole.get((key.cell, key.layer), set()).isdisjoint(("", key.name))
    )
