"""What the last log of a real game costs when it is added to a game that holds the others.

    python benchmarks/desk.py MODULE PACK FACTS LOG…

Told in seconds of processor: reading the last log alone; reading all of them; reading the game by its pack,
all logs with it; judging every move, as adding does and with suspicions, as a report does; and the whole
process of ``umpire game add`` of the last log, also as a multiple of what cannot be spared, which is reading
the last log and judging.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from vassal_umpire.importers.vassal.buildfile import open_module
from vassal_umpire.importers.vassal.limits import DEFAULT_LIMITS
from vassal_umpire.model.viewer import EVERYONE
from vassal_umpire.plugin.auditing import Opened, audit_game, open_game
from vassal_umpire.plugin.reading import Named, read_history


def main(module: str, pack: str, facts: str, *logs: str) -> None:
    """Measure and print."""
    paths = tuple(map(Path, logs))
    opened = open_module(Path(module), limits=DEFAULT_LIMITS, find_extensions=True)
    named = Named(paths, Path(module), Path(pack), Path(facts))
    last = tell(
        "the last log read", lambda: read_history(Named(paths[-1:]), opened, DEFAULT_LIMITS)
    )
    tell(f"all {len(paths)} logs read", lambda: read_history(Named(paths), opened, DEFAULT_LIMITS))
    games: list[Opened] = []

    def read() -> None:
        games.append(open_game(named, EVERYONE, DEFAULT_LIMITS))

    tell("read by the pack", read)
    judged = tell("judged", lambda: audit_game(games.pop(), None, suspicions=False))
    read()
    suspected = tell("judged, with suspicions", lambda: audit_game(games.pop(), None))
    with tempfile.TemporaryDirectory() as place:
        folder = str(Path(place) / "game")
        umpire("game", "new", folder, "--module", module, "--pack", pack, "--facts", facts)
        umpire("game", "add", folder, *logs[:-1])
        before = children()
        umpire("game", "add", folder, logs[-1])
        added = children() - before
    print(f"{'the last log added':<24} {added:6.1f} s")
    print(f"{added / (last + judged):.2f} times the reading of the last log and the judging")
    print(f"{added / (last + suspected):.2f} times the same with suspicions")


def umpire(*arguments: str) -> None:
    """Run the command in a process of its own, which remembers nothing; where Python may not keep what it has
    compiled (PYTHONDONTWRITEBYTECODE), that is compiled anew each time."""
    subprocess.run(
        [sys.executable, "-m", "vassal_umpire", *arguments], check=True, stdout=subprocess.DEVNULL
    )


def children() -> float:
    """The seconds of processor of all processes that were run so far."""
    spent = os.times()
    return spent.children_user + spent.children_system


def tell(what: str, work: Callable[[], object]) -> float:
    """Do some work and tell how long it took, in seconds of processor."""
    begun = time.process_time()
    work()
    taken = time.process_time() - begun
    print(f"{what:<24} {taken:6.1f} s", flush=True)
    return taken


if __name__ == "__main__":
    main(*sys.argv[1:])
