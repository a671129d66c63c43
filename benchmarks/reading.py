"""Reading and replaying real logs, against unwrapping them, and against pywargame's dump."""

from __future__ import annotations

import os
import shutil
import statistics
import subprocess
import sys
import tracemalloc
from pathlib import Path

import bare
from clock import Ratio, ratio, seconds, show
from vassal_umpire.importers.vassal.replay import replay_log
from vassal_umpire.importers.vassal.savefile import read_save

PROJECT = Path(__file__).resolve().parent.parent


def corpus() -> Path | None:
    named = os.environ.get("UMPIRE_CORPUS")
    folder = Path(named) if named else PROJECT.parent / "shared" / "corpus"
    return folder if folder.is_dir() else None


def replay_all(files: list[Path]) -> None:
    """Read each file and replay it to its end; names and properties are looked up when asked for."""
    for file in files:
        assert replay_log(read_save(file)).steps


def unwrap_all(files: list[Path]) -> None:
    for file in files:
        bare.split_save(file)


def against_unwrapping(files: list[Path], what: str) -> Ratio:
    return ratio(
        f"read and replay {what}",
        lambda: replay_all(files),
        "unzip, de-obfuscate, split on ESC",
        lambda: unwrap_all(files),
        aim=12,
    )


def vsavdump() -> str | None:
    """pywargame's program, if it is on this machine (it needs Python 3.12)."""
    return os.environ.get("UMPIRE_VSAVDUMP") or shutil.which("vsavdump.py")


def against_pywargame(files: list[Path], what: str, program: str) -> Ratio:
    """Whole processes on both sides: theirs takes one file a run, ours reads and replays them all."""
    ours = "import sys; from reading import *; replay_all([Path(p) for p in sys.argv[1:]])"

    def dump() -> None:
        for file in files:
            subprocess.run([program, str(file)], stdout=subprocess.DEVNULL, check=True)

    def replay() -> None:
        command = [sys.executable, "-c", ours, *map(str, files)]
        subprocess.run(command, cwd=Path(__file__).parent, check=True)

    pairs = tuple((seconds(dump), seconds(replay)) for _ in range(3))
    return Ratio(f"pywargame dumps {what}", "ours reads and replays", pairs, 5, at_least=True)


def peak_memory(file: Path) -> float:
    """Most bytes held at once while reading and replaying, for each byte of decoded text."""
    size = sum(len(part) + 1 for part in bare.split_save(file))
    tracemalloc.start()
    replay_all([file])
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return peak / size


def main() -> None:
    folder = corpus()
    if folder is None:
        print("\nreading: left out, the corpus of real files is not here (set UMPIRE_CORPUS)")
        return
    tld = sorted((folder / "tld" / "game").glob("*.log"))
    napoleonics = sorted((folder / "ccn").glob("*.vlog"))
    show(
        "reading and replaying real logs",
        [
            against_unwrapping(tld, "the 17 logs of The Longest Day"),
            against_unwrapping(napoleonics, "the Commands & Colors log"),
        ],
    )
    program = vsavdump()
    if program is None:
        print("  against pywargame: left out, vsavdump.py is not on the PATH")
    else:
        show(
            "against pywargame",
            [
                against_pywargame(tld, "the 17 logs of The Longest Day", program),
                against_pywargame(napoleonics, "the Commands & Colors log", program),
            ],
        )
    print("\npeak memory while reading and replaying, bytes for each byte of text")
    for file in (*tld[:1], *napoleonics):
        print(f"  {file.name:<52} {peak_memory(file):>7.2f}")
    largest = statistics.mean(file.stat().st_size for file in tld)
    print(f"  (the logs of The Longest Day have {largest / 1024:.0f} KiB each as files)")


if __name__ == "__main__":
    main()
