"""Games drawn on small boards by a chart that is known: every move is within the allowance by that chart.

The costs are added up here by a walk of its own, which shares nothing with the program's search.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from random import Random
from typing import Any

from vassal_umpire.model.board import Axial, Board, Hex, Line, edge
from vassal_umpire.model.game import (
    Displacement,
    Event,
    Game,
    MovementForm,
    PhaseRule,
    PhaseStart,
    Place,
    Rules,
    StepRef,
)
from vassal_umpire.model.unit import Unit

WIDTH, HEIGHT = 9, 9
PROHIBITED = "prohibited"

Cost = int | str


@dataclass(frozen=True)
class Chart:
    """A movement chart of one class. ``terrain`` and ``sides``: name → MPs, or prohibited. ``road``: MPs
    along a road, in place of the terrain."""

    terrain: Mapping[str, Cost]
    sides: Mapping[str, Cost]
    road: int
    allowance: int

    def tables(self) -> dict[str, Any]:
        """As ``[rules]`` of a pack."""
        return {
            "classes": {"names": ["foot"]},
            "allowance": {"by_class": {"foot": self.allowance}},
            "terrain": {"costs": dict(self.terrain)},
            "hexsides": {name: {"cost": cost} for name, cost in self.sides.items()},
            "roads": {"road": {"cost": self.road, "cancels": ["terrain"]}},
        }

    def dearer(self, table: str, name: str) -> Chart:
        """The chart with one number dearer by 1 MP."""
        changed = dict(getattr(self, table))
        changed[name] += 1
        return replace(self, **{table: changed})


@dataclass(frozen=True)
class Played:
    """A game that was drawn, the chart it was drawn by, and where each move went, as (origin, target)."""

    game: Game
    chart: Chart
    moves: tuple[tuple[str, str], ...]

    def by(self, chart: Chart) -> Game:
        """The game, with ``chart`` as the one that its pack types."""
        return replace(self.game, rules=Rules("generic", chart.tables()))


def a_chart(random: Random) -> Chart:
    """A chart drawn at random; clear ground costs 1."""
    return Chart(
        {
            "clear": 1,
            "forest": random.choice((2, 3)),
            "rough": random.choice((2, 3, 4)),
            "lake": PROHIBITED,
        },
        {"river": random.choice((1, 2)), "wall": random.choice((2, PROHIBITED))},
        road=1,
        allowance=random.choice((4, 5, 6)),
    )


def a_game(random: Random, chart: Chart, phases: int = 8, units: int = 6) -> Played:
    """A game of ``phases`` phases, in each of which every one of ``units`` moves once."""
    kinds = ["clear"] * 5 + ["forest"] * 3 + ["rough"] * 2 + ["lake"]
    at = {f"{q + 1:02}{r + 1:02}": Axial(q, r) for q in range(WIDTH) for r in range(HEIGHT)}
    hexes = {name: Hex(name, there, (random.choice(kinds),), 0) for name, there in at.items()}
    board = Board("drawn", hexes, complete=frozenset(("terrain", "hexsides", "lines")))
    every = board.every_side
    sides = {
        side: (random.choice(("river", "river", "wall")),)
        for side in every
        if random.random() < 0.2
    }
    roads = tuple(Line("road", side) for side in every if random.random() < 0.12)
    board = replace(board, sides=sides, lines=roads)
    land = [name for name, there in hexes.items() if there.terrain != ("lake",)]
    where = {f"u{n}": random.choice(land) for n in range(units)}
    opening = {unit: Place("hex", name) for unit, name in where.items()}
    events: list[Event] = []
    moves = []
    step = 1
    for turn in range(1, phases + 1):
        step += 1
        events.append(PhaseStart(StepRef(1, step), str(turn), "movement", "Red"))
        for unit, origin in where.items():
            reach = sorted(reach_of(board, chart, origin))
            if not reach:
                continue
            target = where[unit] = random.choice(reach)
            step += 1
            ends = Place("hex", origin), Place("hex", target)
            events.append(Displacement(StepRef(1, step), unit, *ends, actor="Red"))
            moves.append((origin, target))
    game = Game(
        "drawn",
        board,
        ("Red", "Blue"),
        {unit: Unit(unit, unit, "Red") for unit in where},
        opening,
        tuple(events),
        Rules("generic"),
        {"movement": PhaseRule("movement", "active", ("march",), complete=True)},
        {"march": MovementForm("march")},
    )
    return Played(game, chart, tuple(moves))


def reach_of(board: Board, chart: Chart, origin: str) -> set[str]:
    """The hexes that a unit gets to within its allowance."""
    best = {origin: 0}
    waiting = [origin]
    while waiting:
        here = waiting.pop()
        for there in board.neighbours(here):
            cost = cost_of(board, chart, here, there)
            if cost is None or best[here] + cost > chart.allowance:
                continue
            if best[here] + cost < best.get(there, 99):
                best[there] = best[here] + cost
                waiting.append(there)
    return best.keys() - {origin}


def cost_of(board: Board, chart: Chart, here: str, there: str) -> int | None:
    """MPs of a step; None: it is prohibited."""
    side = edge(here, there)
    [terrain] = board.hexes[there].terrain or ()
    entered = chart.road if board.lines_by_edge.get(side) else chart.terrain[terrain]
    crossed = [chart.sides[name] for name in board.sides.get(side, ())]
    costs = [cost for cost in (entered, *crossed) if not isinstance(cost, str)]
    return sum(costs) if len(costs) == 1 + len(crossed) else None
