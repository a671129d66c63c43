"""Tables of other people and programs as facts of a board: spreadsheets, and ``terrain.json`` of vsav-engine.

A spreadsheet has a row for a hex (columns ``hex``, ``terrain``, ``level``, ``features``, and columns that
list the sides of the hex), for a hexside (``a`` and ``b``, or ``side``, and ``hexsides``, ``lines``), or for
a line as in ``lines.csv``. :class:`Reading` says what its columns and names are called.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import Any, Literal

from ...model.board import Board, Edge, edge
from ...model.hexgrid import DIRECTIONS, direction
from ...model.json_values import json_values
from ...model.problem import Problem, Unreadable
from ...model.provenance import Key
from ...model.vouching import NOTHING, YES, cell_of, set_text, side_of
from .edit.change import TOLD_LAYERS
from .edit.hexes import OF_HEX, plain
from .hexnames import NotOnBoard, chain_of, hexes_of, hexsides_of
from .load import wrong
from .spreadsheet import LARGEST, Row, read_sheet
from .terrain import NOT_KNOWN, words
from .toml_text import read_bytes

SideLayer = Literal["hexsides", "lines"]
OURS = ("hex", "terrain", "level", "features", "sheet", "a", "b", "side", "hexsides", "lines")
"""What columns of a spreadsheet can be, besides ``kind`` and ``path`` as in ``lines.csv``."""
ACROSS = frozenset(["road", "rail", "railroad", "railway", "trail", "track", "path", "highway"])
"""Names that lead across hexsides where nobody says otherwise."""
OFF_MAP = "offmap"
REMARK = re.compile(r"name|note|cite|comment|.+_(?:type|name|note)")
"""Keys of a ``terrain.json`` whose text says more of something else: the name of a bridge."""
MOST_NAMED = 8
"""Cells that a line names; of the others only the number is told."""
_COMPASS = {name: number for number, name in enumerate(("N", "NE", "SE", "S", "SW", "NW"))}
_BETWEEN = re.compile(r"[^A-Za-z]+")


@dataclass(frozen=True, slots=True)
class Reading:
    """How tables are to be read. ``columns``: what ours are called there; ``names``: what theirs mean, ""
    nothing; ``across``: theirs that lead across hexsides; ``sides``: columns that list the sides of a hex
    on which something lies, by layer and our name; ``whole``: layers of which they tell all there is."""

    columns: Mapping[str, str] = field(default_factory=dict)
    names: Mapping[str, str] = field(default_factory=dict)
    across: frozenset[str] = frozenset()
    sides: Mapping[tuple[SideLayer, str], str] = field(default_factory=dict)
    whole: frozenset[str] = frozenset()
    every: bool = False
    """Whether all cells that are left out are named, not only the first."""

    def meant(self, text: str) -> list[str]:
        """Our names for what a cell of theirs says."""
        whole = self.names.get(text.strip())
        if whole is not None:
            return list(words(whole))
        return [name for word in words(text) for name in words(self.names.get(word, word))]

    def layer(self, name: str) -> SideLayer:
        """Whether something on a hexside lies along it or leads across."""
        return "lines" if name in self.across else "hexsides"


@dataclass(frozen=True, slots=True)
class ImportedFact:
    """A fact that a table tells, and where: in which ``file``, and in ``where`` of it (with the file)."""

    key: Key
    value: str
    where: str
    file: str


@dataclass(frozen=True, slots=True)
class TableRead:
    """What one file tells. ``left_out``: what else stands in it and is not taken, a line for each kind."""

    facts: Mapping[Key, ImportedFact]
    left_out: tuple[str, ...] = ()


class _Table:
    """What one file tells, collected."""

    def __init__(self, file: str, board: Board, reading: Reading) -> None:
        self.file, self.board, self.reading = file, board, reading
        self.found: dict[Key, ImportedFact] = {}
        self.faults: list[Problem] = []
        self.hexes: set[str] = set()
        """Those that have a row."""
        self.listed: dict[tuple[SideLayer, str, Edge], dict[str, str]] = {}
        """What columns list on sides: by which of the two hexes, and where."""
        self.left_out: dict[str, list[str]] = {}
        """What is not taken: why, and of which cells."""

    def put(self, key: Key, value: str, where: str) -> None:
        before = self.found.get(key)
        if before is not None and before.value != value:
            self.fault(
                where,
                f"expected what {before.where} says of {key.cell} ({before.value}); found {value}",
            )
        self.found.setdefault(key, ImportedFact(key, value, where, self.file))

    def fault(self, where: str, message: str) -> None:
        self.faults.append(Problem("import", message, where, "error"))

    def on_hex(self, name: str, layer: str, text: str, where: str) -> None:
        """What a table says of a hex; nothing where it says that it is not known."""
        if not text.strip() or text.strip() == NOT_KNOWN:
            return
        if layer == "level":
            if not re.fullmatch(r"[+-]?\d{1,6}", text.strip()):
                self.fault(where, f"expected a whole number as level; found {text.strip()}")
                return
            self.put(Key(name, "level"), plain("level", text), where)
            return
        names = [word for word in self.reading.meant(text) if word != NOTHING]
        if layer == "terrain":
            if names:
                self.put(Key(name, "terrain"), "+".join(names), where)
            return
        for word in names:
            self.put(Key(name, "features", word), YES, where)
        self.put(Key(name, "features"), set_text(names), where)

    def on_side(self, side: Edge, layer: SideLayer, name: str, where: str) -> None:
        for word in self.reading.meant(name):
            if word != NOTHING:
                self.put(Key(cell_of(side), layer, word), YES, where)

    def side(self, a: str, b: str, where: str) -> Edge | None:
        """The hexside between two hexes; None, with a fault, where there is none."""
        for name in (a, b):
            if name not in self.board.hexes:
                self.fault(where, f"expected a hex of the board; found {name or 'nothing'}")
                return None
        if b not in self.board.neighbours(a):
            self.fault(where, f"expected hexes next to each other; found {a} and {b}")
            return None
        return edge(a, b)

    def close(self) -> dict[Key, ImportedFact]:
        """All facts; with those that nothing else is there. A terrain without features says that there are
        none; of hexsides it holds as far as the tables tell all there is of a layer of which they tell."""
        for key, taken in tuple(self.found.items()):
            if key.layer == "terrain":
                whole = Key(key.cell, "features")
                self.found.setdefault(whole, ImportedFact(whole, NOTHING, taken.where, self.file))
        doubtful = self._listed_once()
        for layer in TOLD_LAYERS:
            on: dict[str, set[str]] = {}
            for key in tuple(self.found):
                if key.layer == layer and key.name:
                    on.setdefault(key.cell, set()).add(key.name)
            if layer not in self.reading.whole or not on:
                continue
            within = self.hexes or set(self.board.hexes)
            for a in sorted(within):
                for b in self.board.neighbours(a):
                    cell = cell_of((a, b))
                    if a < b and b in within and (layer, cell) not in doubtful:
                        self.put(Key(cell, layer), set_text(on.get(cell, ())), self.file)
        return self.found

    def _listed_once(self) -> set[tuple[str, str]]:
        """Enter what columns list on sides, but for those that only one of their two hexes lists, where the
        table otherwise lists them at both; these by layer and cell."""
        once: set[tuple[str, str]] = set()
        by_name: dict[tuple[SideLayer, str], list[Edge]] = {}
        for layer, name, side in self.listed:
            by_name.setdefault((layer, name), []).append(side)
        for (layer, name), sides in by_name.items():
            inner = [side for side in sides if set(side) <= self.hexes]
            alone = {side for side in inner if len(self.listed[layer, name, side]) == 1}
            if 2 * len(alone) >= len(inner):  # this table lists each side at one hex
                alone = set()
            for side in sides:
                by = self.listed[layer, name, side]
                if side not in alone:
                    self.on_side(side, layer, name, next(iter(by.values())))
                    continue
                (hex_,) = by
                (other,) = set(side) - {hex_}
                once.add((layer, cell_of(side)))
                why = "listed at one of their two hexes only"
                self.left_out.setdefault(why, []).append(f"{name} at {hex_}, not at {other}")
        return once

    def leave_out(self, why: str, what: str) -> None:
        self.left_out.setdefault(why, []).append(what)


def read_table(path: Path, board: Board, reading: Reading) -> TableRead:
    """What a file tells of a board. Raises :class:`Unreadable` where it is no table, :class:`WrongPack` with
    one problem for each fault."""
    data = read_bytes(path, LARGEST)
    table = _Table(path.name, board, reading)
    if data.removeprefix(b"\xef\xbb\xbf").lstrip()[:1] in (b"{", b"["):
        _json(table, json_values(data, path.name, decimals=True))
    else:
        _spreadsheet(table, path, data)
    found = table.close() if not table.faults else {}
    if table.faults:
        raise wrong(path.name, table.faults)
    if not found:
        raise Unreadable("tells nothing of the board", where=path.name)
    most = None if reading.every else MOST_NAMED
    left_out = (f"{path.name}: {why}: {_some(what, most)}" for why, what in table.left_out.items())
    return TableRead(found, tuple(left_out))


def _some(what: Sequence[str], most: int | None = MOST_NAMED) -> str:
    """The first of them, and how many there are; ``most`` None: all of them."""
    more = f" … ({len(what):,})" if most is not None and len(what) > most else ""
    return ", ".join(what[:most]) + more


# -- terrain.json ----------------------------------------------------------------------------------


def _json(table: _Table, plain_values: Any) -> None:
    hexes = plain_values.get("hexes") if isinstance(plain_values, dict) else None
    sides = plain_values.get("sides", {}) if isinstance(plain_values, dict) else None
    if not isinstance(hexes, dict) or not isinstance(sides, dict):
        raise Unreadable(
            "is no table of terrain",
            where=table.file,
            expected="a spreadsheet, or the terrain.json of vsav-engine with hexes and sides",
        )
    off = set()
    missing = [name for name in hexes if name not in table.board.hexes]
    for name, told in hexes.items():
        where = f"{table.file} hexes {name}"
        told = {"t": told} if isinstance(told, str) else told
        terrain = told.get("t") if isinstance(told, dict) else None
        if not isinstance(terrain, str):
            table.fault(where, "expected its terrain as t")
        elif terrain == OFF_MAP:
            off.add(name)
        elif name not in table.board.hexes:
            off.add(name)
            table.leave_out("no hex of this board", name)
        else:
            table.hexes.add(name)
            table.on_hex(name, "terrain", terrain, where)
            _more_on_hex(table, name, told, where)
    if missing and len(missing) == len(hexes):
        table.fault(table.file, f"expected hexes of the board; found {_some(missing)}")
        return
    apart = dict.fromkeys(cell for cell in sides if not _adjoining(table.board, cell, off))
    why = (
        "of hexes that are not next to each other on the module's map; where they are many, the table "
        "numbers the hexes otherwise"
    )
    if apart and (table.reading.whole or len(apart) == len(sides)):
        table.fault(f"{table.file} sides", f"expected no sides {why}; found {_some(tuple(apart))}")
        return
    for cell in apart:
        table.leave_out(f"sides {why}", cell)
    for cell, told in sides.items():
        where = f"{table.file} sides {cell}"
        a, _, b = cell.partition("|")
        if a in off or b in off or cell in apart:
            continue
        if not isinstance(told, dict):
            table.fault(where, "expected what lies there")
            continue
        _on_side(table, edge(a, b), told, where)


def _adjoining(board: Board, cell: str, off: Collection[str]) -> bool:
    """Whether a side is one of the board, or lies at a hex off it."""
    a, _, b = cell.partition("|")
    return a in off or b in off or (a in board.hexes and b in board.neighbours(a))


def _more_on_hex(table: _Table, name: str, told: Mapping[str, Any], where: str) -> None:
    """What a hex has besides its terrain: features, as far as they are true or false."""
    features = []
    for key, value in told.items():
        if key == "t" or value in (False, None) or table.reading.names.get(key) == "":
            continue
        if value is True and table.reading.layer(key) == "hexsides":
            features.append(key)
        elif value is True:
            table.leave_out(f"{key} in a hex, which says nothing of its sides", name)
        else:
            table.leave_out(f"{key} of hexes", name)
    if features:
        table.on_hex(name, "features", "+".join(features), where)


def _on_side(table: _Table, side: Edge, told: Mapping[str, Any], where: str) -> None:
    reading = table.reading
    for name, value in told.items():
        if value in (False, None) or reading.names.get(name) == "":
            continue
        if value is True:
            table.on_side(side, reading.layer(name), name, where)
        elif isinstance(value, str) and not REMARK.fullmatch(name):  # "water": "river" is a river
            across = "lines" in (reading.layer(name), reading.layer(value))
            table.on_side(side, "lines" if across else "hexsides", value, where)
        else:
            table.leave_out(f"{name} of sides", cell_of(side))


# -- spreadsheets ----------------------------------------------------------------------------------


def _spreadsheet(table: _Table, path: Path, data: bytes) -> None:
    sheet, problems = read_sheet(path, data=data)
    table.faults.extend(problems)
    if problems:
        return
    reading = table.reading
    named = [*reading.columns.values(), *reading.sides.values()]
    for column in named:
        if column.lower() not in sheet.columns:
            raise Unreadable(
                f"has no column {column}", where=path.name, expected=", ".join(sheet.columns)
            )

    def get(row: Row, ours: str) -> str:
        return row.get(reading.columns.get(ours, ours).lower())

    there = {ours for ours in (*OURS, "kind", "path")
             if reading.columns.get(ours, ours).lower() in sheet.columns}  # fmt: skip
    read = (
        _line_row if {"kind", "path"} <= there
        else _hex_row if "hex" in there
        else _side_row if {"a", "b"} <= there or "side" in there
        else None
    )  # fmt: skip
    if read is None:
        raise Unreadable(
            "has no column that names hexes",
            where=path.name,
            expected=f"hex, or a and b, or kind and path; found {', '.join(sheet.columns)}",
            hint="say which it is: --column hex=…",
        )
    for row in sheet.rows:
        where = sheet.where(row)
        try:
            read(table, {ours: get(row, ours) for ours in there}, row, where)
        except NotOnBoard as error:
            table.fault(where, str(error))


def _hex_row(table: _Table, cells: Mapping[str, str], row: Row, where: str) -> None:
    if not cells["hex"]:
        table.fault(where, "expected the name of a hex; found nothing")
        return
    sheet = cells.get("sheet", "")
    hexes = table.board.hexes
    among = hexes if not sheet else {n: h for n, h in hexes.items() if h.sheet == sheet}
    for name in hexes_of(cells["hex"], among):
        table.hexes.add(name)
        for layer in OF_HEX:
            table.on_hex(name, layer, cells.get(layer, ""), where)
        for (layer_of, what), column in table.reading.sides.items():
            for side in _listed(table, name, row.get(column.lower()), where):
                table.listed.setdefault((layer_of, what, side), {}).setdefault(name, where)


def _listed(table: _Table, name: str, text: str, where: str) -> Iterator[Edge]:
    """The sides of a hex that a cell lists by the compass; those at the edge of the board are left out."""
    for word in filter(None, _BETWEEN.split(text)):
        number = _COMPASS.get(word.upper())
        if number is None:
            table.fault(where, f"expected sides out of {', '.join(_COMPASS)}; found {word}")
            return
        here = table.board.hexes[name]
        q, r = DIRECTIONS[number]
        near = table.board.at(here.sheet, type(here.at)(here.at.q + q, here.at.r + r))
        if near is not None and near in table.board.neighbours(name):
            assert direction(here.at, table.board.hexes[near].at) == number
            yield edge(name, near)


def _side_row(table: _Table, cells: Mapping[str, str], row: Row, where: str) -> None:
    a, b = cells.get("a", ""), cells.get("b", "")
    if not a and not b:
        text = cells.get("side", "").replace("|", "/")
        found = side_of(text, table.board.hexes)
        if found is None:
            table.fault(where, f"expected a hexside such as 0304/0305; found {text or 'nothing'}")
            return
        a, b = found
    side = table.side(a, b, where)
    if side is None:
        return
    for layer in TOLD_LAYERS:
        text = cells.get(layer, "")
        if not text or text == NOT_KNOWN:
            continue
        names = [word for word in table.reading.meant(text) if word != NOTHING]
        for name in names:
            table.put(Key(cell_of(side), layer, name), YES, where)
        table.put(Key(cell_of(side), layer), set_text(names), where)


def _line_row(table: _Table, cells: Mapping[str, str], row: Row, where: str) -> None:
    kind, path, names = cells["kind"], cells["path"], table.board.hexes
    if not kind or not path:
        table.fault(where, f"expected something in the column {'path' if kind else 'kind'}")
        return

    def adjacent(a: str, b: str) -> bool:
        return b in table.board.neighbours(a)

    if "/" in path and path not in names:
        for side in hexsides_of(path, names, adjacent):
            table.on_side(side, "hexsides", kind, where)
        return
    for a, b in pairwise(chain_of(path, names, adjacent)):
        table.on_side(edge(a, b), "lines", kind, where)


# -- several files ---------------------------------------------------------------------------------


def united(tables: Iterable[Mapping[Key, ImportedFact]]) -> tuple[dict[Key, ImportedFact], list[str]]:
    """What all tables tell together; and where they differ, a line for each cell. Of such a cell nothing is
    taken, in the layer in which they differ."""
    every = list(tables)
    differ: dict[tuple[str, str], str] = {}
    for number, one in enumerate(every):
        for other in every[number + 1 :]:
            for key, mine in one.items():
                theirs = other.get(key)
                if theirs is not None and theirs.value != mine.value:
                    text = f"{mine.value} ({mine.where}), {theirs.value} ({theirs.where})"
                    differ.setdefault(key[:2], f"{key.cell} {key.layer}: {text}")
    found: dict[Key, ImportedFact] = {}
    for one in every:
        found.update((key, taken) for key, taken in one.items() if key[:2] not in differ)
    lost = {key[:2] for key, _ in _against_whole(found)}
    return {k: t for k, t in found.items() if k[:2] not in lost}, [
        *differ.values(),
        *(text for _, text in _against_whole(found)),
    ]


def _against_whole(found: Mapping[Key, ImportedFact]) -> list[tuple[Key, str]]:
    """What one table has where another says that nothing else is there."""
    told = []
    for key, taken in found.items():
        whole = found.get(Key(key.cell, key.layer)) if key.name else None
        if whole is not None and key.name not in whole.value.split("+"):
            text = (
                f"{key.cell} {key.layer}: {key.name} ({taken.where}), {whole.value} ({whole.where})"
            )
            told.append((key, text))
    return told
