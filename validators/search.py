"""The path search: finds the cheapest path of a mover over a movement graph, through its waypoints in order.

Labels are (hex, tag, stage); ``stage`` is the number of stops reached. Costs are whole numbers of 1/scale MP.
There are two searches. :func:`cheapest` finds the cheapest path that breaks no prohibition.
:func:`least_broken` finds the path that breaks the fewest prohibitions and, among those, the cheapest.
Spending too much is not a prohibition there: it is either bounded by a ceiling or allowed without limit.

Both are label-setting searches with a lower bound for the rest of the path (A*). They are exact because, with
equal tags, having spent less is never worse. Every ruleset must see to that.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, replace
from heapq import heappop, heappush
from typing import Literal

from ..model.board import Board
from ..model.hexgrid import distance
from .ruleset import START, Breach, MovementGraph, Step, Tag

Limit = Literal["limit"]


@dataclass(frozen=True, slots=True)
class SpendingLimit:
    """What a mover may spend, in 1/scale MP.

    ``limit``: at most this much in all; None: any amount. ``spent``: what was spent before the first step.
    ``overdraft``: the last step may exceed ``limit`` if at least this much is left before it; None: it may
    not. ``most``: what may be spent in all if the last step exceeds ``limit``; None: any amount. ``always``:
    at least ``overdraft`` must be left before every step."""

    limit: int | None
    spent: int = 0
    overdraft: int | None = None
    most: int | None = None
    always: bool = False

    @property
    def last(self) -> int | None:
        """The most, in 1/scale MP, that a mover may have spent before any step; None if there is no such
        limit."""
        if not self.always or self.limit is None or self.overdraft is None:
            return None
        return self.limit - self.overdraft


@dataclass(frozen=True, slots=True)
class Leg:
    """One step of a route: from the hex ``origin`` by a mover that has the tag ``tag``."""

    origin: str
    tag: Tag
    step: Step


@dataclass(frozen=True, slots=True)
class Route:
    """A path found. ``spent``: in 1/scale MP, including what was spent before the first step. ``broken``: the
    prohibitions broken, in order; required stops that were ignored count once for each clause."""

    legs: tuple[Leg, ...]
    spent: int
    broken: tuple[Breach, ...] = ()

    def hexes(self, origin: str) -> tuple[str, ...]:
        """The hexes of the path, ``origin`` first. A step within a hex does not repeat the hex."""
        return (origin, *(leg.step.to for leg in self.legs if leg.step.to != leg.origin))


def _ahead(board: Board, stops: Sequence[str]) -> list[tuple[int, int, int]]:
    """For each stop its axial coordinates q and r, and the distance in hexes from it through all later
    stops."""
    places = [board.hexes[name].at for name in stops]
    ahead, rest = [], 0
    for index in range(len(places) - 1, -1, -1):
        here = places[index]
        if index + 1 < len(places):
            rest += distance(here, places[index + 1])
        ahead.append((here.q, here.r, rest))
    return ahead[::-1]


class GaveUp(Exception):
    """A search made as many labels as it may without coming to an end. Nothing may be concluded from
    that."""


_WATCHED: ContextVar[list[Collection[object]] | None] = ContextVar("watched", default=None)


@contextmanager
def watched() -> Iterator[list[Collection[object]]]:
    """Collects the labels of every search made inside the ``with`` block. The value is a list with a
    collection of labels for each search; a label is a hex, or a tuple that begins with one (see
    :func:`hexes_of`). It takes no time, but keeps the labels in memory."""
    labels: list[Collection[object]] = []
    before = _WATCHED.set(labels)
    try:
        yield labels
    finally:
        _WATCHED.reset(before)


def hexes_of(searches: Iterable[Collection[object]]) -> frozenset[str]:
    """The hexes that searches have reached. ``searches``: their labels, as from :func:`watched`."""
    found: set[str] = set()
    for labels in searches:
        found.update(str(key[0]) if isinstance(key, tuple) else str(key) for key in labels)
    return frozenset(found)


def watch(*labels: Collection[object]) -> None:
    """Report collections of labels, or of hexes, to :func:`watched`; does nothing outside of it. They may
    still grow: they are read only at the end. Searches outside this module call it too."""
    into = _WATCHED.get()
    if into is not None:
        into.extend(labels)


def cheapest(
    board: Board,
    graph: MovementGraph,
    origin: str,
    stops: Sequence[str],
    spending_limit: SpendingLimit,
    *,
    most_labels: int | None = None,
) -> Route | None:
    """The cheapest path from ``origin`` through ``stops`` in order (the last is the target) that breaks no
    prohibition and stays within the spending limit; None if there is none.

    Raises KeyError if a hex is not on the board, and :class:`GaveUp` after ``most_labels`` labels (None:
    never).
    """
    hexes, ahead = board.hexes, _ahead(board, stops)
    # Across a link a path may be shorter than the distance between the hexes: there is no lower bound.
    least = 0 if board.links else graph.least
    straight = not board.links
    limit, overdraft, last = spending_limit.limit, spending_limit.overdraft, len(stops)
    # With an overdraft the last step may exceed the limit: a path is then cut off only by ``most``.
    bound = most = limit if overdraft is None else spending_limit.most
    last_from = spending_limit.last
    stage = 1 if origin == stops[0] else 0
    best: list[dict[object, int]] = [{} for _ in range(last + 1)]
    came: list[dict[object, tuple[int, str, Tag, Step]]] = [{} for _ in range(last + 1)]
    best[stage][origin] = spending_limit.spent
    watch(*best)
    heap: list[tuple[int, int, int, str, Tag, int]] = [
        (0, 0, spending_limit.spent, origin, START, stage)
    ]
    count = 0
    open_steps = graph.steps
    while heap:
        _, _, spent, here, tag, stage = heappop(heap)
        if spent > best[stage][here if tag is None else (here, tag)]:
            continue
        if stage == last:
            return Route(tuple(_legs(came, here, tag, stage, origin)), spent)
        target = stops[stage]
        ending = stage == last - 1
        here_best = best[stage]
        for step in open_steps(here, tag):
            to, cost, new_tag, required_stop, whole, _, _, rounding, passing = step
            before = spent if rounding is None else rounding.after(spent)
            if last_from is not None and before > last_from:
                continue
            after = before + cost
            arrived = to == target and not passing
            if whole:
                if spent:
                    continue
                after = after if limit is None else max(after, limit)
            if required_stop is not None and not (arrived and ending):
                continue
            if (
                limit is not None
                and after > limit
                and not (
                    overdraft is not None
                    and arrived
                    and ending
                    and before <= limit - overdraft
                    and (most is None or after <= most)
                )
            ):
                continue
            key: object = to if new_tag is None else (to, new_tag)
            if arrived:
                new_stage = stage + 1
                known = best[new_stage].get(key)
            else:
                new_stage = stage
                known = here_best.get(key)
            if known is not None and known <= after:
                continue
            estimate = after
            turn = 0
            if straight and new_stage < last:
                q, r, rest = ahead[new_stage]
                at = hexes[to].at
                dq, dr = at[0] - q, at[1] - r
                away = dq + dr
                if away < 0:
                    away = -away
                if dq < 0:
                    dq = -dq
                if dr < 0:
                    dr = -dr
                if dq > away:
                    away = dq
                if dr > away:
                    away = dr
                if least:
                    estimate += least * (away + rest)
                    if bound is not None and estimate > bound:
                        continue
                else:  # steps may be free: of equal costs, take the label nearest to the target
                    turn = (away + rest) << 32
            best[new_stage][key] = after
            came[new_stage][key] = (stage, here, tag, step)
            count += 1
            heappush(heap, (estimate, turn - count, after, to, new_tag, new_stage))
        if most_labels is not None and count > most_labels:
            raise GaveUp
    return None


def _legs(
    came: Sequence[Mapping[object, tuple[int, str, Tag, Step]]],
    here: str,
    tag: Tag,
    stage: int,
    origin: str,
) -> Iterator[Leg]:
    found: list[Leg] = []
    while True:
        before = came[stage].get(here if tag is None else (here, tag))
        if before is None:
            break
        stage, here, tag, step = before
        found.append(Leg(here, tag, step))
    assert here == origin
    return reversed(found)


@dataclass(slots=True)
class _Label:
    spent: int
    hex: str
    tag: Tag
    stage: int
    ignored: frozenset[str]
    broken: tuple[Breach, ...] = ()
    before: _Label | None = None
    step: Step | None = None


_Key = tuple[str, Tag, int, frozenset[str]]


def least_broken(
    board: Board,
    graph: MovementGraph,
    origin: str,
    stops: Sequence[str],
    spending_limit: SpendingLimit,
    *,
    ceiling: int | Limit | None = "limit",
    penalty: int | None = None,
    most_labels: int = 60_000,
) -> Route | None:
    """The path that breaks the fewest prohibitions and, of those, the cheapest; of equals, the one that
    ignores required stops rather than entering what is prohibited. None if there is no path.

    ``ceiling``: what may be spent, in 1/scale MP. None: any amount. ``"limit"``: what ``spending_limit``
    allows, including its overdraft. ``penalty``: in 1/scale MP, the amount for which each broken prohibition
    counts, so that the sum of both is minimized. This is much faster if the target is far away or enclosed.
    None: one prohibition more counts more than any amount. Raises :class:`GaveUp` after ``most_labels``
    labels.
    """
    if ceiling != "limit":
        spending_limit = replace(spending_limit, overdraft=None)
    cap = spending_limit.limit if ceiling == "limit" else ceiling
    bound = cap if spending_limit.overdraft is None else None
    hexes, ahead = board.hexes, _ahead(board, stops)
    least = 0 if board.links else graph.least
    last = len(stops)
    stage = 1 if origin == stops[0] else 0
    start = _Label(spending_limit.spent, origin, START, stage, frozenset())
    heap: list[tuple[int, int, int, int, _Label]] = [(0, 0, 0, 0, start)]
    # Labels leave the heap in order of (prohibitions broken, lower bound of the cost). So a later label for
    # the same key is needed only if it is cheaper.
    settled: dict[_Key, int] = {}
    waiting: dict[_Key, tuple[int, int]] = {}
    watch(settled)
    count = 0
    edges = graph.edges_with_violations
    while heap:
        if count > most_labels:
            raise GaveUp
        label = heappop(heap)[-1]
        key = (label.hex, label.tag, label.stage, label.ignored)
        weight = label.spent + (penalty or 0) * len(label.broken)
        if key in settled and settled[key] <= weight:
            continue
        settled[key] = weight
        if label.stage == last:
            return _route(label)
        target, ending = stops[label.stage], label.stage == last - 1
        for step in edges(label.hex, label.tag):
            arrived = step.to == target and not step.passing
            after = _spent_after(label.spent, step, arrived and ending, spending_limit, cap)
            if after is None:
                continue
            broken, ignored = label.broken, label.ignored
            if step.breaks:
                broken = (*broken, *step.breaks)
            stop = step.stops
            if stop is not None and not (arrived and ending) and stop.clause not in ignored:
                broken, ignored = (*broken, stop), ignored | {stop.clause}
            stage = label.stage + 1 if arrived else label.stage
            key = (step.to, step.tag, stage, ignored)
            weight = after if penalty is None else after + penalty * len(broken)
            known = settled.get(key)
            if known is not None and known <= weight:
                continue
            estimate = after
            if stage < last and least:
                q, r, rest = ahead[stage]
                at = hexes[step.to].at
                dq, dr = at[0] - q, at[1] - r
                estimate += least * (max(abs(dq), abs(dr), abs(dq + dr)) + rest)
            if bound is not None and estimate > bound:
                continue
            count += 1
            rank = (len(broken), after) if penalty is None else (0, weight)
            better = waiting.get(key)
            if better is not None and better != rank and _precedes(better, rank):
                continue  # the better one leaves the heap first
            waiting[key] = rank
            if penalty is not None:
                estimate += weight - after
            following = _Label(after, step.to, step.tag, stage, ignored, broken, label, step)
            # Of equals, an ignored stop: players recognize it sooner than a hex they may not enter.
            entered = len(broken) - len(ignored)
            heappush(heap, (rank[0], estimate, entered, -count, following))
    return None


def _precedes(one: tuple[int, int], other: tuple[int, int]) -> bool:
    """Whether a label of the same key is at least as good in prohibitions broken and in cost."""
    return one[0] <= other[0] and one[1] <= other[1]


def _spent_after(
    spent: int, step: Step, ends: bool, spending_limit: SpendingLimit, cap: int | None
) -> int | None:
    """What is spent after a step; None if it cannot be paid for. ``ends``: it ends the move."""
    before = spent if step.rounding is None else step.rounding.after(spent)
    if spending_limit.last is not None and before > spending_limit.last:
        return None
    after = before + step.cost
    if step.whole and spending_limit.limit is not None:
        after = spent + max(step.cost, spending_limit.limit)
    if cap is not None and after > cap:
        if (
            spending_limit.overdraft is None
            or before > cap - spending_limit.overdraft
            or (step.whole and before)
        ):
            return None
        if not ends or (spending_limit.most is not None and after > spending_limit.most):
            return None
    return after


def _route(label: _Label) -> Route:
    legs: list[Leg] = []
    at: _Label = label
    while at.before is not None and at.step is not None:
        legs.append(Leg(at.before.hex, at.before.tag, at.step))
        at = at.before
    return Route(tuple(reversed(legs)), label.spent, label.broken)
