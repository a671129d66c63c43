"""Faults put into the program on purpose, each where only odd input comes by, and how soon they are found.

    python tests/fuzz/planted.py [SEEDS]

prints for each fault how many inputs it took until it was found.
"""

from __future__ import annotations

import random
import re
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any
from unittest.mock import patch

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from fuzz import sources, worker
from fuzz.inputs import KINDS

PATIENCE = 1000
"""Inputs after which a fault counts as not found."""


@dataclass(frozen=True)
class Fault:
    """``wrapped(old)`` stands in place of a function; files of ``kind`` show it."""

    kind: str
    function: str
    wrapped: Callable[[Any], Any]

    @contextmanager
    def planted(self) -> Iterator[None]:
        module_name, _, name = f"vassal_umpire.{self.function}".rpartition(".")
        module = import_module(module_name)
        with patch.object(module, name, self.wrapped(getattr(module, name))):
            yield


def _never(*_: Any) -> bool:
    return False


def _fails(
    error: Exception,
    on: Callable[..., bool] = _never,
    after: Callable[[Any], bool] = _never,
) -> Callable[[Any], Any]:
    """An error ``on`` odd arguments, or ``after`` an odd result."""

    def wrapped(old: Any) -> Any:
        def new(*arguments: Any, **named: Any) -> Any:
            if on(*arguments):
                raise error
            result = old(*arguments, **named)
            if after(result):
                raise error
            return result

        return new

    return wrapped


def _tells_ids(old: Any) -> Any:
    def new(history: Any, number: int) -> Any:
        told = old(history, number)
        if any(p.code == "unknown-piece" for step in history.steps for p in step.problems):
            told["players"] = [sources.secret(0)]
        return told

    return new


def _loses_steps(old: Any) -> Any:
    def new(text: str, *arguments: Any, **named: Any) -> str:
        groups = text.split("\x1b")
        kept = [one for i, one in enumerate(groups) if i == 0 or one != groups[i - 1]]
        return str(old("\x1b".join(kept), *arguments, **named))

    return new


def _hoards(old: Any) -> Any:
    def new(plain: Any) -> Any:
        game = old(plain)
        if any(here.level is not None and here.level > 10**6 for here in game.board.hexes.values()):
            bytearray(2 * worker.MEMORY)
        return game

    return new


WORD = re.compile("[ -~]*[a-z0-9]")
FAULTS = {
    "a list of boards cut short": Fault(
        "log",
        "importers.vassal.commands.codec._decode_boards",
        _fails(IndexError(), on=lambda text, name, body: (body or "").count("\t") % 3 != 2),
    ),
    "an undo without an end": Fault(
        "log",
        "importers.vassal.savefile._open_undos",
        _fails(IndexError(), after=lambda problems: len(problems) > 1),
    ),
    "a player's id beside a problem": Fault("log", "plugin.commands.show.log_told", _tells_ids),
    "the second of two equal steps": Fault(
        "log", "plugin.vassal.annotation.insert_steps", _loses_steps
    ),
    "a grid of no width": Fault(
        "module",
        "importers.vassal.buildfile_grids._hex_grid",
        _fails(ZeroDivisionError(), on=lambda c, p: c.attributes.get("dx", "1").strip("0.") == ""),
    ),
    "a spreadsheet in UTF-16": Fault(
        "pack",
        "importers.pack.files.read_bytes",
        _fails(ValueError(), after=lambda data: data[:2] == b"\xff\xfe"),
    ),
    "a fact that is not a word": Fault(
        "facts",
        "importers.pack.facts_file.fact_of",
        _fails(IndexError(), on=lambda plain, source: not WORD.fullmatch(str(plain))),
    ),
    "two units of one name": Fault(
        "analysis",
        "importers.analysis.document.game_of",
        _fails(KeyError(), after=lambda g: len({u.name for u in g.units.values()}) < len(g.units)),
    ),
    "memory for every level": Fault("analysis", "importers.analysis.document.game_of", _hoards),
    "an amount below nothing": Fault(
        "report",
        "plugin.vassal.extension._amount",
        _fails(ValueError(), on=lambda amount: str(amount["lo"]).startswith("-")),
    ),
    "a case without units": Fault(
        "cases",
        "plugin.commands.check_cases.read_cases",
        _fails(KeyError(), after=lambda cases: any(not c.game.units for c in cases)),
    ),
}


def found_after(fault: Fault, draws: Iterator[random.Random]) -> int | None:
    """How many inputs it takes; None: not found among those drawn."""
    with fault.planted():
        for number, rng in enumerate(draws, 1):
            if shows(fault, rng):
                return number
    return None


def shows(fault: Fault, rng: random.Random) -> bool:
    """Whether one input shows a fault (planted before)."""
    with tempfile.TemporaryDirectory() as folder:
        make, _ = KINDS[fault.kind]
        return any(worker.faults_of(run) for run in make(rng, Path(folder)))


def by_chance(seed: int, kind: str) -> Iterator[random.Random]:
    for number in range(PATIENCE):
        yield random.Random(f"{seed} {kind} {number}")


if __name__ == "__main__":
    seeds = int(sys.argv[1]) if len(sys.argv) > 1 else 3
    worker.SECONDS = 3
    for name, fault in FAULTS.items():
        took = [found_after(fault, by_chance(s, fault.kind)) for s in range(seeds)]
        print(f"{name}: {took}", flush=True)
