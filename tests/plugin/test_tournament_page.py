"""What docs/tournament.md and docs/check-your-turn.md show is what the program prints."""

from __future__ import annotations

import re
import shlex
import shutil
from pathlib import Path

import pytest

from . import kit

PROJECT = Path(__file__).resolve().parents[2]


def shown() -> list[tuple[str, str]]:
    """The commands of both pages, in order, each with what it is said to print."""
    pages = ("tournament.md", "check-your-turn.md")
    page = "".join((PROJECT / "docs" / name).read_text("utf-8") for name in pages)
    found: list[tuple[str, str]] = []
    for block in re.findall(r"^```\n(\$ umpire .*?)^```", page, re.M | re.S):
        parts = re.split(r"^\$ umpire (.*)\n", block, flags=re.M)[1:]
        found += list(zip(parts[::2], parts[1::2], strict=True))
    return found


def dateless(text: str) -> str:
    return re.sub(r"\d{4}-\d\d-\d\d", "DATE", text)


@pytest.mark.ci
def test_the_pages_show_what_is_printed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shutil.copytree(PROJECT / "samples" / "crossroads", tmp_path / "crossroads")
    monkeypatch.chdir(tmp_path / "crossroads")
    commands = shown()
    assert len(commands) >= 9
    for command, printed in commands:
        result = kit.umpire(*shlex.split(command))
        assert dateless(result.output) == dateless(printed), command
