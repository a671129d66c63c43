"""Terrain that a module records itself (``terrainMaps``), from the module to the report.

The sample Crossroads is played on a module that records the whole map, with a pack that says nothing of it.
"""

from __future__ import annotations

import csv
import json
import shutil
from itertools import pairwise
from pathlib import Path
from random import Random

import pytest
from click.testing import Result
from tiers import by_tier
from vassal_files import terrain_records
from vassal_umpire.importers.analysis.document import read_game
from vassal_umpire.importers.pack.load import load_pack
from vassal_umpire.importers.pack.provenance import provenance_csv
from vassal_umpire.importers.vassal.grids import HexGrid
from vassal_umpire.importers.vassal.terrain_map import TerrainRecord
from vassal_umpire.model.provenance import Method, Record, by_key

from .kit import MODULE, PACK, SAMPLES, TURN_1, done, entry_of, put, report_of, umpire, zip_with

ENTRY = "terrainMaps/Country.txt"
HEX_GRID = "VASSAL.build.module.map.boardPicker.board.HexGrid"
DEFINED = {
    "HexTerrain": ("Open", "Light Woods", "Hills", "Village", "Swamp", "wood"),
    "EdgeTerrain": ("River", "Bridged River"),
    "LineTerrain": ("Road",),
    "AttributeTerrain": ("Height", "Name"),
}
RECORDED = """
[board.recorded]
complete = ["hexsides", "lines"]
[board.recorded.terrain]
Open = "clear"
"Light Woods" = "woods"
Hills = ["hills"]
Village = "town"
Swamp = "marsh"
[board.recorded.hexsides]
River = "river"
"Bridged River" = ["river", "bridge"]
[board.recorded.lines]
Road = "road"
"""
WORDS = {
    "clear": "Open",
    "woods": "Light Woods",
    "hills": "Hills",
    "town": "Village",
    "marsh": "Swamp",
}


def raw(name: str) -> tuple[int, int]:
    """The raw column and row of a hex of Crossroads."""
    return int(name[:2]) - 1, int(name[2:]) - 1


def rows(file: Path) -> list[dict[str, str]]:
    with file.open(encoding="utf-8") as text:
        return list(csv.DictReader(text))


@pytest.fixture
def country() -> list[TerrainRecord]:
    """The map of the sample, as a module would record it."""
    hexes = [row for row in rows(PACK / "hexes.csv") if row["terrain"] in WORDS]
    found = [TerrainRecord("hex", raw(row["hex"]), None, WORDS[row["terrain"]]) for row in hexes]
    lines = rows(PACK / "lines.csv")
    bridged = {side for r in lines if r["kind"] == "bridge" for side in r["path"].split()}
    for row in lines:
        if row["kind"] == "river":
            for side in row["path"].split():
                a, b = map(raw, side.split("/"))
                name = "Bridged River" if side in bridged else "River"
                found.append(TerrainRecord("hexside", a, b, name))
        elif row["kind"] == "road":
            steps = pairwise(map(raw, row["path"].split()))
            found.extend(TerrainRecord("line", a, b, "Road") for a, b in steps)
    return found


class Kit:
    """A module and a pack of Crossroads in a folder of their own."""

    def __init__(self, folder: Path) -> None:
        self.sample, self.log = PACK, TURN_1
        self.module, self.pack = folder / "crossroads.vmod", folder / "pack"
        shutil.copytree(PACK, self.pack)

    def record(self, text: str, definitions: dict[str, tuple[str, ...]] = DEFINED) -> None:
        """Let the module record ``text``."""
        told = "".join(
            f"<terrain.{kind}Definitions>"
            + "".join(f'<terrain.{kind} name="{name}"/>' for name in names)
            + f"</terrain.{kind}Definitions>"
            for kind, names in definitions.items()
        )
        told = f"<terrain.TerrainDefinitions>{told}</terrain.TerrainDefinitions>"
        build = entry_of(MODULE, "buildFile.xml").replace(HEX_GRID, "terrain.TerrainHexGrid")
        end = build.rindex("</")
        build = build[:end] + told + build[end:]
        zip_with(MODULE, self.module, {"buildFile.xml": build, ENTRY: text})

    def say(self, old: str, new: str) -> None:
        """Change a part of pack.toml."""
        put(self.pack / "pack.toml", old, new)

    def run(self, command: str, *more: str | Path) -> Result:
        return umpire(command, self.log, "--module", self.module, "--pack", self.pack, *more)

    def report(self, *more: str | Path) -> dict:
        return report_of(
            self.log, "--module", self.module, "--pack", self.pack, *more, codes=(0, 1, 3)
        )


@pytest.fixture
def kit(tmp_path: Path) -> Kit:
    return Kit(tmp_path)


@pytest.fixture
def silent(kit: Kit, country: list[TerrainRecord]) -> Kit:
    """The whole map recorded in the module, none of it in the pack."""
    kit.record(terrain_records(country))
    (kit.pack / "hexes.csv").unlink()
    (kit.pack / "lines.csv").unlink()
    kit.say('complete = ["hexsides", "lines", "levels"]', 'complete = ["levels"]')
    sheet = '[[board.sheet]]\nmap = "Main Map"\n'
    kit.say(sheet, f"{RECORDED}\n{sheet}")
    return kit


ACCUSING = ("illegal-move", "overstack", "missed-mp-cost")


def signs(findings: list[dict]) -> set[tuple[str, ...]]:
    """What findings are about."""
    accusing = (f for f in findings if f["kind"] in ACCUSING)
    return {(f["code"], *(u["id"] for u in f["units"]), str(f["steps"])) for f in accusing}


@pytest.fixture(scope="module")
def told() -> dict:
    """What the sample's own report says, whose pack knows the whole map."""
    return json.loads((SAMPLES / "crossroads/expected-report.json").read_text("utf-8"))


@pytest.mark.ci
def test_imported_terrain_accuses_none_and_tells_what_would_be(silent: Kit, told: dict) -> None:
    found = silent.report()
    resting = {"GEN-HEXSIDE-PROHIBITED", "GEN-ALLOWANCE"}  # the overstack rests on no terrain
    assert not resting & {f["code"] for f in found["findings"] if f["kind"] in ACCUSING}
    unverifiable = [one["summary"]["verdicts"]["unverifiable"] for one in (found, told)]
    assert unverifiable[0] > unverifiable[1]
    would_be = signs([one["would_be"] for one in found["as_suggested"]])
    assert signs(found["findings"]) | would_be == signs(told["findings"])
    assert would_be
    cells = [cell for one in found["as_suggested"] for cell in one["cells"]]
    assert {cell["status"] for cell in cells} == {"imported"}
    assert {cell["layer"] for cell in cells} == {"terrain", "hexsides", "lines"}
    text = silent.run("audit").stdout
    assert "Not findings: cells to look at" in text
    assert "0306 terrain woods (imported)" in text


@pytest.mark.parametrize("draw", by_tier(range(1), range(4)))
def test_whatever_a_module_records_changes_no_verdict(silent: Kit, draw: int) -> None:
    """True or false: nobody is accused or acquitted by it. What the pack itself knows is drawn, too."""
    random = Random(draw)
    layers = ["hexsides", "lines", "levels"]
    complete = json.dumps(random.sample(layers, random.randrange(4)))
    silent.say('complete = ["levels"]', f"complete = {complete}")
    known = random.sample(rows(silent.sample / "hexes.csv"), 90)
    text = "hex,terrain\n" + "".join(f"{row['hex']},{row['terrain']}\n" for row in known)
    (silent.pack / "hexes.csv").write_text(text, "utf-8")
    grid, cells = HexGrid(), [(column, row) for column in range(12) for row in range(10)]
    told = []
    for at in cells:
        told.append(TerrainRecord("hex", at, None, random.choice(DEFINED["HexTerrain"])))
        to = random.choice(grid.neighbours(at))
        told.append(TerrainRecord("hexside", at, to, random.choice(DEFINED["EdgeTerrain"])))
        told.append(TerrainRecord("line", at, random.choice(grid.neighbours(at)), "Road"))
    silent.record(terrain_records(told))
    found = silent.report()
    silent.say(RECORDED, "")
    silent.say('changes = "none"', 'changes = "none"\nrecorded = "none"')
    without = silent.report()
    assert found["moves"] == without["moves"]
    assert found["findings"] == without["findings"]
    assert found["unknowns"].keys() == without["unknowns"].keys()
    assert "as_suggested" not in without


@pytest.mark.ci
def test_what_somebody_has_looked_at_is_decided(silent: Kit, told: dict, tmp_path: Path) -> None:
    document = tmp_path / "game.json"
    files = [str(silent.log), str(silent.module), "--pack", str(silent.pack)]
    done("convert", *files, "-o", document)
    how = ("looked-at", ("Wren",), "2026-11-22", Method("person", "by eye"))
    looked = [Record(one.key, one.value, *how) for one in read_game(document).suggestions]
    assert len(by_key(looked)) == len(looked) > 500
    (silent.pack / "provenance.csv").write_text(provenance_csv(looked), "utf-8")
    found = silent.report()
    assert found["summary"]["verdicts"] == told["summary"]["verdicts"]
    assert signs(found["findings"]) == signs(told["findings"])
    assert "as_suggested" not in found
    assert [m["bill"] for m in found["moves"]] == [m["bill"] for m in told["moves"]]


def test_a_translation_must_be_a_word_of_the_ruleset(silent: Kit) -> None:
    silent.say('Open = "clear"', 'Open = "claer"')
    result = silent.run("audit")
    assert result.exit_code == 2
    assert "pack.toml line" in result.stderr
    assert "did you mean clear?" in result.stderr


def test_an_attribute_that_is_no_level_is_told(silent: Kit) -> None:
    silent.say('complete = ["levels"]', "complete = []")
    silent.say("[board.recorded]\n", '[board.recorded]\nlevel = "Height"\n')
    silent.record("a,0,0,Height,2\na,1,0,Height,high\na,1,0,Name,Aford\n")
    (problem,) = [p for p in silent.report()["problems"] if p["code"] == "recorded-terrain"]
    assert problem["where"].endswith("line 2")
    assert "expected a whole number for Height; found 'high'" in problem["message"]


def test_inspect_tells_how_much_is_recorded(silent: Kit, country: list[TerrainRecord]) -> None:
    silent.record(terrain_records(country) + "a,0,0,Name,Aford\n")
    result = umpire("inspect", silent.module, "--format", "json")
    (found,) = json.loads(result.stdout)["recorded_terrain"]
    counts = {kind: sum(r.kind == kind for r in country) for kind in ("hex", "hexside", "line")}
    assert found == {
        "board": "Country",
        "file": f"crossroads.vmod: {ENTRY}",
        "hexes": counts["hex"],
        "hexsides": counts["hexside"],
        "lines": counts["line"],
        "attributes": 1,
    }
    text = umpire("inspect", silent.module).stdout
    assert "Terrain the module records" in text


def test_convert_writes_what_is_recorded(silent: Kit, tmp_path: Path) -> None:
    silent.record("h,0,9,Open\ne,0,0,0,1,River\na,0,0,Name,A\\, B\nh,70,70,Hills\n")
    folder = tmp_path / "tables"
    files = [str(silent.log), str(silent.module)]
    done("convert", *files, "--to", "jsonl", "-o", folder)
    lines = (folder / "terrain.jsonl").read_text("utf-8").splitlines()
    found = [json.loads(line) for line in lines]
    assert found == [
        {"board": "Country", "kind": "hex", "grid_column": 0, "grid_row": 9, "hex": "0110", "name": "Open"},
        {"board": "Country", "kind": "hexside", "grid_column": 0, "grid_row": 0,
         "to_grid_column": 0, "to_grid_row": 1, "hex": "0101", "to_hex": "0102", "name": "River"},
        {"board": "Country", "kind": "attribute", "grid_column": 0, "grid_row": 0, "hex": "0101",
         "name": "Name", "value": "A, B"},
        {"board": "Country", "kind": "hex", "grid_column": 70, "grid_row": 70, "name": "Hills"},
    ]  # fmt: skip
    document = tmp_path / "game.json"
    done("convert", *files, "-o", document)
    written = json.loads(document.read_text("utf-8"))
    assert written["version"] == 2
    of_grid = [{k.replace("grid_", ""): v for k, v in row.items()} for row in found]
    assert written["module"]["terrain"] == of_grid


def test_a_first_pack_has_it(silent: Kit, country: list[TerrainRecord], tmp_path: Path) -> None:
    first = tmp_path / "first"
    done("pack", "new", silent.module, silent.log, "-o", first)
    text = (first / "pack.toml").read_text("utf-8")
    for name, written in (("Light Woods", '"Light Woods"'), ("River", "River"), ("Road", "Road")):
        times = sum(record.name == name for record in country)
        assert f'#? {written} = "{name}"   # {times} times' in text
    silent.pack = first
    assert silent.report()["findings"] == []
    for kind in ("terrain", "hexsides", "lines"):
        assert f"#? [board.recorded.{kind}]\n" in text
    names = {record.name for record in country}
    taken = [
        line.removeprefix("#? ")
        if line.startswith(("#? [board.recorded", *(f"#? {n} =" for n in names), '#? "'))
        else line
        for line in text.split("\n")
    ]
    (first / "pack.toml").write_text("\n".join(taken), "utf-8")
    recorded = load_pack(first).recorded
    assert {kind: set(told) for kind, told in recorded.names.items()} == {
        kind: {record.name for record in country if record.kind == kind}
        for kind in ("hex", "hexside", "line")
    }
