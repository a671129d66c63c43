"""``umpire convert`` on real files."""

from __future__ import annotations

import json
import shutil
import sqlite3
from pathlib import Path

import jsonschema
import pytest
from click.testing import CliRunner, Result
from vassal_umpire.plugin.cli import main
from vassal_umpire.plugin.commands.schema import schema_text


@pytest.fixture
def drill(corpus: Path) -> Path:
    return corpus / "engine-written" / "drill-1-red" / "drill-1-red.vlog"


def convert(*arguments: str | Path) -> Result:
    return CliRunner().invoke(main, ["convert", *map(str, arguments)])


def test_a_log_becomes_a_document_that_fits_the_schema(drill: Path, tmp_path: Path) -> None:
    output = tmp_path / "game.json"
    result = convert(drill, "-o", output)
    assert (result.exit_code, result.output) == (0, "")
    found = json.loads(output.read_text(encoding="utf-8"))
    jsonschema.validate(found, json.loads(schema_text("analysis")))
    assert len(found["table"]["logs"][0]["steps"]) == 62
    assert found["module"]["name"] == "Drill"
    assert [s["kind"] for s in found["sources"]] == ["log", "module"]
    assert found.pop("seal").startswith("vassal-umpire seal ")
    assert json.loads(convert(drill, "-o", "-").stdout) == found


def test_a_module_alone(drill: Path, tmp_path: Path) -> None:
    output = tmp_path / "module.json"
    assert convert(drill.with_name("drill.vmod"), "-o", output).exit_code == 0
    found = json.loads(output.read_text(encoding="utf-8"))
    assert "table" not in found
    assert len(found["module"]["slots"]) == 24


def test_sqlite_and_json_lines_hold_the_same_rows(drill: Path, tmp_path: Path) -> None:
    assert convert(drill, "--to", "sqlite", "-o", tmp_path / "game.db").exit_code == 0
    assert convert(drill, "--to", "jsonl", "-o", tmp_path / "tables").exit_code == 0
    base = sqlite3.connect(tmp_path / "game.db")
    tables = [name for (name,) in base.execute("SELECT name FROM sqlite_master WHERE type='table'")]
    assert {"maps", "hexes", "slots", "pieces", "steps", "displacements", "chat", "dice"} <= set(
        tables
    )
    for table in set(tables) - {"about"}:
        (number,) = base.execute(f'SELECT count(*) FROM "{table}"').fetchone()
        lines = (tmp_path / "tables" / f"{table}.jsonl").read_bytes().splitlines()
        assert len(lines) == number
    assert base.execute("SELECT count(*) FROM steps").fetchone() == (62,)
    base.close()


def test_fog_of_war_holds(drill: Path) -> None:
    """The hidden moves of steps 3 to 5 and the name under the mask of steps 8 and 9."""
    for options, there in (((), False), (("--as", "Blue"), False), (("--as", "Red"), True)):
        steps = json.loads(convert(drill, "-o", "-", *options).stdout)["table"]["logs"][0]["steps"]
        by_number = {step["step"]: step for step in steps}
        moved = [bool(by_number[n].get("displacements")) for n in (3, 4, 5) if n in by_number]
        assert any(moved) is there
        assert ("Red Inf 2" in json.dumps(by_number[8])) is there
    assert convert(drill, "-o", "-", "--as", "Green").exit_code == 2


def test_a_game_with_hidden_units_is_not_written_for_a_judge(drill: Path, drill_pack: Path) -> None:
    result = convert(drill, "-o", "-", "--pack", drill_pack)
    assert "game" not in json.loads(result.stdout)
    assert "--director writes it" in result.stderr
    whole = convert(drill, "-o", "-", "--pack", drill_pack, "--director")
    assert len(json.loads(whole.stdout)["game"]["units"]) == 16


def test_no_input_is_overwritten(drill: Path, tmp_path: Path) -> None:
    log = tmp_path / "a.vlog"
    shutil.copy(drill, log)
    for form in ("json", "sqlite"):
        assert convert(log, "--to", form, "-o", log).exit_code == 2
    assert log.read_bytes() == drill.read_bytes()
    assert list(tmp_path.iterdir()) == [log]


@pytest.mark.parametrize(
    "options",
    [
        ("--to", "jsonl", "-o", "-"),
        ("--facts", "f.toml", "-o", "x.json"),
        ("--to", "xml", "-o", "x"),
        (),
    ],
)
def test_bad_usage(drill: Path, options: tuple[str, ...]) -> None:
    assert convert(drill, *options).exit_code == 2
