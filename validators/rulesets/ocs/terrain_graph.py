"""The hex entries of one mobility class by 6.1 and 6.2, without enemies."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from ....model.board import NONE, Board, Edge, Hex, Names, edge, may_be
from ....model.fact import MissingFact
from ....model.stanza import BLANK, Entry, pack_stanza
from ...concepts.charts import cheapest, class_cost, road_cost, terrain_cost
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
from ...cost_interval import ANYTHING, FREE, CostInterval, total, union, union_all
from ...ruleset import START, Tag, World
from .tables import BRIDGE, CLASSES, LAND, NUB, Hexside, Tables

OVER_BRIDGE = "a bridge"
"""``HexEntry.road`` of an entry over a bridge that no road uses."""
_TABLES = {"terrain": "terrain", "road": "roads"}
_PERHAPS = CostInterval(0, None, None)
"""The cost of something that may not be there and whose cost is not known: prohibited or from 0 up."""


class OcsTerrainGraph(TerrainGraph):
    """See :class:`~...concepts.hex_entries.TerrainGraph`.

    ``classes``: the mobility classes that the mover may be of. ``bridging``: whether engineers bridge rivers
    for it (6.2b-c); None: not known.
    """

    by_kind = True

    def __init__(
        self, board: Board, tables: Tables, classes: tuple[str, ...], bridging: bool | None
    ) -> None:
        who = " or ".join(c or "an unknown class" for c in classes)
        super().__init__(board, tables.scale, not tables.applies("6.2a-c"), who)
        self.tables = tables
        self.classes = classes
        self.bridging = bridging if tables.applies("6.2b-c") else False
        self._roads = {kind: self._road_cost_item(kind) for kind in sorted(tables.roads)}
        self._roads_in: dict[str, set[str]] = {}
        # Few of the many hexes and hexsides differ: each kind is worked out once.
        self._entered: dict[object, CostItem] = {}
        self._left: dict[object, CostItem] = {}
        self._crossed: dict[object, tuple[CostItem, ...]] = {}
        self._charted = {*tables.terrain, *(name + NUB for name in tables.terrain)}
        for line in board.lines:
            for name in line.hexes:
                self._roads_in.setdefault(name, set()).add(line.kind)
        self.least = self._least("favourable")
        self._least_adverse = self._least("adverse")

    def least_in(self, world: World) -> int:
        """No step costs less than this in a world."""
        return self.least if world == "favourable" else self._least_adverse

    def across(self, here: str, to: str) -> Iterator[HexEntry]:
        """Every entry from a hex into its neighbour, including prohibited ones: off the road, over a bridge,
        along each road that is or may be there."""
        origin, target = self.board.hexes[here], self.board.hexes[to]
        side = edge(here, to)
        entering, leaving = self.entering(target), self._back(origin)
        crossing = self._crossing(side)
        beside_road = self._beside_road(entering, here, to, side)
        yield hex_entry(to, "", (beside_road, leaving, *crossing))
        drawn = self._bridge_over(side)
        if drawn is not False:
            opens = self.tables.reading("bridge_opens")
            lifted = (_lifted(entering, opens), _lifted(leaving, opens))
            yield hex_entry(to, OVER_BRIDGE, (*lifted, *self._bridged(side)))
        for kind, sure, needs, tag in self._roads_across(here, to, side):
            road = self._roads[kind]
            if road.cost.barred is True:
                continue
            if not sure:
                maybe = road.cost._replace(barred=None)
                road = road._replace(cost=maybe, about=about_lines(self.board, here, to))
            beside = () if self.tables.applies("6.2b-b") else crossing
            yield hex_entry(to, kind, (road, *beside), needs, tag)
        drawn_kinds = [line.kind for line in self.board.lines_by_edge.get(side, ())]
        maybe_drawn = self.board.maybe_across(side)
        for kind in self._uncharted((*drawn_kinds, *sorted(maybe_drawn or ()))):
            yield hex_entry(
                to, kind, (CostItem(_PERHAPS, "OCS-6.2a-b", kind, about=("road cost", kind)),)
            )
        if maybe_drawn is None and self._more_roads():
            about = about_lines(self.board, here, to)
            yield hex_entry(to, "road", (CostItem(_PERHAPS, "OCS-6.2a-b", "a road", about=about),))

    def _uncharted(self, kinds: Iterable[str]) -> Iterator[str]:
        """Those of ``kinds`` that the chart does not have and that may be roads."""
        if self.tables.applies("6.2a-b"):
            yield from dict.fromkeys(kind for kind in kinds if kind not in self._roads)

    def _more_roads(self) -> bool:
        """Whether there may be kinds of road that the chart does not have."""
        return self.tables.applies("6.2a-b") and not self.tables.charts.has("roads")

    def _roads_across(
        self, here: str, to: str, side: Edge
    ) -> Iterator[tuple[str, bool, frozenset[Tag] | None, Tag]]:
        """(kind, whether it is certainly there, tags from which it is open, tag after it) for each road.

        None for the tags: it is open from any.
        """
        linked = self.tables.applies("6.2a-c")
        for kind, sure, node in roads_over(self.board, side, self._roads, not linked):
            if linked or not sure:
                yield kind, sure, None, START
            else:
                yield kind, sure, frozenset((node, OFF_ROAD)), node
        if not self.tables.applies("6.2a-a"):
            for kind in sorted(self._roads_in_both(here, to)):
                yield kind, True, None, START
            if not self.whole_lines:
                for kind in sorted(self._roads):
                    yield kind, False, None, START

    def rail_to(self, hex_name: str) -> bool:
        """Whether a line whose kind has "rail" in its name leads to a hex, or may lead there."""
        maybe = self.board.lines_maybe_in(hex_name)
        if maybe is None:  # a chart that is whole has every railroad of the game
            if not self.tables.charts.has("roads"):
                return True
            maybe = frozenset(self.tables.roads)
        kinds = {*self._roads_in.get(hex_name, ()), *maybe}
        return any("rail" in kind.lower() for kind in kinds)

    def _roads_in_both(self, here: str, to: str) -> set[str]:
        """The kinds of road that both hexes hold, whether or not such a road leads from one to the other."""
        both = self._roads_in.get(here, set()) & self._roads_in.get(to, set())
        return both & self._roads.keys()

    def _beside_road(self, entering: CostItem, here: str, to: str, side: Edge) -> CostItem:
        """``entering``, citing 6.2a on the bill where both hexes hold a road but none crosses the hexside."""
        if not self.tables.applies("6.2a-a") or side in self.board.lines_by_edge:
            return entering
        if not self._roads_in_both(here, to):
            return entering
        reason = f"{entering.reason}, no road followed"
        text = f"{entering.text} (no road is followed, OCS-6.2a-a)"
        return entering._replace(clause="OCS-6.2a-a", reason=reason, text=text)

    def _road_cost_item(self, kind: str) -> CostItem:
        cost = road_cost(self.tables.roads[kind], self.classes, self.scale)
        return CostItem(cost, "OCS-6.2a-b", f"along {kind}", about=("road cost", kind))

    def counted(self, names: tuple[str, ...]) -> tuple[str, ...]:
        """Those of the terrains in a hex that count, without the suffix " nub" (6.2d). A nub counts unless
        the tables ignore it."""
        tables, found = self.tables, dict[str, None]()
        for name in names:
            whole = name.removesuffix(NUB)
            ignored = whole in tables.ignored_nubs and tables.applies("6.2d-c")
            if name == whole or (tables.applies("6.2d-b") and not ignored):
                found[whole] = None
        return tuple(found)

    def entering(self, target: Hex) -> CostItem:
        """The cost of entering a hex by its terrain. If the hex is not fully known: the union over all
        terrain and features it may have."""
        if self.board.hex_known(target.name):
            return self._enter(target)
        names = self.tables.charts.names("terrain", self._charted)
        found = [self._enter(one) for one in self.board.completions(target.name, names)]
        if len(found) == 1 and self.board.maybe_in(target.name) is not None:
            return found[0]
        cost = union_all(cost_item.cost for cost_item in found)
        return found[0]._replace(cost=cost, about=about_hex(self.board, target.name))

    def _enter(self, target: Hex) -> CostItem:
        kind = _kind(target)
        found = self._entered.get(kind)
        if found is None:
            found = self._entered[kind] = self._entering(target)
        return found

    def _entering(self, target: Hex) -> CostItem:
        charts = self.tables.terrain
        terrain = None if target.terrain is None else self.counted(target.terrain)
        if terrain == ():  # nubs alone: each is all there is
            terrain = tuple(name.removesuffix(NUB) for name in target.terrain or ())
        features = tuple(f for f in self.counted(target.features) if f in charts)
        whole = self.tables.charts.has("terrain")
        mix = "dearest" if self.tables.applies("6.2d-a") else "cheapest"
        cost = union_all(
            terrain_cost(charts, c, terrain, features, self.scale, mix, whole=whole)  # type: ignore[arg-type]
            for c in self.classes
        )
        strange = [f for f in self.counted(target.features) if f not in charts and not whole]
        if strange:  # what they cost nobody has typed in yet
            cost = cost._replace(hi=None, barred=cost.barred or None)
        names = (*(terrain or ()), *features)
        what = " and ".join(names) if names else "a hex of unknown terrain"
        about: tuple[str, ...] = ("terrain cost", *self._doubtful((*names, *strange)))
        if not terrain:
            about = ("terrain", target.name)
        clause = "OCS-6.2d-a" if len(names) > 1 else "OCS-6.1a-a"
        text = f"enters {what}, prohibited to {self.who}"
        if self._rests_on_nubs(target, cost):
            clause, what = "OCS-6.2d-b", f"{what}, a nub counted"
            text += " (nubs count, OCS-6.2d-b)"
        elif len(names) > 1:
            text += " (the dearest counts, OCS-6.2d-a)"
        return CostItem(cost, clause, what, "OCS-6.2c-a", text, about)

    def _rests_on_nubs(self, target: Hex, cost: CostInterval) -> bool:
        """Whether a hex would cost something else without its nubs (6.2d)."""
        names = (*(target.terrain or ()), *target.features)
        if not any(name.endswith(NUB) for name in names):
            return False
        terrain = tuple(n for n in target.terrain or () if not n.endswith(NUB))
        features = tuple(n for n in target.features if not n.endswith(NUB))
        return self._enter(replace(target, terrain=terrain, features=features)).cost != cost

    def _doubtful(self, names: tuple[str, ...]) -> Iterator[str]:
        for name in names:
            costs = self.tables.terrain.get(name)
            if costs is None or any(costs[c].kind == "unknown" for c in self.classes):
                yield name

    def _back(self, origin: Hex) -> CostItem:
        """The prohibition to leave a hex that the mover could not enter again (6.1d); never a number."""
        kind = _kind(origin) if self.board.hex_known(origin.name) else origin.name
        found = self._left.get(kind)
        if found is None:
            found = self._left[kind] = self._leaving(origin)
        return found

    def _leaving(self, origin: Hex) -> CostItem:
        cost_item = self.entering(origin)
        barred = cost_item.cost.barred if self.tables.applies("6.1d-a") else False
        text = f"leaves {cost_item.reason}, prohibited to {self.who}, off the road"
        return CostItem(
            CostInterval(0, 0, barred),
            "OCS-6.1d-a",
            cost_item.reason,
            "OCS-6.1d-a",
            text,
            cost_item.about,
        )

    def _crossing(self, side: Edge) -> tuple[CostItem, ...]:
        """The cost items of the features of a hexside (6.2b, 6.2d)."""
        if not self.board.sides_known(side):  # each names its hexside
            return tuple(self._cost_items_across(side))
        features = self.board.sides.get(side, ())
        found = self._crossed.get(features)
        if found is None:
            found = self._crossed[features] = tuple(self._cost_items_across(side))
        return found

    def _cost_items_across(self, side: Edge) -> Iterator[CostItem]:
        tables, features, maybe = self.tables, self._features(side), self._maybe(side)
        charted = {name: tables.hexsides[name] for name in features if name in tables.hexsides}
        for name, feature in charted.items():
            if not feature.water:
                yield self._cost_item(name, self._own(feature), side)
        for name in features:
            if name not in charted and name not in (LAND, BRIDGE):
                yield self._cost_item(name, ANYTHING, side)
        water = {n: f for n, f in charted.items() if f.water and self._counts(f, features)}
        costs = {name: self._water(feature) for name, feature in water.items()}
        if len(water) > 1 and tables.applies("6.2d-w2"):
            costs = {" or ".join(water): cheapest(costs.values())}
        others = {n: f for n, f in tables.hexsides.items() if n not in charted and may_be(n, maybe)}
        # A shore beside it, or other water, may make it count for less.
        less = may_be(LAND, maybe) or any(feature.water for feature in others.values())
        bridgeable = self.bridging is not False and any(f.river for f in water.values())
        for name, cost in costs.items():
            cost_item = self._cost_item(name, union(FREE, cost) if less else cost, side)
            if LAND in features and tables.applies(
                "6.2d-w1"
            ):  # of water on a shore rivers alone count
                cost_item = cost_item._replace(
                    clause="OCS-6.2d-w3",
                    reason=f"{name}, which fills its hexside",
                    text=f"{cost_item.text} (rivers fill their hexsides, OCS-6.2d-w3)",
                )
            yield (
                cost_item._replace(about=("bridging", *cost_item.about))
                if bridgeable
                else cost_item
            )
        if maybe != NONE:
            own = [union(FREE, self._own(feature)) for feature in others.values()]
            untyped = maybe is None and not tables.charts.has("hexsides")
            cost = total((*own, *(ANYTHING for _ in self._strange(maybe or ()))))
            cost = union(FREE, ANYTHING) if untyped else cost
            yield CostItem(cost, "OCS-6.2b-a", "hexside", about=about_side(self.board, side))

    def _strange(self, names: Iterable[str]) -> list[str]:
        """Those of ``names`` that the chart of hexsides does not have, such as a ferry or a causeway."""
        known = {LAND, BRIDGE, *self.tables.hexsides}
        return [name for name in names if name not in known]

    def _maybe(self, side: Edge) -> Names:
        """What may lie on a hexside besides its known features; None: anything. A river's nub does not count
        as a feature (6.2d-w3)."""
        maybe = self.board.maybe_on(side)
        if not maybe:
            return maybe
        if self.tables.applies("6.2d-w3"):
            return frozenset(f for f in maybe if not f.endswith(NUB))
        return frozenset(f.removesuffix(NUB) for f in maybe)

    def _features(self, side: Edge) -> tuple[str, ...]:
        """The known features of a hexside. A river's nub does not count as one (6.2d-w3)."""
        features = self.board.sides.get(side, ())
        if self.tables.applies("6.2d-w3"):
            return tuple(dict.fromkeys(f for f in features if not f.endswith(NUB)))
        return tuple(dict.fromkeys(f.removesuffix(NUB) for f in features))

    def _counts(self, feature: Hexside, features: tuple[str, ...]) -> bool:
        """Whether a water feature counts. Where part of the hexside is land, only rivers count: they fill
        their hexside (6.2d)."""
        if LAND not in features or not self.tables.applies("6.2d-w1"):
            return True
        return feature.river and self.tables.applies("6.2d-w3")

    def _own(self, feature: Hexside) -> CostInterval:
        return class_cost(feature.cost, self.classes, self.scale)

    def _water(self, feature: Hexside) -> CostInterval:
        """The cost of a water feature. A river that engineers bridge costs less (6.2b-c)."""
        own = self._own(feature)
        if not feature.river or self.bridging is False:
            return own
        lowered = class_cost(feature.bridged, self.classes, self.scale)
        if lowered == ANYTHING:
            lowered = CostInterval(
                0, None if own.barred is not False else own.hi, own.barred and None
            )
        return lowered if self.bridging else union(own, lowered)

    def _cost_item(self, name: str, cost: CostInterval, side: Edge) -> CostItem:
        known = self.board.sides_known(side)
        about = ("hexside cost", *name.split(" or ")) if known else about_side(self.board, side)
        text = f"crosses a {name}, prohibited to {self.who}"
        return CostItem(cost, "OCS-6.2b-a", name, "OCS-6.2c-a", text, about)

    def _bridge_over(self, side: Edge) -> bool | None:
        """Whether there is a bridge over a hexside; None: perhaps, because not all features are known, or
        because a feature that the chart does not have (a ferry, a causeway) may serve as one."""
        features = self._features(side)
        if BRIDGE in features:
            return True
        maybe = self._maybe(side)
        if maybe is None or BRIDGE in maybe or self._strange((*features, *maybe)):
            return None
        return False

    def _bridged(self, side: Edge) -> Iterator[CostItem]:
        """The cost items of crossing a hexside over a bridge: as the chart has it; where the chart does not
        say, from 0 to the cost of the water."""
        features, maybe = self._features(side), self._maybe(side)
        for name in features:
            feature = self.tables.hexsides.get(name)
            if feature is not None and feature.water:
                own = self._own(feature)
                cost = class_cost(feature.bridge, self.classes, self.scale)
                if cost == ANYTHING:
                    cost = CostInterval(0, own.hi if own.barred is False else None)
                cost_item = self._cost_item(f"{name} with a bridge", cost, side)
                yield cost_item._replace(about=("bridge cost", name))
            elif name not in (LAND, BRIDGE):
                own = ANYTHING if feature is None else self._own(feature)
                yield self._cost_item(name, union(FREE, own), side)
        more = any(n not in features and may_be(n, maybe) for n in self.tables.hexsides)
        if more or (maybe != NONE and not self._bridge_over(side)):
            yield CostItem(_PERHAPS, "OCS-6.2b-a", "bridge", about=about_side(self.board, side))

    def cost_of(self, table: str, *names: str) -> MissingFact:
        """The question about cells of a chart that are not known.

        ``table``: ``terrain``, ``road`` or ``hexside``; ``bridge``: the cost of a hexside over a bridge;
        ``bridged``: its cost where engineers bridge it. ``names``: the rows.
        """
        classes = [name for name in self.classes if name in CLASSES] or CLASSES
        blanks: Entry = dict.fromkeys(classes, BLANK)
        rows: dict[str, Entry] = {}
        for name in names:
            if table in ("terrain", "road"):
                rows[name] = blanks
                continue
            feature = self.tables.hexsides.get(name)
            row: dict[str, Entry] = {"cost" if table == "hexside" else table: blanks}
            if feature is not None:
                if table != "hexside" and all(c.kind == "unknown" for c in feature.cost.values()):
                    row["cost"] = "unknown"
                row |= {k: True for k in ("water", "river") if getattr(feature, k)}
            rows[name] = row
        said = {"bridge": " with a bridge", "bridged": " bridged by engineers"}.get(table, "")
        what = ", ".join(f"{name}{said}" for name in names)
        return MissingFact(
            f"cost of {what} for {self.who}",
            f"what does {what} cost {self.who} units?",
            "facts.toml",
            pack_stanza("rules", _TABLES.get(table, "hexsides"), entry=rows),
        )

    def _least(self, world: World) -> int:
        """A lower bound for the cost of a step on this board in a world, in 1/scale MP: the least cost of a
        road or a hex; 0 if a road or a bridge may cost anything."""
        board = self.board
        named = board.line_kinds
        kinds = named if None not in board.exceptions.lines.values() else self._roads.keys()
        if "lines" not in board.complete:
            kinds = self._roads.keys()
        costs = {self._roads[kind].cost for kind in kinds & self._roads.keys()}
        costs |= {self.entering(here).cost for here in self.board.hexes.values()}
        if world == "adverse":
            sure = [t.hi for t in costs if t.barred is False and t.hi is not None]
            return min(sure, default=0)
        if self._opened_by_bridges() or any(self._uncharted(named)):
            return 0
        if not self.whole_lines and self._more_roads():
            return 0
        return min((t.lo for t in costs if not t.barred), default=0)

    def _opened_by_bridges(self) -> bool:
        """Whether there may be a bridge into or out of a prohibited hex: its cost is not known."""
        board = self.board
        if "hexsides" not in board.complete:
            return any(self._closed(name) for name in board.hexes)
        sides = {*board.sides, *board.exceptions.sides}
        over = (side for side in sides if self._bridge_over(side) is not False)
        return any(self._closed(name) for side in over for name in side)

    def _closed(self, name: str) -> bool:
        return self.entering(self.board.hexes[name]).cost.barred is True


def _kind(place: Hex) -> object:
    """Key of all that the cost of a hex depends on. The hex's name if its terrain is not known, because the
    question then names the hex."""
    return place.name if place.terrain is None else (place.terrain, place.features)


def _lifted(cost_item: CostItem, opens: bool | None) -> CostItem:
    """The cost item of a hex at the end of a bridge. Whether a bridge opens a prohibited hex (``opens``)
    depends on the reading of 6.2c-a; None: the reading is not settled."""
    if cost_item.cost.barred is not True or opens is False:
        return cost_item
    return cost_item._replace(cost=FREE if opens else _PERHAPS, about=("bridge",))
