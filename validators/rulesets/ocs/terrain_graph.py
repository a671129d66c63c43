"""The hex entries of one mobility class by 6.1 and 6.2, without enemies."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ....model.board import Board, Edge, Hex, edge
from ....model.fact import MissingFact
from ....model.stanza import BLANK, Entry, pack_stanza
from ...concepts.charts import closes_some, road_cost
from ...concepts.hex_entries import (
    OFF_ROAD,
    CostItem,
    HexEntry,
    TerrainGraph,
    about_lines,
    hex_entry,
    roads_over,
)
from ...cost_interval import FREE, CostInterval
from ...ruleset import START, Tag, World
from .hex_terrain import HexTerrain, kind_of_hex
from .hexside_features import HexsideFeatures
from .tables import CLASSES, Tables

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
        self._hex_terrain = HexTerrain(board, tables, classes, self.scale, who)
        self._hexsides = HexsideFeatures(board, tables, classes, self.bridging, self.scale, who)
        self._left: dict[object, CostItem] = {}
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
        crossing = self._hexsides.cost_items(side)
        beside_road = self._beside_road(entering, here, to, side)
        yield hex_entry(to, "", (beside_road, leaving, *crossing))
        drawn = self._hexsides.has_bridge(side)
        if drawn is not False:
            opens = self.tables.reading("bridge_opens")
            lifted = (_lifted(entering, opens), _lifted(leaving, opens))
            yield hex_entry(to, OVER_BRIDGE, (*lifted, *self._hexsides.cost_items_by_bridge(side)))
        for kind, sure, needs, tag in self._roads_across(here, to, side):
            road = self._roads[kind]
            if road.cost.barred is True:
                continue
            if not sure:
                maybe = road.cost._replace(barred=None)
                road = road._replace(cost=maybe, about=about_lines(here, to))
            beside = () if self.tables.applies("6.2b-b") else crossing
            yield hex_entry(to, kind, (road, *beside), needs, tag)
        drawn_kinds = [line.kind for line in self.board.lines_by_edge.get(side, ())]
        maybe_drawn = self.board.maybe_across(side)
        for kind in self._uncharted((*drawn_kinds, *sorted(maybe_drawn or ()))):
            yield hex_entry(
                to, kind, (CostItem(_PERHAPS, "OCS-6.2a-b", kind, about=("road cost", kind)),)
            )
        if maybe_drawn is None and self._more_roads():
            about = about_lines(here, to)
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

    def entering(self, target: Hex) -> CostItem:
        """The cost of entering a hex by its terrain (6.1a, 6.2d)."""
        return self._hex_terrain.cost_item(target)

    def closes_some(self) -> bool:
        """See :class:`~...concepts.hex_entries.TerrainGraph`."""
        return closes_some(self.tables.terrain.values(), self.classes)

    def _back(self, origin: Hex) -> CostItem:
        """The prohibition to leave a hex that the mover could not enter again (6.1d); never a number."""
        kind = kind_of_hex(origin) if self.board.hex_known(origin.name) else origin.name
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
        over = (side for side in sides if self._hexsides.has_bridge(side) is not False)
        return any(self._closed(name) for side in over for name in side)

    def _closed(self, name: str) -> bool:
        return self.entering(self.board.hexes[name]).cost.barred is True


def _lifted(cost_item: CostItem, opens: bool | None) -> CostItem:
    """The cost item of a hex at the end of a bridge. Whether a bridge opens a prohibited hex (``opens``)
    depends on the reading of 6.2c-a; None: the reading is not settled."""
    if cost_item.cost.barred is not True or opens is False:
        return cost_item
    return cost_item._replace(cost=FREE if opens else _PERHAPS, about=("bridge",))
