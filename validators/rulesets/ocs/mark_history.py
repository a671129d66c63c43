"""Markers on units around a moment: those a unit had in this phase or the one before, and those it gets later
in the phase; also which side was active before."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from ....model.fact import Fact
from ....model.game import Game, PhaseStart
from ....model.unit import Unit
from ...concepts.reactions import may_follow_the_other_side
from ...situation import Situation
from .tables import Tables, plain


class MarkHistory:
    """The history of the markers on the units of a game."""

    def __init__(self, game: Game) -> None:
        self._starts = [event for event in game.events if isinstance(event, PhaseStart)]
        self._end = len(game.events)

    def last_phases(self, situation: Situation) -> tuple[PhaseStart | None, PhaseStart | None]:
        """The first event of the previous phase and of the current one; None if there is none. A phase goes
        on after an interruption."""
        spell = situation.timeline.spell
        began: dict[int, PhaseStart] = {}
        for start in self._starts:
            if start.at <= situation.at:
                began.setdefault(spell(start.at), start)
        now = began.get(spell(situation.at))
        before = [start for start in began.values() if now is not None and start.at < now.at]
        return (before[-1] if before else None), now

    def may_follow_the_other_side(self, situation: Situation, tables: Tables) -> bool:
        """Whether the previous phase, or the last Movement Phase before this one, has another active side, or
        may have, or no Movement Phase is told before. If so, the pack may name the reacting side as active in
        a Reaction. False if the active side of this phase is not known."""
        _, now = self.last_phases(situation)
        if now is None or now.active is None:
            return False
        doubtful = situation.timeline.is_doubtful
        before = [
            replace(start, certain=start.certain and not doubtful(start.at))
            for start in self._starts
            if start.at < now.at
        ]
        return may_follow_the_other_side(before, now.active, tables.is_movement)

    def may_have_had_mode(self, unit: Unit, marks: tuple[str, ...], situation: Situation) -> bool:
        """Whether a unit was, or may have been, in one of the modes ``marks`` in this phase or the previous
        one. Players may remove the marker when the unit is released or moves."""
        before, now = self.last_phases(situation)
        first, timeline = before or now, situation.timeline
        begin = 0 if first is None or before is None else timeline.first_event(first.at)
        at_first = [unit.fact("mode"), *timeline.changes(unit.id, "mode", 0, begin)][-1]
        found = (at_first, *timeline.changes(unit.id, "mode", begin, situation.applied))
        return any(plain(fact).may_be(mark) for fact in found for mark in marks)

    def late(self, unit: str, abouts: tuple[str, ...], situation: Situation) -> dict[str, Fact]:
        """The last values of attributes of a unit that change after its move and before the phase ends.

        A player may place markers or flip units only after all moves. Empty if nothing changes.
        """
        timeline, until = situation.timeline, situation.until
        if timeline.states(unit, self._end) == timeline.states(unit, until):
            return {}
        end = self._end
        for start in reversed(self._starts):
            if timeline.spell(start.at) == timeline.spell(situation.at):
                break
            end = timeline.first_event(start.at)
        changes = {about: timeline.changes(unit, about, until, end) for about in abouts}
        return {about: plain(facts[-1]) for about, facts in changes.items() if facts}


def changes_of(facts: Mapping[str, Fact], late: Mapping[str, Fact]) -> dict[str, Fact]:
    """Those of ``late`` that differ from ``facts``. KeyError if ``facts`` lacks one."""
    return {about: fact for about, fact in late.items() if _known(fact) != _known(facts[about])}


def _known(fact: Fact) -> tuple[object, ...]:
    return (fact.options, fact.lo, fact.hi)
