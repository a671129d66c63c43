"""The search for the chart that explains the moves of one class of units best.

One number is changed at a time, from several beginnings; then all together, then pairs. Every chart that is
nearly as good as the best one is kept, so that what is said of a number holds for all of them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import combinations, pairwise, product
from random import Random
from typing import NamedTuple

from .fit import GRID, Fit
from .ground import NONE, SCALE, Number

SWEEPS = 8
"""At most so many times every number is tried anew from one beginning."""
STARTS = 3
"""So many charts to begin with."""
MODES, WITHIN = 5, 12.0
"""At most so many best charts are kept, if they are not further behind the best one than this."""


class Fitted(NamedTuple):
    """A chart and its score; the greater, the better."""

    chart: dict[Number, int]
    score: float


def best_charts(fit: Fit) -> list[Fitted]:
    """The best charts, the best one first."""
    found = []
    for number in range(STARTS):
        random = Random(number)  # noqa: S311
        begin = _start(fit, number, random)
        fit.settle_eagerness(begin)
        found.append(ascend(fit, begin, random if number else None))
    best = max(found, key=lambda one: one.score)
    fit.settle_eagerness(best.chart)
    found = [ascend(fit, one.chart) for one in found]
    best = max(found, key=lambda one: one.score)
    for factor in (0.5, 2 / 3, 4 / 3, 1.5, 2):
        found.append(ascend(fit, _rescaled(fit, best.chart, factor)))
        best = max(found, key=lambda one: one.score)
    better = True
    while better:
        better = False
        for chart in _pair_moves(fit, best.chart):
            if fit.score(chart) > best.score + 1e-9:
                best, better = ascend(fit, chart), True
                found.append(best)
                break
    ranked = sorted(found, key=lambda one: -one.score)
    unlike = {tuple(one.chart[n] for n in fit.wanted): one for one in reversed(ranked)}
    kept = sorted(unlike.values(), key=lambda one: -one.score)
    return [one for one in kept if one.score >= kept[0].score - WITHIN][:MODES]


def ascend(fit: Fit, chart: Mapping[Number, int], random: Random | None = None) -> Fitted:
    """The best chart that is reached by changing one number at a time."""
    now = dict(chart)
    fit.hold(now)
    score = fit.score(now)
    order = list(fit.wanted)
    for _ in range(SWEEPS):
        before = score
        if random is not None:
            random.shuffle(order)
        for number in order:
            for value in GRID[number.table]:
                tried = {**now, number: value}
                if value != now[number] and fit.score(tried) > score + 1e-9:
                    now, score = tried, fit.score(tried)
                    fit.hold(now)
        if score <= before + 1e-9:
            break
    return Fitted(now, score)


def _start(fit: Fit, number: int, random: Random) -> dict[Number, int]:
    """The chart of the ``number``-th beginning: all cheap, all of middle cost, or drawn."""
    chart = dict(fit.known)
    for one in fit.wanted:
        grid = GRID[one.table]
        cheap = {"terrain": SCALE, "hexsides": 0, "roads": NONE}[one.table]
        middle = {"terrain": 2 * SCALE, "hexsides": 0, "roads": SCALE}[one.table]
        chart[one] = (cheap, middle)[number] if number < 2 else random.choice(grid)
    return chart


def _rescaled(fit: Fit, chart: Mapping[Number, int], factor: float) -> dict[Number, int]:
    found = dict(chart)
    for number in fit.wanted:
        if number.table != "hexsides" and chart[number] > 0:
            costs = [value for value in GRID[number.table] if value > 0]
            found[number] = min(costs, key=lambda v, n=number: abs(v - chart[n] * factor))  # type: ignore[misc]
    return found


def _pair_moves(fit: Fit, chart: Mapping[Number, int]) -> Iterator[dict[Number, int]]:
    for one, other in combinations(fit.wanted, 2):
        both = product(next_values(one, chart[one]), next_values(other, chart[other]))
        yield from ({**chart, one: a, other: b} for a, b in both)


def next_values(number: Number, value: int) -> tuple[int, ...]:
    """The values of the grid next to one of a number."""
    grid = GRID[number.table]
    return tuple(b for a, b in (*pairwise(grid), *pairwise(reversed(grid))) if a == value)
