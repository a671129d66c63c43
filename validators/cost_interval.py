"""Arithmetic with costs and allowances that are not exactly known, for the cost items of all rulesets.

Amounts of costs are whole numbers of 1/scale MP, those of allowances MPs. Each function returns an interval
that contains the true amount for every completion of the facts. A printed allowance becomes a budget in
ordered stages. Every stage is monotone in the amount before it, so applying it to both bounds gives bounds of
the result. An upper bound of None means that none is known.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, floor
from typing import Literal, NamedTuple

from ..model.bill import Amount
from .ruleset import Breach, Rounding, Step, Tag


class CostInterval(NamedTuple):
    """A cost from ``lo`` to ``hi``, in 1/scale MP; ``hi`` None: no upper bound is known.

    ``barred``: whether the step is prohibited; None: not known. ``whole``: whether it takes the whole
    allowance; None: not known. A cost that is certainly barred or certainly whole is not a number; ``lo`` and
    ``hi`` are then 0."""

    lo: int = 0
    hi: int | None = 0
    barred: bool | None = False
    whole: bool | None = False

    @property
    def is_exact(self) -> bool:
        """Whether the cost is completely known."""
        return self.barred is True or (
            self.barred is False and self.whole is not None and self.lo == self.hi
        )


FREE = CostInterval()
ANYTHING = CostInterval(0, None, None, None)
BARRED = CostInterval(0, 0, True)
WHOLE = CostInterval(0, 0, False, True)


def _or(a: bool | None, b: bool | None) -> bool | None:
    if a or b:
        return True
    return None if a is None or b is None else False


def add(a: CostInterval, b: CostInterval) -> CostInterval:
    """The cost if both are due. Amounts are added; a prohibition or "the whole allowance" absorbs them."""
    barred, whole = _or(a.barred, b.barred), _or(a.whole, b.whole)
    if barred or whole:
        return CostInterval(0, 0, barred, whole)
    hi = None if a.hi is None or b.hi is None else a.hi + b.hi
    return CostInterval(a.lo + b.lo, hi, barred, whole)


def total(costs: Iterable[CostInterval]) -> CostInterval:
    """The cost if all of ``costs`` are due."""
    result = FREE
    for cost in costs:
        result = add(result, cost)
    return result


def union(a: CostInterval, b: CostInterval) -> CostInterval:
    """The cost if one of the two is due and it is not known which."""
    if a == b:
        return a
    if a.barred:
        return b._replace(barred=True if b.barred else None)
    if b.barred:
        return a._replace(barred=None)
    barred = a.barred if a.barred == b.barred else None
    if a.whole:
        return CostInterval(b.lo, b.hi, barred, True if b.whole else None)
    if b.whole:
        return CostInterval(a.lo, a.hi, barred, None)
    hi = None if a.hi is None or b.hi is None else max(a.hi, b.hi)
    return CostInterval(min(a.lo, b.lo), hi, barred, a.whole if a.whole == b.whole else None)


def union_all(costs: Iterable[CostInterval]) -> CostInterval:
    """The cost if one of ``costs`` is due and it is not known which. Raises ValueError if there are none."""
    result: CostInterval | None = None
    for cost in costs:
        result = cost if result is None else union(result, cost)
    if result is None:
        raise ValueError("no cost")
    return result


def steps_at(
    cost: CostInterval,
    to: str,
    tag: Tag,
    way: object,
    stops: Breach | None,
    rounding: Rounding | None,
    adverse: bool = False,
) -> tuple[Step, ...]:
    """The steps to hex ``to`` at this cost. None in the favourable world if it is certainly prohibited, and
    none in the adverse world if it may be prohibited or has no upper bound. ``tag``, ``way`` (as ``entry``),
    ``stops`` and ``rounding``: see :class:`.ruleset.Step`."""
    if adverse:
        if cost.barred is not False or cost.hi is None:
            return ()
        return (Step(to, cost.hi, tag, stops, cost.whole is not False, way, (), rounding),)
    if cost.barred:
        return ()
    if cost.whole:
        return (Step(to, 0, tag, stops, True, way),)
    number = Step(to, cost.lo, tag, stops, False, way, (), rounding)
    if cost.whole is None and cost.lo:
        return (number, Step(to, 0, tag, stops, True, way))
    return (number,)


Op = Literal["add", "subtract", "multiply", "set", "at_least", "at_most"]


@dataclass(frozen=True, slots=True)
class Stage:
    """One stage of the pipeline. ``value`` is never negative; a result below 0 becomes 0."""

    op: Op
    value: Fraction
    round: Literal["", "up", "down"] = ""
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
