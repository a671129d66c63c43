"""Runs the commands on changed files, in one process under limits, and tells what is wrong.

    python tests/fuzz/worker.py KIND SEED FIRST COUNT [--keep FOLDER]

prints a line of JSON for each input: its number, and faults with what was run. ``--keep`` leaves the files in
a folder.
"""

from __future__ import annotations

import argparse
import json
import random
import re
import resource
import shutil
import signal
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from types import FrameType
from typing import Any

from click.testing import CliRunner, Result

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from fuzz import sources
from fuzz.inputs import KINDS, Run
from vassal_umpire.importers.vassal.savefile import read_save
from vassal_umpire.plugin.cli import main

SECONDS = 30
"""Of this process's own time that a command may take (the time, not the clock: others use the machine)."""
MEMORY = 1024**3
"""Bytes beyond those of the program itself."""

EXIT_CODES = {0, 1, 2, 3}
SAID = ("umpire: ", "Error: ")
_GROUP_END = re.compile(r"(?<!\\)\x1b")


class TooSlow(BaseException):
    """No error of the program: nothing there catches it."""


def _stop(_signal: int, _frame: FrameType | None) -> None:
    raise TooSlow


def run_input(kind: str, seed: str, number: int, folder: Path) -> dict[str, Any]:
    """Make the input of this number and run what is to be run on it."""
    make, _ = KINDS[kind]
    runs = make(random.Random(f"{seed} {kind} {number}"), folder)
    return {"number": number, "faults": [fault for run in runs for fault in faults_of(run)]}


def faults_of(run: Run) -> list[str]:
    """What is wrong with what a command does, each with the command line."""
    signal.signal(signal.SIGPROF, _stop)
    signal.setitimer(signal.ITIMER_PROF, SECONDS)
    try:
        result = CliRunner().invoke(main, run.arguments, prog_name="umpire")
        faults = list(_faults(run, result))
    except TooSlow:
        faults = [f"more than {SECONDS} s"]
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
    return [f"{fault}: {' '.join(run.arguments)}" for fault in faults]


def _faults(run: Run, result: Result) -> Iterator[str]:
    if result.exit_code not in EXIT_CODES:
        yield f"exit code {result.exit_code}: {result.stderr[-300:]!r} {result.exception!r}"
    if "Traceback" in result.output:
        yield "a traceback"
    if result.exit_code in (2, 3):
        yield from _untold(result.stderr)
    if run.secret and _leaks(run, result):
        yield "a player's id is in the output"
    if run.copy_of is not None and run.out is not None and result.exit_code == 0:
        yield from _lost_steps(run.copy_of, run.out)


def _untold(said: str) -> Iterator[str]:
    """An error is one line, or a heading and a line for each problem."""
    lines = said.splitlines()
    if not any(line.startswith(SAID) for line in lines):
        yield f"no line says what is wrong: {said[:300]!r}"
    rest = [one for one in lines if not one.startswith((*SAID, "  ", "Usage: ", "Try "))]
    if any(rest):
        yield f"more than a line: {rest[:3]!r}"
    if any(ord(char) < 32 or 127 <= ord(char) < 160 for line in lines for char in line):
        yield f"control characters: {said[:300]!r}"


def _leaks(run: Run, result: Result) -> bool:
    found = [result.output.encode("utf-8", "replace")]
    if run.out is not None and run.out.exists():
        files = sorted(run.out.rglob("*")) if run.out.is_dir() else [run.out]
        found += [file.read_bytes() for file in files if file.is_file()]
    return any(sources.secret(n).encode() in text for text in found for n in range(3))


def _lost_steps(log: Path, copy: Path) -> Iterator[str]:
    """An annotated copy holds every group of the log, byte for byte and in order, and besides them
    nothing but steps that begin with a remark of the umpire's, or take his flags down."""
    before = _GROUP_END.split(read_save(log).text)
    at = 0
    for group in _GROUP_END.split(read_save(copy).text):
        if at < len(before) and group == before[at]:
            at += 1
        elif not group.startswith(("LOG\tCHAT- umpire: ", "LOG\tCHAT- This is", "LOG\t-/")):
            yield f"a step of nobody's: {group[:100]!r}"
            return
    if at < len(before):
        yield f"step {at} of {len(before)} is lost or changed: {before[at][:100]!r}"


def bound_memory() -> None:
    """No more memory than the program has now and :data:`MEMORY`."""
    pages = int(Path("/proc/self/statm").read_text().split()[0]) if sys.platform == "linux" else 0
    if pages:
        most = pages * resource.getpagesize() + MEMORY
        resource.setrlimit(resource.RLIMIT_AS, (most, most))


def work(kind: str, seed: str, first: int, count: int, keep: Path | None) -> None:
    """Run inputs ``first`` to ``first + count - 1``; a line for each before and after."""
    with tempfile.TemporaryDirectory(prefix="umpire-fuzz-") as folder:
        run_input(kind, "warm up", 0, _new(Path(folder) / "warm"))
        bound_memory()
        for number in range(first, first + count):
            print(json.dumps({"begun": number}), flush=True)
            here = _new((keep or Path(folder)) / f"{kind}-{number}")
            print(json.dumps(run_input(kind, seed, number, here)), flush=True)
            if keep is None:
                shutil.rmtree(here, ignore_errors=True)


def _new(folder: Path) -> Path:
    folder.mkdir(parents=True)
    return folder


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("kind", choices=sorted(KINDS))
    parser.add_argument("seed")
    parser.add_argument("first", type=int)
    parser.add_argument("count", type=int)
    parser.add_argument("--keep", type=Path)
    given = parser.parse_args()
    work(given.kind, given.seed, given.first, given.count, given.keep)
