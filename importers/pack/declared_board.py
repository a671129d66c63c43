"""What a facts file tells of the board, for the whole game or for some steps, put over what else is known.

What the facts tell goes before what the board or the events of the game say of the same cell. Where a span
ends, the cell is again as it would be without the facts. Also which facts of the board a person has
looked at.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
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
    """The suggestions for cells of which the facts do not tell."""
    told = {fact.hex for fact in facts.hexes}
    told |= {cell_of(edge(*fact.hexes)) for fact in facts.hexsides}
    told |= {cell_of(edge(a, b)) for line in facts.lines for a, b in pairwise(line.hexes)}
    return tuple(one for one in suggestions if one.key.cell not in told)


def cells_told(facts: Facts) -> dict[tuple[str, Layer], list[tuple[str, DeclaredCell]]]:
    """For each layer of a cell, the ``facts`` that tell it, each with the kind of line it is about; "": it
    tells the whole layer."""
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


@dataclass(slots=True)
class _Cells:
    """Cells with facts: hexes, hexsides, and hexsides with the lines that may cross them."""

    hexes: dict[str, tuple[Hex, Names, bool]]
    sides: dict[Edge, tuple[tuple[str, ...], Names]]
    across: dict[Edge, Names]
    lines: tuple[Line, ...]

    def drawn(self) -> dict[Edge, set[str]]:
        """The kinds of lines that cross each hexside told of."""
        found: dict[Edge, set[str]] = {side: set() for side in self.across}
        for line in self.lines:
            for side in line.edges():
                if side in found:
                    found[side].add(line.kind)
        return found


class _DeclaredCells:
    """Follows a game and gives the changes of the cells with facts. ``_bare``: the board without the facts;
    ``_now``: with them, as last returned."""

    def __init__(self, board: Board, facts: Facts) -> None:
        self._facts = facts
        self._crossed = {edge(*told.hexes) for told in facts.hexsides if told.lines is not None}
        self._crossed |= {edge(a, b) for line in facts.lines for a, b in pairwise(line.hexes)}
        self._bare = _Cells(
            {told.hex: _hex_on(board, told.hex) for told in facts.hexes},
            {
                side: (board.sides.get(side, ()), board.maybe_on(side))
                for told in facts.hexsides
                for side in (edge(*told.hexes),)
            },
            {side: board.maybe_across(side) for side in self._crossed},
            board.lines,
        )
        self._now = replace(self._bare)
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
        self._bare = _after(self._bare, change)
        self._now = replace(self._now, lines=lines_after(self._now.lines, change))
        may = change.exceptions
        left = replace(
            change,
            hexes=tuple(h for h in change.hexes if h.name not in self._bare.hexes),
            sides={s: has for s, has in change.sides.items() if s not in self._bare.sides},
            exceptions=Exceptions(
                _left(may.hexes, self._bare.hexes),
                _left(may.sides, self._bare.sides),
                _left(may.lines, self._bare.across),
                may.levels - self._bare.hexes.keys(),
            ),
        )
        if left.hexes or left.sides or left.lines or left.gone or left.exceptions:
            yield left
        more = self._say(change.at)
        if more is not None:
            yield more

    def _say(self, at: StepRef) -> BoardChange | None:
        """The change from what was said last to what is so at a step."""
        before, now = self._now, self._with_facts(at)
        self._now = now
        hexes = {n: cell for n, cell in now.hexes.items() if cell != before.hexes[n]}
        sides = {s: cell for s, cell in now.sides.items() if cell != before.sides[s]}
        across = {s: names for s, names in now.across.items() if names != before.across[s]}
        gone, lines = self._lines(before, now)
        if not (hexes or sides or across or gone or lines):
            return None
        may = Exceptions(
            {n: names for n, (_, names, _) in hexes.items()},
            {s: names for s, (_, names) in sides.items()},
            across,
            frozenset(n for n, (_, _, unknown) in hexes.items() if unknown),
        )
        told = tuple(here for here, _, _ in hexes.values())
        source = self._facts.file
        has = {s: there for s, (there, _) in sides.items()}
        return BoardChange(at, told, has, lines, gone, may, source)

    def _lines(self, before: _Cells, now: _Cells) -> tuple[tuple[Line, ...], tuple[Line, ...]]:
        """The lines that are gone, and those that are new."""
        was, is_now = before.drawn(), now.drawn()
        gone = [(k, s) for s in self._crossed for k in sorted(was[s] - is_now[s])]
        new = {(k, s) for s in self._crossed for k in is_now[s] - was[s]}
        added = [
            part
            for line in now.lines
            for part in parts(line, {s for k, s in new if k == line.kind})
        ]
        return tuple(Line(kind, side) for kind, side in sorted(gone)), tuple(added)

    def _with_facts(self, at: StepRef) -> _Cells:
        hexes, sides = dict(self._bare.hexes), dict(self._bare.sides)
        for told in _holding(self._facts.hexes, at):
            hexes[told.hex] = _hex_as_told(hexes[told.hex], told)
        for there in _holding(self._facts.hexsides, at):
            if there.has is not None:
                sides[edge(*there.hexes)] = (there.has, NONE)
        lines, across = self._lines_as_told(at)
        return _Cells(hexes, sides, across, lines)

    def _lines_as_told(self, at: StepRef) -> tuple[tuple[Line, ...], dict[Edge, Names]]:
        across, lines = dict(self._bare.across), self._bare.lines
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


def _hex_as_told(cell: tuple[Hex, Names, bool], told: DeclaredHex) -> tuple[Hex, Names, bool]:
    here, may, unknown = cell
    if told.terrain is not None:
        may = NONE if here.terrain is None else may
        here = replace(here, terrain=told.terrain)
    if told.features is not None:
        may = may if here.terrain is None else NONE
        here = replace(here, features=told.features)
    if told.level is not None:
        here, unknown = replace(here, level=told.level), False
    return here, may, unknown


def _after(cells: _Cells, change: BoardChange) -> _Cells:
    """Cells after a change of the board."""
    hexes, sides, across = dict(cells.hexes), dict(cells.sides), dict(cells.across)
    may = change.exceptions
    for here in change.hexes:
        if here.name in hexes:
            known: Names = None if here.terrain is None else NONE
            hexes[here.name] = here, known, False
    for name, names in may.hexes.items():
        if name in hexes:
            hexes[name] = hexes[name][0], names, hexes[name][2]
    for name in may.levels & hexes.keys():
        hexes[name] = *hexes[name][:2], True
    for side, has in change.sides.items():
        if side in sides:
            sides[side] = has, NONE
    for side, names in may.sides.items():
        if side in sides:
            sides[side] = sides[side][0], names
    across.update((side, names) for side, names in may.lines.items() if side in across)
    return _Cells(hexes, sides, across, lines_after(cells.lines, change))


def _left(names: Mapping[Cell, Names], told: Mapping[Cell, object]) -> dict[Cell, Names]:
    return {cell: may for cell, may in names.items() if cell not in told}


def seen_of(pack: Pack, values: Mapping[Key, str], records: Records) -> frozenset[Key]:
    """The facts that a person entered or looked at. ``values``: all the files tell; ``records``: those that
    still speak of these. What is written in the files without a record counts as entered, unless records are
    required; what ``complete`` says of a whole layer does not, for nobody need have looked at each cell."""
    seen = {key for key, record in records.items() if record.is_seen}
    if not pack.provenance_required:
        seen.update(
            key
            for key, value in values.items()
            if key not in records and not _at_once(key, value, pack)
        )
    return frozenset(seen)


def _at_once(key: Key, value: str, pack: Pack) -> bool:
    """Whether a fact without a record follows from what is said of a whole layer."""
    if key.name:
        return False
    if key.layer in ("hexsides", "lines"):
        return key.layer in pack.complete
    return key.layer != "features" and value == NOTHING


def facts_seen(board: Board, facts: Facts) -> frozenset[Key]:
    """The facts of ``board`` that a facts file tells for the whole game: its writer has seen them."""
    told = cells_told(facts)
    whole = {
        cell: {kind for kind, one in entries if one.span.whole} for cell, entries in told.items()
    }
    return frozenset(
        key
        for key in (values_of(board) if told else ())
        if not whole.get((key.cell, key.layer), set()).isdisjoint(("", key.name))
    )
