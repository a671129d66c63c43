"""``umpire check``: logs that are no line of one game are refused; and what it says as JSON."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from click.testing import CliRunner, Result
from vassal_umpire.importers.vassal.commands import encode_stream
from vassal_umpire.importers.vassal.savefile import read_save
from vassal_umpire.importers.vassal.writer import rewrite_save
from vassal_umpire.plugin.cli import main
from vassal_umpire.plugin.commands.schema import schema_text

CROSSROADS = Path(__file__).parents[2] / "samples" / "crossroads"
TURN_1, TURN_2 = CROSSROADS / "turn-1.vlog", CROSSROADS / "turn-2.vlog"
NAMED = ("--module", CROSSROADS / "crossroads.vmod", "--pack", CROSSROADS / "pack")


def check(*words: object) -> Result:
    return CliRunner().invoke(main, ["check", *map(str, words)])


def rolled_anew(place: Path) -> Path:
    """Turn 2 with other dice."""
    again = place / "again.vlog"
    rewrite_save(again, TURN_2, read_save(TURN_2).text.replace("2d6 = 11 ***", "2d6 = 4 ***"))
    return again


def refused(found: Result, said: str) -> None:
    assert found.exit_code == 2, found.output
    assert len(found.output.splitlines()) == 1, found.output
    assert said in found.output


def test_the_same_log_twice_is_refused() -> None:
    refused(check(TURN_1, TURN_1), "turn-1.vlog: is named twice")
    refused(check(TURN_1, TURN_2, TURN_1), "turn-1.vlog: is named twice")


def test_the_same_log_under_another_name_is_refused(tmp_path: Path) -> None:
    copy = tmp_path / "copy.vlog"
    copy.write_bytes(TURN_1.read_bytes())
    refused(check(TURN_1, copy, *NAMED), "copy.vlog: is the same log as turn-1.vlog")


def test_logs_in_the_wrong_order_are_refused(tmp_path: Path) -> None:
    said = "turn-1.vlog: ends where turn-2.vlog begins, so it was played before it"
    refused(check(TURN_2, TURN_1), said)
    refused(check("--after", TURN_2, "--after", TURN_1, CROSSROADS / "midway.vsav"), said)


def test_a_save_from_before_the_last_log_is_refused(tmp_path: Path) -> None:
    before = tmp_path / "before.vsav"
    rewrite_save(before, TURN_2, encode_stream(list(read_save(TURN_2).opening), []))
    said = "before.vsav: is the position with which turn-2.vlog begins, so it was saved before it"
    refused(check(before, "--after", TURN_1, "--after", TURN_2, *NAMED), said)


def test_two_branches_of_a_game_are_refused(tmp_path: Path) -> None:
    again = rolled_anew(tmp_path)
    said = "again.vlog: begins where turn-2.vlog began: only one of them is part of the game"
    refused(check(TURN_1, TURN_2, again, *NAMED), said)


def test_a_line_of_logs_with_a_gap_is_taken(tmp_path: Path) -> None:
    """What was moved while no log was written is told; it is no wrong order."""
    between = tmp_path / "turn-2.vlog"
    text = read_save(TURN_2).text.replace("Main Map;280;115;", "Main Map;225;147;")
    rewrite_save(between, TURN_2, text)
    found = check(TURN_1, between, *NAMED)
    assert found.exit_code in (0, 1), found.output
    assert "checked for Red" in found.output


def document(*words: object) -> dict[str, Any]:
    found = check(*words, "--format", "json")
    assert found.exit_code in (0, 1), found.output
    told: dict[str, Any] = json.loads(found.output)
    jsonschema.validate(told, json.loads(schema_text("check")))
    return told


def test_a_check_as_json() -> None:
    told = document(TURN_1)
    assert (told["checked"], told["side"], told["eyes"]) == ("logs", "Blue", "everyone")
    assert told["procedure"]["name"] == "plain"
    (part,) = told["parts"]
    assert (part["side"], part["own"], part["since"]) == ("Blue", True, None)
    assert part["moves"] == {"all": 9, "checked": 8}
    (cannot,) = part["cannot_be_checked"]
    assert cannot["why"] == "what terrain is in hex 0110?"
    assert [(m["log"], m["step"]) for m in cannot["moves"]] == [(1, 13)]
    kinds = [one["kind"] for one in part["offences"]]
    assert kinds == ["illegal-move", "overstack", "missed-mp-cost"]
    river = part["offences"][2]
    assert river["units"] == [{"id": "1790000000108", "name": "Blue 4 Inf"}]
    assert river["clause"] == "GEN-ALLOWANCE"
    assert river["standing"]["state"] == "correctable"
    assert river["standing"]["why"] == "can be corrected until Red's next roll or move"
    assert len(part["to_correct"]) == 1


def test_the_ids_are_those_of_the_desk(tmp_path: Path) -> None:
    def run(*words: object) -> str:
        return CliRunner().invoke(main, list(map(str, words))).output

    run("game", "new", tmp_path / "g", *NAMED)
    run("game", "add", tmp_path / "g", TURN_1)
    status = run("game", "status", tmp_path / "g")
    for one in document(TURN_1)["parts"][0]["offences"]:
        assert one["id"] in status


def test_what_a_roll_closed_is_told_as_json() -> None:
    (part,) = document(TURN_1, TURN_2)["parts"]
    assert (part["side"], part["since"], part["rolled_by"]) == (
        "Red",
        {"log": 1, "step": 17},
        "Blue",
    )
    assert part["offences"] == []
    assert [one["moves"] for one in part["not_movement"]] != []


@pytest.mark.parametrize("more", [(), ("--as", "Blue")])
def test_a_save_as_json(more: Sequence[str]) -> None:
    told = document(CROSSROADS / "midway.vsav", "--after", TURN_1, *more)
    assert (told["checked"], told["others"]) == ("save", 0)
    verdicts = [one["verdict"] for one in told["units"]]
    assert verdicts.count("illegal") == 1
    accused = next(one for one in told["units"] if one["verdict"] == "illegal")
    assert (accused["from"], accused["to"]) == ("0803", "0403")
    assert accused["findings"][0]["clause"] == "GEN-ALLOWANCE"
    assert {stack["hex"] for stack in told["stacks"]} == {"0505", "0806"}


@pytest.mark.parametrize("more", [(), ("--as", "Blue")])
def test_a_log_of_another_module_is_told(more: Sequence[str]) -> None:
    """Nothing of it can be checked, and nobody is to think that it was."""
    west = CROSSROADS.parent / "ocs" / "1-west.vlog"
    result = CliRunner().invoke(main, ["check", str(west), *map(str, NAMED), *more])
    assert "1-west.vlog: it is a game of the module 'Kelme Crossing'" in result.stderr
