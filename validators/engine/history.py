"""What the log tells of each unit: all that clauses may ask, in one object."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from ...model.unit import Unit
from .acts import Acts
from .dice import Dice
from .lately import Lately


class History(Acts, Lately, Dice):
    """The events of a game, who was carried, who went along, what all did, and counters put where their
    units never were."""

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
