"""``terrainMaps``: records as the classes that write them read them, and where their hexes lie.

``terrain-map.txt`` was read, and every line of ``terrain-map.json`` written, by the terrain classes of the
Grand Tactical Series modules (``TerrainMap``, ``TerrainHexGrid``), run on VASSAL's engine; so was
``terrain-grid.jsonl.gz``, the column and row that they give to pixels of eight grids.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from vassal_files import a_board, a_map, element, golden_rows, terrain_records
from vassal_umpire.importers.vassal.buildfile import open_module
from vassal_umpire.importers.vassal.buildfile_terrain import MOST_BYTES, recorded_grid
from vassal_umpire.importers.vassal.grids import HexGrid, SquareGrid, Zone, ZonedGrid
from vassal_umpire.importers.vassal.limits import Limits
from vassal_umpire.importers.vassal.module import Module
from vassal_umpire.importers.vassal.terrain_map import (
    LONGEST,
    MOST_TOLD,
    TerrainRecord,
    cell_of,
    read_records,
)

Maker = Callable[..., Path]


def said(record: TerrainRecord) -> tuple[object, ...]:
    return record.kind, record.cell, record.name, record.value


# -- records -----------------------------------------------------------------------------------


@pytest.fixture
def golden(data: Path) -> dict[str, Any]:
    return json.loads((data / "terrain-map.json").read_text("utf-8"))


@pytest.fixture
def definitions(golden: dict[str, Any]) -> dict[Any, frozenset[str]]:
    return {kind: frozenset(names) for kind, names in golden["names"].items()}


def test_a_file_is_read_as_the_classes_read_it(
    data: Path, golden: dict[str, Any], definitions: dict[Any, frozenset[str]]
) -> None:
    text = (data / "terrain-map.txt").read_bytes().decode()
    found, _ = read_records(text, "f", definitions)
    held = {
        said(TerrainRecord(r["kind"], (*r["at"],), r["to"] and (*r["to"],), r["name"], r["value"]))
        for r in golden["records"]
    }
    assert {said(record) for record in found} == held
    assert len(found) == len(held)


def test_records_are_written_as_the_classes_write_them(
    data: Path, golden: dict[str, Any], definitions: dict[Any, frozenset[str]]
) -> None:
    lines = {record["line"] for record in golden["records"]}
    found, problems = read_records("\n".join(sorted(lines)), "f", definitions)
    assert problems == ()
    assert set(terrain_records(found).splitlines()) == lines


names = st.text(
    st.characters(exclude_characters="\r\n", exclude_categories=["Cs"]), min_size=1, max_size=40
).filter(lambda name: not name.endswith("\\") and name != "No Terrain")
numbers = st.integers(-(2**31), 2**31 - 1)
small = st.integers(-50, 50)


@st.composite
def a_record(draw: st.DrawFn) -> TerrainRecord:
    kind = draw(st.sampled_from(["hex", "hexside", "line", "attribute"]))
    if kind in ("hex", "attribute"):
        at = draw(st.tuples(numbers, numbers))
        return TerrainRecord(
            kind, at, None, draw(names), draw(names) if kind == "attribute" else ""
        )
    at = draw(st.tuples(small, small))
    return TerrainRecord(kind, at, draw(st.sampled_from(HexGrid().neighbours(at))), draw(names))


@given(st.lists(a_record(), unique_by=lambda r: (r.kind, r.cell, r.name * (r.kind == "attribute"))))
def test_what_is_written_is_read_again(records: list[TerrainRecord]) -> None:
    found, problems = read_records(terrain_records(records), "f", {})
    assert problems == ()
    assert [said(record) for record in found] == [said(record) for record in records]


@given(st.text(st.sampled_from("help,\\'-0129 \r\n\x00Woé")))
def test_no_text_is_too_odd(text: str) -> None:
    found, problems = read_records(text, "f", {"hex": frozenset(["W"])})
    assert len(problems) <= MOST_TOLD + 1
    again, none = read_records(terrain_records(found), "f", {})
    assert {said(record) for record in again} == {said(record) for record in found}
    assert none == ()


@pytest.mark.parametrize(
    ("line", "wrong"),
    [
        ("x,1,2,Woods", "expected h, e, l or a at the beginning of the line; found 'x,1,2,Woods'"),
        ("h,1", "expected 2 whole numbers, the columns and rows; found 'h,1'"),
        ("h,1,two,Woods", "expected 2 whole numbers, the columns and rows"),
        ("e,1,1,1,River", "expected 4 whole numbers, the columns and rows"),
        ("h,99999999999,1,Woods", "expected 2 whole numbers"),
        ("e,1,1,1,3,River", "expected two hexes next to each other; found (1, 1) and (1, 3)"),
        ("l,1,1,1,1,Road", "expected two hexes next to each other; found (1, 1) and (1, 1)"),
        ("h,1,1," + "W" * LONGEST, f"expected no more than {LONGEST:,} characters"),
        ("h,2,2,Rough", "'Woods' on line 1 says something else; the last counts"),
    ],
)
def test_each_fault_has_its_line(line: str, wrong: str) -> None:
    found, problems = read_records(f"h,2,2,Woods\n\n{line}\n", "m.vmod: terrainMaps/B.txt", {})
    assert len(found) == 1
    (problem,) = problems
    assert problem.where == "m.vmod: terrainMaps/B.txt line 3"
    assert wrong in problem.message


def test_no_more_lines_are_read_than_there_may_be() -> None:
    found, problems = read_records("h,1,1,A\nh,2,2,A\nh,3,3,A\n", "f", {}, most=2)
    assert [record.at for record in found] == [(1, 1), (2, 2)]
    assert "line 3: expected no more than" in str(problems[0])


def test_a_line_of_commas_costs_nothing() -> None:
    found, problems = read_records("h" + "," * 5_000_000, "f", {})
    assert (found, len(problems)) == ((), 1)


# -- where the hexes lie -----------------------------------------------------------------------


def test_columns_and_rows_mean_the_hexes_the_classes_mean(data: Path) -> None:
    """On a sideways grid, too, whose raw columns run down the board while the file's run across."""
    seen = 0
    for row in golden_rows(data / "terrain-grid.jsonl.gz"):
        grid = HexGrid(row["x0"], row["y0"], row["dx"], row["dy"], row["sideways"])
        assert cell_of(grid, (row["column"], row["row"])) == grid.cell_at(row["x"], row["y"]), row
        seen += row["sideways"]
    assert seen > 1000


@pytest.mark.parametrize("sideways", [False, True])
def test_neighbours_are_those_of_the_grid(sideways: bool) -> None:
    """The staggered hexes are odd columns, of a sideways grid odd rows."""
    near = "0,1" if sideways else "1,0"
    far = "0,1,1,0" if sideways else "1,0,0,1"
    found, problems = read_records(f"e,0,0,{near},River\n", "f", {}, sideways)
    assert (len(found), problems) == (1, ())
    both = (HexGrid(sideways=True), HexGrid())
    assert [cell_of(grid, (3, 5)) for grid in both] == [(5, 3), (3, 5)]
    assert len(read_records(f"e,{far},River\n", "f", {}, sideways)[0]) == 1
    assert len(read_records(f"e,{far},River\n", "f", {}, not sideways)[0]) == 1
    odd = "1,1,0,2" if not sideways else "1,1,2,0"
    assert len(read_records(f"e,{odd},River\n", "f", {}, sideways)[0]) == 1
    assert len(read_records(f"e,{odd},River\n", "f", {}, not sideways)[0]) == 0


def test_the_grid_that_is_recorded() -> None:
    hexes, other = HexGrid(), HexGrid(x0=5)
    square = ((0, 0), (9, 0), (9, 9))
    own, second = Zone("own", square, grid=other), Zone("second", square, grid=hexes)
    shared = Zone("shared", square, use_parent_grid=True, grid=hexes)
    assert recorded_grid(hexes) == (None, hexes)
    assert recorded_grid(None) is recorded_grid(SquareGrid()) is None
    assert recorded_grid(ZonedGrid((own,), hexes)) == (None, hexes)
    assert recorded_grid(ZonedGrid((own,), SquareGrid())) is None
    assert recorded_grid(ZonedGrid((shared, own))) == (1, own.grid)
    assert recorded_grid(ZonedGrid((own, second))) is None, "which of the two is meant is not known"


# -- modules -----------------------------------------------------------------------------------

DEFINED = (
    "<terrain.TerrainDefinitions>"
    '<terrain.HexTerrainDefinitions><terrain.HexTerrain name="Woods" color="0,0,0"/>'
    '<my.own.Moor name="Moor"/>'
    "</terrain.HexTerrainDefinitions></terrain.TerrainDefinitions>"
)


def _module(*boards: str, grid: str = "terrain.TerrainHexGrid", **more: str) -> str:
    hexes = element(grid, dx=50, dy=60, **more)
    held = "".join(a_board(name, hexes, width=400, height=400) for name in boards)
    return a_map("M", held, kind="terrain.TerrainedMap")


def told(module: Module) -> list[str]:
    return [str(p) for p in module.problems if p.code in ("terrain-map", "terrain-record")]


def test_the_files_of_a_module_are_read(make_module: Maker) -> None:
    path = make_module(
        DEFINED + _module("North", "Caf\u00e9", "Bare"),
        **{
            "terrainMaps/North.txt": b"h,1,2,Moor\nh,2,2,Bog\na,1,2,Town,Ays\xff\n",
            "terrainMaps/Cafe\u0301.txt": b"h,0,0,Woods\n",
            "terrainMaps/South.txt": b"h,0,0,Woods\n",
            "terrainMaps/readme.md": b"h,0,0,Woods\n",
        },
    )
    module = open_module(path)
    assert [(t.board, len(t.records)) for t in module.terrain] == [("North", 2), ("Caf\u00e9", 1)]
    assert module.terrain[0].records[1].value == "Ays\ufffd"
    assert isinstance(module.maps[0].boards[0].grid, HexGrid)
    unread = ["my.own.Moor", "terrain.TerrainedMap"]
    assert [c.name for c in module.custom_components] == unread, "the rest is read"
    assert told(module) == [
        "test.vmod: terrainMaps/North.txt line 2: expected one of the hex terrain in the module's "
        "TerrainDefinitions; found 'Bog', which VASSAL ignores",
        "test.vmod: terrainMaps/South.txt: expected terrain of a board; found none of this name, so it is"
        " left out",
    ]


@pytest.mark.parametrize(
    "grid", ["terrain.TerrainHexGrid", "avl.AvlTerrainHexGrid", "tdc.TdcHexGrid"]
)
def test_the_grids_of_such_modules_are_hex_grids(make_module: Maker, grid: str) -> None:
    module = open_module(make_module(_module("B", grid=grid)))
    (held,) = module.maps[0].boards
    assert held.grid == HexGrid(dx=50, dy=60)


def test_an_extension_may_bring_terrain_but_the_modules_goes_before(make_module: Maker) -> None:
    target = "terrain.TerrainedMap:M/VASSAL.build.module.map.BoardPicker"
    added = a_board("East", width=90, height=90)
    extension = make_module(
        element("VASSAL.build.module.ExtensionElement", added, target=target),
        root="VASSAL.build.module.ModuleExtension",
        attributes='module="Test" version="2"',
        file_name="more.vmdx",
        **{
            "terrainMaps/North.txt": b"h,9,9,Woods\n",
            "terrainMaps/South.txt": b"h,3,3,Woods\n",
            "terrainMaps/East.txt": b"h,4,4,Woods\ne,1,1,2,0,River\n",
        },
    )
    path = make_module(_module("North", "South"), **{"terrainMaps/North.txt": b"h,1,1,Woods\n"})
    module = open_module(path, [extension])
    found = {t.board: (t.file, [r.at for r in t.records]) for t in module.terrain}
    assert found == {
        "North": ("test.vmod: terrainMaps/North.txt", [(1, 1)]),
        "South": ("more.vmdx: terrainMaps/South.txt", [(3, 3)]),
        "East": ("more.vmdx: terrainMaps/East.txt", [(4, 4), (1, 1)]),
    }
    (problem,) = told(module)
    assert "expected one hex grid on the board East; found none, or several" in problem
    alone = open_module(extension)
    assert {t.board for t in alone.terrain} == {"North", "South", "East"}
    assert told(alone) == [], "the boards may be in the module"


def test_a_sideways_board_has_sideways_neighbours(make_module: Maker) -> None:
    children = _module("B", sideways="true")
    path = make_module(children, **{"terrainMaps/B.txt": b"e,1,1,2,0,River\n"})
    module = open_module(path)
    assert told(module) == []
    assert len(module.terrain[0].records) == 1


def test_files_past_a_limit_are_left_out(make_module: Maker) -> None:
    children = _module("A", "B")
    huge = b"h,1,1,Woods\n" + b"\n" * MOST_BYTES
    path = make_module(
        children, **{"terrainMaps/A.txt": huge, "terrainMaps/B.txt": b"h,1,1,Woods\n"}
    )
    module = open_module(path)
    assert [t.board for t in module.terrain] == ["B"]
    assert "expected no more than 32 MiB of terrainMaps; it is left out" in told(module)[0]
    module = open_module(path, limits=Limits(entry_size=8192, total_size=16384))
    assert [t.board for t in module.terrain] == ["B"]


def test_files_of_no_board_are_told_a_few_times(make_module: Maker) -> None:
    entries = {f"terrainMaps/{n}.txt": b"" for n in range(100)}
    found = told(open_module(make_module(_module("B"), **entries)))
    assert len(found) == MOST_TOLD + 1
    assert "(80 times)" in found[-1]
