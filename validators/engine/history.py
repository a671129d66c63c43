"""What the log tells of each unit: all that clauses may ask, in one object."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator
from itertools import pairwise
from typing import NamedTuple

from ...model.unit import Unit
from ..lives import DEAD
from .dice import Dice
from .event_index import SOMETHING
from .lately import Lately


class Crowd(NamedTuple):
    """Units that were in ``hex`` at once: the moves of ``came`` had ended there, in this order, and others
    moved out only afterwards, the first by event ``left``. ``last``: the event of the last arrival.
    ``stay``: those that moved out by no act of the phase."""

    hex: str
    units: tuple[str, ...]
    came: tuple[str, ...]
    stay: tuple[str, ...]
    last: int
    left: int


class History(Lately, Dice):
    """The events of a game, who was carried, who went along, what all did, in which order the units of a side
    acted, and counters put where their units never were."""

    def in_turn(self, acts: Iterable[int], side: str | None) -> bool:
        """Whether dice or acts of others came between each of these events and the next: then they were not
        in any other order. The end of a log alone does not show that: several may be sent at once."""
        return all(self.witnesses.too_late(a, b, side) for a, b in pairwise(acts))

    def by_hand(self, unit: Unit, index: int) -> bool:
        """Whether the player of a unit dragged it, and took nothing back by that."""
        drag = self.drag(index)
        own = drag.actor in (None, unit.side) and drag.at.step > 0
        return own and drag.cause not in ("undo", "reseated")

    def crowd(
        self, unit: Unit, phase: int, carriers: tuple[str, ...], entry: Container[str]
    ) -> Crowd | None:
        """The units in the hex in which the move of a unit ended, when the first of them moved out that had
        not moved yet. None if none did, if others need not have seen both there, or if another of them
        arrived later. Units that may have been carried, or lost by then, do not count. ``carriers``: the
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
        """Whether a unit may have been lost already at an event: later in the phase the game no longer says
        that it is alive, or its next drag takes it off the map, in this turn or the next."""
        end = self.phase(index)[1]
        if any(fact.may_be(True) for _, fact in self.changes(unit.id, DEAD, index, end)):
            return True
        later = next((drag for drag in self.drags.get(unit.id, ()) if drag >= index), None)
        if later is None or self.drag(later).target.kind == "hex":
            return False
        return self.timeline.is_soon(later, self.timeline.step_of(index))

    def _out(self, unit: Unit, index: int, carriers: tuple[str, ...]) -> list[int]:
        """The drag by which a unit began its move from hex to hex, after others had seen the table after an
        event; empty if it did not, came back, or may have been carried."""
        drags = self.in_phase(unit.id, index)
        if not drags or drags[0] < index or not self.in_turn((index, drags[0]), unit.side):
            return []
        own = self.on_its_own(unit, drags[:1], carriers)
        away = all(self.drag(drag).target.kind == "hex" for drag in drags[:1])
        back = self.drag(drags[-1]).target == self.drag(drags[0]).origin
        return drags[:1] if own and away and not back else []

    def _ended(self, unit: Unit, drags: list[int], index: int, carriers: tuple[str, ...]) -> bool:
        """Whether a unit made its whole move on its own, and others had seen that, before an event."""
        last = drags[-1]
        over = last < index and not self.goes_on(unit.id, last)
        own = over and self.in_turn((last, index), unit.side)
        return own and self.on_its_own(unit, drags, carriers)

    def on_its_own(self, unit: Unit, drags: list[int], carriers: tuple[str, ...]) -> bool:
        """Whether a unit was dragged by its player, and no carrier went the same way."""
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
        """Whether drags that nobody saw may have led through a hex before the last, by one hex of a
        detour."""
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
        """The hexes with enemies into which a counter was put and from which it went straight back."""
        for before, after in pairwise(drags):
            there = self.drag(before)
            if self.drag(after).target == there.origin and self.among_enemies(unit, after):
                yield there.target.name

    def entered_anew(self, unit: Unit, drags: list[int]) -> Iterator[str]:
        """The hex on the edge by which a unit may have entered, if it was put down elsewhere first,
        unseen."""
        target = self.drag(drags[0]).target
        if self.came_in(unit.id, drags[0]) and target.kind == "hex":
            edge = len(self.game.board.neighbours(target.name)) < 6
            first = self.in_phase(unit.id, drags[0])[0]
            boxed = self.drag(first).origin.kind == "box"
            if edge and boxed and first != drags[0] and not self.seen(first, drags[0], unit.side):
                yield target.name
