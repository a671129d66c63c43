"""The path query of a move, and the cheapest legal route of one mover for it in one of the two worlds."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from fractions import Fraction
from math import ceil

from ..model.bill import ZERO, Amount
from ..model.board import Board
from ..model.finding import Move
from .ruleset import START, Forgets, Mover, Scenario, World
from .search import GaveUp, Leg, Route, SpendingLimit, cheapest
from .ways import cells_that_open, hexes_on_ways, within_detour

_FEWEST_LABELS, _LABELS_PER_HEX = 50_000, 20


@dataclass(frozen=True, slots=True)
class PathQuery:
    """A move as the search sees it.

    ``witnessed``: the waypoints that the unit was certainly at. ``all_stops``: all waypoints. Both leave out
    the origin and end with the target. ``before``: MPs spent earlier in the phase. ``before_told``: whether
    the facts tell them (False: they were worked out). ``resumed``: whether the unit has already moved in the
    phase. ``tried``: cached results, by ``id`` of the mover and world. The mover is stored with its result so
    that it stays alive and its ``id`` is not reused. A result of None means that there is no route."""

    board: Board
    scale: int
    origin: str
    witnessed: tuple[str, ...]
    all_stops: tuple[str, ...]
    before: Amount = ZERO
    resumed: bool = False
    before_told: bool = False
    tried: dict[tuple[int, World], tuple[Mover, Attempt | GaveUp | None]] = field(
        default_factory=dict, compare=False, repr=False
    )

    def stops(self, world: World) -> tuple[str, ...]:
        """The waypoints that a route must pass through in a world."""
        return self.witnessed if world == "favourable" else self.all_stops

    @property
    def target(self) -> str:
        return self.witnessed[-1]

    @property
    def most_labels(self) -> int:
        """The greatest number of labels that one search may use. Far more than any search needs, except one
        whose tags record a history."""
        return _FEWEST_LABELS + _LABELS_PER_HEX * len(self.board.hexes)


@dataclass(frozen=True, slots=True)
class Attempt:
    """A mover with its route to the target. ``minimum``: whether it is legal only as a minimum move."""

    mover: Mover
    world: World
    route: Route
    minimum: bool = False


def path_query(
    move: Move, board: Board, scale: int, before: Amount, *, before_told: bool = False
) -> PathQuery:
    """The path query of ``move``. Waypoints that are not hexes are left out. ``scale``: 1/``scale`` MP is the
    search's unit of cost. ``before``: MPs spent earlier in the phase; ``before_told``: facts tell them."""
    witnessed: list[str] = []
    every: list[str] = []
    last = len(move.waypoints) - 1
    for index, (place, binds) in enumerate(zip(move.waypoints, move.binding, strict=True)):
        if index == 0:
            continue
        if place.kind == "hex" and (index == last or binds):
            witnessed.append(place.name)
        if place.kind == "hex":
            every.append(place.name)
    origin = move.origin.name
    return PathQuery(
        board,
        scale,
        origin,
        _without_repeats(origin, witnessed),
        _without_repeats(origin, every),
        before,
        move.resumed,
        before_told,
    )


def _without_repeats(origin: str, stops: list[str]) -> tuple[str, ...]:
    kept: list[str] = []
    for name in stops:
        if name != (kept[-1] if kept else origin):
            kept.append(name)
    return tuple(kept) if kept else (origin,)


def spending_limit(mover: Mover, query: PathQuery, world: World) -> SpendingLimit | None:
    """What the mover may spend in a world. None only in the adverse world, if its allowance is limited and it
    is not known how much has been spent before, so that nothing is certain to be left."""
    amount, scale = mover.budget.amount, query.scale
    policy = mover.budget.policy
    needed = None if policy.overdraft is None else ceil(policy.overdraft * scale)
    excess = policy.excess or Amount(ZERO.lo, None)
    if world == "favourable":
        limit = None if amount is None or amount.hi is None else _down(amount.hi, scale)
        most = _up_to(limit, excess.hi, scale)
        return SpendingLimit(limit, _down(query.before.lo, scale), needed, most, policy.always)
    if query.before.hi is None and amount is not None:
        return None
    limit = None if amount is None else _down(amount.lo, scale)
    most = None if policy.excess is None else _up_to(limit, excess.lo, scale)
    spent = query.before.lo if query.before.hi is None else query.before.hi
    return SpendingLimit(limit, -_down(-spent, scale), needed, most, policy.always)


def _down(amount: Fraction, scale: int) -> int:
    """``amount`` (MPs) in 1/scale MP, rounded down. Uses integers only, because Fractions are much slower."""
    return amount.numerator * scale // amount.denominator


def _up_to(limit: int | None, excess: Fraction | None, scale: int) -> int | None:
    return None if limit is None or excess is None else limit + _down(excess, scale)


def attempt(mover: Mover, query: PathQuery, world: World) -> Attempt | None:
    """The mover's cheapest legal route in a world; None if it has none. In the adverse world None is also
    returned if the search gives up.

    Raises :class:`.search.GaveUp` if a search in the favourable world gives up: then it is not known whether
    there is a route.
    """
    key = (id(mover), world)
    if key not in query.tried:
        try:
            found: Attempt | GaveUp | None = _attempt(mover, query, world)
        except GaveUp as stopped:
            found = stopped if world == "favourable" else None
        query.tried[key] = (mover, found)
    known = query.tried[key][1]
    if isinstance(known, GaveUp):
        raise known
    return known


def _attempt(mover: Mover, query: PathQuery, world: World) -> Attempt | None:
    stops = query.stops(world)
    if stops == (query.origin,):
        return Attempt(mover, world, Route((), 0))
    if mover.barred or (world == "adverse" and mover.perhaps_barred):
        return None
    spending = spending_limit(mover, query, world)
    if spending is None:
        return None
    graph, most = mover.graph(world), query.most_labels
    route = cheapest(query.board, graph, query.origin, stops, spending, most_labels=most)
    if route is not None:
        return Attempt(mover, world, route)
    return _minimum_move(mover, query, world)


def ways_of(mover: Mover, query: PathQuery) -> frozenset[str]:
    """The hexes through which a way of the mover within its allowance can lead in the favourable world."""
    stops, spending = query.stops("favourable"), spending_limit(mover, query, "favourable")
    if spending is None or mover.barred:
        return frozenset((query.origin, *stops))
    graph = mover.graph("favourable")
    return hexes_on_ways(query.board, graph, query.origin, stops, spending, query.most_labels)


def near_ways_of(_mover: Mover, query: PathQuery) -> frozenset[str]:
    """As :func:`ways_of`, without a search: the hexes on the shortest ways and a little beside them."""
    return within_detour(query.board, (query.origin, *query.stops("favourable")))


def openings_of(mover: Mover, query: PathQuery) -> frozenset[str]:
    """The cells of the board that could open a way of the mover in the favourable world
    (:func:`.ways.cells_that_open`)."""
    spending = spending_limit(mover, query, "favourable")
    if spending is None or mover.barred:
        return frozenset()
    graph, stops = mover.graph("favourable"), query.stops("favourable")
    return cells_that_open(query.board, graph, query.origin, stops, spending)


def _minimum_move(mover: Mover, query: PathQuery, world: World) -> Attempt | None:
    stops = query.stops(world)
    if not mover.budget.policy.minimum_move or len(stops) != 1:
        return None
    if query.before.lo if world == "favourable" else (query.resumed or query.before != ZERO):
        return None
    amount = mover.budget.amount
    if amount is not None and not (amount.hi != 0 if world == "favourable" else amount.lo > 0):
        return None
    steps = [
        s
        for s in mover.graph(world).steps(query.origin, START)
        if s.to == query.target and not s.passing
    ]
    if not steps:
        return None
    step = min(steps, key=lambda s: (s.whole, s.cost))
    route = Route((Leg(query.origin, START, step),), step.cost)
    return Attempt(mover, world, route, minimum=True)


def best(scenario: Scenario, query: PathQuery, world: World) -> Attempt | None:
    """A route for one of the scenario's movers; None if none of them has one. In the favourable world it is
    the cheapest, in the adverse world the first found. Raises GaveUp: see :func:`attempt`."""
    found: Attempt | None = None
    for mover in scenario.movers:
        tried = attempt(mover, query, world)
        if tried is not None and world == "adverse":
            return tried
        if tried is not None and (found is None or tried.route.spent < found.route.spent):
            found = tried
    return found


def forget(scenarios: Iterable[Scenario]) -> None:
    """Let the movers go of what they found: the answers are there."""
    for mover in (mover for scenario in scenarios for mover in scenario.movers):
        if isinstance(mover, Forgets):
            mover.forget()


def gets_there(scenario: Scenario, query: PathQuery, world: World) -> bool:
    """Whether one of the scenario's movers has a route; in the favourable world also True if a search gave
    up, because there may be one."""
    try:
        return any(attempt(mover, query, world) is not None for mover in scenario.movers)
    except GaveUp:
        return True
