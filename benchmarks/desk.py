"""What the last log of a real game costs when it is added to a game that holds the others.

    python benchmarks/desk.py MODULE PACK FACTS LOG…

Each command runs in a process of its own: seconds of processor and most memory. Then what cannot be spared:
reading, binding and judging the last log alone, and reading all of them. One in fifty of the values that a
command takes from the store is made again and compared, so a run may take some seconds longer.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from vassal_umpire.importers.vassal.buildfile import open_module
from vassal_umpire.importers.vassal.limits import DEFAULT_LIMITS
from vassal_umpire.model.viewer import DIRECTOR
from vassal_umpire.plugin.auditing import audit_game, open_evidence, read_evidence
from vassal_umpire.plugin.reading import Named, read_history

Made = TypeVar("Made")
MEGABYTE = 1024 * (1024 if sys.platform == "darwin" else 1)  # in units of ru_maxrss


def main(module: str, pack: str, facts: str, *logs: str) -> None:
    """Measure and print."""
    with tempfile.TemporaryDirectory() as place:
        first, game = str(Path(place) / "first"), str(Path(place) / "game")
        mail = ("-o", str(Path(place) / "mail.zip"), "--force")
        for folder in (first, game):
            umpire("new", folder, "--module", module, "--pack", pack, "--facts", facts)
        whole = umpire("add", first, *logs)
        umpire("add", game, *logs[:-1])
        umpire("report", game)
        umpire("mail", game, *mail)
        print("\nthe last log:")
        added = umpire("add", game, logs[-1])
        umpire("report", game)
        umpire("report", game)
        umpire("mail", game, *mail)
        umpire("mail", game, *mail)
        umpire("status", game)
    print()
    alone = Named((Path(logs[-1]),), Path(module), Path(pack), Path(facts))
    read, evidence = timed("the last log read", lambda: read_evidence(alone, DEFAULT_LIMITS))
    bound, opened = timed("bound", lambda: open_evidence(evidence, alone, DIRECTOR, DEFAULT_LIMITS))
    judged, _ = timed("judged", lambda: audit_game(opened, None, suspicions=False))
    every = Named(tuple(map(Path, logs)))
    its_module = open_module(Path(module), limits=DEFAULT_LIMITS, find_extensions=True)
    all_read, _ = timed("all read", lambda: read_history(every, its_module, DEFAULT_LIMITS))
    print(f"adding the last: {added / (read + bound + judged):.1f} times the last log alone")
    print(f"adding all: {whole / all_read:.1f} times reading all")


def umpire(command: str, *words: str) -> float:
    """Run a command of ``umpire game``, print what it took, and return its seconds of processor."""
    words = (sys.executable, "-m", "vassal_umpire", "game", command, *words)
    process = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, spent = os.wait4(process.pid, 0)
    if os.waitstatus_to_exitcode(status) not in (0, 3):  # 3: not one move could be decided
        raise SystemExit(f"umpire game {command} failed")
    seconds = spent.ru_utime + spent.ru_stime
    print(f"game {command:<19} {seconds:6.1f} s {spent.ru_maxrss / MEGABYTE:6.0f} MB", flush=True)
    return seconds


def timed(what: str, work: Callable[[], Made]) -> tuple[float, Made]:
    """Seconds of processor that ``work`` took, which are printed, and its result."""
    begun = time.process_time()
    made = work()
    taken = time.process_time() - begun
    print(f"{what:<24} {taken:6.1f} s", flush=True)
    return taken, made


if __name__ == "__main__":
    main(*sys.argv[1:])
