"""The terrain graph of one class of unit: terrain, levels, roads and bridges, without units and obstacles."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import cached_property

from ....model.board import NONE, Board, Edge, Hex, edge
from ....model.fact import Value
from ....model.game import Game
from ...answers import answer
from ...concepts.charts import Costs, class_cost, closes_some, road_cost, terrain_cost
from ...concepts.hex_entries import (
    CostItem,
    HexEntry,
    TerrainGraph,
    about_hex,
    about_lines,
    about_lines_in,
    about_side,
    hex_entry,
)
from ...cost_interval import ANYTHING, BARRED, FREE, CostInterval, optional, total, union, union_all
from .obstacles import MINES, TRAP, WIRE
from .road_networks import BRIDGE, SNOW_BRIDGE, RoadNetworks
from .ruleset_facts import bridge
from .tables import CLAUSES, DEPTHS, MV_G, RAILWAY, STREAM, WADI, Tables

HALF = "half hex"
FEATURES = (HALF, BRIDGE, SNOW_BRIDGE, WIRE, TRAP, MINES, "entrenchment", "two entrenchments")
"""Features of hexes that these rules know besides those in the terrain chart."""
OVER_BRIDGE = "a bridge"
"""``HexEntry.road`` of an entry into a bridge hex at the cost of the bridge."""
_OPEN = CostInterval(0, 0, None)
"""The cost interval of something that costs nothing but may be prohibited."""


class TideTerrainGraph(TerrainGraph):
    """``classes``: the classes that the mover may be of. ``depths``: the depths that the streams may have."""

    def __init__(
        self, game: Game, tables: Tables, classes: tuple[str, ...], depths: tuple[str, ...]
    ) -> None:
        board = game.board
        self.game = game
        who = " or ".join(f"a {c}" if c else "an unknown class" for c in classes)
        super().__init__(board, tables.scale, False, who)
        self.tables = tables
        self.classes = classes
        self.depths = depths
        self._charts = {
            depth: {**tables.terrain, STREAM: tables.streams[depth]} for depth in depths
        }
        self._roads = {kind: self._road_cost_item(kind) for kind in sorted(tables.roads)}
        whole = tables.complete.has("roads")
        self.roads = RoadNetworks(game, self._roads.keys(), whole, self.whole_lines)
        self._by_hex: dict[str, dict[str, tuple[HexEntry, ...]]] = {}
        self.least = self._least()

    @cached_property
    def rolls(self) -> frozenset[str]:
        """The hexes that are or may be ones for which vehicles roll on entering or leaving, and their
        neighbours."""
        board = self.board
        rolled = {name for name in board.hexes if board.has(name, (SNOW_BRIDGE, WADI)) is not False}
        return frozenset(rolled.union(*(board.neighbours(name) for name in rolled)))

    def across(self, here: str, to: str) -> Iterator[HexEntry]:
        """Every entry from a hex into its neighbour, including prohibited ones."""
        origin, target = self.board.hexes[here], self.board.hexes[to]
        side = edge(here, to)
        rise = self._rise(origin, target)
        common = (*self._out_of_play(target), *self._cliff(rise, origin, target))
        crossed = tuple(self._crossing(side))
        yield hex_entry(to, "", (*common, *crossed, *self._entering(rise, origin, target)))
        bridged = [f for f in (BRIDGE, SNOW_BRIDGE) if f in target.features]
        may_be = True if bridged else self._perhaps_bridged(target)
        if self.tables.applies("X-BR-a") and may_be is not False:
            parts = int(self.tables.bridge * self.scale)
            cost = CostInterval(parts, parts, False if may_be else None)
            about: tuple[str, ...] = ("bridge", to)
            yield hex_entry(
                to,
                OVER_BRIDGE,
                (*common, *crossed, CostItem(cost, "TOI-X-BR-a", "bridge", about=about)),
            )
        for kind, sure, about in self.roads.roads_across(here, to, side):
            road = self._roads[kind]
            if road.cost.barred is True:
                continue
            if not sure:
                road = road._replace(cost=road.cost._replace(barred=None), about=about)
            yield hex_entry(to, kind, (*common, road))
        drawn = {ln.kind for ln in self.board.lines_by_edge.get(side, ())}
        undrawn = self.board.maybe_across(side)
        others: list[tuple[str, tuple[str, ...]]] = [
            (kind, ("road cost", kind)) for kind in drawn.union(undrawn or ())
        ]
        if undrawn is None and not self.tables.complete.has("roads"):
            others.append(("a road", about_lines(here, to)))
        for kind, about in sorted(others):
            if kind not in self._roads:
                cost = CostInterval(0, None, None)
                item = CostItem(cost, "TOI-X-HI-d", kind, about=about)
                yield hex_entry(to, kind, (*common, item))

    def entries_by_hex(self, here: str) -> dict[str, tuple[HexEntry, ...]]:
        """Neighbour → the entries from ``here`` into it that are not certainly prohibited."""
        found = self._by_hex.get(here)
        if found is None:
            entries = [entry for entry in self.entries(here) if entry.cost.barred is not True]
            found = self._by_hex[here] = {
                to: tuple(entry for entry in entries if entry.to == to)
                for to in self.board.neighbours(here)
            }
        return found

    def _road_cost_item(self, kind: str) -> CostItem:
        cost = road_cost(self.tables.roads[kind], self.classes, self.scale)
        clause = "TOI-X-HI-d"
        if kind == RAILWAY:
            clause = "TOI-X-RR"
        elif self.classes == ("truck",) and self.tables.applies("TX-2"):
            clause = "TOI-TX-2"
        return CostItem(cost, clause, f"along the {kind}", about=("road cost", kind))

    def _crossing(self, side: Edge) -> Iterator[CostItem]:
        """The costs of the features of a hexside. If the chart is not complete, a feature that is not in it
        may cost anything."""
        chart, whole = self.tables.hexsides, self.tables.complete.has("hexsides")
        for name in self.board.sides.get(side, ()):
            if name in chart:
                cost = class_cost(chart[name], self.classes, self.scale)
            elif whole:
                continue
            else:
                cost = ANYTHING
            text = f"crosses {name}, closed to {self.who}"
            yield CostItem(cost, "TOI-MV-g", name, "TOI-MV-g", text, ("side cost", name))
        maybe = self.board.maybe_on(side)
        rows = [row for name, row in chart.items() if maybe is None or name in maybe]
        if maybe != NONE and (rows or not whole):
            costs = [union(FREE, class_cost(row, self.classes, self.scale)) for row in rows]
            cost = total(costs) if whole else ANYTHING
            yield CostItem(cost, "TOI-MV-g", "hexside", about=about_side(side))

    def _level(self, here: Hex) -> int | None:
        return self.board.level_of(here.name)

    def _rise(self, origin: Hex, target: Hex) -> int | None:
        before, after = self._level(origin), self._level(target)
        return None if before is None or after is None else after - before

    def _out_of_play(self, target: Hex) -> Iterator[CostItem]:
        half = self.board.has(target.name, (HALF,))
        if half is not False and self.tables.applies("HH-a"):
            cost, text = optional(BARRED, half), "enters a half hex, out of play"
            about = about_hex(self.board, target.name)
            yield CostItem(cost, "TOI-HH-a", HALF, "TOI-HH-a", text, about)

    def _cliff(self, rise: int | None, origin: Hex, target: Hex) -> Iterator[CostItem]:
        """The prohibition of a difference of two or more levels, up (EX2-a) or down (X-HI-c). It holds along
        roads too. ``rise``: in levels; None: not known."""
        up, down = self.tables.applies("EX2-a"), self.tables.applies("X-HI-c")
        if rise is None:
            if up or down:
                about: tuple[str, ...] = ("levels", self._unlevelled(origin, target))
                yield CostItem(_OPEN, "TOI-EX2-a", "cliff", "TOI-EX2-a", "", about)
            return
        if (rise > 1 and up) or (rise < -1 and down):
            clause = "TOI-EX2-a" if rise > 0 else "TOI-X-HI-c"
            text = f"crosses the cliff between {origin.name} and {target.name}"
            yield CostItem(BARRED, clause, "cliff", clause, text)

    def _unlevelled(self, origin: Hex, target: Hex) -> str:
        return origin.name if self._level(origin) is None else target.name

    def _entering(self, rise: int | None, origin: Hex, target: Hex) -> Iterator[CostItem]:
        """The costs of the terrain of a hex and of the climb into it. ``rise``: as in :meth:`_cliff`."""
        base = self._ground(rise, target)
        if rise is not None and rise > 0 and self._is_dearer(base.cost):
            yield self._dearer(base)
            return
        yield base
        if rise is not None and rise < 1:
            return
        climb = self._climb(base.cost, target.terrain == ("clear",))
        cost = climb if rise is not None else union(FREE, climb)
        clause = "EX2-b" if target.terrain == ("clear",) else "X-HI-b"
        if self.tables.applies(clause):
            about: tuple[str, ...] = ("climb", target.name)
            if rise is None:
                about = ("levels", self._unlevelled(origin, target))
            yield CostItem(cost, f"TOI-{clause}", "uphill", about=about)

    def entering(self, target: Hex) -> CostItem:
        """The cost item of the terrain of a hex, without that of a climb."""
        return self._ground(0, target)

    def closes_some(self) -> bool:
        """See :class:`~...concepts.hex_entries.TerrainGraph`."""
        return closes_some(self.tables.terrain.values(), self.classes)

    def _is_dearer(self, base: CostInterval) -> bool:
        """Whether the dearer of terrain and climb is due and the cost of the terrain is a range. Then both
        are one charge, because the difference that the climb adds depends on the terrain's cost."""
        number = base.barred is False and base.whole is False and not base.is_exact
        return number and self.tables.combine == "dearest" and self.tables.applies("X-HI-b")

    def _dearer(self, base: CostItem) -> CostItem:
        up = int(self.tables.up * self.scale)
        most = None if base.cost.hi is None else max(base.cost.hi, up)
        cost = CostInterval(max(base.cost.lo, up), most)
        return base._replace(cost=cost, reason=f"{base.reason}, uphill")

    def _climb(self, base: CostInterval, clear: bool) -> CostInterval:
        """What the climb of one level adds to the cost ``base`` of the terrain. ``clear``: the terrain is
        clear. If the reading is not known, the range from the least to the most of all readings."""
        tables, up = self.tables, int(self.tables.up * self.scale)
        if base.barred:
            return FREE
        # If the dearer of both is due, the climb adds what the terrain's least cost falls short of it.
        missing = max(0, up - base.lo)
        dearer = CostInterval(missing, missing)
        if clear or tables.combine == "dearest":
            return dearer
        row = self._charts[self.depths[0]]["clear"]
        flat = [int(row[c].amount * self.scale) for c in self.classes]
        least, most = max(0, up - max(flat)), max(0, up - min(flat))
        if tables.combine == "sum":
            return CostInterval(least, most)
        return CostInterval(min(missing, least), max(missing, most))

    def _ground(self, rise: int | None, target: Hex) -> CostItem:
        """The cost of the terrain of a hex, without that of a climb. ``rise``: as in :meth:`_cliff`."""
        charts = self.tables.terrain
        names = target.terrain or ()
        features = tuple(f for f in target.features if f in charts and f not in names)
        every = (*names, *features)
        every_hex = self.board.completions(target.name, charts)
        cost = union_all(
            terrain_cost(
                self._charts[depth],
                c,
                one.terrain,
                tuple(f for f in one.features if f in charts and f not in names),
                self.scale,
                whole=self.tables.complete.has("terrain"),
            )
            for c in self.classes
            for depth in self.depths
            for one in every_hex
        )
        about: tuple[str, ...] = (
            ("cost", *self._doubtful(every)) if names else ("terrain", target.name)
        )
        here = (*target.features, *sorted(self.board.maybe_in(target.name) or ()))
        strange = [f for f in here if f not in charts and f not in FEATURES]
        if strange and not self.tables.complete.has("terrain"):
            cost, about = ANYTHING, ("cost", *strange)
        if not self.board.hex_known(target.name):
            about = about_hex(self.board, target.name)
        cost, about = self._beside_road(target, cost, about)
        if rise is None or rise < 0:
            cost, about = self._downhill(target, cost, about)
        clause, bar = self._clauses(every, rise, target)
        if every == ("clear",) and not self.tables.applies(clause.removeprefix("TOI-")):
            cost = FREE
        what = " and ".join(every) if every else "a hex of unknown terrain"
        return CostItem(cost, clause, what, bar, f"enters {what}, closed to {self.who}", about)

    def _beside_road(
        self, target: Hex, cost: CostInterval, about: tuple[str, ...]
    ) -> tuple[CostInterval, tuple[str, ...]]:
        """``cost`` and ``about``, changed if the hex has a road. The text does not say whether such a hex
        still costs as its terrain if it is entered off the road; that is the reading ``road_hex``."""
        reading = self.tables.road_hex
        if target.terrain == ("clear",) or not target.terrain:
            return cost, about
        strange = self.roads.unknown_lines.get(target.name)
        if target.name not in self.roads.possible and strange is None:
            return cost, about
        clear = union_all(
            terrain_cost(self.tables.terrain, c, ("clear",), (), self.scale) for c in self.classes
        )
        if reading == "terrain" or cost.barred is True:
            return cost, about
        if target.name not in self.roads.certain:
            if strange is not None:
                return union(clear, cost), ("road cost", strange)
            return union(clear, cost), about_lines_in(self.board, target.name)
        if reading == "road":
            return clear, about
        known = cost.is_exact
        return union(clear, cost), ("beside", target.name) if known else about

    def _downhill(
        self, target: Hex, cost: CostInterval, about: tuple[str, ...]
    ) -> tuple[CostInterval, tuple[str, ...]]:
        """``cost`` and ``about``, changed for a step downhill into terrain other than clear. An example in
        the text says that downhill movement costs 1 for each hex, and does not mention terrain. So the cost
        is open, unless the pack settles the reading ``combine``."""
        other = target.terrain and target.terrain != ("clear",) and cost.barred is not True
        if self.tables.combine != "unknown" or not other or not self.tables.applies("EX1-b"):
            return cost, about
        clear = union_all(
            terrain_cost(self.tables.terrain, c, ("clear",), (), self.scale) for c in self.classes
        )
        known = cost.is_exact and cost.lo > clear.lo
        return union(clear, cost), ("downhill", target.name) if known else about

    def _clauses(self, names: tuple[str, ...], rise: int | None, target: Hex) -> tuple[str, str]:
        """The clause cited for the cost of these terrains, and the one cited if they are prohibited."""
        if names == ("clear",):
            if rise is not None and rise < 0:
                return "TOI-EX1-b", "TOI-MV-g"
            return ("TOI-X-HI-a" if rise == 0 and self._level(target) else "TOI-MV-g"), "TOI-MV-g"
        named = [n if n != STREAM else self._depth() for n in names if n != "clear"]
        pairs = [CLAUSES.get(name, MV_G) for name in named]
        barring = [
            pair[1]
            for name, pair in zip(named, pairs, strict=True)
            if any(self._row(name)[c].kind == "prohibited" for c in self.classes)
        ]
        special = [pair for pair in pairs if pair != MV_G]
        cost = special[0][0] if special else "TOI-MV-g"
        return cost, barring[0] if barring else "TOI-MV-g"

    def _depth(self) -> str:
        return self.depths[0] if len(self.depths) == 1 else STREAM

    def _row(self, name: str) -> Costs:
        """The row of the chart for a terrain, or for a depth of streams."""
        if name in DEPTHS:
            return self.tables.streams[name]
        unknown = next(iter(self.tables.terrain.values()))
        return self.tables.terrain.get(name, unknown)

    def _doubtful(self, names: tuple[str, ...]) -> Iterator[str]:
        for name in names:
            costs = self.tables.terrain.get(name)
            if name == STREAM:
                if len(self.depths) > 1:
                    yield STREAM
            elif costs is None or any(costs[c].kind == "unknown" for c in self.classes):
                yield name

    def _perhaps_bridged(self, target: Hex) -> bool | None:
        """Whether a hex has a bridge that is not on the board; None: not known. Asked only where a stream is
        and the board does not say whether there is a bridge."""
        found = self.board.has(target.name, (BRIDGE, SNOW_BRIDGE))
        wet = STREAM in (target.terrain or ())
        told = not wet or "terrain" in self.board.complete
        if told and (target.terrain is None or found is not None):
            return False
        return answer(self.game, bridge(target.name))

    def _least(self) -> int:
        """A lower bound for the cost of any step on this board, in 1/scale MP."""
        undrawn = not self.whole_lines and not self.tables.complete.has("roads")
        if undrawn or self.board.line_kinds - self._roads.keys():
            return 0
        costs = [road.cost for road in self._roads.values()]
        costs += [self._ground(rise, h).cost for h in self.board.hexes.values() for rise in (0, -1)]
        least = min((t.lo for t in costs if not t.barred), default=0)
        return min(least, int(self.tables.bridge * self.scale))


def hex_of(board: Board, value: Value | None) -> str:
    """The hex that a fact names; empty if it names none. ``value``: its name, which facts may read as a
    number."""
    if isinstance(value, Fraction):
        names = [n for n in board.hexes if n.isdecimal() and int(n) == value]
        return names[0] if len(names) == 1 else ""
    return value if isinstance(value, str) and value in board.hexes else ""
