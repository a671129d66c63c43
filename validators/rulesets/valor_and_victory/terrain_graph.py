"""The terrain graph for one column of the chart, by sections 6.2 and 10, without enemies."""

from __future__ import annotations

from collections.abc import Iterator

from ....model.board import NONE, Edge, Hex, edge, may_be
from ....model.game import Game
from ...answers import answer
from ...concepts.charts import class_cost, closes_some, terrain_cost
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
from ...cost_interval import ANYTHING, BARRED, FREE, WHOLE, CostInterval, total, union, union_all
from .ruleset_facts import counts_as_road, kind_of_hex
from .tables import AFV, DRIVEN, GUN, INFANTRY, VEHICLE, Tables

BRIDGE, ROAD = "bridge", "road"
LEVELS = (0, 1, 2)


class VvTerrainGraph(TerrainGraph):
    """Every hex entry for movers of one column of the chart.

    ``column``: one of :data:`.tables.COLUMNS`. ``one_hex``: the clause by which the move is one hex long and
    MPs do not count, '' if they count. ``climbs``: whether the mover may go two levels at once.
    ``wire``: by hex, True if it has barbed wire, None if it may have; other hexes are left out.
    """

    def __init__(
        self, game: Game, tables: Tables, column: str, one_hex: str = "", climbs: bool = False
    ) -> None:
        board = game.board
        self.game = game
        super().__init__(board, tables.scale, False, _WHO[column])
        self.tables = tables
        self.column = column
        self.one_hex = one_hex
        self._climbs = climbs
        roads = (line for line in board.lines if self._is_road(line.kind))
        self._roads = {name for line in roads for name in line.hexes}
        self._tracks = {name: line.kind for line in board.lines for name in line.hexes}
        """By hex, the kind of a line through it that may be a road under another name. If there are several,
        one of them."""
        self._tracks = {n: k for n, k in self._tracks.items() if self._may_be_road(k)}
        told = {here.name: self.has(here, tables.works.wire) for here in board.hexes.values()}
        self.wire = {name: there for name, there in told.items() if there is not False}
        self.least = tables.scale if tables.applies("6.2-a") or one_hex else 0

    def across(self, here: str, to: str) -> Iterator[HexEntry]:
        """The one entry from a hex into its neighbour, including a prohibited one."""
        origin, target = self.board.hexes[here], self.board.hexes[to]
        side = edge(here, to)
        cost_items = (
            self.entering(target),
            *self._onto_bridge(target, side),
            *self._crossing(side),
            *self._rising(origin, target),
            *self._works(target),
            *self._wire(target),
        )
        if self.one_hex:
            cost_items = (
                *map(_numberless, cost_items),
                CostItem(_one(self.scale), self.one_hex, "one hex"),
            )
        yield hex_entry(to, "", cost_items)

    def between(self, here: str, to: str) -> HexEntry:
        """The entry from a hex into its neighbour."""
        return next(found for found in self.entries(here) if found.to == to)

    def into(self, name: str) -> CostInterval:
        """The cost of entering a hex from off the map, in 1/scale MP."""
        target = self.board.hexes[name]
        return total(t.cost for t in (self.entering(target), *self._works(target)))

    def has(self, target: Hex, names: frozenset[str]) -> bool | None:
        """Whether any of ``names`` is in a hex; None if not known."""
        found = self.board.has(target.name, names)
        return None if found is False and not self.board.hex_told(target.name) else found

    def entering(self, target: Hex) -> CostItem:
        """The cost item of the terrain of a hex. A bridge replaces the terrain under it (10.31). By the rules
        a hex has one terrain. So the cost of a hex with several terrains, or with a road through it, is the
        union over all of them, unless the facts say which one counts."""
        terrain = target.terrain
        if terrain is not None and BRIDGE in terrain and self.tables.applies("10.31-a"):
            terrain = (BRIDGE,)
        kind = kind_of_hex(self.game, target.name) if terrain else None
        if terrain and kind is not None:
            terrain = (str(kind),)
        cost = union_all(self._cost((name,)) for name in terrain) if terrain else self._cost(None)
        several = terrain is not None and len(terrain) > 1
        road = target.name in self._roads and kind is None
        unsure = terrain is not None and kind is None and self._perhaps_road(target.name)
        about: tuple[str, ...] = ("terrain", target.name)
        some = cost.barred is False or road or "building" in (terrain or ())
        if several and not cost.is_exact:
            about = ("reading", target.name)
        elif terrain and some and (road or unsure) and terrain != (BRIDGE,):
            cheap = class_cost(self.tables.terrain[ROAD], (self.column,), self.scale)
            about = ("reading", target.name) if road else about_lines_in(self.board, target.name)
            cost = union(cost, cheap) if cost != cheap else cost
        elif terrain and some and kind is None and target.name in self._tracks:
            cheap = class_cost(self.tables.terrain[ROAD], (self.column,), self.scale)
            if cost != cheap and terrain != (BRIDGE,):
                cost, about = union(cost, cheap), ("track", self._tracks[target.name])
        elif terrain and not cost.is_exact:
            about = ("cost", *(n for n in terrain if n not in self.tables.terrain))
        what = " and ".join(terrain) if terrain else "a hex of unknown terrain"
        clause = self._closing(terrain or ())
        text = f"enters {what}, closed to {self.who}"
        return CostItem(cost, "VV-6.2-a", what, clause, text, about)

    def _is_road(self, kind: str) -> bool:
        """Whether a kind of line is certainly a road."""
        return kind == ROAD or answer(self.game, counts_as_road(kind)) is True

    def _may_be_road(self, kind: str) -> bool:
        """Whether a kind of line that the rules do not name may be a road under another name: the facts do
        not say, and the pack does not call all charts complete."""
        whole = self.tables.complete.charts is None
        return kind != ROAD and not whole and answer(self.game, counts_as_road(kind)) is None

    def _perhaps_road(self, name: str) -> bool:
        """Whether a road that is not drawn, or a line that may be one, may lead through a hex."""
        maybe = self.board.lines_maybe_in(name)
        return maybe is None or any(self._is_road(k) or self._may_be_road(k) for k in maybe)

    def closes_some(self) -> bool:
        """See :class:`~...concepts.hex_entries.TerrainGraph`."""
        return closes_some(self.tables.terrain.values(), (self.column,))

    def _cost(self, terrain: tuple[str, ...] | None) -> CostInterval:
        """The cost of a terrain by the chart, in 1/scale MP; ``terrain`` None: not known."""
        found = terrain_cost(self.tables.terrain, self.column, terrain, (), self.scale)
        least = self.least if not self.one_hex else 0  # a hex entered costs at least one MP
        number = not found.barred and not found.whole
        return found._replace(lo=max(found.lo, least)) if number else found

    def _closing(self, terrain: tuple[str, ...]) -> str:
        """The clause by which terrain is closed: that of buildings, or that of impassable terrain."""
        closed = [n for n in terrain if self.tables.terrain.get(n, {}).get(self.column) is not None]
        shut = [n for n in closed if self.tables.terrain[n][self.column].kind == "prohibited"]
        return "VV-10.4-a" if "building" in shut or not shut else "VV-10.11-a"

    def _onto_bridge(self, target: Hex, side: Edge) -> Iterator[CostItem]:
        """The prohibition for vehicles and guns to enter a bridge hex otherwise than by its road (10.31)."""
        if self.column == INFANTRY or not self.tables.applies("10.31-a"):
            return
        bridge = self.has(target, frozenset((BRIDGE,)))
        if bridge is False:
            return
        drawn = {line.kind for line in self.board.lines_by_edge.get(side, ())}
        if ROAD in drawn:
            return
        # A line of another kind may be a road too, for example a track; the facts may say so.
        said = {kind: answer(self.game, counts_as_road(kind)) for kind in sorted(drawn)}
        if True in said.values():
            return
        asked_of = [kind for kind, told in said.items() if told is None]
        sure = bridge and not asked_of and self.board.lines_known(side)
        text = "enters a bridge hex otherwise than by its road"
        about = about_lines(*side) if bridge else self.asked_of(target)
        if bridge and asked_of:
            about = ("track", asked_of[0])
        cost = BARRED if sure else CostInterval(0, 0, None)
        yield CostItem(cost, "VV-10.31-a", text, "VV-10.31-a", text, about)

    def _crossing(self, side: Edge) -> Iterator[CostItem]:
        """The cost items of the features of a hexside."""
        chart = self.tables.hexsides
        drawn, maybe = self.board.sides.get(side, ()), self.board.maybe_on(side)
        for name in drawn:
            known = name in chart
            cost = class_cost(chart[name], (self.column,), self.scale) if known else ANYTHING
            yield CostItem(cost, "VV-6.2-b", name, about=("side cost", name))
        if maybe != NONE:
            rows = [c for name, c in chart.items() if name not in drawn and may_be(name, maybe)]
            others = [union(FREE, class_cost(c, (self.column,), self.scale)) for c in rows]
            others += [ANYTHING for name in maybe or () if name not in chart]
            if maybe is None:
                others.append(self.tables.complete.absent("hexsides"))
            yield CostItem(total(others), "VV-6.2-b", "hexside", about=about_side(side))

    def _rising(self, origin: Hex, target: Hex) -> Iterator[CostItem]:
        """The cost item of going up, or of going two levels at once (10.7); nothing if it is certainly
        free."""
        before, after = self._levels(origin), self._levels(target)
        costs = {self._rise(b - a) for a in before for b in after}
        if costs == {FREE}:
            return
        lacking = origin if len(before) > 1 else target
        cost = union_all(sorted(costs, key=repr))
        two = cost.barred or cost.whole
        clause = "VV-10.7-b" if two else "VV-10.7-a"
        text = f"goes two levels at once, closed to {self.who}"
        if self.column == INFANTRY:
            text = "goes two levels at once by assault movement"
        yield CostItem(cost, clause, "uphill", "VV-10.7-b", text, ("levels", lacking.name))

    def _levels(self, here: Hex) -> tuple[int, ...]:
        """The levels that a hex may have."""
        level = self.board.level_of(here.name)
        return LEVELS if level is None else (level,)

    def _rise(self, levels: int) -> CostInterval:
        """The cost of going up by ``levels``; negative: down."""
        if levels == 1:
            up = self.tables.uphill * self.scale if self.tables.applies("10.7-a") else 0
            return CostInterval(up, up)
        if abs(levels) < 2 or not self.tables.applies("10.7-b"):
            return FREE
        if not self._climbs:
            return BARRED
        return FREE if self.one_hex else WHOLE

    def _works(self, target: Hex) -> Iterator[CostItem]:
        """The cost items of fortifications and entrenchments in a hex (20.3), and of features that the tables
        do not list and that may be such."""
        known = self.tables.features.union(self.tables.terrain)
        told = known.issuperset(target.features)
        perhaps = known.issuperset(self.board.maybe_in(target.name) or ())
        if not self.tables.complete.has("works") and not (told and perhaps):
            works = self.tables.complete.about("works")
            about = self.asked_of(target) if told else works
            yield CostItem(CostInterval(0, None, None), "VV-20.3-a", "fortification", about=about)
        there = self.has(target, self.tables.works.fortifications)
        if there is False or not self.tables.applies("20.3-a"):
            return
        more = self.tables.works.surcharge * self.scale
        pays = self.tables.vehicles_pay_works if self.column in DRIVEN else "yes"
        if pays == "no":
            return
        cost = CostInterval(more if there and pays == "yes" else 0, more)
        about = ("works",) if there and pays == "open" else self.asked_of(target)
        yield CostItem(cost, "VV-20.3-a", "fortification", about=about)

    def _wire(self, target: Hex) -> Iterator[CostItem]:
        """The prohibition for unarmored vehicles to enter barbed wire (20.8)."""
        if self.column != VEHICLE or not self.tables.applies("20.8-a"):
            return
        there = self.has(target, self.tables.works.wire)
        if there is not False:
            text = "enters barbed wire, closed to vehicles"
            cost = BARRED if there else CostInterval(0, 0, None)
            yield CostItem(cost, "VV-20.8-a", text, "VV-20.8-a", text, self.asked_of(target))

    def asked_of(self, target: Hex) -> tuple[str, ...]:
        """``CostItem.about`` for what is not known of a hex: what else may be in it, else its terrain."""
        open_one = not self.board.hex_known(target.name)
        return about_hex(self.board, target.name) if open_one else ("terrain", target.name)


_WHO = {INFANTRY: "infantry", GUN: "guns", AFV: "AFVs", VEHICLE: "vehicles"}


def _one(scale: int) -> CostInterval:
    return CostInterval(scale, scale)


def _numberless(cost_item: CostItem) -> CostItem:
    """``cost_item`` without its MPs, for a move in which they do not count. Its prohibition stays."""
    barred = cost_item.cost.barred
    return cost_item._replace(cost=CostInterval(0, 0, barred))
