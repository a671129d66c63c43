"""The hexes through which a way within a spending limit can lead: the least cost to reach them plus the least
cost from there to the target is within the limit. Also the cells that would open a way if they were free to
cross, and the parts of a way that are not known on the board.

The way of an open move assumes that unknown cells favour the mover, so it may run along a road over open sea.
The bill shows where the way is known, and the path leaves the rest out.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Sequence
from heapq import heappop, heappush
from itertools import groupby, pairwise
from typing import TypeVar

from ..model.bill import Amount, Charge, total
from ..model.board import Board, edge
from ..model.hexgrid import distance
from ..model.vouching import cell_of
from .checks import FACTS
from .ruleset import START, MovementGraph, Step, Tag, WeightedFact
from .search import SpendingLimit

_Label = tuple[str, Tag, int]
_Place = TypeVar("_Place", bound=Hashable)
MOST_DETOUR = 2
"""In hexes: how much longer than the shortest way a way may be if spending has no limit."""


def hexes_on_ways(
    board: Board,
    graph: MovementGraph,
    origin: str,
    stops: Sequence[str],
    limit: SpendingLimit,
    most_labels: int,
) -> frozenset[str]:
    """The hexes on ways from ``origin`` through ``stops`` in order that stay within the limit. Without a
    limit, or with more than ``most_labels`` labels, the hexes on ways that are at most a few hexes longer
    than the shortest one. If there is no way, only origin and stops."""
    bound = limit.limit if limit.overdraft is None else limit.most
    found = None
    if bound is not None:
        found = _Ways(board, graph, stops, limit, bound).hexes(origin, most_labels)
    if found is None:
        found = within_detour(board, (origin, *stops))
    return found.union((origin, *stops))


class _Ways:
    def __init__(
        self,
        board: Board,
        graph: MovementGraph,
        stops: Sequence[str],
        limit: SpendingLimit,
        bound: int,
    ) -> None:
        self.board, self.graph, self.stops = board, graph, stops
        self.limit, self.bound = limit, bound
        self.least = 0 if board.links else graph.least

    def hexes(self, origin: str, most_labels: int) -> frozenset[str] | None:
        """None if there are too many labels."""
        last = len(self.stops)
        start: _Label = (origin, START, 1 if origin == self.stops[0] else 0)
        best: dict[_Label, int] = {start: self.limit.spent}
        before: dict[_Label, list[tuple[_Label, int]]] = {}
        heap: list[tuple[int, int, _Label]] = [(self.limit.spent, 0, start)]
        done, count = set[_Label](), 0
        while heap:
            spent, _, label = heappop(heap)
            if label in done:
                continue
            done.add(label)
            if label[2] == last:
                continue
            for after, following in self._following(label, spent):
                before.setdefault(following, []).append((label, after - spent))
                if following not in best or after < best[following]:
                    best[following] = after
                    count += 1
                    heappush(heap, (after, count, following))
            if count > most_labels:
                return None
        ends = [label for label in best if label[2] == last]
        left = _least_costs(ends, lambda label: before.get(label, ()))
        return frozenset(label[0] for label, on in left.items() if best[label] + on <= self.bound)

    def _following(self, label: _Label, spent: int) -> Iterator[tuple[int, _Label]]:
        here, tag, stage = label
        target, ending = self.stops[stage], stage == len(self.stops) - 1
        for step in self.graph.steps(here, tag):
            arrived = step.to == target and not step.passing
            after = self._after(step, spent)
            if after is None or (step.stops is not None and not (arrived and ending)):
                continue
            new = stage + 1 if arrived else stage
            if after + self.least * self._away(step.to, new) <= self.bound:
                yield after, (step.to, step.tag, new)

    def _after(self, step: Step, spent: int) -> int | None:
        before = spent if step.rounding is None else step.rounding.after(spent)
        last = self.limit.last
        if (last is not None and before > last) or (step.whole and spent):
            return None
        after = before + step.cost
        return (
            max(after, self.limit.limit) if step.whole and self.limit.limit is not None else after
        )

    def _away(self, name: str, stage: int) -> int:
        stops = self.stops[stage:]
        places = [self.board.hexes[one].at for one in (name, *stops)]
        return sum(distance(a, b) for a, b in pairwise(places))


def _least_costs(
    starts: Iterable[_Place],
    steps: Callable[[_Place], Iterable[tuple[_Place, int]]],
    limit: int | None = None,
) -> dict[_Place, int]:
    """The least cost from one of ``starts`` to each place within ``limit`` (None: to all)."""
    found: dict[_Place, int] = {}
    heap = [(0, number, place) for number, place in enumerate(starts)]
    count = len(heap)
    while heap:
        cost, _, place = heappop(heap)
        if place in found:
            continue
        found[place] = cost
        for other, more in steps(place):
            if other not in found and (limit is None or cost + more <= limit):
                count += 1
                heappush(heap, (cost + more, count, other))
    return found


def cells_that_open(
    board: Board,
    graph: MovementGraph,
    origin: str,
    stops: Sequence[str],
    limit: SpendingLimit,
) -> frozenset[str]:
    """The hexes, and the hexsides as ``a/b``, that alone would allow a way from ``origin`` through ``stops``
    in order within the limit if they were free to cross. Without a limit, the hexes near the shortest way,
    and their sides. Costs that depend on earlier steps are not considered."""
    if limit.limit is None:
        near = within_detour(board, (origin, *stops))
        return near.union(cell_of(edge(a, b)) for a in near for b in board.neighbours(a))
    roads = _Legs(board, graph)
    legs = list(pairwise((origin, *stops)))
    left = limit.limit - limit.spent - sum(roads.least(*leg) for leg in legs)
    free_end = limit.overdraft is not None
    found = set[str]()
    for leg in legs:
        ends = free_end and leg is legs[-1]
        found |= roads.cells(*leg, left + roads.least(*leg), free_end=ends)
    return frozenset(found)


class _Legs:
    """Least costs of the steps of a graph, each as if it were the first."""

    def __init__(self, board: Board, graph: MovementGraph) -> None:
        self._board, self._graph = board, graph
        self._least = 0 if board.links else graph.least
        self._steps: dict[str, dict[str, tuple[int, bool]]] = {}

    def least(self, a: str, b: str) -> int:
        """The least that a way between two hexes can cost."""
        return self._least * distance(self._board.hexes[a].at, self._board.hexes[b].at)

    def cells(self, origin: str, target: str, limit: int, *, free_end: bool) -> set[str]:
        to = _least_costs((origin,), lambda name: self._out_of(name, target, free_end), limit)
        on = _least_costs((target,), lambda name: self._into(name, target, free_end), limit)
        found, far = set[str](), limit + 1
        for name in to.keys() | on.keys():
            near = self._board.neighbours(name)
            if min(to.get(other, far) for other in (name, *near)) + on.get(name, far) <= limit:
                found.add(name)
            for other in near:
                if to.get(name, far) + on.get(other, far) <= limit:
                    found.add(cell_of(edge(name, other)))
        return found

    def _of(self, name: str) -> dict[str, tuple[int, bool]]:
        """By entered hex: the cost, and whether the mover must stop there."""
        if name not in self._steps:
            every: dict[str, tuple[int, bool]] = {}
            for step in self._graph.steps(name, START):
                told = (step.cost, step.stops is not None)
                every[step.to] = min(told, every.get(step.to, told))
            self._steps[name] = every
        return self._steps[name]

    def _out_of(self, name: str, target: str, free_end: bool) -> Iterator[tuple[str, int]]:
        for other, (cost, stop) in self._of(name).items():
            if other == target or not stop:
                yield other, 0 if free_end and other == target else cost

    def _into(self, name: str, target: str, free_end: bool) -> Iterator[tuple[str, int]]:
        for other in self._board.neighbours(name):
            cost, stop = self._of(other).get(name, (None, False))
            if cost is not None and (name == target or not stop):
                yield other, 0 if free_end and name == target else cost


def within_detour(board: Board, through: Sequence[str]) -> frozenset[str]:
    """The hexes on ways that are at most :data:`MOST_DETOUR` hexes longer than the shortest one."""
    found = set[str]()
    for a, b in pairwise(through):
        first, last = board.hexes[a].at, board.hexes[b].at
        most = distance(first, last) + MOST_DETOUR
        found.update(
            name
            for name, here in board.hexes.items()
            if distance(here.at, first) + distance(here.at, last) <= most
        )
    return frozenset(found)


_CELL = re.compile(r"hex \S+ terrain|hexside \S+ lines|board lines")


def is_untold(fact: WeightedFact) -> bool:
    """Whether a missing fact is a terrain or a line without which a step may be closed or may cost any
    number of MPs."""
    return fact.weight is None and _CELL.match(fact.unknown.key) is not None


def told_hexes(
    hexes: Sequence[str], untold: Collection[tuple[str, str]], stops: Collection[str]
) -> tuple[str, ...]:
    """The ``hexes`` of a path without those inside a sequence of steps in ``untold``; ``stops``, in which the
    counter was put down, are kept."""
    around = list(
        zip(hexes, [("", ""), *pairwise(hexes)], [*pairwise(hexes), ("", "")], strict=True)
    )
    return tuple(
        name
        for name, before, after in around
        if name in stops or before not in untold or after not in untold
    )


def as_far_as_told(
    charges: Iterable[Charge], untold: Collection[tuple[str, str]]
) -> Iterator[Charge]:
    """``charges`` with those of each sequence of steps in ``untold`` (pairs of hexes) replaced by one: the
    least cost of any way between the ends of the sequence that is open to the mover."""
    for unsure, group in groupby(charges, key=lambda c: (c.origin, c.hex) in untold):
        stretch = list(group)
        if not unsure:
            yield from stretch
            continue
        start, end = stretch[0].origin, stretch[-1].hex
        least = Amount(total(stretch).lo, None)
        yield Charge(end, least, FACTS, f"way not known between {start} and {end}", start)
