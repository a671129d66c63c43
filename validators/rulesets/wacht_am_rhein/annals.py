"""What happened in the phase so far: where units began it, whose mode was changed."""

from __future__ import annotations

from ....model.game import Displacement, Place, StateChange
from ...ruleset import Situation
from ...timeline import Timeline


class Annals:
    """The current phase of a game, read on as the audit goes forward: every event is looked at once.

    Ask :meth:`so_far` first. ``began``: where each unit that was displaced in the phase had begun it.
    ``left``: the units displaced, each with a place it was taken from. ``modes``: units whose mode was
    changed.
    """

    def __init__(self) -> None:
        self.began: dict[str, Place] = {}
        self.left: list[tuple[str, Place]] = []
        self.modes: set[str] = set()
        self._timeline: Timeline | None = None
        self._phase = -1
        self._read = 0

    def so_far(self, situation: Situation) -> Annals:
        """The annals up to the moment a situation looks at."""
        timeline = getattr(situation, "timeline", None)
        if not isinstance(timeline, Timeline):
            return self
        phase = timeline.phase_number(situation.at)
        end = timeline.first_event(situation.at)
        if timeline is not self._timeline or phase != self._phase or end < self._read:
            start = self._read if timeline is self._timeline and end >= self._read else 0
            self._timeline, self._phase, self._read = timeline, phase, start
            self.began, self.left, self.modes = {}, [], set()
        for index in range(self._read, end):
            if timeline.phase_number(timeline.step_of(index)) == phase:
                self._note(situation.game.events[index])
        self._read = end
        return self

    def _note(self, event: object) -> None:
        if isinstance(event, Displacement):
            self.began.setdefault(event.unit, event.origin)
            self.left.append((event.unit, event.origin))
        elif isinstance(event, StateChange) and event.attribute == "mode":
            self.modes.add(event.unit)
