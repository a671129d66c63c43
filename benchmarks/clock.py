"""Timing two pieces of work side by side, in turn, so that a ratio holds when the machine drifts."""

from __future__ import annotations

import gc
import statistics
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass


@dataclass(frozen=True)
class Ratio:
    """How many times longer ``what`` took than ``against``, over several pairs of runs.

    ``aim`` is what the project asks of the median, None where it only wants to know.
    """

    what: str
    against: str
    pairs: tuple[tuple[float, float], ...]
    aim: float | None = None
    at_least: bool = False

    @property
    def median(self) -> float:
        return statistics.median(mine / other for mine, other in self.pairs)

    def row(self) -> str:
        mine = statistics.median(a for a, _ in self.pairs)
        other = statistics.median(b for _, b in self.pairs)
        low, high = min(a / b for a, b in self.pairs), max(a / b for a, b in self.pairs)
        says = f"{self.what:<52} {mine * 1e3:>9.1f} ms {other * 1e3:>9.1f} ms"
        says += f" {self.median:>7.2f} ({low:.2f} to {high:.2f})"
        if self.aim is None:
            return says
        met = self.median >= self.aim if self.at_least else self.median <= self.aim
        return f"{says}   aim {'≥' if self.at_least else '≤'} {self.aim:g}: {'met' if met else 'NOT MET'}"


def seconds(work: Callable[[], object], clock: Callable[[], float] = time.perf_counter) -> float:
    """How long ``work`` takes, garbage of earlier work collected first.

    ``clock``: ``time.process_time`` counts this process alone, however busy the machine is.
    """
    gc.collect()
    begun = clock()
    work()
    return clock() - begun


def ratio(
    what: str,
    mine: Callable[[], object],
    against: str,
    other: Callable[[], object],
    *,
    runs: int = 5,
    aim: float | None = None,
    weigh: float = 1,
    clock: Callable[[], float] = time.perf_counter,
) -> Ratio:
    """Run ``mine`` and ``other`` in turn, ``runs`` times after one warm-up of both.

    ``weigh``: by what to multiply the time of ``mine``, where it does more or less of the same.
    """
    mine(), other()
    pairs = tuple((weigh * seconds(mine, clock), seconds(other, clock)) for _ in range(runs))
    return Ratio(what, against, pairs, aim)


def show(title: str, rows: Iterable[Ratio]) -> None:
    """Print a section: one line a ratio."""
    print(f"\n{title}")
    for row in rows:
        print("  " + row.row())
        print(f"      against {row.against}")
