"""What the last log of a real game costs when it is added to a game that holds the others.

    python benchmarks/desk.py MODULE PACK FACTS LOG…

Told in seconds of processor: reading the last log alone; reading all of them; reading the game by its pack,
all logs with it; judging every move; and ``umpire game add`` of the last log, also as a multiple of
what cannot be spared, which is reading the last log and judging.
"""

from __future__ import annotations

import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from click.testing import CliRunner
from vassal_umpire.importers.vassal.buildfile import open_module
from vassal_umpire.importers.vassal.limits import DEFAULT_LIMITS
from vassal_umpire.model.viewer import EVERYONE
from vassal_umpire.plugin.auditing import Opened, audit_game, open_game
from vassal_umpire.plugin.cli import main as umpire
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
    opened_games: list[Opened] = []
    tell(
        "read by the pack", lambda: opened_games.append(open_game(named, EVERYONE, DEFAULT_LIMITS))
    )
    judged = tell("every move judged", lambda: audit_game(opened_games.pop(), None))
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place) / "game"
        begun = ["game", "new", str(folder), "--module", module, "--pack", pack, "--facts", facts]
        run(begun)
        run(["game", "add", str(folder), *logs[:-1]])
        added = tell("the last log added", lambda: run(["game", "add", str(folder), logs[-1]]))
    print(f"{added / (last + judged):.2f} times the reading of the last log and the judging")


def run(arguments: list[str]) -> None:
    result = CliRunner().invoke(umpire, arguments)
    assert result.exit_code == 0, result.output


def tell(what: str, work: Callable[[], object]) -> float:
    """Do some work and tell how long it took, in seconds of processor."""
    begun = time.process_time()
    work()
    taken = time.process_time() - begun
    print(f"{what:<24} {taken:6.1f} s", flush=True)
    return taken


if __name__ == "__main__":
    main(*sys.argv[1:])
