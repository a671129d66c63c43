"""Boards and the records of their cells: the board as the records make it known, and as suggested."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TypeVar

from .board import NONE, Board, Edge, Exceptions, Hex, Line, Names, edge
from .provenance import KNOWN, Key, Layer, Record, Records, Status, current

Cell = TypeVar("Cell", str, Edge)

YES = "yes"
"""The value of a feature or line that is there."""
NOTHING = "none"
"""The value where there is nothing, or no level."""


@dataclass(frozen=True, slots=True)
class Suggestion:
    """A fact of the board that has a record but does not count as known."""

    key: Key
    value: str
    status: Status


def cell_of(side: Edge) -> str:
    """The name of a hexside in records: ``0403/0404``."""
    return "/".join(side)


def set_text(names: Iterable[str]) -> str:
    """A set of names as a value: ``bridge+river``, ``none``."""
    return "+".join(sorted(set(names))) or NOTHING


def values_of(board: Board) -> dict[Key, str]:
    """The value of every fact of a board, by the key of its record. The fact "no level" is missing if the
    level is not known; the fact "nothing else is there" is missing if something else may be."""
    found: dict[Key, str] = {}
    may = board.exceptions

    def add(cell: str, layer: Layer, names: tuple[str, ...], maybe: Names) -> None:
        for name in names:
            found[Key(cell, layer, name)] = YES
        if not maybe and maybe is not None:
            found[Key(cell, layer)] = set_text(names) if names else NOTHING

    for name, here in board.hexes.items():
        if here.terrain is not None:
            found[Key(name, "terrain")] = "+".join(here.terrain) or NOTHING
        if here.level is not None or name not in may.levels:
            found[Key(name, "level")] = NOTHING if here.level is None else str(here.level)
        add(name, "features", here.features, may.hexes.get(name, NONE))
    for side in board.every_side:
        cell = cell_of(side)
        drawn = tuple(line.kind for line in board.lines_by_edge.get(side, ()))
        add(cell, "hexsides", board.sides.get(side, ()), may.sides.get(side, NONE))
        add(cell, "lines", drawn, may.lines.get(side, NONE))
    return found


def every_side(board: Board) -> list[Edge]:
    """Every hexside between two hexes of a board, in order."""
    return list(board.every_side)


def vouched(
    board: Board, records: Records, *, required: bool, void: bool = True
) -> tuple[Board, tuple[Suggestion, ...]]:
    """``board`` with only the facts that are known by ``records``, and the other recorded facts.

    ``required``: a fact without a record is not known, even if its layer is complete; otherwise it counts as
    typed. A record whose value differs from the board's is void, that is, ignored. ``void`` False: the
    caller knows that ``records`` has no such record.
    """
    held = current(records, values_of(board)) if void else records
    return _Voucher(board, held, required).result()


class _Voucher:
    def __init__(self, board: Board, records: Records, required: bool) -> None:
        self.board, self.records, self.required = board, records, required

    def result(self) -> tuple[Board, tuple[Suggestion, ...]]:
        board = self.board
        may = board.exceptions
        hexes = dict(board.hexes)
        in_hex, on_side, across = dict(may.hexes), dict(may.sides), dict(may.lines)
        levels = set(may.levels)
        for name in board.hexes:
            hexes[name] = self._hex(name, in_hex, levels)
        sides = dict(board.sides)
        uncertain: dict[Edge, frozenset[str]] = {}
        for side in board.every_side:
            cell, has = cell_of(side), board.sides.get(side, ())
            kept, names = self._names(cell, "hexsides", has, board.maybe_on(side))
            if kept != has:
                sides[side] = kept
            self._except(on_side, side, names, board.maybe_on(side))
            crossing = board.lines_by_edge.get(side, ())
            drawn = tuple(dict.fromkeys([line.kind for line in crossing])) if crossing else ()
            kept, names = self._names(cell, "lines", drawn, board.maybe_across(side))
            if kept != drawn:
                uncertain[side] = frozenset(drawn) - frozenset(kept)
            self._except(across, side, names, board.maybe_across(side))
        lines = tuple(part for line in board.lines for part in _without(line, uncertain))
        told = board.with_cells(
            hexes,
            {side: has for side, has in sides.items() if has},
            lines,
            Exceptions(in_hex, on_side, across, frozenset(levels)),
            frozenset() if self.required else board.complete,
        )
        return told, tuple(self._suggestions())

    def _suggestions(self) -> Iterator[Suggestion]:
        for key, record in self.records.items():
            if not record.is_known:
                yield Suggestion(key, record.value, record.status)

    def _known(self, cell: str, layer: Layer, name: str = "") -> bool:
        # A Key is a tuple; creating one would take longer than everything else here.
        record = self.records.get((cell, layer, name))  # type: ignore[call-overload]
        return not self.required if record is None else record.status in KNOWN

    def _hex(self, name: str, in_hex: dict[str, Names], levels: set[str]) -> Hex:
        here = self.board.hexes[name]
        if not self._known(name, "terrain"):
            here = replace(here, terrain=None)
        if not self._known(name, "level"):
            here = replace(here, level=None)
            levels.add(name)
        elif self.required and here.level is None:  # known to have no level
            here = replace(here, level=0)
        before = self.board.maybe_in(name)
        kept, names = self._names(name, "features", here.features, before)
        self._except(in_hex, name, names, before)
        return here if kept == here.features else replace(here, features=kept)

    def _names(
        self, cell: str, layer: Layer, held: tuple[str, ...], before: Names
    ) -> tuple[tuple[str, ...], Names]:
        """The names that are certainly there, and those that may be there besides."""
        whole = self.records.get((cell, layer, ""))  # type: ignore[call-overload]
        rest = None if self.required else before
        if whole is not None:
            rest = NONE if whole.status in KNOWN else None
        if not held:
            return held, rest
        kept = tuple([name for name in held if self._known(cell, layer, name)])
        if kept == held:
            return held, rest
        return kept, None if rest is None else rest | (frozenset(held) - frozenset(kept))

    def _except(self, into: dict[Cell, Names], cell: Cell, names: Names, before: Names) -> None:
        if self.required or names != before:
            into[cell] = names


def _without(line: Line, uncertain: Mapping[Edge, frozenset[str]]) -> Iterator[Line]:
    """The parts of a line without its uncertain steps."""
    run = list(line.hexes[:1])
    for a, b in pairwise(line.hexes):
        if line.kind not in uncertain.get(edge(a, b), NONE):
            run.append(b)
            continue
        if len(run) > 1:
            yield replace(line, hexes=tuple(run))
        run = [b]
    if len(run) > 1:
        yield replace(line, hexes=tuple(run))


def as_suggested(board: Board, suggestions: Iterable[Suggestion]) -> Board:
    """``board`` as if all suggestions were right."""
    hexes, sides, lines = dict(board.hexes), dict(board.sides), _Lines(board.lines)
    may = board.exceptions
    in_hex, on_side, across = dict(may.hexes), dict(may.sides), dict(may.lines)
    levels = set(may.levels)
    told = sorted(suggestions, key=lambda s: (s.key.cell, s.key.layer, not s.key.name, s.key.name))
    whole: list[Suggestion] = []
    for one in told:
        cell, layer, name = one.key
        side = side_of(cell, hexes) or (cell, cell)
        if layer == "terrain":
            terrain = () if one.value == NOTHING else tuple(one.value.split("+"))
            hexes[cell] = replace(hexes[cell], terrain=terrain)
        elif layer == "level":
            level = None if one.value == NOTHING else int(one.value)
            hexes[cell] = replace(hexes[cell], level=level)
            levels.discard(cell)
        elif not name:
            whole.append(one)
        elif layer == "features":
            features = dict.fromkeys((*hexes[cell].features, name))
            hexes[cell] = replace(hexes[cell], features=tuple(features))
            _less(in_hex, cell, name)
        elif layer == "hexsides":
            sides[side] = tuple(dict.fromkeys((*sides.get(side, ()), name)))
            _less(on_side, side, name)
        elif layer == "lines":
            lines.add(name, side)
            _less(across, side, name)
    for one in whole:
        cell, layer = one.key.cell, one.key.layer
        side = side_of(cell, hexes) or (cell, cell)
        if layer == "features":
            in_hex[cell] = in_hex.get(cell) or NONE
        elif layer == "hexsides":
            on_side[side] = on_side.get(side) or NONE
        elif layer == "lines":
            across[side] = across.get(side) or NONE
    return replace(
        board,
        hexes=hexes,
        sides=sides,
        lines=lines.all(),
        exceptions=Exceptions(in_hex, on_side, across, frozenset(levels)),
    )


def side_of(cell: str, hexes: Container[str]) -> Edge | None:
    """The hexside that a record names; None if it is not one between two of ``hexes``."""
    parts = cell.split("/")
    for cut in range(1, len(parts)):
        a, b = "/".join(parts[:cut]), "/".join(parts[cut:])
        if a in hexes and b in hexes:
            return edge(a, b)
    return None


def _less(into: dict[Cell, Names], cell: Cell, name: str) -> None:
    names = into.get(cell)
    if names is not None:
        into[cell] = names - {name}


def as_recorded(board: Board, record: Record) -> Board:
    """``board`` with one cell set to the value of ``record``. If the record lists everything there, nothing
    else in the cell is open."""
    (cell, layer, name), value = record.key, record.value
    one = Suggestion(record.key, value, record.status)
    if name or layer not in ("features", "hexsides", "lines"):
        return as_suggested(board, [one])
    names = () if value == NOTHING else tuple(value.split("+"))
    side = side_of(cell, board.hexes)
    if layer == "features":
        here = replace(board.hexes[cell], features=names)
        return replace(board, hexes={**board.hexes, cell: here})
    if side is None:
        return board
    if layer == "hexsides":
        return replace(board, sides={**board.sides, side: names})
    crossing = {line.kind for line in board.lines_by_edge.get(side, ())}
    parts = (_without(line, {side: frozenset(crossing - set(names))}) for line in board.lines)
    drawn = replace(board, lines=tuple(part for some in parts for part in some))
    missing = (Suggestion(Key(cell, layer, kind), YES, record.status) for kind in names)
    return as_suggested(drawn, (m for m in missing if m.key.name not in crossing))


def not_known(board: Board, key: Key) -> Board:
    """``board`` with one fact made unknown: the terrain or level of a hex; whether the feature, hexside
    feature or kind of line that ``key`` names is there; or, without a name, what else is there. KeyError if
    there is no such cell."""
    cell, layer, name = key
    may = board.exceptions
    if layer in ("terrain", "level", "features"):
        here, in_hex, levels = board.hexes[cell], may.hexes, may.levels
        if layer == "terrain":
            here = replace(here, terrain=None)
        elif layer == "level":
            here, levels = replace(here, level=None), levels | {cell}
        else:
            in_hex = {**in_hex, cell: _and(board.maybe_in(cell), name)}
            here = replace(here, features=tuple(f for f in here.features if f != name))
        exceptions = replace(may, hexes=in_hex, levels=levels)
        return board.with_cells({**board.hexes, cell: here}, board.sides, board.lines, exceptions)
    side = side_of(cell, board.hexes)
    if side is None:
        raise KeyError(cell)
    if layer == "hexsides":
        has = tuple(one for one in board.sides.get(side, ()) if one != name)
        told = {**board.sides, side: has}
        maybe = {**may.sides, side: _and(board.maybe_on(side), name)}
        return board.with_cells(board.hexes, told, board.lines, replace(may, sides=maybe))
    lines = board.lines
    if any(line.kind == name for line in board.lines_by_edge.get(side, ())):
        lines = tuple(part for one in lines for part in _without(one, {side: frozenset((name,))}))
    maybe = {**may.lines, side: _and(board.maybe_across(side), name)}
    return board.with_cells(board.hexes, board.sides, lines, replace(may, lines=maybe))


def _and(names: Names, name: str) -> Names:
    """What may be there if ``name`` (no name: anything) may be there as well."""
    return names | {name} if name and names is not None else None


class _Lines:
    """Lines to which steps are added one by one. A step joins the lines of its kind that end at it."""

    def __init__(self, lines: Iterable[Line]) -> None:
        self._held: dict[int, Line] = {}
        self._ends: dict[tuple[str, str], set[int]] = {}
        self._next = 0
        for line in lines:
            self._put(line)

    def all(self) -> tuple[Line, ...]:
        """The lines; joined ones come last."""
        return tuple(self._held.values())

    def add(self, kind: str, side: Edge) -> None:
        """Add a step. The joined line has the name of the first line it joins."""
        hexes: tuple[str, ...] = side
        model: Line | None = None
        last = -1
        while True:
            ends = {*self._ends.get((kind, hexes[0]), ()), *self._ends.get((kind, hexes[-1]), ())}
            last = min((number for number in ends if number > last), default=-1)
            if last < 0:
                break
            line = self._held[last]
            if model is not None and _nature(line) != _nature(model):
                continue
            for run in (line.hexes, line.hexes[::-1]):
                rest = hexes if run[-1] == hexes[0] else hexes[::-1]
                if run[-1] == rest[0] and set(run[:-1]).isdisjoint(rest):
                    self._take(last)
                    hexes, model = (*run, *rest[1:]), model or line
                    break
        self._put(replace(model, hexes=hexes) if model is not None else Line(kind, hexes))

    def _put(self, line: Line) -> None:
        self._held[self._next] = line
        for end in (line.hexes[0], line.hexes[-1]):
            self._ends.setdefault((line.kind, end), set()).add(self._next)
        self._next += 1

    def _take(self, number: int) -> None:
        line = self._held.pop(number)
        for end in (line.hexes[0], line.hexes[-1]):
            self._ends[line.kind, end].discard(number)


def _nature(line: Line) -> tuple[str, bool]:
    return line.name, line.junctions
