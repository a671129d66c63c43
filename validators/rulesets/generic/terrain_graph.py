"""The hex entries of one movement class by the tables, without enemies."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from ....model.board import NONE, Board, Edge, Hex, Names, edge, may_be
from ...concepts.charts import NO_CLASS, Costs, class_cost, closes_some, road_cost, terrain_cost
from ...concepts.hex_entries import (
    OFF_ROAD,
    CostItem,
    HexEntry,
    TerrainGraph,
    about_hex,
    about_lines,
    about_side,
    hex_entry,
    roads_over,
)
from ...cost_interval import ANYTHING, BARRED, FREE, CostInterval, total, union, union_all
from ...ruleset import START, Breach, Tag, World
from .ruled_step import ruled_step
from .step_rules import Applied
from .tables import Hexside, Tables

Extra = tuple[CostInterval, bool, str]
"""A surcharge as it applies to a mover: cost, whether on roads too, reason."""


_OPEN = ("unknown", "between")
_BASE = ("terrain", "roads")
"""Parts of the cost of which one is due on every step."""


class TableTerrainGraph(TerrainGraph):
    """See :class:`~...concepts.hex_entries.TerrainGraph`.

    ``classes``: the classes that the mover may be of; costs are intervals over all of them. ``extras`` and
    ``applied``: the surcharges and the rules about certain steps that apply, or may apply, to it.
    """

    by_kind = True

    def __init__(
        self,
        board: Board,
        tables: Tables,
        classes: tuple[str, ...],
        extras: tuple[Extra, ...] = (),
        applied: tuple[Applied, ...] = (),
    ) -> None:
        who = " or ".join(c or "an unknown class" for c in classes)
        paths = any(road.path for road in tables.roads.values())
        super().__init__(board, tables.scale, paths, who)
        self.tables = tables
        self.complete = tables.complete
        self.classes = classes
        self.extras = extras
        self.applied = applied
        self._terrain: dict[tuple[tuple[str, ...] | None, tuple[str, ...]], CostItem] = {}
        self._sides: dict[tuple[tuple[str, ...], Names], tuple[CostItem, ...]] = {}
        self._climbs: dict[int | None, tuple[CostItem, ...]] = {}
        self._roads = {kind: self._road_cost_item(kind) for kind in sorted(tables.roads)}
        self.least = self._least()

    def across(self, here: str, to: str) -> Iterator[HexEntry]:
        """Every entry from a hex into its neighbour, including prohibited ones: off the road, and along each
        road that is or may be there."""
        side = edge(here, to)
        terrain = self.entering(self.board.hexes[to])
        crossing = self.crossing(side)
        climb = self._climb(self.board.level_of(here), self.board.level_of(to))
        charts = {"terrain": (terrain,), "hexsides": crossing, "levels": climb}
        off = {**charts, "surcharges": tuple(self._extra_cost_items(False))}
        yield self._way(here, HexEntry(to, "", (), FREE, None, OFF_ROAD), off)
        for kind, sure, needs, tag in self._roads_over(here, to, side):
            cancels = self.tables.roads[kind].cancels
            road = self._roads[kind]
            if not sure or not self.tables.roads[kind].told:
                maybe = road.cost._replace(barred=road.cost.barred or None)
                unsaid = self.complete.about("roads")
                about = unsaid if sure else about_lines(here, to)
                road = road._replace(cost=maybe, about=about)
            kept = {part: cost_items for part, cost_items in charts.items() if part not in cancels}
            extra = tuple(self._extra_cost_items(True))
            parts = {"roads": (road,), **kept, "surcharges": extra}
            if road.cost.barred is not True:
                yield self._way(here, HexEntry(to, kind, (), FREE, needs, tag), parts)
        for kind in self._uncharted_roads(side):
            about = self.complete.about("roads")
            perhaps_road = CostItem(ANYTHING, "GEN-ROAD", f"along {kind}", about=about)
            bare = HexEntry(to, kind, (), FREE, None, START)
            yield self._way(here, bare, {"roads": (perhaps_road,)})

    def stop(self, here: str, entry: HexEntry, world: World) -> Breach | None:
        """The breach of moving on after an entry, by terrain alone; None if the mover may move on."""
        found = super().stop(here, entry, world)
        if found is None or entry.required_stop is None:
            return found
        return found._replace(
            clause=self.tables.citations.by(found.clause, entry.required_stop.about)
        )

    def _way(
        self, here: str, bare: HexEntry, parts: Mapping[str, tuple[CostItem, ...]]
    ) -> HexEntry:
        """The entry ``bare`` with its cost items: ``parts`` by the charts, changed by the rules about certain
        steps."""
        to, road, needs, tag = bare.to, bare.road, bare.needs, bare.tag
        ruled = ruled_step(self, here, to, road, parts) if self.applied else None
        cost_items = (
            ruled.cost_items if ruled else tuple(t for part in parts.values() for t in part)
        )
        if not self.complete.has(
            "steps"
        ):  # one that is not told may cost anything, and lift all charges
            about = self.complete.about("steps")
            cost_items = (
                CostItem(ANYTHING, "GEN-STEP", "a rule about steps that is not told", about=about),
            )
        if self.tables.hexes:
            numberless = (
                t._replace(
                    cost=CostInterval(0, 0, t.cost.barred, False if t.cost.barred else t.cost.whole)
                )
                for t in cost_items
            )
            one = CostInterval(self.scale, self.scale)
            cost_items = (*numberless, CostItem(one, "GEN-HEXES", "one hex"))
        found = hex_entry(to, road, cost_items, needs, tag)
        return (
            found._replace(required_stop=ruled.required_stop, marks=ruled.marks) if ruled else found
        )

    def _uncharted_roads(self, side: Edge) -> Iterator[str]:
        """Kinds of lines across a hexside that may be roads missing from the chart. If the lines of the board
        are not all known either, there may be one across any hexside."""
        if self.complete.has("roads") or "GEN-ROAD" in self.tables.off:
            return
        kinds = dict.fromkeys(line.kind for line in self.board.lines_by_edge.get(side, ()))
        others = [kind for kind in kinds if kind not in self._roads]
        yield from others
        for kind in sorted(self.board.maybe_across(side) or ()):
            if kind not in self._roads and kind not in others:
                others.append(kind)
                yield kind
        if not others and self.board.maybe_across(side) is None:
            yield "a road that is not told"

    def _roads_over(
        self, here: str, to: str, side: Edge
    ) -> Iterator[tuple[str, bool, frozenset[Tag] | None, Tag]]:
        """(kind, whether it is certainly there, tags from which it is open, tag after it) for each road.

        None for the tags: it is open from any.
        """
        paths = {kind for kind, road in self.tables.roads.items() if road.path}
        found: dict[tuple[str, bool, frozenset[Tag] | None, Tag], None] = {}
        drawn = {line.kind for line in self.board.lines_by_edge.get(side, ())}
        for kind, sure, node in roads_over(self.board, side, self._roads, bool(paths)):
            if sure:
                found[kind, True, frozenset((node,)) if kind in paths else None, node] = None
            elif kind not in drawn or kind in paths:
                found[kind, False, frozenset() if kind in paths else None, START] = None
        return iter(found)

    def entering(self, target: Hex) -> CostItem:
        """The cost of entering a hex by its terrain. If the hex is not fully known: the union over all
        terrain and features it may have."""
        names = self.complete.names("terrain", self.tables.terrain)
        found = [self._entered(one) for one in self.board.completions(target.name, names)]
        cost_item = found[0]
        if len(found) > 1 or self.board.maybe_in(target.name) is None:
            cost = union_all(other.cost for other in found)
            return cost_item._replace(cost=cost, about=about_hex(self.board, target.name))
        return cost_item

    def closes_some(self) -> bool:
        """See :class:`~...concepts.hex_entries.TerrainGraph`."""
        return closes_some(self.tables.terrain.values(), self.classes)

    def _entered(self, target: Hex) -> CostItem:
        features = target.features
        if self.complete.has("terrain"):
            features = tuple(f for f in features if f in self.tables.terrain)
        key = (target.terrain, features)
        cost_item = self._terrain.get(key)
        if cost_item is None:
            cost_item = self._terrain[key] = self._terrain_cost_item(target.terrain, features)
        return cost_item

    def _terrain_cost_item(
        self, terrain: tuple[str, ...] | None, features: tuple[str, ...]
    ) -> CostItem:
        charts, combine = self.tables.terrain, self.tables.combine
        whole = self.complete.has("terrain")
        cost = union_all(
            terrain_cost(charts, c, terrain, features, self.scale, combine, whole=whole)
            for c in self.classes
        )
        names = (*(terrain or ()), *features)
        what = " and ".join(names) if names else "a hex of unknown terrain"
        about: tuple[str, ...] = ("terrain",)
        if terrain and self._only_added(names):
            about = ("besides", *names)
        elif terrain:
            about = self._priced(*self._doubtful(names)) if not cost.is_exact else ("",)
        text = f"enters {what}, prohibited to {self.who}"
        return CostItem(cost, "GEN-TERRAIN", what, "GEN-TERRAIN-PROHIBITED", text, about)

    def _only_added(self, names: Iterable[str]) -> bool:
        """Whether all of ``names`` add to the cost of another terrain: what that is, is not told."""
        rows = [self.tables.terrain.get(name) for name in names]
        return all(row and row[c].kind == "plus" for row in rows for c in self.classes)

    def _priced(self, *names: str, chart: str = "terrain") -> tuple[str, ...]:
        """``CostItem.about`` for a cost that is not exact: rows ``names``, or the whole chart if there are
        none. If the class may be one that the tables do not name, the chart of classes comes first."""
        if not self.complete.has("classes") and NO_CLASS in self.classes:
            return self.complete.about("classes")
        return ("cost", *names) if names else self.complete.about(chart)

    def _doubtful(self, names: Iterable[str]) -> Iterator[str]:
        for name in names:
            costs = self.tables.terrain.get(name)
            if costs is None or any(costs[c].kind in _OPEN for c in self.classes):
                yield name

    def by_class(self, costs: Costs, times: int = 1) -> CostInterval:
        """The cost of a row times ``times``, over all classes that the mover may be of."""
        return class_cost(costs, self.classes, self.scale, times)

    def crossing(self, side: Edge) -> tuple[CostItem, ...]:
        """The cost items of a hexside, one for each feature, and one for what else may be on it."""
        if not self.tables.hexsides and self.complete.has("hexsides"):
            return ()
        features, maybe = self.board.sides.get(side, ()), self.board.maybe_on(side)
        cost_items = self._sides.get((features, maybe))
        if cost_items is None:
            cost_items = self._sides[features, maybe] = tuple(
                self._side_cost_items(features, maybe)
            )
        if maybe != NONE:
            about = about_side(side)
            return tuple(
                t._replace(about=about) if t.about == ("hexsides",) else t for t in cost_items
            )
        return cost_items

    def _side_cost_items(self, features: tuple[str, ...], maybe: Names) -> Iterator[CostItem]:
        tables = self.tables
        charted = {*tables.hexsides, *tables.bridges}
        uncharted = [f for f in features if f not in charted]
        perhaps_uncharted = [f for f in sorted(maybe or ()) if f not in charted]
        for feature in features:
            side = self.tables.hexsides.get(feature)
            if side is not None:
                cost_item = self._side_cost_item(feature, side, features, maybe)
                # Such as a ferry, of which the chart says nothing: it may lead across.
                if uncharted:
                    cost, about = union(FREE, cost_item.cost), ("cost", *uncharted)
                    cost_item = cost_item._replace(cost=cost, about=about)
                elif perhaps_uncharted:
                    cost_item = cost_item._replace(
                        cost=union(FREE, cost_item.cost), about=("hexsides",)
                    )
                yield cost_item
            elif feature not in self.tables.bridges:
                yield CostItem(
                    ANYTHING,
                    "GEN-HEXSIDE",
                    feature,
                    "GEN-HEXSIDE-PROHIBITED",
                    "",
                    self._priced(feature),
                )
        if maybe != NONE:
            others = [
                s
                for name, s in self.tables.hexsides.items()
                if name not in features and may_be(name, maybe)
            ]
            costs = [union(FREE, self._bridged(side, features, maybe)) for side in others]
            if maybe is None:
                costs.append(self.complete.absent("hexsides"))
            cost = total((*costs, *(ANYTHING for _ in perhaps_uncharted)))
            yield CostItem(cost, "GEN-HEXSIDE", "hexside", about=("hexsides",))

    def _side_cost_item(
        self, feature: str, side: Hexside, features: tuple[str, ...], maybe: Names
    ) -> CostItem:
        cost = self._bridged(side, features, maybe)
        bridge = next((b for b in side.bridges if b in features), "")
        reason = f"{feature} with {bridge}" if bridge else feature
        text = f"crosses {'an unbridged ' if side.bridges else 'a '}{feature}, prohibited to {self.who}"
        unsure = (b for b in side.bridges if b in features and not self._exact(side.bridges[b]))
        priced = (feature, next(unsure, bridge)) if bridge else (feature,)
        about = self._priced(*priced) if maybe == NONE else ("hexsides",)
        others = {*features, *(maybe or ())} - {feature, *side.bridges}
        if (others or maybe is None) and not self.complete.has("hexsides"):
            # One of them may be a bridge that the row does not name.
            cost, about = ANYTHING, self.complete.about("hexsides")
        clause = "GEN-BRIDGE" if bridge else "GEN-HEXSIDE"
        return CostItem(cost, clause, reason, "GEN-HEXSIDE-PROHIBITED", text, about)

    def _exact(self, costs: Costs) -> bool:
        return self.by_class(costs).is_exact

    def _bridged(self, side: Hexside, features: tuple[str, ...], maybe: Names) -> CostInterval:
        """The cost of a feature, given the bridges that are there and those that may be. Of several bridges
        the cheapest counts."""
        own = self.by_class(side.cost)
        there = [self.by_class(costs) for name, costs in side.bridges.items() if name in features]
        perhaps = [
            self.by_class(costs)
            for name, costs in side.bridges.items()
            if name not in features and may_be(name, maybe)
        ]
        if all(cost.is_exact for cost in there):
            told = min(there, key=lambda t: (t.barred, t.whole, t.lo), default=own)
        else:
            told = union_all(there)
        return union_all((told, *perhaps))

    def _climb(self, origin: int | None, target: int | None) -> tuple[CostItem, ...]:
        if self.tables.levels is None:
            return ()
        rise = None if origin is None or target is None else target - origin
        cost_items = self._climbs.get(rise)
        if cost_items is None:
            cost_items = self._climbs[rise] = tuple(self._climb_cost_items(rise))
        return cost_items

    def _climb_cost_items(self, rise: int | None) -> Iterator[CostItem]:
        levels = self.tables.levels
        if levels is None or rise == 0:
            return
        if rise is None:
            whole = self.complete.has("levels")
            about: tuple[str, ...] = ("levels",) if whole else self.complete.about("levels")
            yield CostItem(ANYTHING, "GEN-LEVEL", "levels", about=about)
            return
        count, direction = abs(rise), "up" if rise > 0 else "down"
        reason = f"{count} level{'s' if count > 1 else ''} {direction}"
        text = f"goes {reason} in one step"
        cost = self.by_class(levels.up if rise > 0 else levels.down, count)
        about = self._priced(*((direction,) if self.complete.has("levels") else ()), chart="levels")
        yield CostItem(cost, "GEN-LEVEL", reason, "GEN-LEVEL-MOST", text, about)
        if levels.perhaps_most:
            yield CostItem(
                union(FREE, BARRED), "GEN-LEVEL-MOST", reason, "GEN-LEVEL-MOST", text, about
            )
        if levels.most is not None and count > levels.most:
            yield CostItem(BARRED, "GEN-LEVEL-MOST", reason, "GEN-LEVEL-MOST", text)

    def _road_cost_item(self, kind: str) -> CostItem:
        cost = road_cost(self.tables.roads[kind].cost, self.classes, self.scale)
        return CostItem(cost, "GEN-ROAD", f"along {kind}", about=self._priced(kind))

    def _extra_cost_items(self, on_road: bool) -> Iterator[CostItem]:
        for cost, on_roads, reason in self.extras:
            if on_roads or not on_road:
                yield CostItem(
                    cost, "GEN-SURCHARGE", reason, "GEN-SURCHARGE", reason, ("extra", reason)
                )

    def _least(self) -> int:
        """A lower bound for the cost of a step on this board, in 1/scale MP."""
        if self.tables.hexes:
            return self.scale
        kinds = {line.kind for line in self.board.lines} if self.whole_lines else set(self._roads)
        if not self.complete.has("steps"):
            return 0
        if not self.complete.has("roads") and not (
            self.whole_lines and kinds <= self._roads.keys()
        ):
            return 0
        costs = [t.cost for kind, t in self._roads.items() if kind in kinds]
        costs += (self.entering(here).cost for here in self.board.one_of_each_kind)
        replaced = (a.rule for a in self.applied if not a.rule.instead_of.isdisjoint(_BASE))
        costs += (self.by_class(rule.cost) if rule.cost else FREE for rule in replaced)
        return min((t.lo for t in costs if not t.barred and not t.whole), default=0)
