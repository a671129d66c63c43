"""The verdict on one unit of a move; if it is open, why, the facts that would decide it,
and how far it goes beyond what its ordinary form allows.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial

from ..model.bill import Amount, Bill
from ..model.fact import MissingFact
from ..model.finding import Move, Overdrawn, Verdict
from ..model.game import Game, StepRef
from ..model.stanza import BLANK, pack_stanza
from . import answers
from .checks import names_of
from .explain import Offence, offence, overspent
from .moves import put_down_at
from .ruleset import KnowsClosedHexes, Mover, Scenario, WeightedFact
from .scenarios import (
    Attempt,
    PathQuery,
    RouteCostBreakdown,
    best,
    gets_there,
    route_breakdown,
)
from .search import GaveUp
from .ways import as_far_as_told


def overdrawn(scenarios: Sequence[Scenario], query: PathQuery) -> Overdrawn | None:
    """How far a unit exceeds its ordinary form, the first that it may use, on a way through every place where
    it was put down, with costs, enemies and its class in its favour. None if that form is enough, or if
    neither another form nor a doubtful stop keeps the move open."""
    if not scenarios or not all(scenario.movers for scenario in scenarios):
        return None
    ordinary = scenarios[0].movers[0].form
    forms = {
        mover.form: None for one in scenarios for mover in one.movers if mover.form != ordinary
    }
    loose = [name for name in query.all_stops if name not in query.witnessed]
    if not forms and not loose:
        return None
    plain = _by(scenarios, ordinary)
    dragged = replace(query, witnessed=query.all_stops, tried={})
    if _gets_there(plain, dragged):
        return None
    over = overspent(plain, dragged)
    if over is None:
        return None
    bill = route_breakdown(over, dragged).bill
    if not bill.shortfall:
        return None
    return Overdrawn(
        ordinary,
        bill,
        tuple(form for form in forms if _gets_there(_by(scenarios, form), query)),
        tuple(dict.fromkeys(loose)) if loose and _gets_there(plain, query) else (),
    )


def _by(scenarios: Sequence[Scenario], form: str) -> list[Scenario]:
    return [
        replace(one, movers=tuple(mover for mover in one.movers if mover.form == form))
        for one in scenarios
    ]


def _gets_there(scenarios: Iterable[Scenario], query: PathQuery) -> bool:
    return any(gets_there(one, query, "favourable") for one in scenarios)


MOST_UNKNOWNS = 5
"""The greatest number of deciding facts named for one move."""


@dataclass(frozen=True, slots=True)
class UnitVerdict:
    """The verdict on one unit of a move.

    ``route_breakdown``: the route shown, with its bill; None if there is none to show. ``offence``: why it is
    illegal; None if it is not. ``least``: the least MPs the move costs in any scenario; None if the player
    declared no cost, if no such number exists (see :func:`_least_cost`) or if the search gave up.
    ``overdrawn``: as in :class:`.JudgedMove`.
    """

    verdict: Verdict
    route_breakdown: RouteCostBreakdown | None = None
    form: str = ""
    unknowns: tuple[MissingFact, ...] = ()
    remark: str = ""
    offence: Offence | None = None
    least: Fraction | None = None
    overdrawn: Overdrawn | None = None


@dataclass(frozen=True, slots=True)
class UnitJudging:
    """One unit of a move, with its ``scenarios``. ``declared``: see :func:`.judge.judge_move`."""

    scenarios: Sequence[Scenario]
    query: PathQuery
    declared: Amount | None
    move: Move
    game: Game

    def verdict(self, *, accused: bool) -> UnitVerdict:
        """The verdict. ``accused``: see :func:`.judge.judge_move`."""
        scenarios, query = self.scenarios, self.query
        sure = [best(scenario, query, "adverse") for scenario in scenarios]
        if scenarios and all(attempt is not None for attempt in sure):
            return self._legal([a for a in sure if a is not None])
        kind = [
            a if a is not None else best(s, query, "favourable")
            for s, a in zip(scenarios, sure, strict=True)
        ]
        if any(attempt is not None for attempt in kind):
            return self._open(sure, kind)
        if not scenarios or not all(scenario.movers for scenario in scenarios):
            return UnitVerdict("unverifiable", remark="the rules do not say how it may move")
        if self.set_out_strangely():
            asked = self._marches()
            unknowns = () if answers.answer(self.game, asked) is False else (asked.unknown(),)
            remark = f"it set out from {query.origin}, which its charts close to it, or may close"
            return UnitVerdict("unverifiable", unknowns=unknowns, remark=remark)
        if not accused:
            over = overspent(scenarios, query)
            if over is None:
                return UnitVerdict("illegal")
            return UnitVerdict("illegal", self._paid(over), over.mover.form)
        wrong = offence(scenarios, query)
        if wrong is None:
            return UnitVerdict(
                "unverifiable", unknowns=(_no_way(query),), remark="no path leads there"
            )
        paid = wrong.route_breakdown
        if paid is not None and self.declared is not None:
            paid = replace(paid, bill=replace(paid.bill, declared=self.declared))
        short = None
        if paid is not None and wrong.shortfall and not wrong.breaches:
            short = Overdrawn(wrong.mover.form, paid.bill)
        return UnitVerdict("illegal", paid, wrong.mover.form, offence=wrong, overdrawn=short)

    def _legal(self, attempts: Sequence[Attempt]) -> UnitVerdict:
        shown = shown_of(attempts)
        paid = self._paid(shown)
        least = None
        if self.declared is not None and self.declared.hi is not None:
            with suppress(GaveUp):
                least = self._least_cost()
        remark = "by the minimum move" if shown.minimum else _on_credit(paid.bill)
        return UnitVerdict("legal", paid, shown.mover.form, remark=remark, least=least)

    def _paid(self, tried: Attempt) -> RouteCostBreakdown:
        return route_breakdown(tried, self.query, self.declared)

    def _least_cost(self) -> Fraction | None:
        """The least MPs that the move costs in any scenario; None if some scenario has no route without the
        minimum move or credit."""
        tried = [best(scenario, self.query, "favourable") for scenario in self.scenarios]
        bills = [
            route_breakdown(a, self.query).bill for a in tried if a is not None and not a.minimum
        ]
        costs = [bill.total.lo for bill in bills if bill.credit is None]
        return min(costs) if len(costs) == len(self.scenarios) else None

    def _open(self, sure: Sequence[Attempt | None], kind: Sequence[Attempt | None]) -> UnitVerdict:
        """The verdict if the move is legal in some completions only, with the facts that decide it."""
        outcomes = [
            "legal" if a is not None else "open" if k is not None else "illegal"
            for a, k in zip(sure, kind, strict=True)
        ]
        unknowns = list(telling_assumptions(self.scenarios, outcomes))
        found = [(o, a) for o, a in zip(outcomes, kind, strict=True) if a is not None]
        open_ = [attempt for outcome, attempt in found if outcome == "open"]
        for attempt in open_:
            unknowns += self._deciding(attempt, self._paid(attempt))
        best_shown = shown_of(open_ or [attempt for _, attempt in found])
        shown = self._paid(best_shown)
        known = tuple(as_far_as_told(shown.bill.charges, shown.untold))
        shown = replace(shown, bill=replace(shown.bill, charges=known))
        return UnitVerdict(
            "unverifiable",
            shown,
            best_shown.mover.form,
            tuple(dict.fromkeys(unknowns))[:MOST_UNKNOWNS],
            _why_open(shown.bill),
            overdrawn=overdrawn(self.scenarios, self.query),
        )

    def _deciding(self, attempt: Attempt, paid: RouteCostBreakdown) -> list[MissingFact]:
        """The missing facts that keep a route of the favourable world from being certain, most important
        first: those that may prohibit a step, then those that may add the greatest cost. A fact that affects
        several steps counts once for each of them."""
        mover, budget, query = attempt.mover, attempt.mover.budget, self.query
        missing = [*mover.perhaps_barred, *paid.missing]
        weights: dict[MissingFact, tuple[int, Fraction]] = {}
        for missing_fact in missing:
            bars, weight = weights.get(missing_fact.unknown, (0, Fraction(0)))
            if missing_fact.weight is None:
                bars += 1
            weights[missing_fact.unknown] = (bars, weight + (missing_fact.weight or 0))
        ranked = sorted(weights, key=lambda u: (-weights[u][0], -weights[u][1]))
        if budget.amount is not None:
            hi = paid.bill.total.hi
            if (hi is None or hi > budget.amount.lo) and not budget.amount.is_exact:
                ranked = [*_questions(budget.missing), *ranked]
        if paid.bill.credit is not None:
            ranked = [*_questions(budget.policy.excess_missing), *ranked]
        if query.witnessed != query.all_stops:
            ranked += self._stops_in_doubt(attempt)
        if not query.before.is_exact:
            ranked.append(self._spent_before())
        return list(dict.fromkeys(ranked))

    def _stops_in_doubt(self, attempt: Attempt) -> list[MissingFact]:
        """The missing facts about unwitnessed stops: did the unit really pass through that hex, or was the
        counter only put down there for a moment? Stops off the route come first; if all are on it, all are
        asked about. The key names the unit if the facts say "yes" for another that was dragged with it."""
        query, move = self.query, self.move
        on_route = set(attempt.route.hexes(query.origin))
        loose = list((Counter(query.all_stops) - Counter(query.witnessed)).elements())
        asked = [name for name in loose if name not in on_route] or loose
        put_down = {
            place.hex: put_down_at(move, i) for i, place in enumerate(move.waypoints[1:], 1)
        }
        found = []
        for name in dict.fromkeys(asked):
            about = answers.passed_through(name, move.units[0], put_down[name])
            others = (replace(about, unit=unit) for unit in move.company.difference(move.units))
            apart = any(answers.answer(self.game, other) for other in others)
            whose = f"of {move.units[0]} " if apart else ""
            found.append(
                about.unknown(f"stop {whose}in {name} between {query.origin} and {query.target}")
            )
        return found

    def set_out_strangely(self) -> bool:
        """Whether in some scenario the charts close, or may close, the unit's origin to it, and the facts do
        not say that it moved on from there by these rules. It landed, was carried there, or the board is
        wrong, so it is not accused."""
        shut = partial(_may_be_shut, self.query.origin)
        closed = any(all(map(shut, one.movers)) for one in self.scenarios)
        return closed and answers.answer(self.game, self._marches()) is not True

    def _marches(self) -> answers.Question:
        return answers.marches_from(*self._set_out())

    def _spent_before(self) -> MissingFact:
        question = answers.spent_before(*self._set_out())
        return question.unknown(f"spent before leaving {self.query.origin}")

    def _set_out(self) -> tuple[str, str, str, StepRef]:
        """The hex from which the unit set out, the unit, its name, and the step."""
        unit = self.move.units[0]
        name = names_of(self.game, (unit,))[0]
        return self.query.origin, unit, name, self.move.steps[0]


def shown_of(attempts: Sequence[Attempt]) -> Attempt:
    """The bill to show: the cheapest of those with the first one's allowance, so it does not depend on the
    order in which facings are tried."""
    first = attempts[0].mover.budget
    alike = [
        attempt
        for attempt in attempts
        if (attempt.mover.budget.amount, attempt.mover.budget.unit) == (first.amount, first.unit)
    ]
    return min(alike, key=lambda attempt: attempt.route.spent)


def _on_credit(bill: Bill) -> str:
    if bill.credit is None:
        return ""
    return f"{bill.credit.amount.written} {bill.unit} of it on credit ({bill.credit.clause})"


def _why_open(bill: Bill) -> str:
    if bill.allowance is None:
        return "whether it is legal rests on facts not known"
    total, most, unit = bill.total.written, bill.allowance.written, bill.unit
    return f"it costs {total} {unit} of an allowance of {most} {unit}, as far as known"


def telling_assumptions(
    scenarios: Sequence[Scenario], outcomes: Sequence[str]
) -> Iterator[MissingFact]:
    """The missing facts behind those assumptions whose value makes a difference: scenarios with different
    values have different outcomes."""
    if len(set(outcomes)) < 2:
        return
    by_question: dict[MissingFact, dict[str, set[str]]] = {}
    for scenario, outcome in zip(scenarios, outcomes, strict=True):
        for assumption in scenario.assumptions:
            values = by_question.setdefault(assumption.unknown, {})
            values.setdefault(assumption.value, set()).add(outcome)
    for unknown, values in by_question.items():
        if len({frozenset(found) for found in values.values()}) > 1:
            yield unknown


def _questions(missing: Iterable[WeightedFact]) -> list[MissingFact]:
    return [missing_fact.unknown for missing_fact in missing]


def _may_be_shut(name: str, mover: Mover) -> bool:
    graph = mover.graph("favourable")
    return isinstance(graph, KnowsClosedHexes) and graph.may_be_closed(name)


def _no_way(query: PathQuery) -> MissingFact:
    return MissingFact(
        f"way from {query.origin} to {query.target}",
        f"how do {query.origin} and {query.target} connect? No way leads there on the board as given",
        "facts.toml",
        pack_stanza("board", "links", entry=[[query.origin, BLANK]]),
    )
