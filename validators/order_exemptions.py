"""Which units the rule against moving on after others does not apply to.

A unit's kind may change in play, and conditions may hold for a part of the game only. So the values that a
unit had, or may have had, while it was dragged count.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ..model.fact import UNKNOWN, Fact, MissingFact, either
from ..model.game import Game
from .answers import Decided, any_decided, decided, may_move_on, open_in
from .concepts.missing_facts import of_unit
from .moves import marked_until
from .one_stack import Drag
from .ruleset import OrderRule, Requirement, all_met
from .timeline import Timeline


@dataclass(frozen=True, slots=True)
class Exemptions:
    """The exemptions from ``rule`` in one game."""

    game: Game
    rule: OrderRule
    timeline: Timeline

    def apart(self, drag: Drag) -> Decided:
        """Whether a dragged unit is of a kind whose moves do not interrupt another's (``rule.apart``)."""
        return any_decided(self._is_apart(unit, drag) for unit in drag.track.move.units)

    def spared(self, pair: Sequence[str], drag: Drag) -> Decided:
        """Whether one of two units is exempt from the rule at the time of ``drag``."""
        unknowns: list[MissingFact] = []
        for unit in pair:
            told = self._fits(unit, self.rule.exempt, drag) if self.rule.exempt else False
            apart = self._is_apart(unit, drag)
            if told or apart is True:
                return True
            if told is None:
                unknowns.append(of_unit(self.game.units[unit], self.rule.exempt[0].attribute))
            unknowns += open_in(apart)
        return tuple(dict.fromkeys(unknowns)) or False

    def exempt(self, unit: str, drag: Drag) -> Decided:
        """Whether a unit may move on after others because it is exempt."""
        fits = self._fits(unit, self.rule.exempt, drag)
        if not self.rule.exempt or fits is False:
            return False
        question = may_move_on(unit, self.game.units[unit].name)
        told = decided(self.game, question)
        if fits is None and open_in(told):
            return (of_unit(self.game.units[unit], self.rule.exempt[0].attribute),)
        return told

    def _is_apart(self, unit: str, drag: Drag) -> Decided:
        """As :meth:`apart`, for one of the units dragged."""
        needs = [need for need in self.rule.apart if not need.negated]
        never = [need for need in self.rule.apart if need.negated]
        if not self.rule.apart or any(self._fits(unit, (need,), drag) is False for need in never):
            return False  # such as a mission that is declared
        open_ones = [need for need in needs if self._fits(unit, (need,), drag) is None]
        if not open_ones and not self._fits(unit, needs, drag):
            return False
        # A fact that is not given is not asked for; one that is given as "one of several" is.
        open_ones += [need for need in never if self._is_told_open(unit, need, drag)]
        if not open_ones:
            return True
        return tuple(of_unit(self.game.units[unit], need.attribute) for need in open_ones)

    def _is_told_open(self, unit: str, need: Requirement, drag: Drag) -> bool:
        fact = self._fact(unit, need.attribute, drag)
        return fact.options is not None and need.met(fact) is None

    def _fits(self, unit: str, needs: Sequence[Requirement], drag: Drag) -> bool | None:
        """Whether a unit meets all of ``needs`` at the time of ``drag``; None if not known."""
        return all_met(
            needs, {need.attribute: self._fact(unit, need.attribute, drag) for need in needs}
        )

    def _fact(self, unit: str, about: str, drag: Drag) -> Fact:
        """The values that ``about`` may have had from the beginning of the move of ``drag`` to the marks that
        follow ``drag``: from the condition if it is given and known, else from the attribute."""
        first = drag.track.events[0]
        last = marked_until(self.game, drag.track.move.units, drag.event)
        own = either(self._attribute(unit, about, first, last))
        if about not in self.game.condition_keys:
            return own
        steps = self.timeline.step_of(first), self.timeline.step_of(last)
        told = self.timeline.told_between(about, *steps, unit)
        return either(own if fact is None or fact == UNKNOWN else fact for fact in told)

    def _attribute(self, unit: str, name: str, first: int, last: int) -> Iterator[Fact]:
        """The value of an attribute before the event ``first``, and each to which it changes up to the event
        ``last``."""
        before = self.timeline.changes(unit, name, 0, first)
        yield before[-1] if before else self.game.units[unit].fact(name)
        yield from self.timeline.changes(unit, name, first, last + 1)
