"""The history of each unit of a game: its places and the values of its attributes over time.

It is indexed once. Events are given as indices in ``game.events``.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import defaultdict

from ....model.fact import UNKNOWN, Fact, Value
from ....model.game import NOWHERE, Displacement, Place, StateChange
from ...situation import DEAD, is_alive
from ...timeline import Timeline
from ...witness import Witnesses
from .ruleset_facts import ACTIONS_NAMED, TRANSPORT_MARKER

ACTION = "action"


def spelt(action: Fact) -> Fact:
    """The action with its words spelled as in :data:`ACTIONS_NAMED`: "Fire and Movement" becomes
    ``fire-and-movement``. ``UNKNOWN`` if a word is not one of these (misspelt in the pack)."""
    if action.options is None:
        return action
    words = {
        re.sub(r"[\s_-]+", "-", str(o).strip().lower().replace("&", " and ")): None
        for o in action.options
    }
    if not words.keys() <= set(ACTIONS_NAMED):
        return UNKNOWN
    return Fact(tuple(words), source=action.source)


class UnitHistory:
    """The places and attributes of all units. ``witnesses``: the events that others saw (see
    :class:`.witness.Witnesses`)."""

    def __init__(self, timeline: Timeline) -> None:
        self.timeline = timeline
        self.game = timeline.game
        self.witnesses = Witnesses(self.game)
        self._facts = tuple(s.file for s in self.game.sources if s.kind == "facts")
        self._said: dict[tuple[str, str], list[tuple[int, Fact, bool]]] = defaultdict(list)
        self._drags: dict[str, list[tuple[int, Place, Place]]] = defaultdict(list)
        self._spells: dict[int, tuple[int, int]] = {}
        for index, event in enumerate(self.game.events):
            if isinstance(event, Displacement):
                if event.origin != event.target:
                    self._drags[event.unit].append((index, event.origin, event.target))
            elif isinstance(event, StateChange):
                after = event.after
                said = (index, spelt(after) if event.attribute == ACTION else after, event.undo)
                self._said[event.unit, event.attribute].append(said)

    def phase(self, index: int) -> tuple[int, int]:
        """The first event of the phase of event ``index``, and the first event after that phase. For an index
        after the last event: the number of events, twice."""
        timeline, events = self.timeline, self.game.events
        if index >= len(events):
            return len(events), len(events)
        number = timeline.phase_number(timeline.step_of(index))
        if number not in self._spells:
            start = end = index
            while start and timeline.phase_number(timeline.step_of(start - 1)) == number:
                start -= 1
            while end < len(events) and timeline.phase_number(timeline.step_of(end)) == number:
                end += 1
            self._spells[number] = (start, end)
        return self._spells[number]

    def value(self, unit: str, attribute: str, index: int) -> Fact:
        """The value of an attribute just before event ``index``; ``UNKNOWN`` if there is none."""
        said = self._said.get((unit, attribute))
        if said:
            found = bisect_left(said, index, key=lambda change: change[0])
            if found:
                return said[found - 1][1]
        known_unit = self.game.units.get(unit)
        found_on = known_unit.fact(attribute) if known_unit is not None else UNKNOWN
        return spelt(found_on) if attribute == ACTION else found_on

    def is_declared(self, fact: Fact) -> bool:
        """Whether a fact comes from a facts file. Such a fact, unlike the state of a counter, is not out of
        date and was not set too late."""
        return bool(self._facts) and fact.source.startswith(self._facts)

    def said(self, unit: str, attribute: str, index: int) -> int:
        """The last event before ``index`` that gave the attribute a value; 0 if there is none."""
        said = self._said.get((unit, attribute), [])
        found = bisect_left(said, index, key=lambda change: change[0])
        return said[found - 1][0] if found else 0

    def changes(
        self, unit: str, attribute: str, start: int, end: int
    ) -> list[tuple[int, Fact, bool]]:
        """The changes of an attribute from event ``start`` to ``end`` (exclusive), as (event, new value,
        whether it was an undo)."""
        said = self._said.get((unit, attribute))
        if not said:
            return []
        first = bisect_left(said, start, key=lambda change: change[0])
        last = bisect_left(said, end, key=lambda change: change[0])
        return said[first:last]

    def told(
        self, unit: str, attribute: str, start: int, end: int, fitting: tuple[str, ...]
    ) -> Fact:
        """The value of an attribute over a span, from just before event ``start`` to event ``end``
        (exclusive).

        If it did not change in the span: its value. Else all of its values that are among ``fitting``,
        because players put a marker on late and take it off once it is no longer needed; all of ``fitting``
        if it was also not known at some time. If none of its values is among ``fitting``: the last one, or
        ``UNKNOWN`` if it was not known at some time."""
        if not self.changes(unit, attribute, start, end):
            return self.value(unit, attribute, start)
        facts = [fact for _, fact in self.series(unit, attribute, start, end)]
        every = (option for fact in facts for option in fact.options or ())
        fits = tuple(dict.fromkeys(option for option in every if option in fitting))
        if len(facts) == 1:
            return facts[0]
        if any(fact.options is None for fact in facts):
            return Fact(fitting) if fits else UNKNOWN
        return Fact(fits) if fits else facts[-1]

    def put_right(
        self, unit: str, attribute: str, bad: tuple[Value, ...], at: int, side: str | None
    ) -> bool:
        """Whether an attribute that may have had one of the values ``bad`` when the unit was dragged (event
        ``at``) was changed, or may have been, to another value before there was a witness. Then the player
        may have corrected an oversight. ``side``: the side that dragged it; None: not known."""
        for index, fact, _ in self.changes(unit, attribute, at, len(self.game.events)):
            if self.witnesses.too_late(at, index, side):
                return False
            if fact.options is None or not all(option in bad for option in fact.options):
                return True
        return False

    def taken_off(self, unit: str, at: int) -> bool:
        """Whether the next event of a unit, from event ``at`` on, takes it off the hexes in that turn or the
        next. Then its counter may have been left on the map after the unit was destroyed."""
        later = self.drags(unit, at, len(self.game.events))
        if not later:
            return False
        step = self.timeline.step_of(max(0, at - 1))
        return self.timeline.removed_next(unit, later[0][0], step)

    def changed_soon(self, unit: str, attribute: str, at: int) -> tuple[int, Fact] | None:
        """The next change of an attribute, from event ``at`` on, as (event, new value); None if there is none
        in that turn or the next."""
        later = self.changes(unit, attribute, at, len(self.game.events))
        if not later:
            return None
        index, fact, _ = later[0]
        soon = self.timeline.is_soon(index, self.timeline.step_of(max(0, at - 1)))
        return (index, fact) if soon else None

    def turn(self, index: int) -> str | None:
        """The name of the turn of event ``index``, or of the last event if there is no such event; None: not
        known."""
        if not self.game.events:
            return None
        step = self.timeline.step_of(min(index, len(self.game.events) - 1))
        return self.timeline.phase(step).turn

    def drags(self, unit: str, start: int, end: int) -> list[tuple[int, Place, Place]]:
        """The drags of a unit from event ``start`` to ``end`` (exclusive), as (event, origin, target)."""
        drags = self._drags.get(unit, [])
        first = bisect_left(drags, start, key=lambda drag: drag[0])
        last = bisect_left(drags, end, key=lambda drag: drag[0])
        return drags[first:last]

    def targets(self, unit: str, start: int, end: int) -> list[Place]:
        """The targets of the drags of a unit from event ``start`` to ``end`` (exclusive)."""
        return [target for _, _, target in self.drags(unit, start, end)]

    def place(self, unit: str, index: int) -> Place:
        """The place of a unit just before event ``index``; ``NOWHERE`` if the game does not say."""
        drags = self._drags.get(unit, [])
        found = bisect_left(drags, index, key=lambda drag: drag[0])
        return drags[found - 1][2] if found else self.game.opening.get(unit, NOWHERE)

    def vehicle(self, aboard: Value, unit: str, index: int) -> str | None:
        """The id of the vehicle that ``unit`` is aboard. ``aboard``: its id, or the number of its transport
        marker (attribute ``transport_marker``); markers of dead vehicles do not count. None if no vehicle or
        more than one has that number."""
        name = str(aboard)
        if name in self.game.units:
            return name
        numbered = []
        for other in self.game.units:
            number = self.value(other, TRANSPORT_MARKER, index)
            fits = other != unit and number.is_known and str(number.value) == name
            if (
                fits
                and is_alive(self.game.units[other], self.value(other, DEAD, index)) is not False
            ):
                numbered.append(other)
        return numbered[0] if len(numbered) == 1 else None

    def series(self, unit: str, attribute: str, start: int, end: int) -> list[tuple[int, Fact]]:
        """The values of an attribute from just before event ``start`` to event ``end`` (exclusive), as (event
        from which it holds, value). Changes that were undone are left out; a value that is not known may
        differ from one before it that is not known either."""
        found = [(start, self.value(unit, attribute, start))]
        for index, fact, undo in self.changes(unit, attribute, start, end):
            if undo and len(found) > 1 and found[-2][1].options == fact.options:
                found.pop()
            elif fact.options is None or fact.options != found[-1][1].options:
                found.append((index, fact))
        return found
