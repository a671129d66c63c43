"""``umpire pack suggest``: a board filled in from the map's picture; nothing that is told is changed."""

from __future__ import annotations

import csv
import io
import json
import os
import shutil
import sys
from pathlib import Path

import pytest

np = pytest.importorskip("numpy", reason="suggestions need the extra [studio]")

from click.testing import Result
from partial_pack import RIVER, SHOWN, rivers, truth
from vassal_umpire.importers.pack.load import load_pack
from vassal_umpire.model.problem import Unreadable
from vassal_umpire.plugin.suggest.cells import Bytes, Cells
from vassal_umpire.plugin.suggest.survey import Survey

from .. import kit


def run(*args: str) -> Result:
    return kit.umpire("pack", *args)


def suggested(pack: Path) -> dict[tuple[str, str, str], str]:
    """Cell, layer and name of every fact that is suggested, and its value."""
    records = load_pack(pack).records
    found = (r for r in records if r.status == "suggested")
    return {(r.key.cell, r.key.layer, r.key.name): r.value for r in found}


def test_terrain_is_filled_in_where_it_is_not_known_with_who_and_which_picture(begun: Path) -> None:
    kit.done("pack", "suggest", "pack", "--only", "terrain")
    terrain = {cell: v for (cell, layer, _), v in suggested(begun).items() if layer == "terrain"}
    right = {name: kind for name, kind in truth().items() if name in terrain}
    assert len(terrain) > 60
    assert terrain == right
    assert "0110" not in terrain  # the torn corner is unlike anything shown
    lines = (begun / "hexes.csv").read_text("utf-8").splitlines()
    assert [line for line in lines if line in SHOWN.splitlines()] == SHOWN.splitlines()
    assert (begun / "lines.csv").read_text("utf-8") == RIVER
    pack = load_pack(begun)
    assert pack.provenance_required
    one = next(r for r in pack.records if r.status == "suggested" and r.key.layer == "terrain")
    assert one.method.by == "program"
    assert one.confidence is not None
    assert one.confidence > 0.9
    assert len(one.picture) == 64
    typed = {r.key.cell: r.value for r in pack.records if r.status == "typed" and r.key.name == ""}
    assert typed["0101"] is not None
    terrain = {(r.key.cell, r.value) for r in pack.records if r.key == (r.key.cell, "terrain", "")}
    assert ("0101", "woods") in terrain


def test_what_somebody_could_not_tell_stays_open_and_again_it_changes_nothing(begun: Path) -> None:
    side = min(rivers() - {"0601/0701", "0603/0703", "0608/0708"})
    with (begun / "hexes.csv").open("a", encoding="utf-8") as file:
        file.write("0103,?,\n0104,,?\n")
    rows = RIVER.replace("kind,path", "kind,path,there").replace("8\n", "8,\n")
    (begun / "lines.csv").write_text(f"{rows}river,{side},?\n", "utf-8")
    suggest = ("suggest", "pack", "--examples", "shown.csv", "--unsure")
    kit.done("pack", *suggest)
    found = {(cell, layer) for cell, layer, _ in suggested(begun)}
    assert len(found) > 100
    assert not found & {("0103", "terrain"), (side, "hexsides"), ("0104", "features")}
    assert {("0104", "terrain"), ("0105", "features")} <= found
    assert "0103,?" in (begun / "hexes.csv").read_text("utf-8")
    assert f"river,{side},?" in (begun / "lines.csv").read_text("utf-8")
    run(*suggest)
    before = kit.files(begun)
    run(*suggest)
    for name in ("hexes.csv", "lines.csv", "pack.toml"):
        assert kit.files(begun)[begun / name] == before[begun / name]
    Path("more.csv").write_text("cell,layer,value\n0103,terrain,clear\n", "utf-8")
    run("suggest", "pack", "--examples", "more.csv")  # now somebody says what it is
    assert "0103,clear" in (begun / "hexes.csv").read_text("utf-8")


def test_what_another_program_has_suggested_on_a_side_stays(begun: Path) -> None:
    run("suggest", "pack", "--examples", "shown.csv", "--unsure")
    sides = (cell for cell, layer, name in suggested(begun) if (layer, name) == ("hexsides", ""))
    side = next(cell for cell in sides if cell not in rivers())
    records = (begun / "provenance.csv").read_text("utf-8").splitlines()
    own = [line for line in records if line.startswith(f"{side},hexsides,,none,suggested,umpire")]
    assert len(own) == 1
    records.remove(own[0])
    end = "," * (records[0].count(",") - 7)
    by = f"suggested,a tracer,2026-01-03,program: traced on the map{end}"
    records.append(f"{side},hexsides,river,yes,{by}")
    (begun / "provenance.csv").write_text("\n".join(records) + "\n", "utf-8")
    with (begun / "lines.csv").open("a", encoding="utf-8") as file:
        file.write(f"river,{side}\n")
    run("suggest", "pack", "--examples", "shown.csv", "--unsure")
    found = suggested(begun)
    assert found[side, "hexsides", "river"] == "yes"
    assert (side, "hexsides", "") not in found


def test_what_is_suggested_counts_as_not_known(begun: Path) -> None:
    before = json.loads(run("check", "pack", "turn-1.vlog", "--format", "json").stdout)
    run("suggest", "pack")
    after = json.loads(run("check", "pack", "turn-1.vlog", "--format", "json").stdout)
    assert after["moves"] == before["moves"]
    assert after["hexes"]["suggested"] > 50
    known = {key: number for key, number in after["hexes"].items() if key.startswith("typed")}
    assert sum(known.values()) == before["hexes"]["typed"]


def test_sides_and_lines_with_the_module_named_among_the_logs(begun: Path) -> None:
    Path("apart").mkdir()
    module = shutil.move("crossroads.vmod", "apart")
    result = kit.done("pack", "suggest", "pack", module, "--examples", "shown.csv", "--unsure")
    assert "the printed grid fits" in result
    found = suggested(begun)
    river = {cell for cell, layer, name in found if (layer, name) == ("hexsides", "river")}
    shown = {"0601/0701", "0603/0703", "0608/0708"}
    assert river
    assert len(river & rivers()) >= 0.8 * len(rivers() - shown)
    assert not river & shown
    nothing = {c for (c, layer, n), v in found.items() if (layer, n, v) == ("hexsides", "", "none")}
    assert len(nothing) > 100
    imported = [r for r in load_pack(begun).records if r.status == "imported"]
    assert {r.key.cell for r in imported} >= {"0501/0502", "0101/0102"}


def test_without_examples_or_numpy_it_says_so(begun: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    dry = run("suggest", "pack", "--examples", "shown.csv", "--dry-run")
    assert "one example" not in dry.output
    (begun / "lines.csv").write_text("\n".join(RIVER.splitlines()[:2]) + "\n", "utf-8")
    result = run("suggest", "pack", "--examples", "shown.csv", "--dry-run")
    assert "river: only one example, so neither such a side" in " ".join(result.output.split())
    (begun / "hexes.csv").unlink()
    (begun / "lines.csv").unlink()
    before = kit.files(begun)
    assert "no example yet of a hex with known terrain" in kit.done("pack", "suggest", "pack")
    assert kit.files(begun) == before
    monkeypatch.setattr("vassal_umpire.plugin.commands.pack_suggest.find_spec", lambda _name: None)
    assert f"{sys.executable} -m pip install numpy" in kit.refused("pack", "suggest", "pack")


def test_a_list_of_everything_and_no_change(begun: Path) -> None:
    before = kit.files(begun)
    kit.done("pack", "suggest", "pack", "--only", "terrain", "--list", "all.csv", "--dry-run")
    assert kit.files(begun) == before
    rows = list(csv.DictReader(io.StringIO(Path("all.csv").read_text("utf-8"))))
    torn = next(row for row in rows if row["cell"] == "0110")
    assert torn["confidence"] != "sure"
    assert {row["layer"] for row in rows if row["layer"]} == {"terrain"}


def test_it_asks_for_cells_that_differ(begun: Path) -> None:
    kit.done("pack", "suggest", "pack", "--ask", "ask.csv")
    rows = [row for row in csv.reader(Path("ask.csv").read_text("utf-8").splitlines()) if row]
    assert rows[0] == ["cell", "layer", "value"]
    assert {row[1] for row in rows[1:-1]} == {"terrain", "hexsides", "lines"}
    cells = {row[0] for row in rows[1:-1] if row[1] == "terrain"}
    kinds = {truth()[name] for name in cells}
    assert kinds >= {"clear", "woods", "hills", "marsh", "town"}
    kit.done("pack", "suggest", "pack", "--examples", "ask.csv", "--only", "terrain")


@pytest.mark.parametrize(
    ("row", "said"),
    [
        ("9999,terrain,woods", "line 2: expected a hex of the board; found 9999"),
        ("0101/0505,lines,road", "line 2: expected a hexside such as 0304/0305; found 0101/0505"),
        (
            "0101,height,2",
            "line 2: expected terrain, hexsides or lines in the column layer; found height",
        ),
    ],
)
def test_a_wrong_example_is_told_with_its_line(begun: Path, row: str, said: str) -> None:
    Path("wrong.csv").write_text(f"cell,layer,value\n{row}\n", "utf-8")
    before = kit.files(begun)
    assert said in kit.refused("pack", "suggest", "pack", "--examples", "wrong.csv")
    assert kit.files(begun) == before


def test_links_and_zips_are_refused(begun: Path) -> None:
    kit.done("pack", "zip", "pack")
    assert "read-only" in kit.refused("pack", "suggest", "pack.zip")
    os.rename(begun / "hexes.csv", "elsewhere.csv")
    (begun / "hexes.csv").symlink_to(Path("elsewhere.csv").absolute())
    assert "hexes.csv: is a link" in kit.refused("pack", "suggest", "pack")
    assert Path("elsewhere.csv").read_text("utf-8") == SHOWN


def test_a_file_changed_meanwhile_is_kept(begun: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def changed(self: Survey, examples: object) -> dict[str, object]:
        (begun / "hexes.csv").write_text(SHOWN + "0103,clear,\n", "utf-8")
        return real(self, examples)  # type: ignore[arg-type]

    real = Survey.hexes
    monkeypatch.setattr(Survey, "hexes", changed)
    assert "somebody else wrote it" in kit.refused("pack", "suggest", "pack", "--only", "terrain")
    assert (begun / "hexes.csv").read_text("utf-8") == SHOWN + "0103,clear,\n"
    assert not (begun / "provenance.csv").exists()


def test_an_interrupt_leaves_all_as_it_was(begun: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def stopped(self: Survey, examples: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(Survey, "hexes", stopped)
    before = kit.files(begun)
    result = run("suggest", "pack")
    assert result.exit_code == 130
    assert kit.files(begun) == before


def test_a_grid_that_does_not_fit_is_told(begun: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real = Survey.__init__

    def shifted(self: Survey, picture: Bytes, cells: Cells) -> None:
        real(self, np.roll(picture, (-5, -9), axis=(0, 1)), cells)

    monkeypatch.setattr(Survey, "__init__", shifted)
    result = run("suggest", "pack", "--examples", "shown.csv")
    assert "the printed grid does not fit" in result.output
    assert not [key for key in suggested(begun) if key[1] != "terrain" and key[1] != "features"]


def test_a_spreadsheet_keeps_its_own_form(begun: Path) -> None:
    mine = SHOWN.replace(",", ";").replace("\n", "\r\n")
    (begun / "hexes.csv").write_text(mine, "utf-8", newline="")
    kit.done("pack", "suggest", "pack", "--only", "terrain")
    text = (begun / "hexes.csv").read_bytes().decode("utf-8")
    assert all(f"{line}\r\n" in text for line in mine.split("\r\n") if line)
    assert "\r\n0201;woods;\r\n" in text
    assert text.count("\n") == text.count("\r\n")
    assert load_pack(begun).hexes is not None


def test_the_records_of_a_large_board_can_be_read_again(begun: Path) -> None:
    run("suggest", "pack", "--only", "terrain")
    file = begun / "provenance.csv"
    many = "".join(f"# {'x' * 998}\n" for _ in range(9_000))
    file.write_text(file.read_text("utf-8") + many, "utf-8")
    count = len(load_pack(begun).records)
    assert count > 60
    kit.done("pack", "zip", "pack")
    assert len(load_pack(Path("pack.zip")).records) == count
    os.rename(file, begun / "hexes.csv")
    with pytest.raises(Unreadable, match="too large"):
        load_pack(begun)
