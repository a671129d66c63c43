"""``umpire check-cases``: the page that explains it holds, exit codes, wrong files."""

from __future__ import annotations

import json
import re
import tomllib
from pathlib import Path

import pytest
from click.testing import Result

from . import kit


def blocks(project: Path, language: str) -> list[str]:
    page = (project / "docs" / "cases.md").read_text("utf-8")
    return re.findall(rf"```{language}\n(.*?)```", page, re.DOTALL)


@pytest.fixture
def example(project: Path) -> str:
    """The whole file of the page."""
    (text,) = blocks(project, "toml")
    return text


@pytest.fixture
def check(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)

    def run(text: str, *options: str) -> Result:
        Path("bridge.toml").write_text(text, "utf-8")
        return kit.umpire("check-cases", "bridge.toml", *options)

    return run


def test_the_example_of_the_page_passes(check, example: str, tmp_path: Path) -> None:
    result = check(example)
    assert (result.exit_code, result.output) == (0, "2 passed, 0 failed\n")
    result = check(example.replace(', codes = ["GEN-HEXSIDE-PROHIBITED"]', ""))
    assert (result.exit_code, result.output) == (0, "2 passed, 0 failed\n")
    assert "is not there" in kit.refused("check-cases", tmp_path / "none")


def test_failures_look_as_on_the_page_and_ignored_count(check, example: str, project: Path) -> None:
    result = check(example.replace("cost = 5,", "cost = 4,"))
    (shown,) = blocks(project, "text")
    assert result.exit_code == 1
    assert result.output.strip("\n") == shown.strip("\n")
    result = check(example.replace("[[case]]", '[[case]]\nignore = "the book is unclear"', 1))
    ignored = "ignored  FORD-1 (bridge.toml line 29): the book is unclear"
    assert result.output.splitlines()[-3:] == [ignored, "1 ignored", "1 passed, 0 failed"]
    assert result.exit_code == 0


def test_unsafe_titles_are_spelt_out_and_only_picks(check, example: str) -> None:
    result = check(example, "--verbose", "--only", "FORD-2")
    assert "passed  FORD-2" in result.output
    assert "FORD-1" not in result.output
    assert result.output.endswith("\n1 passed, 0 failed\n")
    result = check(example, "--only", "FORD-9")
    assert result.exit_code == 2
    assert "FORD-9" in result.stderr
    result = check(example.replace('title = "on foot', r'title = "\u001b[31mon foot'), "--verbose")
    assert "\x1b" not in result.output


@pytest.mark.parametrize(
    ("change", "to", "said"),
    [
        ("clear = 1", 'clear = "cheap"',
         "bridge.toml line 29: case FORD-1, rules.terrain.costs.clear"),
        ('"GEN-TERRAIN"]', '"GEN-TERAIN"]',
         "clauses: expected clauses of generic; found GEN-TERAIN"),
        ('"generic"', '"genric"', "ruleset: expected one of battle-for-moscow, generic"),
        ('"a: 0101 0301"', '"a: 0101 0901"', "line 41: case FORD-1, moves[1]: expected hexes"),
        ("[legend]", "[legend", "line 4"),
    ],
)  # fmt: skip
def test_a_wrong_file_is_told(check, example: str, change: str, to: str, said: str) -> None:
    assert change in example
    result = check(example.replace(change, to, 1))
    assert result.exit_code == 2
    assert said in result.stderr
    assert "Traceback" not in result.output
    assert "passed" not in result.stdout


def test_json_tells_of_every_case(check, example: str) -> None:
    result = check(example.replace("cost = 5,", "cost = 4,"), "--format", "json")
    plain = json.loads(result.output)
    assert (result.exit_code, plain["passed"], plain["failed"]) == (1, 1, 1)
    ford, wheels = plain["cases"]
    assert (ford["case"], ford["file"], ford["line"]) == ("FORD-1", "bridge.toml", 29)
    assert ford["expected"] == {"verdict": "legal", "cost": 4, "allowance": 5}
    assert (ford["found"]["verdict"], ford["found"]["cost"]) == ("legal", 5)
    assert ford["differences"] == [{"what": "cost", "expected": "4", "found": "5"}]
    assert wheels["found"]["codes"] == ["GEN-HEXSIDE-PROHIBITED"]


def test_json_holds_the_questions_of_a_case(check, example: str) -> None:
    text = example.replace('lines = ["river: 0101/0201"]\nunits = ["a Red', 'units = ["a Red', 1)
    text = text.replace("ma=5", "ma=?")
    text = text.replace('"legal", cost = 5, allowance = 5', '"unverifiable"')
    text = text.replace('kind = "worked-example"', 'kind = "unverifiable"')
    result = check(text, "--format", "json")
    (question,) = json.loads(result.output)["cases"][0]["found"]["questions"]
    assert question["key"] == "unit a ma"
    assert tomllib.loads(question["stanza"]) == {"unit": [{"unit": "a", "attributes": {"ma": "?"}}]}
