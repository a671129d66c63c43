"""A small board, as hexes.csv and lines.csv tell it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from vassal_umpire.importers.pack.load import HEX_COLUMNS, LINE_COLUMNS, load_pack
from vassal_umpire.importers.pack.spreadsheet import read_sheet
from vassal_umpire.importers.pack.terrain import with_terrain
from vassal_umpire.model.board import NONE, Board, Edge, Hex, edge
from vassal_umpire.model.hexgrid import from_offset

NAMES = [f"{c:02}{r:02}" for c in range(1, 5) for r in range(1, 5)]
BARE = Board(
    "Test",
    {n: Hex(n, from_offset(int(n[:2]), int(n[2:])), sheet="Map") for n in NAMES},
    complete=frozenset(),
)
SIDES = sorted({edge(a, b) for a in NAMES for b in BARE.neighbours(a)})
PACK = load_pack(Path(__file__).parent / "importers/pack/drill")


def board(hexes: bytes = b"", lines: bytes = b"", complete: frozenset[str] = frozenset()) -> Board:
    """The board that the two files make; a fault in them is an error."""
    sheets = []
    for name, data, required, allowed in (
        ("hexes.csv", hexes, ("hex",), HEX_COLUMNS),
        ("lines.csv", lines, ("kind", "path"), LINE_COLUMNS),
    ):
        if not data:
            sheets.append(None)
            continue
        sheet, problems = read_sheet(Path(name), required=required, allowed=allowed, data=data)
        assert problems == ()
        sheets.append(sheet)
    pack = replace(PACK, hexes=sheets[0], lines=sheets[1], complete=complete)
    made, problems = with_terrain(replace(BARE, complete=complete), pack)
    assert [p for p in problems if p.severity == "error"] == []
    return made


def of_hex(made: Board, name: str) -> dict[str, object]:
    """All that is known of a hex."""
    here = made.hexes[name]
    return {
        "terrain": None if here.terrain is None else set(here.terrain),
        "level": "?" if name in made.exceptions.levels else here.level,
        "features": (frozenset(here.features), made.exceptions.hexes.get(name, NONE)),
    }


def of_side(made: Board, side: Edge) -> dict[str, object]:
    """All that is known of a hexside: what is there, of which lines, and what may be."""
    lines = made.lines_by_edge.get(side, ())
    return {
        "sides": set(made.sides.get(side, ())),
        "maybe on": made.maybe_on(side),
        "lines": {(line.kind, line.name, line.junctions) for line in lines},
        "maybe across": made.maybe_across(side),
    }
