"""The history of a game in which a run assumes a value for each fact that is not known.

A check of a phase reads many facts about many units. A fact with several possible values is chosen by the
run, as for a clause. The check then gets a known fact, or one that may be anything, and its result depends on
the question about the chosen facts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from copy import copy
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from ...model.fact import UNKNOWN, Fact, MissingFact, Value, known
from ...model.game import Game, StepRef
from ...model.unit import Unit
from ..concepts import missing_facts
from ..lives import DEAD
from ..situation import Situation
from .asking import Question, Run, later
from .history import History

if TYPE_CHECKING:
    from .rules import Rules

DEAD_OR_ALIVE: tuple[Value, ...] = (True, False)
"""The values of DEAD for a unit that may be dead. An accusation that holds for both is worded for the
first."""


def asking(rules: Rules, run: Run) -> Rules:
    """A copy of the rules in force that lets ``run`` choose what is not known about the game's units."""
    found = copy(rules)
    game = _asking(rules.game, run)
    vars(found).update(game=game, history=AskedHistory(rules.history, game, run), memo={})
    return found


def _asking(game: Game, run: Run) -> Game:
    """A copy of the game in which ``run`` chooses the unknown sides of units."""
    allies = (side for relation in game.relations for side in relation.sides)
    sides = tuple(dict.fromkeys((*game.sides, *allies)))
    if len(sides) < 2:
        return game
    units = (unit for unit in game.units.values() if unit.kind == "unit" and unit.side is None)
    asked = {unit.id: _Whose(unit, sides, run) for unit in units}
    if not asked:
        return game
    found = replace(game, units={**game.units, **asked})
    vars(found)["_attitudes"] = game._attitudes  # they hold whatever the sides are
    return found


class _Whose(Unit):
    """A unit whose side is chosen by the run when it is read."""

    __slots__ = ("_choose",)
    _choose: Callable[[], str]

    def __init__(self, unit: Unit, sides: tuple[str, ...], run: Run) -> None:
        for name in ("id", "name", "kind", "attributes", "seen_by"):
            object.__setattr__(self, name, getattr(unit, name))
        asked = later(missing_facts.of_side, unit)
        choose = partial(run.choose, ("side of", unit.id), sides, (asked,))
        object.__setattr__(self, "_choose", choose)

    @property
    def side(self) -> str | None:
        return self._choose()


class AskedSituation(Situation):
    """A situation with the facts of units that a run assumes."""

    __slots__ = ("history",)

    def __init__(self, rules: Rules, at: StepRef) -> None:
        super().__init__(rules.game, rules.history.timeline)
        self.history = rules.history
        self.advance_before(at)

    def _said(self, unit: str, attribute: str) -> list[Fact | None]:
        first = super()._said(unit, attribute)[0]
        if first is not None:
            first = self.history.value(unit, attribute, self.applied)
        changes = self.history.changes(unit, attribute, self.applied, self.until)
        return [first, *(fact for _, fact in changes)]


class AskedHistory(History):
    """The history of a game with the facts that a run assumes."""

    def __init__(self, history: History, game: Game, run: Run) -> None:
        vars(self).update(vars(history), game=game, run=run)

    run: Run

    def value(self, unit: str, attribute: str, index: int) -> Fact:
        said = super().changes(unit, attribute, 0, index)[-1:]
        found = super().value(unit, attribute, index)
        return self._answered(unit, attribute, said[0][0] if said else None, found, index)

    def changes(self, unit: str, attribute: str, first: int, end: int) -> list[tuple[int, Fact]]:
        said = super().changes(unit, attribute, first, end)
        every = [(at, self._answered(unit, attribute, at, fact, at + 1)) for at, fact in said]
        if attribute == DEAD:
            every = sorted((*every, *self._deaths(unit, first, end)), key=lambda one: one[0])
        return every

    def _answered(self, unit: str, name: str, index: int | None, fact: Fact, at: int) -> Fact:
        """The fact that event ``index`` set (None: the opening), as the run assumes it just before ``at``."""
        whose, options = self.game.units.get(unit), fact.options or ()
        if whose is None or whose.kind != "unit":
            return fact
        if name == DEAD and fact == UNKNOWN and (index is not None or DEAD in whose.attributes):
            options = DEAD_OR_ALIVE
        if len(options) < 2:
            return fact
        asked = later(self._question, whose, name, index)
        if name == DEAD:
            return known(self._dead(unit, index, at, asked), fact.source)
        value = self.run.choose(("told of", unit, name, index, options), options, (asked,))
        return Fact((value,), source=fact.source)

    def _dead(self, unit: str, index: int | None, at: int, asked: Question) -> bool:
        """Whether a unit that may be dead since event ``index`` is dead just before ``at``. If the next event
        shows that it is certainly dead, it may have died at the start of any step between."""
        since = -1 if index is None else index
        later_ = super().changes(unit, DEAD, since + 1, len(self.game.events))
        moment, step_of = 0, self.timeline.step_of
        if later_ and later_[0][1].must_be(True):
            end = step_of(later_[0][0])
            steps = range(max(since, 0) + 1, min(at, later_[0][0]))
            moment = sum(step_of(n - 1) < step_of(n) < end for n in steps)
        key = "dead", unit, index
        told = {k[3]: v for k, v in self.run.told.items() if isinstance(k, tuple) and k[:3] == key}
        if any(dead and when <= moment for when, dead in told.items()):
            return True
        if any(not dead and when >= moment for when, dead in told.items()):
            return False
        return bool(self.run.choose((*key, moment), DEAD_OR_ALIVE, (asked,)))

    def _deaths(self, unit: str, first: int, end: int) -> Iterator[tuple[int, Fact]]:
        """The deaths from event ``first`` to ``end`` (excluded) without an event of their own."""
        told = {at for at, _ in super().changes(unit, DEAD, first, end)}
        step_of = self.timeline.step_of
        for step in range(max(first, 1), end) if self.timeline.tells_of(unit, DEAD) else ():
            if step not in told and step_of(step - 1) < step_of(step):
                before, after = (self.value(unit, DEAD, at) for at in (step, step + 1))
                if before.must_be(False) and after.must_be(True):
                    yield step, after

    def _question(self, unit: Unit, name: str, index: int | None) -> MissingFact:
        """What is the value of an attribute of a unit, from event ``index`` on (None: the beginning)?"""
        if index is None:
            asked, since = missing_facts.of_unit(unit, name), "the beginning"
        else:
            at = self.timeline.step_of(index)
            asked, since = missing_facts.of_unit_from(unit, name, at), f"{at.said} on"
        if name != DEAD:
            return asked
        return replace(asked, question=f"was {unit.name} dead from {since}?")
