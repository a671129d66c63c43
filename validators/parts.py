"""The parts of a move: its units, grouped by the way they came in the phase; and whether a unit is, or may
be, moved on later in the same phase.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace

from ..model.bill import ZERO, Amount
from ..model.game import Displacement, Game
from .answers import amount_told, spent_before
from .moves import Track, joined, phase_is_known
from .ruleset import Entries, RulesInForce
from .takeback import Witnesses
from .timeline import Timeline

RulesOn = Callable[[Game], RulesInForce]
"""Returns the rules for the game on one of its boards."""

_Way = tuple[tuple[int, ...], tuple[int, ...], Amount | None]
"""The ids of the moves that a unit continues, those before the phase was interrupted, and the MPs that it
spent on coming onto the map; None if that is not known."""


@dataclass(frozen=True, slots=True)
class Part:
    """The units of a move that came the same way, with that way from the beginning of the phase.

    ``track``: the move, for these units only. ``way``: that move joined to the moves before it. ``before``:
    the ids of the moves that it continues. ``whole``: whether ``way`` is all that the units did in the phase,
    except coming onto the map, for which they ``spent`` MPs. ``longer``: the way from the beginning of a
    phase that was, or may have been, interrupted; None if it was not interrupted, or if that way or what it
    cost to come onto the map is not known."""

    track: Track
    way: Track
    before: tuple[int, ...]
    whole: bool
    spent: Amount = ZERO
    longer: Track | None = None


@dataclass(frozen=True)
class Parts:
    """The parts of the moves of one game. ``tracks``: all moves, by id."""

    game: Game
    tracks: Mapping[int, Track]
    witnesses: Witnesses
    rules_on: RulesOn

    def of(self, track: Track) -> Iterator[Part]:
        """The parts of a move: its units grouped by the way they came in this phase."""
        move = track.move
        nothing: tuple[tuple[int, ...], ...] = ((),) * len(move.units)
        ways: dict[_Way, list[str]] = {}
        for unit, before, past in zip(
            move.units, track.earlier or nothing, track.past or nothing, strict=True
        ):
            if self._told(unit, track) is not None:
                before, past = (), ()  # the facts say what it spent: earlier moves do not matter
            ways.setdefault((before, past, self._entry(unit, track)), []).append(unit)
        for (before, past, spent), units in ways.items():
            own = replace(track, move=replace(move, units=tuple(units)))
            way, whole = self._way(before, own)
            longer = self._longer((*past, *before), own) if past and spent is not None else None
            known = whole and spent is not None and not past
            yield Part(own, way, before, known, spent or ZERO, longer)

    def _longer(self, before: tuple[int, ...], own: Track) -> Track | None:
        """``own`` joined to the moves ``before`` it in a phase that was interrupted; None if they do not
        connect or one of them is not movement."""
        way, whole = self._way(before, own)
        return way if whole and all(self.tracks[n].counts for n in before) else None

    def _entry(self, unit: str, track: Track) -> Amount | None:
        """MPs that a unit spent in the phase on coming onto the map, or all that the facts say it spent
        before its drag; None if that is not known."""
        told = self._told(unit, track)
        if told is not None:
            return told
        if unit not in track.entered:
            return ZERO
        came = self._came(unit, track.events[0])
        rules = self.rules_on(self.game.on_board(came, came))
        return rules.entered(unit, track.events[0]) if isinstance(rules, Entries) else None

    def _came(self, unit: str, before: int) -> int:
        """The index of the last event before index ``before`` that put ``unit`` onto the map; ``before``
        itself if there is none."""
        events = self.game.events
        return next(
            (
                index
                for index in range(before - 1, -1, -1)
                if isinstance(event := events[index], Displacement)
                and event.unit == unit
                and event.origin.kind != "hex"
            ),
            before,
        )

    def _told(self, unit: str, track: Track) -> Amount | None:
        """MPs that a unit spent in the phase before its drag according to the facts; None if they do not
        say."""
        move = track.move
        question = spent_before(str(move.origin), unit, "", move.steps[0])
        return amount_told(self.game, question)

    def _way(self, before: tuple[int, ...], own: Track) -> tuple[Track, bool]:
        """``own`` joined to the moves ``before`` it, as far back as each begins where the last one ended; and
        whether all of them could be joined."""
        way: Track | None = None
        whole = True
        for track in (*(self.tracks[number] for number in before), own):
            if way is not None and way.move.target == track.move.origin:
                way = joined(way, track, self.witnesses)
            else:
                whole = whole and way is None
                way = track
        assert way is not None
        return way, whole


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
