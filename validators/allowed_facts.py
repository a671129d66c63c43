"""The attributes and conditions that a ruleset asks for, the values they may have, and facts that do not
fit."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from fnmatch import fnmatchcase
from fractions import Fraction
from types import MappingProxyType
from typing import Literal, Protocol, runtime_checkable

from ..model.fact import Fact, Value, written
from ..model.game import Game, StateChange
from ..model.problem import Problem
from .answers import (
    AS_ONE,
    EXEMPT,
    IN_HEX,
    LAST_PLACES,
    MARCHES,
    MOVED_ON,
    NO,
    PASSED,
    SPENT,
    UNSEEN,
    WENT_ON,
    YES,
)
from .lives import DEAD

FORM = "form"
_NUMBER = re.compile(r"[+-]?[0-9]{1,400}(\.[0-9]{1,400}|/0{0,400}[1-9][0-9]{0,400})?")
MOST_SHOWN = 5
"""The greatest number of values named in a warning."""
MOST_WORDS = 20
"""The greatest number of words named in an error."""


@dataclass(frozen=True, slots=True)
class Allowed:
    """The values that a fact may have: one of ``words`` (in any case), a number, yes or no, or any text.

    ``kind`` "yes-no" accepts all words of :mod:`.answers`. ``words`` may also be given in addition to a
    number or yes and no. ``question``: what a report asks if the fact is not known, with ``{}`` for the name
    of the unit ("which movement allowance is printed on {}?"); empty: "what is its …?". ``signed``: a number
    may be below 0. ``reads_others``: the ruleset interprets other words itself (another spelling, or as not
    known); otherwise a fact with another word counts as not known.
    """

    kind: Literal["words", "number", "yes-no", "text"] = "words"
    words: tuple[str, ...] = ()
    question: str = ""
    reads_others: bool = False
    signed: bool = False

    def asked(self, question: str) -> Allowed:
        """A copy with another ``question``."""
        return replace(self, question=question)

    def takes(self, value: Value) -> bool:
        """Whether ``value`` is allowed."""
        said = str(value).strip().lower()
        if said in (word.lower() for word in self.words) or self.kind == "text":
            return True
        if self.kind == "number":
            number = value if isinstance(value, Fraction) else number_in(said)
            return number is not None and (self.signed or number >= 0)
        return self.kind == "yes-no" and said in YES | NO

    def takes_bounds(self, fact: Fact) -> bool:
        """Whether the bounds of ``fact`` are allowed numbers; True if it has none."""
        bounds = [bound for bound in (fact.lo, fact.hi) if bound is not None]
        return self.kind == "text" or all(self.kind == "number" and self.takes(b) for b in bounds)

    @property
    def said(self) -> str:
        """The allowed values as an error names them: ``one of foot, motor``."""
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
        f"{LAST_PLACES} *": YES_NO,
        f"{MARCHES} *": YES_NO,
        f"{MOVED_ON} *": YES_NO,
        AS_ONE: YES_NO,
        f"{IN_HEX} * during the move": YES_NO,
        UNSEEN: YES_NO,
        WENT_ON: YES_NO,
        f"{SPENT} *": NUMBER,
    }
)
"""Conditions that are allowed with every ruleset."""


def words(*said: str, reads_others: bool = False) -> Allowed:
    """Allows the words ``said``."""
    return Allowed("words", said, reads_others=reads_others)


@dataclass(frozen=True, slots=True)
class AllowedFacts:
    """All attributes and conditions that a ruleset knows, by name. A name with ``*`` stands for every name
    that matches it (``overran after *``), for questions whose topic contains a hex."""

    attributes: Mapping[str, Allowed] = field(default_factory=lambda: MappingProxyType({}))
    conditions: Mapping[str, Allowed] = field(default_factory=lambda: MappingProxyType({}))


@runtime_checkable
class TellsAllowedFacts(Protocol):
    """Rules in force that list the facts they ask for. With other rules, facts are not checked."""

    def allowed_facts(self) -> AllowedFacts:
        """The attributes of units, and the conditions of the game, that may be given."""
        ...


def misfits(game: Game, allowed: AllowedFacts) -> tuple[Problem, ...]:
    """Problems for the attributes, conditions and values in ``game`` that the ruleset does not know.

    An error for each such fact of a facts file. For facts that a pack reads from the pieces, one warning per
    attribute, because a pack may read more than the rules ask for.
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
    """Each fact of ``game``: what it is ("attribute" or "condition"), the allowed names, its name, the
    fact."""
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
    """For each fault of one fact, what was expected and what was found."""
    allowed = allowed_for(names, name)
    if allowed is None:
        near = get_close_matches(name, names, 1)
        meant = f" (did you mean {near[0]}?)" if near else ""
        yield f"expected one of the {what}s {', '.join(sorted(names))}{meant}", name
        return
    for option in fact.options or ():
        if not allowed.takes(option):
            yield f"{what} {name}: expected {allowed.said}", written(option)
    if not allowed.takes_bounds(fact):
        yield f"{what} {name}: expected {allowed.said}", _range(fact)


def allowed_for(names: Mapping[str, Allowed], name: str) -> Allowed | None:
    """What is allowed for ``name``, given by itself or by a pattern that matches; None if the name is not
    known."""
    return names.get(name) or next(
        (one for pattern, one in names.items() if "*" in pattern and fnmatchcase(name, pattern)),
        None,
    )


def number_in(text: str) -> Fraction | None:
    """``text`` as a number (``7``, ``3.5``, ``7/2``); None if it is not one."""
    return Fraction(text) if _NUMBER.fullmatch(text) else None


def _range(fact: Fact) -> str:
    bounds = (("from", fact.lo), ("to", fact.hi))
    return " ".join(f"{word} {bound}" for word, bound in bounds if bound is not None)
