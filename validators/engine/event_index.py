"""The drags, values and markers of each unit by the log, phase by phase, and what others saw of them.

Between two moments at which others saw the table (a die roll, an act of another side, the end of a log), a
player may have placed counters and markers in any order. So besides its value at an event, an attribute may
have had the other values of the same *window*. Events are indices in ``game.events``.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from itertools import pairwise
from operator import itemgetter

from ...model.fact import UNKNOWN, Fact, Value, either
from ...model.finding import Move, PhaseView
from ...model.game import Displacement, Game, Place, StateChange, StepRef
from ...model.unit import Unit
from ..concepts.sides import is_enemy
from ..lives import DEAD, is_alive
from ..takeback import Witnesses, legs
from ..timeline import Timeline

ON_FOOT = ("no", "none", "-", "", "false")
"""The values of ``aboard`` for a unit that is not on a carrier."""
ABOARD, FACING = "aboard", "facing"
"""The attributes for the carrier that a unit is on, and for the hexside that it faces."""
SOMETHING = "true"
"""The value of ``aboard`` for a unit on a carrier that is not named."""
_TRUTHS = {"true": True, "yes": True, "false": False, "no": False}


@dataclass(frozen=True, slots=True)
class Marker:
    """A marker that players put on counters. ``until``: when the rules remove it: at the end of the
    ``phase``, of the ``turn``, or in the side's next ``rally``; empty: never. This decides whether a marker
    may be left over. ``halts``: a unit with it may have been left behind. ``after``: it is only put on units
    that have done something in the phase."""

    until: str = ""
    after: bool = False
    halts: bool = False


class EventIndex:
    """The drags of each unit that were not taken back, and the changes of its values. ``markers``: by
    attribute. ``drags``: unit → the indices of its drags, in order. ``spelt``: attribute → a function that
    gives its values one spelling. ``numbered``: the attribute for a carrier's number, which ``aboard`` may
    name. ``riders``: the classes that cannot carry units."""

    def __init__(
        self,
        game: Game,
        markers: Mapping[str, Marker],
        apart: tuple[str, ...] = (),
        spelt: Mapping[str, Callable[[Fact], Fact]] | None = None,
        numbered: str = "",
        riders: tuple[str, ...] = (),
    ) -> None:
        self.game, self.markers, self.apart = game, markers, apart
        self._spelt, self._numbered, self.riders = spelt or {}, numbered, riders
        self.timeline, self.witnesses = Timeline(game), Witnesses(game)
        self._facts = tuple(s.file for s in game.sources if s.kind == "facts")
        self.drags: dict[str, list[int]] = defaultdict(list)
        self._at: dict[tuple[str, StepRef], int] = {}
        self._changes: dict[tuple[str, str], list[tuple[int, Fact]]] = defaultdict(list)
        self._phases = [
            self.timeline.phase_number(self.timeline.step_of(i)) for i in range(len(game.events))
        ]
        for leg in legs(game, self.timeline, self.witnesses):
            if leg.taken_back is None:
                self.drags[leg.unit].append(leg.index)
                self._at[leg.unit, leg.at] = leg.index
        for index, event in enumerate(game.events):
            if isinstance(event, StateChange):
                self._changes[event.unit, event.attribute].append(
                    (index, self._read(event.attribute, event.after))
                )

    def _read(self, attribute: str, fact: Fact) -> Fact:
        """``fact`` in one spelling; for a marker, yes and no in any spelling as bools."""
        if attribute in self._spelt:
            return self._spelt[attribute](fact)
        if attribute not in self.markers or fact.options is None:
            return fact
        said = (o if isinstance(o, bool) else _TRUTHS.get(str(o).lower(), o) for o in fact.options)
        return replace(fact, options=tuple(dict.fromkeys(said)))

    def drag(self, index: int) -> Displacement:
        event = self.game.events[index]
        assert isinstance(event, Displacement)
        return event

    def of_move(self, unit: str, move: Move) -> list[int]:
        """The drags of a unit that belong to a move."""
        return [self._at[unit, at] for at in move.steps if (unit, at) in self._at]

    def phase(self, index: int) -> tuple[int, int]:
        """The first event of the phase of an event, and the first event after that phase."""
        number = self._phases[min(index, len(self._phases) - 1)]
        return bisect_left(self._phases, number), bisect_right(self._phases, number)

    def phases(self) -> list[tuple[int, int]]:
        """As :meth:`phase`, for all phases in order."""
        return list(dict.fromkeys(self.phase(index) for index in range(len(self._phases))))

    def in_phase(self, unit: str, index: int) -> list[int]:
        """The drags of a unit in the phase of an event."""
        first, end = self.phase(index)
        return [drag for drag in self.drags.get(unit, ()) if first <= drag < end]

    def view(self, index: int) -> PhaseView:
        """Turn, phase and active side at an event."""
        return self.timeline.phase(self.timeline.step_of(index))

    def came_in(self, unit: str, index: int) -> bool:
        """Whether the first drag of a unit in the phase began off the map."""
        drags = self.in_phase(unit, index)
        return bool(drags) and self.drag(drags[0]).origin.kind != "hex"

    def goes_on(self, unit: str, index: int) -> bool:
        """Whether a unit is dragged again in the phase after an event, or the phase may not have ended."""
        at = self.timeline.step_of(index)
        spell = self.timeline.spell(at)
        later = (d for d in self.drags.get(unit, ()) if d > index)
        again = any(self.timeline.spell(self.timeline.step_of(d)) == spell for d in later)
        return again or not self.timeline.is_over(at)

    def place(self, unit: str, index: int) -> Place | None:
        """The place of a unit just before an event; None if the game does not have it."""
        before = [drag for drag in self.drags.get(unit, ()) if drag < index]
        return self.drag(before[-1]).target if before else self.game.opening.get(unit)

    def vehicle(self, aboard: Value, unit: str, index: int) -> str | None:
        """The id of the carrier that ``aboard`` names for a unit, by id or number. Numbers of dead carriers
        do not count. None if no carrier has the number, or more than one."""
        name = str(aboard)
        if name in self.game.units:
            return name
        found = []
        for other in self.game.units.values() if self._numbered else ():
            number = self.value(other.id, self._numbered, index)
            fits = other.id != unit and number.is_known and str(number.value) == name
            if fits and is_alive(other, self.value(other.id, DEAD, index)) is not False:
                found.append(other.id)
        return found[0] if len(found) == 1 else None

    def among_enemies(self, unit: Unit, index: int) -> bool:
        """Whether a possible enemy is in the same place as a unit just before an event."""
        here, units = self.place(unit.id, index), self.game.units.values()
        return any(
            other.kind == "unit"
            and self.place(other.id, index) == here
            and is_enemy(self.game, unit.side, other.side) is not False
            for other in units
        )

    def value(self, unit: str, attribute: str, index: int) -> Fact:
        """The value of an attribute just before an event."""
        said = self._changes.get((unit, attribute))
        found = bisect_left(said, index, key=itemgetter(0)) if said else 0
        if said and found:
            return said[found - 1][1]
        known = self.game.units.get(unit)
        return UNKNOWN if known is None else self._read(attribute, known.fact(attribute))

    def changes(self, unit: str, attribute: str, first: int, end: int) -> list[tuple[int, Fact]]:
        """The changes of an attribute from one event to another (excluded), as (event, new value)."""
        said = self._changes.get((unit, attribute))
        if not said:
            return []
        start = bisect_left(said, first, key=itemgetter(0))
        return said[start : bisect_left(said, end, key=itemgetter(0))]

    def last_change(self, unit: str, attribute: str, index: int) -> int:
        """The last event before ``index`` that set an attribute; 0 if there is none."""
        said = self.changes(unit, attribute, 0, index)
        return said[-1][0] if said else 0

    def changing(self, attribute: str) -> list[Unit]:
        """The units whose attribute changes in the game."""
        named = (unit for unit, name in self._changes if name == attribute)
        return [self.game.units[unit] for unit in named if unit in self.game.units]

    def seen(self, a: int, b: int, side: str | None) -> bool:
        """Whether others saw the position between two events. ``side``: the player's; None: not known."""
        events = self.game.events
        if events[a].at.log != events[min(b, len(events) - 1)].at.log:
            return True
        return self.witnesses.too_late(a, b, side)

    def later(self, unit: str, attribute: str, index: int, side: str | None) -> list[Fact]:
        """The values that an attribute got in the window after an event."""
        changes = self.changes(unit, attribute, index, self.phase(index)[1])
        return [fact for at, fact in changes if not self.seen(index, at, side)]

    def set_after(self, move: Move, side: str | None) -> dict[tuple[str, str], list[Fact]]:
        """(unit, attribute) → the values that it got in the window after a move. ``side``: the player's."""
        start = self.timeline.end_event(move.steps[-1])
        first = self.timeline.next_change(start)
        found: dict[tuple[str, str], list[Fact]] = defaultdict(list)
        if first is None or start == 0:
            return found
        end = self.phase(start - 1)[1]
        for index in range(first, end):
            if self.seen(start - 1, index, side):
                break
            event = self.game.events[index]
            if isinstance(event, StateChange):
                found[event.unit, event.attribute].append(self._read(event.attribute, event.after))
        return found

    def told(self, unit: Unit, attribute: str, index: int, excuse: Callable[[Value], bool]) -> Fact:
        """The value at an event. If ``excuse`` holds for it, the values that the counter got in the window
        after the event are also possible: they may be corrections."""
        now = self.value(unit.id, attribute, index)
        if now.is_known and not excuse(now.value):  # type: ignore[arg-type]
            return now
        return either([now, *self.later(unit.id, attribute, index, unit.side)])

    def seen_values(
        self, unit: str, attribute: str, first: int, end: int, side: str | None
    ) -> list[Fact]:
        """The values of an attribute that others saw between two events, in order."""
        value, since = self.value(unit, attribute, first + 1), first
        found: list[Fact] = []
        for index, after in [*self.changes(unit, attribute, first + 1, end), (end, value)]:
            if self.seen(since, index, side):
                found.append(value)
            value, since = after, index
        return found

    def declared(self, fact: Fact) -> bool:
        """Whether a fact comes from a facts file, so that no marker was left over or put at the wrong
        time."""
        return bool(self._facts) and fact.source.startswith(self._facts)

    def marked(self, unit: Unit, name: str, index: int, side: str | None) -> bool | None:
        """Whether a unit had a marker at an event; None: not known. A marker counts if it was seen there, or
        was there when the phase began and is not left over."""
        fact, marker = self.value(unit.id, name, index), self.markers[name]
        if fact.must_be(False) or (fact.must_be(True) and self.declared(fact)):
            return fact.must_be(True)
        if not fact.must_be(True) or any(
            f.may_be(False) for f in self.later(unit.id, name, index, side)[:1]
        ):
            return None
        laid = [at for at, _ in self.changes(unit.id, name, 0, index)]
        first, _ = self.phase(index)
        if laid and laid[-1] >= first:
            if marker.after and not self.acted(unit.id, first, laid[-1]):
                return None  # placed too early, or on the wrong counter
            return True if self.seen(laid[-1], index, side) else None
        if not marker.until:
            return True
        if not laid:  # there from the beginning of the logs: of this turn, if the players were tidy
            return True if marker.until == "turn" and first == self.phase(0)[0] else None
        return True if marker.until != "phase" and self._same_turn(laid[-1], index) else None

    def _same_turn(self, a: int, b: int) -> bool:
        now, before = self.view(b), self.view(a)
        told = now.turn is not None and (now.turn, now.active) == (before.turn, before.active)
        return told and all(
            self.view(f).active == now.active for f, _ in self.phases() if a < f < b
        )

    def acted(self, unit: str, first: int, end: int) -> bool:
        """Whether a unit moved, turned, or was loaded or unloaded between two events."""
        changes = (self.changes(unit, about, first, end) for about in (FACING, ABOARD))
        return any(first <= d < end for d in self.drags.get(unit, ())) or any(changes)

    def marked_on_the_way(
        self, unit: Unit, name: str, drags: list[int], side: str | None
    ) -> bool | None:
        """Whether a unit got a marker after a drag and was dragged further; None: perhaps, in another order.
        A marker placed after the last drag may record dice that were rolled before it."""
        found: bool | None = False
        last = drags[-1]
        for laid, fact in self.changes(unit.id, name, last, self.phase(last)[1])[:1]:
            if fact.may_be(True) and not self.seen(last, laid, side):
                found = None if self.witnesses.too_late(drags[0], last, side) else False
        for before, after in pairwise(drags):
            changes = self.changes(unit.id, name, before, after)
            if changes and not changes[-1][1].must_be(False):
                sure = changes[-1][1].must_be(True) and self.seen(before, after, side)
                if sure and not self.among_enemies(unit, after):
                    return True
                found = None
        return found

    def taken_off(self, unit: str, index: int) -> bool:
        """Whether the next drag of a unit after an event takes it off the hexes in that turn or the next: its
        counter may have been left on the map although it was lost."""
        later = next((drag for drag in self.drags.get(unit, ()) if drag >= index), None)
        step = self.timeline.step_of(max(0, index - 1))
        return later is not None and self.timeline.removed_next(unit, later, step)

    def dead_since(self, unit: str, index: int) -> StepRef:
        """The step that last set whether a unit is dead."""
        return self.timeline.step_of(self.last_change(unit, DEAD, index))

    def gone(self, unit: Unit, index: int) -> bool:
        """Whether a unit is certainly off the map, or may be dead, just before an event."""
        place, dead = self.place(unit.id, index), self.value(unit.id, DEAD, index)
        off = place is None or place.kind in ("box", "nowhere")
        step = self.timeline.step_of(max(0, index - 1))
        return off or not is_alive(unit, dead) or self.timeline.removed_next(unit.id, index, step)
