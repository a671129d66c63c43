"""The commands of the first pages run as they stand there."""

from __future__ import annotations

import re
import shlex
import shutil
import sqlite3
from pathlib import Path

import pytest
from click.testing import CliRunner
from vassal_umpire.plugin import cli

PROJECT = Path(__file__).resolve().parent.parent
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
    shutil.copytree(PROJECT / "samples" / "crossroads", tmp_path / "samples" / "crossroads")
    monkeypatch.chdir(tmp_path)
    commands = lines(page)
    assert len(commands) > 1
    for command in commands:
        result = CliRunner().invoke(cli.main, shlex.split(command)[1:])
        due = 1 if command.startswith(FINDS) else 0
        assert result.exit_code == due, f"{command}: {result.output}"


def test_the_answer_of_the_query_is_the_one_shown(tmp_path: Path) -> None:
    text = (PROJECT / "docs" / "data.md").read_text("utf-8")
    logs = [str(PROJECT / "samples" / "crossroads" / f"turn-{n}.vlog") for n in (1, 2)]
    out = tmp_path / "crossroads.db"
    result = CliRunner().invoke(cli.main, ["convert", *logs, "--to", "sqlite", "-o", str(out)])
    assert result.exit_code == 0, result.output
    query, table = re.findall(r"```sql\n(.*?)```\n\n(.*?)\n\n", text, re.DOTALL)[0]
    with sqlite3.connect(out) as database:
        rows = database.execute(query).fetchall()
    database.close()
    shown = [tuple(cell.strip() for cell in row.strip("|").split("|")) for row in table.split("\n")]
    assert [tuple(map(str, row)) for row in rows] == shown[2:]
