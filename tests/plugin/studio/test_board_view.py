"""The calls of the Board view."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from vassal_umpire.importers.pack.board import bind_board
from vassal_umpire.importers.pack.load import load_pack
from vassal_umpire.importers.vassal.buildfile import open_module
from vassal_umpire.importers.vassal.layout import lay_out
from vassal_umpire.model.problem import UmpireError
from vassal_umpire.model.provenance import Key
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
