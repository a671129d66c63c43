"""Budgets: the last step may be on credit, and a "+# MP" marker must then be on the unit (6.A.3, 6.A.4)."""

from __future__ import annotations

from fractions import Fraction

from ....model.bill import ZERO, Amount
from ....model.fact import Fact
from ....model.game import StepRef
from ....model.unit import Unit
from ...concepts import missing_facts
from ...ruleset import Budget, Policy, WeightedFact
from . import ruleset_facts
from .allowance import Allowance
from .tables import Tables
from .unit_history import PhaseValues

ONE = Fraction(1)
NOTHING_YET = Fraction(0)


def marker(numbers: PhaseValues, old: Fact) -> Amount:
    """The number on the "+# MP" marker put on a unit in a phase. ``old``: what was on it when the phase
    began. From 0 if the marker at the end may still be the old one; without an upper bound if the end of the
    phase, or a number, is not known."""
    shown = numbers.values[1:] or numbers.values
    highs = [value.high for value in (*shown, *(() if numbers.late is None else (numbers.late,)))]
    known = [high for high in highs if high is not None]
    told = numbers.ended and not numbers.gone and len(known) == len(highs)
    hi = max(known) if told else None
    last = numbers.values[-1].low or NOTHING_YET
    fresh = len(numbers.values) > 1 or old.must_be(NOTHING_YET)
    lo = max(NOTHING_YET, last) if fresh else NOTHING_YET
    return Amount(lo, hi if hi is None else max(lo, hi))


def _missing(
    unit: Unit, numbers: PhaseValues, at: StepRef, tables: Tables, exact: bool
) -> tuple[WeightedFact, ...]:
    """The missing facts that would make the number on the marker exact. ``exact``: its rounding does not
    matter."""
    found = []
    if numbers.gone or not numbers.ended or numbers.late is not None:
        found.append(WeightedFact(ruleset_facts.marker_at_end(unit, at).unknown()))
    if not all(value.is_known for value in numbers.values):
        found.append(WeightedFact(missing_facts.of_unit(unit, "debt")))
    if not exact:
        found.append(WeightedFact(ruleset_facts.reading("marker_rounding")))
    return tuple(found)


def _excess(
    allowance: Allowance | None,
    rating: Fact,
    halves: bool,
    unit: Unit,
    numbers: PhaseValues,
    old: Fact,
    at: StepRef,
    tables: Tables,
) -> tuple[Amount | None, str, tuple[WeightedFact, ...]]:
    """By how many MPs a unit may overspend, given the marker on it (None: any number), the clause for that,
    and the missing facts. The text does not say how a fraction is rounded on the marker, so less than one MP
    more may be possible. ``allowance``: None in an advance after combat."""
    number = marker(numbers, old)
    clause = "6.A.3-b" if number.hi is None or number.hi > 0 else "6.A.3-a"
    if not tables.applies(clause):
        return None, f"ZC-{clause}", ()
    reading = tables.reading("marker_rounding")
    whole = reading == "up" or _is_whole(allowance, rating, halves, tables)
    part = NOTHING_YET if whole else ONE - Fraction(1, tables.scale)
    lo = number.lo + (part if reading == "down" else 0)
    hi = None if number.hi is None else number.hi + part
    exact = whole or reading == "down"
    return Amount(lo, hi), f"ZC-{clause}", _missing(unit, numbers, at, tables, exact)


def _is_whole(allowance: Allowance | None, rating: Fact, halves: bool, tables: Tables) -> bool:
    """Whether neither the allowance nor any cost can be a fraction of an MP. ``halves``: something on the
    board costs, or may cost, half the rating."""
    even = isinstance(rating.value, Fraction) and rating.value % 2 == 0
    even = even or tables.reading("half_R") in ("down", "up")
    costs = tables.scale == 2 and (even or not halves)
    if allowance is None:
        return costs
    ends = (allowance.amount.lo, allowance.amount.hi)
    return costs and all(end is None or end.denominator == 1 for end in ends)


def ordinary_budget(
    allowance: Allowance,
    rating: Fact,
    halves: bool,
    unit: Unit,
    numbers: PhaseValues,
    old: Fact,
    at: StepRef,
    phase: str,
    tables: Tables,
) -> Budget:
    """The budget of a unit in a movement phase: the allowance, and if at least 1 MP is left a last step that
    overspends by no more than the number on the marker."""
    amount, missing = allowance.amount, tuple(allowance.missing)
    stages = tuple(allowance.stages)
    if not tables.applies("6.A-a"):
        return Budget(None, "ZC-6.D.1-a", stages=stages)
    excess, clause, asked = _excess(allowance, rating, halves, unit, numbers, old, at, tables)
    if phase == "reaction" and tables.applies("6.A.4-g"):
        excess, clause, asked = ZERO, "ZC-6.A.4-g", ()
    elif not phase and excess is not None:
        excess = Amount(NOTHING_YET, excess.hi)
    if not tables.applies("6.D.1-a"):
        more = excess if excess is not None else Amount(NOTHING_YET, None)
        return Budget(amount + more, clause, stages=stages, missing=(*missing, *asked))
    if not tables.applies("6.A.4-h"):
        excess, clause, asked = ZERO, "ZC-6.D.1-a", ()
    policy = Policy("", ONE, "ZC-6.A.4-h", excess, clause, asked, always=True)
    return Budget(amount, "ZC-6.D.1-a", policy=policy, stages=stages, missing=missing)


def advance_budget(
    rating: Fact,
    halves: bool,
    unit: Unit,
    numbers: PhaseValues,
    old: Fact,
    at: StepRef,
    tables: Tables,
) -> Budget:
    """The budget of an advance after combat: the number on the "+# MP" marker (6.A.3-c)."""
    if not tables.applies("6.A.3-c"):
        return Budget(None, "ZC-6.A.3-c")
    excess, _, asked = _excess(None, rating, halves, unit, numbers, old, at, tables)
    stages = (("ZC-6.A.3-c", "the number on its marker: in a combat phase it has no MPs"),)
    return Budget(excess, "ZC-6.A.3-c", stages=stages, missing=asked)
