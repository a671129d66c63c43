"""``umpire audit`` from files to report and exit code."""

from __future__ import annotations

import json
import re
import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import jsonschema
import pytest
from cases import cases
from click.testing import Result
from sample_pack import pack_copy
from vassal_umpire.importers.vassal.savefile import read_save
from vassal_umpire.plugin.auditing import Opened, audit_game
from vassal_umpire.plugin.commands.audit import exit_code
from vassal_umpire.plugin.commands.schema import schema_text

from . import kit
from .kit import CROSSROADS, MODULE, PACK, TURN_1, TURN_2, report_of


def audit(*arguments: str | Path) -> Result:
    return kit.umpire("audit", *arguments)


@pytest.mark.ci
@pytest.mark.usefixtures("unsuspected")
def test_facts_in_the_packs_folder_that_are_not_named(tmp_path: Path) -> None:
    pack, log = pack_copy(tmp_path / "pack"), TURN_1
    facts = shutil.copy(CROSSROADS / "settled.toml", pack / "facts.toml")

    def told(*more: str | Path) -> list[str]:
        problems = report_of(log, "--pack", pack, *more)["problems"]
        return [p["message"] for p in problems if p["where"] == "facts.toml"]

    (one,) = told()
    assert "name it with --facts" in one
    assert told("--facts", facts) == []


@pytest.mark.usefixtures("unsuspected")
@pytest.mark.parametrize("where", ["in a step", "in another log"])
def test_nobody_is_accused_on_a_map_that_gets_another_board(where: str, tmp_path: Path) -> None:
    """Though its hexes have the same names: the pack tells the terrain of the board before."""
    build = kit.entry_of(MODULE, "buildFile.xml")
    end = "</VASSAL.build.module.map.BoardPicker>"
    board = re.findall(r"<VASSAL[.\w]*\.Board [^>]*name=\"Country\".*?\.Board>", build, re.S)[0]
    twice = build.replace(end, board.replace('name="Country"', 'name="Other"') + end, 1)
    kit.zip_with(MODULE, tmp_path / "crossroads.vmod", {"buildFile.xml": twice})
    logs = shutil.copy(TURN_1, tmp_path), tmp_path / "other.vlog"
    chosen = "Main MapBoardPicker\t{}\t0\t0"
    laid, other = chosen.format("Country"), chosen.format("Other")
    first = "\x1bLOG\t"
    change = (laid, other) if where == "in another log" else (first, f"{first}{other}{first}")
    kit.with_text(TURN_2, logs[1], read_save(TURN_2).text.replace(*change, 1))
    assert verdicts(report_of(logs[0], "--pack", PACK)) == {"legal", "illegal", "unverifiable"}
    told = report_of(*logs, "--pack", PACK, codes=(0, 1, 3))
    assert verdicts(told) == {"unverifiable"}
    assert {finding["kind"] for finding in told["findings"]} == {"unverifiable", "note"}
    (said,) = (p["message"] for p in told["problems"] if "other boards" in p["message"])
    assert said.startswith("the map 'Main Map': other boards are laid on it than the game opens")


def verdicts(told: dict[str, Any]) -> set[str]:
    return {one["verdict"] for one in told["moves"]}


def test_a_module_without_pictures_and_a_log_that_leads_to_itself(tmp_path: Path) -> None:
    """As modules are that somebody packed from a repository without the art."""
    bare = tmp_path / "bare.vmod"
    with ZipFile(MODULE) as whole, ZipFile(bare, "w") as packed:
        for name in whole.namelist():
            if not name.startswith("images/"):
                packed.writestr(name, whole.read(name))
    result = kit.refused("audit", TURN_1, "--module", bare, "--pack", PACK)
    assert "expected a module with its pictures: that of the board Country" in result
    loop = tmp_path / "loop.vlog"
    loop.symlink_to(loop)
    told = kit.refused("audit", TURN_1, loop)
    assert "loop.vlog" in told
    assert "symbolic links" in told


def test_the_json_report_fits_its_schema_and_goes_to_a_file(tmp_path: Path) -> None:
    found = report_of(TURN_1)
    jsonschema.validate(found, json.loads(schema_text("report")))
    assert found["summary"]["verdicts"] == {"legal": 6, "illegal": 2, "unverifiable": 1}
    assert len(found["moves"]) == found["summary"]["moves"]
    assert [s["kind"] for s in found["sources"]] == ["log", "module", "pack"]
    assert audit(TURN_1, "--format", "json").stdout == json.dumps(found, indent=2) + "\n"
    result = audit(TURN_1, "-o", tmp_path / "report.json")
    assert (result.exit_code, result.output) == (1, "")
    (file,) = tmp_path.iterdir()
    written = json.loads(file.read_text("utf-8"))
    assert {k: v for k, v in written.items() if k != "seal"} == found


def test_module_and_pack_may_be_named(tmp_path: Path) -> None:
    log = tmp_path / "turn-1.vlog"
    shutil.copy(TURN_1, log)
    alone = audit(log)
    assert alone.exit_code == 3
    assert "the module 'Crossroads' 1.0 of this game was not found" in alone.stderr
    module = ("--module", MODULE)
    assert audit(log, *module, "--pack", PACK).exit_code == 1


def test_a_pack_for_another_module_is_exit_code_3(drill_pack: Path) -> None:
    result = audit(TURN_1, "--pack", drill_pack)
    assert result.exit_code == 3
    assert "does not fit the module Crossroads" in result.stderr


@pytest.mark.usefixtures("unsuspected")
@pytest.mark.parametrize(
    ("options", "code"),
    [
        ((), 1),
        (("--fail-on", "never"), 0),
        (("--fail-on", "note"), 1),
        (("--fail-on", "sometimes"), 2),
        (("--ruleset", "chess"), 2),
        (("--ruleset", "generic"), 1),
        (("--format", "pdf"), 2),
        (("--as", "Green"), 2),
    ],
)
def test_exit_codes(options: tuple[str, ...], code: int) -> None:
    assert audit(TURN_1, *options).exit_code == code


def test_only_what_is_severe_enough_counts(small_audit) -> None:
    kinds = ("note", "unverifiable", "missed-mp-cost")
    note, unsure, severe = ([f for f in small_audit.findings if f.kind == kind] for kind in kinds)
    for findings, least in ((note, "note"), (unsure, "unverifiable"), (severe, "finding")):
        order = ["note", "unverifiable", "finding", "never"]
        for fail_on in order:
            expected = bool(findings) and order.index(fail_on) <= order.index(least)
            assert exit_code(replace(small_audit, findings=tuple(findings)), fail_on) == expected


@pytest.mark.parametrize("command", ["audit", "convert", "check"])
def test_a_log_named_twice_is_refused(tmp_path: Path, command: str) -> None:
    """Whatever happened in it would be told twice."""
    first = TURN_1
    copy = tmp_path / "copy.vlog"
    shutil.copy(first, copy)
    out = ("-o", tmp_path / "out") if command == "convert" else ()
    for again, said in ((first, "named twice"), (copy, "the same log as turn-1.vlog")):
        told = kit.refused(command, *(first, again, *out))
        assert f"{again.name}: is {said}; expected each log once" in told


@pytest.mark.ci
def test_a_fact_of_another_log_is_told_on_stderr_and_in_the_report(tmp_path: Path) -> None:
    facts = tmp_path / "facts.toml"
    logs = '[facts]\nlogs = ["turn-1.vlog", "turn-7.vlog"]\n'
    facts.write_text(f'{logs}[[phase]]\nphase = "Movement"\nlog = 2\n', encoding="utf-8")
    line = "note: facts.toml line 3: set aside: it is about log turn-7.vlog, which is not among"
    plain = audit(TURN_1, "--facts", facts)
    assert plain.exit_code == 1
    (told,) = plain.stderr.splitlines()
    assert told.startswith(f"umpire: {line}")
    assert " ".join(plain.stdout.split()).count(line) == 1
    assert audit(TURN_1).stderr == ""
    (problem,) = report_of(TURN_1, "--facts", facts)["problems"]
    assert (problem["code"], problem["severity"]) == ("idle-fact", "note")


def test_of_what_the_whole_game_clears_a_viewer_is_told_no_accusation() -> None:
    game = cases("generic")["CHART-ROAD-1"].game
    found = audit_game(Opened(game, ()), None)
    assert [move.verdict for move in found.moves] == ["illegal"]
    clear = replace(found, moves=(), findings=())
    told = audit_game(Opened(game, (), truth=game), None, truth=clear)
    assert [move.verdict for move in told.moves] == ["unverifiable"]
