"""Whether a unit is, or may be, moved on later in the same phase."""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict

from ..model.game import Displacement, Game
from .moves import phase_is_known
from .timeline import Timeline


class Endings:
    """The displacements of each unit of a game, and the ends of its phases. Events are given by index."""

    __slots__ = ("_displaced", "_ends", "_game", "_timeline")

    def __init__(self, game: Game, timeline: Timeline) -> None:
        self._game, self._timeline = game, timeline
        self._displaced: dict[str, list[int]] = defaultdict(list)
        self._ends: dict[tuple[int, int], bool] = {}
        for index, event in enumerate(game.events):
            if isinstance(event, Displacement):
                self._displaced[event.unit].append(index)

    def goes_on(self, unit: str, index: int) -> bool:
        """Whether ``unit``, displaced in the step of the event ``index``, is displaced again in that phase by
        any means, or may be, because a part of the phase is not available."""
        step, displaced = self._timeline.step_of, self._displaced.get(unit, [])
        spell = self._timeline.spell(step(index))
        after = bisect_left(displaced, self._timeline.end_event(step(index)))
        if after < len(displaced) and self._timeline.spell(step(displaced[after])) == spell:
            return True
        return not self._ended(index)

    def _ended(self, index: int) -> bool:
        """Whether the phase of the event ``index`` is known to have ended and all of it is available."""
        timeline = self._timeline
        at = timeline.step_of(index)
        if not phase_is_known(timeline, at):
            return False
        key = (timeline.phase_number(at), at.log)  # something may be missing only between two logs
        ended = self._ends.get(key)
        if ended is None:
            ended = self._ends[key] = self._is_over(index)
        return ended

    def _is_over(self, index: int) -> bool:
        """Whether the end of the phase is given, or another phase certainly follows with nothing missing in
        between."""
        events, timeline = self._game.events, self._timeline
        last = timeline.last_part(timeline.step_of(index))
        if last is None:
            return False
        number, closed = timeline.phase_number(last), timeline.is_closed(last)
        begin = timeline.first_event(last)
        for later in range(index + 1, len(events)):
            at, before = timeline.step_of(later), timeline.step_of(later - 1)
            follows = later >= begin and timeline.phase_number(at) != number
            if follows and closed:
                return True
            opens = at.log != before.log
            if opens and any(
                isinstance(event, Displacement) for event in events[later : timeline.end_event(at)]
            ):
                return False
            if follows:
                return phase_is_known(timeline, at)
        return closed
