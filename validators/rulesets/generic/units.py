"""How far units go and which may not move at all, by the table of allowances. And rules of the game that
these tables cannot express (``[[rules.lacks]]``): moves they affect stay open.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from fractions import Fraction
from functools import partial
from typing import Any

from ....model.bill import Amount
from ....model.fact import Fact
from ...allowed_facts import number_in
from ...concepts.completeness import Completeness
from ...concepts.requirements import read_requirements
from ...cost_interval import hull
from ...engine.allowance import Mp
from ...engine.clauses import ClauseFunction, allowance, forbid_move, interpretation
from ...engine.mover_view import MoverView
from ...ruleset import Requirement
from .tables import Lack, Tables
from .terms import TOPIC, rules_of, tables_of

ANY = Amount(Fraction(0), None)


@allowance("GEN-ALLOWANCE")
def movement_allowance(mover: MoverView) -> Mp:
    """A unit spends no more than its allowance in one phase: the printed one, changed by what applies."""
    tables = tables_of(mover)
    unit = "hexes" if tables.hexes else "MP"
    minimum = "GEN-MINIMUM" if tables.minimum_move else ""
    mp = Mp(in_force(mover), "GEN-ALLOWANCE", (), unit, minimum)
    for stage, needs in tables.stages:
        if mover.meets(needs):
            mp = mp.because("GEN-MODIFIER", stage.reason or f"{stage.op} {stage.value}")
    return mp if tables.limited else mp._replace(amount=None)


def in_force(mover: MoverView) -> Amount:
    """The allowance after all that changes it. A chart that is not whole may lack the last change."""
    tables = tables_of(mover)
    if not tables.complete.has("allowance"):
        return mover.bounded(ANY, *tables.complete.questions("allowance"))
    amount = printed(mover)
    for stage, needs in tables.stages:
        if mover.meets(needs):
            amount = stage.apply(amount)
    if not amount.is_exact:
        return mover.bounded_by(amount, tables.allowance_attribute or tables.class_attribute)
    return amount


def printed(mover: MoverView) -> Amount:
    """The allowance of the counter, or of its class."""
    tables, zero = tables_of(mover), Fraction(0)
    if tables.allowance_attribute:
        fact = mover.told_of(tables.allowance_attribute)
        if not is_word(fact) or not tables.by_class:
            fact = in_numbers(fact)
            return Amount(
                max(zero, fact.low or zero), None if fact.high is None else max(zero, fact.high)
            )
    classes, found = rules_of(mover).classes(mover.cls), tables.by_class
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
    return tables_of(mover).limited and mover.is_zero(in_force(mover))


@forbid_move("GEN-IMMOBILE", "may not move")
def perhaps_immobile(mover: MoverView) -> bool:
    """The chart may leave out who may not move."""
    return not mover.stated("allowance")


def clauses_of(tables: Tables) -> Iterator[ClauseFunction]:
    """The clauses about who may move at all."""
    yield movement_allowance
    if tables.immobile_at_zero:
        yield from (nothing_left, perhaps_immobile)
        for reason, needs in tables.immobile:
            yield forbid_move("GEN-IMMOBILE", reason)(partial(immobile, needs))


def immobile(needs: tuple[Requirement, ...], mover: MoverView) -> bool:
    """Units that meet some requirements do not move."""
    return mover.meets(needs) and mover.stated("allowance")


CLAUSE = "GEN-LACKS"


def read_lacks(
    plain: Iterable[Mapping[str, Any]], off: frozenset[str], complete: Completeness
) -> tuple[Lack, ...]:
    """The rows of ``[[rules.lacks]]``. If the chart is not whole, one more that may exist."""
    if CLAUSE in off:
        return ()
    unsaid = () if complete.has("lacks") else (Lack("a rule", "either", (), (), False),)
    told = tuple(
        Lack(
            row["what"],
            row.get("effect", "hinders"),
            read_requirements(row.get("if", ())),
            tuple(row.get("phases", ())),
        )
        for row in plain
    )
    return (*told, *unsaid)


def lacking(lacks: Iterable[Lack]) -> Iterator[ClauseFunction]:
    """The clauses of rules that these charts cannot express: one that may be broken, and, where a rule may
    help, that the move is one by it, without any limit."""
    for lack in lacks:
        if lack.effect != "helps":
            text = f"breaks a rule that the pack names in words, as is said: {lack.what}"
            yield forbid_move(CLAUSE, text)(partial(broken, lack))
        if lack.effect != "hinders":
            yield interpretation(CLAUSE)(partial(by_it, lack))


def broken(lack: Lack, mover: MoverView) -> bool:
    """The move is not right by the rule."""
    return bears(lack, mover) and not right(lack, mover)


def by_it(lack: Lack, mover: MoverView) -> bool:
    """The move is right by the rule, whatever the others say."""
    return bears(lack, mover) and right(lack, mover)


def bears(lack: Lack, mover: MoverView) -> bool:
    """Whether the rule is about the move."""
    return mover.may_be_in(lack.phases) and mover.meets(lack.requirements)


def right(lack: Lack, mover: MoverView) -> bool:
    """Whether the move is right by the rule."""
    if not lack.told:
        return mover.stated("lacks")
    unit, at = mover.unit, mover.last_drag
    text = f"did the move of {unit.name} obey a rule that the pack names in words: {lack.what}?"
    return mover.told(f"{TOPIC} {lack.what}", text, unit, at)
