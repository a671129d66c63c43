"""The bill of a route."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from ..model.bill import ZERO, Amount, Bill, Charge, total
from .ruleset import Budget, Mover, Rounding, WeightedFact
from .scenarios import Attempt, PathQuery
from .search import Leg, Route
from .ways import is_untold

_NOTHING = Fraction(0)


@dataclass(frozen=True, slots=True)
class RouteCostBreakdown:
    """A route with its bill, and the facts missing to make it exact. ``early``: how many of the charges come
    before the last step. ``untold``: the steps, as pairs of hexes, that nobody can be sure of: the board does
    not tell the terrain or the line that they rest on."""

    route: Route
    bill: Bill
    missing: tuple[WeightedFact, ...]
    early: int = 0
    untold: frozenset[tuple[str, str]] = frozenset()


def route_breakdown(
    mover: Mover,
    query: PathQuery,
    route: Route,
    *,
    adverse: bool = False,
    minimum: bool = False,
    declared: Amount | None = None,
    short: Fraction = _NOTHING,
) -> RouteCostBreakdown:
    """The bill of ``route``. ``short``: MPs lacking. ``minimum``: it is a minimum move. ``declared``: MPs
    that the player declared; None if none."""
    graph = mover.graph("adverse" if adverse else "favourable")
    budget = mover.budget
    charges: list[Charge] = []
    missing: list[WeightedFact] = []
    early = 0
    untold: set[tuple[str, str]] = set()
    if query.before != ZERO:
        entered = budget.entering if not query.before_told else ""
        said = "coming onto the map" if entered else "spent before in the phase"
        charges.append(Charge(query.origin, query.before, entered or budget.clause, said))
    for leg in route.legs:
        cost_breakdown = graph.cost_breakdown(leg.origin, leg.tag, leg.step)
        early = len(charges)
        if leg.step.rounding is not None:
            charges += _lost(leg.step.rounding, leg, charges, query.scale)
        charges += _whole(leg, cost_breakdown.charges, budget.amount)
        charges += _forbidden(leg, route)
        missing += cost_breakdown.missing
        if any(is_untold(fact) for fact in cost_breakdown.missing):
            untold.add((leg.origin, leg.step.to))
    if minimum and budget.amount is not None:
        charges += _waived(charges, budget.amount, budget.policy.minimum_move)
    credit = None if minimum else _credit(charges, budget, short)
    unspent = _unspent(charges, budget, short)
    bill = Bill(tuple(charges), budget.amount, budget.unit, declared, credit, unspent)
    return RouteCostBreakdown(route, bill, tuple(missing), early, frozenset(untold))


def _forbidden(leg: Leg, route: Route) -> Iterator[Charge]:
    """A line of the bill for each prohibition that a step breaks; a required stop that was ignored stands in
    the hex in which the unit ought to have stopped."""
    step = leg.step
    ignored = () if step.stops is None or step.stops not in route.broken else (step.stops,)
    for breach in dict.fromkeys((*step.breaks, *ignored)):
        said = f"not allowed: {breach.text}"
        yield Charge(step.to, ZERO, breach.clause, said, leg.origin, forbidden=True)


def _credit(charges: list[Charge], budget: Budget, short: Fraction) -> Charge | None:
    """The part of the last step that the rules allow beyond the allowance; None if there is none. Of a move
    that lacks MPs it is the minimum: the bill is then the one that suits the mover best."""
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


def attempt_cost_breakdown(
    tried: Attempt, query: PathQuery, declared: Amount | None = None
) -> RouteCostBreakdown:
    """The bill of a successful attempt."""
    return route_breakdown(
        tried.mover,
        query,
        tried.route,
        adverse=tried.world == "adverse",
        minimum=tried.minimum,
        declared=declared,
    )
