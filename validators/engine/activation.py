"""What a unit did in its activation, by the log: where it was carried, where it moved by itself, and when it
entered and left carriers and works.

A player may change a counter and change it back before anyone has seen it. Such a change does not count in
the favourable world; it counts in the adverse world.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise

from ...model.fact import UNKNOWN, Fact, Value
from ...model.finding import Move
from ...model.game import NOWHERE, Place, StateChange
from ...model.unit import Unit
from ..ruleset import World
from .event_index import ABOARD
from .history import History
from .riding import NO, carried

NONE = "none"
"""The value of ``works`` for a unit that is in none."""
Series = list[tuple[int, Fact]]


@dataclass(frozen=True, slots=True)
class Leg:
    """One drag of the move. ``at``: the index of its event. ``carried``: whether a carrier that went from and
    to the same hexes carried the unit; None: not known."""

    origin: str
    target: str
    at: int
    carried: bool | None


@dataclass(frozen=True, slots=True)
class Rides:
    """How often a unit boarded and left carriers. ``acted_on``: it did something after boarding."""

    boarded: int
    left: int
    acted_on: bool


@dataclass(frozen=True)
class Activation:
    """What one unit did with its move: its legs, and its attributes from the beginning of the phase until the
    unit is moved again. ``start``, ``end``: the events of this span (``end`` excluded)."""

    history: History
    unit: Unit
    legs: tuple[Leg, ...]
    start: int
    end: int

    @cached_property
    def walked(self) -> tuple[Leg, ...]:
        """The legs on which it was not certainly carried."""
        return tuple(leg for leg in self.legs if not leg.carried)

    @property
    def span(self) -> tuple[int, int]:
        """The event of the first leg, and the one after that of the last; an empty span if there are none."""
        if not self.legs:
            return self.start, self.start
        return self.legs[0].at, self.legs[-1].at + 1

    @property
    def first(self) -> int:
        """The event of the first leg in :attr:`walked`; :attr:`end` if there is none."""
        return self.walked[0].at if self.walked else self.end

    @property
    def doubtful(self) -> bool:
        """Whether ``carried`` is not known for a leg."""
        return any(leg.carried is None for leg in self.legs)

    def riding(self, rides: bool) -> Activation:
        """The same, with ``rides`` in place of each ``carried`` that is not known."""
        legs = (replace(leg, carried=rides) if leg.carried is None else leg for leg in self.legs)
        return replace(self, legs=tuple(legs))

    def borne(self, first: int, end: int) -> Activation:
        """The same, with the legs from number ``first`` to ``end`` (excluded) carried."""
        legs = [
            replace(leg, carried=True) if first <= n < end else leg
            for n, leg in enumerate(self.legs)
        ]
        return replace(self, legs=tuple(legs))

    def value(self, attribute: str, at: int) -> Fact:
        """The value of an attribute just before an event."""
        return self.history.value(self.unit.id, attribute, at)

    def series(self, attribute: str, start: int, end: int) -> Series:
        """See :func:`series`."""
        return series(self.history, self.unit.id, attribute, start, end)

    # -- carriers and works ------------------------------------------------------------------------

    def never_changed(self, attribute: str, outside: str) -> bool:
        """Whether an attribute certainly had the value ``outside`` (in none) all the time."""
        changes = self.history.changes(self.unit.id, attribute, self.start, self.end)
        return not changes and self.value(attribute, self.start).options == (outside,)

    def rides(self, world: World, *, meant: bool = False) -> Rides:
        """How often the unit boarded and left carriers: at least (favourable world) or at most (adverse).
        ``meant``: corrected changes do not count in the adverse world either."""
        if self.never_changed(ABOARD, NO):
            return Rides(0, 0, False)
        told = self._read(ABOARD, "favourable" if meant else world)
        stays = [(entered, left) for _, entered, left in self._stays(told, world, NO)]
        boarded, left = (sum(one[number] for one in stays) for number in (0, 1))
        return Rides(boarded, left, (True, True) in stays)

    def _stays(self, told: Series, world: World, outside: str) -> Iterator[tuple[Fact, bool, bool]]:
        """For each value that puts the unit into something: (value, whether it entered with it, whether it
        left), certainly (favourable world) or perhaps (adverse)."""
        for number, (at, now) in enumerate(told):
            if _inside(now, world, outside):
                entered = number > 0 and _changed(told[number - 1][1], now, world)
                last = number + 1 == len(told)
                ended = not last and _changed(now, told[number + 1][1], world)
                after = self.end if last else told[number + 1][0]
                yield now, entered, ended or self._walks(at, after)

    def works(self, world: World) -> tuple[tuple[Fact, ...], tuple[Fact, ...]]:
        """(works entered, works left): certainly (favourable world) or perhaps (adverse)."""
        if self.never_changed("works", NONE):
            return (), ()
        stays = list(self._stays(self._read("works", world), world, NONE))
        entered = tuple(now for now, entered, _ in stays if entered)
        return entered, tuple(now for now, _, left in stays if left)

    def changes(self, attribute: str) -> list[tuple[Fact, int, Fact]]:
        """The changes of an attribute in the favourable world: (old value, event, new value)."""
        told = self._read(attribute, "favourable")
        return [(before, at, now) for (_, before), (at, now) in pairwise(told)]

    def _walks(self, start: int, end: int) -> bool:
        return any(start <= leg.at < end for leg in self.walked)

    def _read(self, attribute: str, world: World) -> Series:
        told = self.series(attribute, self.start, self.end)
        if world == "adverse":
            return told
        if attribute == ABOARD:
            told = self._corrected(told)
        if self._is_stale(attribute, told[0][1]):
            told[0] = (told[0][0], UNKNOWN)
        found = list(self._after_drags(list(self._meant(told))))
        kept = found[:1]
        for at, fact in found[1:]:
            if fact.options != kept[-1][1].options:
                kept.append((at, fact))
        return kept

    def _corrected(self, told: Series) -> Series:
        """``told``, in which a carrier replaces the one before it if the unit did not move in between: that
        was a correction."""
        found = told[:1]
        for at, fact in told[1:]:
            said, before = found[-1]
            boarded = all(o and NO not in o for o in (before.options or (), fact.options or ()))
            if len(found) > 1 and boarded and not any(said < leg.at < at for leg in self.legs):
                found[-1] = (said, fact)
            else:
                found.append((at, fact))
        return found

    def _is_stale(self, attribute: str, said: Fact) -> bool:
        """Whether the first value may be left over from an earlier phase: the unit was moved after it was
        set, or is not in the hex of the carrier."""
        history, unit = self.history, self.unit.id
        here = history.place(unit, self.start)
        if history.declared(said):
            return False
        if attribute == ABOARD:
            named = (option for option in said.options or () if option != NO)
            carriers = (history.vehicle(option, unit, self.start) for option in named)
            return any(c is not None and history.place(c, self.start) != here for c in carriers)
        since = history.last_change(unit, attribute, self.start)
        return any(since <= drag < self.start for drag in history.drags.get(unit, ()))

    def _after_drags(self, told: Series) -> Iterator[tuple[int, Fact]]:
        """``told``, in which changes made before a drag are moved to just after it if nobody saw them. A
        change to ``no`` is not moved: a unit leaves a carrier before it is dragged."""
        yield told[0]
        for at, fact in told[1:]:
            shifted = at
            for leg in self.walked:
                if leg.at > shifted and not self._too_late(shifted, leg.at):
                    shifted = leg.at + 1
            yield shifted if fact.options != (NO,) else at, fact

    def _meant(self, told: Series) -> Iterator[tuple[int, Fact]]:
        """``told`` without changes that were replaced before the unit was dragged or others saw them."""
        yield told[0]
        for number, (at, fact) in enumerate(told[1:], 2):
            if number < len(told):
                end = told[number][0]
                moved = any(at < leg.at < end for leg in self.legs)
                if not moved and not self._too_late(at, end):
                    continue
            yield at, fact

    def _too_late(self, a: int, b: int) -> bool:
        return self.history.witnesses.too_late(a, b, self.unit.side)

    # -- markers -----------------------------------------------------------------------------------

    def righted(self, attribute: str, bad: tuple[Value, ...], at: int) -> bool:
        """Whether an attribute changed, or may have changed, to a value that is not in ``bad`` after event
        ``at``, before others saw it: the player may have corrected it."""
        history = self.history
        for index, fact in history.changes(self.unit.id, attribute, at, len(history.game.events)):
            if self._too_late(at, index):
                return False
            if fact.options is None or not all(option in bad for option in fact.options):
                return True
        return False

    def said(self, attribute: str, at: int) -> int:
        """The last event before ``at`` that set the attribute; 0 if there is none."""
        return self.history.last_change(self.unit.id, attribute, at)


def over(
    history: History, unit: str, attribute: str, start: int, end: int, fitting: tuple[str, ...]
) -> Fact:
    """The value of an attribute over a span. If it did not change: its value. Else all of its values in
    ``fitting``, because players add markers late and remove them when they are no longer needed; all of
    ``fitting`` if the value was also unknown at some time. If none fits: the last one, or ``UNKNOWN``."""
    if not history.changes(unit, attribute, start, end):
        return history.value(unit, attribute, start)
    facts = [fact for _, fact in series(history, unit, attribute, start, end)]
    if len(facts) == 1:
        return facts[0]
    every = (option for fact in facts for option in fact.options or ())
    fits = tuple(dict.fromkeys(option for option in every if option in fitting))
    if any(fact.options is None for fact in facts):
        return Fact(fitting) if fits else UNKNOWN
    return Fact(fits) if fits else facts[-1]


def series(history: History, unit: str, attribute: str, start: int, end: int) -> Series:
    """The values of an attribute from just before event ``start`` to event ``end`` (excluded), as (event from
    which the value holds, value), without changes that were undone."""
    found = [(start, history.value(unit, attribute, start))]
    for index, fact in history.changes(unit, attribute, start, end):
        event = history.game.events[index]
        undo = isinstance(event, StateChange) and event.undo
        if undo and len(found) > 1 and found[-2][1].options == fact.options:
            found.pop()
        elif fact.options is None or fact.options != found[-1][1].options:
            found.append((index, fact))
    return found


def _inside(fact: Fact, world: World, outside: str) -> bool:
    """Whether the unit is in a carrier or in works: certainly (favourable world), or perhaps (adverse)."""
    return not fact.must_be(outside) and (
        (fact.options is not None and outside not in fact.options) or world == "adverse"
    )


def _changed(before: Fact, after: Fact, world: World) -> bool:
    """Whether the value really changed: certainly (favourable world), or perhaps (adverse)."""
    if world == "adverse":
        return True
    return bool(before.options and after.options) and not set(before.options or ()) & set(
        after.options or ()
    )


def of_move(history: History, unit: Unit, move: Move, may_ride: bool) -> Activation:
    """What a unit did with a move. ``may_ride`` False: unless it was certainly carried, it was not."""
    timeline = history.timeline
    steps = (*move.steps, *move.steps[-1:] * (len(move.waypoints) - 1 - len(move.steps)))
    ats = [timeline.first_event(step) for step in steps]
    start, phase_end = history.phase(ats[0])
    done = timeline.end_event(move.steps[-1])
    later = [d for d in history.drags.get(unit.id, ()) if done <= d < phase_end]
    places = zip(pairwise(move.waypoints), ats, strict=False)
    legs = tuple(_leg(history, unit, *way, at, (start, phase_end)) for way, at in places)
    found = Activation(history, unit, legs, start, later[0] if later else phase_end)
    return found if may_ride else found.riding(False)


def of_phase(history: History, unit: Unit, phase: tuple[int, int]) -> Activation:
    """What a unit did in a whole phase. ``phase``: its first event and the first event after it."""
    drags = [(d, history.drag(d)) for d in history.drags.get(unit.id, ())]
    legs = tuple(
        _leg(history, unit, drag.origin, drag.target, at, phase)
        for at, drag in drags
        if phase[0] <= at < phase[1] and drag.origin.kind == drag.target.kind == "hex"
    )
    return Activation(history, unit, legs, *phase)


def _leg(
    history: History, unit: Unit, origin: Place, target: Place, at: int, phase: tuple[int, int]
) -> Leg:
    rode = carried(history, unit, origin.name, target.name, at, phase)
    return Leg(origin.name, target.name, at, rode)


def places(history: History, unit: str, start: int, end: int) -> tuple[Place, ...]:
    """The places of a unit from event ``start`` to event ``end`` (excluded), in order."""
    drags = (d for d in history.drags.get(unit, ()) if start <= d < end)
    return (history.place(unit, start) or NOWHERE, *(history.drag(d).target for d in drags))
