"""What a move costs, charge by charge."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import lcm
from typing import ClassVar

from .short_repr import Short

_SIGNS = {
    Fraction(1, 2): "½",
    Fraction(1, 3): "⅓",
    Fraction(2, 3): "⅔",
    Fraction(1, 4): "¼",
    Fraction(3, 4): "¾",
}


def written(value: Fraction | int) -> str:
    """A number as people write it: ``2½``, but ``13/5``, for which there is no sign."""
    number = Fraction(value)
    if number < 0:
        return f"-{written(-number)}"
    whole, part = divmod(number, 1)
    sign = _SIGNS.get(part)
    return str(value) if sign is None else f"{whole or ''}{sign}"


@dataclass(frozen=True, slots=True, repr=False)
class Amount(Short):
    """A number of MPs (or hexes, where a rule counts hexes) between ``lo`` and ``hi``, both included;
    ``hi`` None: no upper bound is known. Exact."""

    lo: Fraction
    hi: Fraction | None

    @classmethod
    def exactly(cls, value: Fraction | int) -> Amount:
        return cls(Fraction(value), Fraction(value))

    @property
    def is_exact(self) -> bool:
        return self.lo == self.hi

    def __add__(self, other: Amount) -> Amount:
        hi = None if self.hi is None or other.hi is None else self.hi + other.hi
        return Amount(self.lo + other.lo, hi)

    def __str__(self) -> str:
        return self._by(str)

    @property
    def written(self) -> str:
        """As people write it: ``2½``, ``1 to 3``, ``2 or more``."""
        return self._by(written)

    def _by(self, number: Callable[[Fraction], str]) -> str:
        """In words, with each number as ``number`` writes it."""
        least = number(self.lo)
        if self.is_exact:
            return least
        return f"{least} or more" if self.hi is None else f"{least} to {number(self.hi)}"


ZERO = Amount.exactly(0)


@dataclass(frozen=True, slots=True, repr=False)
class Charge(Short):
    """One charge: for entering ``hex`` (crossing from ``origin``), by ``clause``. ``forbidden``: the step
    breaks a prohibition; the amount is 0."""

    shown: ClassVar = ("hex", "amount", "reason", "clause", "forbidden")

    hex: str
    amount: Amount
    clause: str
    reason: str
    origin: str = ""
    forbidden: bool = False


@dataclass(frozen=True, slots=True, repr=False)
class Bill(Short):
    """All charges of a move against its allowance. ``allowance`` None: not known or not limited.
    ``unit``: what is counted, usually ``MP``. ``declared``: what the player said he spent. ``credit``: how
    much may be spent beyond the allowance, by its clause; not a charge. ``unspent``: how much of the
    allowance had to be left over."""

    shown: ClassVar = ("total", "allowance", "declared", "charges")

    charges: tuple[Charge, ...]
    allowance: Amount | None = None
    unit: str = "MP"
    declared: Amount | None = None
    credit: Charge | None = None
    unspent: Fraction = Fraction(0)

    @property
    def total(self) -> Amount:
        return total(self.charges)

    @property
    def due(self) -> Amount:
        """``total``, under its name in the tables of an audit."""
        return self.total

    @property
    def short(self) -> Fraction:
        """``shortfall``, under its name in the tables of an audit."""
        return self.shortfall

    @property
    def shortfall(self) -> Fraction:
        """By how much the least total plus ``unspent`` exceeds the greatest allowance plus the credit; 0 if
        it does not, or if the allowance has no known upper bound."""
        if self.allowance is None or self.allowance.hi is None:
            return Fraction(0)
        credit = self.credit.amount.lo if self.credit is not None else 0
        return max(Fraction(0), self.total.lo + self.unspent - self.allowance.hi - credit)


def total(charges: Iterable[Charge]) -> Amount:
    """The sum of ``charges``."""
    amounts = [charge.amount for charge in charges]
    lo = _sum([amount.lo for amount in amounts])
    highs = [amount.hi for amount in amounts if amount.hi is not None]
    return Amount(lo, _sum(highs) if len(highs) == len(amounts) else None)


def _sum(numbers: Sequence[Fraction]) -> Fraction:
    """The sum, over one denominator: a verdict adds many fractions, and adding them in pairs is slow."""
    below = lcm(*{number.denominator for number in numbers})
    return Fraction(sum([n.numerator * (below // n.denominator) for n in numbers]), below)
