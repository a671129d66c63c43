"""The calls of the Board view, and where hexes and hexsides lie on the pictures of maps."""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Sequence
from math import dist
from pathlib import Path
from typing import Any

import pytest
from tiers import by_tier
from vassal_umpire.importers.pack.board import Places, bind_board
from vassal_umpire.importers.pack.load import load_pack
from vassal_umpire.importers.vassal.buildfile import open_module
from vassal_umpire.importers.vassal.formats import parse_format
from vassal_umpire.importers.vassal.grids import Axis, HexGrid, Numbering, Zone, ZonedGrid
from vassal_umpire.importers.vassal.layout import MapLayout, lay_out
from vassal_umpire.importers.vassal.module import (
    BoardChoice,
    BoardDefinition,
    MapDefinition,
)
from vassal_umpire.model.board import Board, edge
from vassal_umpire.model.problem import UmpireError, WrongPack
from vassal_umpire.model.provenance import Key
from vassal_umpire.plugin.board_geometry import HexShape, MapShape, Point, shapes_of
from vassal_umpire.plugin.studio.board_cells import Cells, cells_of, tables_in
from vassal_umpire.plugin.studio.board_view import board, cells, take_table
from vassal_umpire.plugin.studio.calls import DATA
from vassal_umpire.plugin.studio.session import Studio

from ..kit import CROSSROADS, PACK, put, studio_on


@pytest.fixture
def studio(tmp_path: Path) -> Iterator[Studio]:
    """One whose background work does not run: what it reads is read when it is asked."""
    found = studio_on(Path(shutil.copytree(PACK, tmp_path / "pack")))
    yield found
    found.close()


def add(studio: Studio, file: str, row: str) -> None:
    path = studio.folder / file
    path.write_text(path.read_text("utf-8") + row + "\n", "utf-8")
    studio.changed()


def test_the_board_tells_where_hexes_lie_and_what_to_paint_with(studio: Studio) -> None:
    found: Any = board(studio, {})
    (sheet,) = found["sheets"]
    assert (sheet["id"], sheet["map"]) == ("0", "Main Map")
    assert sheet["tiles"]["url"] == "/api/tile/0/{z}/{x}/{y}"
    assert (len(sheet["hexes"]), len(sheet["sides"])) == (120, 317)
    assert all(len(corners) == 12 for _, _, _, corners in sheet["hexes"])
    assert set(found["brushes"]["terrain"]) >= {"clear", "woods", "hills", "marsh", "town"}
    assert set(found["brushes"]["hexsides"]) >= {"river", "bridge"}
    assert "road" in found["brushes"]["lines"]
    assert "woods" in found["brushes"]["charts"]["terrain"]["known"]


def test_only_what_has_changed_is_told_again(studio: Studio) -> None:
    first: Any = cells(studio, {})
    assert len(first["hexes"]) == 120
    assert "changed" not in first["hexes"]["0202"]
    add(studio, "hexes.csv", "0202,marsh")
    second: Any = cells(studio, {"after": str(first["revision"])})
    assert second["revision"] > first["revision"]
    assert second["sides"] == {}
    (name,) = second["hexes"]
    told = second["hexes"][name]
    assert (name, told["terrain"], told["changed"]) == ("0202", "marsh", True)
    third: Any = cells(studio, {"after": str(second["revision"])})
    assert third["hexes"] == {}
    assert "asked" not in third


def test_every_page_is_told_of_a_change_that_one_finds_before_the_studio_does(
    studio: Studio,
) -> None:
    first: Any = cells(studio, {})
    with (studio.folder / "hexes.csv").open("a", encoding="utf-8") as file:
        file.write("0202,marsh\n")
    other: Any = cells(studio, {})
    assert other["hexes"]["0202"]["terrain"] == "marsh"
    studio.changed()  # the studio finds it as well
    told: Any = cells(studio, {"after": str(first["revision"])})
    assert told["hexes"]["0202"]["terrain"] == "marsh"


def test_cells_without_an_edit_that_waits_to_be_written_say_so(
    studio: Studio, stuck: dict[str, OSError]
) -> None:
    stuck["hexes.csv"] = PermissionError(13, "held")
    edit = {"kind": "hex", "hex": "0202", "layer": "terrain", "was": "clear", "now": "woods"}
    studio._read_and_judge(lambda *_: None)
    before: Any = cells(studio, {})
    assert studio.edit([edit], "painted").refused == ()
    after: Any = cells(studio, {})
    assert [one["unwritten"] for one in (before, after)] == [False, True]
    assert before["hexes"] == after["hexes"]


def test_a_table_of_others_fills_in_what_nobody_typed_and_vouches_for_nothing(
    studio: Studio,
) -> None:
    path = studio.folder / "hexes.csv"
    rows = path.read_text("utf-8").splitlines(keepends=True)
    path.write_text("".join(row for row in rows if not row.startswith("0108,")), "utf-8")
    path.with_name("provenance.csv").unlink(missing_ok=True)
    before = {f.name: f.read_bytes() for f in studio.folder.iterdir()}
    table = b"hex,terrain\n0108,woods\n0202,marsh\n"
    studio.start()
    while studio.opened is None:
        studio.wait(studio.revision, 20)
    told: Any = take_table(studio, {"name": "map.csv", DATA: table})
    assert told["entered"] == {"terrain": 1, "features": 1}
    (stays,) = (line for line in told["lines"] if "0202 terrain" in line)
    assert stays == "stays as it was typed: 0202 terrain: stays clear; map.csv line 3 has marsh"
    pack = load_pack(studio.folder)
    records = {record.key: record for record in pack.records}
    assert pack.provenance_required
    assert records[Key("0108", "terrain")].status == "imported"
    assert not records[Key("0108", "terrain")].is_known
    assert {one.status for one in pack.records if one.key.cell != "0108"} == {"typed"}
    studio.turn(forth=False)
    assert {f.name: f.read_bytes() for f in studio.folder.iterdir() if f.name in before} == before
    with pytest.raises(UmpireError, match=r"found Forest.*--name Forest=… says what it means"):
        take_table(studio, {"name": "map.csv", DATA: b"hex,terrain\n0108,Forest\n"})
    with pytest.raises(UmpireError, match=r"map\.csv"):
        take_table(studio, {"name": "map.csv", DATA: b"\xff\x00\xff"})
    with pytest.raises(WrongPack, match=r"line 2: .* 9999, map.csv line 3: .* 9998; nothing was"):
        take_table(studio, {"name": "map.csv", DATA: b"hex,terrain\n9999,clear\n9998,clear\n"})


def test_what_is_taken_back_is_no_longer_called_changed(studio: Studio) -> None:
    first: Any = cells(studio, {})
    text = (studio.folder / "lines.csv").read_text("utf-8")
    add(studio, "lines.csv", "river,0202/0203,")
    second: Any = cells(studio, {"after": str(first["revision"])})
    assert second["sides"]["0202/0203"]["has"] == ["river"]
    (studio.folder / "lines.csv").write_text(text, "utf-8")
    studio.changed()
    third: Any = cells(studio, {"after": str(second["revision"])})
    assert "has" not in third["sides"]["0202/0203"]
    assert "changed" not in third["sides"]["0202/0203"]


def test_a_pack_that_cannot_be_read_is_shown_as_it_was(studio: Studio) -> None:
    first: Any = cells(studio, {})
    add(studio, "pack.toml", "[[[")
    second: Any = cells(studio, {"after": str(first["revision"])})
    assert second["hexes"] == {}
    assert second["board"] == first["board"]


def test_a_new_sheet_or_chart_makes_the_page_ask_for_the_board_again(studio: Studio) -> None:
    first: Any = cells(studio, {})
    put(studio.folder / "pack.toml", "[board]", '[board]\nbarriers = [["0202", "0203"]]')
    studio.changed()
    second: Any = cells(studio, {})
    assert second["board"] != first["board"]
    found: Any = board(studio, {})
    assert found["board"] == second["board"]
    assert ["0202", "0203"] not in [side[:2] for side in found["sheets"][0]["sides"]]


def test_what_the_audit_asks_for_and_rests_on(studio: Studio) -> None:
    studio.start()
    revision = 0
    while studio.audit is None:
        studio.wait(revision, 20)
        revision = studio.revision
    found: Any = cells(studio, {})
    assert [one["cell"] for one in found["asked"]] == ["0110"]
    assert found["asked"][0]["layer"] == "terrain"
    assert found["asked"][0]["moves"] == 1
    assert found["rested"]
    assert set(found["rested"]) <= {*found["hexes"], *found["sides"]}


HEAD = '[pack]\nname = "x"\nversion = "1"\nruleset = "generic"\n'
SHEET = '[[board.sheet]]\nmap = "Main Map"\n'
RECORD = "cell,layer,name,value,status,who,when,method,confidence,picture\n"


@pytest.fixture
def told(tmp_path: Path) -> Any:
    module = open_module(next(CROSSROADS.glob("*.vmod")))
    laid = lay_out(module.maps)
    layouts = {one.identifier: laid[one.id] for one in reversed(module.maps)}

    def read(board: str = "", hexes: str = "", lines: str = "", records: str = "") -> Cells:
        (tmp_path / "pack.toml").write_text(f"{HEAD}[board]\n{board}\n{SHEET}", "utf-8")
        for name, text in (
            ("hexes.csv", hexes),
            ("lines.csv", lines),
            ("provenance.csv", RECORD + records if records else ""),
        ):
            if text:
                (tmp_path / name).write_text(text, "utf-8")
        pack = load_pack(tmp_path)
        bare, places, _ = bind_board(pack, layouts)
        tables = tables_in(tmp_path, bare)
        return cells_of(pack, bare, places, layouts, module, None, *tables)

    return read


def test_of_a_bare_board_nothing_is_known(told: Any) -> None:
    cells = told()
    assert len(cells.hexes) == 120
    assert cells.hexes["0403"] == {
        "terrain": "",
        "level": "",
        "features": "",
        "status": "unknown",
        "unknown": ["terrain", "level", "features"],
    }
    assert cells.sides["0403/0404"] == {"status": "unknown", "unknown": ["hexsides", "lines"]}


def test_a_hex_is_told_as_it_stands_in_the_file(told: Any) -> None:
    hexes = "hex,terrain,level,features,told\n*,clear,1,,\n0403,woods / town,?,fort,hexsides\n0404,?,,,\n"
    cells = told('complete = ["terrain"]', hexes)
    here = cells.hexes["0403"]
    assert (here["terrain"], here["level"], here["features"]) == ("woods+town", "?", "fort")
    assert (here["status"], here["told"], here["unknown"]) == ("typed", "hexsides", ["level"])
    assert cells.hexes["0404"]["terrain"] == "?"
    assert cells.hexes["0404"]["status"] == "unknown"
    assert cells.hexes["0405"]["terrain"] == "clear"
    assert cells.levels == (1,)


def test_what_several_rows_tell_of_the_sides_of_a_hex_is_told_together(told: Any) -> None:
    cells = told(hexes="hex,told\n040*,hexsides\n0403,lines\n")
    assert (cells.hexes["0403"]["told"], cells.hexes["0404"]["told"]) == (
        "hexsides+lines",
        "hexsides",
    )


def test_all_six_sides_of_a_hex_that_is_done_are_known(told: Any) -> None:
    cells = told(hexes="hex,told\n0403,hexsides+lines\n", lines="kind,path\nriver,0403/0404\n")
    assert cells.sides["0403/0404"] == {"status": "typed", "unknown": [], "has": ["river"]}
    assert cells.sides["0402/0403"] == {"status": "typed", "unknown": []}
    assert cells.sides["0401/0402"]["status"] == "unknown"


def test_a_line_stands_on_every_side_it_crosses(told: Any) -> None:
    cells = told('complete = ["lines"]', lines="kind,path\nroad,0401 0402 0403\n")
    assert cells.sides["0401/0402"]["lines"] == ["road"]
    side = {"status": "typed", "unknown": ["hexsides"], "lines": ["road"]}
    assert cells.sides["0402/0403"] == side
    assert "lines" not in cells.sides["0403/0404"]


def test_what_nobody_looked_at_says_so_and_who_suggested_it(told: Any) -> None:
    hexes = "hex,terrain\n0403,woods\n0404,clear\n0405,clear\n"
    records = (
        "0403,terrain,,woods,suggested,colours,2026-11-22,program: colours 0.1,0.61,\n"
        "0404,terrain,,clear,looked-at,Wren,2026-11-22,person: map,,\n"
        "0403/0404,hexsides,river,yes,suggested,colours,2026-11-22,program: colours 0.1,0.93,\n"
    )
    cells = told('provenance = "required"', hexes, "kind,path\nriver,0403/0404\n", records)
    here = cells.hexes["0403"]
    assert (here["status"], here["who"], here["confidence"]) == ("suggested", "colours", 0.61)
    assert "terrain" in here["unknown"]
    assert (cells.hexes["0404"]["status"], cells.hexes["0404"]["who"]) == ("looked-at", "Wren")
    assert cells.hexes["0405"]["status"] == "unknown", "without a record it is not known"
    side = cells.sides["0403/0404"]
    assert (side["status"], side["has"], side["doubt"]) == ("suggested", ["river"], ["river"])


def test_a_record_of_another_value_counts_for_nothing(told: Any) -> None:
    records = "0403,terrain,,woods,suggested,colours,2026-11-22,program: colours 0.1,0.61,\n"
    cells = told('provenance = "required"', "hex,terrain\n0403,clear\n", records=records)
    assert cells.hexes["0403"]["status"] == "unknown"


# -- where hexes and hexsides lie on the pictures of maps, held against the hex the engine finds ----


AXIS = Axis(letters=False, leading=1, offset=1, descending=False)


def numbers(first: int) -> Numbering:
    across = Axis(letters=False, leading=1, offset=first, descending=False)
    return Numbering(
        horizontal=across, vertical=AXIS, column_first=True, separator="", stagger=False
    )


def grid(first: int = 1, *, sideways: bool = False, dx: float = 52.0) -> HexGrid:
    return HexGrid(x0=20, y0=25, dx=dx, dy=60, sideways=sideways, numbering=numbers(first))


def layout(
    *grids: HexGrid | ZonedGrid, turned: bool = False, magnified: float = 1.0, edge_: int = 0
) -> MapLayout:
    boards = tuple(
        BoardDefinition(f"Board {n}", 400, 300, "", True, magnified, g) for n, g in enumerate(grids)
    )
    window = MapDefinition("Map0", "Main", "Map", boards, (), edge_, edge_, True)
    chosen = [BoardChoice(board.name, n, 0, turned) for n, board in enumerate(boards)]
    return MapLayout(window, chosen)


def shaped(
    folder: Path, laid: MapLayout, more: str = "", sheets: str = '[[board.sheet]]\nmap = "Main"\n'
) -> tuple[Board, Places, tuple[MapShape, ...]]:
    head = '[pack]\nname = "x"\nversion = "1"\nruleset = "generic"\n'
    (folder / "pack.toml").write_text(f"{head}[board]\n{more}\n{sheets}", "utf-8")
    board, places, problems = bind_board(load_pack(folder), {"Main": laid})
    assert [p for p in problems if p.severity == "error"] == []
    return board, places, shapes_of(board, places, {"Main": laid})


def holds(corners: Sequence[Point], at: Point) -> bool:
    """Whether a point lies in a convex polygon, whichever way round it goes."""
    turns = [
        (bx - ax) * (at[1] - ay) - (by - ay) * (at[0] - ax)
        for (ax, ay), (bx, by) in zip(corners, [*corners[1:], corners[0]], strict=True)
    ]
    return all(t > 0 for t in turns) or all(t < 0 for t in turns)


def shrunk(shape: HexShape, by: float) -> list[Point]:
    cx, cy = shape.centre
    part = 1 - by / shape.radius
    return [(cx + (x - cx) * part, cy + (y - cy) * part) for x, y in shape.corners]


APART = by_tier(20, ci=5)
"""Pixels between those that are looked at."""
LAYOUTS = {
    "upright": layout(grid()),
    "sideways": layout(grid(sideways=True)),
    "turned": layout(grid(), turned=True),
    "magnified": layout(grid(), magnified=1.5),
    "stretched": layout(grid(dx=70.0)),
    "an edge round it": layout(grid(), edge_=40),
    "two boards": layout(grid(), grid(11)),
    "two boards, turned and sideways": layout(
        grid(sideways=True), grid(11, sideways=True), turned=True
    ),
}


@pytest.mark.parametrize("laid", LAYOUTS.values(), ids=LAYOUTS.keys())
def test_hexes_and_hexsides_lie_where_the_engine_has_them(laid: MapLayout, tmp_path: Path) -> None:
    board, places, (found,) = shaped(tmp_path, laid)
    assert (found.width, found.height) == laid.size
    looked = 0
    for shape in found.hexes:
        inner = shrunk(shape, 3.0)
        xs, ys = [x for x, _ in inner], [y for _, y in inner]
        # hexes reach over their board's edge
        home = laid.find_board(*(round(n) for n in shape.centre))
        for x in range(int(min(xs)), int(max(xs)), APART):
            for y in range(int(min(ys)), int(max(ys)), APART):
                at = laid.place(x, y) if laid.find_board(x, y) is home else None
                if at is not None and holds(inner, (x, y)) and _apart(found, shape, (x, y)):
                    assert places.hex_at("Main", at) == shape.name, (x, y)
                    looked += 1
    assert looked > by_tier(90, ci=1500)
    named = {shape.name: shape for shape in found.hexes}
    every = {edge(a, b) for a in board.hexes for b in board.neighbours(a)}
    assert sorted(shape.side for shape in found.sides) == sorted(every)
    for shape in found.sides:
        a, b = (named[name] for name in shape.side)
        seam = board.hexes[a.name].sheet != board.hexes[b.name].sheet
        assert dist(shape.start, shape.end) > 10
        for hex_ in (a, b):
            for end in (shape.start, shape.end):
                near = min(dist(end, corner) for corner in hex_.corners)
                assert near < (hex_.radius if seam else 0.01)


def _apart(found: MapShape, shape: HexShape, at: Point) -> bool:
    """Whether no other hex has the pixel, too: where boards join, their half hexes overlap."""
    return not any(
        holds(other.corners, at)
        for other in found.hexes
        if other is not shape and dist(other.centre, shape.centre) < 2 * shape.radius
    )


def test_boards_side_by_side_are_joined_at_their_seam(tmp_path: Path) -> None:
    laid = layout(grid(), grid(11))
    board, _, (found,) = shaped(tmp_path, laid)
    over = [s for s in found.sides if len({board.hexes[n].sheet for n in s.side}) == 2]
    assert len(over) > 5
    for shape in over:
        assert abs((shape.start[0] + shape.end[0]) / 2 - 400) < 40, shape


def test_hexes_joined_or_parted_by_the_pack(tmp_path: Path) -> None:
    board, _, (found,) = shaped(tmp_path, layout(grid()), 'links = [["0101", "0804"]]')
    assert "0804" in board.neighbours("0101")
    there = [s for s in found.sides if s.side == ("0101", "0804")]
    assert len(there) == 2
    at = {shape.name: shape for shape in found.hexes}
    first, second = (at[n] for n in ("0101", "0804"))
    assert {min(dist(s.start, c) for c in first.corners) < 0.01 for s in there} == {True, False}
    assert {min(dist(s.start, c) for c in second.corners) < 0.01 for s in there} == {True, False}
    board, _, (found,) = shaped(tmp_path, layout(grid()), 'barriers = [["0101", "0102"]]')
    assert "0102" not in board.neighbours("0101")
    assert ("0101", "0102") not in {s.side for s in found.sides}


def test_the_grid_of_a_zone_lies_where_the_zone_has_it(tmp_path: Path) -> None:
    corner = ((200, 0), (400, 0), (400, 300), (200, 300))
    zone = Zone("Inset", corner, parse_format("$gridLocation$"), False, grid(11, dx=40.0))
    laid = layout(ZonedGrid((zone,), None))
    _, places, (found,) = shaped(tmp_path, laid)
    assert len(found.hexes) > 10
    for shape in found.hexes:
        x, y = (round(n) for n in shape.centre)
        place = laid.place(x, y)
        assert places.hex_at("Main", place) == shape.name
