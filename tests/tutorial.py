"""docs/your-first-ruleset.md, taken apart and followed: its files written, its commands run.

A comment before a block says what becomes of it: ``write FILE``, ``append FILE``, ``insert FILE after
LINE``, ``replace FILE`` (the line of the same key);
``delete FILE`` stands alone. FILE is a path in the distribution. In a block of ``console`` a line that begins
with ``$`` is a command, what follows its output; ``…`` stands for lines left out.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

PROJECT = Path(__file__).resolve().parent.parent
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
