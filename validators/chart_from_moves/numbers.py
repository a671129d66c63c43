"""The result for each number that a chart lacks (pinned, between two values, or not known), and the search
for the chart that best explains the moves of one class of units.

The search changes one number at a time, from several starts; then all together, then pairs. It keeps every
chart that is nearly as good as the best one, so that a result holds for all of them.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, pairwise, product
from random import Random
from typing import NamedTuple

from .fit import GRID, Fit, Trip
from .ground import NONE, PROHIBITED, SCALE, Number

SWEEPS = 8
"""The most times that every number is tried again from one start."""
STARTS = 3
"""The number of charts to start from."""
MODES, WITHIN = 5, 12.0
"""The most charts that are kept, and how far their scores may be below the best."""


class Fitted(NamedTuple):
    """A chart and its score; greater is better."""

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
    """The best chart that can be reached by changing one number at a time."""
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
    """The chart of start ``number``: 0 all cheap, 1 all of middle cost, else random."""
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
    """The values next to ``value`` in a number's grid."""
    grid = GRID[number.table]
    return tuple(b for a, b in (*pairwise(grid), *pairwise(reversed(grid))) if a == value)


SURE = 0.99
"""The confidence from which a value is pinned; the values of an interval have it together."""
LEAST_MOVES, LEAST_PHASES = 3, 2
"""Hard evidence: how many moves in how many phases must be impossible at the next dearer value."""
LEAST_MISSED = 5.0
"""Soft evidence: how many visits must be expected, and not made, at the next cheaper value."""
ENOUGH = 300
"""The fewest different moves of a class for soft evidence; with fewer, no number is pinned."""
CONTRADICTED = 0.05
"""No number is pinned if more than this share of the moves of a class contradict the best chart."""
MORE_AT_CHEAPER = 3
"""A number is not pinned if a cheaper value makes this many more moves possible."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """Evidence against ``value``, which is cheaper or dearer than the best one.

    ``moves``, ``phases``: hard, for a dearer value: how many moves would be impossible, in how many phases.
    ``missed``: soft, for a cheaper value: the expected number of visits to hexes where nobody went.
    """

    value: int
    moves: int = 0
    phases: int = 0
    missed: float = 0.0

    @property
    def is_enough(self) -> bool:
        """Whether the evidence rules the value out."""
        hard = self.moves >= LEAST_MOVES and self.phases >= LEAST_PHASES
        return hard or self.missed >= LEAST_MISSED


@dataclass(frozen=True, slots=True)
class Finding:
    """The result for one number and class.

    ``low``, ``high``: the bounds of the number, in 1/:data:`.ground.SCALE` MP; equal if it is pinned; None if
    there is no evidence (no move needs the row). ``dearer``, ``cheaper``: the evidence against the values
    beyond them; None: there is no such value, or no evidence against it. ``withheld``: why a number that
    would be pinned is not; empty: nothing prevents it.
    """

    number: Number
    low: int | None
    high: int | None
    dearer: Evidence | None = None
    cheaper: Evidence | None = None
    withheld: str = ""

    @property
    def is_pinned(self) -> bool:
        """Whether only one value is possible."""
        return self.low is not None and self.low == self.high and not self.withheld


@dataclass(frozen=True, slots=True)
class Unexplained:
    """A move that the best chart does not explain. ``over``: MPs beyond the allowance by its cheapest path;
    None: there is no path."""

    trip: Trip
    over: Fraction | None


@dataclass(frozen=True, slots=True)
class ClassFindings:
    """The results for one class. ``moves``: the number of different moves, in ``phases`` phases."""

    cls: str
    moves: int
    phases: int
    findings: tuple[Finding, ...]
    unexplained: tuple[Unexplained, ...]


def findings_of(cls: str, fit: Fit, withheld: str = "") -> ClassFindings:
    """The results for the wanted numbers of a fit. ``withheld``: why no number may be pinned; empty: they
    may."""
    modes = best_charts(fit)
    best = modes[0]
    fit.hold(best.chart)
    possible = fit.possible(best.chart)
    lost = [n for n in range(len(fit.unique)) if n not in possible]
    if not withheld and len(fit.unique) < ENOUGH:
        withheld = f"fewer than {ENOUGH} different moves"
    if not withheld and len(lost) > CONTRADICTED * len(fit.unique):
        withheld = f"{len(lost)} of {len(fit.unique)} moves of this class do not fit any chart"
    likely = {number: _likely(fit, number, modes) for number in fit.wanted}
    fit.hold(best.chart)
    findings = tuple(
        _finding(fit, best, number, likely[number], possible, withheld) for number in fit.wanted
    )
    return ClassFindings(
        cls,
        len(fit.unique),
        len({trip.phase for trip in fit.unique}),
        findings,
        tuple(_unexplained(fit, best, lost)),
    )


def _likely(fit: Fit, number: Number, modes: Sequence[Fitted]) -> set[int]:
    """The likeliest values of a number that together have the confidence :data:`SURE`. The score of a value
    is that with the chart of ``modes`` that suits it best."""
    scores: dict[int, float] = {}
    for mode in modes:
        fit.hold(mode.chart)
        for value in GRID[number.table]:
            score = fit.score({**mode.chart, number: value})
            scores[value] = max(score, scores.get(value, -math.inf))
    most = max(scores.values())
    shares = {value: math.exp(max(-700.0, score - most)) for value, score in scores.items()}
    whole, found, held = sum(shares.values()), set[int](), 0.0
    for value in sorted(shares, key=lambda v: -shares[v]):
        found.add(value)
        held += shares[value] / whole
        if held >= SURE:
            break
    return found


def _finding(
    fit: Fit,
    best: Fitted,
    number: Number,
    likely: set[int],
    possible: frozenset[int],
    withheld: str,
) -> Finding:
    grid = GRID[number.table]
    at = grid.index(best.chart[number])
    needed = possible - fit.possible({**best.chart, number: grid[-1]})
    if not needed or grid[at] in (PROHIBITED, NONE):
        return Finding(number, None, None)
    high, dearer = at, None
    for place in range(at + 1, len(grid)):
        dearer = _hard(fit, best, number, grid[place], possible)
        if dearer.is_enough and not any(value in likely for value in grid[place:]):
            break
        high, dearer = place, None
    low, cheaper = at, None
    for place in range(at - 1, -1, -1):
        if len(fit.unique) < ENOUGH:
            low = 0
            break
        missed = fit.missed(best.chart, {**best.chart, number: grid[place]})
        cheaper = Evidence(grid[place], missed=missed)
        if cheaper.is_enough and not any(value in likely for value in grid[: place + 1]):
            break
        low, cheaper = place, None
    if low == high:
        withheld = withheld or _better_cheaper(fit, best, number, possible)
    return Finding(number, grid[low], grid[high], dearer, cheaper, withheld)


def _better_cheaper(fit: Fit, best: Fitted, number: Number, possible: frozenset[int]) -> str:
    """A text about a cheaper value that would make more moves possible; empty if there is none."""
    grid = GRID[number.table]
    for value in grid[: grid.index(best.chart[number])]:
        more = fit.possible({**best.chart, number: value}) - possible
        if len(more) >= MORE_AT_CHEAPER:
            return f"{len(more)} more moves would be possible at {text_of(value)}"
    return ""


def _hard(fit: Fit, best: Fitted, number: Number, value: int, possible: frozenset[int]) -> Evidence:
    lost = possible - fit.possible({**best.chart, number: value})
    return Evidence(value, len(lost), len({fit.unique[trip].phase for trip in lost}))


def _unexplained(fit: Fit, best: Fitted, lost: Sequence[int]) -> list[Unexplained]:
    """The impossible trips, those without a path first, then by MPs beyond the allowance, the most first."""
    costs = fit.ground.costs(best.chart)
    found = []
    for number in lost:
        trip = fit.unique[number]
        cost = fit.ground.reach(trip.origin, 3 * trip.allowance, costs).costs.get(trip.target)
        over = None if cost is None else Fraction(cost - trip.allowance, SCALE)
        found.append(Unexplained(trip, over))
    return sorted(found, key=lambda one: -math.inf if one.over is None else -float(one.over))


def text_of(value: int) -> str:
    """A value of the grid, as text."""
    if value in _WORDS:
        return _WORDS[value]
    return str(Fraction(value, SCALE))


_WORDS: Mapping[int, str] = {PROHIBITED: "prohibited", NONE: "no help"}
