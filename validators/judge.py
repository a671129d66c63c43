"""The verdict on one move, with its bill and the facts that would decide it if it is open.

Each unit of a move is judged separately. In each scenario of a unit (a completion of what is not known about
it) the adverse world is tried first; a route there makes the scenario legal. A unit's move is illegal only if
no scenario has a route even in the favourable world.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from ..model.bill import ZERO, Amount
from ..model.finding import GRAVITY, Finding, FindingKind, JudgedMove, Move
from ..model.game import Game
from . import answers
from .checks import FACTS
from .moves import as_told
from .quotas import LegalForms, are_asked_for, legal_forms
from .ruleset import Circumstances, Mover, RulesInForce, Scenario
from .scenarios import PathQuery, best, forget, gets_there, path_query, ways_of
from .search import GaveUp
from .situation import Situation
from .unit_verdict import MOST_UNKNOWNS, UnitJudging, UnitVerdict
from .verdicts import finding, open_question
from .ways import told_hexes
from .wording import accusation, declared_short, remedy_of

_TOO_MANY_WAYS = "there are too many paths to look through, so it is left open"


@dataclass(frozen=True, slots=True)
class Judgement:
    """The verdict on a move and its findings. ``legal_forms``: for each unit, the movement forms by which the
    move is legal; empty if the ruleset does not ask for them."""

    judged: JudgedMove
    findings: tuple[Finding, ...] = ()
    legal_forms: tuple[LegalForms, ...] = ()


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
    ``accused`` False: an illegal verdict gives no finding, and its explanation is not searched for: the route
    shown is a legal one that costs too much, or none. ``only``: the units to be judged, all of which moved
    together with the others; empty: all.
    If a search gives up, the unit's verdict is ``unverifiable``.
    """
    game = situation.game
    circumstances = Circumstances(situation, move.units, forms or ("",), move=move)
    units = [u for u in only or move.units if u in game.units and game.units[u].kind == "unit"]
    told = {unit: as_told(move, game, unit) for unit in units}
    alike = len({(one.waypoints, one.binding) for one in told.values()}) == 1
    verdicts: dict[str, UnitVerdict] = {}
    opened: list[LegalForms] = []
    for unit in units:
        scenarios = rules.scenarios(unit, circumstances)
        query = _path_query(told[unit], unit, game, rules, spent_before)
        asked = move if alike else replace(move, units=(unit,))
        try:
            judging = UnitJudging(scenarios, query, declared, asked, game)
            verdicts[unit] = judging.verdict(accused=accused)
        except GaveUp:
            verdicts[unit] = UnitVerdict("unverifiable", remark=_TOO_MANY_WAYS)
        if are_asked_for(rules, scenarios):
            opened.append(legal_forms(unit, scenarios, query))
        forget(scenarios)
    about = replace(move, units=only) if only else move
    judgement = _sum_up(about, game, rules, verdicts, declared)
    if opened:
        judgement = replace(judgement, legal_forms=tuple(opened))
    return judgement


def may_be_legal(
    unit: str, move: Move, situation: Situation, rules: RulesInForce, **given: Any
) -> bool:
    """Whether :func:`judge_move` would return anything but ``illegal`` for ``unit`` alone. Much faster than
    :func:`judge_move` if the answer is False. ``given``: the further arguments of :func:`judge_move`."""
    scenarios, query = _of_unit(unit, move, situation, rules, **given)
    if not scenarios or not all(scenario.movers for scenario in scenarios):
        return True
    if any(gets_there(scenario, query, "favourable") for scenario in scenarios):
        return True
    told = replace(as_told(move, situation.game, unit), units=(unit,))
    return UnitJudging(scenarios, query, None, told, situation.game).set_out_strangely()


def surely_legal(
    unit: str, move: Move, situation: Situation, rules: RulesInForce, **given: Any
) -> bool:
    """Whether :func:`judge_move` would return ``legal`` for ``unit`` alone; False if the search gives up. The
    arguments are those of :func:`may_be_legal`."""
    scenarios, query = _of_unit(unit, move, situation, rules, **given)
    try:
        return bool(scenarios) and all(best(one, query, "adverse") is not None for one in scenarios)
    except GaveUp:
        return False


def favourable_hexes(
    move: Move,
    situation: Situation,
    rules: RulesInForce,
    of: Callable[[Mover, PathQuery], frozenset[str]] = ways_of,
    **given: Any,
) -> frozenset[str]:
    """The hexes through which a way of ``move`` within the allowance can lead in the favourable world. A look
    at them decides whether the move is legal. The arguments are those of :func:`judge_move`. ``of``: the
    function of a mover to use instead (:func:`.scenarios.openings_of`)."""
    found = set[str]()
    for unit in move.units:
        if unit not in situation.game.units or situation.game.units[unit].kind != "unit":
            continue
        scenarios, query = _of_unit(unit, move, situation, rules, **given)
        for scenario in scenarios:
            for mover in scenario.movers:
                found |= of(mover, query)
    return frozenset(found)


def _of_unit(
    unit: str,
    move: Move,
    situation: Situation,
    rules: RulesInForce,
    forms: tuple[str, ...] = ("",),
    spent_before: Amount = ZERO,
    **_: Any,
) -> tuple[Sequence[Scenario], PathQuery]:
    told = as_told(move, situation.game, unit)
    query = _path_query(told, unit, situation.game, rules, spent_before)
    circumstances = Circumstances(situation, move.units, forms or ("",), move=move)
    return rules.scenarios(unit, circumstances), query


def _path_query(
    move: Move, unit: str, game: Game, rules: RulesInForce, before: Amount
) -> PathQuery:
    """The path query of ``move`` for ``unit``, which had spent ``before``."""
    told = False
    if before != ZERO:
        question = answers.spent_before(str(move.origin), unit, "", move.steps[0])
        told = answers.amount_told(game, question) is not None
    return path_query(move, game.board, rules.scale, before, before_told=told)


def _sum_up(
    move: Move,
    game: Game,
    rules: RulesInForce,
    verdicts: dict[str, UnitVerdict],
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
        path=_path_shown(move, worst),
        bill=worst.route_breakdown.bill if worst.route_breakdown else None,
        unknowns=tuple(unknowns)[:MOST_UNKNOWNS] if worst.verdict == "unverifiable" else (),
        remark=worst.remark,
        form=worst.form,
        overdrawn=max(
            (o.overdrawn for o in every if o.overdrawn is not None),
            key=lambda one: one.bill.shortfall or 0,
            default=None,
        ),
    )
    if worst.verdict == "legal" and declared is None:
        return Judgement(judged)
    findings = [*_accusations(move, game, verdicts), *_short(move, game, rules, verdicts, declared)]
    if worst.verdict == "unverifiable":
        findings.append(open_question(game, judged, FACTS))
    return Judgement(judged, tuple(findings))


def _path_shown(move: Move, found: UnitVerdict) -> tuple[str, ...]:
    """The path of a verdict; for an open move, only the parts that are known on the board."""
    paid = found.route_breakdown
    if paid is None:
        return ()
    hexes = paid.route.hexes(move.origin.name)
    if found.verdict != "unverifiable":
        return hexes
    return told_hexes(hexes, paid.untold, {place.name for place in move.waypoints})


def _gravity(found: UnitVerdict) -> tuple[int, int, Fraction]:
    breaches, short = found.offence.weight if found.offence else (0, Fraction(0))
    return GRAVITY[found.verdict], breaches, short


def _accusations(move: Move, game: Game, verdicts: dict[str, UnitVerdict]) -> Iterator[Finding]:
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
        )


def _short(
    move: Move,
    game: Game,
    rules: RulesInForce,
    verdicts: dict[str, UnitVerdict],
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
        yield replace(found, bill=verdict.route_breakdown.bill)
