"""Reads ``terrain.json`` of vsav-engine as facts of a board."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from typing import Any

from ...model.board import Board, Edge, edge
from ...model.problem import Unreadable
from ...model.vouching import cell_of
from .imported_table import ImportedTable, some

OFF_MAP = "offmap"
REMARK = re.compile(r"name|note|cite|comment|.+_(?:type|name|note)")
"""Keys of a ``terrain.json`` whose text only describes another key, such as the name of a bridge."""


def read_terrain_json(table: ImportedTable, plain_values: Any) -> None:
    """Add the file's facts to ``table``. Raises :class:`Unreadable` if it is not a table of terrain."""
    hexes = plain_values.get("hexes") if isinstance(plain_values, dict) else None
    sides = plain_values.get("sides", {}) if isinstance(plain_values, dict) else None
    if not isinstance(hexes, dict) or not isinstance(sides, dict):
        raise Unreadable(
            "is not a table of terrain",
            where=table.file,
            expected="a spreadsheet, a HexMap, or the terrain.json of vsav-engine with hexes and sides",
        )
    off = set()
    missing = [name for name in hexes if name not in table.board.hexes]
    for name, told in hexes.items():
        where = f"{table.file} hexes {name}"
        told = {"t": told} if isinstance(told, str) else told
        terrain = told.get("t") if isinstance(told, dict) else None
        if not isinstance(terrain, str):
            table.fault(where, "expected the key t with its terrain")
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
        table.fault(table.file, f"expected hexes of the board; found {some(missing)}")
        return
    apart = dict.fromkeys(cell for cell in sides if not _adjoining(table.board, cell, off))
    why = (
        "of hexes that are not next to each other on the module's map; where they are many, the table "
        "numbers the hexes otherwise"
    )
    if apart and (table.reading.whole or len(apart) == len(sides)):
        table.fault(f"{table.file} sides", f"expected no sides {why}; found {some(tuple(apart))}")
        return
    for cell in apart:
        table.leave_out(f"sides {why}", cell)
    for cell, told in sides.items():
        where = f"{table.file} sides {cell}"
        a, _, b = cell.partition("|")
        if a in off or b in off or cell in apart:
            continue
        if not isinstance(told, dict):
            table.fault(where, "expected a table of what lies there")
            continue
        _on_side(table, edge(a, b), told, where)


def _adjoining(board: Board, cell: str, off: Collection[str]) -> bool:
    """Whether a side is one of the board, or lies at a hex off it."""
    a, _, b = cell.partition("|")
    return a in off or b in off or (a in board.hexes and b in board.neighbours(a))


def _more_on_hex(table: ImportedTable, name: str, told: Mapping[str, Any], where: str) -> None:
    """Add the features of a hex, which are keys with the value true; note the other keys as left out."""
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


def _on_side(table: ImportedTable, side: Edge, told: Mapping[str, Any], where: str) -> None:
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
