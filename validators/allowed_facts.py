"""Which attributes and conditions a ruleset asks for and what they may say, and facts that say else."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from fnmatch import fnmatchcase
from fractions import Fraction
from types import MappingProxyType
from typing import Literal, Protocol, runtime_checkable

from ..model.fact import Fact, Value
from ..model.game import Game, StateChange
from ..model.problem import Problem
from .answers import EXEMPT, IN_HEX, NO, PASSED, SPENT, UNSEEN, YES

FORM = "form"
DEAD = "dead"
_NUMBER = re.compile(r"[+-]?[0-9]{1,400}(\.[0-9]{1,400}|/0{0,400}[1-9][0-9]{0,400})?")
MOST_SHOWN = 5
"""Values that a warning names."""
MOST_WORDS = 20
"""Words that an error names."""


@dataclass(frozen=True, slots=True)
class Allowed:
    """What a fact may say: one of ``words`` (in any case), a ``number``, yes or no, or any text.

    ``yes-no`` takes all the words of :mod:`.answers`; ``words`` may be given beside a number.
    ``question``: what a report asks where it is not known, with ``{}`` for the name of the unit
    ("which movement allowance is printed on {}?"); empty: "what is its …?". ``signed``: a number may be
    below 0. ``reads_others``: the ruleset
    makes sense of other words itself (by another spelling, or as open); else they say nothing.
    """

    kind: Literal["words", "number", "yes-no", "text"] = "words"
    words: tuple[str, ...] = ()
    question: str = ""
    reads_others: bool = False
    signed: bool = False

    def asked(self, question: str) -> Allowed:
        """The same, asked for by ``question``."""
        return replace(self, question=question)

    def takes(self, value: Value) -> bool:
        """Whether ``value`` is one that it may be."""
        said = str(value).strip().lower()
        if said in (word.lower() for word in self.words) or self.kind == "text":
            return True
        if self.kind == "number":
            number = value if isinstance(value, Fraction) else number_in(said)
            return number is not None and (self.signed or number >= 0)
        return self.kind == "yes-no" and said in YES | NO

    def takes_bounds(self, fact: Fact) -> bool:
        """Whether the bounds of ``fact``, if it has any, are numbers that it may be."""
        bounds = [bound for bound in (fact.lo, fact.hi) if bound is not None]
        return self.kind == "text" or all(self.kind == "number" and self.takes(b) for b in bounds)

    @property
    def said(self) -> str:
        """As an error names it: ``one of foot, motor``."""
        words = ", ".join(self.words[:MOST_WORDS])
        if len(self.words) > MOST_WORDS:
            words += f" and {len(self.words) - MOST_WORDS} more"
        match self.kind:
            case "number":
                number = "a number" if self.signed else "a number (0 or more)"
                return f"{number} or one of {words}" if words else number
            case "yes-no":
                return f"yes, no or one of {words}" if words else "yes or no"
            case "text":
                return "a text"
        return f"one of {words}"


YES_NO = Allowed("yes-no")
NUMBER = Allowed("number")
ANY_NUMBER = Allowed("number", signed=True)
TEXT = Allowed("text")

OF_ALL_RULES: Mapping[str, Allowed] = MappingProxyType(
    {
        DEAD: YES_NO,
        EXEMPT: YES_NO,
        f"{PASSED} *": YES_NO,
        f"{IN_HEX} * during the move": YES_NO,
        UNSEEN: YES_NO,
        f"{SPENT} *": NUMBER,
    }
)
"""Conditions that no ruleset need name."""


def words(*said: str, reads_others: bool = False) -> Allowed:
    """One of these words."""
    return Allowed("words", said, reads_others=reads_others)


@dataclass(frozen=True, slots=True)
class AllowedFacts:
    """All that a ruleset knows, by name. A name with ``*`` stands for every name that fits it
    (``overran after *``), as topics of questions do that hold a hex."""

    attributes: Mapping[str, Allowed] = field(default_factory=lambda: MappingProxyType({}))
    conditions: Mapping[str, Allowed] = field(default_factory=lambda: MappingProxyType({}))


@runtime_checkable
class TellsAllowedFacts(Protocol):
    """Rules in force that tell which facts they ask for. Facts for other rules are not checked."""

    def allowed_facts(self) -> AllowedFacts:
        """What may be told of a unit, and of the game."""
        ...


def misfits(game: Game, allowed: AllowedFacts) -> tuple[Problem, ...]:
    """What ``game`` tells that the ruleset does not know: attributes, conditions, values.

    An error for each fact of the facts file. Of what a pack reads off the pieces a warning for each
    attribute: a pack may read more than the rules ask for.
    """
    files = tuple(source.file for source in game.sources if source.kind == "facts")
    errors: dict[Problem, None] = {}
    warned: dict[tuple[str, str], list[str]] = {}
    for what, names, name, fact in _facts_of(game, allowed):
        for fault, found in _wrong(what, names, name, fact):
            if what == "condition" or (files and fact.source.startswith(files)):
                said = f"{fault}; found {found}"
                errors[Problem(f"wrong-{what}", said, fact.source, "error")] = None
            else:
                warned.setdefault((name, fault), []).append(found)
    warnings = []
    for (_, fault), every in warned.items():
        several = list(dict.fromkeys(every))
        more = f" and {len(several) - MOST_SHOWN} more" if len(several) > MOST_SHOWN else ""
        said = f"{fault}; found {', '.join(several[:MOST_SHOWN])}{more}"
        warnings.append(Problem("wrong-attribute", said))
    return (*errors, *warnings)


Told = tuple[str, Mapping[str, Allowed], str, Fact]


def _facts_of(game: Game, allowed: AllowedFacts) -> Iterator[Told]:
    """What is told, what it is, and the names there are for it."""
    attributes = {DEAD: YES_NO, **allowed.attributes}
    conditions = {**OF_ALL_RULES, **allowed.conditions}
    for condition in game.conditions:
        if condition.key != FORM:  # its names are checked where the facts are read
            yield "condition", conditions, condition.key, condition.fact
    for unit in game.units.values():
        if unit.kind == "unit":
            for name, fact in unit.attributes.items():
                yield "attribute", attributes, name, fact
    for event in game.events:
        if isinstance(event, StateChange):
            yield "attribute", attributes, event.attribute, event.after


def _wrong(
    what: str, names: Mapping[str, Allowed], name: str, fact: Fact
) -> Iterator[tuple[str, str]]:
    """What was expected and what was found, for each fault of one fact."""
    allowed = allowed_for(names, name)
    if allowed is None:
        near = get_close_matches(name, names, 1)
        meant = f" (did you mean {near[0]}?)" if near else ""
        yield f"expected one of the {what}s {', '.join(sorted(names))}{meant}", name
        return
    for option in fact.options or ():
        if not allowed.takes(option):
            yield f"{what} {name}: expected {allowed.said}", _shown(option)
    if not allowed.takes_bounds(fact):
        yield f"{what} {name}: expected {allowed.said}", _range(fact)


def allowed_for(names: Mapping[str, Allowed], name: str) -> Allowed | None:
    """What is allowed of a name, by itself or by a pattern that fits it; None: it is not known."""
    return names.get(name) or next(
        (one for pattern, one in names.items() if "*" in pattern and fnmatchcase(name, pattern)),
        None,
    )


def number_in(text: str) -> Fraction | None:
    """The number that ``text`` is (``7``, ``3.5``, ``7/2``); None if it is none."""
    return Fraction(text) if _NUMBER.fullmatch(text) else None


def _range(fact: Fact) -> str:
    bounds = (("from", fact.lo), ("to", fact.hi))
    return " ".join(f"{word} {bound}" for word, bound in bounds if bound is not None)


def _shown(value: Value) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value)
