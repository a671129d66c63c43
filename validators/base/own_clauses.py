"""A ruleset's own clauses in Python, for rules that its tables cannot express: functions of one step.

Each gets a step from one hex to the next and returns its effect::

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

A clause gets plain answers; it never has to handle a fact that is not known. If it asks for one, it is run
once for each possible answer. All its results together form a range, and the move is unverifiable where the
range decides the verdict. Therefore a clause must be a pure function: no ``try``, no state. A cost is never
below 0. A clause may ask about the mover, the step and the units on the board, but not about the path before
the step or the MPs spent.
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
"""Limit on the runs of a clause for one step. Beyond it the result may be anything."""


@dataclass(frozen=True, slots=True)
class OwnClause:
    """A clause in Python. ``text``: for a cost, its reason on the bill; else what breaking the clause means,
    completing the sentence "the path …". ``check``: the function."""

    kind: Kind
    clause: str
    text: str
    check: Check


def cost(clause: str, text: str) -> Callable[[Check], OwnClause]:
    """Decorator for a clause that returns the extra MPs of a step: a number from 0; None: nothing."""
    return lambda check: OwnClause("cost", clause, text, check)


def forbid(clause: str, text: str) -> Callable[[Check], OwnClause]:
    """Decorator for a clause that returns whether a step is forbidden."""
    return lambda check: OwnClause("forbid", clause, text, check)


def must_stop(clause: str, text: str) -> Callable[[Check], OwnClause]:
    """Decorator for a clause that returns whether a unit must stop after a step."""
    return lambda check: OwnClause("stop", clause, text, check)


class NotKnown(BaseException):
    """Raised when a clause asks for a fact that is not known; the clause must not catch it.

    ``key``: identifies what was asked. ``choices``: the possible answers; empty: they cannot be enumerated.
    ``unknowns``: the missing facts.
    """

    def __init__(
        self, key: object, choices: tuple[Any, ...], unknowns: Iterable[MissingFact]
    ) -> None:
        super().__init__(key)
        self.key, self.choices, self.unknowns = key, choices, tuple(unknowns)


class Outcome(NamedTuple):
    """All that a clause may return for a step.

    ``said``: the results of all runs; None: it may be anything. ``unknowns``: the missing facts it asked for.
    """

    said: frozenset[Any] | None
    unknowns: tuple[MissingFact, ...]

    @property
    def holds(self) -> bool | None:
        """Whether the result is true; None: not known."""
        if self.said is None:
            return None
        answers = {bool(one) for one in self.said}
        return answers.pop() if len(answers) == 1 else None

    def cost(self, kind: Kind, scale: int) -> CostInterval:
        """What the clause adds to the cost of the step, in 1/scale MP; nothing for a ``stop``."""
        if kind == "stop":
            return FREE
        if self.said is None:
            return ANYTHING if kind == "cost" else CostInterval(0, 0, None)
        if kind == "forbid":
            return union_all(BARRED if one else FREE for one in self.said)
        return union_all(_exact(Fraction(one or 0), scale) for one in self.said)


def _exact(amount: Fraction, scale: int) -> CostInterval:
    """``amount`` MPs in 1/scale MP; rounded down and up if it is no whole number. ValueError if below 0."""
    if amount < 0:
        raise ValueError(f"a clause says that a step costs {amount}: expected 0 or more")
    scaled = amount * scale
    return CostInterval(scaled.__floor__(), scaled.__ceil__())


def outcome_of(clause: OwnClause, step: OwnStep) -> Outcome:
    """Run a clause on a step, once for each possible answer to every fact that is not known."""
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
    return Outcome(frozenset(said) if everything else None, tuple(unknowns))
