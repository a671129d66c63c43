"""Movement forms that a pack may have failed to declare, by which units move farther than it allows."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import replace
from fractions import Fraction
from typing import Any

from ...model.bill import Amount
from ...model.finding import Finding
from ...model.game import Game, StepRef
from ...model.suspect import PackFact
from ..judge import Judgement
from ..ruleset import Budget, Circumstances, Mover, RulesInForce, Scenario, World
from .accused import Accusation

MOST_TIMES = 2
"""A movement form that is not declared is tried with so many times the allowance."""


def forms(game: Game, accused: Iterable[Accusation]) -> list[PackFact]:
    """Movement forms that the pack may have failed to declare, one for each phase and class of units.

    A form is proposed where drags in the phase cost more than 1.5 times the upper bound of the allowance, and
    at most twice that bound.
    """
    found: dict[PackFact, set[StepRef]] = defaultdict(set)
    for one in accused:
        bill = one.finding.bill
        allowance = None if bill is None else bill.allowance
        if bill is None or allowance is None or allowance.hi is None or not one.finding.units:
            continue
        if allowance.hi * Fraction(3, 2) < bill.total.lo <= allowance.hi * MOST_TIMES:
            phase, unit = one.finding.phase.phase or "", one.finding.units[0]
            found[PackFact("form", phase, instead=class_of(game, unit))].add(one.step)
    return sorted(found, key=lambda f: -len(found[f]))


def may_help(fact: PackFact, judgement: Judgement, game: Game) -> bool:
    """Whether the undeclared form ``fact`` may make an illegal move legal: the move lies in the form's phase,
    all its units are of the form's class, and it goes no farther than the form."""
    move = judgement.judged.move
    names = {class_of(game, unit) for unit in move.units}
    wrong = [found for found in judgement.findings if found.verdict == "illegal"]
    fits = move.phase.phase == fact.cell and names == {fact.instead}
    return fits and not (wrong and all(map(_is_too_far, wrong)))


def _is_too_far(found: Finding) -> bool:
    """Whether nothing is wrong with a move but that it costs more than the raised allowance."""
    bill = found.bill
    if found.kind != "missed-mp-cost" or bill is None or bill.credit is not None:
        return False
    most = None if bill.allowance is None else bill.allowance.hi
    return most is not None and bill.shortfall > most * (MOST_TIMES - 1)


def class_of(game: Game, unit: str) -> str:
    """The value of a unit's attribute ``class``; ``"units"`` if it has none or it is not known."""
    known = game.units.get(unit)
    value = known.fact("class").value if known is not None else None
    return str(value) if value is not None else "units"


class RaisedAllowanceRules:
    """Rules in force under which every allowance is multiplied by :data:`MOST_TIMES`."""

    def __init__(self, rules: RulesInForce) -> None:
        self._rules = rules
        self.clauses, self.readings = rules.clauses, rules.readings
        self.scale, self.declared_clause = rules.scale, rules.declared_clause
        self.stacking, self.order = rules.stacking, rules.order

    def scenarios(self, unit: str, circumstances: Circumstances) -> tuple[Scenario, ...]:
        """The scenarios of the rules, with movers that may spend more."""
        return tuple(
            replace(
                scenario, movers=tuple(_RaisedAllowanceMover(mover) for mover in scenario.movers)
            )
            for scenario in self._rules.scenarios(unit, circumstances)
        )


class _RaisedAllowanceMover:
    def __init__(self, mover: Mover) -> None:
        self._mover = mover
        self.form, self.barred = mover.form, mover.barred
        self.perhaps_barred = mover.perhaps_barred
        self.budget: Budget = _more(mover.budget)

    def graph(self, world: World) -> Any:
        """The mover's own movement graph."""
        return self._mover.graph(world)


def _more(budget: Budget) -> Budget:
    if budget.amount is None:
        return budget
    lo, hi = budget.amount.lo, budget.amount.hi
    times = Fraction(MOST_TIMES)
    return replace(budget, amount=Amount(lo * times, None if hi is None else hi * times))
