"""The verdict on one move, with its bill and the facts that would decide it if it is open.

Each unit of a move is judged separately. In each scenario of a unit (a completion of what is not known about
it) the adverse world is tried first; a route there makes the scenario legal. A unit's move is illegal only if
no scenario has a route even in the favourable world.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from fractions import Fraction

from ..model.bill import ZERO, Amount, Bill
from ..model.fact import MissingFact
from ..model.finding import Finding, FindingKind, JudgedMove, Move, Verdict
from ..model.game import Game
from ..model.stanza import BLANK, pack_stanza
from . import answers
from .checks import FACTS, names_of
from .explain import (
    Offence,
    RouteCostBreakdown,
    attempt_cost_breakdown,
    offence,
    overspent,
    route_breakdown,
)
from .legal_forms import LegalForms, are_asked_for, legal_forms
from .moves import as_told, put_down_at
from .ruleset import Circumstances, RulesInForce, Scenario, Situation, WeightedFact
from .scenarios import Attempt, PathQuery, best, gets_there, path_query
from .search import GaveUp
from .verdicts import finding, open_question
from .wording import accusation, declared_short, remedy_of

_TOO_MANY_WAYS = "there are too many ways to look through, so nothing is said of it"
MOST_UNKNOWNS = 5
"""The greatest number of deciding facts named for one move."""

_RANK: dict[Verdict, int] = {"legal": 0, "unverifiable": 1, "illegal": 2}


@dataclass(frozen=True, slots=True)
class Judgement:
    """The verdict on a move and its findings. ``legal_forms``: for each unit, the movement forms by which the
    move is legal; empty if the ruleset does not ask for them."""

    judged: JudgedMove
    findings: tuple[Finding, ...] = ()
    legal_forms: tuple[LegalForms, ...] = ()


@dataclass(frozen=True, slots=True)
class _UnitVerdict:
    """The verdict on one unit of a move.

    ``route_breakdown``: the route shown, with its bill; None if there is none to show. ``offence``: why it is
    illegal; None if it is not. ``least``: the least MPs the move costs in any scenario; None if the player
    declared no cost, if no such number exists (see :func:`_least_cost`) or if the search gave up.
    """

    verdict: Verdict
    route_breakdown: RouteCostBreakdown | None = None
    form: str = ""
    unknowns: tuple[MissingFact, ...] = ()
    remark: str = ""
    offence: Offence | None = None
    least: Fraction | None = None


def judge_move(
    move: Move,
    situation: Situation,
    rules: RulesInForce,
    *,
    forms: tuple[str, ...] = ("",),
    spent_before: Amount = ZERO,
    declared: Amount | None = None,
    accused: bool = True,
    only: tuple[str, ...] = (),
) -> Judgement:
    """The judgement of ``move``, whose origin and target must be hexes.

    ``situation``: the game before the move's first step; for a move of several steps, that situation ``over``
    the last step. ``forms``: the judged movement forms that the move may use; it is legal if it is legal by
    one of them. ``spent_before``: MPs that the unit spent earlier in the phase; they count against the same
    allowance. ``declared``: MPs that the player says this move cost; None if no cost was declared.
    ``accused`` False: whatever the verdict is, nobody is accused by it. If it is illegal, the least that must
    be wrong with the move is then not searched for, and there is no finding: the route shown is a legal one
    that costs too much, or none. ``only``: the units to be judged, all of which moved together with the
    others; empty: all.
    If a search gives up, the unit's verdict is ``unverifiable``.
    """
    game = situation.game
    circumstances = Circumstances(situation, move.units, forms or ("",), move=move)
    units = [u for u in only or move.units if u in game.units and game.units[u].kind == "unit"]
    told = {unit: as_told(move, game, unit) for unit in units}
    alike = len({(one.waypoints, one.binding) for one in told.values()}) == 1
    verdicts: dict[str, _UnitVerdict] = {}
    opened: list[LegalForms] = []
    for unit in units:
        scenarios = rules.scenarios(unit, circumstances)
        job = _path_query(told[unit], unit, game, rules, spent_before)
        asked = move if alike else replace(move, units=(unit,))
        try:
            verdicts[unit] = _unit_verdict(scenarios, job, declared, asked, game, accused)
        except GaveUp:
            verdicts[unit] = _UnitVerdict("unverifiable", remark=_TOO_MANY_WAYS)
        if are_asked_for(rules, scenarios):
            opened.append(legal_forms(unit, scenarios, job))
    about = replace(move, units=only) if only else move
    judgement = _sum_up(about, game, rules, verdicts, declared)
    if opened:
        judgement = replace(judgement, legal_forms=tuple(opened))
    return _resting_on(judgement, circumstances.noticed) if circumstances.noticed else judgement


def may_be_legal(
    unit: str,
    move: Move,
    situation: Situation,
    rules: RulesInForce,
    *,
    forms: tuple[str, ...] = ("",),
    spent_before: Amount = ZERO,
) -> bool:
    """Whether :func:`judge_move` would return anything but ``illegal`` for ``unit`` alone. Much faster than
    :func:`judge_move` if the answer is False."""
    scenarios, job = _of_unit(unit, move, situation, rules, forms, spent_before)
    if not scenarios or not all(scenario.movers for scenario in scenarios):
        return True
    return any(gets_there(scenario, job, "favourable") for scenario in scenarios)


def surely_legal(
    unit: str,
    move: Move,
    situation: Situation,
    rules: RulesInForce,
    *,
    forms: tuple[str, ...] = ("",),
    spent_before: Amount = ZERO,
) -> bool:
    """Whether :func:`judge_move` would return ``legal`` for ``unit`` alone; False if the search gives up."""
    scenarios, job = _of_unit(unit, move, situation, rules, forms, spent_before)
    try:
        return bool(scenarios) and all(best(one, job, "adverse") is not None for one in scenarios)
    except GaveUp:
        return False


def _of_unit(
    unit: str,
    move: Move,
    situation: Situation,
    rules: RulesInForce,
    forms: tuple[str, ...],
    spent_before: Amount,
) -> tuple[Sequence[Scenario], PathQuery]:
    told = as_told(move, situation.game, unit)
    job = _path_query(told, unit, situation.game, rules, spent_before)
    circumstances = Circumstances(situation, move.units, forms or ("",), move=move)
    return rules.scenarios(unit, circumstances), job


def _path_query(
    move: Move, unit: str, game: Game, rules: RulesInForce, before: Amount
) -> PathQuery:
    """The path query of ``move`` for ``unit``, which had spent ``before``."""
    told = False
    if before != ZERO:
        question = answers.spent_before(str(move.origin), unit, "", move.steps[0])
        told = answers.amount_told(game, question) is not None
    return path_query(move, game.board, rules.scale, before, before_told=told)


def _resting_on(judgement: Judgement, units: set[str]) -> Judgement:
    """``judgement`` with ``units`` added to everything it rests on. Only viewers who may see these units too
    will be shown it (fog of war)."""
    more = tuple(sorted(units))
    judged = replace(judgement.judged, rests_on=(*judgement.judged.rests_on, *more))
    findings = tuple(replace(f, rests_on=(*f.rests_on, *more)) for f in judgement.findings)
    return replace(judgement, judged=judged, findings=findings)


def _unit_verdict(
    scenarios: Sequence[Scenario],
    job: PathQuery,
    declared: Amount | None,
    move: Move,
    game: Game,
    accused: bool,
) -> _UnitVerdict:
    sure = [best(scenario, job, "adverse") for scenario in scenarios]
    if scenarios and all(attempt is not None for attempt in sure):
        return _legal(scenarios, [a for a in sure if a is not None], job, declared)
    kind = [
        a if a is not None else best(s, job, "favourable")
        for s, a in zip(scenarios, sure, strict=True)
    ]
    if any(attempt is not None for attempt in kind):
        return _open(scenarios, sure, kind, job, declared, move, game)
    if not scenarios or not all(scenario.movers for scenario in scenarios):
        return _UnitVerdict("unverifiable", remark="the rules do not say how it may move")
    if not accused:
        over = overspent(scenarios, job)
        if over is None:
            return _UnitVerdict("illegal")
        return _UnitVerdict("illegal", attempt_cost_breakdown(over, job, declared), over.mover.form)
    wrong = offence(scenarios, job)
    if wrong is None:
        return _UnitVerdict("unverifiable", unknowns=(_no_way(job),), remark="no path leads there")
    paid = wrong.route_breakdown
    if paid is not None and declared is not None:
        paid = replace(paid, bill=replace(paid.bill, declared=declared))
    return _UnitVerdict("illegal", paid, wrong.mover.form, offence=wrong)


def _legal(
    scenarios: Sequence[Scenario],
    attempts: Sequence[Attempt],
    job: PathQuery,
    declared: Amount | None,
) -> _UnitVerdict:
    paid = attempt_cost_breakdown(attempts[0], job, declared)
    least = None
    if declared is not None and declared.hi is not None:
        with suppress(GaveUp):
            least = _least_cost(scenarios, job)
    remark = "by the minimum move" if attempts[0].minimum else _on_credit(paid.bill)
    return _UnitVerdict("legal", paid, attempts[0].mover.form, remark=remark, least=least)


def _least_cost(scenarios: Sequence[Scenario], job: PathQuery) -> Fraction | None:
    """The least MPs that the move costs in any scenario; None if some scenario has no route without the
    minimum move or credit."""
    tried = [best(scenario, job, "favourable") for scenario in scenarios]
    bills = [attempt_cost_breakdown(a, job).bill for a in tried if a is not None and not a.minimum]
    costs = [bill.total.lo for bill in bills if bill.credit is None]
    return min(costs) if len(costs) == len(scenarios) else None


def _on_credit(bill: Bill) -> str:
    if bill.credit is None:
        return ""
    return f"{bill.credit.amount} {bill.unit} of it on credit ({bill.credit.clause})"


def _open(
    scenarios: Sequence[Scenario],
    sure: Sequence[Attempt | None],
    kind: Sequence[Attempt | None],
    job: PathQuery,
    declared: Amount | None,
    move: Move,
    game: Game,
) -> _UnitVerdict:
    """The verdict on a unit whose move is legal in some completions only, with the facts that decide it."""
    outcomes = [
        "legal" if a is not None else "open" if k is not None else "illegal"
        for a, k in zip(sure, kind, strict=True)
    ]
    unknowns = list(_telling_assumptions(scenarios, outcomes))
    shown: RouteCostBreakdown | None = None
    form = ""
    for outcome, attempt in zip(outcomes, kind, strict=True):
        if outcome == "open" and attempt is not None:
            paid = attempt_cost_breakdown(attempt, job, declared)
            unknowns += _deciding(attempt, paid, job, move, game)
            if shown is None:
                shown, form = paid, attempt.mover.form
    if shown is None:
        attempt = next(a for a in kind if a is not None)
        shown, form = attempt_cost_breakdown(attempt, job, declared), attempt.mover.form
    return _UnitVerdict(
        "unverifiable",
        shown,
        form,
        tuple(dict.fromkeys(unknowns))[:MOST_UNKNOWNS],
        _why_open(shown.bill),
    )


def _why_open(bill: Bill) -> str:
    if bill.allowance is None:
        return "whether it is legal rests on facts not known"
    total, unit = bill.total, bill.unit
    return f"it costs {total} {unit} of an allowance of {bill.allowance} {unit}, as far as known"


def _telling_assumptions(
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


def _deciding(
    attempt: Attempt, paid: RouteCostBreakdown, job: PathQuery, move: Move, game: Game
) -> list[MissingFact]:
    """The missing facts that keep a route of the favourable world from being certain, most important first:
    those that may prohibit a step, then those that may add the greatest cost. A fact that affects several
    steps counts once for each of them."""
    mover, budget = attempt.mover, attempt.mover.budget
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
    if job.witnessed != job.all_stops:
        ranked += _stops_in_doubt(attempt, job, move, game)
    if not job.before.is_exact:
        ranked.append(_spent_before(job, move, game))
    return list(dict.fromkeys(ranked))


def _questions(missing: Iterable[WeightedFact]) -> list[MissingFact]:
    return [missing_fact.unknown for missing_fact in missing]


def _stops_in_doubt(attempt: Attempt, job: PathQuery, move: Move, game: Game) -> list[MissingFact]:
    """The missing facts about stops that nothing witnessed: did the unit really pass through that hex, or was
    the counter only put down there for a moment? Stops off the route come first; if all are on it, all of
    them are asked about. The key names the unit if "yes" is told of another that was dragged with it."""
    on_route = set(attempt.route.hexes(job.origin))
    loose = list((Counter(job.all_stops) - Counter(job.witnessed)).elements())
    asked = [name for name in loose if name not in on_route] or loose
    put_down = {place.hex: put_down_at(move, i) for i, place in enumerate(move.waypoints[1:], 1)}
    found = []
    for name in dict.fromkeys(asked):
        about = answers.passed_through(name, move.units[0], put_down[name])
        others = (replace(about, unit=unit) for unit in move.company.difference(move.units))
        apart = any(answers.answer(game, other) for other in others)
        whose = f"of {move.units[0]} " if apart else ""
        found.append(about.unknown(f"stop {whose}in {name} between {job.origin} and {job.target}"))
    return found


def _spent_before(job: PathQuery, move: Move, game: Game) -> MissingFact:
    unit, name = move.units[0], names_of(game, move.units[:1])[0]
    question = answers.spent_before(job.origin, unit, name, move.steps[0])
    return question.unknown(f"spent before leaving {job.origin}")


def _no_way(job: PathQuery) -> MissingFact:
    return MissingFact(
        f"way from {job.origin} to {job.target}",
        f"how do {job.origin} and {job.target} connect? No way leads there on the board as given",
        "facts.toml",
        pack_stanza("board", "links", entry=[[job.origin, BLANK]]),
    )


def _sum_up(
    move: Move,
    game: Game,
    rules: RulesInForce,
    verdicts: dict[str, _UnitVerdict],
    declared: Amount | None,
) -> Judgement:
    if not verdicts:
        return Judgement(JudgedMove(move, "unverifiable", remark="no unit moved", judged=False))
    every = [*verdicts.values()]
    worst = every[0] if len(every) == 1 else max(every, key=_gravity)
    unknowns = dict.fromkeys(u for o in every for u in o.unknowns)
    judged = JudgedMove(
        move,
        worst.verdict,
        path=worst.route_breakdown.route.hexes(move.origin.name) if worst.route_breakdown else (),
        bill=worst.route_breakdown.bill if worst.route_breakdown else None,
        unknowns=tuple(unknowns)[:MOST_UNKNOWNS] if worst.verdict == "unverifiable" else (),
        remark=worst.remark,
        form=worst.form,
        rests_on=tuple(dict.fromkeys(u for o in every for u in _rests_on(o))),
    )
    if worst.verdict == "legal" and declared is None:
        return Judgement(judged)
    findings = [*_accusations(move, game, verdicts), *_short(move, game, rules, verdicts, declared)]
    if worst.verdict == "unverifiable":
        findings.append(open_question(game, judged, FACTS))
    return Judgement(judged, tuple(findings))


def _gravity(found: _UnitVerdict) -> tuple[int, int, Fraction]:
    breaches, short = found.offence.weight if found.offence else (0, Fraction(0))
    return _RANK[found.verdict], breaches, short


def _rests_on(found: _UnitVerdict) -> Iterator[str]:
    if found.route_breakdown is not None:
        yield from found.route_breakdown.units
    if found.offence is not None:
        for breach in (*found.offence.breaches, *found.offence.instead):
            yield from breach.units


def _accusations(move: Move, game: Game, verdicts: dict[str, _UnitVerdict]) -> Iterator[Finding]:
    """The findings for illegal units: one for each group of units with the same clause and the same text."""
    alike: dict[tuple[str, str], list[str]] = {}
    for unit, verdict in verdicts.items():
        if verdict.offence is not None:
            said = accusation(verdict.offence)
            alike.setdefault((verdict.offence.clause, said), []).append(unit)
    for (clause, said), units in alike.items():
        verdict = verdicts[units[0]]
        wrong = verdict.offence
        assert wrong is not None
        kind: FindingKind = "illegal-move" if wrong.breaches else "missed-mp-cost"
        named = ", ".join(dict.fromkeys(game.units[u].name for u in units))
        text = f"{named}, {move.origin} to {move.target}: {said}"
        found = finding(game, replace(move, units=tuple(units)), clause, kind, "illegal", text)
        yield replace(
            found,
            bill=verdict.route_breakdown.bill if verdict.route_breakdown else None,
            remedy=remedy_of(wrong),
            rests_on=tuple(dict.fromkeys(_rests_on(verdict))),
        )


def _short(
    move: Move,
    game: Game,
    rules: RulesInForce,
    verdicts: dict[str, _UnitVerdict],
    declared: Amount | None,
) -> Iterator[Finding]:
    """A finding for each unit that the player declared fewer MPs for than the move costs at least."""
    if declared is None or declared.hi is None or not rules.declared_clause:
        return
    for unit, verdict in verdicts.items():
        if verdict.least is None or declared.hi >= verdict.least or verdict.route_breakdown is None:
            continue
        said = declared_short(declared, verdict.least, verdict.route_breakdown.bill)
        text = f"{game.units[unit].name}, {move.origin} to {move.target}: {said}"
        one = replace(move, units=(unit,))
        found = finding(game, one, rules.declared_clause, "missed-mp-cost", "illegal", text)
        yield replace(
            found, bill=verdict.route_breakdown.bill, rests_on=verdict.route_breakdown.units
        )


__all__ = ["Judgement", "judge_move", "route_breakdown"]
