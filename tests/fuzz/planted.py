"""Faults put into the program on purpose, each where only odd input comes by, and how soon they are found.

    python tests/fuzz/planted.py random|hypothesis [SEEDS]

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
    """``wrapped(old)`` stands in place of the function ``name`` of a module; files of ``kind`` show it."""

    kind: str
    name: str
    module: str
    wrapped: Callable[[Any], Any]

    @contextmanager
    def planted(self) -> Iterator[None]:
        module = import_module(f"vassal_umpire.{self.module}")
        with patch.object(module, self.name, self.wrapped(getattr(module, self.name))):
            yield


def _fails_on(odd: Callable[..., bool], error: Exception) -> Callable[[Any], Any]:
    """An error where the arguments are odd."""

    def wrapped(old: Any) -> Any:
        def new(*arguments: Any, **named: Any) -> Any:
            if odd(*arguments):
                raise error
            return old(*arguments, **named)

        return new

    return wrapped


def _fails_after(odd: Callable[[Any], bool], error: Exception) -> Callable[[Any], Any]:
    """An error where the result is odd."""

    def wrapped(old: Any) -> Any:
        def new(*arguments: Any, **named: Any) -> Any:
            result = old(*arguments, **named)
            if odd(result):
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


FAULTS = {
    "a list of boards cut short": Fault(
        "log",
        "_decode_boards",
        "importers.vassal.commands.codec",
        _fails_on(lambda text, name, body: (body or "").count("\t") % 3 != 2, IndexError()),
    ),
    "an undo without an end": Fault(
        "log",
        "_open_undos",
        "importers.vassal.savefile",
        _fails_after(lambda problems: len(problems) > 1, IndexError()),
    ),
    "a player's id beside a problem": Fault("log", "log_told", "plugin.commands.show", _tells_ids),
    "the second of two equal steps": Fault(
        "log", "insert_steps", "plugin.vassal.annotation", _loses_steps
    ),
    "a grid of no width": Fault(
        "module",
        "_hex_grid",
        "importers.vassal.buildfile_grids",
        _fails_on(lambda c, p: c.attributes.get("dx", "1").strip("0.") == "", ZeroDivisionError()),
    ),
    "a spreadsheet in UTF-16": Fault(
        "pack",
        "read_bytes",
        "importers.pack.files",
        _fails_after(lambda data: data[:2] == b"\xff\xfe", ValueError()),
    ),
    "a fact that is no word": Fault(
        "facts",
        "fact_of",
        "importers.pack.facts_file",
        _fails_on(
            lambda plain, source: not re.fullmatch("[ -~]*[a-z0-9]", str(plain)), IndexError()
        ),
    ),
    "two units of one name": Fault(
        "analysis",
        "game_of",
        "importers.analysis.document",
        _fails_after(lambda g: len({u.name for u in g.units.values()}) < len(g.units), KeyError()),
    ),
    "memory for every level": Fault("analysis", "game_of", "importers.analysis.document", _hoards),
    "an amount below nothing": Fault(
        "report",
        "_amount",
        "plugin.vassal.extension",
        _fails_on(lambda amount: str(amount["lo"]).startswith("-"), ValueError()),
    ),
    "a case without units": Fault(
        "cases",
        "read_cases",
        "plugin.commands.check_cases",
        _fails_after(lambda cases: any(not c.game.units for c in cases), KeyError()),
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
        runs = KINDS[fault.kind].make(rng, Path(folder))
        return any(worker.run_command(run)[2] for run in runs)


def by_chance(seed: int, kind: str) -> Iterator[random.Random]:
    for number in range(PATIENCE):
        yield random.Random(f"{seed} {kind} {number}")


def with_hypothesis(fault: Fault, seed: int) -> int | None:
    """As :func:`found_after`, where hypothesis makes the choices."""
    import hypothesis as h
    from hypothesis import strategies as st

    tried = 0

    class Found(Exception):
        pass

    @h.seed(seed)
    @h.settings(
        max_examples=PATIENCE,
        database=None,
        deadline=None,
        phases=[h.Phase.generate, h.Phase.target],
        suppress_health_check=list(h.HealthCheck),
    )
    @h.given(st.randoms(use_true_random=False))
    def attempt(rng: random.Random) -> None:
        nonlocal tried
        tried += 1
        if shows(fault, rng):
            raise Found

    with fault.planted():
        try:
            attempt()
        except Found:
            return tried
    return None


if __name__ == "__main__":
    driver, seeds = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 3
    worker.SECONDS = 3
    for name, fault in FAULTS.items():
        if driver == "random":
            took = [found_after(fault, by_chance(s, fault.kind)) for s in range(seeds)]
        else:
            took = [with_hypothesis(fault, s) for s in range(seeds)]
        print(f"{name}: {took}", flush=True)
