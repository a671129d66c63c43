"""Which units carried which, when they were loaded and unloaded, and which units moved together, and from
where.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise

from ...model.fact import Fact
from ...model.finding import Move
from ...model.game import Place
from ...model.unit import Unit
from ..lives import DEAD, is_alive
from .event_index import ABOARD, ON_FOOT, SOMETHING, EventIndex


class Carried(EventIndex):
    """The events of a game, with the units that were carried and those that moved together."""

    def goes_along(self, other: str, index: int) -> bool:
        """Whether ``other`` went from the origin to the target of a drag, by one of its drags in the phase or
        by all of them together."""
        drag = self.drag(index)
        every = [self.drag(d) for d in self.in_phase(other, index)]
        ways = [(d.origin, d.target) for d in every]
        if every:
            ways.append((every[0].origin, every[-1].target))
        return (drag.origin, drag.target) in ways

    def carrier(self, unit: str, index: int) -> str | None:
        """The carrier of a unit just before an event: its id, '' if none, or SOMETHING. None: not known."""
        return carrier_in(self.value(unit, ABOARD, index))

    def carried(self, unit: Unit, index: int, carriers: Iterable[str]) -> bool | None:
        """Whether a unit was carried in a drag; None: not known. ``carriers``: the units that SOMETHING may
        be. A carrier counts only if it went along (:meth:`goes_along`)."""
        first, end = self.phase(index)
        later = [d for d in self.in_phase(unit.id, index) if d > index]
        now = self.carrier(unit.id, index)
        if now != "":
            return True if now and self.any_along(now, index, carriers) else None
        before = [
            (first, self.value(unit.id, ABOARD, first)),
            *self.changes(unit.id, ABOARD, first, index),
        ]
        held = [f for (_, f), (at, _) in pairwise(before) if not self.seen(at, index, unit.side)]
        if any(
            c
            and (
                self.any_along(c, index, carriers) or self._one_hex_on(c, unit.id, index, carriers)
            )
            for fact in held
            for c in carriers_in(fact)
        ):
            return None
        after = self.carrier(unit.id, later[0] if later else end)
        return False if after is not None and not self.any_along(after, index, carriers) else None

    def any_along(self, carrier: str, index: int, carriers: Iterable[str]) -> bool:
        """Whether a carrier, or one of ``carriers`` if it is SOMETHING, went along in a drag."""
        own = self.drag(index).unit
        every = [c for c in carriers if c != own] if carrier == SOMETHING else [carrier]
        return any(one and self.goes_along(one, index) for one in every)

    def _one_hex_on(self, carrier: str, unit: str, index: int, carriers: Iterable[str]) -> bool:
        """Whether carrier and unit left one hex and ended in neighbouring hexes: there may have been no room
        for both in one."""
        for one in [c for c in carriers if c != unit] if carrier == SOMETHING else [carrier]:
            his, own = self.in_phase(one, index), self.in_phase(unit, index)
            if his and self.drag(his[0]).origin == self.drag(own[0]).origin:
                a, b = self.drag(his[-1]).target, self.drag(own[-1]).target
                if a.kind == b.kind == "hex" and self.game.board.distance(a.name, b.name) == 1:
                    return True
        return False

    def loadings(self, unit: Unit, phase: int, held: str) -> list[Loading]:
        """The loadings and unloadings of a unit in a phase. ``held``: its carrier before. A marker that was
        corrected before anything moved does not count, nor does leaving a carrier that was lost."""
        first, end = self.phase(phase)
        said: list[tuple[int, str]] = []
        for index, after in self.changes(unit.id, ABOARD, first, end):
            carrier, before = carrier_in(after), said[-1][1] if said else held
            if carrier is None:
                return []
            if carrier == before:
                continue
            if said and not self._meant(unit.id, before, carrier, said[-1][0], index):
                said.pop()
                if carrier == (said[-1][1] if said else held):
                    continue
            said.append((index, carrier))
        found, before = [], held
        for index, carrier in said:
            if before and not self._lost(before, index, end):
                found.append(Loading(before, index, True))
            if carrier:
                found.append(Loading(carrier, index, False))
            before = carrier
        return found

    def _meant(self, unit: str, carrier: str, following: str, first: int, end: int) -> bool:
        """Whether a marker that was soon changed was not a mistake: the unit or the carrier moved in
        between."""
        own = [d for d in self.in_phase(unit, first) if first < d < end]
        if carrier:
            return any(self.goes_along(carrier, d) for d in own)
        return bool(own) or (
            bool(following) and any(first < d < end for d in self.in_phase(following, first))
        )

    def _lost(self, carrier: str, index: int, end: int) -> bool:
        """Whether a carrier may have been lost in the phase with its load. False if its place is unknown."""
        place, dead = self.place(carrier, end), self.value(carrier, DEAD, end)
        if place is None:
            return False
        if place.kind != "hex" or not is_alive(self.game.units.get(carrier), dead):
            return True
        step = self.timeline.step_of(max(0, end - 1))
        gone_on = any(d > index for d in self.in_phase(carrier, index))
        return not gone_on and self.timeline.removed_next(carrier, end, step)

    def with_it(
        self, unit: Unit, other: Unit, drags: list[int], move: Move
    ) -> tuple[bool | None, int]:
        """(whether ``other`` made the whole move with ``unit``, None: not known; how many of the first drags
        of ``unit`` it also made)."""
        own = {self.drag(d).at: self.drag(d) for d in self.drags.get(other.id, ())}
        shared = 0
        for drag in map(self.drag, drags):
            his = own.get(drag.at)
            if his is None or (his.origin, his.target) != (drag.origin, drag.target):
                break
            shared += 1
        if shared == len(drags):
            return True, shared
        if not own:
            return (None if self.may_follow(unit, other, drags[0]) else False), shared
        along = self._apart(unit, other, drags)
        open_still = self.may_follow(unit, other, drags[0]) or self._in_another_part(
            other, drags[0], move
        )
        return (None if along is False and open_still else along), shared

    def _apart(self, unit: Unit, other: Unit, drags: list[int]) -> bool | None:
        """Whether both went from one hex to the same hex, each by its own drags; the other may have gone on.
        None: others saw one arrive before the other left, or one may be the rest of the other or was left
        behind."""
        his, own = self.on_map(other.id, drags[0]), self.on_map(unit.id, drags[0])
        whole = his
        while his and self.drag(his[-1]).target != self.drag(own[-1]).target:
            his = his[:-1]
        if not his:
            end = self.phase(own[0])[1]
            halted = any(
                marker.halts and self.value(unit.id, name, end).may_be(True)
                for name, marker in self.markers.items()
            )
            left = bool(whole) and halted and self.start(own[0]) == self.start(whole[0])
            return None if left else False
        start = self.start(own[0])
        if start != self.start(his[0]):
            met = any(self.drag(d).target == start for d in his)
            return None if met and self.came_in(unit.id, own[0]) else False
        first, second = sorted((his, own))
        if first[-1] > second[0] or not self.seen(first[-1], second[0], unit.side):
            return True
        return False if self._finished(unit, start, first[-1], second[0]) else None

    def _finished(self, unit: Unit, start: Place, since: int, until: int) -> bool:
        """Whether a stack that moved from ``start`` had certainly finished before event ``until``: after
        ``since``, another unit of its side began to move from another hex, and others saw the position before
        and after. False in a phase in which displacements may be something other than movement."""
        game = self.game
        if game.whole_phase(self.view(until).phase) is None:
            return False
        return any(
            other.side == unit.side is not None
            and other.kind == "unit"
            and not any(map(self.value(other.id, "class", index).may_be, self.apart))
            and self.start(index) != start
            and self.in_phase(other.id, index) == [index]
            and self.drag(index).origin.kind == self.drag(index).target.kind == "hex"
            and self.carrier(other.id, index) == ""
            and self.seen(since, index, unit.side)
            and self.seen(index, until, unit.side)
            for other in game.units.values()
            for index in self.drags.get(other.id, ())
            if since < index < until
        )

    def _in_another_part(self, other: Unit, index: int, move: Move) -> bool:
        """Whether ``other`` came to the target of a move in another part of an interrupted phase."""
        first, end = self.phase(index)
        spell = self.timeline.spell(self.timeline.step_of(index))
        return any(
            self.drag(d).target == move.target
            and not first <= d < end
            and self.timeline.spell(self.timeline.step_of(d)) == spell
            for d in self.drags[other.id]
        )

    def may_follow(self, unit: Unit, other: Unit, index: int) -> bool:
        """Whether ``other`` may still follow ``unit``: the logs end during the phase, and it is in the place
        where ``unit`` started."""
        if self.in_phase(other.id, index) or self.phase(index)[1] < len(self.game.events):
            return False
        first = self.in_phase(unit.id, index)[0]
        origin, place = self.drag(first).origin, self.place(other.id, index)
        return place == self.start(first) or (place == origin and origin.kind == "box")

    def on_map(self, unit: str, index: int) -> list[int]:
        """The drags of a unit in a phase, without the last ones that take it off the map."""
        drags = self.in_phase(unit, index)
        while len(drags) > 1 and self.drag(drags[-1]).target.kind in ("box", "nowhere"):
            drags = drags[:-1]
        return drags

    def start(self, index: int) -> Place:
        """The place where a drag begins, or where it puts the counter on the map."""
        drag = self.drag(index)
        return drag.origin if drag.origin.kind == "hex" else drag.target


@dataclass(frozen=True, slots=True)
class Loading:
    """A unit was loaded on ``carrier``, or unloaded if ``off``, by event ``index``."""

    carrier: str
    index: int
    off: bool


def carrier_in(fact: Fact) -> str | None:
    """The carrier that a value of ``aboard`` names; None if not known."""
    return next(iter(carriers_in(fact))) if fact.is_known else None


def carriers_in(fact: Fact) -> list[str]:
    """The carriers that a value of ``aboard`` may name: ids, '' for none, SOMETHING."""
    words = map(str, fact.options or (SOMETHING,))
    read = {**dict.fromkeys(ON_FOOT, ""), SOMETHING: SOMETHING}
    return [read.get(word.lower(), word) for word in words]
