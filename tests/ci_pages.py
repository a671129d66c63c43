"""What the documentation shows is what runs: commands, examples in Python, the notebook."""

from __future__ import annotations

import contextlib
import importlib.util
import io
import json
import re
import shlex
import shutil
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
import vassal_umpire as vu
from command_line import done, umpire
from sample_pack import CROSSROADS, PROJECT

# -- the commands of the first pages run as they stand there ------------------------------------------

PAGES = ("doubt", "data", "install")
FINDS = ("umpire audit", "umpire check")
"""Commands that end with 1: they find something in the sample."""


def lines(page: str) -> list[str]:
    """The commands on a page, but those on files the reader brings and those of Windows."""
    text = (PROJECT / "docs" / f"{page}.md").read_text("utf-8")
    found = re.findall(r"^ +(umpire .*)$", text, re.MULTILINE)
    return [line for line in dict.fromkeys(found) if "\\" not in line]


@pytest.mark.parametrize("page", PAGES)
def test_every_command_of_the_page_runs(
    page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copytree(CROSSROADS, tmp_path / "samples" / "crossroads")
    monkeypatch.chdir(tmp_path)
    commands = lines(page)
    assert len(commands) > 1
    for command in commands:
        done(*shlex.split(command)[1:], code=int(command.startswith(FINDS)))


def test_the_answer_of_the_query_is_the_one_shown(tmp_path: Path) -> None:
    text = data_page()
    out = tmp_path / "crossroads.db"
    done("convert", *sorted(CROSSROADS.glob("turn-*.vlog")), "--to", "sqlite", "-o", out)
    query, table = re.findall(r"```sql\n(.*?)```\n\n(.*?)\n\n", text, re.DOTALL)[0]
    with closing(sqlite3.connect(out)) as database:
        rows = database.execute(query).fetchall()
    shown = [tuple(cell.strip() for cell in row.strip("|").split("|")) for row in table.split("\n")]
    assert [tuple(map(str, row)) for row in rows] == shown[2:]


# -- docs/python.md: its examples print what it shows, and it tells every public name as it is ----------

PAGE = (PROJECT / "docs" / "python.md").read_text("utf-8")
EXAMPLES = re.findall(r"```python\n(.*?)```\n\n```text\n(.*?)```", PAGE, re.DOTALL)


def test_the_examples_print_what_the_page_shows(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("pyarrow", reason="pyarrow is not installed (the extra [frames])")
    shutil.copytree(CROSSROADS, tmp_path / "samples" / "crossroads")
    monkeypatch.chdir(tmp_path)
    known: dict[str, Any] = {}
    assert len(EXAMPLES) == PAGE.count("```python") == 8
    for source, due in EXAMPLES:
        with contextlib.redirect_stdout(io.StringIO()) as out:
            exec(compile(source, "docs/python.md", "exec"), known)
        assert out.getvalue().strip() == due.strip()


def test_the_examples_on_the_page_for_data_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("pyarrow", "pandas", "matplotlib"):
        pytest.importorskip(name, reason=f"{name} is not installed (the extra [notebook])")
    monkeypatch.setenv("MPLBACKEND", "agg")
    (tmp_path / "samples").symlink_to(PROJECT / "samples")
    monkeypatch.chdir(tmp_path)
    plot, game, audit = re.findall(r"```python\n(.*?)```", data_page(), re.DOTALL)
    assert len(plot.replace("\n\n", "\n").splitlines()) == 6
    known: dict[str, Any] = {}
    exec(plot, known)
    assert (tmp_path / "moves.png").stat().st_size > 5000
    counts = known["counts"].fillna(0).astype(int).to_dict("index")
    assert list(counts) == [
        f"Turn 1, West {phase}" for phase in ("Movement", "Reaction", "Combat", "Exploitation")
    ]
    assert counts["Turn 1, West Reaction"] == {"West": 0, "East": 2}
    with contextlib.redirect_stdout(io.StringIO()) as out:
        exec(game, known)
    assert re.findall(r"(East|West) +(\d+)", out.getvalue()) == [
        ("East", "3"), ("West", "14"), ("East", "8"), ("West", "1"),
    ]  # fmt: skip
    exec(audit, known)
    assert len(known["moves"]) == len(known["audit"].moves)


def data_page() -> str:
    return (PROJECT / "docs" / "data.md").read_text("utf-8")


def reference() -> ModuleType:
    spec = importlib.util.spec_from_file_location("ref", PROJECT / "docs" / "python_reference.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_every_public_name_has_its_place_on_the_page_and_says_what_it_is() -> None:
    """What stands there of it, docs/build.py writes (``test_ruleset_pages.py``)."""
    told = reference()
    grouped = [name for names in told.GROUPS.values() for name in names]
    assert sorted(grouped) == sorted(vu.__all__)
    for name in grouped:
        assert "\n\n\n" not in told.section(name), f"{name} says nothing of itself"
        of = getattr(vu, name)
        assert not isinstance(of, type) or told.prose(of).endswith("."), name


# -- the notebook runs as it stands, and says what is stored in it ------------------------------------

NOTEBOOK = PROJECT / "docs" / "analysts.ipynb"
QUESTIONS = ("Tempo", "MPs", "Stacks", "Dice", "The front line")


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> list[dict[str, Any]]:
    """Its cells, run anew."""
    for name in ("nbclient", "pandas", "polars", "duckdb", "matplotlib"):
        pytest.importorskip(name, reason=f"{name} is not installed (the extra [notebook])")
    out = tmp_path_factory.mktemp("notebook") / "out.ipynb"
    script = [sys.executable, str(PROJECT / "docs" / "notebook.py"), str(out)]
    done = subprocess.run(script, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return cells(out)


def cells(notebook: Path) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(notebook.read_text("utf-8"))["cells"]
    return found


def printed(cell: dict[str, Any]) -> str:
    return "".join("".join(output.get("text", "")) for output in cell.get("outputs", ()))


def pictures(cell: dict[str, Any]) -> int:
    return sum("image/png" in output.get("data", {}) for output in cell.get("outputs", ()))


def test_what_it_prints_and_draws_is_what_is_stored(run: list[dict[str, Any]]) -> None:
    stored = cells(NOTEBOOK)
    assert [printed(cell) for cell in run] == [printed(cell) for cell in stored]
    assert [pictures(cell) for cell in run] == [pictures(cell) for cell in stored]
    assert "4 battalions in 0505" in "".join(map(printed, stored))


def test_each_question_has_an_answer_and_a_picture() -> None:
    part, answered = "", dict.fromkeys(QUESTIONS, 0)
    for cell in cells(NOTEBOOK):
        if heading := re.match(r"## \d\. ([^:]+):", "".join(cell["source"])):
            part = heading[1]
        if part:
            answered[part] += pictures(cell)
    assert answered == dict.fromkeys(QUESTIONS, 1)


# -- docs/tournament.md and docs/check-your-turn.md show what is printed ------------------------------


def shown() -> list[tuple[str, str]]:
    """The commands of both pages, in order, each with what it is said to print."""
    pages = ("tournament.md", "check-your-turn.md")
    page = "".join((PROJECT / "docs" / name).read_text("utf-8") for name in pages)
    found: list[tuple[str, str]] = []
    for block in re.findall(r"^```\n(\$ umpire .*?)^```", page, re.M | re.S):
        parts = re.split(r"^\$ umpire (.*)\n", block, flags=re.M)[1:]
        found += list(zip(parts[::2], parts[1::2], strict=True))
    return found


def test_the_pages_show_what_is_printed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shutil.copytree(CROSSROADS, tmp_path / "crossroads")
    monkeypatch.chdir(tmp_path / "crossroads")
    commands = shown()
    assert len(commands) >= 9
    for command, printed in commands:
        both = umpire(*shlex.split(command)).output, printed
        told, shown_there = (re.sub(r"\d{4}-\d\d-\d\d", "DATE", one) for one in both)
        assert told == shown_there, command
