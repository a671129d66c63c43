"""Where units are, and what is known of them, at one point of a game.

A :class:`Situation` is advanced along ``game.events`` once, from the opening to the end. Applying an event
takes the same time however many units there are. Some verdicts concern more than one moment, for example a
move of several steps between which other units moved. :meth:`Situation.over` gives a view of a whole span of
steps: what changed during the span counts as not known, so that something that held for only part of it is
never used to call a move illegal.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Mapping
from copy import copy
from typing import Self

from ..model.board import Board
from ..model.boards import BoardChange
from ..model.fact import UNKNOWN, Fact, either
from ..model.finding import PhaseView
from ..model.game import NOWHERE, Displacement, Game, Place, Spent, StateChange, StepRef, Witness
from .answers import answer, was_there
from .lives import DEAD, Lives
from .timeline import Timeline


def _add(counts: dict[str, int], names: Iterable[str], number: int) -> None:
    """Add ``number`` (may be negative) to the count of each hex in ``names``. A count of 0 is removed."""
    for name in names:
        counts[name] = counts.get(name, 0) + number
        if not counts[name]:
            del counts[name]


class Situation(Lives):
    """The state of the game at one point, usually before the first event of a step.

    Call ``situation.advance_before(move.steps[0])`` first, then the queries. A situation can only be
    advanced, never moved back. ``game`` and ``board`` are the game with the board as it is at this point;
    over a span, what changes on the board within the span is open.
    """

    __slots__ = (
        "_applied",
        "_at",
        "_crowds",
        "_elsewhere",
        "_facts",
        "_happened",
        "_hexes",
        "_others",
        "_places",
        "_stirred",
        "_until",
        "board",
        "game",
        "timeline",
    )

    def __init__(self, game: Game, timeline: Timeline | None = None) -> None:
        self.game: Game = game.on_board(0, 0)
        self.board: Board = self.game.board
        self.timeline = timeline if timeline is not None else Timeline(game)
        self._applied = 0
        self._until: int | None = None
        self._at = StepRef(1, 0)
        self._places: dict[str, Place] = dict(game.opening)
        self._hexes: dict[str, dict[str, None]] = {}
        self._facts: dict[tuple[str, str], Fact] = {}
        self._happened: Counter[str | None] = Counter()
        self._crowds: dict[str, tuple[str, ...] | None] = {}
        self._stirred: frozenset[str] = frozenset()
        self._others: dict[tuple[str | None, bool], dict[str, int]] = {}
        self._elsewhere: frozenset[str] = frozenset()
        """The units that :meth:`displaced` put where the game does not have them."""
        for unit, place in self._places.items():
            if place.kind == "hex":
                self._hexes.setdefault(place.name, {})[unit] = None

    @property
    def at(self) -> StepRef:
        """The current step. Its own events have been applied only after :meth:`advance_after`, or one by one
        with :meth:`advance_by_one`."""
        return self._at

    @property
    def applied(self) -> int:
        """How many of ``game.events`` have been applied."""
        return self._applied

    @property
    def until(self) -> int:
        """The index in ``game.events`` at which the span ends (exclusive). Without a span:
        :attr:`applied`."""
        return self._applied if self._until is None else self._until

    @property
    def last(self) -> StepRef:
        """The last step of the span. Without a span: :attr:`at`."""
        if self._until is None or self._until <= self._applied:
            return self._at
        return max(self._at, self.timeline.step_of(self._until - 1))

    def advance_before(self, step: StepRef) -> None:
        """Apply all events before ``step``."""
        self._advance(self.timeline.first_event(step))
        self._at = max(self._at, step)

    def advance_after(self, step: StepRef) -> None:
        """Apply all events up to and including those of ``step``."""
        self._advance(self.timeline.end_event(step))
        self._at = max(self._at, step)

    def advance_by_one(self) -> None:
        """Apply the next event. Does nothing at the end of the game."""
        if self._applied < len(self.game.events):
            self._at = max(self._at, self.timeline.step_of(self._applied))
            self._advance(self._applied + 1)

    def over(self, last: StepRef, moved: tuple[int, int] | None = None) -> Self:
        """A view of this situation that covers the span from here to the end of step ``last``.

        ``moved``: indices of the first and the last event of the move being judged. Changes of the board
        between them are open; changes after them are ignored. None: every change of the board within the span
        is open. The view shares its data with this situation, so use it before this one is advanced.
        """
        span = copy(self)
        span._until = max(self.timeline.end_event(last), self._applied)
        span.game = self.game.on_board(*(moved or (self._applied, span._until)))
        span.board = span.game.board
        span._stirred = frozenset(span._stirred_until(span._until))
        return span

    def in_game(self, game: Game) -> Self:
        """A view of this situation in ``game``, which must have the same units, places and events but may
        have other facts. The view must not be advanced."""
        view = copy(self)
        view.game, view.board = game, game.board
        return view

    def displaced(self, units: Iterable[str], target: Place) -> Self:
        """A view of this situation as if ``units`` had already been moved to ``target``.

        The view must not be advanced.
        """
        view = copy(self)
        view._places = dict(self._places)
        view._hexes = {name: dict(here) for name, here in self._hexes.items()}
        view._happened = Counter(self._happened)
        view._crowds, view._others = {}, {}
        for unit in units:
            view._put(unit, target)
            view._elsewhere |= {unit}
        return view

    def _stirred_until(self, end: int) -> Iterator[str]:
        """The hexes that a unit leaves or enters, or in which it changes state, in the events from here to
        index ``end`` (exclusive), and the ids of the units that change state."""
        for event in self.game.events[self._applied : end]:
            if isinstance(event, Displacement):
                yield from (p.name for p in (event.origin, event.target) if p.kind == "hex")
            elif isinstance(event, StateChange):
                yield event.unit
                place = self.where(event.unit)
                if place.kind == "hex":
                    yield place.name

    @property
    def phase(self) -> PhaseView:
        """Turn, phase and active side at :attr:`at`."""
        return self.timeline.phase(self._at)

    def where(self, unit: str) -> Place:
        """The place of ``unit``; ``NOWHERE`` if the game does not say where it is."""
        return self._places.get(unit, NOWHERE)

    def side(self, unit: str) -> str | None:
        """The side ``unit`` belongs to; None if the side, or the unit itself, is not known."""
        known_unit = self.game.units.get(unit)
        return known_unit.side if known_unit is not None else None

    def is_marker(self, unit: str) -> bool:
        """Whether ``unit`` is a marker. A unit that the game does not know counts as one."""
        known_unit = self.game.units.get(unit)
        return known_unit is None or known_unit.kind == "marker"

    def fact(self, unit: str, attribute: str) -> Fact:
        """The value of an attribute of ``unit``: that of its last change, else that of the opening. Over a
        span: the union of all values it had. ``UNKNOWN`` if there is none."""
        first, *later = self._said(unit, attribute)
        now = UNKNOWN if first is None else first
        return either((now, *filter(None, later))) if later else now

    def _said(self, unit: str, attribute: str) -> list[Fact | None]:
        """The given values of an attribute: the last one (None: none is given); over a span, also each value
        to which it changes (never None)."""
        first = self._facts.get((unit, attribute))
        if first is None and (known_unit := self.game.units.get(unit)) is not None:
            first = known_unit.attributes.get(attribute)
        if self._until is None:
            return [first]
        return [first, *self.timeline.changes(unit, attribute, self._applied, self._until)]

    def condition(self, key: str, unit: str = "") -> Fact:
        """The value of the condition ``key`` at :attr:`at`, for ``unit`` (empty: the one given for all
        units). Over a span: the union of all values it had."""
        return self.timeline.condition_between(key, self._at, self.last, unit)

    def units_in(self, hex: str) -> tuple[str, ...]:  # noqa: A002 - the wargamer's word
        """The units and markers in ``hex`` at the start of the span, in order of arrival."""
        return tuple(self._hexes.get(hex, ()))

    def surely_in(self, hex: str) -> tuple[str, ...]:  # noqa: A002
        """The units (no markers) that are certainly in ``hex`` and certainly in play throughout the span.
        Only these may be used to call a move illegal."""
        crowd = self._crowd(hex)
        if crowd is not None:
            return crowd
        gone = {u for u in self._left(hex) if not self._told_there(u, hex)}
        came = (u for u in self._came(hex) if not self.is_marker(u) and self._told_there(u, hex))
        there = dict.fromkeys((*(u for u in self._counters(hex) if u not in gone), *came))
        return tuple(u for u in there if self.in_play(u).must_be(True))

    def possibly_in(self, hex: str) -> tuple[str, ...]:  # noqa: A002
        """The units (no markers) that may be in ``hex`` and in play at some time of the span. A move is
        called legal only if it is legal with all of these present."""
        crowd = self._crowd(hex)
        if crowd is not None:
            return crowd
        came = self._came(hex)
        found = dict.fromkeys(self._counters(hex))
        found.update(dict.fromkeys(u for u in came if not self.is_marker(u)))
        passing = {*came, *self._left(hex)}
        return tuple(
            u
            for u in found
            if self.in_play(u).may_be(True)
            and not (u in passing and self._told_there(u, hex) is False)
        )

    def _told_there(self, unit: str, hex: str) -> bool | None:  # noqa: A002
        """The facts' answer to whether ``unit`` was in ``hex``, which it entered or left during the span;
        None if they give no definite answer."""
        return answer(self.game, was_there(hex, unit, "", self._at))

    def _crowd(self, hex: str) -> tuple[str, ...] | None:  # noqa: A002
        """The units (no markers) in ``hex``, if nothing about the hex changes over the span and none of them
        can ever have left play; else None, and the caller has to work it out.

        Cached from step to step, because a search asks for every hex that it reaches.
        """
        if hex in self._stirred:
            return None
        try:
            return self._crowds[hex]
        except KeyError:
            units = tuple(self._counters(hex))
            mortal = any(self.timeline.may_leave_play(unit, DEAD) for unit in units)
            found = self._crowds[hex] = None if mortal else units
            return found

    def since_others_stirred(self, side: str) -> Hashable:
        """A cache key for the state of counters not of ``side``. It is the same within a phase, on one board,
        until something happens to them or a condition changes. None: such a change, or one of the board, is
        within the span, or :meth:`displaced` has moved one of them."""
        if any(self.side(unit) != side for unit in self._elsewhere):
            return None
        span = self.game.events[self._applied : self.until]
        if any(
            self.side(event.unit) != side
            if isinstance(event, Displacement | StateChange | Spent)
            else not isinstance(event, Witness)
            for event in span
        ):
            return None
        told = {self.timeline.conditions_changed(at) for at in (self._at, self.last)}
        if len(told) > 1:
            return None
        others = self._happened.total() - self._happened[side]
        return self.timeline.phase_number(self._at), told.pop(), others

    def others_beside(self, side: str | None) -> Mapping[str, int]:
        """For each hex, how many units (no markers) not of ``side`` are in it or next to it; ``side`` None:
        of any side. A hex that is missing has no such unit near it. Over a span, units that arrive are added
        and units that leave are still counted, so a count may be too high but never too low.

        The mapping shares its data with this situation; do not keep or change it.
        """
        return self._at_any_time(side, beside=True)

    def others_in(self, side: str | None) -> Mapping[str, int]:
        """As :meth:`others_beside`, but only units in the hex itself are counted."""
        return self._at_any_time(side, beside=False)

    def _at_any_time(self, side: str | None, *, beside: bool) -> Mapping[str, int]:
        now = self._counted(side, beside=beside)
        if self._until is None:
            return now
        came = [
            event.target.name
            for event in self.game.events[self._applied : self._until]
            if isinstance(event, Displacement)
            and event.target.kind == "hex"
            and event.target.name in self.board.hexes
            and self._is_other(event.unit, side)
        ]
        if not came:
            return now
        found = dict(now)
        for name in came:
            _add(found, self._around(name, beside=beside), 1)
        return found

    def _counted(self, side: str | None, *, beside: bool) -> dict[str, int]:
        """Units not of ``side`` per hex at the start of the span: computed at the first call, then kept up to
        date by :meth:`_count`."""
        found = self._others.get((side, beside))
        if found is None:
            found = self._others[side, beside] = {}
            for name, units in self._hexes.items():
                for unit in units:
                    if self._is_other(unit, side) and name in self.board.hexes:
                        _add(found, self._around(name, beside=beside), 1)
        return found

    def _is_other(self, unit: str, side: str | None) -> bool:
        return not self.is_marker(unit) and (side is None or self.side(unit) != side)

    def _around(self, name: str, *, beside: bool) -> tuple[str, ...]:
        return (name, *self.board.neighbours(name)) if beside else (name,)

    def _count(self, unit: str, name: str, by: int) -> None:
        """Update the cached counts: ``unit`` entered hex ``name`` (``by`` = 1) or left it (``by`` = -1)."""
        if name in self.board.hexes:
            for (side, beside), hexes in self._others.items():
                if self._is_other(unit, side):
                    _add(hexes, self._around(name, beside=beside), by)

    def _counters(self, hex: str) -> Iterable[str]:  # noqa: A002
        return (u for u in self._hexes.get(hex, ()) if not self.is_marker(u))

    def _left(self, hex: str) -> frozenset[str]:  # noqa: A002
        if self._until is None:
            return frozenset()
        return self.timeline.left(hex, self._applied, self._until)

    def _came(self, hex: str) -> tuple[str, ...]:  # noqa: A002
        if self._until is None:
            return ()
        return self.timeline.came(hex, self._applied, self._until)

    def _advance(self, end: int) -> None:
        events = self.game.events
        while self._applied < end:
            event = events[self._applied]
            self._applied += 1
            if isinstance(event, BoardChange):
                self.game = self.game.on_board(self._applied, self._applied)
                self.board = self.game.board
            if isinstance(event, Displacement):
                self._put(event.unit, event.target)
            elif isinstance(event, StateChange):
                self._facts[event.unit, event.attribute] = event.after
                self._happened[self.side(event.unit)] += 1
            elif isinstance(event, Spent):
                self._happened[self.side(event.unit)] += 1

    def _put(self, unit: str, target: Place) -> None:
        self._happened[self.side(unit)] += 1
        before = self._places.get(unit, NOWHERE)
        if before.kind == "hex":
            self._hexes.get(before.name, {}).pop(unit, None)
            self._crowds.pop(before.name, None)
            self._count(unit, before.name, -1)
        self._places[unit] = target
        if target.kind == "hex":
            self._hexes.setdefault(target.name, {})[unit] = None
            self._crowds.pop(target.name, None)
            self._count(unit, target.name, 1)
