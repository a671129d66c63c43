"""An index of the events and conditions of a game, so that a query about a span of steps need not scan them
again."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterable
from copy import copy
from heapq import heappop, heappush

from ..model.fact import UNKNOWN, Fact, either
from ..model.game import Condition, Displacement, Game, Spent, StateChange, StepRef
from .phase_index import PhaseIndex


class Timeline(PhaseIndex):
    """For one game: the events and the phase of each step, when hexes and units changed, and the conditions.

    Events are given by their index in ``game.events``. A span of events excludes its end.
    """

    __slots__ = (
        "_all_changes",
        "_changes",
        "_conditions",
        "_lives",
        "_removed",
        "_told",
        "_told_steps",
        "_traffic",
    )

    def __init__(self, game: Game) -> None:
        super().__init__(game)
        self._changes: dict[tuple[str, str], list[tuple[int, Fact]]] = defaultdict(list)
        self._traffic: dict[str, list[tuple[int, str, bool]]] = defaultdict(list)
        self._lives: dict[str, list[int]] = defaultdict(list)
        self._all_changes: list[int] = []
        self._removed: set[str] = set()
        for index, event in enumerate(game.events):
            self._note(index, event)
        self._conditions = condition_index(game.conditions)
        self._told_steps = sorted(step for told, _ in self._conditions.values() for step in told)
        self._told: dict[str, tuple[bool, frozenset[str]]] = {}

    def on(self, game: Game) -> Timeline:
        """The same for ``game``, which differs only in cells of the board."""
        found = copy(self)
        found.game = game
        return found

    def _note(self, index: int, event: object) -> None:
        if isinstance(event, Displacement):
            self._lives[event.unit].append(index)
            if event.target.kind != "hex":
                self._removed.add(event.unit)
            if event.origin != event.target:
                if event.origin.kind == "hex":
                    self._traffic[event.origin.name].append((index, event.unit, False))
                if event.target.kind == "hex":
                    self._traffic[event.target.name].append((index, event.unit, True))
        elif isinstance(event, StateChange):
            self._lives[event.unit].append(index)
            self._changes[event.unit, event.attribute].append((index, event.after))
            self._all_changes.append(index)
        elif isinstance(event, Spent):
            self._lives[event.unit].append(index)

    def told_late(self) -> list[tuple[str, str]]:
        """The attributes that units come to have in the course of the game, by unit, each of which it does
        not have at the opening."""
        units = self.game.units
        return sorted(
            (unit, about)
            for unit, about in self._changes
            if unit in units and about not in units[unit].attributes
        )

    def changes(self, unit: str, attribute: str, start: int, end: int) -> list[Fact]:
        """The values to which an attribute of ``unit`` changes in the events from ``start`` to before
        ``end``."""
        found = self._changes.get((unit, attribute))
        if not found:
            return []
        first = bisect_left(found, start, key=lambda change: change[0])
        last = bisect_left(found, end, key=lambda change: change[0])
        return [fact for _, fact in found[first:last]]

    def next_change(self, index: int) -> int | None:
        """The index of the first event from ``index`` on that changes an attribute of any unit; None if there
        is none."""
        found = bisect_left(self._all_changes, index)
        return self._all_changes[found] if found < len(self._all_changes) else None

    def may_leave_play(self, unit: str, dead: str) -> bool:
        """Whether a unit is ever taken off the hexes, or the game ever gives a value for its death. ``dead``:
        the name of that attribute."""
        return unit in self._removed or self.tells_of(unit, dead)

    def tells_of(self, unit: str, about: str) -> bool:
        """Whether the game ever gives a value for the attribute ``about`` of ``unit``, or for a condition of
        that name."""
        told = self._told.get(about)
        if told is None:
            told = self._told[about] = ((about, "") in self._conditions, self._all_told(about))
        return told[0] or unit in told[1]

    def _all_told(self, about: str) -> frozenset[str]:
        units = {name for name, unit in self.game.units.items() if about in unit.attributes}
        units.update(unit for unit, attribute in self._changes if attribute == about)
        units.update(unit for key, unit in self._conditions if key == about)
        return frozenset(units)

    def left(self, hex: str, start: int, end: int) -> frozenset[str]:  # noqa: A002
        """The counters that left ``hex`` in the span, whether or not they came back."""
        return frozenset(unit for unit, arrived in self._span(hex, start, end) if not arrived)

    def came(self, hex: str, start: int, end: int) -> tuple[str, ...]:  # noqa: A002
        """The counters that came to ``hex`` in the span, whether or not they stayed."""
        return tuple(unit for unit, arrived in self._span(hex, start, end) if arrived)

    def _span(self, hex: str, start: int, end: int) -> Iterable[tuple[str, bool]]:  # noqa: A002
        found = self._traffic.get(hex)
        if not found:
            return ()
        first = bisect_left(found, start, key=lambda entry: entry[0])
        last = bisect_left(found, end, key=lambda entry: entry[0])
        return ((unit, arrived) for _, unit, arrived in found[first:last])

    def removed_next(self, unit: str, applied: int, at: StepRef) -> bool:
        """Whether the next event of ``unit``, from event ``applied`` on, takes it off the hexes, in the turn
        of step ``at`` or the next. True also if one of the turns is not known."""
        off = self._off_next(unit, applied)
        return off is not None and self.is_soon(off, at)

    def off_next(self, applied: int) -> list[tuple[str, int]]:
        """The units whose next event, from event ``applied`` on, takes them off the hexes, each with the
        index of that event."""
        found = ((unit, self._off_next(unit, applied)) for unit in sorted(self._removed))
        return [(unit, index) for unit, index in found if index is not None]

    def _off_next(self, unit: str, applied: int) -> int | None:
        if unit not in self._removed:
            return None
        lives = self._lives[unit]
        found = bisect_left(lives, applied)
        event = self.game.events[lives[found]] if found < len(lives) else None
        off = isinstance(event, Displacement) and event.target.kind != "hex"
        return lives[found] if off else None

    def condition(self, key: str, at: StepRef, unit: str = "") -> Fact:
        """The value of the condition ``key`` at a step: the last one given that covers the step, the unit's
        own before the one for all units. ``UNKNOWN`` if there is none."""
        return self.condition_between(key, at, at, unit)

    def conditions_changed(self, at: StepRef) -> int:
        """How many times the value of a condition has changed by a step."""
        return bisect_right(self._told_steps, at)

    def condition_between(self, key: str, first: StepRef, last: StepRef, unit: str = "") -> Fact:
        """The union of the values of the condition ``key`` from step ``first`` to ``last``; ``UNKNOWN`` if
        there is none."""
        if (key, "") not in self._conditions and (not unit or (key, unit) not in self._conditions):
            return UNKNOWN  # a shortcut: queried for every counter near a search, seldom given
        return either(f or UNKNOWN for f in self.told_between(key, first, last, unit))

    def told_between(
        self, key: str, first: StepRef, last: StepRef, unit: str = ""
    ) -> list[Fact | None]:
        """The values of the condition ``key`` from step ``first`` to ``last``, one for each change; None for
        a time at which none is given."""
        general = self._conditions.get((key, ""))
        own = self._conditions.get((key, unit)) if unit else None
        if own is None:
            return values_between(general, first, last)
        moments = [first, *(s for s in own[0] if first < s <= last)]
        if general is not None:
            moments.extend(s for s in general[0] if first < s <= last)
        return [value_at(own, m) or value_at(general, m) for m in moments]


ToldSteps = tuple[list[StepRef], list[Fact | None]]
"""The steps at which a value changes, in order, and the value from each of them on (None: none is given)."""


def value_at(steps: ToldSteps | None, moment: StepRef) -> Fact | None:
    """The value at a step; None if none is given."""
    if steps is None:
        return None
    found = bisect_right(steps[0], moment)
    return steps[1][found - 1] if found else None


def values_between(steps: ToldSteps | None, first: StepRef, last: StepRef) -> list[Fact | None]:
    """The values from step ``first`` to ``last``, one for each change; None where none is given."""
    if steps is None:
        return [None]
    begin, end = bisect_right(steps[0], first), bisect_right(steps[0], last)
    return [value_at(steps, first), *steps[1][begin:end]]


def condition_index(conditions: tuple[Condition, ...]) -> dict[tuple[str, str], ToldSteps]:
    """For each key and unit: the steps at which the value changes, and the value from each of them on (None:
    none is given)."""
    by_key: dict[tuple[str, str], list[tuple[int, Condition]]] = defaultdict(list)
    for number, condition in enumerate(conditions):
        by_key[condition.key, condition.unit].append((number, condition))
    return {key: _sweep(found) for key, found in by_key.items()}


def _sweep(conditions: list[tuple[int, Condition]]) -> ToldSteps:
    """The steps at which the value changes, and the values. Where conditions overlap, the last one given
    holds."""
    starts = sorted(conditions, key=lambda entry: entry[1].first)
    moments = sorted(
        {c.first for _, c in conditions}
        | {StepRef(c.last.log, c.last.step + 1) for _, c in conditions if c.last is not None}
    )
    steps: list[StepRef] = []
    facts: list[Fact | None] = []
    by_number = dict(conditions)
    heap: list[int] = []
    taken = 0
    for moment in moments:
        while taken < len(starts) and starts[taken][1].first <= moment:
            heappush(heap, -starts[taken][0])
            taken += 1
        while heap and _over(by_number[-heap[0]], moment):
            heappop(heap)
        steps.append(moment)
        facts.append(by_number[-heap[0]].fact if heap else None)
    return steps, facts


def _over(condition: Condition, moment: StepRef) -> bool:
    return condition.last is not None and condition.last < moment
