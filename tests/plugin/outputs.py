"""The sample game in a working folder, and the commands that write files."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result

POSIX = pytest.mark.skipif(os.name != "posix", reason="Windows has no such files")
AUDIT = ("audit", "turn-1.vlog", "--fail-on", "never", "--no-map-image")
TABLES = ("convert", "turn-1.vlog", "--to", "jsonl", "-o")
OUTPUTS = {
    "report.txt": AUDIT,
    "report.html": AUDIT,
    "report.md": AUDIT,
    "report.csv": AUDIT,
    "report.json": AUDIT,
    "game.json": ("convert", "turn-1.vlog"),
    "game.db": ("convert", "turn-1.vlog", "--to", "sqlite"),
    "copy.vlog": ("annotate", "turn-1.vlog"),
    "flags.vmdx": ("extension", "crossroads.vmod"),
}
"""Every kind of file that a command writes, and the command."""


def run(*arguments: str | Path, **how: Any) -> subprocess.CompletedProcess[bytes]:
    """In a process of its own."""
    command = [sys.executable, "-m", "vassal_umpire", *map(str, arguments)]
    return subprocess.run(command, check=False, stderr=subprocess.PIPE, **how)


@contextmanager
def stream(number: int, other: int) -> Iterator[None]:
    """``other``, a file that is open, is a standard stream of this process meanwhile: 0 is its input."""
    ours = os.dup(number)
    os.dup2(other, number)
    try:
        yield
    finally:
        os.dup2(ours, number)
        os.close(ours)


def refused(result: Result, said: str) -> None:
    assert result.exit_code == 2, result.output
    assert said in result.stderr
    assert len(result.stderr.splitlines()) == 1, "one clear line"


def names(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir()}


def contents(path: Path) -> dict[str, bytes]:
    """What a file or the files of a folder hold."""
    files = path.iterdir() if path.is_dir() else [path]
    return {file.name: file.read_bytes() for file in files}
