"""Whether two units may have moved as one stack, regardless of the order in which their counters were
dragged.

Units of one stack take the same way from where they came together to where one is left behind; after that
only the other goes on. A player may drag a stack counter by counter, so the order of the drags proves
nothing. But one of two such units must have passed through every hex in which the other was seen to stop.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import pairwise
from typing import NamedTuple

from ..model.fact import MissingFact
from ..model.finding import JudgedMove
from ..model.game import Game, Place, StepRef
from .answers import Decided, decided, moved_as_one
from .displacement_screening import screen_displacement
from .judge import judge_move
from .moves import Track
from .on_boards import Reusable
from .ruleset import RulesInForce
from .scenarios import stops_after
from .situation import Situation
from .takeback import Witnesses
from .timeline import Timeline

MOST_ORDERS = 64
"""The greatest number of orders of two units' stops that are tried. If there are more, the facts must say."""


class Drag(NamedTuple):
    """A drag of a move. ``event``: its index in ``game.events``. ``track``: the move that it belongs to."""

    at: StepRef
    event: int
    origin: Place
    target: Place
    track: Track


def drags_of(tracks: Iterable[Track]) -> tuple[list[Drag], dict[str, list[Drag]]]:
    """(the drags of some moves, in order; those of each unit)."""
    drags = [
        Drag(at, event, origin, target, track)
        for track in tracks
        for at, event, (origin, target) in zip(
            track.move.steps, track.events, pairwise(track.move.waypoints), strict=True
        )
    ]
    drags.sort(key=lambda drag: drag.event)
    ways: dict[str, list[Drag]] = {}
    for drag in drags:
        for unit in drag.track.move.units:
            ways.setdefault(unit, []).append(drag)
    return drags, ways


@dataclass
class OneStack:
    """Answers for one game. ``rules`` None: only where units began is considered, not how far they can go."""

    game: Game
    witnesses: Witnesses
    rules: RulesInForce | None = None
    _known: dict[tuple[str, tuple[int, ...], tuple[str, ...]], Decided] = field(
        default_factory=dict
    )

    @cached_property
    def timeline(self) -> Timeline:
        """The timeline of the game."""
        return Timeline(self.game)

    def reaches_in_time(self, ways: Sequence[Drag], first: Drag, *, strictly: bool = False) -> bool:
        """Whether a unit dragged along ``ways`` was in the hex where another unit's drag ``first`` began, or
        may have passed through it on a shortest path, before the other left it. Unless ``strictly``, a later
        drag counts too if nothing witnessed the table in between."""
        place, event = first.origin, first.event
        if ways[0].origin == place:
            return True
        late = not strictly
        return any(
            (way.target == place or self._lies_between(place, way))
            and (
                way.event < event
                or (late and not self.witnesses.too_late(event, way.event, way.track.side))
            )
            for way in ways
        )

    def _lies_between(self, place: Place, way: Drag) -> bool:
        """Whether ``place`` is on a shortest path between the ends of ``way``, so that the unit may have
        stopped there."""
        board = self.game.board
        if any(p.hex not in board.hexes for p in (place, way.origin, way.target)):
            return False
        x, a, b = place.name, way.origin.name, way.target.name
        there, on, whole = board.distance(a, x), board.distance(x, b), board.distance(a, b)
        return there is not None and on is not None and whole is not None and there + on <= whole

    def may_have_passed(self, unit: str, ways: Sequence[Drag], other: Sequence[Drag]) -> Decided:
        """Whether ``unit``, dragged along ``ways``, may have passed through every hex in which another unit,
        dragged along ``other``, was seen to stop. Also True if nothing can be concluded."""
        if self.rules is None:
            return True
        own, theirs = self._stops(ways), self._stops(other)
        if own is None or theirs is None or self._can_go(unit, ways, own) is False:
            return True
        start, open_ones = ways[0].origin.name, list[MissingFact]()
        found = False
        for number, stops in enumerate(_merged(own[:-1], theirs)):
            by = stops_after(start, (*stops, own[-1]))
            last = number == MOST_ORDERS
            can = self._as_told(unit, ways) if last else self._can_go(unit, ways, by)
            if can is True:
                return True
            if can is not False:
                found = True
                open_ones += can
            if last:
                break
        return tuple(dict.fromkeys(open_ones)) if found else False

    def _as_told(self, unit: str, ways: Sequence[Drag]) -> Decided:
        """The facts' answer, used if there are too many orders to try."""
        name, step = self.game.units[unit].name, self.timeline.step_of(ways[-1].event)
        return decided(self.game, moved_as_one(unit, name, step))

    def _stops(self, ways: Sequence[Drag]) -> tuple[str, ...] | None:
        """The hexes in which a unit was when something witnessed the table, and the last hex. None if its
        drags are not one connected way on the map, or if it ends where it began without such a stop."""
        places = [ways[0].origin, *(way.target for way in ways)]
        if any(place.hex not in self.game.board.hexes for place in places):
            return None
        if any(one.target != other.origin for one, other in pairwise(ways)):
            return None
        side = ways[0].track.side
        seen = [
            one.target.name
            for one, other in pairwise(ways)
            if self.witnesses.too_late(one.event, other.event, side)
        ]
        return stops_after(ways[0].origin.name, (*seen, ways[-1].target.name)) or None

    def _can_go(self, unit: str, ways: Sequence[Drag], stops: tuple[str, ...]) -> Decided:
        """Whether ``unit`` may have gone through ``stops``, in this order."""
        key = (unit, tuple(way.event for way in ways), stops)
        found = self._known.get(key)
        if found is None:
            judged = self._judged(unit, ways, stops)
            able: Decided = judged is None or judged.verdict == "legal"
            if judged is not None and judged.verdict == "unverifiable":
                able = judged.unknowns or True
            found = self._known[key] = able
        return found

    def _judged(self, unit: str, ways: Sequence[Drag], stops: tuple[str, ...]) -> JudgedMove | None:
        """The verdict on a move of ``unit`` through ``stops``; None if the drags may not be judged."""
        assert self.rules is not None
        timeline = self.timeline
        steps = tuple(timeline.step_of(way.event) for way in ways)
        move = replace(
            ways[0].track.move,
            units=(unit,),
            origin=ways[0].origin,
            target=ways[-1].target,
            waypoints=(ways[0].origin, *(way.target for way in ways)),
            binding=(True,) * (len(ways) + 1),
            steps=steps,
            resumed=False,
        )
        situation = Situation(self.game, timeline)
        situation.advance_before(steps[0])
        track = replace(ways[0].track, move=move, events=tuple(way.event for way in ways))
        span = situation.over(steps[-1])
        found = screen_displacement(track, span)
        if not found.is_open:
            return None
        rules = self.rules
        if span.game.board is not self.game.board:  # the board changes in play
            if not isinstance(rules, Reusable):
                return None
            rules = rules.on(span.game)
        places = tuple(Place("hex", name) for name in (move.origin.name, *stops))
        by = replace(move, waypoints=places, binding=(True,) * len(places))
        return judge_move(by, span, rules, forms=found.forms).judged


def _merged(one: tuple[str, ...], other: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    """All interleavings of the stops of two units. Each unit's own stops keep their order."""
    if not one or not other:
        yield (*one, *other)
        return
    if one[0] == other[0]:
        for rest in _merged(one[1:], other[1:]):
            yield (one[0], *rest)
        return
    for rest in _merged(one[1:], other):
        yield (one[0], *rest)
    for rest in _merged(one, other[1:]):
        yield (other[0], *rest)
