"""How the cost of a step grows with the number of pieces on the table: it should not."""

from __future__ import annotations

import statistics
import tempfile
from pathlib import Path

from clock import seconds
from vassal_umpire.importers.vassal.replay import replay_log
from vassal_umpire.importers.vassal.savefile import read_save
from vassal_umpire.importers.vassal.sequence import join

ESC = "\x1b"
STEPS = 2_000


def piece(number: int) -> str:
    x, y = 50 * (number % 200), 50 * (number // 200)
    return join(["+", str(number), "piece;;;a.png;unit", f"Main;{x};{y};;0"], "/")


def step(number: int, pieces: int) -> str:
    """One piece goes 50,000 pixels further down, where nothing lies."""
    who = number % pieces
    x, y = 50 * (who % 200), 50 * (who // 200)
    shift = 50_000 * (number // pieces)
    old, new = y + shift, y + shift + 50_000
    move = join(
        ["M", str(who), "Main", str(x), str(new), "null", "Main", str(x), str(old), "null"], "/"
    )
    return "LOG\t" + move


def log_text(pieces: int, steps: int) -> str:
    opening = ["begin_save", *map(piece, range(pieces)), "end_save"]
    return join([*opening, *(step(n, pieces) for n in range(steps))], ESC)


def per_step(pieces: int) -> float:
    """Seconds a step, beyond what the opening costs."""
    with tempfile.TemporaryDirectory() as folder:
        short, whole = Path(folder) / "short.vlog", Path(folder) / "whole.vlog"
        short.write_text(log_text(pieces, 1), "utf-8", newline="")
        whole.write_text(log_text(pieces, STEPS), "utf-8", newline="")
        times = []
        for _ in range(5):
            opened = seconds(lambda: replay_log(read_save(short)))
            times.append(seconds(lambda: replay_log(read_save(whole))) - opened)
    return statistics.median(times) / (STEPS - 1)


def main() -> None:
    print("\ncost of a replayed step by the number of pieces (flat: independent of it)")
    base = per_step(250)
    for pieces in (250, 1_000, 4_000, 16_000):
        cost = base if pieces == 250 else per_step(pieces)
        print(
            f"  {pieces:>6} pieces {cost * 1e6:>9.1f} µs a step {cost / base:>7.2f} times that of 250"
        )


if __name__ == "__main__":
    main()
