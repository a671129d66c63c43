"""A value that was changed without a look is told, with the findings that went, to whoever reads."""

from __future__ import annotations

import csv
import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from vassal_umpire.importers.pack.edit.batch import make
from vassal_umpire.importers.pack.edit.draft import Draft
from vassal_umpire.importers.pack.edit.recording import Signed
from vassal_umpire.importers.vassal.limits import DEFAULT_LIMITS
from vassal_umpire.model.provenance import Key, Method
from vassal_umpire.model.viewer import EVERYONE
from vassal_umpire.model.vouching import values_of
from vassal_umpire.plugin.auditing import open_game
from vassal_umpire.plugin.reading import Named

from .kit import SAMPLES, put, report_of

SIDE = "0708/0808"
WREN = Signed("Wren", "2026-11-22", Method("person", "the studio's board"))
FILES = ("pack.toml", "hexes.csv", "lines.csv")


@pytest.fixture(scope="module")
def first(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A sample of which several findings rest on one hexside, with records of all of its board."""
    folder = tmp_path_factory.mktemp("first") / "ocs"
    shutil.copytree(SAMPLES / "ocs", folder)
    values = values_of(opened(folder))
    assert values[Key(SIDE, "hexsides")] != "none"
    with (folder / "pack" / "provenance.csv").open("w", encoding="utf-8", newline="") as out:
        sheet = csv.writer(out, lineterminator="\n")
        sheet.writerow(["cell", "layer", "name", "value", "status", "who", "when", "method"])
        for key, value in values.items():
            by = ("typed", "Wren", "2026-11-20", "person: typed into the files")
            sheet.writerow([key.cell, key.layer, key.name, value, *by])
    return folder


@pytest.fixture
def game(first: Path, tmp_path: Path) -> Path:
    """A copy of it."""
    return shutil.copytree(first, tmp_path / "ocs")


def opened(folder: Path) -> Any:
    logs = tuple(sorted(folder.glob("*.vlog")))
    named = Named(logs, pack=folder / "pack", facts=folder / "facts.toml")
    return open_game(named, EVERYONE, DEFAULT_LIMITS).game.board


def told(folder: Path, *more: str) -> Any:
    logs = sorted(folder.glob("*.vlog"))
    return report_of(*logs, "--pack", folder / "pack", "--facts", folder / "facts.toml", *more)


def painted(folder: Path, now: str) -> dict[str, bytes]:
    """The files when what is on the hexside was painted, as the studio does it."""
    pack = folder / "pack"
    files = {name: (pack / name).read_bytes() for name in (*FILES, "provenance.csv")}
    board = opened(folder)
    draft = Draft(files, board)
    for name in sorted(draft.lines.kinds("hexsides", tuple(SIDE.split("/")))):  # type: ignore[arg-type]
        edit = {"kind": "hexside", "side": SIDE, "name": name, "was": "yes", "now": now}
        assert make(draft, [edit], WREN)[1] == ()
    return draft.files()


@pytest.mark.usefixtures("unsuspected")
@pytest.mark.parametrize("by", ["the studio", "hand"])
def test_to_both_players_it_is_told_which_findings_went(game: Path, by: str) -> None:
    before = json.loads((SAMPLES / "ocs" / "expected-report.json").read_text("utf-8"))
    assert "changed" not in before
    files = painted(game, "no")
    for name in ("lines.csv", *(("provenance.csv",) if by == "the studio" else ())):
        (game / "pack" / name).write_bytes(files[name])
    sides = sorted({found["side"] for found in before["findings"] if found.get("side")})
    players = [("--as", side) for side in (sides if by == "the studio" else sides[:1])]
    told_to = [told(game, *more) for more in ((), *players)]
    for after in told_to:
        assert {one["fact"]["cell"] for one in after["changed"]} == {SIDE}
        (one,) = [one for one in after["changed"] if one["fact"]["value"] == "none"]
        assert one["findings_gone"] >= 1
    gone = sum(f["verdict"] == "illegal" for f in before["findings"])
    assert gone > sum(f["verdict"] == "illegal" for f in told_to[0]["findings"])


def test_where_the_pack_asks_for_records_the_new_one_remembers_the_old_value(game: Path) -> None:
    pack = game / "pack"
    put(pack / "pack.toml", "[board]\n", '[board]\nprovenance = "required"\n')
    records = painted(game, "no")["provenance.csv"].decode().splitlines()
    row = next(line for line in records if SIDE in line)
    before = (pack / "provenance.csv").read_text(encoding="utf-8").split(f"{SIDE},hexsides,,")[1]
    assert row.split(",")[3] == "none"
    assert row.split(",")[-1] == before.split(",")[0]
