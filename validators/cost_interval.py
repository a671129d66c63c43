"""What a step may cost, as far as known: the arithmetic every ruleset's cost items share.

Amounts are whole numbers of 1/scale MP. Each function gives a hull: whatever the completion of the
facts, what is truly due lies within it.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from .ruleset import START, Breach, Rounding, Step, Tag


class CostInterval(NamedTuple):
    """From ``lo`` to ``hi`` (None: no upper bound known), where it is a number.

    ``barred``: whether it is prohibited, ``whole``: whether it takes the whole allowance; None: not
    known. A cost that is certainly barred or whole has no number (0)."""

    lo: int = 0
    hi: int | None = 0
    barred: bool | None = False
    whole: bool | None = False

    @property
    def is_exact(self) -> bool:
        """Whether nothing about it is in doubt."""
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
    """Both are due: amounts add up, a prohibition or the whole allowance absorbs them."""
    barred, whole = _or(a.barred, b.barred), _or(a.whole, b.whole)
    if barred or whole:
        return CostInterval(0, 0, barred, whole)
    hi = None if a.hi is None or b.hi is None else a.hi + b.hi
    return CostInterval(a.lo + b.lo, hi, barred, whole)


def total(costs: Iterable[CostInterval]) -> CostInterval:
    """All are due."""
    result = FREE
    for cost in costs:
        result = add(result, cost)
    return result


def union(a: CostInterval, b: CostInterval) -> CostInterval:
    """One of the two is due, and which is not known."""
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
    """One of them is due, and which is not known; ValueError if there is none."""
    result: CostInterval | None = None
    for cost in costs:
        result = cost if result is None else union(result, cost)
    if result is None:
        raise ValueError("no cost")
    return result


def optional(cost: CostInterval, holds: bool | None) -> CostInterval:
    """``cost`` where it ``holds``, nothing where it does not."""
    return cost if holds else FREE if holds is False else union(FREE, cost)


def favourable_steps(
    to: str,
    cost: CostInterval,
    tag: Tag = START,
    way: object = None,
    stops: Breach | None = None,
    rounding: Rounding | None = None,
) -> tuple[Step, ...]:
    """The steps open at this cost with everything in the mover's favour."""
    if cost.barred:
        return ()
    if cost.whole:
        return (Step(to, 0, tag, stops, True, way),)
    number = Step(to, cost.lo, tag, stops, False, way, (), rounding)
    if cost.whole is None and cost.lo:
        return (number, Step(to, 0, tag, stops, True, way))
    return (number,)


def adverse_steps(
    to: str,
    cost: CostInterval,
    tag: Tag = START,
    way: object = None,
    stops: Breach | None = None,
    rounding: Rounding | None = None,
) -> tuple[Step, ...]:
    """The steps open at this cost with everything against the mover."""
    if cost.barred is not False or cost.hi is None:
        return ()
    return (Step(to, cost.hi, tag, stops, cost.whole is not False, way, (), rounding),)
