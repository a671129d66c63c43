"""What a step may cost, as far as known: the arithmetic every ruleset's cost terms share.

Amounts are whole numbers of 1/scale MP. Each function gives a hull: whatever the completion of the
facts, what is truly due lies within it.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from .ruleset import START, Breach, Rounding, Step, Tag


class Toll(NamedTuple):
    """From ``lo`` to ``hi`` (None: no upper bound known), where it is a number.

    ``barred``: whether it is prohibited, ``whole``: whether it takes the whole allowance; None: not
    known. A toll that is certainly barred or whole has no number (0)."""

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


FREE = Toll()
ANYTHING = Toll(0, None, None, None)
BARRED = Toll(0, 0, True)
WHOLE = Toll(0, 0, False, True)


def _or(a: bool | None, b: bool | None) -> bool | None:
    if a or b:
        return True
    return None if a is None or b is None else False


def both(a: Toll, b: Toll) -> Toll:
    """Both are due: amounts add up, a prohibition or the whole allowance absorbs them."""
    barred, whole = _or(a.barred, b.barred), _or(a.whole, b.whole)
    if barred or whole:
        return Toll(0, 0, barred, whole)
    hi = None if a.hi is None or b.hi is None else a.hi + b.hi
    return Toll(a.lo + b.lo, hi, barred, whole)


def total(tolls: Iterable[Toll]) -> Toll:
    """All are due."""
    result = FREE
    for toll in tolls:
        result = both(result, toll)
    return result


def either(a: Toll, b: Toll) -> Toll:
    """One of the two is due, and which is not known."""
    if a == b:
        return a
    if a.barred:
        return b._replace(barred=True if b.barred else None)
    if b.barred:
        return a._replace(barred=None)
    barred = a.barred if a.barred == b.barred else None
    if a.whole:
        return Toll(b.lo, b.hi, barred, True if b.whole else None)
    if b.whole:
        return Toll(a.lo, a.hi, barred, None)
    hi = None if a.hi is None or b.hi is None else max(a.hi, b.hi)
    return Toll(min(a.lo, b.lo), hi, barred, a.whole if a.whole == b.whole else None)


def any_of(tolls: Iterable[Toll]) -> Toll:
    """One of them is due, and which is not known; ValueError if there is none."""
    result: Toll | None = None
    for toll in tolls:
        result = toll if result is None else either(result, toll)
    if result is None:
        raise ValueError("no toll")
    return result


def perhaps(toll: Toll, holds: bool | None) -> Toll:
    """``toll`` where it ``holds``, nothing where it does not."""
    return toll if holds else FREE if holds is False else either(FREE, toll)


def favourable_steps(
    to: str,
    toll: Toll,
    tag: Tag = START,
    way: object = None,
    stops: Breach | None = None,
    rounding: Rounding | None = None,
) -> tuple[Step, ...]:
    """The steps open at this toll with everything in the mover's favour."""
    if toll.barred:
        return ()
    if toll.whole:
        return (Step(to, 0, tag, stops, True, way),)
    number = Step(to, toll.lo, tag, stops, False, way, (), rounding)
    if toll.whole is None and toll.lo:
        return (number, Step(to, 0, tag, stops, True, way))
    return (number,)


def adverse_steps(
    to: str,
    toll: Toll,
    tag: Tag = START,
    way: object = None,
    stops: Breach | None = None,
    rounding: Rounding | None = None,
) -> tuple[Step, ...]:
    """The steps open at this toll with everything against the mover."""
    if toll.barred is not False or toll.hi is None:
        return ()
    return (Step(to, toll.hi, tag, stops, toll.whole is not False, way, (), rounding),)
