"""The tutorial, followed: its commands print what it shows, and what it builds is the ruleset that ships."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any

import pytest

from .tutorial import NAME, PACKAGE, PAGE, PREFIX, PROJECT, Command, as_shown, follow

SHIPPED = PROJECT / "validators" / "rulesets" / "battle_for_moscow"
CASES = PROJECT / "tests" / "conformance" / "battle-for-moscow"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("tutorial")


@pytest.fixture(scope="module")
def commands(folder: Path) -> list[Command]:
    """Those of the page, run; afterwards ``folder`` holds what the page builds."""
    return list(follow(PAGE.read_text("utf-8"), folder))


def built(folder: Path, file: str) -> dict[str, Any]:
    """A file that the page builds, under the names of the ruleset that ships."""
    text = (folder / NAME / PACKAGE / file).read_text("utf-8")
    return tomllib.loads(text.replace(PREFIX, "BFM-").replace(f'"{NAME}"', '"battle-for-moscow"'))


def shipped(file: Path) -> dict[str, Any]:
    return tomllib.loads(file.read_text("utf-8"))


def test_every_command_prints_what_the_page_shows(commands: list[Command]) -> None:
    assert len(commands) > 5
    for command in commands:
        assert as_shown(command.output, command.found), f"{command.line}\n{command.found}"


def test_a_line_that_is_not_printed_is_not_taken_for_shown() -> None:
    assert as_shown("a\n…\nd\n", "a\nb\nc\nd\n")
    assert not as_shown("a\n…\nd\n", "a\nb\nc\n")
    assert not as_shown("a\nd\n", "a\nb\nd\n")


@pytest.mark.usefixtures("commands")
@pytest.mark.parametrize("file", ["manifest.toml", "clauses.toml"])
def test_what_it_builds_is_the_ruleset_that_ships(folder: Path, file: str) -> None:
    assert built(folder, file) == shipped(SHIPPED / file)


@pytest.mark.usefixtures("commands")
def test_its_cases_are_of_those_that_ship(folder: Path) -> None:
    told = (case for path in CASES.glob("*.toml") for case in shipped(path).get("case", ()))
    theirs = {case["id"]: case for case in told}
    files = [path.name for path in (folder / NAME / PACKAGE / "cases").glob("*.toml")]
    ours = [case for file in files for case in built(folder, f"cases/{file}").get("case", ())]
    assert len(ours) > 15
    assert ours == [theirs[case["id"]] for case in ours]
    assert built(folder, "cases/shared.toml") == shipped(CASES / "shared.toml")


def test_the_clause_in_python_is_one_that_is_tested() -> None:
    [shown] = re.findall(r"```python\n(.*?)```", PAGE.read_text("utf-8"), re.DOTALL)
    assert shown in (PROJECT / "tests" / "ford" / "ford_game" / "__init__.py").read_text("utf-8")


def test_no_block_of_the_page_is_passed_over() -> None:
    page = PAGE.read_text("utf-8")
    kinds = re.findall(r"^```(\w+)$", page, re.MULTILINE)
    assert kinds.count("toml") == len(re.findall(r"-->\n```toml\n", page))
    assert set(kinds) == {"toml", "console", "python"}
