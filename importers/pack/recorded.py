"""Terrain that the module records itself, added to the board where the pack's spreadsheets have no entry.

All of it is *imported*: it counts as known only where a record of ``provenance.csv`` vouches for it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property

from ...model.board import Board, Edge, Line, edge
from ...model.names import HEXSIDE, LINE, TERRAIN, NameUsed, Words, unknown_names
from ...model.problem import Problem
from ...model.provenance import Key, Layer, Method, Record, Records, current
from ...model.vouching import NOTHING, YES, cell_of, set_text, values_of
from ..vassal.buildfile_terrain import recorded_grid
from ..vassal.grids import HexGrid
from ..vassal.layout import MapLayout, Place
from ..vassal.terrain_map import MOST_TOLD, RecordedTerrain, TerrainRecord
from ..vassal.terrain_map import cell_of as raw_cell
from .board import Places
from .hexnames import hexes_of
from .pack import Pack, Recorded

BY = Method("program", "terrainMaps of the module")
NOT_KNOWN = "?"
_OF_KIND = {"hex": TERRAIN, "hexside": HEXSIDE, "line": LINE}
_LEVEL = re.compile(r"[+-]?\d{1,6}")
_SIDE_LAYERS: dict[str, Layer] = {"hexside": "hexsides", "line": "lines"}


@dataclass(frozen=True)
class Imported:
    """``board`` with the imported facts as if they were right, a record of status ``imported`` for each of
    them, and problems."""

    board: Board
    records: tuple[Record, ...] = ()
    problems: tuple[Problem, ...] = ()


def with_recorded(
    board: Board,
    pack: Pack,
    terrain: Iterable[RecordedTerrain],
    places: Places,
    layouts: Mapping[str, MapLayout],
    words: Mapping[str, Words] | None = None,
) -> Imported:
    """``board``, which has the facts of the pack's spreadsheets, with those that ``terrain`` of the module
    adds.

    A cell does not change if the spreadsheets name it or give its layer completely, or if the pack's records
    fit its state without the module. Names that are not among the ruleset's ``words`` are reported and left
    out; None: the names are not known.
    """
    named = {one.board: one for one in terrain}
    if not named or not pack.recorded.used:
        return Imported(board)
    own = {record.key: record for record in pack.records}
    vouched = frozenset(current(own, values_of(board))) if own else frozenset[Key]()
    import_ = _Import(board, pack, words, vouched)
    for sheet in dict.fromkeys(sheet.map for sheet in pack.sheets):
        for number, placed in enumerate(layouts[sheet].boards if sheet in layouts else ()):
            found = recorded_grid(placed.grid)
            if placed.name in named and found is not None:
                home = _BoardPlacement(places, sheet, number, *found)
                import_.collect(named[placed.name], home)
    return import_.result()


def records_with(imported: Imported, own: Iterable[Record]) -> Records:
    """The pack's ``own`` records; those of imported facts replace void ones and are added."""
    found = {record.key: record for record in own}
    held = current(found, values_of(imported.board)) if imported.records else {}
    found.update((record.key, record) for record in imported.records if record.key not in held)
    return found


@dataclass(frozen=True, slots=True)
class _BoardPlacement:
    """A board in its place: the game's hex for each cell of its grid."""

    places: Places
    map: str
    number: int
    zone: int | None
    grid: HexGrid

    def hexes(self, record: TerrainRecord) -> list[str | None]:
        """The hexes that a record names; None for one that the game does not have."""
        cells = (raw_cell(self.grid, at) for at in record.cell)
        return [self.places.hex_at(self.map, Place(self.number, self.zone, *c)) for c in cells]


@dataclass(frozen=True, slots=True)
class _Told:
    """The content of a record about a cell, in the ruleset's words."""

    names: tuple[str, ...]
    name: str
    where: str


@dataclass
class _Import:
    board: Board
    pack: Pack
    words: Mapping[str, Words] | None
    vouched: frozenset[Key]
    """The facts whose records fit the board without the module's terrain."""
    found: dict[tuple[str, str | Edge], _Told | None] = field(default_factory=dict)
    """By kind and cell; None: the record is not understood, or two records differ."""
    covered: set[str] = field(default_factory=set)
    """The hexes of grids that have records."""
    known: dict[tuple[str, str], bool] = field(default_factory=dict)
    unknown: dict[tuple[str, str], list[str]] = field(default_factory=dict)
    """By kind and name, the places of names that the ruleset does not know."""
    problems: list[Problem] = field(default_factory=list)

    @property
    def rule(self) -> Recorded:
        return self.pack.recorded

    def collect(self, terrain: RecordedTerrain, home: _BoardPlacement) -> None:
        """Take over the records of one board."""
        off: list[TerrainRecord] = []
        self.covered.update(home.places.hexes_of(home.map, home.number, home.zone))
        for record in terrain.records:
            here = home.hexes(record)
            hexes = [name for name in here if name is not None]
            if len(hexes) < len(here):
                off.append(record)
                continue
            where = terrain.where(record)
            cell = hexes[0] if record.to is None else edge(hexes[0], hexes[-1])
            if not self._wanted(record, cell):
                continue
            told = (self._level if record.kind == "attribute" else self._in_words)(record, where)
            self._put(record.kind, cell, told)
        if off:
            message = (
                f"recorded terrain lies off the hexes of the game (the first: column {off[0].at[0]},"
                f" row {off[0].at[1]}); it is left out"
            )
            where = terrain.where(off[0])
            self.problems.append(Problem("terrain-off-board", message, where, "note", len(off)))

    def _wanted(self, record: TerrainRecord, cell: str | Edge) -> bool:
        """Whether the spreadsheets do not give the fact that a record gives."""
        board = self.board
        if not isinstance(cell, str):
            layer = _SIDE_LAYERS[record.kind]
            return cell[1] in board.neighbours(cell[0]) and self._untold(layer, cell)
        if record.kind == "hex":
            return board.hexes[cell].terrain is None and cell not in self._said_open
        if record.name != self.rule.level:
            return False
        open_level = board.level_of(cell) is None and cell not in board.exceptions.levels
        return open_level and Key(cell, "level") not in self.vouched

    def _level(self, record: TerrainRecord, where: str) -> _Told | None:
        if _LEVEL.fullmatch(record.value.strip()):
            level = str(int(record.value))
            return _Told((level,), level, where)
        found = record.value[:40]
        self._tell(f"expected a whole number for {self.rule.level}; found {found!r}", where)
        return None

    def _in_words(self, record: TerrainRecord, where: str) -> _Told | None:
        """A record's content in the words of the ruleset; None: it is not understood."""
        translated = self.rule.names[record.kind].get(record.name)
        names = (record.name,) if translated is None else translated
        if translated is None and "+" in record.name:
            self._tell(f"expected [board.recorded] to translate {record.name!r}", where)
            return None
        kind = _OF_KIND[record.kind]
        if not all(self._know(kind, name) for name in names):
            if translated is None:  # the pack's own words are reported with others of pack.toml
                self.unknown.setdefault((kind, record.name), []).append(where)
            return None
        return _Told(names, record.name, where) if names or record.kind != "hex" else None

    def _know(self, kind: str, name: str) -> bool:
        known = self.known.get((kind, name))
        if known is None:
            words = (self.words or {}).get(kind)
            known = self.known[kind, name] = words is None or words.know(name)
        return known

    def _put(self, kind: str, cell: str | Edge, told: _Told | None) -> None:
        before = self.found.setdefault((kind, cell), told)
        if before is None or told is None:
            self.found[kind, cell] = None
        elif set(before.names) != set(told.names):
            self._tell(
                f"{told.name!r} is recorded where {before.where} has {before.name!r}; neither counts",
                told.where,
            )
            self.found[kind, cell] = None

    def _tell(self, message: str, where: str) -> None:
        self.problems.append(Problem("recorded-terrain", message, where))

    def result(self) -> Imported:
        """The board with all that was collected."""
        board, hexes, sides = self.board, dict(self.board.hexes), dict(self.board.sides)
        lines: list[Line] = []
        facts: dict[Key, str] = {}
        for (kind, cell), told in self.found.items():
            if told is None:
                continue
            if not isinstance(cell, str):
                facts.update(_facts(cell, _SIDE_LAYERS[kind], told.names))
                if kind == "hexside" and told.names:
                    sides[cell] = told.names
                elif kind == "line":
                    lines.extend(Line(name, cell) for name in told.names)
            elif kind == "hex":
                hexes[cell] = replace(hexes[cell], terrain=told.names)
                facts[Key(cell, "terrain")] = "+".join(told.names)
            else:
                hexes[cell] = replace(hexes[cell], level=int(told.names[0]))
                facts[Key(cell, "level")] = told.names[0]
        for side in self._in_full():
            for kind, layer in _SIDE_LAYERS.items():
                unsaid = (kind, side) not in self.found and self._untold(layer, side)
                if layer in self.rule.complete and unsaid:
                    facts[Key(cell_of(side), layer)] = NOTHING
        board = replace(board, hexes=hexes, sides=sides, lines=(*board.lines, *lines))
        records = (Record(k, v, "imported", ("the module",), "", BY) for k, v in facts.items())
        return Imported(board, tuple(records), tuple(self._all_problems()))

    def _untold(self, layer: Layer, side: Edge) -> bool:
        """Whether the spreadsheets have no entry about a hexside."""
        board = self.board
        if Key(cell_of(side), layer) in self.vouched:
            return False
        if layer == "hexsides":
            return not (board.sides.get(side) or board.sides_known(side))
        return not (board.lines_by_edge.get(side) or board.lines_known(side))

    @cached_property
    def _said_open(self) -> set[str]:
        """The hexes whose terrain ``hexes.csv`` gives as not known, unless a later row gives it."""
        sheet, found = self.pack.hexes, set[str]()
        for row in sheet.rows if sheet is not None else ():
            if row.get("terrain") == NOT_KNOWN:
                on = row.get("sheet")
                among = {n: h for n, h in self.board.hexes.items() if on in ("", h.sheet)}
                found.update(hexes_of(row.get("hex"), among))
        return found

    def _in_full(self) -> Iterator[Edge]:
        """The hexsides between hexes of recorded boards, if the pack says that a layer is recorded
        completely."""
        if self.rule.complete:
            for name in sorted(self.covered):
                for near in self.board.neighbours(name):
                    if name < near and near in self.covered:
                        yield edge(name, near)

    def _all_problems(self) -> Iterator[Problem]:
        told = list(self.unknown.items())
        used = (NameUsed(k, n, where) for (k, n), places in told[:MOST_TOLD] for where in places)
        for problem in unknown_names(used, self.words or {}, frozenset()):
            more = f"{problem.message}; [board.recorded] of pack.toml can translate it"
            yield replace(problem, message=more)
        left = len(told) - MOST_TOLD
        if left > 0:
            message = "more names of the module's terrain are not known to the ruleset's tables"
            yield Problem("unknown-name", message, count=left)
        yield from self.problems[:MOST_TOLD]
        left = len(self.problems) - MOST_TOLD
        if left > 0:
            yield Problem(
                "recorded-terrain", "more of the module's terrain is doubtful", count=left
            )


def _facts(side: Edge, layer: Layer, names: Iterable[str]) -> Iterator[tuple[Key, str]]:
    """The recorded facts of a hexside: each name, and that nothing else is there."""
    yield from ((Key(cell_of(side), layer, name), YES) for name in names)
    yield Key(cell_of(side), layer), set_text(names)
