"""What a pack says about every cell of its board, as the Board view shows it: the entry in its files, who
looked at it, and whether it counts as known."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

from ...importers.ordinary import is_there
from ...importers.pack.board import Places
from ...importers.pack.edit.hexes import FILE as HEXES
from ...importers.pack.edit.hexes import OF_HEX, HexTable
from ...importers.pack.edit.lines import FILE as LINES
from ...importers.pack.edit.lines import Layer as OfSide
from ...importers.pack.edit.lines import LineTable
from ...importers.pack.pack import Pack
from ...importers.pack.recorded import records_with, with_recorded
from ...importers.pack.spreadsheet import LARGEST
from ...importers.pack.terrain import NOT_KNOWN, with_terrain
from ...importers.pack.toml_text import read_bytes
from ...importers.vassal.layout import MapLayout
from ...importers.vassal.module import Module
from ...model.board import Board, Edge
from ...model.names import Words
from ...model.problem import UmpireError
from ...model.provenance import Key, Layer, Record, Records, current
from ...model.vouching import YES, cell_of, every_side, values_of, vouched

T = TypeVar("T", HexTable, LineTable)

OF_SIDE: tuple[Layer, ...] = ("hexsides", "lines")
PLACES: tuple[tuple[OfSide, str], ...] = (("hexsides", "has"), ("lines", "lines"))
"""The page's name for a feature on a side, by layer."""
UNKNOWN = "unknown"
"""The status of a cell without any entry."""
Plain = dict[str, Any]
NO_SIDE: Plain = {"status": UNKNOWN, "unknown": list(OF_SIDE)}
"""The text for a hexside without any entry."""


@dataclass(frozen=True)
class Cells:
    """Hexes by name and hexsides by ``a/b``, as JSON; and the ``levels`` in use."""

    hexes: Mapping[str, Plain] = field(default_factory=dict)
    sides: Mapping[str, Plain] = field(default_factory=dict)
    levels: tuple[int, ...] = ()


def cells_of(
    pack: Pack,
    bare: Board,
    places: Places,
    layouts: Mapping[str, MapLayout],
    module: Module,
    known: Mapping[str, Words] | None,
    hex_table: HexTable,
    line_table: LineTable,
) -> Cells:
    """The cells of a board. ``bare``: the board without terrain. ``known``: the names that the ruleset knows.
    ``hex_table``, ``line_table``: the spreadsheets, for comparing edits."""
    told, _ = with_terrain(bare, pack)
    imported = with_recorded(told, pack, module.terrain, places, layouts, known)
    board = imported.board
    records, sure = records_with(imported, pack.records), board
    if records or pack.provenance_required:
        records = current(records, values_of(board))
        sure, _ = vouched(board, records, required=pack.provenance_required)
    hexes = {
        name: _hex(name, board, sure, records, hex_table, pack.provenance_required)
        for name in board.hexes
    }
    sides = {
        cell_of(side): _side(side, board, sure, records, line_table) for side in every_side(board)
    }
    levels = {here.level for here in board.hexes.values() if here.level is not None}
    return Cells(hexes, sides, tuple(sorted(levels)))


def tables_in(folder: Path, board: Board) -> tuple[HexTable, LineTable]:
    """The board's spreadsheets in a pack's folder; one that cannot be read counts as empty."""
    return _table(HexTable, folder / HEXES, board), _table(LineTable, folder / LINES, board)


def _table(kind: Callable[[bytes, Board], T], file: Path, board: Board) -> T:
    try:
        return kind(bytes_of(file), board)
    except UmpireError:
        return kind(b"", board)


def bytes_of(file: Path) -> bytes:
    """The bytes of a spreadsheet of a pack; empty if there is none."""
    return read_bytes(file, LARGEST) if is_there(file) else b""


def _hex(
    name: str,
    board: Board,
    sure: Board,
    records: Records,
    table: HexTable,
    required: bool,
) -> Plain:
    here = board.hexes[name]
    written = {layer: table.value(name, layer) for layer in OF_HEX}
    shown = {
        "terrain": "+".join(here.terrain) if here.terrain else written["terrain"],
        "level": str(here.level) if here.level is not None else written["level"],
        "features": "+".join(here.features) or written["features"],
    }
    record = records.get(Key(name, "terrain"))
    status = UNKNOWN
    if record is not None:
        status = record.status
    elif here.terrain is not None and not required:
        status = "typed"
    found: Plain = {**shown, "status": status, **_by(record)}
    differs = {layer: text for layer, text in written.items() if text != shown[layer]}
    if differs:
        found["written"] = differs
    if told := table.told(name):
        found["told"] = "+".join(sorted(told))
    open_ = [
        layer
        for layer, is_known in (
            ("terrain", sure.hexes[name].terrain is not None),
            ("level", sure.level_of(name) is not None),
            ("features", sure.hex_known(name)),
        )
        if not is_known
    ]
    if open_:
        found["unknown"] = open_
    return found


def _side(
    side: Edge,
    board: Board,
    sure: Board,
    records: Records,
    table: LineTable,
) -> Plain:
    cell = cell_of(side)
    names = {
        "hexsides": board.sides.get(side, ()),
        "lines": tuple(dict.fromkeys(ln.kind for ln in board.lines_by_edge.get(side, ()))),
    }
    told: list[Record] = []
    if records:
        mine = (records.get(Key(cell, of, n)) for of in OF_SIDE for n in (*names[of], ""))
        told = [record for record in mine if record is not None]
    unknown = [
        layer
        for layer, is_known in (
            ("hexsides", sure.sides_known(side)),
            ("lines", sure.lines_known(side)),
        )
        if not is_known
    ]
    record = next((r for r in told if not r.is_known), told[0] if told else None)
    status = record.status if record is not None else UNKNOWN
    if record is None and (len(unknown) < 2 or any(names.values())):
        status = "typed"
    found: Plain = {"status": status, "unknown": unknown, **_by(record)}
    for layer, key in PLACES:
        said = table.said(layer, side)
        if names[layer]:
            found[key] = list(names[layer])
        maybe = [kind for kind, there in said.items() if there == NOT_KNOWN]
        if maybe:
            found[f"{key}_open"] = maybe
        only_read = [n for n in names[layer] if said.get(n) != YES]
        if only_read:
            found[f"{key}_read"] = only_read
    doubt = [r.key.name for r in told if not r.is_known and r.key.name]
    if doubt:
        found["doubt"] = doubt
    return found


def _by(record: Record | None) -> Plain:
    if record is None:
        return {}
    found: Plain = {"who": " and ".join(record.who)}
    if record.confidence is not None:
        found["confidence"] = float(record.confidence)
    return found
