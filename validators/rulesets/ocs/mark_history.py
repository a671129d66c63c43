"""MarkHistory and phases around a moment: what lay on a unit before in the phase, or the one before, or comes
to lie on it later, and whose turn it was."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from ....model.fact import Fact
from ....model.game import Game, PhaseStart
from ....model.unit import Unit
from ...situation import Situation
from .tables import plain


class MarkHistory:
    """The marks of the units of a game."""

    def __init__(self, game: Game) -> None:
        self._starts = [event for event in game.events if isinstance(event, PhaseStart)]
        self._end = len(game.events)

    def last_phases(self, situation: Situation) -> tuple[PhaseStart | None, PhaseStart | None]:
        """How the phase before began, and how this one did."""
        number = situation.timeline.phase_number
        began: dict[int, PhaseStart] = {}
        for start in self._starts:
            if start.at <= situation.at:
                began.setdefault(number(start.at), start)
        now = number(situation.at)
        return began.get(now - 1), began.get(now)

    def follows_the_other_side(self, situation: Situation, moving: Collection[str]) -> bool:
        """Whether the phase before, or the last of the phases ``moving``, has another active side: then a
        Reaction may be called after those who react."""
        before, now = self.last_phases(situation)
        if now is None or now.active is None:
            return False
        told = [s for s in self._starts if s.at < now.at and s.active and s.phase in moving]
        others = {s.active for s in (before, *told[-1:]) if s is not None}
        return bool(others - {None, now.active})

    def bore(self, unit: Unit, marks: tuple[str, ...], situation: Situation) -> bool:
        """Whether it was, or perhaps was, in one of some modes in this phase or the one before: its mark
        may be taken off as it is released, or moves."""
        before, now = self.last_phases(situation)
        first, timeline = before or now, situation.timeline
        begin = 0 if first is None or before is None else timeline.first_event(first.at)
        at_first = [unit.fact("mode"), *timeline.changes(unit.id, "mode", 0, begin)][-1]
        found = (at_first, *timeline.changes(unit.id, "mode", begin, situation.applied))
        return any(plain(fact).may_be(mark) for fact in found for mark in marks)

    def late(self, unit: str, abouts: tuple[str, ...], situation: Situation) -> dict[str, Fact]:
        """What becomes of attributes of a unit after it moved, before the phase ends: a player may mark or
        flip what he moved when he has moved all."""
        timeline, until = situation.timeline, situation.until
        if timeline.states(unit, self._end) == timeline.states(unit, until):
            return {}
        number, end = timeline.phase_number(situation.at), self._end
        for start in self._starts:
            if timeline.phase_number(start.at) > number:
                end = timeline.first_event(start.at)
                break
        changes = {about: timeline.changes(unit, about, until, end) for about in abouts}
        return {about: plain(facts[-1]) for about, facts in changes.items() if facts}


def changes_of(facts: Mapping[str, Fact], late: Mapping[str, Fact]) -> dict[str, Fact]:
    """What of ``late`` is not as it is in ``facts``."""
    return {about: fact for about, fact in late.items() if _known(fact) != _known(facts[about])}


def _known(fact: Fact) -> tuple[object, ...]:
    return (fact.options, fact.lo, fact.hi)
