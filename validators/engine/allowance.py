"""Allowances under construction, the budgets made from them, and the draws on quotas that all units of a
phase share.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import reduce
from typing import NamedTuple

from ...model.bill import Amount
from ..cost_interval import hull
from ..ruleset import Budget, Draw, Policy, Quota, WeightedFact
from .asking import Outcome

MANY = Fraction(10**9)
"""More MPs than any allowance."""


class Credit(NamedTuple):
    """The MPs (``excess``) that the last step may cost beyond the allowance, by ``clause``, if at least
    ``left`` MPs are left before it; with fewer, no step can be made. ``excess`` None: any number, by
    ``excess_clause``."""

    left: Fraction
    clause: str
    excess: Amount | None
    excess_clause: str


def policy_of(full: Callable[[str], str], found: Outcome) -> Policy:
    """The policy for the credit of the last step, from the result of a clause. ``full``: clause → full id."""
    every: list[Credit] = [one for one in found.said or () if one is not None]
    if not every:
        return Policy()
    first = min(every, key=lambda one: -1 if one.excess is None else one.excess.lo)
    amounts = [one.excess for one in every if one.excess is not None]
    excess = reduce(hull, amounts) if amounts else None
    if excess is not None and len(amounts) < len(every):
        excess = Amount(excess.lo, None)
    asked = tuple(map(WeightedFact, found.facts))
    clauses = full(first.clause), full(first.excess_clause)
    return Policy("", first.left, clauses[0], excess, clauses[1], asked, always=True)


class Mp(NamedTuple):
    """An allowance under construction. ``amount`` None: no limit. ``clause``: cited if it is exceeded."""

    amount: Amount | None
    clause: str
    stages: tuple[tuple[str, str], ...] = ()
    unit: str = "MP"
    minimum: str = ""

    def set(self, amount: int, clause: str) -> Mp:
        """The allowance with another amount and clause."""
        return self._replace(amount=Amount.exactly(amount), clause=clause)

    def times(self, clause: str, reason: str, factor: Amount) -> Mp:
        """The allowance times ``factor``."""
        assert self.amount is not None
        hi = None if self.amount.hi is None or factor.hi is None else self.amount.hi * factor.hi
        amount = Amount(self.amount.lo * factor.lo, hi)
        return self._replace(amount=amount).because(clause, reason)

    def plus(self, clause: str, reason: str, more: Amount) -> Mp:
        """The allowance plus ``more``; unchanged if that is 0."""
        if more.hi == 0:
            return self
        assert self.amount is not None
        return self._replace(amount=self.amount + more).because(clause, reason)

    def less(self, clause: str, reason: str, amount: Amount) -> Mp:
        """The allowance less ``amount``, not below 0; unchanged if that is 0. Without a clause, no reason is
        recorded."""
        if amount.hi == 0:
            return self
        assert self.amount is not None
        least, zero = Fraction(0), Fraction(0)
        if amount.hi is not None:
            least = max(zero, self.amount.lo - amount.hi)
        most = None if self.amount.hi is None else max(zero, self.amount.hi - amount.lo)
        found = self._replace(amount=Amount(least, most))
        return found.because(clause, reason) if clause else found

    def because(self, clause: str, reason: str) -> Mp:
        """The allowance with one more reason for its amount."""
        return self._replace(stages=(*self.stages, (clause, reason)))

    def changed(
        self,
        clause: str,
        reason: str,
        times: Fraction = Fraction(1),
        less: int = 0,
        *,
        up: bool = False,
    ) -> Mp:
        """The allowance times ``times``, less ``less``, not below 0; ``up``: rounded up."""
        assert self.amount is not None

        def one(number: Fraction) -> Fraction:
            result = max(Fraction(0), number * times - less)
            return Fraction(result.__ceil__()) if up else result

        lo, hi = self.amount.lo, self.amount.hi
        amount = Amount(one(lo), None if hi is None else one(hi))
        return self._replace(amount=amount, clause=clause).because(clause, reason)


class Takes(NamedTuple):
    """The result of a quota clause: the mover takes ``amount`` of a quota of ``most``. ``name``: the name of
    the quota, worded to follow a number ("trucks of the 99th")."""

    name: str
    most: Fraction
    amount: Fraction = Fraction(1)


def draws_of(
    clause: str, full: Callable[[str], str], found: Outcome, _: object = None
) -> tuple[Draw, ...]:
    """The draws of a mover, from the result of a clause. A draw that only some of the runs return depends on
    the first of the missing facts. ``full``: clause → full id. Raises AssertionError if the result depends on
    a fact that cannot be enumerated."""
    assert found.said is not None, f"{clause} depends on too much that is not known"
    runs: list[tuple[Takes, ...]] = [tuple(said or ()) for said in found.said]
    every = dict.fromkeys(take for run in runs for take in run)
    return tuple(
        Draw(
            Quota(take.name, Amount.exactly(take.most), full(clause)),
            take.amount,
            None if all(take in run for run in runs) else found.facts[0],
        )
        for take in every
    )


def budget_of(full: Callable[[str], str], applies: Callable[[str], bool], found: Outcome) -> Budget:
    """The budget of a mover, from the result of an allowance clause. ``full``: clause → full id; ``applies``:
    clause → whether it is in force."""
    every: list[Mp] = [one for one in found.said or () if one is not None]
    limits = [mp.amount for mp in every if mp.amount is not None]
    first = min(every, key=lambda mp: mp.amount.lo if mp.amount else MANY, default=Mp(None, ""))
    amount = reduce(hull, limits) if limits else None
    if amount is not None and len(limits) < len(every):
        amount = Amount(amount.lo, None)
    if found.said is None:
        amount = Amount(Fraction(0), None)
    elif first.clause and not applies(first.clause):
        amount = None
    minimum = first.minimum if applies(first.minimum) else ""
    return Budget(
        amount,
        full(first.clause),
        first.unit,
        Policy(full(minimum)),
        tuple((full(c), reason) for c, reason in _stages(first, every)),
        tuple(map(WeightedFact, found.facts)),
    )


def _stages(first: Mp, every: Sequence[Mp]) -> list[tuple[str, str]]:
    """The stages of an allowance (clause, reason); those that only some of the runs have begin with
    "perhaps"."""
    return [
        (
            clause,
            reason if all((clause, reason) in mp.stages for mp in every) else f"perhaps {reason}",
        )
        for clause, reason in first.stages
    ]
