"""How long it takes from a module to the first suggested board: The Longest Day, 7,482 hexes.

    python benchmarks/first_board.py

The module and its log belong to others; where they are not on this machine, it says so. The examples
(``longest_day_shown.csv``) are there to be timed, not to be judged.
"""

from __future__ import annotations

import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from boards import PROJECT, folder

AIM = 30.0


def main() -> None:
    """Begin a pack, suggest its board, and tell the time of both together."""
    boards = folder()
    game = None if boards is None else boards.parent / "tld"
    module = None if game is None else game / "TheLongestDay-3.0b6.vmod"
    if game is None or module is None or not module.is_file():
        raise SystemExit("skipped: The Longest Day is not on this machine (set UMPIRE_CORPUS)")
    log = sorted((game / "game").glob("*.log"))[0]
    with tempfile.TemporaryDirectory() as made:
        pack = Path(made) / "pack"
        umpire = (sys.executable, "-m", "vassal_umpire", "pack")
        shown = PROJECT / "benchmarks" / "longest_day_shown.csv"
        runs = (
            (*umpire, "new", str(module), str(log), "-o", str(pack)),
            (*umpire, "suggest", str(pack), str(log), "--module", str(module), "--examples", str(shown),
             "--unsure"),
        )  # fmt: skip
        for name, run in zip(("pack new", "pack suggest"), runs, strict=True):
            start, before = time.perf_counter(), resource.getrusage(resource.RUSAGE_CHILDREN)
            subprocess.run(run, check=True, capture_output=True)
            after = resource.getrusage(resource.RUSAGE_CHILDREN)
            own = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
            wall = time.perf_counter() - start
            print(
                f"{name}: {wall:.1f} s by the wall, {own:.1f} s of processors (aim, both: {AIM:.0f} s)"
            )


if __name__ == "__main__":
    main()
