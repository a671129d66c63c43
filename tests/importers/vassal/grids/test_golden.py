"""Names, snapping and places of pixels against the answers of the engine itself."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from vassal_files import golden_rows, with_sizes
from vassal_umpire.importers.vassal.buildfile import open_module
from vassal_umpire.importers.vassal.buildfile_maps import parse_layout
from vassal_umpire.importers.vassal.layout import MapLayout, lay_out
from vassal_umpire.importers.vassal.module import BoardChoice, Module
from vassal_umpire.importers.vassal.places import Gazetteer

Row = dict[str, Any]

GRIDS = [
    "bloodbowl/BBVassal-lite.vmod.GrassPitch", "bloodbowl/BBVassal-lite.vmod.Sevens",
    "ccn/CommandsColorsNapoleonics.vmod", "ftp/ForThePeople-lite.vmod",
    "hexncounters/jzhex-n-counters-template-v12-379.vmod", "hexncounters/ragnarok.vmod",
    "kassala/Kassala.vmod", "nevsky/Nevsky-lite.vmod", "tld/TheLongestDay-3.0b6.vmod",
    "vassal-tour/tour.mod.SL", "vassal-tour/tour.mod.SL-SLrev-Empty", "vassal-tour/tour.mod.VIP",
    "vassal-tour/tour.mod.plain", "zxvt/zxvt.vmod",
]  # fmt: skip

INVENTED = {
    # the numbering's format is the word "dungeon", which names no row and no column, so the engine
    # cannot turn it back (RegularGridNumbering.getLocation); all squares of the board bear it
    ("vassal-tour/tour.mod.SL-SLrev-Empty", "Main Map", "dungeon"),
}
"""Names the engine does not find although its own pixels bear them."""


@cache
def _module(path: Path) -> Module:
    return open_module(path)


def _golden_layouts(module: Module, header: Row) -> dict[str, MapLayout]:
    """The boards the engine had laid out, with the sizes it was told of where images are missing."""
    layouts = {}
    for told in header["maps"]:
        definition = module.map(told["name"])
        assert definition is not None
        boards = told["boards"]
        columns = sorted({board["x"] for board in boards})
        rows = sorted({board["y"] for board in boards})
        choices = tuple(
            BoardChoice(b["name"], columns.index(b["x"]), rows.index(b["y"]), b["reversed"])
            for b in boards
        )
        command = header.get("boards_command", "")
        named = parse_layout(command, (definition.name, definition.id))
        sizes = {board["name"]: (board["w"], board["h"]) for board in boards}
        layouts[told["name"]] = MapLayout(
            with_sizes(definition, sizes), choices if named is None else named
        )
    return layouts


def _differences(row: Row, layout: MapLayout, keys: dict[str, str]) -> Iterator[str]:
    x, y = row["x"], row["y"]
    name, snapped = layout.location_name(x, y), layout.snap(x, y)
    board, zone = layout.find_board(x, y), layout.current_zone(x, y)
    found = {
        "location": (name, row[keys["location"]]),
        "snap": (list(snapped), row["snap"]),
        "centre": (
            list(layout.snap(x, y, force=True, centre=True)),
            row.get(keys["centre"], row["snap"]),
        ),
        "snapped location": (layout.location_name(*snapped), row.get(keys["snapped"], name)),
        "board": (board and board.name, row.get("board")),
        "zone": (zone and zone.name, row.get("zone")),
    }
    if board is not None:
        local = board.local(x, y)
        found["board-local"] = (list(local), row.get("boardLocal", list(local)))
        _, grid = board.grid_at(*local)
        if grid is not None and grid.kind == row.get("grid") and "col" in row:
            numbered = grid.numbered(grid.raw_index(*local))  # type: ignore[union-attr]
            found["column and row"] = (numbered, (row["col"], row["row"]))
    for what, (ours, theirs) in found.items():
        if ours != theirs:
            yield f"{row['map']} {x},{y}: {what} is {ours!r}, the engine says {theirs!r}"


CORPUS_KEYS = {"location": "loc", "centre": "center", "snapped": "snaploc"}
SYNTHETIC_KEYS = {
    "location": "location",
    "centre": "snapForceCenter",
    "snapped": "snapLocation",
}


@pytest.mark.parametrize(("name", "points"), [("grids", 2400), ("zones", 1200)])
def test_random_grids_and_zones_are_named_and_snapped_as_by_the_engine(
    name: str, points: int, data: Path
) -> None:
    module = open_module(data / f"{name}.vmod")
    layouts = {a_map.name: lay_out(module.maps)[a_map.id] for a_map in module.maps}
    rows = [row for row in golden_rows(data / f"{name}.jsonl.gz") if "snap" in row]
    assert len(rows) == points
    found = [d for row in rows for d in _differences(row, layouts[row["map"]], SYNTHETIC_KEYS)]
    assert found == []


def test_synthetic_boards_lie_where_the_engine_puts_them(data: Path) -> None:
    module = open_module(data / "zones.vmod")
    header = golden_rows(data / "zones.jsonl.gz")[0]
    laid = lay_out(module.maps)
    for told, a_map in zip(header["maps"], module.maps, strict=True):
        assert told["name"] == a_map.identifier
        assert _as_told(laid[a_map.id]) == told["boards"]


def _as_told(layout: MapLayout) -> list[Row]:
    return [
        {
            "name": board.name,
            "x": board.x,
            "y": board.y,
            "w": board.width,
            "h": board.height,
            "reversed": board.reversed,
            "magnification": board.definition.magnification,
            "grid": board.grid and board.grid.kind,
        }
        for board in layout.boards
    ]


@pytest.mark.parametrize("name", GRIDS)
def test_pixels_of_real_modules_are_named_and_snapped_as_by_the_engine(
    name: str, corpus: Path
) -> None:
    header, *rows = golden_rows(corpus / "golden" / f"{name}.grid.jsonl.gz")
    module = _module(corpus / header["module_file"])
    assert module.sha256 == header["module_sha256"]
    layouts = _golden_layouts(module, header)
    for told in header["maps"]:
        assert _as_told(layouts[told["name"]]) == told["boards"]
    assert len(rows) == header["points"]
    found = [d for row in rows for d in _differences(row, layouts[row["map"]], CORPUS_KEYS)]
    assert found == []


@pytest.mark.parametrize("name", GRIDS)
def test_names_lead_to_the_engines_pixels(name: str, corpus: Path) -> None:
    """Wherever the engine's answer bears the name it was asked for, ours is the same pixel.

    Where it does not (it answers far off the board for "9999", takes "019" for "19", names a zone's
    middle that another zone covers) ours is either the same pixel or none at all.
    """
    header, *rows = golden_rows(corpus / "golden" / f"{name}.locate.jsonl.gz")
    layouts = _golden_layouts(_module(corpus / header["module_file"]), header)
    gazetteers = {key: Gazetteer(layout) for key, layout in layouts.items()}
    found = []
    for row in rows:
        layout, asked = layouts[row["map"]], row["name"]
        places = gazetteers[row["map"]].places(asked)
        here = [p for p in places if layout.boards[p.board].name == row["board"]]
        ours = [list(place.point) for place in here]
        if "point" not in row:
            good = not ours or (name, row["map"], asked) in INVENTED
        elif row["back"] == asked:
            good = row["point"] in ours
        else:
            good = row["point"] in ours or not ours
        if not good:
            found.append(f"{row}: ours {ours[:5]}")
    assert found == []
