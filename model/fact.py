"""What is known of a value, and which facts are missing.

Every input of a verdict is a :class:`Fact`: one value, one of several, a number between two bounds, or
unknown. A fact names its source so that a reader can check it. A :class:`MissingFact` says what to write,
and in which file, to settle a verdict.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

from .short_repr import Short

Value = str | bool | Fraction


def written(value: object) -> str:
    """A value as packs and options write it: ``true`` and ``false`` for yes and no."""
    return str(value).lower() if isinstance(value, bool) else str(value)


@dataclass(frozen=True, slots=True)
class Fact:
    """A value as far as it is known.

    ``options``: the discrete values it may have; None: any. ``lo``, ``hi``: bounds of a number, both
    included, in the unit of the attribute (usually MPs or hexes); None: no bound. ``source``: where the
    value stands ("units.csv line 12", "layer Status").
    """

    options: tuple[Value, ...] | None = None
    lo: Fraction | None = None
    hi: Fraction | None = None
    source: str = ""

    @property
    def is_known(self) -> bool:
        return self.options is not None and len(self.options) == 1

    @property
    def value(self) -> Value | None:
        """The one value, or None if it is not known (a fact is never known to be None)."""
        return self.options[0] if self.options is not None and len(self.options) == 1 else None

    @property
    def low(self) -> Fraction | None:
        """The least number it can be; None if no lower bound is known."""
        if self.options is not None and len(self.options) == 1:
            only = self.options[0]
            return only if isinstance(only, Fraction) else self.lo
        numbers = self._numbers()
        return min(numbers) if numbers is not None else self.lo

    @property
    def high(self) -> Fraction | None:
        """The greatest number it can be; None if no upper bound is known."""
        if self.options is not None and len(self.options) == 1:
            only = self.options[0]
            return only if isinstance(only, Fraction) else self.hi
        numbers = self._numbers()
        return max(numbers) if numbers is not None else self.hi

    def may_be(self, value: Value) -> bool:
        """Whether it can be ``value``."""
        if self.options is not None:
            return value in self.options
        if isinstance(value, Fraction):
            above = self.lo is None or value >= self.lo
            return above and (self.hi is None or value <= self.hi)
        return self.lo is None and self.hi is None

    def must_be(self, value: Value) -> bool:
        """Whether it is known to be ``value``."""
        return self.options == (value,)

    def _numbers(self) -> tuple[Fraction, ...] | None:
        if not self.options:
            return None
        numbers = tuple(o for o in self.options if isinstance(o, Fraction))
        return numbers if len(numbers) == len(self.options) else None


UNKNOWN = Fact()


def known(value: Value | int, source: str = "") -> Fact:
    """The fact that something is ``value``; ints become Fractions (bools stay bools)."""
    exact = Fraction(value) if isinstance(value, int) and not isinstance(value, bool) else value
    return Fact((exact,), source=source)


def one_of(*values: Value | int) -> Fact:
    """The fact that something is one of ``values``."""
    return Fact(tuple(v for value in values for v in known(value).options or ()))


def between(lo: int | Fraction | None, hi: int | Fraction | None, source: str = "") -> Fact:
    """The fact that a number lies between ``lo`` and ``hi``, both included; None: no bound."""
    as_fraction = [None if v is None else Fraction(v) for v in (lo, hi)]
    return Fact(None, as_fraction[0], as_fraction[1], source)


def either(facts: Iterable[Fact]) -> Fact:
    """What is known if one of ``facts`` holds but not which one: the union of what they allow; ``UNKNOWN``
    if there are none."""
    several = list(facts)  # not a set: True and 1 are equal but different values
    if len(several) <= 1:
        return several[0] if several else UNKNOWN
    source = "; ".join(dict.fromkeys(fact.source for fact in several if fact.source))
    if all(fact.options is not None for fact in several):
        values: dict[tuple[type, Value], Value] = {}
        for fact in several:
            values.update({(type(v), v): v for v in fact.options or ()})
        return Fact(tuple(values.values()), source=source)
    lows, highs = [fact.low for fact in several], [fact.high for fact in several]
    low = None if None in lows else min(number for number in lows if number is not None)
    high = None if None in highs else max(number for number in highs if number is not None)
    return Fact(None, low, high, source)


@dataclass(frozen=True, slots=True, order=True, repr=False)
class MissingFact(Short):
    """A fact that would decide a verdict.

    ``key`` is stable and says what it is about (``hex 0305 terrain``, ``unit 1017 class``,
    ``phase of log 1 steps 14-20``). ``question`` is one line for a person. ``file`` names where the
    answer belongs (``hexes.csv``, ``facts.toml``) and ``stanza`` is the text to put there, with ``?``
    for the value to fill in. ``look``: hexes that a person must look at on the map; the answer is that
    look, and nothing is written by hand. Empty: the answer is written.
    """

    shown: ClassVar = ("key", "question")

    key: str
    question: str
    file: str = ""
    stanza: str = ""
    look: tuple[str, ...] = ()
