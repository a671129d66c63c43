"""The terrain graph of one kind of mover: hex entries and their costs by the chart (6.A.2), without
enemies."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from itertools import combinations
from typing import NamedTuple

from ....model.bill import Amount
from ....model.board import MOST_COMPLETED, NONE, Board, Edge, Hex, edge
from ...concepts.charts import cheapest, closes_some, dearest
from ...concepts.hex_entries import (
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
from ...ruleset import START, Step, World
from ...search import watch
from .cells import Cell
from .tables import CLEAR_WEATHER, OWN_CLAUSES, Chart, Row, Tables

_PERHAPS = CostInterval(0, None, None)
"""The cost of something that may or may not be there, at a cost that is not known; it may also be
prohibited."""
_OWN_FEATURES = frozenset(("fort", "entrenchment"))
"""Features of a hex that cost nothing to enter; other rules are about them."""

_MIXES = {"all": total, "cheapest": cheapest, "dearest": dearest}


def _several(part: str) -> str:
    """The option for the reading which of several features counts."""
    return "several_hexsides" if part == "hexsides" else "several_terrains"


Weathers = Mapping[str, tuple[str, ...] | None]
"""Weather zone ('': the rest of the board) → its possible weathers; None if any is possible."""


class Reach(NamedTuple):
    """Bounds for a number of steps: it is certainly not below ``sure``, and not above ``most``; None: as far
    as one likes. ``open``: a hex entry that keeps the two apart, if its cost is not known."""

    sure: Fraction | None
    most: Fraction | None
    open: CostItem | None = None


class CostBasis(NamedTuple):
    """Everything about a mover that the costs of the chart depend on; a cache key. ``columns``: the columns
    that may apply; ``base``: the rating that 1/2M is half of; ``weather``: the items of :data:`Weathers`."""

    columns: tuple[str, ...]
    base: Amount
    weather: tuple[tuple[str, tuple[str, ...] | None], ...]


class ZcTerrainGraph(TerrainGraph):
    """The terrain graph for one :class:`CostBasis`. Tags do not tell roads apart."""

    by_kind = True

    def __init__(self, board: Board, tables: Tables, cost_basis: CostBasis) -> None:
        who = " or ".join(f"column {column}" for column in cost_basis.columns)
        super().__init__(board, tables.scale, False, who)
        self.tables = tables
        self.cost_basis = cost_basis
        self._weather: Weathers = dict(cost_basis.weather)
        self._entering: dict[str, CostItem] = {}
        self._roads: dict[Chart, CostInterval] = {}
        self._every: dict[tuple[World, str], tuple[Step, ...]] = {}
        self._charted = {n for chart in tables.charts.values() for n in chart.terrain}
        self._kinds = sorted({kind for chart in tables.charts.values() for kind in chart.roads})
        self.least = self._least()
        self.halves = self._any_halves()
        """Whether anything on the board costs, or may cost, half the rating."""

    def cached_steps(self, world: World, here: str) -> tuple[Step, ...]:
        """As :meth:`every_step`, cached. The steps are the same for every tag."""
        found = self._every.get((world, here))
        if found is None:
            found = self._every[world, here] = tuple(self.every_step(world, here, START))
        return found

    def across(self, here: str, to: str) -> Iterator[HexEntry]:
        """Every entry from a hex into its neighbour, including prohibited ones: off the road, along each road
        and along each line that may be a road."""
        target = self.board.hexes[to]
        side = edge(here, to)
        around = self._around(here, target)
        crossing = tuple(self._crossing(side, around))
        yield hex_entry(to, "", (self.entering(target), *crossing))
        for kind, sure, _ in roads_over(self.board, side, self._kinds, False):
            road = self._cost_item((kind,), "roads", around, "ZC-6.A.2-a", f"along {kind}")
            if not sure:
                maybe = road.cost._replace(barred=None)
                road = road._replace(cost=maybe, about=about_lines(here, to))
            if road.cost.barred is not True:
                yield hex_entry(to, kind, (road, *self._beside(crossing)))
        drawn = [line.kind for line in self.board.lines_by_edge.get(side, ())]
        undrawn = self.board.maybe_across(side)
        for kind in self._uncharted((*drawn, *sorted(undrawn or ()))):
            about: tuple[str, ...] = ("cost", "roads", CLEAR_WEATHER, kind)
            yield hex_entry(to, kind, (CostItem(_PERHAPS, "ZC-6.A.2-a", kind, about=about),))
        if undrawn is None and not self.tables.open_charts.has("roads"):
            about = about_lines(here, to)
            yield hex_entry(to, "road", (CostItem(_PERHAPS, "ZC-6.A.2-a", "a road", about=about),))

    def _uncharted(self, kinds: Iterable[str]) -> Iterator[str]:
        """Those of ``kinds`` that have no row in the chart of roads. They may be roads all the same."""
        yield from dict.fromkeys(kind for kind in kinds if kind not in self._kinds)

    def _beside(self, crossing: tuple[CostItem, ...]) -> Iterator[CostItem]:
        """The cost items of a hexside for a unit that crosses it by road. The text does not say whether it
        pays for the hexside; a reading settles it."""
        match self.tables.reading("road_hexsides"):
            case "paid":
                yield from crossing
            case "any":
                for cost_item in crossing:
                    about = (
                        ("reading", "road_hexsides") if cost_item.cost.is_exact else cost_item.about
                    )
                    yield cost_item._replace(cost=union(FREE, cost_item.cost), about=about)

    def entering(self, target: Hex) -> CostItem:
        """The cost item of the terrain of a hex, off the road."""
        found = self._entering.get(target.name)
        if found is None:
            rows = {*self._charted, *self._weather}
            names = self.tables.open_charts.names("terrain", rows)
            every = self.board.completions(target.name, names)
            cost_items = [self._enter(one) for one in every]
            found = cost_items[0]
            if len(cost_items) > 1 or self.board.maybe_in(target.name) is None:
                about = about_hex(self.board, target.name)
                found = found._replace(
                    cost=union_all(cost_item.cost for cost_item in cost_items), about=about
                )
            self._entering[target.name] = found
        return found

    def closes_some(self) -> bool:
        """See :class:`~...concepts.hex_entries.TerrainGraph`."""
        rows = (row for chart in self.tables.charts.values() for row in chart.terrain.values())
        return closes_some(rows, self.cost_basis.columns)

    def _enter(self, target: Hex) -> CostItem:
        names = (*(target.terrain or ()), *(f for f in target.features if f in self._charted))
        what = " and ".join(names) if names else "a hex of unknown terrain"
        if target.terrain is None:
            lo = int(self.tables.reading("least_hex_cost")) * self.scale
            cost = ANYTHING._replace(lo=lo)
            return CostItem(
                cost, "ZC-6.A.2-a", what, "ZC-6.A.2-f", "", about=("terrain", target.name)
            )
        found = self._cost_item(names, "terrain", (target,), "ZC-6.A.2-a", what)
        known = {*self._charted, *_OWN_FEATURES, *self._weather}
        strange = [feature for feature in target.features if feature not in known]
        if not strange or self.tables.open_charts.has("terrain"):
            return found
        # The chart has no row for the feature and is not complete.
        cost = found.cost._replace(lo=0, hi=None, barred=None)
        return found._replace(cost=cost, about=("cost", "terrain", CLEAR_WEATHER, *strange))

    def _around(self, here: str, target: Hex) -> tuple[Hex, ...]:
        """The hexes whose weather may apply to the hexside, or the road, between them. The text does not say
        which, if they lie in two weather zones; a reading settles it."""
        if self.tables.reading("zone_border") == "entered":
            return (target,)
        left = self.board.hexes[here]
        return (target,) if self.weathers(left) == self.weathers(target) else (target, left)

    def _crossing(self, side: Edge, around: tuple[Hex, ...]) -> Iterator[CostItem]:
        """The cost items of the features of a hexside, which are paid besides the hex (6.A.2-d)."""
        names, maybe = tuple(self.board.sides.get(side, ())), self.board.maybe_on(side)
        told = FREE
        if names:
            cost_item = self._cost_item(
                names, "hexsides", around, "ZC-6.A.2-d", " and ".join(names)
            )
            told = cost_item.cost
            if maybe == NONE:
                yield cost_item
        if maybe == NONE:
            return
        if maybe is None or len(maybe) > MOST_COMPLETED:
            cost = _PERHAPS._replace(whole=None)
        else:
            more = (
                c for size in range(1, len(maybe) + 1) for c in combinations(sorted(maybe), size)
            )
            every = [
                self._cost_item((*names, *added), "hexsides", around, "ZC-6.A.2-d", "").cost
                for added in more
            ]
            cost = union_all((told, *every))
        reason = " and ".join((*names, "what else may lie there")) if names else "hexside"
        about = about_side(side)
        yield CostItem(cost, "ZC-6.A.2-d", reason, "ZC-6.A.2-f", about=about)

    def _cost_item(
        self, names: tuple[str, ...], part: str, around: tuple[Hex, ...], clause: str, reason: str
    ) -> CostItem:
        """The cost item of features that are together in one place: the union over all charts and columns
        that may apply. ``part``: "terrain", "hexsides" or "roads"; ``around``: the hexes whose weather may
        apply."""
        costs, cells = [], list[Cell | None]()
        for chart in self._charts(*around):
            rows: Mapping[str, Row] = getattr(chart, part) if chart is not None else {}
            for column in self.cost_basis.columns:
                found = [rows[name][column] if name in rows else None for name in names]
                cells += found
                costs.append(self._mixed(found, part))
        cost = union_all(costs)
        verb = "crosses" if part == "hexsides" else "enters"
        text = f"{verb} {reason}, prohibited to {self.who}"
        own = [OWN_CLAUSES[name] for name in names if name in OWN_CLAUSES]
        halves = [cell.clause for cell in cells if cell is not None and cell.clause]
        cited = [*own, *halves, clause][0]
        about = self._about(names, part, cost, around)
        return CostItem(cost, cited, reason, "ZC-6.A.2-f", text, about)

    def _mixed(self, cells: list[Cell | None], part: str) -> CostInterval:
        """The cost of several terrains in a hex, or features on a hexside, together. The text does not say
        whether the cheapest counts (a bridge over a river), the dearest or all of them; a reading settles it.
        A cell is None if the chart has no row for it; it may then cost anything."""
        reading = self.tables.reading("half_R")
        costs = [
            ANYTHING if cell is None else cell.cost(self.cost_basis.base, self.scale, reading)
            for cell in cells
        ]
        if self.tables.reading("least_hex_cost") == "1" and part != "hexsides":
            costs = [t._replace(lo=max(t.lo, self.scale)) if t == ANYTHING else t for t in costs]
        if len(costs) == 1:
            return costs[0]
        mix = _MIXES.get(self.tables.reading(_several(part)))
        if mix is not None and costs:
            return mix(costs)
        return union_all((cheapest(costs), dearest(costs), total(costs))) if costs else ANYTHING

    def _charts(self, *around: Hex) -> tuple[Chart | None, ...]:
        """The charts that may apply in one of these hexes. None in the list stands for a chart that the pack
        does not supply."""
        tables = self.tables
        found = list[Chart | None]()
        for here in around:
            weathers = self.weathers(here)
            if weathers is None:
                found += (None, *tables.charts.values())
            else:
                found += (tables.charts.get(weather) for weather in weathers)
        return tuple(dict.fromkeys(found))

    def weathers(self, here: Hex) -> tuple[str, ...] | None:
        """The possible weathers in a hex; None if any is possible."""
        if not self.tables.applies("6.A.4-i"):
            return (CLEAR_WEATHER,)
        found = [self._weather[zone] for zone in self._zones(here)]
        if len(found) == 1:
            return found[0]
        every = [weather for weathers in found for weather in weathers or ()]
        return None if None in found else tuple(dict.fromkeys(every))

    def _zones(self, here: Hex) -> tuple[str, ...]:
        """The weather zones that a hex may belong to."""
        if self.board.hex_known(here.name):
            return (self._zone(here),)
        if self.board.maybe_in(here.name) is None:
            return tuple(self._weather)
        every = self.board.completions(here.name, self._weather)
        return tuple(dict.fromkeys(self._zone(one) for one in every))

    def _zone(self, here: Hex) -> str:
        """The weather zone of a hex whose features are known: the first of its features that is one, else
        ''."""
        return next((feature for feature in here.features if feature in self._weather), "")

    def _about(
        self, names: tuple[str, ...], part: str, cost: CostInterval, around: tuple[Hex, ...]
    ) -> tuple[str, ...]:
        """``CostItem.about`` of a cost: what is not known about it; empty if the cost is exact."""
        if cost.is_exact:
            return ()
        found = list[str]()
        for here in around:
            weathers = self.weathers(here)
            if len(self._zones(here)) > 1:
                return about_hex(self.board, here.name)
            if weathers is None or len(weathers) > 1:
                return ("weather", *filter(None, (self._zone(here),)))
            if weathers[0] not in self.tables.charts:
                return ("cost", part, weathers[0], *names)
            found += weathers
        if len(self.cost_basis.columns) > 1:
            return ("column",)
        for weather in found:
            chart = self.tables.charts[weather]
            rows = {**chart.terrain, **chart.hexsides, **chart.roads}
            column = self.cost_basis.columns[0]
            doubtful = [n for n in names if n not in rows or rows[n][column].kind == "unknown"]
            if doubtful:
                return ("cost", part, weather, *doubtful)
        if not self.cost_basis.base.is_exact:
            return ("rating",)
        if len(set(found)) > 1:
            return ("reading", "zone_border")
        if len(names) == 1 or self.tables.reading(_several(part)) != "any":
            return ("reading", "half_R")
        return ("reading", _several(part))

    def _least(self) -> int:
        """A lower bound for the cost of any step, in 1/scale MP."""
        if any(self._uncharted(self.board.line_kinds)):
            return 0
        if not self.whole_lines and not self.tables.open_charts.has("roads"):
            return 0
        hexes = self.board.hexes.values()
        costs = [self.entering(here).cost for here in hexes]
        if self.board.line_kinds or not self.whole_lines:
            costs += [self._road_cost(chart) for here in hexes for chart in self._charts(here)]
        return min((t.lo for t in costs if not t.barred), default=0)

    def _road_cost(self, chart: Chart | None) -> CostInterval:
        """The cost of the cheapest road that is, or may be, on the board, by one chart. ``chart`` None: not
        supplied."""
        if chart is None:
            return ANYTHING
        found = self._roads.get(chart)
        if found is None:
            there = self.board.line_kinds
            kinds = [kind for kind in self._kinds if kind in there or not self.whole_lines]
            costs = [cost for kind in kinds for cost in self._road_costs(chart, kind)]
            found = self._roads[chart] = cheapest(costs) if costs else BARRED
        return found

    def _road_costs(self, chart: Chart, kind: str) -> Iterator[CostInterval]:
        """The costs of a kind of road by one chart, one for each column that may apply. A kind without a row
        may cost anything."""
        row = chart.roads.get(kind)
        if row is None:
            yield ANYTHING
            return
        for column in self.cost_basis.columns:
            yield row[column].cost(self.cost_basis.base, self.scale, "any")

    def reach(self, spent: Amount, more: int = 0) -> Reach:
        """How many steps cost no more than ``spent`` and ``more`` MPs together. There is no bound if steps
        may be free, or if links make hexes neighbours that do not look it."""
        if self.board.links:
            return Reach(None, None)
        watch(self.board.hexes)
        entering = [self.entering(here) for here in self.board.hexes.values()]
        certain = (item.cost.hi for item in entering if item.cost.barred is False)
        cheapest_hex = min((hi for hi in certain if hi is not None), default=None)
        paid = spent + Amount.exactly(more)
        sure = Fraction(0) if cheapest_hex is None else self._steps_for(paid.lo, cheapest_hex)
        unclear = (item for item in entering if not item.cost.is_exact)
        return Reach(sure, self._steps_for(paid.hi, self.least), next(unclear, None))

    def _steps_for(self, mps: Fraction | None, each: int) -> Fraction | None:
        """How many steps of ``each`` (1/scale MP) ``mps`` pay for; None if there is no bound."""
        return mps * self.scale / each if mps is not None and each else None

    def _any_halves(self) -> bool:
        """See :attr:`halves`."""
        board, columns = self.board, self.cost_basis.columns
        names = {
            name
            for here in board.hexes.values()
            for name in (*(here.terrain or ()), *here.features)
        }
        names |= {name for features in board.sides.values() for name in features}
        names |= board.line_kinds
        whole = self.whole_sides and self.whole_lines and all(map(board.hex_known, board.hexes))
        return any(
            row[column].kind == "half"
            for chart in self.tables.charts.values()
            for rows in (chart.terrain, chart.hexsides, chart.roads)
            for name, row in rows.items()
            for column in columns
            if name in names or not whole
        )
