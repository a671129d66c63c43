"""``import vassal_umpire as vu``: what it loads, and that it tells what the command line tells."""

from __future__ import annotations

import json
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("pyarrow", reason="pyarrow is not installed (the extra [frames])")

import vassal_umpire as vu
from click.testing import CliRunner
from vassal_umpire.importers.analysis.tables import COLUMNS
from vassal_umpire.model import table as raw
from vassal_umpire.plugin.cli import main
from vassal_umpire.plugin.python import interface
from vassal_umpire.plugin.python.logs import Log
from vassal_umpire.plugin.reports.json import document
from vassal_umpire.plugin.reports.report import ReportOptions

SAMPLES = Path(__file__).parents[3] / "samples"
CROSSROADS = SAMPLES / "crossroads"
LOGS = [CROSSROADS / "turn-1.vlog", CROSSROADS / "turn-2.vlog"]


@pytest.fixture(scope="module")
def logs() -> list[Log]:
    return list(vu.open_logs(LOGS))


def test_importing_the_package_loads_next_to_nothing() -> None:
    code = (
        "import sys, vassal_umpire as vu; assert vu.__version__; dir(vu);"
        "print(*(n for n in sys.modules if n.split('.')[0] in ('click', 'lxml', 'pyarrow')"
        " or n.startswith('vassal_umpire.')))"
    )
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert told.stdout.strip() == ""


def test_every_public_name_is_there_and_no_other() -> None:
    assert interface.__all__ == vu.__all__
    assert len(set(vu.__all__)) == len(vu.__all__)
    assert [name for name in vu.__all__ if getattr(vu, name) is not getattr(interface, name)] == []
    assert set(vu.__all__) <= set(dir(vu))
    with pytest.raises(AttributeError, match="no attribute 'open_save'"):
        vu.open_save  # noqa: B018


def test_the_table_after_the_last_step_is_the_table_at_the_end(logs: list[Log]) -> None:
    files = [
        *LOGS,
        SAMPLES / "battle-for-moscow" / "1-german.vlog",
        SAMPLES / "ocs" / "2-east.vlog",
    ]
    for path in files:
        log = vu.open_log(path, viewer=vu.DIRECTOR)
        ends = log._history.end
        found: raw.Table = log._tables.after(len(log._history.steps))
        assert len(log._history.steps) > 5
        assert sorted(found.pieces) == sorted(ends.pieces)
        for name, piece in ends.pieces.items():
            one = found.pieces[name]
            assert (one.spot, one.holder, one.properties) == (
                piece.spot,
                piece.holder,
                piece.properties,
            )
        assert found.stacks == dict(ends.stacks)
        assert found.decks == dict(ends.decks)
        assert found.globals == dict(ends.globals)
        assert found.turns == dict(ends.turns)


def test_tables_may_be_asked_for_in_any_order(logs: list[Log]) -> None:
    log = logs[0]
    forward = [(step.number, step.table.pieces) for step in log.steps()]
    backward = [(number, log.table(number).pieces) for number, _ in reversed(forward)]
    assert backward == forward[::-1]
    assert log.table(0).pieces == vu.open_log(LOGS[0]).table(0).pieces
    assert log.table().pieces == forward[-1][1]
    early = log.table(2)  # put together only now that the log has gone on
    assert log.table(11).pieces != early.pieces
    where = {piece.name: piece.location for piece in early.pieces}
    assert (where["Blue Recon"], where["Blue 4 Inf"]) == ("0502", "0408")


def test_a_log_says_what_the_command_line_says(logs: list[Log]) -> None:
    assert [(log.number, log.file, log.step_count) for log in logs] == [
        (1, "turn-1.vlog", 19),
        (2, "turn-2.vlog", 13),
    ]
    first = logs[0]
    assert first.module is not None
    assert (first.module.name, first.module_name) == ("Crossroads", "Crossroads")
    assert [(player.name, player.side) for player in first.players] == [("Wren", "Blue")]
    told = [json.loads(line) for line in umpire("show", *LOGS, "--format", "jsonl").splitlines()]
    shown = [part for part in told if part["kind"] == "step"]
    ours = [step for log in logs for step in log.steps()]
    for step, part in zip(
        [s for s in ours if (s.log, s.engine_number) in {(p["log"], p["step"]) for p in shown}],
        shown,
        strict=True,
    ):
        assert (step.player, step.side) == (part["player"], part["side"])
        assert [(m.piece, m.name, m.target_location) for m in step.displacements] == [
            (m["piece"], m["name"], m["to"]["location"]) for m in part["moves"]
        ]
        assert [list(roll.results) for roll in step.rolls] == [d["results"] for d in part["dice"]]


def umpire(*words: object) -> str:
    found = CliRunner().invoke(main, [str(word) for word in words])
    assert found.exit_code in (0, 1), found.output
    return found.stdout


def test_frames_of_a_log_hold_what_convert_writes(logs: list[Log], tmp_path: Path) -> None:
    problems = vu.convert(LOGS, tmp_path / "game.db", to="sqlite")
    assert problems == ()
    with closing(sqlite3.connect(tmp_path / "game.db")) as base:
        for name in [name for name, columns in COLUMNS.items() if columns[0] == "log"]:
            columns = ", ".join(f'"{column}"' for column in COLUMNS[name])
            due = base.execute(f"SELECT {columns} FROM {name}").fetchall()
            frames = [log.to_frames()[name] for log in logs]
            found = [tuple(row.values()) for frame in frames for row in frame.to_pylist()]
            assert found == due, name


@pytest.mark.parametrize("form", ["json", "jsonl"])
def test_convert_writes_what_the_command_writes(tmp_path: Path, form: str) -> None:
    out = {"json": "game.json", "jsonl": "game"}[form]
    (tmp_path / "ours").mkdir()
    (tmp_path / "theirs").mkdir()
    vu.convert(LOGS, tmp_path / "ours" / out, to=form)
    umpire("convert", *LOGS, "--to", form, "-o", tmp_path / "theirs" / out)

    def written(folder: Path) -> dict[str, bytes]:
        files = (p for p in folder.rglob("*") if p.is_file())
        return {p.relative_to(folder).as_posix(): p.read_bytes() for p in files}

    assert written(tmp_path / "ours") == written(tmp_path / "theirs") != {}


@pytest.mark.parametrize("given", ["beside", "named"])
def test_an_audit_says_what_the_report_says(given: str) -> None:
    named: dict[str, Any] = {}
    if given == "named":
        pack = vu.open_pack(CROSSROADS / "pack")
        named = {"pack": pack, "module": CROSSROADS / "crossroads.vmod", "facts": FACTS}
    audit = vu.audit(LOGS, **named)
    options = ["--facts", FACTS] if given == "named" else []
    due = json.loads(umpire("audit", *LOGS, "--format", "json", *options))
    assert json.loads(json.dumps(document(audit, ReportOptions()))) == due
    assert len(audit.findings) == len(due["findings"]) > 1
    frames = audit.to_frames()
    assert frames["findings"]["explanation"].to_pylist() == [
        finding["explanation"] for finding in due["findings"]
    ]
    assert frames["games"]["viewer"].to_pylist() == ["everyone"]
    assert frames["rolls"].num_rows == len(due["integrity"]["rolls"])


FACTS = CROSSROADS / "settled.toml"


def test_the_folder_of_the_pack_its_path_as_text_and_the_pack_itself_are_the_same() -> None:
    by_path = vu.audit(str(LOGS[0]), pack=str(CROSSROADS / "pack"))
    assert by_path == vu.audit(LOGS[0], pack=vu.open_pack(str(CROSSROADS / "pack")))


def test_progress_is_told() -> None:
    told = []
    vu.audit(LOGS[0], progress=lambda what, done, of: told.append((what, done, of)))
    assert ("judging moves", 9, 9) in told or ("judging moves", 10, 10) in told


def test_a_module_and_its_parts() -> None:
    module = vu.open_module(str(CROSSROADS / "crossroads.vmod"))
    assert (module.name, module.sides, module.problems) == ("Crossroads", ("Blue", "Red"), ())
    log = vu.open_log(LOGS[0], module=module)
    assert log.module is module
    assert vu.open_log(LOGS[0], module=CROSSROADS / "crossroads.vmod").module == module
