"""What lies where, and what is known of it, at one point of a game.

A :class:`Situation` is led along ``game.events`` once, from the opening to the end; every event costs
the same however many units there are. Where a verdict needs more than one moment (a counter walked on
while others moved as well), :meth:`Situation.over` looks at a span of steps at once: what changed in
it is then not known, so that nothing is held against a player that was only so for a while.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Self

from ..model.board import Board
from ..model.boards import BoardChange
from ..model.fact import UNKNOWN, Fact, MissingFact
from ..model.finding import PhaseView
from ..model.game import NOWHERE, Displacement, Game, PhaseStart, Place, StateChange, StepRef
from ..model.stanza import BLANK, stanza
from ..model.unit import Unit
from .answers import answer, was_there
from .timeline import Timeline, either

DEAD = "dead"
"""Attribute of a unit: whether it is a counter left lying that is no longer in play."""

_ALIVE = Fact((True,))
_DOUBTED = Fact((False, True))


def _alive(dead: Fact) -> list[bool]:
    """Whether a unit may be dead, and may be alive, by what is said of its death."""
    words = {str(option).lower() for option in dead.options} if dead.options else {"?"}
    answers = [False] if words - {"false", "0", "no", ""} else []
    return [*answers, True] if words - {"true", "1", "yes"} else answers


def is_alive(unit: Unit | None, dead: Fact) -> bool | None:
    """Whether ``unit`` is alive by what is said of its death at one moment; None: it may be dead. Where the
    game says nothing of it at all, it is alive."""
    if dead == UNKNOWN and (unit is None or DEAD not in unit.attributes):
        return True
    answers = _alive(dead)
    return answers[0] if len(answers) == 1 else None


def _add(counts: dict[str, int], names: Iterable[str], number: int) -> None:
    """So many more for each of these hexes; where there is none, the hex is not named."""
    for name in names:
        found = counts.get(name, 0) + number
        if found:
            counts[name] = found
        else:
            counts.pop(name, None)


class Situation:
    """The game before the first event of a step.

    Use: ``situation.advance_before(move.steps[0])``, then ask. It only goes forward. ``game`` and
    ``board`` are at hand for those who ask.
    """

    __slots__ = (
        "_applied",
        "_at",
        "_changed",
        "_changes",
        "_crowds",
        "_displaced",
        "_facts",
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
        self._changed = 0
        self._displaced: Counter[str | None] = Counter()
        self._changes: dict[str, int] = {}
        self._crowds: dict[str, tuple[str, ...] | None] = {}
        self._stirred: frozenset[str] = frozenset()
        self._others: dict[tuple[str | None, bool], dict[str, int]] = {}
        for unit, place in self._places.items():
            if place.kind == "hex":
                self._hexes.setdefault(place.name, {})[unit] = None

    @property
    def at(self) -> StepRef:
        """The step looked at; what happens in it has happened only after :meth:`advance_after`."""
        return self._at

    @property
    def applied(self) -> int:
        """How many of ``game.events`` have happened."""
        return self._applied

    @property
    def until(self) -> int:
        """As :attr:`applied`, at the end of the span looked at."""
        return self._applied if self._until is None else self._until

    def advance_before(self, step: StepRef) -> None:
        """Let everything before ``step`` happen."""
        self._advance(self.timeline.first_event(step))
        self._at = max(self._at, step)

    def advance_after(self, step: StepRef) -> None:
        """Let everything up to and including ``step`` happen."""
        self._advance(self.timeline.end_event(step))
        self._at = max(self._at, step)

    def advance_by_one(self) -> None:
        """Let the next event happen."""
        if self._applied < len(self.game.events):
            self._at = max(self._at, self.timeline.step_of(self._applied))
            self._advance(self._applied + 1)

    def over(self, last: StepRef, moved: tuple[int, int] | None = None) -> Self:
        """This situation and all that happened to it up to and including step ``last``, at once.

        ``moved``: the first and the last event of the move that is looked at: what changes on the board
        between them is open, what changes after them does not count. None: the whole span is looked at.
        The answer shares its memory with this situation: use it before this one is advanced.
        """
        span = object.__new__(type(self))
        for slot in Situation.__slots__:
            setattr(span, slot, getattr(self, slot))
        span._until = max(self.timeline.end_event(last), self._applied)
        span.game = self.game.on_board(*(moved or (self._applied, span._until)))
        span.board = span.game.board
        span._stirred = frozenset(span._stirred_until(span._until))
        return span

    def in_game(self, game: Game) -> Self:
        """This situation in another game with the same units in the same places and the same events, of
        which something else is known; it may be looked at, but not advanced."""
        view = object.__new__(type(self))
        for slot in Situation.__slots__:
            setattr(view, slot, getattr(self, slot))
        view.game, view.board = game, game.board
        return view

    def displaced(self, units: Iterable[str], target: Place) -> Self:
        """This situation as if ``units``, of one side, had been put down in ``target`` before.

        It may be looked at, but not advanced.
        """
        view = object.__new__(type(self))
        for slot in Situation.__slots__:
            setattr(view, slot, getattr(self, slot))
        view._places = dict(self._places)
        view._hexes = {name: dict(here) for name, here in self._hexes.items()}
        view._displaced = Counter(self._displaced)
        view._crowds, view._others = {}, {}
        for unit in units:
            view._put(unit, target)
        return view

    def _stirred_until(self, end: int) -> Iterator[str]:
        """The hexes that units leave or come to or change in, and the units that change, before ``end``."""
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

    @property
    def phase_start(self) -> PhaseStart | None:
        """The event that said so; None if nothing did."""
        return self.timeline.phase_start(self._at)

    def where(self, unit: str) -> Place:
        """Where ``unit`` is; off the map if nothing is said of it."""
        return self._places.get(unit, NOWHERE)

    def side(self, unit: str) -> str | None:
        """The side ``unit`` belongs to; None if not known."""
        known_unit = self.game.units.get(unit)
        return known_unit.side if known_unit is not None else None

    def is_marker(self, unit: str) -> bool:
        """Whether ``unit`` is a status marker (or nothing the game knows)."""
        known_unit = self.game.units.get(unit)
        return known_unit is None or known_unit.kind == "marker"

    def fact(self, unit: str, attribute: str) -> Fact:
        """What is known of an attribute of ``unit``: its last change, else its value at the opening.
        Over a span, any of the values it had."""
        now = self._facts.get((unit, attribute))
        if now is None:
            known_unit = self.game.units.get(unit)
            now = known_unit.fact(attribute) if known_unit is not None else UNKNOWN
        if self._until is None:
            return now
        later = self.timeline.changes(unit, attribute, self._applied, self._until)
        return either((now, *later)) if later else now

    def states(self, unit: str) -> tuple[int, int]:
        """Numbers that stay the same as long as no :meth:`fact` about ``unit`` changes."""
        before = self._changes.get(unit, 0)
        if self._until is None or unit not in self._stirred:
            return before, before
        return before, self.timeline.states(unit, self._until)

    def condition(self, key: str, unit: str = "") -> Fact:
        """What is known of the condition ``key`` (for ``unit``, else for all) at :attr:`at`; over a
        span, any of the values it had."""
        if self._until is None or self._until <= self._applied:
            return self.timeline.condition(key, self._at, unit)
        return self.timeline.condition_between(
            key, self._at, self.timeline.step_of(self._until - 1), unit
        )

    def told(self, key: str, unit: str = "") -> list[Fact | None]:
        """As :meth:`condition`, each thing that is said of it, if only that it is not known; None: nothing
        is said."""
        last = self._at if self._until is None else self.timeline.step_of(self._until - 1)
        return self.timeline.told_between(key, self._at, max(last, self._at), unit)

    def units_in(self, hex: str) -> tuple[str, ...]:  # noqa: A002 - the wargamer's word
        """All that lies in ``hex`` now, markers included, in the order of arrival."""
        return tuple(self._hexes.get(hex, ()))

    def surely_in(self, hex: str) -> tuple[str, ...]:  # noqa: A002
        """The units (no markers) that are in ``hex`` all the while and in play for certain: what may
        be held against a player."""
        crowd = self._crowd(hex)
        if crowd is not None:
            return crowd
        gone = {u for u in self._left(hex) if not self._told_there(u, hex)}
        came = (u for u in self._came(hex) if not self.is_marker(u) and self._told_there(u, hex))
        there = dict.fromkeys((*(u for u in self._counters(hex) if u not in gone), *came))
        return tuple(u for u in there if self.in_play(u).must_be(True))

    def possibly_in(self, hex: str) -> tuple[str, ...]:  # noqa: A002
        """The units (no markers) that may be in ``hex`` and in play at some time of the span: what a
        move must stand up to before it is called legal."""
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
        """What the facts say of whether ``unit`` was in a hex that it came to or left in the span."""
        return answer(self.game, was_there(hex, unit, "", self._at))

    def _crowd(self, hex: str) -> tuple[str, ...] | None:  # noqa: A002
        """The units in a hex that nobody leaves or comes to in the span, if none of them can ever have
        left play: kept from step to step, as it is asked of every hex a search comes by."""
        if hex in self._stirred:
            return None
        try:
            return self._crowds[hex]
        except KeyError:
            units = tuple(self._counters(hex))
            mortal = any(self.timeline.may_leave_play(unit, DEAD) for unit in units)
            found = self._crowds[hex] = None if mortal else units
            return found

    @property
    def changed(self) -> int:
        """How many attributes have changed so far."""
        return self._changed

    def others_moved(self, side: str | None) -> int:
        """How often counters that are not of ``side`` have been displaced so far."""
        return self._displaced.total() - self._displaced[side]

    def others_stir(self, side: str | None) -> bool:
        """Whether counters that are not of ``side`` are displaced in the span looked at."""
        span = self.game.events[self._applied : self.until]
        return any(isinstance(e, Displacement) and self.side(e.unit) != side for e in span)

    def is_stirred(self, names: Iterable[str]) -> bool:
        """Whether anybody comes to one of these hexes in the span looked at, or leaves it, or one of these
        units changes."""
        return bool(self._stirred) and not self._stirred.isdisjoint(names)

    def at_rest(self, hex: str) -> tuple[str, ...] | None:  # noqa: A002
        """The units in a hex, told by one and the same object until somebody comes or goes: as long as
        it is, and :attr:`changed` is the same, so are all facts about them. None: somebody may be in it
        at one time and not at another, or changes."""
        crowd = self._crowd(hex)
        return None if crowd is None or self.is_stirred(crowd) else crowd

    def in_play(self, unit: str) -> Fact:
        """Whether ``unit`` is alive; over a span, whether it is at any time of it. Where nothing is said of
        it, a counter that does nothing more before it is taken off the map, in this turn or the next, may
        have been dead already; where it is said that its death is not known, so may any."""
        doubted = _DOUBTED if self.timeline.removed_next(unit, self._applied, self._at) else _ALIVE
        if not self.timeline.tells_of(unit, DEAD):
            return doubted
        alive: dict[bool, None] = {}
        sources: dict[str, None] = {}
        for dead in self._said_of_death(unit):
            found = doubted.options if dead is None else _alive(dead)
            alive.update(dict.fromkeys(map(bool, found or ())))
            if dead is not None and dead.source:
                sources[dead.source] = None
        return Fact(tuple(alive), source="; ".join(sources))

    def tells_of_death(self, unit: str) -> bool:
        """Whether anything is said of the death of ``unit``, if only that it is not known."""
        return any(dead is not None for dead in self._said_of_death(unit))

    def _said_of_death(self, unit: str) -> list[Fact | None]:
        """What is said of whether ``unit`` is dead, at each time of the span at which it changes; None:
        nothing. A condition says it where the unit itself does not."""
        known_unit = self.game.units.get(unit)
        first = self._facts.get((unit, DEAD))
        if first is None and known_unit is not None:
            first = known_unit.attributes.get(DEAD)
        end = self._applied if self._until is None else self._until
        own = [first, *self.timeline.changes(unit, DEAD, self._applied, end)]
        if all(fact is not None and fact != UNKNOWN for fact in own):
            return own
        last = self._at if end <= self._applied else self.timeline.step_of(end - 1)
        said = self.timeline.told_between(DEAD, self._at, last, unit)
        found: list[Fact | None] = []
        for fact in own:
            if fact is None or fact == UNKNOWN:
                found += [fact if other is None else other for other in said]
            else:
                found.append(fact)
        return found

    def dead_unknown(self, unit: str) -> MissingFact:
        """The question whether ``unit`` was still in play at :attr:`at`."""
        known_unit = self.game.units.get(unit)
        name = known_unit.name if known_unit is not None else unit
        before = StepRef(self._at.log, max(0, self._at.step - 1))  # it holds when the step begins
        return MissingFact(
            key=f"unit {unit} in play at {self._at}",
            question=f"was {name} still in play at {self._at.said}, or a dead counter not yet removed?",
            file="facts.toml",
            stanza=stanza(
                "[[unit]]",
                {"unit": unit, "first": str(before), "attributes": {DEAD: BLANK}},
            ),
        )

    def others_beside(self, side: str | None) -> Mapping[str, int]:
        """The hexes in or next to which lie units (no markers) that are not of ``side`` (None: any unit),
        and how many: a hex that is not among them is far from everybody. Over a span, the hexes in which
        they lie at any time of it.

        The answer shares its memory with this situation.
        """
        return self._at_any_time(side, beside=True)

    def others_in(self, side: str | None) -> Mapping[str, int]:
        """As :meth:`others_beside`, the hexes alone in which they lie."""
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
        """Units not of ``side`` by hex: added up when first asked for, then counted on with every step."""
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
        """A unit came to a hex (1), or left it (-1)."""
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
                self._changed += 1
                self._changes[event.unit] = self._changes.get(event.unit, 0) + 1

    def _put(self, unit: str, target: Place) -> None:
        self._displaced[self.side(unit)] += 1
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
