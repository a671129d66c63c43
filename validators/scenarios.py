"""The path query of a move, the cheapest legal route of one mover for it in one of the two worlds, and its
bill."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import groupby
from math import ceil

from ..model.bill import ZERO, Amount, Bill, Charge, total
from ..model.board import Board
from ..model.finding import Move
from .ruleset import START, Budget, Forgets, Mover, Rounding, Scenario, WeightedFact, World
from .search import GaveUp, Leg, Route, SpendingLimit, cheapest
from .ways import cells_that_open, hexes_on_ways, is_untold, within_detour

_FEWEST_LABELS, _LABELS_PER_HEX = 50_000, 20


@dataclass(frozen=True, slots=True)
class PathQuery:
    """A move as the search sees it.

    ``witnessed``: the waypoints that the unit was certainly at. ``all_stops``: all waypoints. Both leave out
    the origin and end with the target. ``before``: MPs spent earlier in the phase. ``before_told``: whether
    the facts give them (False: they were computed). ``resumed``: whether the unit has already moved in the
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
    origin, binding = move.origin.name, (*move.binding[:-1], True)
    stops = [
        (place.name, binds)
        for place, binds in [*zip(move.waypoints, binding, strict=True)][1:]
        if place.kind == "hex"
    ]
    witnessed = stops_after(origin, [name for name, binds in stops if binds])
    every = stops_after(origin, [name for name, _ in stops])
    return PathQuery(
        board,
        scale,
        origin,
        witnessed or (origin,),
        every or (origin,),
        before,
        move.resumed,
        before_told,
    )


def stops_after(origin: str, names: Iterable[str]) -> tuple[str, ...]:
    """The hexes in ``names`` after ``origin``, without those that only repeat the one before."""
    return tuple(name for name, _ in groupby((origin, *names)))[1:]


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
    """As :func:`ways_of`, but without a search: the hexes on and near the shortest ways."""
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
    """Clear the movers' caches, after all answers are known."""
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


_NOTHING = Fraction(0)


@dataclass(frozen=True, slots=True)
class RouteCostBreakdown:
    """A route with its bill, and the facts missing to make it exact. ``early``: how many of the charges come
    before the last step. ``untold``: the uncertain steps, as pairs of hexes: the terrain or the line that
    they need is not known."""

    route: Route
    bill: Bill
    missing: tuple[WeightedFact, ...]
    early: int = 0
    untold: frozenset[tuple[str, str]] = frozenset()


def route_breakdown(
    tried: Attempt,
    query: PathQuery,
    declared: Amount | None = None,
    short: Fraction = _NOTHING,
) -> RouteCostBreakdown:
    """The bill of an attempt's route. ``declared``: MPs that the player declared; None if none. ``short``:
    MPs lacking."""
    graph, budget = tried.mover.graph(tried.world), tried.mover.budget
    charges: list[Charge] = []
    missing: list[WeightedFact] = []
    early = 0
    untold: set[tuple[str, str]] = set()
    if query.before != ZERO:
        entered = budget.entering if not query.before_told else ""
        said = "coming onto the map" if entered else "spent before in the phase"
        charges.append(Charge(query.origin, query.before, entered or budget.clause, said))
    for leg in tried.route.legs:
        cost_breakdown = graph.cost_breakdown(leg.origin, leg.tag, leg.step)
        early = len(charges)
        if leg.step.rounding is not None:
            charges += _lost(leg.step.rounding, leg, charges, query.scale)
        charges += _whole(leg, cost_breakdown.charges, budget.amount)
        charges += _forbidden(leg, tried.route)
        missing += cost_breakdown.missing
        if any(is_untold(fact) for fact in cost_breakdown.missing):
            untold.add((leg.origin, leg.step.to))
    if tried.minimum and budget.amount is not None:
        charges += _waived(charges, budget.amount, budget.policy.minimum_move)
    credit = None if tried.minimum else _credit(charges, budget, short)
    unspent = _unspent(charges, budget, short)
    bill = Bill(tuple(charges), budget.amount, budget.unit, declared, credit, unspent)
    return RouteCostBreakdown(tried.route, bill, tuple(missing), early, frozenset(untold))


def _forbidden(leg: Leg, route: Route) -> Iterator[Charge]:
    """A line of the bill for each prohibition that a step breaks; an ignored stop has the hex in which the
    unit had to stop."""
    step = leg.step
    ignored = () if step.stops is None or step.stops not in route.broken else (step.stops,)
    for breach in dict.fromkeys((*step.breaks, *ignored)):
        said = f"not allowed: {breach.text}"
        yield Charge(step.to, ZERO, breach.clause, said, leg.origin, forbidden=True)


def _credit(charges: list[Charge], budget: Budget, short: Fraction) -> Charge | None:
    """The part of the last step that the rules allow beyond the allowance; None: there is none. For a move
    that lacks MPs it is the minimum, which gives the most favourable bill."""
    allowance, policy = budget.amount, budget.policy
    if policy.overdraft is None or allowance is None or not charges:
        return None
    due, last = total(charges), charges[-1]
    lo = _NOTHING if allowance.hi is None else max(_NOTHING, due.lo - allowance.hi - short)
    hi = None if due.hi is None else max(_NOTHING, due.hi - allowance.lo)
    hi = lo if short else hi
    if hi == 0:
        return None
    return Charge(last.hex, Amount(lo, hi), policy.overdraft_clause, "on credit", last.origin)


def _unspent(charges: list[Charge], budget: Budget, short: Fraction) -> Fraction:
    """MPs that had to be left before the last step: the part of ``short`` that is not excess cost."""
    allowance = budget.amount
    if not short or allowance is None or allowance.hi is None:
        return _NOTHING
    return max(_NOTHING, short - (total(charges).lo - allowance.hi))


def _lost(rounding: Rounding, leg: Leg, paid: list[Charge], scale: int) -> Iterator[Charge]:
    """The charge for the fraction of an MP lost before a step. Its lower bound is exact, its upper bound may
    be a little too high."""
    spent, quantum = total(paid), Fraction(rounding.quantum, scale)
    lo = -spent.lo % quantum
    hi = None if spent.hi is None else max(lo, -spent.hi % quantum)
    if lo or hi != 0:
        yield Charge(leg.step.to, Amount(lo, hi), rounding.clause, rounding.reason, leg.origin)


def _whole(leg: Leg, charges: tuple[Charge, ...], allowance: Amount | None) -> tuple[Charge, ...]:
    """``charges`` of a step; for a step that takes the whole allowance, one charge of that amount."""
    if not leg.step.whole or allowance is None:
        return charges
    last = charges[-1]
    return (Charge(last.hex, allowance, last.clause, last.reason, last.origin),)


def _waived(charges: list[Charge], allowance: Amount, clause: str) -> Iterator[Charge]:
    due = sum((c.amount.lo for c in charges), Fraction(0))
    if due > allowance.lo:
        last = charges[-1]
        over = Amount.exactly(allowance.lo - due)
        yield Charge(last.hex, over, clause, "the rest is waived: minimum move", last.origin)
