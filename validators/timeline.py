"""An index of the events of a game, so that a query about a span of steps need not scan them again."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterable
from copy import copy
from fractions import Fraction
from itertools import pairwise

from ..model.boards import BoardChange
from ..model.fact import UNKNOWN, Fact, Value
from ..model.finding import PhaseView
from ..model.game import (
    Displacement,
    Game,
    PhaseStart,
    Spent,
    StateChange,
    StepRef,
    Witness,
)
from .condition_index import condition_index, value_at, values_between
from .tracker import (
    Interlude,
    PhaseUncertainty,
    Slip,
    interrupts,
    is_again,
    second_thoughts,
)

_UNSAID = PhaseView()


def either(facts: Iterable[Fact]) -> Fact:
    """What is known if one of ``facts`` holds and it is not known which: the union of what they allow."""
    several = list(facts)  # kept as they are: a true and a 1 are equal, yet not the same value
    if len(several) == 1:
        return several[0]
    source = "; ".join(dict.fromkeys(f.source for f in several if f.source))
    if all(f.options is not None for f in several):
        values: dict[tuple[type, Value], Value] = {}
        for fact in several:
            values.update({(type(v), v): v for v in fact.options or ()})
        return Fact(tuple(values.values()), source=source)
    lows, highs = [f.low for f in several], [f.high for f in several]
    return Fact(None, _least(lows), _greatest(highs), source)


def _least(numbers: list[Fraction | None]) -> Fraction | None:
    some = [n for n in numbers if n is not None]
    return min(some) if len(some) == len(numbers) else None


def _greatest(numbers: list[Fraction | None]) -> Fraction | None:
    some = [n for n in numbers if n is not None]
    return max(some) if len(some) == len(numbers) else None


class Timeline:
    """For one game: the events and the phase of each step, and when hexes and units changed.

    Events are given by their index in ``game.events``. A span of events excludes its end.
    """

    __slots__ = (
        "_all_changes",
        "_changes",
        "_conditions",
        "_interruptions",
        "_lives",
        "_missing",
        "_phase_of",
        "_phase_steps",
        "_phases",
        "_removed",
        "_states",
        "_steps",
        "_told",
        "_told_steps",
        "_traffic",
        "_turn_of",
        "game",
    )

    def __init__(self, game: Game) -> None:
        self.game = game
        self._steps: list[StepRef] = []
        self._phase_steps: list[StepRef] = []
        self._phases: list[PhaseStart] = []
        self._phase_of: list[int] = []
        self._turn_of: list[int] = []
        self._changes: dict[tuple[str, str], list[tuple[int, Fact]]] = defaultdict(list)
        self._traffic: dict[str, list[tuple[int, str, bool]]] = defaultdict(list)
        self._lives: dict[str, list[int]] = defaultdict(list)
        self._states: dict[str, list[int]] = {}
        self._all_changes: list[int] = []
        self._removed: set[str] = set()
        latest = StepRef(0, 0)
        for index, event in enumerate(game.events):
            latest = max(latest, event.at)
            self._steps.append(latest)
            self._note(index, event)
        self._conditions = condition_index(game.conditions)
        self._told_steps = sorted(step for told, _ in self._conditions.values() for step in told)
        self._told: dict[str, tuple[bool, frozenset[str]]] = {}
        self._missing = self._second_thoughts()
        self._interruptions = self._find_interruptions()

    def on(self, game: Game) -> Timeline:
        """The same for ``game``, in which only cells of the board are other."""
        found = copy(self)
        found.game = game
        return found

    def _note(self, index: int, event: object) -> None:
        if isinstance(event, PhaseStart):
            self._begin_phase(event)
        elif isinstance(event, Displacement):
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
            self._states.setdefault(event.unit, []).append(index)
            self._all_changes.append(index)
        elif isinstance(event, Spent):
            self._lives[event.unit].append(index)

    def _begin_phase(self, start: PhaseStart) -> None:
        at = max(start.at, self._phase_steps[-1]) if self._phase_steps else start.at
        if self._phase_steps and self._phase_steps[-1] == at:  # the last word on a step counts
            self._phase_steps.pop()
            self._phases.pop()
            self._phase_of.pop()
            self._turn_of.pop()
        before = self._phases[-1] if self._phases else None
        same = before is not None and is_again(before, start)
        number = (self._phase_of[-1] if self._phase_of else 0) + (0 if same else 1)
        self._phase_steps.append(at)
        self._phases.append(start)
        turn = self._turn_of[-1] if self._turn_of else 0
        self._turn_of.append(turn if before is not None and before.turn == start.turn else turn + 1)
        self._phase_of.append(number)

    def first_event(self, step: StepRef) -> int:
        """The index of the first event that is not before ``step``."""
        return bisect_left(self._steps, step)

    def end_event(self, step: StepRef) -> int:
        """The index of the first event after ``step``."""
        return bisect_right(self._steps, step)

    def end_of_log(self, log: int) -> int:
        """The index of the first event after those of ``log``."""
        return self.first_event(StepRef(log + 1, 0))

    def step_of(self, index: int) -> StepRef:
        """The step of the event ``index``."""
        return self._steps[index]

    def phase_start(self, step: StepRef) -> PhaseStart | None:
        """The event that started the phase of ``step``; None if there is none."""
        found = bisect_right(self._phase_steps, step)
        return self._phases[found - 1] if found else None

    def phase(self, step: StepRef) -> PhaseView:
        """Turn, phase and active side at ``step``; each is None if not known."""
        start = self.phase_start(step)
        return PhaseView(start.turn, start.phase, start.active) if start is not None else _UNSAID

    def phase_number(self, step: StepRef) -> int:
        """The number of the phase of ``step``, counted from 1; 0 before the first phase. A phase that is
        certainly started again without another in between continues with the same number."""
        found = bisect_right(self._phase_steps, step)
        return self._phase_of[found - 1] if found else 0

    def is_doubtful(self, step: StepRef) -> bool:
        """Whether it is not known that the phase of ``step`` began, because the turn tracker was set back
        (see :mod:`.tracker`)."""
        found = bisect_right(self._phase_steps, step)
        return bool(found) and self._missing.doubtful[found - 1]

    def is_reopened(self, step: StepRef) -> bool:
        """Whether the phase of ``step`` starts again after another one, so that it may not have ended."""
        found = bisect_right(self._phase_steps, step)
        return bool(found) and self._missing.reopened[found - 1]

    def spell(self, step: StepRef) -> int:
        """As :meth:`phase_number`, but with the same number for the parts of a phase that was, or may have
        been, interrupted."""
        found = bisect_right(self._phase_steps, step)
        return self._missing.spell[found - 1] if found else 0

    def end_of_spell(self, step: StepRef) -> tuple[int, StepRef]:
        """The number of phase starts up to the last one with the :meth:`spell` of ``step``, and the step of
        the last event before the next one."""
        spells, spell = self._missing.spell, self.spell(step)
        found = len(spells)
        while found and spells[found - 1] != spell:
            found -= 1
        end = len(self._steps)
        if found < len(self._phase_steps):
            end = self.first_event(self._phase_steps[found])
        return found, self._steps[end - 1] if end else step

    def phases_up_to(self, number: int) -> tuple[object, ...]:
        """What is known of the first ``number`` phase starts, also by what comes later, and the next one."""
        missing = self._missing
        told = (missing.spell, missing.doubtful, missing.reopened)
        over = [(self.is_over(step), self.is_closed(step)) for step in self._phase_steps[:number]]
        between = [at for index, at in self._interruptions if index < number]
        later = self._phases[number : number + 1]
        return (
            [tuple(some[:number]) for some in told],
            self._phase_of[:number],
            self._turn_of[:number],
            over,
            between,
            later,
        )

    def told_late(self) -> list[tuple[str, str]]:
        """The attributes that units come to have in the course of the game, by unit, each of which it does
        not have at the opening."""
        units = self.game.units
        return sorted(
            (unit, about)
            for unit, about in self._changes
            if unit in units and about not in units[unit].attributes
        )

    def last_part(self, step: StepRef) -> StepRef | None:
        """The step at which the last part of an interrupted phase begins; None if the turn tracker was set
        back: whether the phase continues there is not known."""
        spell = self.spell(step)
        found = len(self._missing.spell) - 1 - self._missing.spell[::-1].index(spell)
        return None if self._missing.doubtful[found] else self._phase_steps[found]

    def is_closed(self, step: StepRef) -> bool:
        """Whether the last step of the phase of ``step`` is given for certain, and the log with it is
        available."""
        number = self.phase_number(step)
        found = bisect_right(self._phase_of, number)
        start = self._phases[found - 1] if found else None
        if isinstance(start, Interlude):
            start = start.within
        if start is None or start.last is None or not start.certain:
            return False
        return bool(self._steps) and start.last.log <= self._steps[-1].log

    def is_over(self, step: StepRef) -> bool:
        """Whether the phase of ``step`` is known to have ended: its last step is given, or the phase that
        follows is known. A phase that is not known may still be the same."""
        if self.is_closed(step):
            return True
        spell, found = self.spell(step), bisect_right(self._phase_of, self.phase_number(step))
        for index in range(found, len(self._phases)):
            start = self._phases[index]
            if not interrupts(start) and self._missing.spell[index] != spell:
                return (
                    start.certain and start.phase is not None and not self._missing.doubtful[index]
                )
        return False

    def interludes(self, first: StepRef, last: StepRef) -> list[StepRef]:
        """The first steps of what perhaps interrupts a phase from ``first`` to ``last``: interludes (see
        :mod:`.readings`), and starts after which the phase is perhaps another (see :meth:`restarts`)."""
        begin, end = bisect_left(self._phase_steps, first), bisect_right(self._phase_steps, last)
        return [at for index, at in self._interruptions if begin <= index < end]

    def all_interludes(self) -> list[StepRef]:
        """As :meth:`interludes`, of the whole game."""
        return [at for _, at in self._interruptions]

    def restarts(self) -> list[PhaseStart]:
        """The starts of a phase of which it is not known whether it is the one before it, started again."""
        pairs = pairwise(self._phases)
        return [start for before, start in pairs if is_again(before, start) is None]

    @property
    def slips(self) -> tuple[Slip, ...]:
        """The slips of the turn tracker, in order."""
        return self._missing.slips

    def half_told(self, step: StepRef) -> StepRef:
        """The step to ask about where nobody knows whether the phase of ``step`` and one beside it are one:
        of the one whose turn or side is not told; else ``step``."""
        here = bisect_right(self._phase_steps, step) - 1
        for index in (here, here - 1, here + 1):
            if not 0 <= index < len(self._phases):
                continue
            first, second = sorted((here, index))
            again = index == here or is_again(self._phases[first], self._phases[second]) is None
            if again and None in (self._phases[index].turn, self._phases[index].active):
                return step if index == here else self._phase_steps[index]
        return step

    def _find_interruptions(self) -> list[tuple[int, StepRef]]:
        """The indices and first steps of the phase starts that :meth:`all_interludes` returns."""
        again = {id(start) for start in self.restarts()}
        numbered = enumerate(self._phases)
        found = ((n, s) for n, s in numbered if isinstance(s, Interlude) or id(s) in again)
        return [(number, start.at) for number, start in found]

    def _second_thoughts(self) -> PhaseUncertainty:
        starts = [self.first_event(step) for step in self._phase_steps]
        ends = [*starts[1:], len(self.game.events)][: len(starts)]
        quiet = [
            not any(_happens(event) for event in self.game.events[start:end])
            for start, end in zip(starts, ends, strict=True)
        ]
        return second_thoughts(self._phases, self._phase_of, quiet)

    def stretch(self, step: StepRef) -> tuple[StepRef, StepRef]:
        """The first and the last step of the phase of ``step`` within its log."""
        found = bisect_right(self._phase_steps, step)
        first = max(StepRef(step.log, 1), self._phase_steps[found - 1] if found else StepRef(0, 0))
        after = bisect_left(self._steps, StepRef(step.log + 1, 0))
        last = self._steps[after - 1] if after else step
        if found < len(self._phase_steps) and self._phase_steps[found].log == step.log:
            start = self._phase_steps[found]
            last = StepRef(step.log, start.step - 1)
        return min(first, step), max(last, step)

    def changes(self, unit: str, attribute: str, start: int, end: int) -> list[Fact]:
        """The values to which an attribute of ``unit`` changes in the events from ``start`` to before
        ``end``."""
        found = self._changes.get((unit, attribute))
        if not found:
            return []
        first = bisect_left(found, start, key=lambda change: change[0])
        last = bisect_left(found, end, key=lambda change: change[0])
        return [fact for _, fact in found[first:last]]

    def states(self, unit: str, end: int) -> int:
        """The number of attribute changes of ``unit`` before event ``end``. While it stays the same, no
        attribute of the unit has changed."""
        found = self._states.get(unit)
        return bisect_left(found, end) if found else 0

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

    def is_soon(self, index: int, at: StepRef) -> bool:
        """Whether event ``index`` is in the turn of step ``at`` or in the next. True also if one of the turns
        is not known."""
        later = self._steps[index]
        if self.phase(at).turn is None or self.phase(later).turn is None:
            return True
        return self._turn_number(later) - self._turn_number(at) <= 1

    def _turn_number(self, step: StepRef) -> int:
        found = bisect_right(self._phase_steps, step)
        return self._turn_of[found - 1] if found else 0

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
            return UNKNOWN  # a shortcut: asked for every counter near a search, and seldom given
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


def _happens(event: object) -> bool:
    """Whether an event counts as something that happened in its phase."""
    if isinstance(event, Witness):
        return event.kind not in ("chat", "log-end")
    return not isinstance(event, PhaseStart | BoardChange)
