"""The file of examples: cells with their values, used for suggestions without being typed into the pack."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable
from pathlib import Path

from ...importers.pack.load import wrong
from ...importers.pack.spreadsheet import Row, read_sheet
from ...importers.pack.terrain import NOT_KNOWN, words
from ...model.board import Board, edge
from ...model.problem import Problem
from ...model.provenance import Key, Layer
from ...model.vouching import NOTHING, cell_of, set_text, side_of
from ..printable import cell as safe
from .pack_board import side_layer

COLUMNS = ("cell", "layer", "value")
LONGEST = 120
"""Most characters of a value."""


def read_shown(path: Path, board: Board) -> dict[Key, str]:
    """The examples in a file with the columns cell, layer (terrain, hexsides, lines) and value; rows without
    a value say nothing. Raises :class:`WrongPack` with one problem for each fault."""
    sheet, problems = read_sheet(path, required=COLUMNS, allowed=COLUMNS)
    faults = list(problems)
    found: dict[Key, str] = {}
    for row in () if problems else sheet.rows:
        key, value, fault = _example(row, board)
        if fault:
            faults.append(Problem("examples", fault, sheet.where(row), "error"))
        elif value and key is not None:
            found[key] = value
    if faults:
        raise wrong(path.name, faults)
    return found


def _example(row: Row, board: Board) -> tuple[Key | None, str, str]:
    named, cell, value = row.get("layer"), row.get("cell"), row.get("value")
    layer: Layer | None = "terrain" if named == "terrain" else side_layer(named)
    if layer is None:
        return None, "", f"expected terrain, hexsides or lines in the column layer; found {named}"
    if layer == "terrain":
        if cell not in board.hexes:
            return None, "", f"expected a hex of the board; found {cell}"
    else:
        side = side_of(cell, board.hexes)
        if side is None or edge(*side)[1] not in board.neighbours(edge(*side)[0]):
            return None, "", f"expected a hexside such as 0304/0305; found {cell}"
        cell = cell_of(side)
    told = (value_of(layer, value), value_fault(layer, value)) if value else ("", "")
    return Key(cell, layer), *told


def value_fault(layer: Layer, value: object) -> str:
    """What is wrong with ``value`` as the value of a cell; '' if nothing is."""
    names = words(value) if isinstance(value, str) else ()
    if not names or len(str(value)) > LONGEST or not str(value).isprintable():
        return f"expected a name for what is there; found {str(value)[:40]!r}"
    odd = [name for name in names if name == NOT_KNOWN or (name == NOTHING and len(names) > 1)]
    if odd or (layer == "terrain" and NOTHING in names):
        return f"expected names joined by +; found {value!s}"
    return ""


def value_of(layer: Layer, value: str) -> str:
    """The value of a cell in the form that records use."""
    if layer == "terrain":
        return "+".join(words(value))
    return set_text(word for word in words(value) if word != NOTHING)


def shown_csv(rows: Iterable[tuple[Key, str]]) -> str:
    """The text of a file of examples: cells with their values, '' for a value still to be filled in."""
    return table_csv(COLUMNS, ((key.cell, key.layer, value) for key, value in rows))


def table_csv(columns: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    """The text of a CSV file in which no cell is taken for a formula by a spreadsheet program."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows([safe(text) for text in row] for row in rows)
    return out.getvalue()
