"""Two players on the drawn board: legal moves by a known chart, and a few that break it.

The walker here is a plain search of its own; it knows nothing of the program. Costs are counted in halves of
an MP.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from random import Random

from module_builder.hexes import Grid

from .ground import Ground

FOOT, MOTOR = "foot", "motor"
TERRAIN = {
    "clear": {FOOT: 2, MOTOR: 2},
    "town": {FOOT: 2, MOTOR: 2},
    "woods": {FOOT: 4, MOTOR: 6},
    "hills": {FOOT: 4, MOTOR: 4},
    "marsh": {FOOT: 6},
}
"""Halves of an MP to enter a hex; what is not there is prohibited."""
RIVER = {FOOT: 4}
ROAD = {FOOT: 2, MOTOR: 1}
LIMIT = 2
"""Counters of a side in a hex at the end of a phase."""
NO_END = 10_000


@dataclass(frozen=True)
class Unit:
    """A counter: ``strength`` and ``allowance`` are printed on it."""

    id: str
    side: str
    kind: str
    movement: str
    strength: int
    allowance: int
    at: str


@dataclass(frozen=True)
class Drag:
    """One move: the hexes that the counter is put down in. ``error``: what is wrong with it; '': nothing."""

    unit: str
    stops: tuple[str, ...]
    error: str = ""


@dataclass
class Position:
    """Where every counter is; the moves of one side are drawn from it."""

    ground: Ground
    grid: Grid
    units: dict[str, Unit]
    at: dict[str, str]
    random: Random
    moved: set[str] = field(default_factory=set)

    # -- the chart --------------------------------------------------------------------------------

    def cost(self, movement: str, here: str, there: str) -> int | None:
        """Halves of an MP for one step; None: prohibited."""
        side = frozenset((here, there))
        if side in self.ground.steps:
            return ROAD[movement]
        terrain = TERRAIN[self.ground.terrain[there]].get(movement)
        if side not in self.ground.rivers or terrain is None:
            return terrain
        return terrain + RIVER[movement] if movement in RIVER else None

    def inside(self, name: str, side: str) -> list[str]:
        """The counters of a side in a hex."""
        return [i for i, at in self.at.items() if at == name and self.units[i].side == side]

    def enemies(self, side: str) -> set[str]:
        """The hexes that hold the other side's counters."""
        return {at for i, at in self.at.items() if self.units[i].side != side}

    def zone(self, side: str) -> set[str]:
        """The hexes next to the other side's counters."""
        return {near for name in self.enemies(side) for near in self.grid.neighbours(name)}

    # -- the walker -------------------------------------------------------------------------------

    def reach(
        self, unit: Unit, limit: int, *, zones: bool = True, prohibitions: bool = True
    ) -> dict[str, tuple[int, tuple[str, ...]]]:
        """Every hex the unit may come to for at most ``limit`` halves of an MP: the cost and the way."""
        enemies = self.enemies(unit.side)
        zone = self.zone(unit.side) if zones else set()
        found: dict[str, tuple[int, tuple[str, ...]]] = {}
        waiting: list[tuple[int, tuple[str, ...]]] = [(0, (self.at[unit.id],))]
        while waiting:
            spent, path = heapq.heappop(waiting)
            if path[-1] in found:
                continue
            found[path[-1]] = spent, path
            if len(path) > 1 and path[-1] in zone:
                continue
            for near in self.grid.neighbours(path[-1]):
                step = self.cost(unit.movement, path[-1], near)
                if step is None and not prohibitions:
                    step = 2
                if step is not None and near not in enemies and spent + step <= limit:
                    heapq.heappush(waiting, (spent + step, (*path, near)))
        return found

    # -- moves ------------------------------------------------------------------------------------

    def go(self, drag: Drag) -> Drag:
        """Make a move."""
        self.at[drag.unit] = drag.stops[-1]
        self.moved.add(drag.unit)
        return drag

    def march(self, unit: Unit, goal: Callable[[str], int]) -> Drag | None:
        """A legal move to a hex that has room, towards the least ``goal`` as far as chance lets it."""
        ways = self.reach(unit, 2 * unit.allowance)
        room = [
            name
            for name in ways
            if len(self.inside(name, unit.side)) < LIMIT and len(ways[name][1]) > 1
        ]
        if not room:
            return None
        best = sorted(room, key=lambda n: (goal(n) - 5 * len(self.inside(n, unit.side)), n))[:4]
        path = ways[self.random.choice(best)][1]
        stops = path[1:]
        if len(stops) > 2 and self.random.random() < 0.25:
            return Drag(unit.id, (stops[len(stops) // 2], stops[-1]))
        return Drag(unit.id, stops[-1:])

    def errors(self, unit: Unit, kind: str) -> Iterator[Drag]:
        """The moves of a unit that break the chart in this way and in no other."""
        allowed = 2 * unit.allowance
        legal = self.reach(unit, allowed)
        here = self.at[unit.id]
        taken = self.enemies(unit.side)
        if kind == "overstack":
            wanted = [n for n in legal if len(self.inside(n, unit.side)) == LIMIT and n != here]
        elif kind == "too far":
            wanted = [
                n for n, (cost, path) in self.reach(unit, allowed + 4).items() if len(path) > 2
            ]
        elif kind == "prohibited":
            wanted = list(self.reach(unit, allowed, prohibitions=False))
        else:
            wanted = [
                n
                for n, (_, path) in self.reach(unit, allowed, zones=False).items()
                if len(path) > 2
            ]
            # Not even with MPs enough.
            endless = self.reach(unit, NO_END)
            wanted = [name for name in wanted if name not in endless]
        for name in sorted(wanted):
            room = len(self.inside(name, unit.side)) < LIMIT
            if (kind == "overstack" or (name not in legal and room)) and name not in taken:
                yield Drag(unit.id, (name,), kind)


def play(
    position: Position, side: str, marches: int, errors: Sequence[str], goal: Callable[[str], int]
) -> list[Drag]:
    """The moves of one phase: ``marches`` legal ones, among them the errors; overstacks come last."""
    position.moved.clear()
    mine = [u for u in position.units.values() if u.side == side]
    done: list[Drag] = []
    due = sorted(errors, key=lambda kind: kind == "overstack")
    middle = [kind for kind in due if kind != "overstack"]
    turns = [""] * marches
    for number, kind in enumerate(middle):
        turns.insert((number + 1) * marches // (len(middle) + 1) + number, kind)
    for kind in (*turns, *(kind for kind in due if kind == "overstack")):
        left = [u for u in mine if u.id not in position.moved]
        position.random.shuffle(left)
        for unit in left:
            if kind:
                found = list(position.errors(unit, kind))
                drag = position.random.choice(found) if found else None
            else:
                drag = position.march(unit, goal)
            if drag is not None:
                done.append(position.go(drag))
                break
        else:
            assert not kind, f"no move is {kind}"
    return done
