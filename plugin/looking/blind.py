"""What cells that somebody typed without seeing what was suggested say about the suggestions."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import comb

from ...model.provenance import Key

MANY = 60
"""Cells that are typed blind before many are taken over at once."""
LEVEL = Fraction(95, 100)


@dataclass(frozen=True, slots=True)
class Blind:
    """What came of it. ``typed``: cells that could be told; ``unclear``: those that could not; ``wrong``:
    those where the suggestion was another."""

    typed: int
    wrong: int
    unclear: int

    @property
    def at_most(self) -> float:
        """The share of all suggestions that is wrong, at most, with 95 % confidence (:func:`bound`)."""
        return bound(self.wrong, self.typed)


def compared(typed: Mapping[Key, str | None], suggested: Mapping[Key, str]) -> Blind:
    """What was typed blind beside what is suggested; None: it could not be told."""
    told = {key: value for key, value in typed.items() if value is not None and key in suggested}
    wrong = sum(suggested[key] != value for key, value in told.items())
    return Blind(len(told), wrong, len(typed) - len(told))


def bound(wrong: int, of: int) -> float:
    """The greatest share of errors that would still show ``wrong`` or fewer among ``of`` in 5 % of cases: the
    one-sided exact binomial bound (Clopper and Pearson) of 95 %. 1.0 where nothing was typed."""
    if of <= 0 or wrong >= of:
        return 1.0
    low, high = 0.0, 1.0
    for _ in range(60):
        middle = (low + high) / 2
        if _at_most(wrong, of, middle) > 1 - LEVEL:
            low = middle
        else:
            high = middle
    return high


def _at_most(wrong: int, of: int, share: float) -> float:
    """The chance of ``wrong`` or fewer errors."""
    return sum(comb(of, k) * share**k * (1 - share) ** (of - k) for k in range(wrong + 1))
