"""Whether units are in play, or dead: their counters may be on the map all the same."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..model.fact import UNKNOWN, Fact, MissingFact
from ..model.game import Game, StepRef
from ..model.stanza import BLANK, stanza
from ..model.unit import Unit
from .timeline import Timeline

DEAD = "dead"
"""Attribute of a unit: whether it is dead, that is, its counter is on the map but no longer in play."""

_ALIVE = Fact((True,))
_DOUBTED = Fact((False, True))


def _alive(dead: Fact) -> list[bool]:
    """The possible answers to "is the unit alive?", given the value of :data:`DEAD`: ``False`` is in the list
    if the unit may be dead, ``True`` if it may be alive. A fact without options may be either."""
    words = {str(option).lower() for option in dead.options} if dead.options else {"?"}
    answers = [False] if words - {"false", "0", "no", ""} else []
    return [*answers, True] if words - {"true", "1", "yes"} else answers


def is_alive(unit: Unit | None, dead: Fact) -> bool | None:
    """Whether ``unit`` is alive, given the value of :data:`DEAD` at one moment; None if it may be either.

    ``unit`` is None if the game does not know the unit. A unit is alive if ``dead`` is ``UNKNOWN`` and the
    unit has no attribute :data:`DEAD` at all.
    """
    if dead == UNKNOWN and (unit is None or DEAD not in unit.attributes):
        return True
    answers = _alive(dead)
    return answers[0] if len(answers) == 1 else None


class Lives:
    """The part of a :class:`.situation.Situation` that tells which units are in play."""

    __slots__ = ()

    if TYPE_CHECKING:
        game: Game
        timeline: Timeline
        _applied: int
        _at: StepRef

        @property
        def last(self) -> StepRef: ...
        def _said(self, unit: str, attribute: str) -> list[Fact | None]: ...

    def in_play(self, unit: str) -> Fact:
        """Whether ``unit`` is alive (True) or dead (False); over a span, every answer that holds at some
        time.

        If the game does not say whether it is dead, the unit is alive, with one exception: the next thing
        that happens to the counter is that it is taken off the map, in this turn or the next. Then it may
        have been dead already. If the game says that it is not known whether the unit is dead, it may be
        either.
        """
        doubted = _DOUBTED if self.timeline.removed_next(unit, self._applied, self._at) else _ALIVE
        if not self.timeline.tells_of(unit, DEAD):
            return doubted
        alive: dict[bool, None] = {}
        sources: dict[str, None] = {}
        for dead in self._said_of_death(unit):
            found = doubted.options if dead is None else _alive(dead)
            alive.update(dict.fromkeys(map(bool, found or ())))
            if dead is not None and dead.source:
                sources[dead.source] = None
        return Fact(tuple(alive), source="; ".join(sources))

    def tells_of_death(self, unit: str) -> bool:
        """Whether the game gives any value for the death of ``unit``, including "not known"."""
        return any(dead is not None for dead in self._said_of_death(unit))

    def _said_of_death(self, unit: str) -> list[Fact | None]:
        """The values of :data:`DEAD` over the span: the first, and each that it changes to. None stands for a
        time at which no value is given. Where the unit's own attribute is missing or unknown, the condition
        :data:`DEAD` is used instead."""
        own = self._said(unit, DEAD)
        if all(fact is not None and fact != UNKNOWN for fact in own):
            return own
        said = self.timeline.told_between(DEAD, self._at, self.last, unit)
        found: list[Fact | None] = []
        for fact in own:
            if fact is None or fact == UNKNOWN:
                found += [fact if other is None else other for other in said]
            else:
                found.append(fact)
        return found

    def dead_unknown(self, unit: str) -> MissingFact:
        """The missing fact: was ``unit`` still in play at :attr:`at`?"""
        known_unit = self.game.units.get(unit)
        name = known_unit.name if known_unit is not None else unit
        before = StepRef(self._at.log, max(0, self._at.step - 1))  # it holds when the step begins
        return MissingFact(
            key=f"unit {unit} in play at {self._at}",
            question=f"was {name} still in play at {self._at.said}, or a dead counter not yet removed?",
            file="facts.toml",
            stanza=stanza(
                "[[unit]]",
                {"unit": unit, "first": str(before), "attributes": {DEAD: BLANK}},
            ),
        )
