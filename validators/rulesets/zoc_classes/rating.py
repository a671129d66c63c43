"""The MA of a unit: its printed rating, as supply and load change it (6.A.1, 6.A.4)."""

from __future__ import annotations

from fractions import Fraction
from typing import NamedTuple

from ....model.bill import ZERO, Amount
from ...engine.mover_view import MoverView
from ...engine.step import Step
from ...engine.subject import Subject
from .terms import half

HALF = Fraction(1, 2)


class Mps(NamedTuple):
    """An allowance while it is worked out. ``stages``: how, as (clause, reason). ``owing``: the MPs of the
    "+# MP" marker that it is too small to pay."""

    amount: Amount
    stages: tuple[tuple[str, str], ...] = ()
    owing: Amount = ZERO

    def becomes(self, amount: Amount, clause: str, reason: str) -> Mps:
        """Another amount; a stage only if it differs."""
        if amount == self.amount:
            return self
        return self._replace(amount=amount, stages=(*self.stages, (clause, reason)))


def scaled(amount: Amount, factor: Fraction) -> Amount:
    return Amount(amount.lo * factor, None if amount.hi is None else amount.hi * factor)


def minus(amount: Amount, less: Amount) -> Amount:
    """The amount less another, at least 0."""
    lo = ZERO.lo if less.hi is None else max(ZERO.lo, amount.lo - less.hi)
    return Amount(lo, None if amount.hi is None else max(ZERO.lo, amount.hi - less.lo))


def up_to(amount: Amount) -> Amount:
    return Amount(ZERO.lo, amount.hi)


# -- the MA ----------------------------------------------------------------------------------------


def ma(mover: MoverView) -> Mps:
    """The MA: the printed rating, changed by supply and load (6.A.1)."""
    found = Mps(mover.bounds("ma"))
    return loaded(mover, supplied(mover, found))


def supplied(mover: MoverView, found: Mps) -> Mps:
    """Out of supply halves the rating (6.A.1-b); what other states do a pack supplies."""
    if not mover.rule("6.A.1-b"):
        return found
    if mover.fact("supply").options is None:
        mover.opens("supply")
        return found.becomes(up_to(found.amount), "6.A.1-b", "supply state not known")
    state = mover.word("supply")
    reason = f"supply: {state}"
    return found.becomes(by_supply(mover, found.amount, state), "6.A.1-b", reason)


def by_supply(mover: Subject, rating: Amount, state: str) -> Amount:
    factor = supply_factor(mover, state)
    if factor == Amount.exactly(HALF):
        hi = None if rating.hi is None else half(mover, rating.hi, "supply_half")
        return Amount(half(mover, rating.lo, "supply_half"), hi)
    return up_to(rating) if factor.hi is None else scaled(rating, factor.lo)


def supply_factor(mover: Subject, state: str) -> Amount:
    named = {name.lower(): name for name in mover.tables["supply"]["factors"]}
    text = f"by what does the supply state {state} multiply the movement rating?"
    key = f"cost of the supply state {state} for units"
    return mover.number(("supply", "factors", named.get(state, state)), key, text)


def loaded(mover: MoverView, found: Mps) -> Mps:
    """A support division that carries supplies has less (6.A.4-c); how much a pack supplies."""
    if not mover.rule("6.A.4-c") or not mover.is_("load", "true"):
        return found
    return found.becomes(by_load(mover, found.amount), "6.A.4-c", "loaded")


def by_load(mover: Subject, amount: Amount) -> Amount:
    text = "by what does a load multiply the allowance of a support division?"
    key = "cost of the load of a support division for units"
    factor = mover.number(("load", "factor"), key, text)
    return up_to(amount) if factor.hi is None else scaled(amount, factor.lo)


def rated(step: Step, rating: Fraction) -> Fraction:
    """What a unit with a rating has as its MA, where costs go by that and not by the rating."""
    amount = Amount.exactly(rating)
    if step.rule("6.A.1-b"):
        amount = by_supply(step, amount, step.word("supply"))
    if step.rule("6.A.4-c") and step.is_so("load"):
        amount = by_load(step, amount)
    return amount.lo
