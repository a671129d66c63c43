"""What the README promises, and what the first page shows of a report, is what the program does."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

PROJECT = Path(__file__).resolve().parent.parent


def _excerpts() -> list[str]:
    """Paragraphs of the report that docs/doubt.md quotes."""
    section = (PROJECT / "docs" / "doubt.md").read_text("utf-8").split("## A first audit")[1]
    block = section.split("```")[1].strip("\n")
    return [part for part in re.split(r"\n\n(?=\S)", block) if part]


@pytest.mark.parametrize("excerpt", _excerpts(), ids=lambda text: text.split("\n")[0][:40])
def test_the_report_shown_is_the_report_printed(excerpt: str) -> None:
    shipped = PROJECT / "samples" / "crossroads" / "expected-report.txt"
    assert excerpt in shipped.read_text("utf-8")


def test_both_commands_are_the_ones_promised() -> None:
    text = (PROJECT / "README.md").read_text("utf-8")
    first = "python3 -m venv .venv && .venv/bin/pip install . && .venv/bin/umpire audit "
    assert f"{first}samples/crossroads/turn-1.vlog" in text
    assert ".venv/bin/pip install -e '.[test]' && .venv/bin/python -m pytest" in text
