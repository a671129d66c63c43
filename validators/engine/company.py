"""Which units went along with which others, and where they started."""

from __future__ import annotations

from ...model.finding import Move
from ...model.game import Place
from ...model.unit import Unit
from .carried import Carried


class Company(Carried):
    """The events of a game, and who went along with whom."""

    def with_it(
        self, unit: Unit, other: Unit, drags: list[int], move: Move
    ) -> tuple[bool | None, int]:
        """Whether ``other`` made the whole move with ``unit``, and how many of its drags, from the first
        on, it made as well. None: not known."""
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
        """Whether both went from one hex to one hex, each by its own drags; the other may have gone on.
        None: others saw one arrive before the other left, or one may stand for the other's rest or was
        left behind."""
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
        """Whether a stack that moved from ``start`` had certainly finished before the second of two events:
        another unit of its side, from another hex, began to move between them, and others saw the
        position before and after. False in a phase in which counters may be displaced otherwise than by
        movement."""
        game = self.game
        phase = game.phases.get(self.view(until).phase or "")
        if phase is None or not phase.complete or phase.complete_for:
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
        """Whether ``other`` came to the target of a move in another part of the same interrupted phase."""
        first, end = self.phase(index)
        spell = self.timeline.spell(self.timeline.step_of(index))
        return any(
            self.drag(d).target == move.target
            and not first <= d < end
            and self.timeline.spell(self.timeline.step_of(d)) == spell
            for d in self.drags[other.id]
        )

    def may_follow(self, unit: Unit, other: Unit, index: int) -> bool:
        """Whether ``other`` may still come after ``unit``: the logs end within the phase, and he stands where
        it started."""
        if self.in_phase(other.id, index) or self.phase(index)[1] < len(self.game.events):
            return False
        first = self.in_phase(unit.id, index)[0]
        origin, place = self.drag(first).origin, self.place(other.id, index)
        return place == self.start(first) or (place == origin and origin.kind == "box")

    def on_map(self, unit: str, index: int) -> list[int]:
        """The drags of a unit in a phase, without those at the end that take it off the map."""
        drags = self.in_phase(unit, index)
        while len(drags) > 1 and self.drag(drags[-1]).target.kind in ("box", "nowhere"):
            drags = drags[:-1]
        return drags

    def start(self, index: int) -> Place:
        """Where a drag begins, or where it puts the counter on the map."""
        drag = self.drag(index)
        return drag.origin if drag.origin.kind == "hex" else drag.target
