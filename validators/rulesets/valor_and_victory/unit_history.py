"""The drags and changes of each unit, phase by phase, and which of them others saw.

Events are given by their index in ``game.events``. A position was seen if it stood when a die was rolled,
when another side did something, or when a log ended. Between such moments a player may have put counters and
markers down in any order.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import replace

from ....model.fact import UNKNOWN, Fact, Value
from ....model.finding import Move, PhaseView
from ....model.game import Displacement, Game, Place, StateChange, StepRef
from ....model.unit import Unit
from ...concepts.sides import is_enemy
from ...takeback import legs
from ...timeline import Timeline
from ...witness import Witnesses

ON_FOOT = ("no", "none", "-", "", "false")
"""The values of the attribute ``aboard`` for a unit that is on no carrier."""

FLAGS = ("pinned", "fired", "moved", "assault", "immobile", "tow")
"""The attributes that are true or false. VASSAL's properties give them as texts."""
_TRUTHS: dict[str, bool] = {"true": True, "yes": True, "false": False, "no": False}
SOMETHING = "true"
"""The value of the attribute ``aboard`` for a unit that is on a carrier, without saying on which."""


def _flag(fact: Fact) -> Fact:
    """``fact`` with texts for true and false replaced by bools."""
    if fact.options is None or not any(isinstance(option, str) for option in fact.options):
        return fact
    values = (o if isinstance(o, bool) else _TRUTHS.get(str(o).lower(), o) for o in fact.options)
    return replace(fact, options=tuple(dict.fromkeys(values)))


def _word(option: Value) -> str:
    return str(option).strip().lower()


class UnitHistory:
    """An index of a game: the drags of each unit that were not taken back, and the changes of its attributes.

    ``drags``: unit id → the indices of its drags, in order.
    """

    def __init__(self, game: Game) -> None:
        self.game = game
        self.timeline = Timeline(game)
        self.witnesses = Witnesses(game)
        self._facts = tuple(s.file for s in game.sources if s.kind == "facts")
        self.drags: dict[str, list[int]] = defaultdict(list)
        self._at: dict[tuple[str, StepRef], int] = {}
        self._changes: dict[tuple[str, str], list[tuple[int, Fact]]] = defaultdict(list)
        self._first: dict[tuple[str, str], Fact] = {}
        """The values at the opening, by (unit, attribute), cached when asked for."""
        self._phases: list[int] = []
        self._spans: dict[int, tuple[int, int]] = {}
        self._move: tuple[str, Move | None, list[int]] = ("", None, [])
        """The result of the last call of :meth:`of_move`, with its arguments."""
        self._of_class: dict[tuple[str, ...], tuple[Unit, ...]] = {}
        for leg in legs(game, self.timeline, self.witnesses):
            if leg.taken_back is None:
                self.drags[leg.unit].append(leg.index)
                self._at[leg.unit, leg.at] = leg.index
        for index, event in enumerate(game.events):
            self._phases.append(self.timeline.phase_number(self.timeline.step_of(index)))
            if isinstance(event, StateChange):
                after = _flag(event.after) if event.attribute in FLAGS else event.after
                self._changes[event.unit, event.attribute].append((index, after))

    def is_declared(self, fact: Fact) -> bool:
        """Whether a fact comes from a facts file. It is then no marker that was left over or put on at the
        wrong time."""
        return bool(self._facts) and fact.source.startswith(self._facts)

    def may_be(self, classes: tuple[str, ...]) -> tuple[Unit, ...]:
        """The units that are, or may be, of one of ``classes`` at the opening or after a change."""
        found = self._of_class.get(classes)
        if found is None:
            units = (u for u in self.game.units.values() if u.kind == "unit")
            found = tuple(
                unit
                for unit in units
                if any(
                    fact.options is None or not set(classes).isdisjoint(map(_word, fact.options))
                    for fact in self._ever(unit, "class")
                )
            )
            self._of_class[classes] = found
        return found

    def _ever(self, unit: Unit, attribute: str) -> Iterator[Fact]:
        """The values of an attribute at the opening and after each change."""
        yield unit.fact(attribute)
        yield from (after for _, after in self._changes.get((unit.id, attribute), ()))

    def changing(self, attribute: str) -> list[str]:
        """The ids of the units of which an attribute changes in the game."""
        return [unit for unit, name in self._changes if name == attribute]

    def drag(self, index: int) -> Displacement:
        """The displacement with the index ``index``."""
        event = self.game.events[index]
        assert isinstance(event, Displacement)
        return event

    def of_move(self, unit: str, move: Move) -> list[int]:
        """The drags of ``unit`` that belong to ``move``."""
        asked, its_move, found = self._move
        if its_move is not move or asked != unit:
            found = [self._at[unit, at] for at in move.steps if (unit, at) in self._at]
            self._move = (unit, move, found)
        return found

    def phase(self, index: int) -> tuple[int, int]:
        """The first event of the phase of event ``index``, and the first event after it."""
        number = self._phases[index]
        found = self._spans.get(number)
        if found is None:
            found = bisect_left(self._phases, number), bisect_right(self._phases, number)
            self._spans[number] = found
        return found

    def phases(self) -> list[tuple[int, int]]:
        """As :meth:`phase`, for all phases in order."""
        return list(dict.fromkeys(self.phase(index) for index in range(len(self._phases))))

    def came_in(self, unit: str, index: int) -> bool:
        """Whether the first drag of ``unit`` in the phase of event ``index`` began off the map."""
        drags = self.in_phase(unit, index)
        return bool(drags) and self.drag(drags[0]).origin.kind != "hex"

    def in_phase(self, unit: str, index: int) -> list[int]:
        """The drags of ``unit`` in the phase of event ``index``."""
        first, end = self.phase(index)
        drags = self.drags.get(unit, [])
        return drags[bisect_left(drags, first) : bisect_left(drags, end)]

    def goes_on(self, unit: str, index: int) -> bool:
        """Whether ``unit`` is dragged again in the phase after event ``index``, or the phase is not known to
        have ended."""
        timeline, at = self.timeline, self.timeline.step_of(index)
        drags = self.drags.get(unit, [])
        spell = timeline.spell(at)
        later = any(
            timeline.spell(timeline.step_of(drag)) == spell
            for drag in drags[bisect_right(drags, index) :]
        )
        return later or not timeline.is_over(at)

    def fact(self, unit: str, attribute: str, index: int) -> Fact:
        """The value of an attribute just before event ``index``."""
        key = (unit, attribute)
        changes = self._changes.get(key)
        if changes:
            place = bisect_left(changes, index, key=lambda change: change[0])
            if place:
                return changes[place - 1][1]
        first = self._first.get(key)
        if first is None:
            known_unit = self.game.units.get(unit)
            first = known_unit.fact(attribute) if known_unit is not None else UNKNOWN
            first = self._first[key] = _flag(first) if attribute in FLAGS else first
        return first

    def last_change(self, unit: str, attribute: str, index: int) -> int | None:
        """The event of the last change of an attribute before event ``index``; None if there is none."""
        every = self.changes(unit, attribute, 0, index)
        return every[-1][0] if every else None

    def view(self, index: int) -> PhaseView:
        """Turn, phase and active side at event ``index``."""
        return self.timeline.phase(self.timeline.step_of(index))

    def changes(self, unit: str, attribute: str, first: int, end: int) -> list[tuple[int, Fact]]:
        """The changes of an attribute from event ``first`` to ``end`` (excluded), as (event, new value)."""
        every = self._changes.get((unit, attribute))
        if not every:
            return []
        key = (
            bisect_left(every, first, key=lambda c: c[0]),
            bisect_left(every, end, key=lambda c: c[0]),
        )
        return every[key[0] : key[1]]

    def seen(self, a: int, b: int, side: str | None) -> bool:
        """Whether others saw the position between events ``a`` and ``b``. ``side``: that of the player; None
        if not known."""
        events = self.game.events
        if events[a].at.log != events[min(b, len(events) - 1)].at.log:
            return True
        return self.witnesses.too_late(a, b, side)

    def seen_values(
        self, unit: str, attribute: str, first: int, end: int, side: str | None
    ) -> tuple[list[Fact], Fact]:
        """The values of an attribute that others saw between events ``first`` and ``end``, in order, and the
        last value, seen or not."""
        value, since = self.fact(unit, attribute, first + 1), first
        found: list[Fact] = []
        for index, after in self.changes(unit, attribute, first + 1, end):
            if self.seen(since, index, side):
                found.append(value)
            value, since = after, index
        if self.seen(since, end, side):
            found.append(value)
        return found, value

    def place(self, unit: str, index: int) -> Place | None:
        """The place of a unit just before event ``index``; None if the game does not give it."""
        drags = self.drags.get(unit, [])
        before = bisect_left(drags, index)
        if before:
            return self.drag(drags[before - 1]).target
        return self.game.opening.get(unit)

    def is_among_enemies(self, unit: Unit, index: int) -> bool:
        """Whether a possible enemy is in the same place as ``unit`` just before event ``index``."""
        here, game = self.place(unit.id, index), self.game
        return any(
            other.kind == "unit"
            and self.place(other.id, index) == here
            and is_enemy(game, unit.side, other.side) is not False
            for other in game.units.values()
        )

    def carrier(self, unit: str, index: int) -> str | None:
        """The carrier of a unit just before event ``index``, see :func:`carrier_in`."""
        return carrier_in(self.fact(unit, "aboard", index))


def carrier_in(fact: Fact) -> str | None:
    """The carrier that a value of ``aboard`` names: its id, SOMETHING if it does not say which, '' if there
    is none; None if not known."""
    if not fact.is_known:
        return None
    said = str(fact.value)
    return "" if said.lower() in ON_FOOT else SOMETHING if said.lower() == SOMETHING else said
