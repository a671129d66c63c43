"""The charts of ocs as a player reads them: tables, boards, what terrain costs, what enemies do."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from random import Random
from typing import TYPE_CHECKING, Any

from vassal_umpire.model.board import Board, Line, edge
from vassal_umpire.model.fact import Value

from .kit import Fraction, Table, bare_board, chart_row, random_paths, replace

P = None
CLASSES = ("leg", "tracked", "truck")
HEXES: dict[str, tuple[int | None, ...]] = {
    "open": (1, 1, 2),
    "woods": (1, 2, 4),
    "swamp": (4, P, P),
    "mountain": (3, P, P),
    "city": (3, 3, 1),
}
"""What a hex costs leg, tracked and truck units; P: prohibited. No game's chart."""
SIDES: dict[str, tuple[int | None, ...]] = {
    "stream": (1, 1, 2),
    "river": (2, 4, P),
    "lake": (P, P, P),
}
BRIDGED = {"river": (1, 1, 3)}
BRIDGE = {"river": (0, 1, 1), "lake": (1, 1, 1)}
ROADS: dict[str, tuple[Fraction, ...]] = {
    "road": (Fraction(1), Fraction(1, 2), Fraction(1, 2)),
    "track": (Fraction(1), Fraction(1), Fraction(1)),
}
SURCHARGE = (1, 1, 3)
UNSTACKED = ("sp", "transport", "air", "port", "airbase", "hedgehog")
IMMOBILE = ("port", "airbase", "hedgehog")
MAY_MOVE = {"Reaction": ("released",), "Exploitation": ("exploitation", "released")}
MODES = ("combat", "combat", "combat", "move", "strat", "reserve", "released", "exploitation")
ONE = Fraction(1)
STACK = 10
"""The RE that may be in a hex (X-STK)."""


def _row(costs: Sequence[Any]) -> dict[str, str]:
    return chart_row(CLASSES, costs)


def tables(factors: Mapping[str, Any]) -> dict[str, Any]:
    sides: dict[str, Any] = {}
    for name, costs in SIDES.items():
        sides[name] = {"cost": _row(costs), "water": name != "stream", "river": name == "river"}
        for key, table in (("bridged", BRIDGED), ("bridge", BRIDGE)):
            if name in table:
                sides[name][key] = _row(table[name])
    return {
        "terrain": {name: _row(costs) for name, costs in HEXES.items()},
        "hexsides": sides,
        "roads": {name: _row(costs) for name, costs in ROADS.items()},
        "factors": factors,
        "overrun": {"form": "overrun", "dearest": 4, "surcharge": _row(SURCHARGE)},
        "stacking": {
            "limit": STACK
        },  # where a chart that is called complete has none, there is none
    }


# -- Made-up boards and units of ocs ---------------------------------------------------------------


def random_facts(rng: Random, big: bool) -> dict[str, Value | int]:
    kinds = ["combat"] * 8 + ["hq", "transport", "hedgehog"]
    return {
        "class": rng.choice(CLASSES),
        "ma": rng.choice((0, 3, 4, 4, 5, 5, 6, 6, 8, 8))
        if big
        else rng.choice((0, 1, 2, 3, 5, 8, 12)),
        "mode": rng.choice(MODES),
        "dg": rng.random() < 0.15,
        "type": rng.choice(kinds),
        "attack": rng.random() < 0.8,
        "supplied": rng.random() < 0.8,
        "fuel": "lacking" if rng.random() < 0.05 else "full",
        "re": rng.choice((1, 2, 3, 4)),
    }


def random_board(rng: Random, columns: int, rows: int, mild: bool) -> Board:
    whole = ["open", "open", "open", "woods", *([] if mild else ["mountain", "swamp", "city"])]
    more = ["woods", "city nub"] if mild else ["woods", "city nub", "mountain nub", "city"]

    def terrain(name: str) -> list[str]:
        extra = rng.sample(more, rng.choice((0, 0, 0, 1, 2)))
        return [rng.choice(whole), *extra]

    board = bare_board(columns, rows, terrain)
    few: list[tuple[str, ...]] = [(), (), (), (), ("stream",), ("river nub",)]
    if not mild:
        few += [("river",), ("lake",), ("lake", "land"), ("river", "lake")] + 2 * [
            ("river", "land")
        ]
        few += [("stream", "river"), ("river", "bridge")]
    sides = {pair: rng.choice(few) for pair in board.every_side}
    for pair, features in sides.items():
        terrains = {t for name in pair for t in board.hexes[name].terrain or ()}
        if "bridge" in features and terrains & {"mountain", "mountain nub", "swamp"}:
            sides[pair] = ("river",)  # whether a bridge leads into such a hex the text leaves open
    return replace(board, sides={k: v for k, v in sides.items() if v}, lines=_roads(rng, board))


def _roads(rng: Random, board: Board) -> tuple[Line, ...]:
    return tuple(
        Line(rng.choice(sorted(ROADS)), path, junctions=rng.random() < 0.5)
        for path in random_paths(rng, board, rng.randint(2, 5), (1, 6))
    )


# -- What terrain costs in ocs (6.1, 6.2), as one player reads it ----------------------------------


class TerrainCosts:
    """The costs of terrain for one mobility class, as one player believes it to be."""

    def __init__(self, board: Board, column: int, bridging: bool, forgotten: str) -> None:
        self.board, self.column, self.bridging, self.forgotten = board, column, bridging, forgotten
        self.known: dict[tuple[str, str], list[tuple[Fraction, bool]]] = {}
        self.roads_in: dict[str, set[str]] = {}
        for line in board.lines:
            for name in line.hexes:
                self.roads_in.setdefault(name, set()).add(line.kind)

    def hex_cost(self, name: str) -> Fraction | None:
        """6.2d: the dearest terrain in the hex, nubs too, but not those of a city."""
        costs: list[int | None] = []
        for terrain in self.board.hexes[name].terrain or ():
            whole = terrain.removesuffix(" nub")
            if whole == terrain or (whole != "city" and self.forgotten != "OCS-6.2d-b"):
                costs.append(HEXES[whole][self.column])
        if None in costs:
            if self.forgotten == "OCS-6.2c-a":
                return ONE
            if self.forgotten != "OCS-6.2d-a" or all(cost is None for cost in costs):
                return None
        pick = min if self.forgotten == "OCS-6.2d-a" else max
        cost = pick(cost for cost in costs if cost is not None)
        if self.forgotten == "OCS-6.1a-a" and len(costs) == 1:
            return min(ONE, Fraction(cost))  # every hex the same
        return Fraction(cost)

    def side_cost(self, a: str, b: str) -> Fraction | None:
        """6.2b, 6.2d: what lies on a hexside; along a shore water does not count, but for rivers."""
        features = self.board.sides.get(edge(a, b), ())
        total = Fraction(SIDES["stream"][self.column] or 0) if "stream" in features else Fraction(0)
        shore = "land" in features
        waters: list[int | None] = []
        if "river" in features and not (shore and self.forgotten == "OCS-6.2d-w3"):
            options = [SIDES["river"][self.column]]
            options += [BRIDGED["river"][self.column]] if self.bridging else []
            waters.append(options[-1])
        if "lake" in features and not shore:
            waters.append(SIDES["lake"][self.column])
        if waters:
            passable = [water for water in waters if water is not None]
            if not passable and self.forgotten != "OCS-6.2c-a":
                return None
            total += min(passable, default=1)
        return Fraction(0) if self.forgotten == "OCS-6.2b-a" else total

    def across(self, a: str, b: str) -> list[tuple[Fraction, bool]]:
        """Every way from a hex to its neighbour: (cost, whether by road or bridge)."""
        found = self.known.get((a, b))
        if found is None:
            found = self.known[a, b] = list(self._across(a, b))
        return found

    def _across(self, a: str, b: str) -> Iterator[tuple[Fraction, bool]]:
        lines = {line.kind for line in self.board.lines_by_edge.get(edge(a, b), ())}
        if self.forgotten == "OCS-6.2a-a":
            lines |= self.roads_in.get(a, set()) & self.roads_in.get(b, set())
        for kind in lines:
            yield (
                (Fraction(0) if self.forgotten == "OCS-6.2a-b" else ROADS[kind][self.column]),
                True,
            )
        there, back, side = self.hex_cost(b), self.hex_cost(a), self.side_cost(a, b)
        if self.forgotten == "OCS-6.1d-a":
            back = ONE
        if there is None or back is None:
            return
        if side is not None:
            yield there + side, False
        features = self.board.sides.get(edge(a, b), ())
        if "bridge" in features and self.forgotten != "OCS-6.2b-a":
            stream = SIDES["stream"][self.column] if "stream" in features else 0
            cost = sum(BRIDGE[name][self.column] for name in ("river", "lake") if name in features)
            yield there + (stream or 0) + cost, True


# -- The enemy in ocs, as one unit finds it (3b, 4.5, 8.1) -----------------------------------------

if TYPE_CHECKING:
    from .ocs import Ocs


class Enemies:
    """The enemy as one unit finds it (3b, 4.5, 8.1)."""

    def __init__(self, table: Table, unit: str, forgotten: str, kit: Ocs, favourable: bool) -> None:
        self.table, self.unit, self.forgotten, self.kit, self.favourable = (
            table,
            unit,
            forgotten,
            kit,
            favourable,
        )
        self.side = table.side(unit)
        self.enemies = [(u, table.where[u]) for u in table.on_map(table.other(self.side))]
        self.zones: dict[str, bool] = {}

    def occupied(self, name: str) -> bool:
        return any(at == name for _, at in self.enemies)

    def near(self, name: str) -> bool:
        """X-5.S: next to an attack-capable enemy."""
        around = self.table.board.neighbours(name)
        return any(at in around and self._able(u) for u, at in self.enemies)

    def _able(self, enemy: str) -> bool:
        """Attack-capable; what DG and the modes do to that is in 5, and of a counter that is not a fighting
        unit the text says nothing."""
        facts = self.table.facts[enemy]
        odd = facts["dg"] is True or facts["type"] in UNSTACKED
        odd = odd or facts["mode"] in ("move", "strat", "reserve")
        return facts["attack"] is True and not (self.favourable and odd)

    def zone(self, name: str) -> bool:
        """4.5: a zone of control over the hex, not negated by a friend."""
        if name not in self.zones:
            friends = [u for u in self.table.within(name, self.side) if u != self.unit]
            self.zones[name] = not friends and any(
                self._exerts(u, at, name) for u, at in self.enemies
            )
        return self.zones[name]

    def _exerts(self, enemy: str, at: str, name: str) -> bool:
        facts = self.table.facts[enemy]
        if at not in self.table.board.neighbours(name):
            return False
        if not (self._able(enemy) and facts["supplied"] and facts["mode"] == "combat"):
            return False
        if not self.favourable:
            return True
        steps = self.kit.terrain_costs(self.table, enemy, bridging=False).across(at, name)
        return any(not easy for _, easy in steps)

    def extra(
        self, here: str, to: str, easy: bool, overrun: bool, costs: TerrainCosts
    ) -> Fraction | None:
        """6.3b-b, 8.1: what entering a hex with enemies costs besides; None: it may not."""
        if not self.occupied(to):
            return Fraction(0)
        capable = any(at == to and self._able(u) for u, at in self.enemies)
        if not overrun:
            open_to = self.forgotten == "OCS-6.3b-b" or (self.favourable and not capable)
            return Fraction(0) if open_to else None
        if easy and self.forgotten != "OCS-X-8.1c":
            return None
        dear = costs.hex_cost(to)
        side = costs.side_cost(here, to)
        if dear is None or self.forgotten == "OCS-X-8.x":
            return Fraction(SURCHARGE[costs.column])
        most = dear if self.favourable or side is None else dear + side
        return Fraction(SURCHARGE[costs.column]) if most < 4 else None
