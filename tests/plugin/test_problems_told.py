"""What was odd about a module, a log or a game is told once, wherever it is read."""

from __future__ import annotations

import json
import shutil
import sqlite3
from pathlib import Path

import pytest
from click.testing import Result

from .kit import MODULE, TURN_1, TURN_2, entry_of, umpire, zip_with

CUSTOM = "own.Toolbar"


@pytest.fixture
def game(tmp_path: Path) -> Path:
    """The sample's first log beside its module, to which a class of its own and a board without its
    picture were added; the folder."""
    shutil.copy(TURN_1, tmp_path)
    text = entry_of(MODULE, "buildFile.xml")
    board = '<VASSAL.build.module.map.boardPicker.Board name="Other" image="gone.png"/>'
    picker = "</VASSAL.build.module.map.BoardPicker>"
    assert picker in text
    text = text.replace(picker, board + picker, 1)
    end = text.rindex("</")
    build = {"buildFile.xml": f"{text[:end]}<{CUSTOM}/>{text[end:]}"}
    zip_with(MODULE, tmp_path / MODULE.name, build)
    return tmp_path


def run(*arguments: str | Path) -> Result:
    result = umpire(*arguments)
    assert result.exit_code == 0, result.output
    return result


def _of_module(lines: list[str]) -> list[str]:
    """Which of the two, as often as they are told."""
    return [word for line in lines for word in ("gone.png", CUSTOM) if word in line]


def test_convert_and_inspect_tell_them_in_the_document_and_on_stderr(game: Path) -> None:
    result = run("convert", game / "turn-1.vlog", "-o", "-")
    found = json.loads(result.stdout)
    assert sorted(_of_module(found["problems"])) == ["gone.png", CUSTOM]
    lines = result.stderr.splitlines()
    assert sorted(_of_module(lines)) == ["gone.png", CUSTOM]
    assert all(line.startswith(("umpire: warning: ", "umpire: note: ")) for line in lines)
    found = json.loads(run("inspect", game / "turn-1.vlog", "--format", "json").stdout)
    assert {"board-image-missing", "custom-component"} <= {p["code"] for p in found["problems"]}


def test_convert_tells_them_in_tables(game: Path, tmp_path: Path) -> None:
    for target in ("base", "lines"):
        form = ["--to", "sqlite" if target == "base" else "jsonl", "-o", tmp_path / target]
        result = run("convert", game / "turn-1.vlog", *form)
        assert len(_of_module(result.stderr.splitlines())) == 2
    base = sqlite3.connect(tmp_path / "base")
    rows = base.execute("SELECT log, step, problem FROM problems").fetchall()
    base.close()
    assert [row[:2] for row in rows if _of_module([row[2]])] == [(None, None)] * 2
    lines = (tmp_path / "lines" / "problems.jsonl").read_text("utf-8").splitlines()
    assert len(lines) == len(rows)
    assert sorted(_of_module(lines)) == ["gone.png", CUSTOM]
    # of a module alone, too
    run("convert", game / MODULE.name, "--to", "jsonl", "-o", tmp_path / "alone")
    lines = (tmp_path / "alone" / "problems.jsonl").read_text("utf-8").splitlines()
    assert sorted(_of_module(lines)) == ["gone.png", CUSTOM]


def test_what_is_amiss_with_a_log_as_a_whole_is_in_the_tables(corpus: Path, tmp_path: Path) -> None:
    log = corpus / "damaged" / "two-savedgames.vlog"
    document = json.loads(run("convert", log, "-o", "-").stdout)
    told = document["table"]["logs"][0]["problems"]
    assert told
    result = run("convert", log, "--to", "sqlite", "-o", tmp_path / "base")
    base = sqlite3.connect(tmp_path / "base")
    rows = base.execute("SELECT problem FROM problems WHERE log = 1 AND step IS NULL").fetchall()
    base.close()
    assert [text for (text,) in rows] == told
    assert all(text in result.stderr for text in told)


def test_many_problems_do_not_bury_the_screen(game: Path) -> None:
    module = game / MODULE.name
    text = entry_of(module, "buildFile.xml")
    many = "".join(f"<own.Toolbar{number}/>" for number in range(100))
    zip_with(module, module, {"buildFile.xml": text.replace(f"<{CUSTOM}/>", many)})
    result = run("convert", game / "turn-1.vlog", "-o", "-")
    lines = result.stderr.splitlines()
    assert len(json.loads(result.stdout)["problems"]) >= 101
    assert len(lines) == 21
    assert "gone.png" in lines[0]
    assert lines[-1].startswith("umpire: and ")


def test_show_tells_them_once_for_all_logs(game: Path) -> None:
    shutil.copy(TURN_2, game)
    logs = (game / "turn-1.vlog", game / "turn-2.vlog")
    for form in ("text", "markdown"):
        lines = run("show", *logs, "--format", form).stdout.splitlines()
        assert sorted(_of_module(lines)) == ["gone.png", CUSTOM]
        assert any("Problems met while reading crossroads.vmod" in line for line in lines)
    shown = run("show", *logs, "--format", "jsonl").stdout.splitlines()
    parts = [json.loads(line) for line in shown]
    (module,) = (part for part in parts if part["kind"] == "module")
    assert sorted(_of_module(module["problems"])) == ["gone.png", CUSTOM]
    assert (module["file"], module["module"]) == ("crossroads.vmod", "Crossroads")
