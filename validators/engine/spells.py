"""The events of a unit in all parts of a phase and after it, and the rolls of a phase. An interruption does
not end a phase, and a marker may be corrected later."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from fractions import Fraction
from functools import cached_property
from itertools import pairwise
from typing import NamedTuple

from ...model.fact import UNKNOWN, Fact, known
from ...model.game import Displacement, PhaseStart, Place, StateChange, StepRef, Witness
from ..lives import DEAD
from ..tracker import interrupts
from .event_index import EventIndex
from .memo import once

NOTHING = known(0)


class Start(NamedTuple):
    """The start of a phase: the index of its event, the number of the phase, and the event."""

    first: int
    number: int
    event: PhaseStart


class ToEnd(NamedTuple):
    """The values of an attribute from an event (its value there is the first) to the end of the phase.
    ``ended``: whether the phase certainly ends within the logs."""

    values: tuple[Fact, ...]
    ended: bool

    @property
    def kept(self) -> bool:
        """Whether the last value is True, and the phase certainly ended with it."""
        return self.ended and self.values[-1].must_be(True)

    @property
    def lost(self) -> bool:
        """Whether the last value is False, and the phase certainly ended with it."""
        return self.ended and self.values[-1].must_be(False)


class Result(NamedTuple):
    """A fact about a unit under a key. ``since``: the first event after the step from which it holds; None:
    it has no date, and may be from any time."""

    fact: Fact
    since: int | None


class Rolls(NamedTuple):
    """The rolls of one phase, as events in order. ``lay``: hex → the units that were put there in the phase
    and were there when dice were rolled, each with the first such roll."""

    events: list[int]
    lay: dict[str, dict[str, int]]


class Spells(EventIndex):
    """The events of a game, and the phases with all their parts."""

    @cached_property
    def starts(self) -> tuple[Start, ...]:
        """The starts of the phases, in order; a phase that is started again counts once."""
        found: list[Start] = []
        for index, event in enumerate(self.game.events):
            if isinstance(event, PhaseStart):
                number = self.timeline.phase_number(event.at)
                if not found or found[-1].number != number:
                    found.append(Start(index, number, event))
        return tuple(found)

    @cached_property
    def displaced(self) -> dict[str, list[int]]:
        """Unit → the events that displaced it, for any cause."""
        found: dict[str, list[int]] = {}
        for index, event in enumerate(self.game.events):
            if isinstance(event, Displacement):
                found.setdefault(event.unit, []).append(index)
        return found

    def opening(self, index: int) -> int:
        """The event with which the phase of an event begins, or may begin if the turn tracker was set
        back."""
        number = self.timeline.spell(self.timeline.step_of(index))
        return next((start.first for start in self.starts if start.number == number), 0)

    def ending(self, index: int) -> tuple[int, bool]:
        """(the event at which all parts of the phase of an event are over; whether it certainly ends
        there)."""
        return once(self._endings, index, lambda: self._ending(index))

    @cached_property
    def _endings(self) -> dict[int, tuple[int, bool]]:
        """The cache of :meth:`ending`, by event."""
        return {}

    def _ending(self, index: int) -> tuple[int, bool]:
        at = self.timeline.step_of(index)
        spell = self.timeline.spell(at)
        parts = [n for n, s in enumerate(self.starts) if self.timeline.spell(s.event.at) == spell]
        following = next(iter(self.starts[parts[-1] + 1 if parts else 0 :]), None)
        reopened = self.timeline.is_reopened(at) or self.timeline.is_doubtful(at)
        end = len(self.game.events) if following is None else following.first
        return end, self.timeline.is_over(at) and not reopened

    def at_opening(self, unit: str, attribute: str, index: int) -> Fact:
        """The value of an attribute when the phase of an event began."""
        return self.value(unit, attribute, self.opening(index))

    def since_opening(self, unit: str, attribute: str, index: int) -> list[Fact]:
        """All values of an attribute from the start of the phase to an event."""
        first = self.opening(index)
        later = [fact for _, fact in self.changes(unit, attribute, first, index)]
        return [self.value(unit, attribute, first), *later]

    def to_end(self, unit: str, attribute: str, index: int) -> ToEnd:
        """The values of an attribute from an event to the end of its phase."""
        end, ended = self.ending(index)
        later = (fact for _, fact in self.changes(unit, attribute, index, end))
        return ToEnd((self.value(unit, attribute, index), *later), ended)

    def until_corrected(self, index: int, kind: str, kinds: Mapping[str, str]) -> int:
        """The event up to which a marker may still be corrected for the phase of an event: the start of the
        next phase that is certainly of ``kind``."""
        end, _ = self.ending(index)
        later = (s.first for s in self.starts if s.first > end and self.surely(s, kinds, kind))
        return next(later, len(self.game.events))

    def surely(self, start: Start, kinds: Mapping[str, str], *wanted: str) -> bool:
        """Whether a phase is certainly of one of the kinds ``wanted``."""
        event = start.event
        named = event.phase is not None and event.certain and not interrupts(event)
        return named and kinds.get(event.phase or "") in wanted

    def perhaps(self, start: Start, kinds: Mapping[str, str], *wanted: str) -> bool:
        """Whether a phase may be of one of the kinds ``wanted``."""
        event = start.event
        if interrupts(event):
            return False
        return event.phase is None or not event.certain or kinds.get(event.phase) in wanted

    def after_phase(self, unit: str, attribute: str, index: int, until: int) -> list[Fact]:
        """The values that an attribute got after the phase of event ``index``, up to event ``until``, before
        the unit was displaced again."""
        end, _ = self.ending(index)
        drags = [drag for drag in self.displaced.get(unit, ()) if drag > end]
        return [fact for _, fact in self.changes(unit, attribute, end, min((*drags, until)))]

    def began_in(self, unit: str, index: int) -> str | None:
        """The hex out of which a unit was first displaced in the phase of an event, up to that step."""
        place = self._began(unit, index, self.timeline.end_event(self.timeline.step_of(index)))
        return None if place is None else place.hex

    def began_phase_at(self, unit: str, index: int) -> Place | None:
        """Where a unit was before it was first displaced in the phase of an event, up to that event; None: it
        was not."""
        return self._began(unit, index, index)

    def _began(self, unit: str, index: int, end: int) -> Place | None:
        first = self.opening(index)
        drags = (d for d in self.displaced.get(unit, ()) if first <= d < end)
        return next((self.drag(drag).origin for drag in drags), None)

    def last_set(self, unit: str, attribute: str, index: int) -> int:
        """The last event before another at which an attribute became True; -1: none."""
        events = self.game.events
        found = (at for at, fact in self.changes(unit, attribute, 0, index) if fact.must_be(True))
        new = [
            at
            for at in found
            if isinstance(event := events[at], StateChange) and not event.before.must_be(True)
        ]
        return new[-1] if new else -1

    def said_since(self, unit: str, key: str, after: int, index: int) -> tuple[bool, bool, bool]:
        """Whether the facts say anything under a key of a unit up to an event; whether they say yes of the
        time after another event, and whether they may. An attribute of that name counts, too."""
        begin = self.timeline.step_of(after) if after >= 0 else StepRef(0, 0)
        at, told = self.timeline.step_of(index), self.game.units[unit].fact(key)
        every = [
            c
            for c in self.game.conditions
            if c.key == key and c.unit in ("", unit) and c.first <= at
        ]
        late = [c.fact for c in every if after < 0 or c.first > begin]
        late += [] if told == UNKNOWN else [told]
        surely = any(fact.must_be(True) for fact in late)
        perhaps = any(not fact.must_be(False) for fact in late)
        return bool(every) or told != UNKNOWN, surely, perhaps

    def said_last(self, unit: str, key: str, index: int) -> int | None:
        """The last event from which a condition is said to be true of a unit; None: there is none, or an
        attribute of that name says so."""
        at = self.timeline.step_of(index)
        firsts = [
            self.timeline.first_event(c.first)
            for c in self.game.conditions
            if c.key == key and c.unit in ("", unit) and c.first <= at and c.fact.must_be(True)
        ]
        said = self.game.units[unit].fact(key).must_be(True)
        return None if said else max(firsts, default=None)

    def was_displaced(self, unit: str, index: int) -> bool:
        """Whether a unit was displaced, for any cause, in the phase of an event before it."""
        first = self.opening(index)
        return any(first <= drag < index for drag in self.displaced.get(unit, ()))

    def left_map(self, unit: str, index: int) -> bool:
        """Whether a unit was displaced from an event on, and was off the map when the phase ended."""
        end, _ = self.ending(index)
        drags = [d for d in self.displaced.get(unit, ()) if index <= d < end]
        return bool(drags) and self.drag(drags[-1]).target.kind in ("box", "nowhere")

    def may_be_withdrawn(self, unit: str, index: int, until: int) -> bool:
        """Whether a unit may have been taken off the map, declared dead or dragged back after the drag of an
        event: in the phase, or as the first thing that happens to it up to another event."""
        end, _ = self.ending(index)
        every = self.displaced.get(unit, ())
        drags = [d for d in every if index <= d < end] + [d for d in every if end < d < until][:1]
        if any(fact.may_be(True) for _, fact in self.changes(unit, DEAD, index, until)):
            return True
        if not drags:
            return False
        start = self.drag(drags[0]).origin
        later = map(self.drag, drags[1:])
        return any(drag.target.kind != "hex" or self._is_back(start, drag) for drag in later)

    def _is_back(self, start: Place, drag: Displacement) -> bool:
        """Whether a drag brings a unit nearer to ``start``, or may because a hex is not known."""
        if start.hex is None or drag.origin.hex is None or drag.target.hex is None:
            return True
        far, near = (
            self.game.board.distance(start.hex, end) for end in (drag.origin.hex, drag.target.hex)
        )
        return far is None or near is None or near < far

    def moved_since_marked(
        self, unit: str, marker: str, index: int, kinds: Mapping[str, str], combat: str
    ) -> bool:
        """Whether a unit moved before an event, in a phase after the one in which its marker last changed;
        phases of the kind ``combat`` do not count."""
        number, laid = self.timeline.phase_number, self.changes(unit, marker, 0, index)
        placed = laid[-1][0] if laid else -1
        when = number(self.timeline.step_of(placed)) if laid else -1
        return any(
            placed < drag < index
            and self.drag(drag).origin != self.drag(drag).target
            and number(self.drag(drag).at) > when
            and kinds.get(self.view(drag).phase or "") != combat
            for drag in self.displaced.get(unit, ())
        )

    def lifted(
        self, unit: str, marker: str, index: int, kinds: Mapping[str, str], combat: str
    ) -> Fact:
        """The number of a marker that was taken off a unit before an event, in another phase than it was laid
        in and though the unit had not moved since; 0: there is none. Phases of the kind ``combat`` do not
        count as ones in which it moves."""
        number, said = self.timeline.phase_number, self.changes(unit, marker, 0, index)
        if not said or not said[-1][1].must_be(Fraction(0)):
            return NOTHING
        off = said[-1][0]
        placed = said[-2][0] if len(said) > 1 else -1
        when = number(self.timeline.step_of(placed)) if placed >= 0 else -1
        moved = any(
            placed < drag < index
            and number(self.drag(drag).at) > when
            and kinds.get(self.view(drag).phase or "") != combat
            for drag in self.displaced.get(unit, ())
        )
        put_right = number(self.timeline.step_of(off)) == when
        return NOTHING if moved or put_right else self.value(unit, marker, off)

    def first_event(self, at: StepRef) -> int:
        """The first event of a step."""
        return self.timeline.first_event(at)

    # -- dice ----------------------------------------------------------------------------------------

    @cached_property
    def _rolls(self) -> dict[int, Rolls]:
        """By phase with all its parts. Dice of combat that interrupts a phase do not count."""
        found: dict[int, Rolls] = defaultdict(lambda: Rolls([], {}))
        lies: dict[int, dict[str, str]] = defaultdict(dict)
        for index, event in enumerate(self.game.events):
            at = self.timeline.step_of(index)
            spell = self.timeline.spell(at)
            if isinstance(event, Displacement):
                if event.target.hex is None:
                    lies[spell].pop(event.unit, None)
                else:
                    lies[spell][event.unit] = event.target.hex
            elif isinstance(event, Witness) and event.kind == "roll":
                begun = self.timeline.phase_start(at)
                if begun is not None and interrupts(begun):
                    continue
                rolls = found[spell]
                rolls.events.append(index)
                for unit, name in lies[spell].items():
                    rolls.lay.setdefault(name, {}).setdefault(unit, index)
        return dict(found)

    def _rolls_of(self, index: int) -> Rolls:
        spell = self.timeline.spell(self.timeline.step_of(index))
        return self._rolls.get(spell) or Rolls([], {})

    def rolled(self, index: int) -> bool:
        """Whether dice were rolled in the phase of an event before it."""
        events = self._rolls_of(index).events
        return bool(events) and events[0] < index

    def lay_at_a_roll(self, name: str, index: int) -> list[str]:
        """The units that were put in a hex in the phase of an event, and lay there when dice were rolled
        before it."""
        lay = self._rolls_of(index).lay.get(name, {})
        return sorted(unit for unit, roll in lay.items() if roll < index)

    def stays_at_rolls(self, drags: list[int]) -> Iterator[str]:
        """The hexes in which a unit lay between two of its drags while dice were rolled; a hex once for each
        stay."""
        events = self.game.events
        before: str | None = None
        for drag, following in pairwise(drags):
            name = self.drag(drag).target.hex
            if name is None or name == before:
                continue
            before = name
            span = events[drag:following]
            if any(isinstance(event, Witness) and event.kind == "roll" for event in span):
                yield name

    def results(self, key: str, unit: str, index: int) -> list[Result]:
        """What the facts say of a unit under a key, from steps of the phase of an event; if they say nothing
        of that phase, what is not dated and still holds in it."""
        spell = self.timeline.spell
        phase = spell(self.timeline.step_of(index))
        said = [c for c in self.game.conditions if c.key == key and c.unit == unit]
        dated = [c for c in said if c.first > OPENING and spell(c.first) == phase]
        if dated:
            return [Result(c.fact, self.timeline.end_event(c.first)) for c in dated]
        always = (c for c in said if c.first <= OPENING)
        return [Result(c.fact, None) for c in always if c.last is None or spell(c.last) >= phase]

    def last_result(self, key: str, unit: str, index: int) -> Fact | None:
        """What the facts said last of a unit under a key up to the step of an event, in any phase; None:
        nothing."""
        at = self.timeline.step_of(index)
        said = [c for c in self.game.conditions if (c.key, c.unit) == (key, unit) and c.first <= at]
        return max(said, key=lambda c: c.first).fact if said else None

    def said_of_now(self, key: str, index: int) -> bool:
        """Whether a condition of the game was said of the phase of an event: what held already when the phase
        began may be of an earlier one."""
        spell, at = self.timeline.spell, self.timeline.step_of(index)
        phase = spell(at)
        said = [c for c in self.game.conditions if c.key == key and not c.unit]
        if any(c.first.step and spell(c.first) == phase for c in said):
            return True
        opening = self.opening(index)
        if not opening or not said:
            return bool(said)
        before = self.timeline.step_of(opening - 1)
        return self.timeline.condition(key, before) != self.timeline.condition(key, at)

    def step_before(self, at: StepRef) -> StepRef:
        """The step before another, if it lies in the same phase; else that one."""
        before = StepRef(at.log, at.step - 1)
        number = self.timeline.phase_number
        return before if number(before) == number(at) else at

    def came_by(self, unit: str, index: int) -> list[int]:
        """The last drags of a unit before an event, with nothing to witness the stops between them; empty:
        there are none."""
        side = self.game.units[unit].side
        found: list[int] = []
        for drag in reversed([d for d in self.drags.get(unit, ()) if d < index]):
            if found and self.witnesses.bound(drag, found[-1], self.drag(drag).actor or side):
                break
            found.append(drag)
        return found[::-1]


OPENING = StepRef(1, 0)
"""The first step of a condition that is not dated."""
