"""The chart ``allowance``: how far units go, and which may not move at all."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from typing import Any

from ....model.bill import Amount
from ....model.fact import Fact
from ...allowed_facts import number_in
from ...concepts.charts import OTHERS, number
from ...cost_interval import Stage, hull
from ...engine.allowance import Mp
from ...engine.clauses import ClauseFunction, allowance, cost, forbid_move
from ...engine.mover_view import MoverView
from ...engine.step import Step
from ...ruleset import Requirement
from .terms import Reading, RulesOfTables, rules_of, tables_of

ANY = Amount(Fraction(0), None)


@dataclass(frozen=True, slots=True)
class Allowance:
    """``attribute``: holds the allowance of a unit; empty: none does. ``by_class``: class → allowance.
    ``limited``: no more may be spent. ``hexes``: hexes are counted, not MPs. ``stages``: what changes the
    allowance, and on whom. ``immobile``: why a unit does not move that meets the requirements."""

    attribute: str
    by_class: Mapping[str, Fraction]
    limited: bool
    hexes: bool
    minimum_move: bool
    stages: tuple[tuple[Stage, tuple[Requirement, ...]], ...]
    immobile: tuple[tuple[str, tuple[Requirement, ...]], ...]
    immobile_at_zero: bool

    @property
    def denominators(self) -> Iterator[int]:
        """Denominators of the numbers that allowances are made of. An allowance of less than one part of an
        MP would be rounded down to none, and a hex that takes it all would then take nothing."""
        yield from (amount.denominator for amount in self.by_class.values())
        yield from (stage.value.denominator for stage, _ in self.stages)


def read(reading: Reading) -> Allowance:
    """The chart."""
    chart, off = reading.plain["allowance"], reading.off
    return Allowance(
        attribute=chart.get("attribute", ""),
        by_class=_by_class(chart.get("by_class", {}), reading.names),
        limited="GEN-ALLOWANCE" not in off,
        hexes=chart.get("counts") == "hexes" and "GEN-HEXES" not in off,
        minimum_move=bool(chart.get("minimum_move")) and "GEN-MINIMUM" not in off,
        stages=() if "GEN-MODIFIER" in off else _stages(reading),
        immobile=() if "GEN-IMMOBILE" in off else _immobile(reading),
        immobile_at_zero="GEN-IMMOBILE" not in off,
    )


def _by_class(plain: Mapping[str, Any], names: tuple[str, ...]) -> Mapping[str, Fraction]:
    others = plain.get(OTHERS)
    told = {name: plain.get(name, others) for name in names}
    return {name: number(amount) for name, amount in told.items() if amount is not None}


def _stages(reading: Reading) -> tuple[tuple[Stage, tuple[Requirement, ...]], ...]:
    return tuple(
        (
            Stage(m["op"], number(m["value"]), m.get("round", ""), m.get("reason", "")),
            reading.tests(m.get("if", ())),
        )
        for m in reading.plain["allowance"].get("modifiers", ())
    )


def _immobile(reading: Reading) -> tuple[tuple[str, tuple[Requirement, ...]], ...]:
    return tuple(
        (i.get("reason", "may not move"), reading.tests(i["if"]))
        for i in reading.plain["allowance"].get("immobile", ())
    )


@allowance("GEN-ALLOWANCE")
def movement_allowance(mover: MoverView) -> Mp:
    """A unit spends no more than its allowance in one phase: the printed one, changed by what applies."""
    chart = tables_of(mover).allowance
    unit = "hexes" if chart.hexes else "MP"
    minimum = "GEN-MINIMUM" if chart.minimum_move else ""
    mp = Mp(in_force(mover), "GEN-ALLOWANCE", (), unit, minimum)
    for stage, needs in chart.stages:
        if mover.meets(needs):
            mp = mp.because("GEN-MODIFIER", stage.reason or f"{stage.op} {stage.value}")
    return mp if chart.limited else mp._replace(amount=None)


def in_force(mover: MoverView) -> Amount:
    """The allowance after all that changes it. A chart that is not whole may lack the last change."""
    tables = tables_of(mover)
    if not tables.complete.has("allowance"):
        return mover.bounded(ANY, *tables.complete.questions("allowance"))
    amount = printed(mover)
    for stage, needs in tables.allowance.stages:
        if mover.meets(needs):
            amount = stage.apply(amount)
    if not amount.is_exact:
        return mover.bounded_by(amount, tables.allowance.attribute or tables.class_attribute)
    return amount


def printed(mover: MoverView) -> Amount:
    """The allowance of the counter, or of its class."""
    chart, zero = tables_of(mover).allowance, Fraction(0)
    if chart.attribute:
        fact = mover.told_of(chart.attribute)
        if not is_word(fact) or not chart.by_class:
            fact = in_numbers(fact)
            return Amount(
                max(zero, fact.low or zero), None if fact.high is None else max(zero, fact.high)
            )
    classes, found = rules_of(mover).classes(mover.cls), chart.by_class
    amounts = [Amount.exactly(found[c]) if c in found else ANY for c in classes]
    result = amounts[0]
    for amount in amounts[1:]:
        result = hull(result, amount)
    return result


def is_word(fact: Fact) -> bool:
    """Whether an allowance is a word such as "-": then the unit's class tells it. What has digits in it is
    a number, or not known."""
    return isinstance(fact.value, str) and not any(map(str.isdigit, fact.value))


def in_numbers(fact: Fact) -> Fact:
    """``fact`` with numbers for those of its values that are numbers written as text."""
    if fact.options is None:
        return fact
    read = ((one, number_in(one) if isinstance(one, str) else None) for one in fact.options)
    return replace(fact, options=tuple(one if number is None else number for one, number in read))


@forbid_move("GEN-IMMOBILE", "has a movement allowance of 0")
def nothing_left(mover: MoverView) -> bool:
    """A unit with an allowance of 0 does not move."""
    return tables_of(mover).allowance.limited and mover.is_zero(in_force(mover))


@forbid_move("GEN-IMMOBILE", "may not move")
def perhaps_immobile(mover: MoverView) -> bool:
    """The chart may leave out who may not move."""
    return not mover.stated("allowance")


def clauses_of(rules: RulesOfTables) -> Iterator[ClauseFunction]:
    """The clauses of the chart: how far units go, and which may not move at all."""
    yield movement_allowance
    if rules.typed.allowance.hexes:
        yield hexes
    if rules.typed.allowance.immobile_at_zero:
        yield from (nothing_left, perhaps_immobile)
        for reason, needs in rules.typed.allowance.immobile:
            yield forbid_move("GEN-IMMOBILE", reason)(partial(immobile, needs))


def immobile(needs: tuple[Requirement, ...], mover: MoverView) -> bool:
    """Units that meet some requirements do not move."""
    return mover.meets(needs) and mover.stated("allowance")


@cost("GEN-HEXES", "one hex")
def hexes(step: Step) -> int:
    """Where hexes are counted, every hex is one."""
    return 1 if tables_of(step).allowance.hexes else 0
