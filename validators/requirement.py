"""Tests of a fact about a unit or about the game, as charts and rules need them."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from ..model.fact import Fact, Value


@dataclass(frozen=True, slots=True)
class Requirement:
    """A test of one attribute of a unit, or of a condition of the game.

    It is met if the value is one of ``values``, or, if ``least`` or ``most`` is given, a number from
    ``least`` to ``most`` (None: no bound). ``negated``: it is met if the value is not."""

    attribute: str
    values: tuple[Value, ...] = ()
    least: Fraction | None = None
    most: Fraction | None = None
    negated: bool = False

    def met(self, fact: Fact) -> bool | None:
        """Whether ``fact`` meets the requirement; None if that is not known."""
        if fact.options is not None and len(fact.options) == 1:
            answer: bool | None = self._fits(fact.options[0])
        elif fact.options is not None:
            answers = {self._fits(value) for value in fact.options}
            answer = answers.pop() if len(answers) == 1 else None
        else:
            answer = self._bounds_fit(fact)
        return answer if answer is None else answer != self.negated

    def _fits(self, value: Value) -> bool:
        if self.least is None and self.most is None:
            if isinstance(value, str) and value in self.values:  # as it is written, as most are
                return True
            return _written(value) in map(_written, self.values)
        number = _number(value)
        if number is None:
            return False
        above = self.least is None or number >= self.least
        return above and (self.most is None or number <= self.most)

    def _bounds_fit(self, fact: Fact) -> bool | None:
        lo, hi = fact.lo, fact.hi
        if lo is None and hi is None:
            return None
        if self.least is None and self.most is None:
            numbers = (_number(value) for value in self.values)
            possible = any(number is not None and fact.may_be(number) for number in numbers)
            return None if possible else False
        if self.least is not None and hi is not None and hi < self.least:
            return False
        if self.most is not None and lo is not None and lo > self.most:
            return False
        above = self.least is None or (lo is not None and lo >= self.least)
        below = self.most is None or (hi is not None and hi <= self.most)
        return True if above and below else None


_NUMERAL = re.compile(r"-?[0-9]{1,18}(?:[./][0-9]{1,18})?", re.ASCII)


def _number(value: Value) -> Fraction | None:
    """``value`` as a number, also if it is text such as "2" (packs may read numbers as text); None if it is
    no number."""
    if isinstance(value, str) and _NUMERAL.fullmatch(value):
        try:
            return Fraction(value)
        except ZeroDivisionError:
            return None
    return value if isinstance(value, Fraction) else None


def _written(value: Value) -> str:
    """``value`` as text for comparison: the same for 2 and "2", for true and "true", for "HQ" and "hq"."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str) and not value[-1:].isdigit():
        return value.lower()
    number = _number(value)
    return str(value if number is None else number).lower()


def all_met(requirements: Sequence[Requirement], facts: Mapping[str, Fact]) -> bool | None:
    """Whether all ``requirements`` are met by ``facts`` (by attribute); None if not known. Raises KeyError if
    the fact for an attribute is missing."""
    answer: bool | None = True
    for requirement in requirements:
        met = requirement.met(facts[requirement.attribute])
        if met is False:
            return False
        if met is None:
            answer = None
    return answer
