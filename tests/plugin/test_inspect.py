"""``umpire inspect`` on real modules, saves and logs."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema
import pytest
from click.testing import CliRunner
from vassal_umpire.importers.vassal.commands import AddPiece
from vassal_umpire.importers.vassal.writer import game_text, write_save
from vassal_umpire.plugin.cli import main
from vassal_umpire.plugin.commands.schema import schema_text


def inspect(path: Path, *options: str) -> str:
    result = CliRunner().invoke(main, ["inspect", str(path), *options])
    assert result.exit_code == 0, result.output
    return result.stdout


def found(path: Path, *options: str) -> dict:
    return json.loads(inspect(path, "--format", "json", *options))


@pytest.mark.each_corpus_file("**/*.vmod", "**/*.mod", "**/*.vmdx")
def test_every_module_is_told_or_refused_in_one_line(path: Path, runner: CliRunner) -> None:
    result = runner.invoke(main, ["inspect", str(path)])
    assert result.exit_code in (0, 2)
    if result.exit_code == 2:
        assert result.stderr.startswith("umpire: ")
        assert result.stderr.count("\n") == 1
        return
    # A word of the file's own may be longer than the line; nothing else is.
    assert all(len(line) <= 80 or " " not in line.strip() for line in result.stdout.splitlines())
    data = runner.invoke(main, ["inspect", str(path), "--format", "json"])
    jsonschema.validate(json.loads(data.stdout), json.loads(schema_text("inspection")))


def test_a_module_says_what_it_holds(corpus: Path) -> None:
    module = found(corpus / "tld" / "TheLongestDay-3.0b6.vmod")
    assert (module["kind"], module["title"]) == ("module", "The Longest Day")
    assert module["sides"] == ["Allies", "Germans"]
    board = module["maps"][0]["boards"][0]
    assert (board["name"], board["width"], board["height"]) == ("Normandy", 5340, 5024)
    assert board["grid"]["kind"] == "ZonedGrid"
    assert module["custom_components"] == [{"class": "wga.Refresher", "count": 1}]
    assert len(module["prototypes"]) == 10


def test_turn_tracker_and_text(corpus: Path) -> None:
    text = inspect(corpus / "engine-written" / "drill-1-red" / "drill.vmod")
    assert "Drill (module)" in text
    assert "Turn (TurnNo, Phase: Red Move, Red Fire, Blue Move, Blue Fire)" in " ".join(
        text.split()
    )
    assert "1100 × 900" in text


@pytest.mark.parametrize(
    ("file", "pieces", "steps", "moves"),
    [
        # numbers of the engine's own replay
        ("tld/game/0606-1.log", 2336, 1091, 654),
        ("tld/game/0609-4.log", 2330, 253, 78),
        ("bloodbowl/testlog@85bce4c6.vlog", 22, 6, 4),
        ("ccn/B001 - Rolica1.vsav", 311, 0, 0),
        ("engine-written/drill-1-red/drill-1-red.vlog", 22, 62, None),
    ],
)
def test_numbers_of_a_log(
    corpus: Path, file: str, pieces: int, steps: int, moves: int | None
) -> None:
    log = found(corpus / file, "--director")
    assert (log["pieces"], log["steps"]) == (pieces, steps)
    if moves is not None:
        assert log["moves"] == moves
    jsonschema.validate(log, json.loads(schema_text("inspection")))


def test_problems_are_listed(corpus: Path) -> None:
    codes = {p["code"] for p in found(corpus / "damaged" / "two-savedgames.vlog")["problems"]}
    assert "duplicate-entry" in codes


def test_limits_can_be_raised_and_lowered(corpus: Path, runner: CliRunner) -> None:
    bomb = str(corpus / "damaged" / "zip-bomb.vlog")
    refused = runner.invoke(main, ["inspect", bomb])
    assert refused.exit_code == 2
    assert "limit" in refused.stderr
    drill = str(corpus / "engine-written" / "drill-1-red" / "drill-1-red.vlog")
    assert runner.invoke(main, ["inspect", drill, "--max-size", "10K"]).exit_code == 2
    assert runner.invoke(main, ["inspect", drill, "--max-entries", "1"]).exit_code == 2
    assert runner.invoke(main, ["inspect", drill, "--max-size", "ten"]).exit_code == 2
    assert runner.invoke(main, ["inspect", drill, "--max-size", "1M"]).exit_code == 0


def test_names_that_are_not_known_are_counted(tmp_path: Path) -> None:
    label = "label;76,130;Label;10;;0,0,0;t;0;c;0;b;c;$pieceName$ ($label$);Dialog;0;0;Text"
    added = AddPiece("a", f"{label}\tpiece;;;;Tank", "{1 + 1}\tMap;10;10;1;0")
    write_save(tmp_path / "game.vsav", game_text([added]))
    problems = found(tmp_path / "game.vsav")["problems"]
    (message,) = (p["message"] for p in problems if p["code"] == "names-not-known")
    assert message.startswith("1 name of pieces at the opening")
