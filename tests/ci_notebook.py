"""The notebook runs as it stands, and says what is stored in it."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

PROJECT = Path(__file__).resolve().parent.parent
NOTEBOOK = PROJECT / "docs" / "analysts.ipynb"
QUESTIONS = ("Tempo", "MPs", "Stacks", "Dice", "The front line")


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> list[dict[str, Any]]:
    """Its cells, run anew."""
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


def test_it_uses_pandas_polars_and_duckdb_and_is_small() -> None:
    source = "".join("".join(cell["source"]) for cell in cells(NOTEBOOK))
    for used in ("pd.", "pl.", "duckdb.sql"):
        assert used in source
    assert NOTEBOOK.stat().st_size < 120_000
