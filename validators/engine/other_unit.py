"""The views that clauses have of a unit at an event, and of an enemy near a mover. Every answer is plain."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from ...model.bill import Amount
from ...model.fact import UNKNOWN, Fact, MissingFact
from ...model.game import StepRef
from ...model.unit import Unit
from ..answers import Question, told
from ..concepts import missing_facts, sides
from ..concepts.requirements import question
from ..cost_interval import CostInterval
from ..lives import DEAD, is_alive
from .asking import Question as Asking
from .asking import Run, later
from .carried import carrier_in
from .event_index import ABOARD, FACING, SOMETHING
from .history import in_lower_case
from .subject import Subject

if TYPE_CHECKING:
    from collections.abc import Sequence

    from .friends import Friends
    from .history import History
    from .rules import Rules
    from .step import Step


NO_SIDE = ""
"""Stands for a side that the game does not name."""


class OtherUnit(Subject):
    """A unit at an event: one of the phase, or the mover itself."""

    def __init__(self, run: Run, rules: Rules, unit: Unit, index: int) -> None:
        super().__init__(run, rules)
        self._unit, self._index = unit, index

    @property
    def unit(self) -> Unit:
        self.run.log.private = True
        return self._unit

    @property
    def index(self) -> int:
        self.run.log.private = True
        return self._index

    @property
    def history(self) -> History:
        self.run.log.private = True
        return self.rules.history

    def at(self, index: int) -> OtherUnit:
        """The unit at another event."""
        self.run.log.private = True
        return OtherUnit(self.run, self.rules, self._unit, index)

    def other(self, unit: str) -> OtherUnit:
        """Another unit at the same event."""
        return OtherUnit(self.run, self.rules, self.rules.game.units[unit], self._index)

    def fact(self, about: str) -> Fact:
        self.run.log.private = True
        return self.fact_at(about)

    def _speaks_of(self, about: str) -> bool:
        unit = self._unit
        return about in unit.attributes or self.rules.history.timeline.tells_of(unit.id, about)

    def written(self, about: str) -> Fact:
        """An attribute as it is written, in any case."""
        self.run.log.private = True
        return self.fact_at(about)

    def fact_at(self, about: str) -> Fact:
        """An attribute by the log, or else by the unit's type; for the engine."""
        value, name = self.rules.history.value, self._unit.id
        told = value(name, about, self._index)
        kind = lambda: value(name, "type", self._index)  # noqa: E731
        return self.rules.by_type(self._unit, told, about, kind)

    def asked(self, about: str) -> Asking:
        """The question about a fact of it."""
        return later(question, self._unit, about)

    def undecided(self, name: object, asked: Sequence[Asking]) -> bool:
        return super().undecided((self._unit.id, name), asked)

    def opens(self, about: str) -> None:
        """Note that the result is bounds because the attribute ``about`` is not known."""
        self.run.log.open.append(self.asked(about))

    def opens_question(self, topic: str, text: str, at: StepRef) -> None:
        """Note that the result is bounds because a question about the unit at a step has no answer. {} in
        ``text`` stands for the unit's name."""
        asked = Question(topic, text.format(self._unit.name), self._unit.id, at)
        self.run.log.open.append(asked.unknown())

    def told_number(self, topic: str, at: StepRef) -> Fact:
        """The fact about it at a step; UNKNOWN if there is none."""
        self.run.log.private = True
        return told(self.rules.game, Question(topic, "", self._unit.id, at))

    def whole_number(self, about: str, most: int) -> int:
        """An attribute as a whole number. For numbers above ``most``, only whether they are odd matters."""
        fact = self.fact(about)
        lo, hi = max(0, int(fact.low or 0)), fact.high
        choices = [n for n in range(lo, max(most, lo) + 2) if hi is None or n <= hi]
        if fact.options is not None and hi is not None:
            choices = [int(str(option).partition("/")[0]) for option in fact.options]
        key = "number", self._unit.id, about, fact.options, lo, hi
        return int(self.run.choose(key, dict.fromkeys(choices or [lo]), (self.asked(about),)))

    def word(self, about: str, fact: Fact | None = None) -> str:
        """The value of an attribute."""
        fact = self.fact(about) if fact is None else fact
        asked = self.asked(about)
        key = "word", self._unit.id, about, fact.options
        return str(self.run.choose(key, self._words(about, fact), (asked,)))

    def _words(self, about: str, fact: Fact) -> list[str]:
        """The values of an attribute that agree with the answers assumed in this run."""
        options = fact.options if fact.options is not None else self.rules.words(about)
        words, same = dict.fromkeys(map(str, options)), (self._unit.id, about, fact.options)
        for key, value in self.run.told.items():
            if isinstance(key, tuple) and key[1:4] == same:
                words = {
                    word: None
                    for word in words
                    if (word == value if key[0] == "word" else is_word(word, key[4]) == value)
                }
        return list(words)

    def is_(self, about: str, *values: str) -> bool:
        """Whether an attribute has one of these values."""
        return self._is(about, values, self.fact(about))

    def _is(self, about: str, values: tuple[str, ...], fact: Fact) -> bool:
        if fact.is_known:
            return is_word(str(fact.value), values)
        there = {is_word(word, values) for word in self._words(about, fact)}
        holds = there.pop() if len(there) == 1 else None
        key = "is", self._unit.id, about, fact.options, values
        return self.run.yes(key, holds, self.asked(about))

    def alike(self, name: object, one: Fact, other: Fact, *asked: Asking) -> bool:
        """Whether two facts are equal. ``asked``: the facts that decide it if it is not known. ``name``: the
        key of this comparison."""
        holds: bool | None = None
        if one.options is not None and other.options is not None:
            if one.is_known and other.is_known:
                holds = one.value == other.value
            elif not set(one.options) & set(other.options):
                holds = False
        return self.run.yes(("alike", self._unit.id, name), holds, *asked)

    def doubted(self, about: str) -> bool:
        """The answer assumed in this run for something that an attribute leaves open, whatever its value."""
        return self.run.yes(("doubted", self._unit.id, about), None, self.asked(about))

    def was(self, about: str, *values: str) -> bool:
        """As :meth:`is_`, but the value may have been corrected later, before others saw it."""
        told = self.history.told(self._unit, about, self._index, lambda value: True)
        return self._is(about, values, told)

    def is_on(self, carrier: str) -> bool:
        """Whether it is on a carrier."""
        held = carrier_in(self.fact(ABOARD))
        sure = held == carrier or (None if held in (None, SOMETHING) else False)
        key = "on it", self._unit.id, carrier
        return self.run.yes(key, sure, later(question, self._unit, ABOARD))

    def marked_by_then(self, name: str, side: str | None) -> bool:
        """Whether it has a marker; False for one that was placed too early or may be left over. ``side``: the
        moving player's."""
        found = self.history.marked(self._unit, name, self._index, side)
        if found is None and self.fact(name).must_be(True):
            return False
        key = "marked then", self._unit.id, name, self._index
        return self.run.yes(key, found, self.asked(name))

    @property
    def facing(self) -> int:
        """The hexside that it faces."""
        found = self.rules.heading(self.fact(FACING))
        choices = range(6) if found is None else (found,)
        key = "facing", self._unit.id, self._index
        return int(self.run.choose(key, choices, (later(question, self._unit, FACING),)))

    def surely(self, about: str, *values: str) -> bool:
        """Whether an attribute certainly has one of ``values``. For texts only: it never ends a run."""
        fact = self.fact(about)
        return fact.options is not None and all(is_word(str(o), values) for o in fact.options)

    def possibly(self, about: str, *values: str) -> bool:
        """Whether an attribute may have one of ``values``. For what can be tried: it never ends a run."""
        options = self.fact(about).options
        return options is None or any(str(option).strip().lower() in values for option in options)

    def surely_friend(self, unit: Unit) -> bool:
        """As :meth:`surely`, for :meth:`friend`."""
        self.run.log.private = True
        return sides.is_friend(self.rules.game, self._unit.side, unit.side) is True

    def amount(self, about: str) -> Amount:
        """The bounds of an attribute that is a number."""
        fact = self.fact(about)
        return Amount(max(Fraction(0), fact.low or Fraction(0)), fact.high)

    def bounds(self, about: str) -> Amount:
        """As :meth:`amount`; the result then depends on it."""
        found = self.amount(about)
        if not found.is_exact:
            self.opens(about)
        return found

    def most(self, about: str, limit: int) -> bool:
        """Whether a number is at most ``limit``."""
        amount = self.amount(about)
        holds = (
            False
            if amount.lo > limit
            else True
            if amount.hi is not None and amount.hi <= limit
            else None
        )
        return self.run.yes(("most", self._unit.id, about, limit), holds, self.asked(about))

    def tells(self, about: str) -> bool:
        """Whether an attribute has a fact."""
        return self.fact(about) != UNKNOWN

    @property
    def alive(self) -> bool:
        """Whether it is in play."""
        unit, dead = self.unit, self.fact(DEAD)
        asked = later(_dead_from, unit, self.rules.history, self._index)
        return self.run.yes(("alive", unit.id), is_alive(unit, dead), asked)

    def friend(self, unit: Unit) -> bool:
        """Whether another unit is a friend."""
        game, own = self.rules.game, self.unit
        found = sides.is_friend(game, own.side, unit.side)
        if found is not None:
            return found
        asked, side = tuple(sides.missing(game, own.side, unit, (own,))), own.side
        if side is None and game.sides:  # one of them, the same for all units; or another
            named = (*game.sides, *(name for r in game.relations for name in r.sides), NO_SIDE)
            side = str(self.run.choose(("side", own.id), dict.fromkeys(named), asked))
            if unit.side is not None:
                found = sides.is_friend(game, side, unit.side) if side else False
        return self.run.yes(("friend", side, unit.id), found, *asked)


def is_word(word: str, values: tuple[str, ...]) -> bool:
    """Whether a word, however it is spelled, is one of these values."""
    return word.strip().lower() in values


def _dead_from(unit: Unit, history: History, index: int) -> MissingFact:
    since = history.dead_since(unit.id, index)
    asked = missing_facts.of_unit_from(unit, DEAD, since)
    return replace(asked, question=f"was {unit.name} dead from {since.said} on?")


class Enemy(OtherUnit):
    """The view that a test about hex ``target`` has of an enemy unit in hex ``origin``, the same hex or one
    beside it."""

    def __init__(
        self, run: Run, rules: Rules, unit: str, zones: Friends, origin: str, target: str
    ) -> None:
        super().__init__(run, rules, rules.game.units[unit], 0)
        self._zones, self._origin, self._target = zones, origin, target

    def fact(self, about: str) -> Fact:
        """A fact of it during the mover's move."""
        told = in_lower_case(self._zones.fact(self._unit.id, about))
        kind = lambda: self._zones.fact(self._unit.id, "type")  # noqa: E731
        return self.rules.by_type(self._unit, told, about, kind)

    def told_of(self, about: str) -> Fact:
        """A fact of it as written, not in lower case."""
        return self._zones.fact(self._unit.id, about)

    @property
    def moving(self) -> Unit:
        return self._unit

    def one_of(self, about: str, every: tuple[str, ...]) -> str:
        """The value of an attribute, as it is written; if it is not known, one of ``every``."""
        options = self._zones.fact(self._unit.id, about).options or every
        choices = tuple(dict.fromkeys(map(str, options)))
        asked = later(question, self._unit, about)
        return str(self.run.choose(("one of", self._unit.id, about), choices, (asked,)))

    def another(self, unit: str) -> Enemy:
        """Another unit at that time."""
        return Enemy(self.run, self.rules, unit, self._zones, self._origin, self._target)

    def at_least_some(self, amount: Any, about: str) -> bool:
        """Whether an amount that depends on an attribute is above 0."""
        lo, hi = least_and_most(amount)
        holds = True if lo > 0 else False if hi is not None and hi <= 0 else None
        return self.run.yes(("some", self._unit.id, about), holds, self.asked(about))

    @property
    def history(self) -> History:
        self._zones.passes()
        return super().history

    @property
    def displaced(self) -> bool:
        """Whether it was displaced before in the phase."""
        history, at = self.history, self._zones._situation.at
        return history.was_displaced(self._unit.id, history.first_event(at))

    @property
    def beside(self) -> bool:
        """Whether it is not in the hex that the test is about."""
        self.run.log.placed = True
        return self._origin != self._target

    def own_step(self, by: Any) -> Step:
        """Its own step into the other hex, made in the way ``by``."""
        self.run.log.placed = True
        stub = self.rules.in_place_of(self)
        return self.rules.step(self.run, stub, self._origin, self._target, None, None, by=by)


Test = Callable[[Enemy], bool]
Work = Callable[[Enemy], int | None]


def least_and_most(said: Any) -> tuple[Any, Any]:
    """The bounds of a result about a unit: a number or an interval."""
    return (said.lo, said.hi) if isinstance(said, Amount | CostInterval) else (said, said)


def ask(test: Any, zones: Friends, unit: str, origin: str, target: str, run: Run) -> Any:
    return test(Enemy(run, zones._rules, unit, zones, origin, target))
