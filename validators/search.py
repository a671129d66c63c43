"""The one path search: the cheapest way of a mover over a movement graph, through its waypoints in order.

Labels are (hex, tag, stage): ``stage`` counts the waypoints reached. Costs are whole numbers of a small
fraction of an MP. Two questions are asked: :func:`cheapest` looks for the cheapest way that breaks
nothing, :func:`least_broken` for the one that breaks the fewest prohibitions and, among those, costs
least; overspending is never a prohibition there but a limit, or none.

Both are label-setting with a lower bound for the rest of the way (A*): exact, because for equal tags
less spent is never worse (every ruleset must see to that).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, replace
from heapq import heappop, heappush
from typing import Literal

from ..model.board import Board
from ..model.hexgrid import Axial
from .ruleset import START, Breach, MovementGraph, Step, Tag

Limit = Literal["limit"]


@dataclass(frozen=True, slots=True)
class SpendingLimit:
    """What may be spent, in 1/scale MP: up to ``limit`` (None: any amount), ``spent`` of it before the
    first step. ``overdraft``: a last step may cost more if so much is left before it (None: not), up to
    ``most`` in all (None: any amount). ``always``: so much must be left before every step."""

    limit: int | None
    spent: int = 0
    overdraft: int | None = None
    most: int | None = None
    always: bool = False

    @property
    def last(self) -> int | None:
        """In 1/scale MP: a mover that has spent more may take no step at all; None if any step that it can
        pay for is allowed."""
        if not self.always or self.limit is None or self.overdraft is None:
            return None
        return self.limit - self.overdraft


@dataclass(frozen=True, slots=True)
class Leg:
    """One step of a route: out of ``origin`` with ``tag``."""

    origin: str
    tag: Tag
    step: Step


@dataclass(frozen=True, slots=True)
class Route:
    """A way found: ``spent`` includes what was spent before; ``broken`` holds each prohibition broken,
    a stop ignored once for its clause."""

    legs: tuple[Leg, ...]
    spent: int
    broken: tuple[Breach, ...] = ()

    def hexes(self, origin: str) -> tuple[str, ...]:
        """All hexes of the way, ``origin`` first; what is done in a hex does not name it again."""
        return (origin, *(leg.step.to for leg in self.legs if leg.step.to != leg.origin))


def _ahead(board: Board, stops: Sequence[str]) -> list[tuple[int, int, int]]:
    """For each stop its place (q, r) and the hexes from it through the stops after it."""
    places = [board.hexes[name].at for name in stops]
    ahead, rest = [], 0
    for index in range(len(places) - 1, -1, -1):
        here = places[index]
        if index + 1 < len(places):
            rest += _hexes(here, places[index + 1])
        ahead.append((here.q, here.r, rest))
    return ahead[::-1]


def _hexes(a: Axial, b: Axial) -> int:
    dq, dr = a.q - b.q, a.r - b.r
    return max(abs(dq), abs(dr), abs(dq + dr))


class GaveUp(Exception):
    """A search used up its labels without coming to an end. Nothing may be concluded from it."""


_WATCHED: ContextVar[list[Collection[object]] | None] = ContextVar("watched", default=None)


@contextmanager
def watched() -> Iterator[list[Collection[object]]]:
    """The labels of every search made inside, one collection for each: a hex, or a tuple that begins with
    one (see :func:`hexes_of`). It costs a search nothing, but what it holds in memory."""
    labels: list[Collection[object]] = []
    before = _WATCHED.set(labels)
    try:
        yield labels
    finally:
        _WATCHED.reset(before)


def hexes_of(searches: Iterable[Collection[object]]) -> frozenset[str]:
    """The hexes that searches have reached, from their labels."""
    found: set[str] = set()
    for labels in searches:
        found.update(str(key[0]) if isinstance(key, tuple) else str(key) for key in labels)
    return frozenset(found)


def watch(*labels: Collection[object]) -> None:
    """Report labels, or hexes, reached by something other than a search of this module to :func:`watched`.
    They are read only at the end."""
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
    """The cheapest way from ``origin`` through ``stops`` in order (the last is the target) that breaks
    nothing and stays within the spending limit; None if there is none.

    KeyError if a hex is not on the board; :class:`GaveUp` after ``most_labels`` labels (None: never).
    """
    hexes, ahead = board.hexes, _ahead(board, stops)
    least = 0 if board.links else graph.least  # across a link the crow flies no shorter way
    straight = not board.links
    limit, overdraft, last = spending_limit.limit, spending_limit.overdraft, len(stops)
    # A last step may pass the limit, so nothing ahead of a hex may be held against it then.
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
                else:  # where steps may be free, of equals the one that leads there goes on
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
    """The way that breaks the fewest prohibitions and, of those, costs least.

    ``ceiling``: what may be spent, in 1/scale MP; None: any amount, ``"limit"``: the spending limit's limit
    (and its overdraft). ``penalty``: each prohibition counts as so much spent, instead of more than any
    amount: much faster where the target lies far off or walled in. None if there is no way; :class:`GaveUp`
    after ``most_labels`` labels.
    """
    if ceiling != "limit":
        spending_limit = replace(spending_limit, overdraft=None)
    cap = spending_limit.limit if ceiling == "limit" else ceiling
    hexes, ahead = board.hexes, _ahead(board, stops)
    least = 0 if board.links else graph.least
    last = len(stops)
    stage = 1 if origin == stops[0] else 0
    start = _Label(spending_limit.spent, origin, START, stage, frozenset())
    heap: list[tuple[int, int, int, _Label]] = [(0, 0, 0, start)]
    # Labels leave the heap by (prohibitions broken, bound of cost): a later one is of use only if cheaper.
    settled: dict[tuple[str, Tag, int, frozenset[str]], int] = {}
    watch(settled)
    count = 0
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
        for step in graph.edges_with_violations(label.hex, label.tag):
            following = _edge_with_violations(label, step, stops, spending_limit, cap)
            if following is None:
                continue
            known = settled.get((following.hex, following.tag, following.stage, following.ignored))
            weight = following.spent + (penalty or 0) * len(following.broken)
            if known is not None and known <= weight:
                continue
            estimate = following.spent
            if following.stage < last:
                q, r, rest = ahead[following.stage]
                estimate += least * (_hexes(hexes[step.to].at, Axial(q, r)) + rest)
            if cap is not None and spending_limit.overdraft is None and estimate > cap:
                continue
            count += 1
            broken = len(following.broken)
            if penalty is not None:
                broken, estimate = 0, estimate + penalty * broken
            heappush(heap, (broken, estimate, -count, following))
    return None


def _edge_with_violations(
    label: _Label,
    step: Step,
    stops: Sequence[str],
    spending_limit: SpendingLimit,
    cap: int | None,
) -> _Label | None:
    arrived = step.to == stops[label.stage] and not step.passing
    ending = label.stage == len(stops) - 1
    before = label.spent if step.rounding is None else step.rounding.after(label.spent)
    if spending_limit.last is not None and before > spending_limit.last:
        return None
    after = before + step.cost
    if step.whole and spending_limit.limit is not None:
        after = label.spent + max(step.cost, spending_limit.limit)
    if cap is not None and after > cap:
        if (
            spending_limit.overdraft is None
            or before > cap - spending_limit.overdraft
            or (step.whole and before)
        ):
            return None
        if not (arrived and ending) or (
            spending_limit.most is not None and after > spending_limit.most
        ):
            return None
    broken, ignored = (*label.broken, *step.breaks), label.ignored
    required_stop = step.stops
    if (
        required_stop is not None
        and not (arrived and ending)
        and required_stop.clause not in ignored
    ):
        broken, ignored = (*broken, required_stop), ignored | {required_stop.clause}
    stage = label.stage + 1 if arrived else label.stage
    return _Label(after, step.to, step.tag, stage, ignored, broken, label, step)


def _route(label: _Label) -> Route:
    legs: list[Leg] = []
    at: _Label = label
    while at.before is not None and at.step is not None:
        legs.append(Leg(at.before.hex, at.before.tag, at.step))
        at = at.before
    return Route(tuple(reversed(legs)), label.spent, label.broken)


def reachable(graph: MovementGraph, origin: str, spending_limit: SpendingLimit) -> dict[str, int]:
    """Every hex that can be reached within the spending limit without breaking anything, with the least
    spent.

    A spending limit without limit or with an overdraft is not asked for: AssertionError.
    """
    limit = spending_limit.limit
    assert limit is not None
    assert spending_limit.overdraft is None
    found: dict[str, int] = {}
    settled: set[tuple[str, Tag, bool]] = set()
    watch(settled)
    heap: list[tuple[int, int, str, Tag, bool]] = [(spending_limit.spent, 0, origin, START, False)]
    count = 0
    while heap:
        spent, _, here, tag, halted = heappop(heap)
        if (here, tag, halted) in settled:
            continue
        settled.add((here, tag, halted))
        found.setdefault(here, spent)
        if halted:
            continue
        for step in graph.steps(here, tag):
            before = spent if step.rounding is None else step.rounding.after(spent)
            after = before + step.cost
            if step.whole:
                if spent:
                    continue
                after = max(after, limit)
            if after <= limit:
                count += 1
                heappush(heap, (after, count, step.to, step.tag, step.stops is not None))
    return found
