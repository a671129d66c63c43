"""What the last log of a real game costs when it is added to a game that holds the others.

    python benchmarks/desk.py MODULE PACK FACTS LOG…

Told in seconds of processor: reading the last log alone, reading all of them, auditing the game (the pack's
facts bound to what was read, and every move judged), and ``umpire game add`` of the last log as a whole.
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
from vassal_umpire.plugin.auditing import audit_game, open_game
from vassal_umpire.plugin.cli import main as umpire
from vassal_umpire.plugin.reading import Named, read_history


def main(module: str, pack: str, facts: str, *logs: str) -> None:
    """Measure and print."""
    paths = tuple(map(Path, logs))
    opened = open_module(Path(module), limits=DEFAULT_LIMITS, find_extensions=True)
    named = Named(paths, Path(module), Path(pack), Path(facts))
    tell("the last log read", lambda: read_history(Named(paths[-1:]), opened, DEFAULT_LIMITS))
    tell(f"all {len(paths)} logs read", lambda: read_history(Named(paths), opened, DEFAULT_LIMITS))
    game = open_game(named, EVERYONE, DEFAULT_LIMITS)
    tell("every move judged", lambda: audit_game(game, None))
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place) / "game"
        begun = ["game", "new", str(folder), "--module", module, "--pack", pack, "--facts", facts]
        run(begun)
        run(["game", "add", str(folder), *logs[:-1]])
        tell("the last log added", lambda: run(["game", "add", str(folder), logs[-1]]))


def run(arguments: list[str]) -> None:
    result = CliRunner().invoke(umpire, arguments)
    assert result.exit_code == 0, result.output


def tell(what: str, work: Callable[[], object]) -> None:
    begun = time.process_time()
    work()
    print(f"{what:<24} {time.process_time() - begun:6.1f} s")


if __name__ == "__main__":
    main(*sys.argv[1:])
