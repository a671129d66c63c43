"""docs/your-first-ruleset.md, followed: its commands print what it shows, and what it builds is what ships.

A comment before a block says what becomes of it: ``write FILE``, ``append FILE``, ``insert FILE after
LINE``, ``replace FILE`` (the line of the same key); ``delete FILE`` stands alone. FILE is a path in the
distribution. In a block of ``console`` a line that begins with ``$`` is a command, what follows its output;
``…`` stands for lines left out.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from sample_pack import PROJECT

PAGE = PROJECT / "docs" / "your-first-ruleset.md"
NAME, PACKAGE, PREFIX = "my-moscow", "my_moscow", "MM-"
LEFT_OUT = "…"
ALONE = ("--no-deps", "--no-build-isolation", "--no-index", "--quiet")

_EDIT = r"<!-- (?P<does>.*?) -->\n(?:```toml\n(?P<text>.*?)```\n)?"
_PART = re.compile(_EDIT + r"|```console\n(?P<run>.*?)```\n", re.DOTALL)
_COMMAND = re.compile(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Command:
    """A command that the page shows. ``output``: as shown; ``found``: as printed."""

    line: str
    output: str
    found: str


def follow(page: str, folder: Path) -> Iterator[Command]:
    """Do in ``folder`` what ``page`` says, command by command."""
    for part in _PART.finditer(page):
        if part["run"] is None:
            _edit(folder / NAME, part["does"], part["text"] or "")
            continue
        for line, output in _COMMAND.findall(part["run"]):
            yield Command(line, output, _run(line, folder))


def as_shown(output: str, found: str) -> bool:
    """Whether ``found`` is the ``output`` shown, but for what is left out of it."""
    pieces = output.split(f"{LEFT_OUT}\n")
    return re.fullmatch("(?:.*\n)*".join(map(re.escape, pieces)), found) is not None


def _edit(folder: Path, does: str, text: str) -> None:
    word, name, *rest = does.split(maxsplit=2)
    file = folder / name
    match word:
        case "write":
            file.write_text(text, encoding="utf-8")
        case "append":
            file.write_text(f"{file.read_text('utf-8')}\n{text}", encoding="utf-8")
        case "insert":
            before = rest[0].removeprefix("after ") + "\n"
            told = file.read_text("utf-8")
            assert told.count(before) == 1, before
            file.write_text(told.replace(before, before + text), encoding="utf-8")
        case "replace":
            key = text.split("=")[0]
            told, times = re.subn(rf"(?m)^{re.escape(key)}=.*\n", text, file.read_text("utf-8"))
            assert times == 1, text
            file.write_text(told, encoding="utf-8")
        case "delete":
            file.unlink()
        case _:
            raise AssertionError(does)


def _run(line: str, folder: Path) -> str:
    """What a command prints. pip installs into a folder of its own, from what is here alone; the files
    that are edited go before those that it installed."""
    program, *words = shlex.split(line)
    installed = folder / "installed"
    match program:
        case "umpire":
            command = ["-m", "vassal_umpire", *words]
        case "pip":
            command = ["-m", "pip", "--disable-pip-version-check", "install", *ALONE]
            command += ["--target", str(installed), f"./{words[-1]}"]
        case "cp":
            shutil.copytree(PROJECT / words[-2], folder / words[-1])
            return ""
        case _:
            raise AssertionError(line)
    path = os.pathsep.join(map(str, (folder / NAME, installed)))
    done = subprocess.run(
        [sys.executable, *command],
        cwd=folder,
        capture_output=True,
        encoding="utf-8",
        env={**os.environ, "PYTHONPATH": path, "COLUMNS": "80"},
        check=False,
    )
    assert done.returncode in (0, 1), done.stderr
    assert not done.stderr, done.stderr
    return done.stdout


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
