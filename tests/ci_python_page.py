"""docs/python.md: its examples run and print what it shows, and it tells every public name as it is."""

from __future__ import annotations

import contextlib
import importlib.util
import io
import re
import shutil
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
import vassal_umpire as vu
from vassal_umpire.plugin.game_tables import TABLES

PROJECT = Path(__file__).resolve().parent.parent
PAGE = (PROJECT / "docs" / "python.md").read_text("utf-8")
EXAMPLES = re.findall(r"```python\n(.*?)```\n\n```text\n(.*?)```", PAGE, re.DOTALL)


def test_the_examples_print_what_the_page_shows(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copytree(PROJECT / "samples" / "crossroads", tmp_path / "samples" / "crossroads")
    monkeypatch.chdir(tmp_path)
    known: dict[str, Any] = {}
    assert len(EXAMPLES) == PAGE.count("```python") == 8
    for source, due in EXAMPLES:
        with contextlib.redirect_stdout(io.StringIO()) as out:
            exec(compile(source, "docs/python.md", "exec"), known)
        assert out.getvalue().strip() == due.strip()


def test_the_example_on_the_page_for_data_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(PROJECT)
    page = (PROJECT / "docs" / "data.md").read_text("utf-8")
    known: dict[str, Any] = {}
    (source,) = re.findall(r"```python\n(.*?)```", page, re.DOTALL)
    exec(source, known)
    assert len(known["moves"]) == len(known["audit"].moves)


def reference() -> ModuleType:
    spec = importlib.util.spec_from_file_location("ref", PROJECT / "docs" / "python_reference.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_every_public_name_has_its_place_and_its_signature_on_the_page() -> None:
    told = reference()
    grouped = [name for names in told.GROUPS.values() for name in names]
    assert sorted(grouped) == sorted(vu.__all__)
    for name in grouped:
        assert f"\n#### {name}\n" in PAGE
        section = told.section(name)
        assert section in PAGE, "run: python docs/build.py"
        assert "\n\n\n" not in section, f"{name} says nothing of itself"
    for function in told.GROUPS["Functions"]:
        signature = told.signature(getattr(vu, function))
        assert f"```text\n{function}{signature}\n```" in PAGE
    assert "open_pack(path: FilePath) -> Pack" in PAGE


def test_every_column_of_every_table_is_on_the_page() -> None:
    for name, columns in TABLES.items():
        rows = PAGE.split(f"#### The table {name}\n")[1].split("\n#")[0]
        assert re.findall(r"^\| `(\w+)`", rows, re.MULTILINE) == [c.name for c in columns]


@pytest.mark.parametrize("name", [n for n in vu.__all__ if isinstance(getattr(vu, n), type)])
def test_every_class_says_what_it_is(name: str) -> None:
    text = reference().prose(getattr(vu, name))
    assert text.endswith("."), name
