"""Games drawn on small boards by a chart that is known: every move is within the allowance by that chart.

The costs are added up here by a walk of its own, which shares nothing with the program's search.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from random import Random
from typing import Any

from vassal_umpire.importers.analysis.game_json import game_of
from vassal_umpire.model.game import Game

WIDTH, HEIGHT = 9, 9
BESIDE = ((1, 0), (1, -1), (0, -1), (-1, 0), (-1, 1), (0, 1))
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
    """A game that was drawn: its analysis document's ``game``, the chart it was drawn by, and where each
    move went, as (origin, target)."""

    plain: dict[str, Any]
    chart: Chart
    moves: tuple[tuple[str, str], ...]

    def by(self, chart: Chart) -> Game:
        """The game, with ``chart`` as the one that its pack types."""
        return game_of({**self.plain, "rules": {"name": "generic", "tables": chart.tables()}})


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
    at = {name_of(q, r): (q, r) for q in range(WIDTH) for r in range(HEIGHT)}
    terrain = {name: random.choice(kinds) for name in at}
    sides = {
        pair: random.choice(("river", "river", "wall"))
        for pair in pairs_of(at)
        if random.random() < 0.2
    }
    roads = [pair for pair in pairs_of(at) if random.random() < 0.12]
    ground = _Ground(at, terrain, sides, frozenset(roads), chart)
    where = {f"u{n}": random.choice([h for h in at if terrain[h] != "lake"]) for n in range(units)}
    events: list[dict[str, Any]] = []
    moves = []
    opening = dict(where)
    step = 1
    for turn in range(1, phases + 1):
        step += 1
        start = {"turn": str(turn), "phase": "movement", "active": "Red", "certain": True}
        events.append({"event": "phase", "at": f"1:{step}", **start})
        for unit, origin in where.items():
            reach = sorted(ground.reach(origin))
            if not reach:
                continue
            target = where[unit] = random.choice(reach)
            step += 1
            drag = {"unit": unit, "origin": origin, "target": target, "cause": "drag"}
            events.append({"event": "displacement", "at": f"1:{step}", **drag, "actor": "Red"})
            moves.append((origin, target))
    plain = {
        "title": "drawn",
        "sides": ["Red", "Blue"],
        "board": {
            "name": "drawn",
            "complete": ["terrain", "hexsides", "lines"],
            "hexes": [
                {"hex": name, "at": [*at[name]], "terrain": [terrain[name]], "level": 0}
                for name in at
            ],
            "sides": [{"hexes": [*pair], "has": [kind]} for pair, kind in sides.items()],
            "lines": [{"kind": "road", "hexes": [*pair]} for pair in roads],
        },
        "units": [
            {"id": unit, "name": unit, "side": "Red", "attributes": {}, "at": place}
            for unit, place in opening.items()
        ],
        "events": events,
        "phases": [{"name": "movement", "movers": "active", "forms": ["march"], "complete": True}],
        "forms": [{"name": "march"}],
    }
    return Played(plain, chart, tuple(moves))


def name_of(q: int, r: int) -> str:
    return f"{q + 1:02}{r + 1:02}"


def pairs_of(at: Mapping[str, tuple[int, int]]) -> list[tuple[str, str]]:
    """Every two neighbouring hexes, once."""
    names = {place: name for name, place in at.items()}
    return sorted(
        (name, names[q + dq, r + dr])
        for name, (q, r) in at.items()
        for dq, dr in BESIDE
        if (q + dq, r + dr) in names and name < names[q + dq, r + dr]
    )


@dataclass(frozen=True)
class _Ground:
    at: Mapping[str, tuple[int, int]]
    terrain: Mapping[str, str]
    sides: Mapping[tuple[str, str], str]
    roads: frozenset[tuple[str, str]]
    chart: Chart

    def reach(self, origin: str) -> set[str]:
        """The hexes that a unit gets to within its allowance."""
        names = {place: name for name, place in self.at.items()}
        best = {origin: 0}
        waiting = [origin]
        while waiting:
            here = waiting.pop()
            q, r = self.at[here]
            for dq, dr in BESIDE:
                there = names.get((q + dq, r + dr))
                if there is None:
                    continue
                cost = self.cost(here, there)
                if cost is None or best[here] + cost > self.chart.allowance:
                    continue
                if best[here] + cost < best.get(there, 99):
                    best[there] = best[here] + cost
                    waiting.append(there)
        return best.keys() - {origin}

    def cost(self, here: str, there: str) -> int | None:
        """MPs of a step; None: it is prohibited."""
        pair = (here, there) if here < there else (there, here)
        entered: Cost = self.chart.terrain[self.terrain[there]]
        if pair in self.roads:
            entered = self.chart.road
        crossed: Cost = self.chart.sides[self.sides[pair]] if pair in self.sides else 0
        if isinstance(entered, str) or isinstance(crossed, str):
            return None
        return entered + crossed
