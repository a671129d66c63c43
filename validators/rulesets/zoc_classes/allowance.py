"""The movement allowance of a unit in a phase: the rating, changed by supply, load, phase, weather, night and
"+# MP" marker (6.A.1, 6.D, 6.E).

Each stage computes the bounds of its result from the bounds of the amount before it. That is exact because
every stage is monotone in that amount.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from functools import reduce
from math import ceil, floor

from ....model.bill import ZERO, Amount
from ....model.fact import Fact, MissingFact
from ....model.unit import Unit
from ...allowance import hull
from ...concepts import missing_facts
from ...concepts.completions import Facts
from ...ruleset import WeightedFact
from . import ruleset_facts
from .cells import half
from .tables import CLASSES, Tables
from .weather_zones import ZonesOfMove

FULL = ("full", "")
_SAID = {
    "full": "all of it in the phase",
    "up": "half in the phase, rounded up",
    "down": "half in the phase",
    "none": "nothing in the phase",
}
_ANY_CELLS = (FULL, ("down", ""), ("up", ""), ("none", ""))
_HALF = Fraction(1, 2)


@dataclass(slots=True)
class Allowance:
    """The allowance after some of the stages, in MPs. ``stages``: how it was computed, as (clause, reason).
    ``missing``: the facts that would make it exact. ``owing``: MPs of the "+# MP" marker that the allowance
    is too small to pay."""

    amount: Amount
    stages: list[tuple[str, str]] = field(default_factory=list)
    missing: list[WeightedFact] = field(default_factory=list)
    owing: Amount = ZERO

    def becomes(self, amounts: Iterable[Amount], clause: str, reason: str) -> None:
        """Set the amount to the range that contains all of ``amounts``. The stage is recorded only if the
        amount changes."""
        found: Amount | None = None
        for amount in amounts:
            found = amount if found is None else hull(found, amount)
        assert found is not None
        if found != self.amount:
            self.amount = found
            self.stages.append((f"ZC-{clause}", reason))

    def ask(self, unknown: MissingFact) -> None:
        """Add a missing fact."""
        self.missing.append(WeightedFact(unknown))

    def copy(self) -> Allowance:
        """A copy that can be changed without changing this one."""
        return Allowance(self.amount, list(self.stages), list(self.missing), self.owing)

    def and_more(self, extra: Amount) -> Amount:
        """The amount with ``extra`` MPs added, which first pay for the rest of the marker (6.A.4-f)."""
        # If MPs are owing, the amount is 0. So the bounds of the two may be combined.
        return _minus(self.amount + extra, self.owing)


def of_fact(fact: Fact) -> Amount:
    """The number of MPs that a fact gives. Negative numbers count as 0; from 0 without an upper bound if the
    fact gives no number."""
    high = None if fact.high is None else max(ZERO.lo, fact.high)
    return Amount(max(ZERO.lo, fact.low or ZERO.lo), high)


def scaled(amount: Amount, factor: Fraction) -> Amount:
    """``amount`` times ``factor``."""
    return Amount(amount.lo * factor, None if amount.hi is None else amount.hi * factor)


def movement_allowance(unit: Unit, facts: Facts, tables: Tables) -> Allowance:
    """The MA: the printed rating, changed by supply and load (6.A.1)."""
    found = Allowance(of_fact(facts["ma"]))
    if not found.amount.is_exact:
        found.ask(missing_facts.of_unit(unit, "ma"))
    _supply(found, unit, facts["supply"], tables)
    _load(found, unit, facts["load"], tables)
    return found


def _supply(found: Allowance, unit: Unit, supply: Fact, tables: Tables) -> None:
    if not tables.applies("6.A.1-b"):
        return
    rating, states = found.amount, supply.options
    whole = Amount(ZERO.lo, rating.hi)
    if states is None:
        found.becomes((whole,), "6.A.1-b", "supply state not known")
        found.ask(missing_facts.of_condition("supply"))
        return
    amounts = []
    for state in states:
        factor = tables.supply.get(str(state))
        if factor is None:
            amounts.append(whole)
            text = f"by what does the supply state {state} multiply the movement rating?"
            found.ask(
                ruleset_facts.cost(
                    f"the supply state {state} for units", text, "supply", "factors", str(state)
                )
            )
        elif factor == _HALF:
            amounts.append(halved(rating, tables.reading("supply_half")))
        else:
            amounts.append(scaled(rating, factor))
    if len(states) > 1:
        found.ask(missing_facts.of_condition("supply"))
    found.becomes(amounts, "6.A.1-b", f"supply: {' or '.join(map(str, states))}")
    told = len(states) == 1 and str(states[0]) in tables.supply
    if rating.is_exact and told and not found.amount.is_exact:
        found.ask(ruleset_facts.reading("supply_half"))


def halved(amount: Amount, reading: str) -> Amount:
    """Half an amount. ``reading``: how it is rounded, see :func:`.cells.half`."""
    hi = None if amount.hi is None else half(amount.hi, reading)[1]
    return Amount(half(amount.lo, reading)[0], hi)


def _load(found: Allowance, unit: Unit, load: Fact, tables: Tables) -> None:
    """Reduce the allowance of a support division that carries supplies (6.A.4-c)."""
    if load.must_be(False) or not tables.applies("6.A.4-c"):
        return
    amount = found.amount
    reduced = Amount(ZERO.lo, amount.hi)
    if tables.load is not None:
        reduced = scaled(amount, tables.load)
    elif load.must_be(True):
        text = "by what does a load multiply the allowance of a support division?"
        found.ask(
            ruleset_facts.cost("the load of a support division for units", text, "load", "factor")
        )
    if load.must_be(True):
        found.becomes((reduced,), "6.A.4-c", "loaded")
        return
    found.ask(missing_facts.of_unit(unit, "load"))
    found.becomes((amount, reduced), "6.A.4-c", "perhaps loaded")


def cells(facts: Facts, phase: str, reserve: bool, tables: Tables) -> set[tuple[str, str]]:
    """The shares of the MA that the classes possible for the unit have in a phase (6.D.5), as (share,
    clause). ``reserve``: it moves as a reserve."""
    if phase == "combat":
        return {FULL}
    if not phase:
        return set(_ANY_CELLS)
    options = facts["class"].options
    names = [str(option) for option in options] if options is not None else list(CLASSES)
    if not all(name in CLASSES for name in names):
        return set(_ANY_CELLS)
    return {_cell(name, phase, reserve, tables) for name in names}


def _cell(name: str, phase: str, reserve: bool, tables: Tables) -> tuple[str, str]:
    """The share and clause of one class, with switched-off clauses left out."""
    share = tables.limits["reserve" if reserve else "others"][name][phase]
    clause = _clause(name, phase, reserve)
    if not tables.applies(clause):
        return ("down", "") if clause == "6.D.4-b" else FULL
    return share, clause


def _clause(name: str, phase: str, reserve: bool) -> str:
    """The clause that gives one cell of the table 6.D.5."""
    if phase == "reaction":
        return "6.D.3-b" if reserve else "6.D.3-a"
    if phase == "initial":
        if not reserve:
            return ""
        return "6.D.2-c" if name == "non-motorized" else "6.D.2-b"
    if name == "c/m":
        return "6.D.4-b" if reserve else "6.D.4-a"
    if not reserve:
        return "6.D.4-d"
    return "6.D.4-c" if name == "s/m" else "6.D.4-a"


def of_phase(found: Allowance, shares: set[tuple[str, str]], tables: Tables) -> None:
    """Reduce the allowance to its share in the phase (6.D)."""
    amount = found.amount
    amounts = [_share(amount, share, _reading_of(clause, tables)) for share, clause in shares]
    clause = next((clause for _, clause in sorted(shares, reverse=True) if clause), "6.D.5-T")
    found.becomes(amounts, clause, " or ".join(sorted({_SAID[share] for share, _ in shares})))
    if len(shares) == 1 and amount.is_exact and not found.amount.is_exact:
        found.ask(ruleset_facts.reading("phase_half"))


def _reading_of(clause: str, tables: Tables) -> str:
    """How half an MA is rounded down by ``clause``. For reaction the example of 6.D.5 settles it."""
    return "down" if clause == "6.D.3-b" else tables.reading("phase_half")


def _share(amount: Amount, share: str, reading: str) -> Amount:
    match share:
        case "full":
            return amount
        case "up":
            return Amount(*(None if n is None else Fraction(ceil(n / 2)) for n in _ends(amount)))  # type: ignore[arg-type]
        case "down":
            kept = scaled(amount, _HALF)
            lo = kept.lo if reading == "keep" else Fraction(floor(kept.lo))
            hi = kept.hi
            if reading == "down" and hi is not None:
                hi = Fraction(floor(hi))
            return Amount(lo, hi)
    return ZERO


def _ends(amount: Amount) -> tuple[Fraction, Fraction | None]:
    return amount.lo, amount.hi


def of_weather(found: Allowance, weather: Fact, zones: ZonesOfMove, tables: Tables) -> None:
    """Multiply the allowance by the factor of the weather (6.A.4-i). The text does not say which weather
    counts for a move in weather zones. One that it may only pass can raise its allowance, not reduce it: the
    player may have gone another way."""
    if not tables.applies("6.A.4-i"):
        return
    reading = tables.reading("zone_allowance")
    before, amounts = found.copy(), []
    for key, fact in zones.weathers(weather, reading).items():
        one = before.copy()
        _by_weather(one, key, fact, tables)
        found.missing += [entry for entry in one.missing if entry not in found.missing]
        amounts.append(one.amount)
    least = min(amount.lo for amount in amounts)
    for zone, fact in zones.passed.items():
        one = before.copy()
        _by_weather(one, f"weather {zone}", fact, tables)
        amounts.append(Amount(least, one.amount.hi))
    if len({amount.hi for amount in amounts}) > 1 or len({amount.lo for amount in amounts}) > 1:
        found.ask(ruleset_facts.reading("zone_allowance"))
    found.becomes(amounts, "6.A.4-i", "weather")


def _by_weather(found: Allowance, key: str, weather: Fact, tables: Tables) -> None:
    """Multiply the allowance by the factor of the weather that the condition ``key`` gives."""
    amount = found.amount
    states: list[str | None] = [None]
    if weather.options is not None:
        states = [str(option) for option in weather.options]
    amounts = []
    for state in states:
        chart = tables.charts.get(state) if state is not None else None
        if chart is None or chart.factor is None:
            amounts.append(Amount(ZERO.lo, amount.hi))
        else:
            amounts.append(scaled(amount, chart.factor))
    found.becomes(amounts, "6.A.4-i", "weather")
    if len(states) > 1 or states[0] is None:
        found.ask(missing_facts.of_condition(key))
    elif amounts[0] != amount and not amounts[0].is_exact:
        text = f"by what does {states[0]} weather multiply movement allowances?"
        units = f"movement in {states[0]} weather for units"
        found.ask(ruleset_facts.cost(units, text, "weather", str(states[0]), "factor"))


def after_debt(
    found: Allowance, debt: Fact, owing: MissingFact, night: Fact, tables: Tables
) -> None:
    """Reduce the allowance at night (6.E-b) and by the "+# MP" marker that must be paid first (6.A.3-1a), in
    either order. ``owing``: the question about the marker."""
    debt_mps = of_fact(debt) if tables.applies("6.A.3-1a") else ZERO
    if debt_mps.hi is None or not debt_mps.is_exact:
        found.ask(owing)
    before = found.amount
    kept: list[tuple[Amount, Amount]] = []
    applies = tables.applies("6.E-b")
    if not applies or not night.must_be(True):
        kept.append((_minus(before, debt_mps), _minus(debt_mps, before)))
    if applies and not night.must_be(False):
        kept += _at_night(before, debt_mps, tables)
        if not night.must_be(True):
            found.ask(missing_facts.of_condition("night"))
    amounts = [amount for amount, _ in kept]
    found.owing = reduce(hull, (owing for _, owing in kept))
    clause = "6.E-b" if applies and not night.must_be(False) else "6.A.3-1a"
    reason = "night" if clause == "6.E-b" else f"marker of {debt_mps} MPs"
    found.becomes(amounts, clause, reason)
    if night.must_be(True) and before.is_exact and not found.amount.is_exact:
        options = ("night_debt", "night_rounding") if debt_mps != ZERO else ("night_rounding",)
        for option in options:
            if tables.reading(option) == "any":
                found.ask(ruleset_facts.reading(option))


def _at_night(before: Amount, debt_mps: Amount, tables: Tables) -> Iterator[tuple[Amount, Amount]]:
    """At night: the possible amounts, each with the MPs of the marker that remain unpaid."""
    order, rounding = tables.reading("night_debt"), tables.reading("night_rounding")
    less = Amount.exactly(_HALF)
    for first in ("before", "after"):
        if order in ("any", first):
            if first == "before":
                night = _minus(scaled(_minus(before, debt_mps), _HALF), less)
                due, due_before = ZERO, _minus(debt_mps, before)
            else:
                night = _minus(scaled(before, _HALF), less)
                due, due_before = debt_mps, ZERO
            for there in _rounded_at_night(night, rounding):
                yield _minus(there, due), _minus(due, there) + due_before


def _rounded_at_night(night: Amount, rounding: str) -> Iterator[Amount]:
    if rounding != "up":
        yield night
    if rounding != "keep":
        hi = None if night.hi is None else Fraction(ceil(night.hi))
        yield Amount(Fraction(ceil(night.lo)), hi)


def _minus(amount: Amount, less: Amount) -> Amount:
    """``amount`` minus ``less``, at least 0."""
    lo = ZERO.lo if less.hi is None else max(ZERO.lo, amount.lo - less.hi)
    hi = None if amount.hi is None else max(ZERO.lo, amount.hi - less.lo)
    return Amount(lo, hi)
