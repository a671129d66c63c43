"""Boards in HexMap 1.0 read as facts: both drafts of the format, and what is refused rather than guessed."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from small_board import BARE
from vassal_umpire.importers.pack.imported_table import Reading
from vassal_umpire.importers.pack.imported_tables import TableRead, read_table
from vassal_umpire.model.board import Board, Hex
from vassal_umpire.model.hexgrid import from_offset
from vassal_umpire.model.problem import UmpireError

LAYOUT = {"orientation": "flat-down", "all": "0101 - 0401 - 0404 - 0104 fill", "label": "XXYY"}
GRID = {"hex_top": "flat", "columns": 4, "rows": 4, "stagger": "low"}
TERRAIN = {
    "hex": {
        "clear": {},
        "wood": {},
        "town": {"modifier": True},
        "both": {},
        "rail": {"path": True},
    },
    "edge": {"river": {}, "cliff": {"onesided": True}},
    "path": {"road": {}, "both": {}},
}
ACROSS = Reading(across=frozenset({"road", "rail"}))


def read(
    tmp_path: Path, *features: Any, reading: Reading = ACROSS, board: Board = BARE, **more: Any
) -> TableRead:
    told = {"hexmap": "1.0", "layout": LAYOUT, "terrain": TERRAIN, "features": features, **more}
    if "grid" in told:
        del told["layout"]
    file = tmp_path / "map.hexmap.json"
    file.write_text(json.dumps(told), encoding="utf-8")
    return read_table(file, board, reading)


def plain(table: TableRead) -> dict[str, str]:
    """The facts as ``cell layer name`` and value, without what says that nothing else is in a hex."""
    return {
        " ".join(part for part in key if part): taken.value
        for key, taken in table.facts.items()
        if key.name or key.layer in ("terrain", "level")
    }


def hexes(table: TableRead, terrain: str) -> str:
    """The hexes with a terrain."""
    told = ((key, taken.value) for key, taken in table.facts.items())
    return " ".join(sorted(k.cell for k, value in told if (k.layer, value) == ("terrain", terrain)))


def fault(tmp_path: Path, *features: Any, **more: Any) -> str:
    with pytest.raises(UmpireError) as caught:
        read(tmp_path, *features, **more)
    assert "\n" not in str(caught.value)
    return str(caught.value)


def test_features_of_a_grid_that_lists_its_places(tmp_path: Path) -> None:
    table = read(
        tmp_path,
        {"hexes": ["0101", "0102"], "terrain": "wood", "elevation": 1},
        {"hex": "0102", "terrain": "town", "label": "Ease"},
        {"region": {"id": "west", "hexes": ["0103"]}, "elevation": -1},
        {"edges": ["0202/S", "0301/1"], "terrain": "river"},
        {"edge": "0202/3", "terrain": "river"},
        {"path": ["0104", "0204", "0304"], "terrain": "road"},
        {"vertex": "0202.E", "terrain": "bridge", "elevation": 1},
        {"edge": "0303/N", "terrain": "slope"},
        {"hex": "0909", "terrain": "wood"},
        grid=GRID | {"boundary": ["0101", "0102", "0103", "0104"]},
        terrain={"edge": {"slope": {"directed": True}}},
        defaults={"hex": {"terrain": "clear", "elevation": 0}, "edge": {"terrain": "open"}},
    )
    assert plain(table) == {
        "0101 terrain": "wood", "0101 level": "1", "0102 terrain": "town", "0102 level": "1",
        "0103 terrain": "clear", "0103 level": "-1", "0104 terrain": "clear", "0104 level": "0",
        "0202/0203 hexsides river": "yes", "0202/0302 hexsides river": "yes",
        "0104/0204 lines road": "yes", "0204/0304 lines road": "yes",
    }  # fmt: skip
    name = "map.hexmap.json"
    assert table.left_out == (
        f"{name}: defaults of edge: open",
        f"{name}: label of features: {name} features 2",
        f"{name}: elevation of what is not a hex: {name} features 7",
        f"{name}: what lies at corners of hexes: {name} features 7",
        f"{name}: slope on one side of hexsides only: {name} features 8",
        f"{name}: no hex of this board: 0909",
    )


def test_features_of_a_layout_with_expressions(tmp_path: Path) -> None:
    table = read(
        tmp_path,
        {"at": "@all", "terrain": "clear"},
        {"at": "0101 - 0301, 0404", "terrain": "wood town"},
        {"at": "0201 - 0301-0302-0202 fill exclude 0302", "elevation": 2},
        {"at": "0203 - 0303 exclude 0303 include 0403", "terrain": "wood"},
        {"at": "0202/S - 0203/NE 0302@2", "terrain": "river"},
        {"at": "0101 - 0102 0103 - 0203", "terrain": "rail"},
        {"at": "0104", "terrain": "setup"},
        reading=replace(ACROSS, names={"setup": ""}),
    )
    assert hexes(table, "wood") == "0101 0201 0203 0301 0403 0404"
    assert len(hexes(table, "clear").split()) == 16 - 6
    assert {key: value for key, value in plain(table).items() if "terrain" not in key} == {
        **{f"{name} features town": "yes" for name in ("0101", "0201", "0301", "0404")},
        **{f"{name} level": "2" for name in ("0201", "0202", "0301")},
        "0202/0203 hexsides river": "yes", "0203/0302 hexsides river": "yes",
        "0302/0402 hexsides river": "yes",
        "0101/0102 lines rail": "yes", "0103/0203 lines rail": "yes",
    }  # fmt: skip
    assert table.left_out == ()


def test_sides_that_the_file_numbers_otherwise_than_the_module_are_not_taken(
    tmp_path: Path,
) -> None:
    """North-east of 0202 lies another hex on a map whose odd columns stand higher."""
    river = {"at": "0202/NE 0202/N", "terrain": "river"}
    table = read(tmp_path, river, layout=LAYOUT | {"orientation": "flat-up"})
    assert plain(table) == {"0201/0202 hexsides river": "yes"}
    assert table.left_out == (
        "map.hexmap.json: sides that are none on the module's map, or that the file's numbering puts "
        "elsewhere: 0202/NE",
    )
    for layout in ({"orientation": "pointy-right"}, {"origin": "bottom-left"}, {"label": "AYY"}):
        assert "puts elsewhere; found 0202/" in fault(
            tmp_path, {"at": "0202/NE 0202/SW", "terrain": "river"}, layout=LAYOUT | layout
        )


def test_a_board_of_sideways_rows(tmp_path: Path) -> None:
    names = [f"{c:02}{r:02}" for c in range(1, 5) for r in range(1, 5)]
    where = {n: from_offset(int(n[2:]), int(n[:2])) for n in names}
    board = Board("Test", {n: Hex(n, at, sheet="Map") for n, at in where.items()})
    sides = "0202/E 0202@5 0203/W 0203/1 0101/NW"
    table = read(
        tmp_path, {"at": sides, "terrain": "river"}, board=board,
        layout=LAYOUT | {"orientation": "pointy-right"},
    )  # fmt: skip
    assert set(plain(table)) == {
        f"{side} hexsides river" for side in ("0202/0302", "0202/0203", "0103/0203", "0203/0302")
    }


@pytest.mark.parametrize(
    "at",
    [
        "0101 ~ 0401", "0101 - 0402", "0101 - 0401 - 0404 - 0101 fill", "0101 - 0301 close", "@west",
        "0101 0202/N", "0101 - 2ne", "0101 -", "0101 - - 0102", "0101 - @all",
    ],
)  # fmt: skip
def test_an_expression_that_is_not_read_is_never_guessed(tmp_path: Path, at: str) -> None:
    """What it may lie over is not taken either: 0101 may be no clear hex."""
    base = {"at": "@all", "terrain": "clear"}
    assert "features 2: expected names of one kind" in fault(
        tmp_path, base, {"at": at, "terrain": "wood"}
    )
    table = read(tmp_path, base, {"at": at, "terrain": "road"})
    assert len(hexes(table, "clear").split()) == 16
    assert table.left_out == (f"map.hexmap.json: expressions that are not read: {at}",)
    assert "expected names of one kind" in fault(
        tmp_path, base, {"at": at, "terrain": "road"}, reading=Reading(whole=frozenset({"lines"}))
    )


def test_sides_that_are_left_out(tmp_path: Path) -> None:
    """A cliff has another effect from below; a road on a hexside runs along it; of two terrains one holds."""
    river = {"at": "0101/S", "terrain": "river"}
    for at, terrain, why in (
        ("0202/S", "cliff", "cliff on one side of hexsides only"),
        ("0202/S", "road", "road along hexsides, which it leads across elsewhere"),
        ("0202/S 0203/N", "river creek", "sides with more than one terrain (river, creek)"),
        ("0202/N - 0302/N", "river", "0202/N - 0302/N"),
    ):
        told = {"at": at, "terrain": terrain}
        table = read(tmp_path, river, told)
        assert plain(table) == {"0101/0102 hexsides river": "yes"}
        assert [why in line for line in table.left_out] == [True]
        assert why in fault(
            tmp_path, river, told, reading=replace(ACROSS, whole=frozenset({"hexsides"}))
        )


def test_what_is_no_hexmap_that_can_be_read(tmp_path: Path) -> None:
    wood = {"at": "0101", "terrain": "wood"}
    assert "expected HexMap 1.0" in fault(tmp_path, wood, hexmap="2.0")
    assert "expected HexMap 1.0" in fault(tmp_path, wood, features=None)
    assert "expected sides out of N, NE, SE, S, SW, NW; found 0202@1" in fault(
        tmp_path, {"edge": "0202@1", "terrain": "river"}
    )
    added = {"at": "0101 ~ 0401", "terrain": "town"}
    assert "features 1: expected names" in fault(tmp_path, added, wood)
    assert "features 1: expected one of at, hex" in fault(tmp_path, {"terrain": "wood"})
    assert "features 1: expected text, or a list of texts, for at" in fault(
        tmp_path, {"at": 3, "terrain": "wood"}
    )
    assert "expected text for terrain" in fault(tmp_path, {"at": "0101", "terrain": ["wood"]})
    assert "expected hexes of the board; found 0909" in fault(tmp_path, wood | {"at": "0909"})
    assert "found both, which is both" in fault(tmp_path, wood, wood | {"terrain": "both"})
    file = tmp_path / "map.hexmap.yaml"
    file.write_text('hexmap: "1.0"\n')
    with pytest.raises(UmpireError, match="is YAML; expected JSON"):
        read_table(file, BARE, Reading())
