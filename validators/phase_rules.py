"""A ruleset's rules on stacking and on the order of moves, as values, and the tests of a fact that these and
charts need. :mod:`.stacking`, :mod:`.order` and :mod:`.ranks` check them.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from types import MappingProxyType

from ..model.fact import Fact, MissingFact, Value


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
            if isinstance(value, str) and value in self.values:  # the usual case: spelt the same
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
    not a number."""
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


@dataclass(frozen=True, slots=True)
class Measure:
    """A quantity that stacking limits: the sum over the units that meet all of ``counted`` and none of
    ``exempt``.

    ``size``: the attribute that says how much a unit counts; empty: each counts 1. ``doubted``: units that
    meet all of these count only by one reading of the rules; empty: there are no such units.
    ``missing_fact``: the question which reading holds; None if there is no such question."""

    name: str = "units"
    size: str = ""
    counted: tuple[Requirement, ...] = ()
    exempt: tuple[Requirement, ...] = ()
    doubted: tuple[Requirement, ...] = ()
    missing_fact: MissingFact | None = None


@dataclass(frozen=True, slots=True)
class StackingLimit:
    """How much may be stacked in a hex that has one of ``terrains`` (terrains or features; empty: any hex).

    ``bounds``: alternatives; each has one number for each measure of the rule, None for no limit. A stack is
    within the limit if it is within one of the alternatives. ``clauses``: the clause of each alternative;
    empty: the clause of the rule for all."""

    bounds: tuple[tuple[Fraction | None, ...], ...]
    terrains: tuple[str, ...] = ()
    clauses: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class StackingRule:
    """How many units of one side may be in a hex.

    ``limits``: the first that fits a hex applies to it; if none fits, there is no limit. ``missing``: facts
    that must be known before anyone is accused by this rule; empty: none. ``sides``: the sides whose stacks
    it limits; empty: all. ``also``: further rules that apply too."""

    clause: str
    measures: tuple[Measure, ...]
    limits: tuple[StackingLimit, ...]
    missing: tuple[MissingFact, ...] = ()
    sides: frozenset[str] = frozenset()
    also: tuple[StackingRule, ...] = ()


@dataclass(frozen=True, slots=True)
class OrderRule:
    """In which order the units of a side may move in a phase.

    ``resume``: a unit may move, let others move, and move again in the same phase. Then the MPs of all its
    moves are added up. If it is False, ``clause`` forbids that. ``exempt``: requirements of units that may
    perhaps do so all the same; for a unit that meets them all, the finding is unverifiable. ``apart``:
    requirements of units whose moves do not interrupt the moves of others. ``dropped``: the clause by which a
    unit that its stack has left behind may not move on; empty if it may.

    ``ranks``: form → (rank, clause), if a rule says in which order forms follow one another in a phase. Each
    move is then checked with all the forms in which it would be legal (:class:`~.quotas.LegalForms`).
    ``unranked``: phases in which forms follow one another in any order. ``perhaps_ranked``: phases in which
    that depends on a reading, with the question which one holds. ``interleaved``: the question whether a unit
    may move on after others have begun to move in a form of later rank; None if it may. ``uninterrupted``:
    the question is settled, and it may not."""

    clause: str = ""
    resume: bool = True
    exempt: tuple[Requirement, ...] = ()
    apart: tuple[Requirement, ...] = ()
    dropped: str = ""
    ranks: Mapping[str, tuple[int, str]] = field(default_factory=lambda: MappingProxyType({}))
    unranked: frozenset[str] = frozenset()
    perhaps_ranked: Mapping[str, MissingFact] = field(default_factory=lambda: MappingProxyType({}))
    interleaved: MissingFact | None = None
    uninterrupted: bool = False
