"""The allowance pipeline: computes a budget from a printed allowance in ordered stages.

Every stage is monotone in the amount before it, so applying it to both bounds gives bounds of the result. If
it is not known whether a stage applies, the result covers both cases. Amounts are MPs; an upper bound of None
means that none is known.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, floor
from typing import Literal

from ..model.bill import Amount

Op = Literal["add", "subtract", "multiply", "set", "at_least", "at_most"]
Rounding = Literal["", "up", "down"]


@dataclass(frozen=True, slots=True)
class Stage:
    """One stage of the pipeline. ``value`` is never negative; a result below 0 becomes 0."""

    op: Op
    value: Fraction
    round: Rounding = ""
    reason: str = ""

    def apply(self, amount: Amount) -> Amount:
        """The amount after this stage."""
        lo = self._one(amount.lo)
        return Amount(lo, self._unbounded() if amount.hi is None else self._one(amount.hi))

    def _one(self, number: Fraction) -> Fraction:
        match self.op:
            case "add":
                result = number + self.value
            case "subtract":
                result = max(Fraction(0), number - self.value)
            case "multiply":
                result = number * self.value
            case "set":
                result = self.value
            case "at_least":
                result = max(number, self.value)
            case "at_most":
                result = min(number, self.value)
        if self.round == "up":
            return Fraction(ceil(result))
        return Fraction(floor(result)) if self.round == "down" else result

    def _unbounded(self) -> Fraction | None:
        fixed = self.op in ("set", "at_most") or (self.op == "multiply" and self.value == 0)
        return self._one(self.value) if fixed else None


def hull(a: Amount, b: Amount) -> Amount:
    """The smallest range that covers both amounts."""
    hi = None if a.hi is None or b.hi is None else max(a.hi, b.hi)
    return Amount(min(a.lo, b.lo), hi)


def run(amount: Amount, stages: Iterable[tuple[Stage, bool | None]]) -> Amount:
    """``amount`` after all ``stages``. Each stage comes with whether it applies (None: not known)."""
    for stage, applies in stages:
        if applies is False:
            continue
        after = stage.apply(amount)
        amount = after if applies else hull(amount, after)
    return amount
