"""The allowance of a unit in one segment: its printed MA, times a factor for its mode and for DG (6.1h)."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from math import floor
from typing import NamedTuple

from ....model.bill import Amount
from ....model.unit import Unit
from ...allowance import hull
from ...concepts.completions import Facts
from ...concepts.requirements import question
from ...ruleset import WeightedFact
from . import ruleset_facts
from .tables import MODES, SEGMENTS, Tables

_CLAUSE_OF_MODE = {
    "strat": "X-5.S",
    "reserve": "X-5.R",
    "released": "X-5.R",
    "exploitation": "X-5.E",
}
_ZERO = Fraction(0)
_ONE = Amount.exactly(1)


class Allowance(NamedTuple):
    """An allowance in MPs, the facts that would make it exact, and the stages of the calculation for the
    bill as (clause, text)."""

    amount: Amount
    missing: tuple[WeightedFact, ...]
    stages: tuple[tuple[str, str], ...]


def movement_allowance(unit: Unit, facts: Facts, segment: str, tables: Tables) -> Allowance:
    """The allowance of a unit by its mode. ``segment``: '' if not known."""
    printed = facts["ma"]
    high = None if printed.high is None else max(_ZERO, printed.high)
    amount = Amount(max(_ZERO, printed.low or _ZERO), high)
    missing = [] if amount.is_exact else [WeightedFact(question(unit, "ma"))]
    stages: list[tuple[str, str]] = []
    for clause, factor, reason in _factors(facts, segment, tables):
        if factor == _ONE or not tables.applies(clause) or not tables.applies("6.1h-a"):
            continue
        upper = None if amount.hi is None else amount.hi * (factor.hi or _ZERO)
        amount = Amount(amount.lo * factor.lo, upper)
        stages.append((f"OCS-{clause}", f"{reason}: times {factor}"))
        if not factor.is_exact:
            missing += _missing_of_factor(unit, facts, segment, clause == "X-5.DG")
    if not tables.applies("6.1h-b"):
        whole = None if amount.hi is None else Fraction(floor(amount.hi))
        amount = Amount(Fraction(floor(amount.lo)), whole)
    elif amount.is_exact and amount.lo.denominator > 1 and stages:
        stages.append(("OCS-6.1h-b", "the fraction is kept"))
    return Allowance(amount, tuple(missing), tuple(stages))


def _missing_of_factor(unit: Unit, facts: Facts, segment: str, dg: bool) -> Iterator[WeightedFact]:
    """The facts that would make a factor of the allowance exact."""
    about = "dg" if dg else "mode"
    if not facts[about].is_known:
        yield WeightedFact(question(unit, about))
    elif dg:
        yield WeightedFact(ruleset_facts.factor("DG", ""))
    elif segment:
        yield WeightedFact(ruleset_facts.factor(str(facts["mode"].value), segment))


def _factors(facts: Facts, segment: str, tables: Tables) -> Iterator[tuple[str, Amount, str]]:
    """The factors of the allowance, each as (clause, factor, reason)."""
    mode = facts["mode"]
    modes = [str(option) for option in mode.options] if mode.options else list(MODES)
    found: Amount | None = None
    for name in modes:
        row = tables.factors.get(name)
        for part in (segment,) if segment else SEGMENTS:
            factor = row[part] if row is not None else Amount(_ZERO, Fraction(2))
            found = factor if found is None else hull(found, factor)
    clause = _CLAUSE_OF_MODE.get(modes[0], "6.1h-a") if len(modes) == 1 else "6.1h-a"
    named = modes[0] if len(modes) == 1 else "unknown"
    yield clause, found or _ONE, f"mode {named}" + (f" in {segment}" if segment else "")
    if not facts["dg"].must_be(False):
        dg = tables.dg
        yield "X-5.DG", dg if facts["dg"].must_be(True) else hull(_ONE, dg), "DG"
