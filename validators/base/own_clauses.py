"""Clauses of a ruleset's own in Python, where its tables do not reach: small functions that see one step.

Each is about a step from a hex to the next and says what comes of it::

    @forbid("MG-7.2", "marches into a wood by night")
    def no_night_march(step):
        return step.condition("light") == "night" and step.into.has("wood")

    @cost("MG-4.3", "guns in a wood")
    def guns(step):
        return 1 if step.unit("guns") == "yes" and step.into.has("wood") else 0

    @must_stop("MG-5.1", "goes on after it met a scout")
    def scouts(step):
        return step.into.next_to_enemy(type="scout")

    RULESET = ruleset(__name__, clauses=[no_night_march, guns, scouts])

A clause gets plain answers and never sees that something is not known. Where it asks for such a thing it is
run once for every answer there may be; what it then says is a range, and the move is open where that decides.
So it must do nothing but ask and answer: no ``try``, nothing kept, nothing changed. A cost is never below 0.
It may ask of the mover, the step and who is where, not of the way before it or of what was spent.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from ...model.fact import MissingFact
from ..cost_interval import ANYTHING, BARRED, FREE, CostInterval, union_all

if TYPE_CHECKING:
    from .own_step import OwnStep

Kind = Literal["cost", "forbid", "stop"]
Check = Callable[["OwnStep"], Any]
MOST_RUNS = 64
"""A clause is not run more often for one step: it may then say anything."""


@dataclass(frozen=True, slots=True)
class OwnClause:
    """``text``: of a cost what it is for, as the bill has it; else what it would be to break the clause,
    going on from "the path …"."""

    kind: Kind
    clause: str
    text: str
    check: Check


def cost(clause: str, text: str) -> Callable[[Check], OwnClause]:
    """MPs that are due on a step besides: a number from 0, None: nothing."""
    return lambda check: OwnClause("cost", clause, text, check)


def forbid(clause: str, text: str) -> Callable[[Check], OwnClause]:
    """Whether a step may not be made."""
    return lambda check: OwnClause("forbid", clause, text, check)


def must_stop(clause: str, text: str) -> Callable[[Check], OwnClause]:
    """Whether a unit must stop after a step."""
    return lambda check: OwnClause("stop", clause, text, check)


class NotKnown(BaseException):
    """A clause asked for something that is not known. ``choices``: the answers there may be; empty: they
    cannot be counted. It interrupts the clause, which therefore may not catch it."""

    def __init__(
        self, key: object, choices: tuple[Any, ...], unknowns: Iterable[MissingFact]
    ) -> None:
        super().__init__(key)
        self.key, self.choices, self.unknowns = key, choices, tuple(unknowns)


class Outcome(NamedTuple):
    """What a clause may say of a step: everything it said in any run, what was not known, and the units whose
    presence that rests on. ``said`` None: it may say anything."""

    said: frozenset[Any] | None
    unknowns: tuple[MissingFact, ...]
    units: tuple[str, ...]

    @property
    def holds(self) -> bool | None:
        """Whether it says yes; None: not known."""
        if self.said is None:
            return None
        answers = {bool(one) for one in self.said}
        return answers.pop() if len(answers) == 1 else None

    def cost(self, kind: Kind, scale: int) -> CostInterval:
        """What it adds to the step, in 1/scale MP."""
        if kind == "stop":
            return FREE
        if self.said is None:
            return ANYTHING if kind == "cost" else CostInterval(0, 0, None)
        if kind == "forbid":
            return union_all(BARRED if one else FREE for one in self.said)
        return union_all(_exact(Fraction(one or 0), scale) for one in self.said)


def _exact(amount: Fraction, scale: int) -> CostInterval:
    """``amount`` MPs; where that is no whole number of 1/scale, the two around it."""
    if amount < 0:
        raise ValueError(f"a clause says that a step costs {amount}: expected 0 or more")
    scaled = amount * scale
    return CostInterval(scaled.__floor__(), scaled.__ceil__())


def outcome_of(clause: OwnClause, step: OwnStep) -> Outcome:
    """What a clause may say of a step, whatever the answers are to what it asks for."""
    said: set[Any] = set()
    unknowns: dict[MissingFact, None] = {}
    runs = [step]
    count = 0
    everything = True
    while runs:
        now = runs.pop()
        count += 1
        try:
            said.add(clause.check(now))
        except NotKnown as asked:
            unknowns.update(dict.fromkeys(asked.unknowns))
            if asked.choices and count + len(runs) + len(asked.choices) <= MOST_RUNS:
                runs += (now.knowing(asked.key, choice) for choice in asked.choices)
            else:
                everything = False
    return Outcome(frozenset(said) if everything else None, tuple(unknowns), tuple(step.read))
