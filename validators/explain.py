"""The most charitable explanation of an illegal move."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import combinations
from typing import Any

from ..model.bill import Charge
from .ruleset import Breach, Mover, Scenario
from .scenarios import Attempt, PathQuery, RouteCostBreakdown, route_breakdown, spending_limit
from .search import GaveUp, Route, SpendingLimit, cheapest, least_broken

_WIDEST = 3
"""Before a move is explained by a prohibition broken, a legal path of up to this many allowances is searched
for."""
_MOST_CHARGES = 24
_MOST_LABELS = 8_000
"""The greatest number of labels for a search for an explanation. If none is found, the verdict stands without
it."""
_SOME_LABELS = 2_000
"""The same for a search for a longer legal route, if a route that breaks a prohibition is known already."""
_FEW_LABELS = 500
"""The same for a first, quick search. Enough if the legal route is not much longer than the direct one."""


@dataclass(frozen=True, slots=True)
class Offence:
    """The smallest error that explains a move.

    ``route_breakdown``: the route of the explanation; None if it has none. ``shortfall``: MPs lacking on that
    route. ``breaches``: prohibitions broken on it, or by moving at all. ``instead``: another explanation:
    prohibitions broken on a route within the allowance; empty if there is none. ``instead_short``: another
    explanation: MPs lacking on a longer legal route; None if there is none. ``cited``: the clause by which
    MPs are lacking; empty for the budget's. ``otherwise``: what is wrong in another form of movement in which
    no MPs are lacking; None: there is no such form.
    """

    mover: Mover
    route_breakdown: RouteCostBreakdown | None
    shortfall: Fraction
    breaches: tuple[Breach, ...]
    instead: tuple[Breach, ...] = ()
    instead_short: Fraction | None = None
    cited: str = ""
    otherwise: Offence | None = None

    @property
    def weight(self) -> tuple[int, Fraction]:
        """For comparison: the number of prohibitions broken, then the MPs lacking. Lacking more than the
        whole allowance counts as one more prohibition broken."""
        amount = self.mover.budget.amount
        beyond = amount is not None and amount.hi is not None and self.shortfall > amount.hi
        return len(self.breaches) + beyond, self.shortfall

    @property
    def clause(self) -> str:
        """The clause to cite."""
        return self.breaches[0].clause if self.breaches else self.cited or self.mover.budget.clause


def offence(scenarios: Iterable[Scenario], query: PathQuery) -> Offence | None:
    """The most charitable explanation of a move that no mover can make in the favourable world; of equals,
    one with a path. None if no path leads to the target even with prohibitions broken (the board does not
    connect the hexes)."""
    tried = (
        offence_of(mover, query) for scenario in list(scenarios)[:8] for mover in scenario.movers
    )
    found = [one for one in tried if one is not None]
    found.sort(key=lambda one: (one.weight, bool(one.mover.barred)))
    if not found or found[0].breaches or found[0].instead:
        return found[0] if found else None
    enough = (one for one in found[1:] if not one.shortfall and one.route_breakdown is not None)
    return replace(found[0], otherwise=next(enough, None))


def offence_of(mover: Mover, query: PathQuery) -> Offence | None:
    """The least that must be wrong if ``mover`` made the move; None if no path was found."""
    if mover.barred:
        return Offence(mover, None, Fraction(0), mover.barred)
    spending = spending_limit(mover, query, "favourable")
    assert spending is not None
    return _Explaining(mover, query, spending).offence()


def overspent(scenarios: Iterable[Scenario], query: PathQuery) -> Attempt | None:
    """The legal route with the smallest shortfall, for a move that no mover can make in the favourable world;
    None if none is found quickly. Much faster than :func:`offence`; used for moves without an accusation."""
    found: Attempt | None = None
    least: int | None = None
    for mover in (mover for scenario in list(scenarios)[:8] for mover in scenario.movers):
        spending = spending_limit(mover, query, "favourable")
        if mover.barred or spending is None or spending.limit is None:
            continue
        if spending.overdraft is not None:
            continue
        with suppress(GaveUp):
            ceiling = None if least is None else spending.limit + least - 1
            route = _Explaining(mover, query, spending).legal(ceiling, _FEW_LABELS)
            if route is not None and not any(leg.step.whole for leg in route.legs):
                found, least = Attempt(mover, "favourable", route), route.spent - spending.limit
    return found


@dataclass(frozen=True, slots=True)
class _Explaining:
    """The search for what is wrong with a move of one mover, in the favourable world."""

    mover: Mover
    query: PathQuery
    spending: SpendingLimit

    def offence(self) -> Offence | None:
        """See :func:`offence_of`."""
        within: Route | None = None
        over: Route | None = None
        with suppress(GaveUp):
            owing = self._too_much_owed()
            if owing is not None:
                return owing
        with suppress(GaveUp):
            within = self._least()
        with suppress(GaveUp):
            if within is None:
                over = self._anyhow()
            elif self.spending.limit is not None:
                over = self._round_about(_WIDEST * self.spending.limit, _SOME_LABELS)
        if over is None and within is None:
            return self._far_off()
        return self._charitable(within, over)

    def _too_much_owed(self) -> Offence | None:
        """The offence of a last step on credit that exceeds the allowed excess; None if that is not the
        error."""
        most = self.spending.most
        route = None if most is None else self._cheapest(replace(self.spending, most=None))
        if most is None or route is None:
            return None
        short = Fraction(route.spent - most, self.query.scale)
        cited = self.mover.budget.policy.excess_clause
        return Offence(self.mover, self._bill(route, short), short, (), cited=cited)

    def _bill(self, route: Route, short: Fraction = Fraction(0)) -> RouteCostBreakdown:
        tried = Attempt(self.mover, "favourable", route)
        return route_breakdown(tried, self.query, short=short)

    def _least(self, **more: Any) -> Route | None:
        """The route that breaks the fewest prohibitions (:func:`.search.least_broken`, with ``more`` of its
        arguments); None if there is none."""
        query, graph = self.query, self.mover.graph("favourable")
        stops = query.stops("favourable")
        return least_broken(query.board, graph, query.origin, stops, self.spending, **more)

    def _at_any_cost(self) -> Route | None:
        """As :meth:`_least` at any cost; a broken prohibition counts as much as overspending by the whole
        allowance."""
        limit = self.spending.limit
        heavy = self.query.scale if limit is None else limit + 1
        return self._least(ceiling=None, penalty=heavy, most_labels=_MOST_LABELS)

    def _far_off(self) -> Offence | None:
        """The offence that the target is farther in a straight line than the allowance can reach; None if it
        is not, or this is not certain."""
        query, spending = self.query, self.spending
        hexes = query.board.distance(query.origin, query.target)
        if hexes is None or query.board.links or spending.limit is None:
            return None
        least = self.mover.graph("favourable").least
        short = spending.spent + hexes * least - spending.limit
        if spending.overdraft is not None:
            credit = spending.overdraft if spending.always else min(spending.overdraft, least)
            short += credit - least
        exact = Fraction(short + spending.limit, query.scale) - self._most()
        return Offence(self.mover, None, exact, ()) if exact > 0 else None

    def _most(self) -> Fraction:
        """The greatest allowance of a mover that has a limit."""
        amount = self.mover.budget.amount
        assert amount is not None
        assert amount.hi is not None
        return amount.hi

    def _anyhow(self) -> Route | None:
        """The cheapest way that breaks no prohibition; if there is none, or only a very long one, the way
        that breaks and costs least. The size of the board does not matter: if the target is enclosed, the
        search for a way that breaks something is short."""
        limit = self.spending.limit
        if limit is None:
            return self._at_any_cost()
        try:
            over = self._round_about(None, _FEW_LABELS)
        except GaveUp:
            rough = self._at_any_cost()
            if rough is None or not rough.broken:
                return rough
            return self._round_about(_WIDEST * max(rough.spent, limit)) or rough
        return over if over is not None else self._at_any_cost()

    def _round_about(self, ceiling: int | None, most_labels: int = _MOST_LABELS) -> Route | None:
        """The cheapest legal route that costs at most ``ceiling``, in 1/scale MP (None: at any cost); None if
        there is none."""
        over = self.legal(ceiling, most_labels)
        if over is None or not any(leg.step.whole for leg in over.legs):
            return over
        # Only the other search counts a step that takes the whole allowance as exactly the allowance.
        return self._least(ceiling=ceiling)

    def legal(self, ceiling: int | None, most_labels: int) -> Route | None:
        """As :meth:`_round_about`, but a step that takes the whole allowance may count for more than that."""
        return self._cheapest(SpendingLimit(ceiling, self.spending.spent), most_labels)

    def _cheapest(self, limit: SpendingLimit, most_labels: int = _MOST_LABELS) -> Route | None:
        query, graph = self.query, self.mover.graph("favourable")
        stops = query.stops("favourable")
        return cheapest(query.board, graph, query.origin, stops, limit, most_labels=most_labels)

    def _charitable(self, within: Route | None, over: Route | None) -> Offence:
        """The more charitable of two explanations: overspending on ``over``, unless it exceeds the allowance
        by more than the allowance, or breaking prohibitions on ``within``."""
        limit = self.spending.limit
        if over is not None and limit is not None and self._is_short(over, limit):
            over, lacking = self._lacking(over, limit)
            short = self._short_by(over, lacking, limit)
            lighter = not over.broken and lacking <= limit
            fewer = within is None or len(over.broken) < len(within.broken)
            if within is None or (lighter and fewer):
                instead = within.broken if within is not None else ()
                bill = self._bill(over, short)
                return Offence(self.mover, bill, short, over.broken, instead)
            around = short if not over.broken else None
            bill = self._bill(within)
            return Offence(self.mover, bill, Fraction(0), within.broken, instead_short=around)
        found = within if within is not None else over
        assert found is not None
        return Offence(self.mover, self._bill(found), Fraction(0), found.broken)

    def _short_by(self, over: Route, lacking: int, limit: int) -> Fraction:
        """The MPs by which the allowance is too small for a route. ``lacking``: the same in 1/scale MP,
        counted from the allowance rounded down to such."""
        if self.spending.overdraft is None:
            return self._bill(over).bill.shortfall or Fraction(lacking, self.query.scale)
        return Fraction(lacking + limit, self.query.scale) - self._most()

    def _is_short(self, over: Route, limit: int) -> bool:
        last = self.spending.last
        return over.spent > limit or (last is not None and _before_last(over) > last)

    def _lacking(self, over: Route, limit: int) -> tuple[Route, int]:
        """The route with the smallest shortfall, and the shortfall (1/scale MP). If the last step may cost
        more than is left, that is not always the cheapest route."""
        spending, most = self.spending, over.spent - limit
        if spending.overdraft is None:
            return over, most
        early = max(1, _before_last(over) + spending.overdraft - limit)
        if over.broken or any(leg.step.whole for leg in over.legs):
            return over, max(most, early) if spending.always else most
        least, most = 1, early if spending.always else min(most, early)
        with suppress(GaveUp):
            while least < most:
                half = (least + most) // 2
                found = self._cheapest(replace(spending, limit=limit + half, most=None))
                if found is None:
                    least = half + 1
                else:
                    over, most = found, half
        return over, most


def _before_last(route: Route) -> int:
    return route.spent - route.legs[-1].step.cost


def forgotten(wrong: Offence) -> tuple[Charge, ...]:
    """The one or two charges that equal a shortfall, so that the player may have forgotten them; none if
    others fit as well. Two charges are named only if no single one fits. Charges before a rounding do not
    count, as without them more would have been lost there. Neither does a last step that may be on credit,
    if too little was left before it."""
    shortfall, paid = wrong.shortfall, wrong.route_breakdown
    if shortfall <= 0 or paid is None:
        return ()
    every = list(paid.bill.charges)
    if wrong.mover.budget.policy.overdraft is not None and not wrong.cited:
        every = every[: paid.early]
    losses = {leg.step.rounding.clause for leg in paid.route.legs if leg.step.rounding is not None}
    last = max((i for i, c in enumerate(every) if c.clause in losses), default=0)
    charges = [c for c in every[last:] if 0 < c.amount.lo <= shortfall][:_MOST_CHARGES]
    for size in (1, 2):
        found = [
            group
            for group in combinations(charges, size)
            if sum(c.amount.lo for c in group) == shortfall
        ]
        if found:
            return found[0] if len(found) == 1 else ()
    return ()
