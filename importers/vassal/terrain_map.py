"""Terrain that a module records itself: ``terrainMaps/BOARD.txt``, one record a line.

Written by Brent Easton's terrain classes (``TerrainHex``, ``TerrainEdge``, ``TerrainLine``,
``TerrainAttribute``): fields joined by VASSAL's sequence codec with a comma; the first letter is the
kind. This reader accepts what these classes accept; a line that they skip, or read as the hex (0, 0), is a
problem.
"""

from __future__ import annotations

import io
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Literal, TypeAlias

from ...model.problem import Problem
from . import sequence
from .grids import Cell, HexGrid
from .grids.java import parse_int

Kind = Literal["hex", "hexside", "line", "attribute"]
Definitions: TypeAlias = Mapping[Kind, frozenset[str]]
"""The names a module defines, by kind (``TerrainDefinitions``); a kind without names defines none."""

LETTERS: Mapping[str, Kind] = {"h": "hex", "e": "hexside", "l": "line", "a": "attribute"}
NO_TERRAIN = "No Terrain"
MOST_TOLD = 20
"""How many faults of one file are reported line by line; the rest is counted."""
MOST_RECORDS = 300_000
"""How many lines are read: the largest maps have some ten thousand hexes."""
LONGEST = 1000
"""Characters of a line. No map prints more in a hex, and a forged one would fill every report."""


@dataclass(frozen=True, slots=True)
class TerrainRecord:
    """One record. ``at``: column and row of a hex as the file counts them, columns across the board and
    rows down it, also on a sideways grid (see :func:`cell_of`); ``to``: the hex beyond the hexside, None for
    a hex or an attribute. ``value``: an attribute's. ``line``: where it stands in the file, from 1."""

    kind: Kind
    at: Cell
    to: Cell | None
    name: str
    value: str = ""
    line: int = 0

    @property
    def cell(self) -> tuple[Cell, ...]:
        """The hex, or both hexes in order; equal for two records of one cell."""
        return (self.at,) if self.to is None else tuple(sorted((self.at, self.to)))


@dataclass(frozen=True, slots=True)
class RecordedTerrain:
    """The recorded terrain of the boards called ``board``. ``file``: the archive and entry that hold it."""

    board: str
    file: str
    records: tuple[TerrainRecord, ...]

    def where(self, record: TerrainRecord) -> str:
        """The place of a record: file and line."""
        return f"{self.file} line {record.line}"


def cell_of(grid: HexGrid, at: Cell) -> Cell:
    """The raw cell of ``grid`` that a record's column and row name. On a sideways grid raw columns run down
    the board, but its records still count across (``TerrainHexGrid.getHexPos``)."""
    return (at[1], at[0]) if grid.sideways else at


def read_records(
    text: str,
    where: str,
    definitions: Definitions,
    sideways: bool | None = False,
    most: int = MOST_RECORDS,
) -> tuple[tuple[TerrainRecord, ...], tuple[Problem, ...]]:
    """The last record for each cell of a file (for attributes: for each cell and name), and its faults.

    ``sideways``: of the board's grid; it decides which hexes are neighbours (None: not known). ``most``: how
    many lines are read.
    """
    faults = _Faults(where)
    found: dict[tuple[object, ...], TerrainRecord] = {}
    for number, line in enumerate(io.StringIO(text, newline=None), 1):
        if number > most:
            faults.tell(
                number, f"expected no more than {MOST_RECORDS:,} lines; the rest is left out"
            )
            break
        line = line.removesuffix("\n")
        if not line.strip():
            continue
        record = _record(line, number)
        fault = record if isinstance(record, str) else _fault(record, definitions, sideways)
        if fault:
            faults.tell(number, fault)
        if isinstance(record, str) or (fault and not _is_undefined(record, definitions)):
            continue
        key = (record.kind, record.cell, record.name if record.kind == "attribute" else "")
        before = found.pop(key, None)
        if before is not None and (before.name, before.value) != (record.name, record.value):
            faults.tell(
                number,
                f"{_said(before)} on line {before.line} says something else; the last counts",
            )
        if not fault and _says_something(record):
            found[key] = record
    return tuple(found.values()), tuple(faults.problems())


def _record(line: str, number: int) -> TerrainRecord | str:
    """The record of a line, or a message about its fault."""
    kind = LETTERS.get(line[:1])
    if kind is None:
        return f"expected h, e, l or a at the beginning of the line; found {_short(line)}"
    if len(line) > LONGEST:
        return f"expected no more than {LONGEST:,} characters; found {len(line):,}"
    tokens = sequence.split(line, ",")[1:]
    pairs = 2 if kind in ("hexside", "line") else 1
    numbers = [parse_int(token) for token in tokens[: 2 * pairs]]
    known = [n for n in numbers if n is not None]
    if len(known) < 2 * pairs:
        return f"expected {2 * pairs} whole numbers, the columns and rows; found {_short(line)}"
    name, value = (*tokens[2 * pairs :], "", "")[:2]
    to = (known[2], known[3]) if pairs == 2 else None
    value = value if kind == "attribute" else ""
    return TerrainRecord(kind, (known[0], known[1]), to, name, value, number)


def _says_something(record: TerrainRecord) -> bool:
    if record.kind == "attribute":
        return bool(record.name and record.value)
    return record.name not in ("", NO_TERRAIN)


def _is_undefined(record: TerrainRecord, definitions: Definitions) -> bool:
    """Whether a record uses a name that the module does not define. VASSAL then treats the cell as empty,
    whatever it held before."""
    names = definitions.get(record.kind)
    return bool(names) and _says_something(record) and record.name not in (names or ())


def _fault(record: TerrainRecord, definitions: Definitions, sideways: bool | None) -> str:
    if record.to is not None and sideways is not None:
        grid = HexGrid(sideways=sideways)
        if cell_of(grid, record.to) not in grid.neighbours(cell_of(grid, record.at)):
            return f"expected two hexes next to each other; found {record.at} and {record.to}"
    if _is_undefined(record, definitions):
        kinds = {"hex": "hex terrain", "hexside": "edge terrain", "line": "line terrain"}
        what = kinds.get(record.kind, "tags")
        return (
            f"expected one of the {what} in the module's TerrainDefinitions; found {_short(record.name)}, "
            "which VASSAL ignores"
        )
    return ""


def _said(record: TerrainRecord) -> str:
    text = record.name if record.kind != "attribute" else f"{record.name} = {record.value}"
    return _short(text) if _says_something(record) else NO_TERRAIN


def _short(text: str) -> str:
    """A stranger's text within a message."""
    return repr(text if len(text) <= 40 else text[:40] + "…")


class _Faults:
    """The faults of one file: the first ones with their lines, then how many more there are."""

    def __init__(self, where: str) -> None:
        self._where = where
        self._told: list[Problem] = []
        self._more = 0

    def tell(self, line: int, message: str) -> None:
        if len(self._told) < MOST_TOLD:
            self._told.append(Problem("terrain-record", message, f"{self._where} line {line}"))
        else:
            self._more += 1

    def problems(self) -> Iterator[Problem]:
        yield from self._told
        if self._more:
            message = "more lines of this file are not understood"
            yield Problem("terrain-record", message, self._where, count=self._more)
