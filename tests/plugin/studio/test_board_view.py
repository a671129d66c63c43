"""The calls of the Board view."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from vassal_umpire.importers.vassal.limits import DEFAULT_LIMITS
from vassal_umpire.model.viewer import EVERYONE
from vassal_umpire.plugin.auditing import read_evidence
from vassal_umpire.plugin.reading import Named
from vassal_umpire.plugin.studio.board_view import board, cells
from vassal_umpire.plugin.studio.session import Studio

CROSSROADS = Path(__file__).resolve().parents[3] / "samples" / "crossroads"
LOGS = tuple(CROSSROADS / f"turn-{n}.vlog" for n in (1, 2))


@pytest.fixture
def studio(tmp_path: Path) -> Iterator[Studio]:
    """One whose background work does not run: what it reads is read when it is asked."""
    folder = tmp_path / "pack"
    shutil.copytree(CROSSROADS / "pack", folder)
    evidence = read_evidence(Named(LOGS), DEFAULT_LIMITS)
    found = Studio(folder, folder / "facts.toml", evidence, EVERYONE, DEFAULT_LIMITS)
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
    path = studio.folder / "pack.toml"
    text = path.read_text("utf-8")
    path.write_text(text.replace("[board]", '[board]\nbarriers = [["0202", "0203"]]', 1), "utf-8")
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
