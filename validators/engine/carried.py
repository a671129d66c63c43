"""Which units were carried by which, and when they were loaded and unloaded."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise

from ...model.fact import Fact
from ...model.unit import Unit
from ..situation import DEAD, is_alive
from .event_index import ABOARD, ON_FOOT, SOMETHING, EventIndex


class Carried(EventIndex):
    """The events of a game, and who was carried."""

    def goes_along(self, other: str, index: int) -> bool:
        """Whether ``other`` went the way of a drag: by one of its drags in the phase, or by all together."""
        drag = self.drag(index)
        every = [self.drag(d) for d in self.in_phase(other, index)]
        ways = [(d.origin, d.target) for d in every]
        if every:
            ways.append((every[0].origin, every[-1].target))
        return (drag.origin, drag.target) in ways

    def carrier(self, unit: str, index: int) -> str | None:
        """The carrier of a unit just before an event: its id, '' if none, SOMETHING; None if not known."""
        return carrier_in(self.value(unit, ABOARD, index))

    def carried(self, unit: Unit, index: int, carriers: Iterable[str]) -> bool | None:
        """Whether a unit was carried in a drag; None: not known. ``carriers``: the units that SOMETHING may
        be. A carrier counts only if it went the same way."""
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
        """Whether a carrier went the way of a drag."""
        own = self.drag(index).unit
        every = [c for c in carriers if c != own] if carrier == SOMETHING else [carrier]
        return any(one and self.goes_along(one, index) for one in every)

    def _one_hex_on(self, carrier: str, unit: str, index: int, carriers: Iterable[str]) -> bool:
        """Whether carrier and unit left one hex and ended side by side: there may have been no room."""
        for one in [c for c in carriers if c != unit] if carrier == SOMETHING else [carrier]:
            his, own = self.in_phase(one, index), self.in_phase(unit, index)
            if his and self.drag(his[0]).origin == self.drag(own[0]).origin:
                a, b = self.drag(his[-1]).target, self.drag(own[-1]).target
                if a.kind == b.kind == "hex" and self.game.board.distance(a.name, b.name) == 1:
                    return True
        return False

    def loadings(self, unit: Unit, phase: int, held: str) -> list[Loading]:
        """The loadings and unloadings of a unit in a phase; ``held``: its carrier before. A marker that was
        put right before anything moved does not count, nor does leaving a carrier that was lost."""
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
        """Whether a marker that was soon changed was no mistake: the unit, or the carrier, moved
        meanwhile."""
        own = [d for d in self.in_phase(unit, first) if first < d < end]
        if carrier:
            return any(self.goes_along(carrier, d) for d in own)
        return bool(own) or (
            bool(following) and any(first < d < end for d in self.in_phase(following, first))
        )

    def _lost(self, carrier: str, index: int, end: int) -> bool:
        """Whether a carrier may have been lost in the phase, with its load. False if its place is not
        known."""
        place, dead = self.place(carrier, end), self.value(carrier, DEAD, end)
        if place is None:
            return False
        if place.kind != "hex" or not is_alive(self.game.units.get(carrier), dead):
            return True
        step = self.timeline.step_of(max(0, end - 1))
        gone_on = any(d > index for d in self.in_phase(carrier, index))
        return not gone_on and self.timeline.removed_next(carrier, end, step)


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
    """Every carrier that a value of ``aboard`` may name: ids, '' for none, SOMETHING."""
    said = [str(option).lower() for option in fact.options or (SOMETHING,)]
    words = [str(option) for option in fact.options or (SOMETHING,)]
    return [
        "" if low in ON_FOOT else SOMETHING if low == SOMETHING else w
        for low, w in zip(said, words, strict=True)
    ]
