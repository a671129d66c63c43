"""The hexes through which a way within a spending limit can lead: those whose least cost to reach, and from
there on to the target, is together within the limit."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from heapq import heappop, heappush
from itertools import pairwise

from ..model.board import Board
from ..model.hexgrid import distance
from .ruleset import START, MovementGraph, Step, Tag
from .search import SpendingLimit

_Label = tuple[str, Tag, int]
MOST_DETOUR = 2
"""In hexes: how far ways are followed beside the shortest where nothing bounds what may be spent."""


def hexes_on_ways(
    board: Board,
    graph: MovementGraph,
    origin: str,
    stops: Sequence[str],
    limit: SpendingLimit,
    most_labels: int,
) -> frozenset[str]:
    """The hexes on ways from ``origin`` through ``stops`` in order that stay within the limit. Where there is
    no limit, or there are more than ``most_labels`` labels, the hexes on ways that are at most a few hexes
    longer than the shortest one. Without any way, origin and stops alone."""
    bound = limit.limit if limit.overdraft is None else limit.most
    found = None
    if bound is not None:
        found = _Ways(board, graph, stops, limit, bound).hexes(origin, most_labels)
    if found is None:
        found = _within_detour(board, (origin, *stops))
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
        left = _to_go(before, [label for label in best if label[2] == last])
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


def _to_go(
    before: dict[_Label, list[tuple[_Label, int]]], ends: Sequence[_Label]
) -> dict[_Label, int]:
    """The least cost from each label to one of ``ends``, for labels that lead to one."""
    found: dict[_Label, int] = {}
    heap = [(0, number, label) for number, label in enumerate(ends)]
    count = len(heap)
    while heap:
        cost, _, label = heappop(heap)
        if label in found:
            continue
        found[label] = cost
        for earlier, step in before.get(label, ()):
            if earlier not in found:
                count += 1
                heappush(heap, (cost + step, count, earlier))
    return found


def _within_detour(board: Board, through: Sequence[str]) -> frozenset[str]:
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
