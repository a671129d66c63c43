"""The history of each unit by the log: everything that clauses may read, in one object."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cached_property
from itertools import pairwise
from typing import NamedTuple

from ...model.fact import UNKNOWN, Fact, either
from ...model.finding import Move
from ...model.game import Displacement, PhaseStart, StepRef
from ...model.unit import Unit
from ..concepts.sides import is_friend
from ..lives import DEAD
from .carried import Carried
from .event_index import SOMETHING
from .spells import Spells


class Crowd(NamedTuple):
    """Units that were in ``hex`` at once: the moves of ``came`` had ended there, in this order, before others
    moved out, the first by event ``left``. ``last``: the event of the last arrival. ``stay``: the units that
    did not move out in the phase."""

    hex: str
    units: tuple[str, ...]
    came: tuple[str, ...]
    stay: tuple[str, ...]
    last: int
    left: int


class History(Carried, Spells):
    """The events of a game, the units that were carried or moved together, the order in which the units of a
    side acted, and counters put where their units never were; also the events of the phase of a move and of
    the one before it. A phase continues after an interruption."""

    def in_turn(self, acts: Iterable[int], side: str | None) -> bool:
        """Whether dice or acts of others came between each of these events and the next, so that their order
        is certain. The end of a log does not show this: several logs may be sent at once."""
        return all(self.witnesses.too_late(a, b, side) for a, b in pairwise(acts))

    def by_hand(self, unit: Unit, index: int) -> bool:
        """Whether the unit's player made the drag, not as an undo."""
        drag = self.drag(index)
        own = drag.actor in (None, unit.side) and drag.at.step > 0
        return own and drag.cause not in ("undo", "reseated")

    def crowd(
        self, unit: Unit, phase: int, carriers: tuple[str, ...], entry: Container[str]
    ) -> Crowd | None:
        """The units in the hex in which the move of a unit ended, at the time when the first of them that had
        not moved yet moved out. None if none did, if others may not have seen both there, or if another of
        them arrived later. Units that may have been carried, or lost by then, do not count. ``carriers``: the
        units that may carry others. ``entry``: the boxes from which units come onto the map."""
        drags = self.in_phase(unit.id, phase)
        here = self.drag(drags[-1]).target if drags else None
        if here is None or unit.side is None or here.kind != "hex":
            return None
        friends = [
            u for u in self.game.units.values() if u.kind == "unit" and u.side in (unit.side, None)
        ]
        there = [u for u in friends if self.place(u.id, drags[-1] + 1) == here]
        outs = {u.id: out for u in there for out in self._out(u, drags[-1], carriers)}
        if not outs:
            return None
        left, came, stay = min(outs.values()), dict[int, str](), list[str]()
        for other in friends:
            his = self.in_phase(other.id, phase)
            here_then = other.id not in outs and self.place(other.id, left) == here
            if not here_then or self.lost_soon(other, left):
                continue
            if not his:
                stay.append(other.id)
            elif self._ended(other, his, left, carriers):
                start, *between = (self.drag(drag).origin for drag in his)
                on_map = all(place.kind == "hex" for place in between)
                if on_map and start != here and (start.kind == "hex" or start.name in entry):
                    came[his[-1]] = other.id
        if max(came, default=0) != drags[-1]:
            return None
        ended = tuple(came[at] for at in sorted(came))
        return Crowd(here.name, (*ended, *outs, *stay), ended, (*ended, *stay), drags[-1], left)

    def lost_soon(self, unit: Unit, index: int) -> bool:
        """Whether a unit may already have been lost at an event: later in the phase it may be dead, or its
        next drag takes it off the map, in this turn or the next."""
        end = self.phase(index)[1]
        if any(fact.may_be(True) for _, fact in self.changes(unit.id, DEAD, index, end)):
            return True
        later = next((drag for drag in self.drags.get(unit.id, ()) if drag >= index), None)
        if later is None or self.drag(later).target.kind == "hex":
            return False
        return self.timeline.is_soon(later, self.timeline.step_of(index))

    def _out(self, unit: Unit, index: int, carriers: tuple[str, ...]) -> list[int]:
        """The drag with which a unit began its move from hex to hex after an event, others having seen the
        table in between; empty if there is none, it came back, or it may have been carried."""
        drags = self.in_phase(unit.id, index)
        if not drags or drags[0] < index or not self.in_turn((index, drags[0]), unit.side):
            return []
        own = self.on_its_own(unit, drags[:1], carriers)
        away = all(self.drag(drag).target.kind == "hex" for drag in drags[:1])
        back = self.drag(drags[-1]).target == self.drag(drags[0]).origin
        return drags[:1] if own and away and not back else []

    def _ended(self, unit: Unit, drags: list[int], index: int, carriers: tuple[str, ...]) -> bool:
        """Whether a unit made its whole move on its own before an event, and others saw this before it."""
        last = drags[-1]
        over = last < index and not self.goes_on(unit.id, last)
        own = over and self.in_turn((last, index), unit.side)
        return own and self.on_its_own(unit, drags, carriers)

    def on_its_own(self, unit: Unit, drags: list[int], carriers: tuple[str, ...]) -> bool:
        """Whether a unit was dragged by its player, without a carrier that went along."""
        return all(
            self.by_hand(unit, drag) and not self.any_along(SOMETHING, drag, carriers)
            for drag in drags
        )

    def put_back(self, unit: str, drags: list[int]) -> Iterator[str]:
        """The hexes to which a counter was put back after something may have stopped it there."""
        side, first = self.game.units[unit].side, 0
        for number, (before, after) in enumerate(pairwise(drags)):
            if self.seen(before, after, side):
                target = self.drag(after).target
                if target.kind == "hex" and self._passed(target.name, drags[first : number + 1]):
                    yield target.name
                first = number + 1

    def _passed(self, name: str, run: list[int]) -> bool:
        """Whether unseen drags may have led through a hex before the last, with a detour of one hex."""
        start, end = self.drag(run[0]).origin, self.drag(run[-1]).target
        if start.kind != "hex" or end.kind != "hex" or name in (start.name, end.name):
            return False
        if any(self.drag(d).target.name == name for d in run[:-1]):
            return True
        far = self.game.board.distance
        whole, there, rest = far(start.name, end.name), far(start.name, name), far(name, end.name)
        if whole is None or there is None or rest is None:
            return False
        return there < whole and there + rest <= whole + 1

    def shown_and_back(self, unit: Unit, drags: list[int]) -> Iterator[str]:
        """The hexes with enemies into which a counter was put, and from which it went directly back."""
        for before, after in pairwise(drags):
            there = self.drag(before)
            if self.drag(after).target == there.origin and self.among_enemies(unit, after):
                yield there.target.name

    def entered_anew(self, unit: Unit, drags: list[int]) -> Iterator[str]:
        """The hex on the edge by which a unit may have entered, if it was first put elsewhere, unseen."""
        target = self.drag(drags[0]).target
        if self.came_in(unit.id, drags[0]) and target.kind == "hex":
            edge = len(self.game.board.neighbours(target.name)) < 6
            first = self.in_phase(unit.id, drags[0])[0]
            boxed = self.drag(first).origin.kind == "box"
            if edge and boxed and first != drags[0] and not self.seen(first, drags[0], unit.side):
                yield target.name

    # -- this phase and the one before ---------------------------------------------------------------

    def during(self, unit: str, attribute: str, drags: list[int]) -> Fact:
        """The values of an attribute during ``drags`` and just before, in lower case."""
        first, end = self._span(drags)
        later = [fact for _, fact in self.changes(unit, attribute, first, end)]
        return in_lower_case(either([self.value(unit, attribute, first), *later]))

    def told_of(self, about: str, unit: Unit, drags: list[int]) -> Fact:
        """A condition for a unit, or of the game, during ``drags``; if there is none, the unit's attribute of
        that name. In lower case."""
        said = self.condition(about, unit, drags)
        return self.during(unit.id, about, drags) if said == UNKNOWN else said

    def told_values(self, key: str, unit: str, drags: list[int]) -> list[Fact | None]:
        """The values of a condition during ``drags``; None for a time without a fact."""
        first, last = self.timeline.step_of(drags[0]), self.timeline.step_of(drags[-1])
        return self.timeline.told_between(key, first, last, unit)

    def condition(self, key: str, unit: Unit, drags: list[int]) -> Fact:
        """A condition of the game for a unit during ``drags``, in lower case."""
        first, last = self.timeline.step_of(drags[0]), self.timeline.step_of(drags[-1])
        return in_lower_case(self.timeline.condition_between(key, first, last, unit.id))

    def _span(self, drags: list[int]) -> tuple[int, int]:
        step, last = self.timeline.step_of(drags[0]), self.timeline.step_of(drags[-1])
        return self.timeline.first_event(step), self.timeline.end_event(last)

    def later_facts(self, unit: str, drags: list[int], names: tuple[str, ...]) -> dict[str, Fact]:
        """The last values of attributes that change after ``drags`` and before the phase ends."""
        end, until = len(self.game.events), self._span(drags)[1]
        spell = self.timeline.spell(self.timeline.step_of(drags[0]))
        for start in reversed(self._starts):
            if self.timeline.spell(start.at) == spell:
                break
            end = self.timeline.first_event(start.at)
        changes = {name: self.changes(unit, name, until, end) for name in names}
        return {name: in_lower_case(said[-1][1]) for name, said in changes.items() if said}

    @cached_property
    def _starts(self) -> list[PhaseStart]:
        return [event for event in self.game.events if isinstance(event, PhaseStart)]

    def _last_phases(self, at: StepRef) -> tuple[PhaseStart | None, PhaseStart | None]:
        """The starts of the previous phase and of the current one; None if there is none."""
        spell, began = self.timeline.spell, dict[int, PhaseStart]()
        for start in self._starts:
            if start.at <= at:
                began.setdefault(spell(start.at), start)
        now = began.get(spell(at))
        before = [start for start in began.values() if now is not None and start.at < now.at]
        return (before[-1] if before else None), now

    def may_follow_the_other_side(self, at: StepRef, moves: Callable[[str], bool | None]) -> bool:
        """Whether the previous phase, or the last phase of movement before this one, may have another active
        side. False if the active side of this phase is not known. ``moves``: whether a phase is one of
        movement."""
        _, now = self._last_phases(at)
        if now is None or now.active is None:
            return False
        before = [
            replace(start, certain=start.certain and not self.timeline.is_doubtful(start.at))
            for start in self._starts
            if start.at < now.at
        ]
        return may_follow_the_other_side(before, now.active, moves)

    def may_have_had(
        self, unit: Unit, attribute: str, values: tuple[str, ...], drags: list[int]
    ) -> bool:
        """Whether an attribute had, or may have had, one of ``values`` in this phase or the previous one,
        before its value at ``drags``."""
        step = self.timeline.step_of(drags[0])
        before, _ = self._last_phases(step)
        first = 0 if before is None else self.timeline.first_event(before.at)
        later = self.changes(unit.id, attribute, first, self.timeline.first_event(step))
        found = (self.value(unit.id, attribute, first), *(fact for _, fact in later))
        return any(in_lower_case(fact).may_be(value) for fact in found[:-1] for value in values)

    # -- who may have moved along --------------------------------------------------------------------

    def around(self, move: Move) -> tuple[Displacement, ...]:
        """All displacements in the phase of a move, by either side."""
        return self._by_phase.get(self.timeline.spell(move.steps[0]), ())

    @cached_property
    def _by_phase(self) -> dict[int, tuple[Displacement, ...]]:
        found: dict[int, list[Displacement]] = defaultdict(list)
        for index, event in enumerate(self.game.events):
            if isinstance(event, Displacement):
                found[self.timeline.spell(self.timeline.step_of(index))].append(event)
        return {number: tuple(events) for number, events in found.items()}

    def joining(self, move: Move, side: str | None) -> tuple[bool, frozenset[str]]:
        """(whether friendly units may have been in one stack with the units of a move: dragged with them, or
        out of one of its waypoints in the phase; the hexes in which others began the phase and which they
        left before the move: one may have waited there to move with them, although it was dragged first)."""
        here = {place for place in move.waypoints if place.kind == "hex"}
        others = list(self._friends(move, side))
        mates = any(self._may_go(u, side) for u in move.units) and len(move.units) > 1
        first: dict[str, Displacement] = {}
        for event in others:
            if event.at < move.steps[0]:
                first.setdefault(event.unit, event)
        begun = frozenset(e.origin.name for e in first.values() if e.origin.kind == "hex")
        return mates or any(event.origin in here for event in others), begun

    def _friends(self, move: Move, side: str | None) -> Iterator[Displacement]:
        for event in self.around(move):
            if event.unit not in move.units and self._may_go(event.unit, side):
                yield event

    def _may_go(self, unit: str, side: str | None) -> bool:
        whose = self.game.units.get(unit)
        friend = whose is not None and is_friend(self.game, side, whose.side) is not False
        return friend and whose is not None and whose.kind == "unit"


def may_follow_the_other_side(
    before: Sequence[PhaseStart], side: str, moves: Callable[[str], bool | None]
) -> bool:
    """Whether the active side of a reaction after the phases ``before`` may be the side that reacts
    (``side``): the last of the phases, or the last one of movement, is or may be of another side, or none of
    them is one of movement.

    ``moves``: whether a phase of this name is one of movement; None: not known.
    """
    for number, start in enumerate(reversed(before)):
        kind = moves(start.phase) if start.phase is not None and start.certain else None
        of_side = start.certain and start.active == side
        if (number == 0 or kind is not False) and not of_side:
            return True
        if kind:
            return False
    return True


def in_lower_case(fact: Fact) -> Fact:
    """A fact with its words in lower case."""
    options = fact.options
    if options is None or all(not isinstance(o, str) or o == o.lower() for o in options):
        return fact
    lower = (o.lower() if isinstance(o, str) else o for o in options)
    return replace(fact, options=tuple(dict.fromkeys(lower)))
