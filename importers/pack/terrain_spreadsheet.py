"""Reads a spreadsheet of terrain, with a row for a hex, a hexside or a line, as facts of a board."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from itertools import pairwise
from pathlib import Path

from ...model.board import Board, Edge, edge
from ...model.hexgrid import neighbours
from ...model.problem import Unreadable
from ...model.provenance import Key
from ...model.vouching import NOTHING, YES, cell_of, set_text, side_of
from .edit.change import TOLD_LAYERS
from .edit.hexes import OF_HEX
from .hexnames import NotOnBoard, chain_of, hexes_of, hexsides_of
from .imported_table import ImportedTable
from .spreadsheet import Row, read_sheet
from .terrain import NOT_KNOWN

OURS = ("hex", "terrain", "level", "features", "sheet", "a", "b", "side", "hexsides", "lines")
"""What columns of a spreadsheet can be, besides ``kind`` and ``path`` as in ``lines.csv``."""
COMPASS = ("N", "NE", "SE", "S", "SW", "NW")
"""The sides of a hex on a grid of upright columns, as :data:`~.model.hexgrid.DIRECTIONS` numbers them."""
_BETWEEN = re.compile(r"[^A-Za-z]+")


def read_terrain_spreadsheet(table: ImportedTable, path: Path, data: bytes) -> None:
    """Add to ``table`` what the spreadsheet tells. Raises :class:`Unreadable` if a column is missing."""
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


def _hex_row(table: ImportedTable, cells: Mapping[str, str], row: Row, where: str) -> None:
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


def _listed(table: ImportedTable, name: str, text: str, where: str) -> Iterator[Edge]:
    """The sides of a hex that a cell lists by the compass; those at the edge of the board are left out."""
    for word in filter(None, _BETWEEN.split(text)):
        if word.upper() not in COMPASS:
            table.fault(where, f"expected sides out of {', '.join(COMPASS)}; found {word}")
            return
        near = beyond(table.board, name, COMPASS.index(word.upper()))
        if near is not None:
            yield edge(name, near)


def beyond(board: Board, name: str, number: int) -> str | None:
    """The hex next to ``name`` in a direction of :data:`DIRECTIONS`; None at the edge of the board."""
    here = board.hexes[name]
    near = board.at(here.sheet, neighbours(here.at)[number])
    return near if near in board.neighbours(name) else None


def _side_row(table: ImportedTable, cells: Mapping[str, str], row: Row, where: str) -> None:
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


def _line_row(table: ImportedTable, cells: Mapping[str, str], row: Row, where: str) -> None:
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
