"""What happened to each unit, indexed once for a game: where it was and what was said of it, and when.

Events are named by their index in ``game.events``.
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
    """An action as the rules here spell it: "Fire and Movement" is ``fire-and-movement``. A word that is
    none of theirs (misspelt in the pack) says nothing."""
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
    """See above. ``witnesses``: who saw the table in between."""

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
        """The first event of the phase that event ``index`` lies in, and the first after it."""
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
        """What an attribute was just before event ``index``."""
        said = self._said.get((unit, attribute))
        if said:
            found = bisect_left(said, index, key=lambda change: change[0])
            if found:
                return said[found - 1][1]
        known_unit = self.game.units.get(unit)
        found_on = known_unit.fact(attribute) if known_unit is not None else UNKNOWN
        return spelt(found_on) if attribute == ACTION else found_on

    def is_declared(self, fact: Fact) -> bool:
        """Whether a facts file tells it: that is neither forgotten nor put on too late."""
        return bool(self._facts) and fact.source.startswith(self._facts)

    def said(self, unit: str, attribute: str, index: int) -> int:
        """The event that an attribute was last told by before event ``index``; 0 if none was."""
        said = self._said.get((unit, attribute), [])
        found = bisect_left(said, index, key=lambda change: change[0])
        return said[found - 1][0] if found else 0

    def changes(
        self, unit: str, attribute: str, start: int, end: int
    ) -> list[tuple[int, Fact, bool]]:
        """(event, what it became, whether by an undo) from ``start`` to before ``end``."""
        said = self._said.get((unit, attribute))
        if not said:
            return []
        first = bisect_left(said, start, key=lambda change: change[0])
        last = bisect_left(said, end, key=lambda change: change[0])
        return said[first:last]

    def told(
        self, unit: str, attribute: str, start: int, end: int, fitting: tuple[str, ...]
    ) -> Fact:
        """What was said of an attribute from just before event ``start`` to before event ``end``: of all
        that those values which are ``fitting``, for a mark is put on late, and taken off when it has
        served; else the last."""
        if not self.changes(unit, attribute, start, end):
            return self.value(unit, attribute, start)
        facts = [fact for _, fact in self.series(unit, attribute, start, end)]
        every = (option for fact in facts for option in fact.options or ())
        fits = tuple(dict.fromkeys(option for option in every if option in fitting))
        if len(facts) > 1 and (fits or any(fact.options is None for fact in facts)):
            return Fact(fits) if fits else UNKNOWN
        return facts[-1]

    def put_right(
        self, unit: str, attribute: str, bad: tuple[Value, ...], at: int, side: str | None
    ) -> bool:
        """Whether a mark that a unit bore when it was dragged (event ``at``) was taken off before anything
        showed that it was meant."""
        for index, fact, _ in self.changes(unit, attribute, at, len(self.game.events)):
            if self.witnesses.too_late(at, index, side):
                return False
            if not any(option in bad for option in fact.options or bad):
                return True
        return False

    def taken_off(self, unit: str, at: int) -> bool:
        """Whether a unit is next, from event ``at`` on, taken off the hexes, in that turn or the next: it
        may be a counter left lying that was dead before."""
        later = self.drags(unit, at, len(self.game.events))
        if not later:
            return False
        step = self.timeline.step_of(max(0, at - 1))
        return self.timeline.removed_next(unit, later[0][0], step)

    def turn(self, index: int) -> str | None:
        """The turn that event ``index`` lies in."""
        if not self.game.events:
            return None
        step = self.timeline.step_of(min(index, len(self.game.events) - 1))
        return self.timeline.phase(step).turn

    def drags(self, unit: str, start: int, end: int) -> list[tuple[int, Place, Place]]:
        """(event, from where, where to) from ``start`` to before ``end``."""
        drags = self._drags.get(unit, [])
        first = bisect_left(drags, start, key=lambda drag: drag[0])
        last = bisect_left(drags, end, key=lambda drag: drag[0])
        return drags[first:last]

    def targets(self, unit: str, start: int, end: int) -> list[Place]:
        """Where it was put from ``start`` to before ``end``."""
        return [target for _, _, target in self.drags(unit, start, end)]

    def place(self, unit: str, index: int) -> Place:
        """Where it was just before event ``index``."""
        drags = self._drags.get(unit, [])
        found = bisect_left(drags, index, key=lambda drag: drag[0])
        return drags[found - 1][2] if found else self.game.opening.get(unit, NOWHERE)

    def vehicle(self, aboard: Value, unit: str, index: int) -> str | None:
        """The vehicle that ``unit`` is said to be aboard: by its id, or by the number of its transport
        marker (attribute ``transport_marker``), which none that is dead bears; None if it cannot be told
        which."""
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
        """What an attribute was before ``start``, and each change to before ``end``; changes undone are
        left out."""
        found = [(start, self.value(unit, attribute, start))]
        for index, fact, undo in self.changes(unit, attribute, start, end):
            if undo and len(found) > 1 and found[-2][1].options == fact.options:
                found.pop()
            elif fact.options != found[-1][1].options:
                found.append((index, fact))
        return found
