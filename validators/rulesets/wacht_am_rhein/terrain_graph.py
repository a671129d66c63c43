"""The terrain graph of one kind of mover by 5.4 and 5.6: every entry across every hexside, tactically and
by road. Other units and water are not included."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Any, NamedTuple

from ....model.board import NONE, Board, Edge, edge, may_be
from ...concepts.charts import Costs, class_cost, closes_some, terrain_cost
from ...concepts.completeness import Completeness
from ...concepts.hex_entries import CostItem, about_hex, about_lines, about_lines_in
from ...cost_interval import FREE, CostInterval, optional, total, union_all
from ...ruleset import World
from .constricted_terrain import ConstrictedTerrain
from .tables import (
    CONSTRICTED,
    DASHED,
    JUNCTION_UNKNOWN,
    NO_JUNCTION,
    ROADS,
    Tables,
)
from .water import OPEN, PERHAPS_BARRED, Traits, Waters

BY_ROAD = "as clear, by road"
"""``WarHexEntry.road`` of a Leg unit that crosses a road hexside in tactical movement and pays as for clear
terrain (5.4.1)."""
ANY_NODE = "*"
"""The node of a road in a hex where it is not known which roads meet: it meets all of them. In the
favourable world only."""


class WarHexEntry(NamedTuple):
    """One way to enter a hex across one hexside. ``road``: the kind of road, '' off the road; ``line``: the
    index of the road in ``board.lines``, -1 if it is not drawn; ``at_water``: there is, or may be, a
    hexside feature to pay for, see :class:`.water.Waters`; ``entered``: the constricted-terrain tag after
    it, see :class:`WarTerrainGraph`. Costs in 1/scale MP."""

    to: str
    road: str
    cost_items: tuple[CostItem, ...]
    cost: CostInterval
    side: Edge
    at_water: bool
    line: int = -1
    entered: str = ""


class WarTerrainGraph:
    """Every hex entry of a board for one kind of mover.

    The constricted-terrain tag of a mover is the hex it came from if it stands in a hex that is or may be
    constricted and entered it along a dashed line; '' if it entered otherwise; None if it has not moved yet
    (5.4.4b).
    """

    def __init__(
        self,
        board: Board,
        tables: Tables,
        traits: Traits,
        junctions: Mapping[str, bool | None] = MappingProxyType({}),
    ) -> None:
        """``junctions``: by hex, whether its roads meet there by the facts; None if the facts leave it
        open."""
        self.board, self.tables, self.traits = board, tables, traits
        self.junctions = junctions
        self.scale = tables.scale
        self.waters = Waters(board, tables, traits)
        self.constricted = ConstrictedTerrain(board, tables, traits)
        self._index = {id(line): index for index, line in enumerate(board.lines)}
        self._on_road: set[str] = set()
        for line in board.lines:
            if line.kind in ROADS:
                self._on_road.update(line.hexes)
        self._tactical: dict[tuple[str, str | None], tuple[WarHexEntry, ...]] = {}
        self._roads: dict[tuple[str, bool], tuple[WarHexEntry, ...]] = {}
        self._entering: dict[str, CostItem] = {}
        self.undisturbed_steps: dict[Hashable, dict[tuple[str, Hashable], Any]] = {}
        """Steps shared by the movement graphs over this terrain graph, by kind of movement graph, then by
        (hex, tag)."""
        self._kept: dict[Hashable, dict[Hashable, Any]] = {}
        self.least_tactical, self.least_road = self._least()
        self.next_to_enemies = self._number(tables.adjacent)
        self.next_to_fieldworks = self._number(tables.fieldworks)

    def kept_for(self, move_kind: Hashable) -> dict[Hashable, Any]:
        """The cache of steps shared by all movers with this ``move_kind``."""
        return self._kept.setdefault(move_kind, {})

    def _number(self, costs: Costs) -> CostInterval:
        """The cost of a chart row without its prohibition."""
        cost = class_cost(costs, (self.traits.mover,), self.scale)
        return CostInterval(cost.lo, cost.hi)

    def has_road(self, hex_name: str) -> bool | None:
        """Whether a road is in a hex; None if one may be."""
        if hex_name in self._on_road:
            return True
        maybe = self.board.lines_maybe_in(hex_name)
        return None if any(may_be(kind, maybe) for kind in ROADS) else False

    def road_over(self, side: Edge) -> bool | None:
        """Whether a road of any kind crosses a hexside; None if one may."""
        if self.waters.roads(side):
            return True
        return None if self.waters.may_have_road(side) else False

    def tactical(self, here: str, entered: str | None) -> tuple[WarHexEntry, ...]:
        """Every tactical entry out of a hex, including prohibited ones. ``entered``: the
        constricted-terrain tag."""
        key = (here, "" if self.constricted.is_constricted(here) is False else entered)
        found = self._tactical.get(key)
        if found is None:
            found = self._tactical[key] = tuple(
                p for to in self.board.neighbours(here) for p in self._cross(here, to, key[1])
            )
        return found

    def _cross(self, here: str, to: str, entered: str | None) -> Iterator[WarHexEntry]:
        side = edge(here, to)
        into = self.constricted.is_on_line(to, here)
        after = ""
        if self.constricted.is_constricted(to) is not False and into is not False:
            after = here
        at_water = self.waters.counts(side)
        tight = self.constricted.cost_items(here, to, entered, into, by_road=False)
        cost_items = _kept((self.entering(to), *self._night(), *tight))
        yield WarHexEntry(
            to, "", cost_items, total(t.cost for t in cost_items), side, at_water, -1, after
        )
        road = self.road_over(side)
        if self.traits.is_mech or road is False or not self.tables.applies("5.4.1-a"):
            return
        tight = self.constricted.cost_items(here, to, entered, into, by_road=True)
        spared = () if self.tables.applies("5.9-c") else self._night()
        unsure: tuple[CostItem, ...] = ()
        if road is None:
            unsure = (CostItem(PERHAPS_BARRED, "WAR-5.4.1-a", "road", about=about_lines(here, to)),)
        cost_items = _kept((self._as_clear(), *spared, *tight, *unsure))
        yield WarHexEntry(
            to, BY_ROAD, cost_items, total(t.cost for t in cost_items), side, at_water, -1, after
        )

    def entering(self, name: str) -> CostItem:
        """The cost item of a hex's terrain off the road."""
        found = self._entering.get(name)
        if found is None:
            found = self._entering[name] = self._enter(name)
        return found

    def may_be_closed(self, name: str) -> bool:
        """See :class:`~...ruleset.KnowsClosedHexes`."""
        on_line = any(name in line.hexes for line in self.board.lines)
        barred = self.entering(name).cost.barred
        told = self.board.hexes[name].terrain is not None and self.board.hex_known(name)
        closes = closes_some(self.tables.terrain.values(), (self.traits.mover,))
        return not on_line and bool(barred or (barred is None and not told and closes))

    def _enter(self, name: str) -> CostItem:
        tables, traits = self.tables, self.traits
        here = self.board.hexes[name]
        charts = tables.terrain
        features = self._priced(here.features)
        every = self.board.completions(name, tables.complete.names("terrain", charts))
        mix = "dearest" if tables.applies("5.0-j") else "cheapest"
        cost = OPEN
        if traits.charts is True:
            cost = union_all(
                terrain_cost(
                    charts,
                    traits.mover,
                    one.terrain,
                    self._priced(one.features),
                    self.scale,
                    mix,  # type: ignore[arg-type]
                    whole=tables.complete.has("terrain"),
                )._replace(whole=False)
                for one in every
            )
        if tables.reading("offroad_least") == "half" and cost.barred is not True:
            cost = cost._replace(lo=max(cost.lo, self.scale // 2))
        names = (*(here.terrain or ()), *features)
        what = " and ".join(names) if names else "a hex of unknown terrain"
        about = self._about(name, names, self.board.hex_known(name))
        clause = "WAR-5.0-j" if len(names) > 1 else "WAR-5.7.0-b"
        text = f"enters {what}, prohibited to {traits.mover}"
        return CostItem(cost, clause, what, "WAR-5.7.0-b", text, about)

    def _priced(self, features: tuple[str, ...]) -> tuple[str, ...]:
        """The features of a hex that have, or may have, a row in the terrain chart. If the chart is not
        complete, all features count except those that a clause covers."""
        charts = self.tables.terrain
        if self.tables.complete.has("terrain"):
            return tuple(f for f in features if f in charts)
        return tuple(f for f in features if f in charts or f not in _NEVER_PRICED)

    def _about(self, name: str, names: tuple[str, ...], known: bool) -> tuple[str, ...]:
        if self.traits.charts is not True:
            return ("ground",)
        if not known:
            return about_hex(self.board, name)
        charts = self.tables.terrain
        doubtful = (
            n for n in names if n not in charts or charts[n][self.traits.mover].kind in _OPEN_CELLS
        )
        return ("cost", *doubtful)

    def _as_clear(self) -> CostItem:
        clear = self.tables.clear
        row = self.tables.terrain.get(clear)
        cost = OPEN if row is None else self.waters.chart(row)
        about = ("cost", clear) if self.traits.charts is True else ("ground",)
        return CostItem(cost, "WAR-5.4.1-a", f"{clear} by road", about=about)

    def _night(self) -> tuple[CostItem, ...]:
        if self.traits.night is False or not self.tables.applies("5.9-a"):
            return ()
        cost = optional(CostInterval(self.scale, self.scale), self.traits.night)
        return (CostItem(cost, "WAR-5.9-a", "night", about=("condition", "night")),)

    def by_road(self, here: str, moved: bool) -> tuple[WarHexEntry, ...]:
        """Every entry along a road out of a hex, for any road the mover may be on. ``moved``: whether it
        has moved already."""
        key = (here, moved and self.constricted.is_constricted(here) is not False)
        found = self._roads.get(key)
        if found is None:
            found = self._roads[key] = tuple(
                p for to in self.board.neighbours(here) for p in self._along_roads(here, to, moved)
            )
        return found

    def _along_roads(self, here: str, to: str, moved: bool) -> Iterator[WarHexEntry]:
        side = edge(here, to)
        at_water = self.waters.counts(side)
        tight = _kept(self.constricted.by_road(here, to, moved))
        drawn: set[str] = set()
        for line in self.board.lines_by_edge.get(side, ()):
            if line.kind in ROADS:
                drawn.add(line.kind)
                cost_items = (*self._paved(line.kind), *tight)
                cost = total(t.cost for t in cost_items)
                yield WarHexEntry(
                    to, line.kind, cost_items, cost, side, at_water, self._index[id(line)]
                )
        maybe = self.board.maybe_across(side)
        for kind in ROADS:
            if maybe != NONE and may_be(kind, maybe):
                unsure = CostItem(PERHAPS_BARRED, "WAR-5.6.0-e", kind, about=about_lines(here, to))
                cost_items = (*self._paved(kind), *tight, unsure)
                yield WarHexEntry(
                    to, kind, cost_items, total(t.cost for t in cost_items), side, at_water
                )

    def _paved(self, kind: str) -> tuple[CostItem, ...]:
        cost = self.waters.chart(self.tables.roads[kind])
        about = ("cost", kind) if self.traits.charts is True else ("ground",)
        spared = self._night() if not self.tables.applies("5.9-b") else ()
        return (CostItem(cost, "WAR-5.6.0-e", f"along a {kind} road", about=about), *spared)

    def node(self, entry: WarHexEntry, at: str, world: World) -> Hashable:
        """The node of a road in the hex ``at``: roads with the same node meet there, and :data:`ANY_NODE`
        meets all."""
        if entry.line < 0 or not self.tables.applies("5.6.1-b"):
            return ANY_NODE if world == "favourable" else (at, "?")
        features, maybe = self.board.hexes[at].features, self.board.maybe_in(at)
        own = ("line", entry.line)
        told = self.junctions.get(at)
        if told is not None:
            return "+" if told else own
        if NO_JUNCTION in features:
            return own
        unknown = any(may_be(feature, maybe) for feature in (NO_JUNCTION, JUNCTION_UNKNOWN))
        if unknown or JUNCTION_UNKNOWN in features or self.board.lines_maybe_in(at) != NONE:
            return ANY_NODE if world == "favourable" else own
        return "+" if self.board.lines[entry.line].junctions else own

    def about_junction(self, at: str) -> tuple[str, ...]:
        """What to ask about the roads that meet in a hex."""
        maybe = self.board.maybe_in(at)
        if may_be(NO_JUNCTION, maybe):
            return about_hex(self.board, at)
        known = self.board.lines_maybe_in(at) == NONE
        return ("junction", at) if known else about_lines_in(self.board, at)

    def _least(self) -> tuple[int, int]:
        """The least cost of a step, in 1/scale MP: (tactically, by road)."""
        costs = [self.entering(name).cost for name in self.board.hexes]
        if not self.traits.is_mech:
            costs.append(self._as_clear().cost)
        tactical = min((t.lo for t in costs if t.barred is not True), default=0)
        roads = (self.waters.chart(self.tables.roads[kind]).lo for kind in ROADS)
        return tactical, min(roads)


_NEVER_PRICED = frozenset({CONSTRICTED, NO_JUNCTION, JUNCTION_UNKNOWN})
_OPEN_CELLS = ("unknown", "between")


def _kept(cost_items: Iterator[CostItem] | tuple[CostItem, ...]) -> tuple[CostItem, ...]:
    return tuple(t for t in cost_items if t.cost != FREE)


def with_open_lines(board: Board, complete: Completeness) -> Board:
    """``board``, changed if the chart of roads is not complete. A line of a kind that the rules do not name,
    or one that may be there, may then be any road or a dashed line, unless the facts say what crosses the
    hexside."""
    if complete.has("roads"):
        return board
    named = frozenset((*ROADS, DASHED))
    strange = [line for line in board.lines if line.kind not in named]
    told = board.exceptions.lines
    drawn = {side for line in strange for side in line.edges() if side not in told}
    lines = {side: named for side in drawn if board.lines_known(side)}
    lines |= {side: named | maybe for side, maybe in told.items() if maybe and maybe - named}
    if not lines:
        return board
    return replace(board, exceptions=replace(board.exceptions, lines={**told, **lines}))
