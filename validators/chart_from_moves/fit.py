"""How well a chart explains the moves of one class of units.

The target of a move is modelled as a random draw among the hexes within the allowance, with a fitted
preference for far ones; a few moves follow no chart. A chart that is too dear makes moves impossible; by one
that is too cheap, units stop short of what they could reach. So both bounds come from the moves alone.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from .ground import NONE, PROHIBITED, SCALE, Chart, Ground, Number, Reach

STRAY = 0.03
"""The share of moves that follow no chart: other forms of movement, mistakes, errors of the board."""
EAGERNESS = (-8.0, -4.0, -2.0, -1.0, 0.0, 1.0, 2.0, 4.0)
"""The values tried for the log of how much likelier a unit spends its whole allowance than nothing. Below 0,
units prefer short moves, and hexes that nobody entered are weak evidence."""
TEMPER = 0.5
"""The weight of a move: moves of one phase are not independent of each other."""
DEARNESS = 0.15
"""The penalty in the score for one step of the grid: of charts that explain the moves equally well, the
cheapest is best."""
GRID: Mapping[str, tuple[int, ...]] = {
    "terrain": (*(SCALE * mp for mp in range(1, 9)), PROHIBITED),
    "hexsides": (*(SCALE * mp for mp in range(7)), PROHIBITED),
    "roads": (SCALE // 4, SCALE // 3, SCALE // 2, SCALE, SCALE * 2, SCALE * 3, NONE),
}
"""The values that are tried, the cheapest first."""


class Trip(NamedTuple):
    """A move, reduced to the data that a chart explains. ``phase``: a number for each phase. ``origin``,
    ``target``: numbers of hexes. ``allowance``: in 1/:data:`.ground.SCALE` MP. ``label``: its name in
    reports."""

    phase: int
    origin: int
    target: int
    allowance: int
    label: str = ""


@dataclass
class Fit:
    """Scores charts by the moves of one class. ``known``: the typed numbers; ``wanted``: the numbers to find.
    Equal trips count once. ``said``: called for each chart that is tried. ``eagerness``: allowance → one of
    :data:`EAGERNESS`."""

    ground: Ground
    trips: Sequence[Trip]
    known: Chart
    wanted: Sequence[Number]
    said: Callable[[], None] = lambda: None
    eagerness: dict[int, float] = field(default_factory=dict)

    def __post_init__(self) -> None:
        alike = {(t.phase, t.origin, t.target, t.allowance): t for t in self.trips}
        self.unique = tuple(sorted(alike.values(), key=lambda t: (t.origin, t.allowance, t.target)))
        starts: dict[tuple[int, int], list[int]] = defaultdict(list)
        for number, trip in enumerate(self.unique):
            starts[trip.origin, trip.allowance].append(number)
        self._starts = [(start, tuple(trips)) for start, trips in starts.items()]
        self._bits = {number: self.ground.bit(number) for number in self.wanted}
        self._scores: dict[tuple[object, ...], float] = {}
        self._held: _State | None = None

    def reaches(self, chart: Chart) -> list[Reach]:
        """How far units get from each start of trips. Reuses the results of the held chart that cannot
        differ."""
        costs, held = self.ground.costs(chart), self._held
        changed = -1
        if held is not None:
            changed = 0
            for number, bit in self._bits.items():
                if held.chart[number] != chart[number]:
                    changed |= bit
        return [
            held.reaches[place]
            if held is not None and not held.reaches[place].read & changed
            else self.ground.reach(origin, allowance, costs)
            for place, ((origin, allowance), _) in enumerate(self._starts)
        ]

    def hold(self, chart: Chart) -> None:
        """Keep ``chart`` and its results, for :meth:`reaches` of similar charts."""
        self._held = _State(dict(chart), self.reaches(chart))

    def score(self, chart: Chart) -> float:
        """How well a chart explains the trips; greater is better."""
        key = (*(chart[number] for number in self.wanted), *self.eagerness.values())
        if key not in self._scores:
            self.said()
            found = self._likelihood(self.reaches(chart))
            dear = sum(_dearness(number.table, chart[number]) for number in self.wanted)
            self._scores[key] = TEMPER * found - DEARNESS * dear
        return self._scores[key]

    def _likelihood(self, reaches: Sequence[Reach]) -> float:
        return sum(
            self._of_start(reach, allowance, trips, self.eagerness.get(allowance, 0.0))
            for reach, ((_, allowance), trips) in zip(reaches, self._starts, strict=True)
        )

    def _of_start(
        self, reach: Reach, allowance: int, trips: Iterable[int], eagerness: float
    ) -> float:
        stray = STRAY / len(self.ground.names)
        weights = _weights(allowance, eagerness)
        whole = sum([weights[cost] for cost in reach.costs.values()])
        found = 0.0
        for number in trips:
            cost = reach.costs.get(self.unique[number].target)
            share = 0.0 if cost is None else (1 - STRAY) * weights[cost] / whole
            found += math.log(share + stray)
        return found

    def settle_eagerness(self, chart: Chart) -> None:
        """Fit :attr:`eagerness` for each allowance."""
        reaches = self.reaches(chart)
        for allowance in {start[1] for start, _ in self._starts}:
            self.eagerness[allowance] = max(
                EAGERNESS,
                key=lambda eager, allowance=allowance: sum(  # type: ignore[misc]
                    self._of_start(reach, allowance, trips, eager)
                    for reach, ((_, of), trips) in zip(reaches, self._starts, strict=True)
                    if of == allowance
                ),
            )

    def possible(self, chart: Chart) -> frozenset[int]:
        """The trips that are within the allowance, by their indices in :attr:`unique`."""
        return frozenset(
            number
            for reach, (_, trips) in zip(self.reaches(chart), self._starts, strict=True)
            for number in trips
            if self.unique[number].target in reach.costs
        )

    def missed(self, chart: Chart, cheaper: Chart) -> float:
        """The expected number of trips, by ``cheaper``, to hexes that are out of reach by ``chart``."""
        now, then = self.reaches(chart), self.reaches(cheaper)
        found = 0.0
        for less, more, ((_, allowance), trips) in zip(now, then, self._starts, strict=True):
            weights = _weights(allowance, self.eagerness.get(allowance, 0.0))
            new = sum(
                weights[cost] for there, cost in more.costs.items() if there not in less.costs
            )
            if new:
                found += len(trips) * new / sum(weights[cost] for cost in more.costs.values())
        return found


@dataclass(frozen=True)
class _State:
    chart: dict[Number, int]
    reaches: list[Reach]


def _dearness(table: str, value: int) -> float:
    """How dear a value is, in steps of the grid."""
    if table == "roads":
        return 0.0 if value == NONE else 1.0
    return 1.5 if value == PROHIBITED else float(GRID[table].index(value))


_WEIGHTS: dict[tuple[int, float], list[float]] = {}


def _weights(allowance: int, eagerness: float) -> list[float]:
    """The relative likelihood of spending each cost from 0 to the allowance."""
    key = allowance, eagerness
    if key not in _WEIGHTS:
        costs = range(allowance + 1)
        _WEIGHTS[key] = [math.exp(eagerness * (cost / allowance - 1)) for cost in costs]
    return _WEIGHTS[key]
