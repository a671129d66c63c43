"""Streams, rivers, fords and bridges: the cost and prohibitions of crossing a hexside (5.4.1 to 5.4.3,
5.6.2)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from ....model.board import NONE, Board, Edge, may_be
from ...concepts import logic
from ...concepts.charts import Costs, class_cost
from ...concepts.hex_entries import CostItem, about_side
from ...cost_interval import BARRED, FREE, WHOLE, CostInterval, optional, union
from .tables import CROSSINGS, MECH, ROADS, STREAMS_AND_RIVERS, TRAIL, Tables

OPEN = CostInterval(0, None, None)
"""The cost where the charts say nothing: any amount, perhaps prohibited."""
PERHAPS_BARRED = CostInterval(0, 0, None)
PERHAPS_WHOLE = CostInterval(0, 0, False, None)
BRIDGES = ("bridge", "engineer-bridge", "unfinished-bridge")
_MECHANIZED = ("reading", "5.4.2-c1")


@dataclass(frozen=True, slots=True)
class Traits:
    """Everything about a mover that decides the costs of terrain.

    ``mover``: its class; ``towed``: it is towed artillery; ``us_at``: it is US AT (None: of class Mech, and
    the reading is open); ``leg_at``: it is German Leg AT (None: on trucks, and the reading is open);
    ``heavy``: it is German armor of bridge class H; ``weighed``: of bridge class M or H; ``charts``:
    whether the charts hold for the ground. None elsewhere: not known.
    """

    mover: str
    artillery: bool = False
    towed: bool = False
    us_at: bool | None = False
    leg_at: bool | None = False
    engineer: bool = False
    infantry: bool = True
    heavy: bool | None = False
    weighed: bool | None = False
    allied: bool | None = True
    night: bool | None = False
    charts: bool | None = True

    @property
    def is_mech(self) -> bool:
        """Whether it moves as Mech."""
        return self.mover == MECH


class Waters:
    """The hexsides of a board, as one kind of mover crosses them."""

    def __init__(self, board: Board, tables: Tables, traits: Traits) -> None:
        self.board, self.tables, self.traits = board, tables, traits

    def may_have(self, side: Edge, *names: str) -> bool:
        """Whether one of ``names`` may be on a hexside in addition to the features that are known."""
        maybe = self.board.maybe_on(side)
        return maybe != NONE and any(may_be(name, maybe) for name in names)

    def may_have_road(self, side: Edge) -> bool:
        """Whether a road may cross a hexside in addition to those drawn."""
        maybe = self.board.maybe_across(side)
        return maybe != NONE and any(may_be(kind, maybe) for kind in ROADS)

    def features(self, side: Edge) -> tuple[str, ...]:
        """The known features of a hexside."""
        return tuple(dict.fromkeys(self.board.sides.get(side, ())))

    def roads(self, side: Edge) -> tuple[str, ...]:
        """The kinds of the roads drawn across a hexside."""
        lines = self.board.lines_by_edge.get(side, ())
        return tuple(dict.fromkeys(line.kind for line in lines if line.kind in ROADS))

    def counts(self, side: Edge) -> bool:
        """Whether a hexside may have features other than bridges and fords, so that crossing it may cost
        something."""
        if any(f not in CROSSINGS for f in self.features(side)):
            return True
        maybe = self.board.maybe_on(side)
        return maybe is None or any(f not in CROSSINGS for f in maybe)

    def bridged(self, side: Edge) -> bool | None:
        """Whether there is a bridge that the mover's weight allows it to use; None if there may be. Trails
        over rivers are left to :meth:`too_heavy`."""
        found = self.features(side)
        if "bridge" in found:
            return True
        if "engineer-bridge" in found:
            if self.traits.weighed is False or not self.traits.is_mech:
                return True
            allowed = self.tables.says("armor_on_engineer_bridges")
            return allowed if self.traits.weighed or allowed else None
        finished = self.tables.says("unfinished_bridges")
        if "unfinished-bridge" in found and finished is not False:
            return finished
        return None if self.may_have(side, *BRIDGES) else False

    def by_trail(self, side: Edge) -> bool | None:
        """Whether the best road across a hexside is a trail; None if it may be."""
        kinds = self.roads(side)
        more = self.may_have_road(side)
        if not kinds:
            return None if more else False
        if set(kinds) == {TRAIL}:
            return None if more else True
        return False

    def too_heavy(self, side: Edge) -> bool | None:
        """Whether the bridge is closed to the mover, heavy armor, because it carries a trail over a river
        (5.4.3a-d); None if it may be."""
        return logic.both(self.traits.heavy, self.by_trail(side))

    def tactical(self, side: Edge, column: bool | None) -> Iterator[CostItem]:
        """The cost items of crossing a hexside off the road. ``column``: whether a Bridge Column or
        engineers provide a crossing, None if they may."""
        found = self.features(side)
        for name in found:
            if name == "stream":
                yield from self._stream(side, column)
            elif name in STREAMS_AND_RIVERS:
                yield from self._river(name, side, column)
            elif name not in CROSSINGS:
                yield self._other(name, side)
        maybe = self.board.maybe_on(side)
        if maybe is None or any(name not in CROSSINGS for name in maybe):
            about = about_side(side)
            yield CostItem(OPEN, "WAR-5.0-k", "hexside", about=about)

    def _other(self, name: str, side: Edge) -> CostItem:
        costs = self.tables.hexsides.get(name)
        cost = self.chart(costs) if costs is not None else OPEN
        text = f"crosses a {name}, prohibited to {self.traits.mover}"
        if not self.tables.applies("5.0-k"):
            cost = cost._replace(lo=0, hi=0) if cost.barred is not None else FREE
        return CostItem(cost, "WAR-5.0-k", name, "WAR-5.7.0-b", text, self._about(name, side))

    def chart(self, costs: Costs) -> CostInterval:
        """The cost by a row of a chart; :data:`OPEN` if the charts may not hold for the ground."""
        if self.traits.charts is not True:
            return OPEN
        cost = class_cost(costs, (self.traits.mover,), self.tables.scale)
        return cost if cost.whole is False else cost._replace(whole=False)

    def _about(self, name: str, side: Edge) -> tuple[str, ...]:
        if self.traits.charts is not True:
            return ("ground",)
        known = self.board.sides_known(side)
        return ("cost", name) if known else about_side(side)

    def _uncertain(self, cost_item: CostItem, side: Edge, spared: bool | None) -> CostItem:
        """``cost_item``, made optional if ``spared`` is None: a bridge or ford may spare the mover the
        cost."""
        if spared is None:
            cost = union(FREE, cost_item.cost)
            return cost_item._replace(cost=cost, about=("crossing", *side))
        return cost_item

    def _stream(self, side: Edge, column: bool | None) -> Iterator[CostItem]:
        tables, traits = self.tables, self.traits
        spared = self._spared(side, column)
        if spared is True:
            return
        about = self._about("stream", side)
        stream_cost = crossing_cost(self, "stream")
        ban = self._stream_ban()
        if ban:
            clause, who = ban
            text = f"takes {who} over an unbridged stream"
            bar = CostItem(BARRED, clause, who, clause, text, ("crossing", *side))
            if traits.us_at is not None:
                yield self._uncertain(bar, side, spared)
                return
            yield bar._replace(cost=PERHAPS_BARRED, about=("reading", "5.4.2-b2"))
        if traits.leg_at is not False and tables.applies("5.4.2-c1"):
            text = "crosses a stream"
            cost, bound = (
                (WHOLE, ("whole", *side)) if traits.leg_at else (PERHAPS_WHOLE, _MECHANIZED)
            )
            whole = CostItem(cost, "WAR-5.4.2-c2", text, "WAR-5.4.2-c1", text, bound)
            yield self._uncertain(whole, side, spared)
        cost_item = CostItem(
            stream_cost, "WAR-5.4.2-a", "stream", "WAR-5.7.0-b", "crosses a stream", about
        )
        yield self._uncertain(cost_item, side, spared)

    def _stream_ban(self) -> tuple[str, str] | None:
        if self.traits.towed and self.tables.applies("5.4.2-b1"):
            return "WAR-5.4.2-b1", "towed artillery"
        if self.traits.us_at is not False and self.tables.applies("5.4.2-b2"):
            return "WAR-5.4.2-b2", "US AT"
        return None

    def _spared(self, side: Edge, column: bool | None) -> bool | None:
        """Whether a bridge spares the mover the cost of a stream or river; None if it may. ``column``: as
        for :meth:`tactical`."""
        bridged = self.bridged(side)
        if not self.traits.is_mech and not self.tables.applies("5.4.1-c"):
            bridged = False
        return column if bridged is False else bridged

    def _river(self, name: str, side: Edge, column: bool | None) -> Iterator[CostItem]:
        if self.traits.is_mech:
            yield from self._river_by_mech(side, column)
            return
        spared = self._spared(side, column)
        if self.tables.applies("5.4.3b-b") and spared is not True:
            ford = True if "ford" in self.features(side) else None
            if ford or self.may_have(side, "ford"):
                spared = ford
        if spared is True:
            return
        if name == "minor-river":
            cost = crossing_cost(self, name)
            about = self._about(name, side)
            minor = CostItem(cost, "WAR-5.4.3b-a", name, "WAR-5.7.0-b", f"crosses a {name}", about)
            yield self._uncertain(minor, side, spared)
            return
        for cost_item in self._meuse(side):
            yield self._uncertain(cost_item, side, spared)

    def _meuse(self, side: Edge) -> Iterator[CostItem]:
        """The cost items of a major river, the Meuse, for a Leg unit. The movement graph removes the
        prohibition if an engineer unit helps, see ``OtherUnits._with_engineers``."""
        text = "crosses a major river"
        if self.tables.applies("5.4.3b-e"):
            no_engineer = f"{text} without an engineer unit at hand"
            yield CostItem(
                BARRED, "WAR-5.4.3b-e", text, "WAR-5.4.3b-e", no_engineer, ("engineer", *side)
            )
        if self.tables.applies("5.4.3b-f"):
            yield CostItem(WHOLE, "WAR-5.4.3b-f", text, "WAR-5.4.3b-f", text, ("whole", *side))

    def _river_by_mech(self, side: Edge, column: bool | None) -> Iterator[CostItem]:
        """The cost items of a river for a unit that moves as Mech (5.4.3a): a prohibition without a ford or a
        usable bridge, and 3 MPs."""
        tables, reading = self.tables, self.tables.reading("bridge_plus3")
        perhaps_ford = None if self.may_have(side, "ford") else False
        ford = True if "ford" in self.features(side) else perhaps_ford
        bridge = self.bridged(side)
        if bridge is False:
            bridge = column
        heavy = self.too_heavy(side) if tables.applies("5.4.3a-d") else False
        usable = logic.both(bridge, logic.negation(heavy))
        way = logic.some([ford, usable])
        if way is not True:
            clause = "WAR-5.4.3a-d" if bridge is True and heavy else "WAR-5.4.3a-a"
            text = "crosses a river without a ford or a standing bridge"
            if bridge is True and heavy:
                text = "takes heavy armor over a bridge that carries a trail over a river"
            cost = BARRED if way is False else PERHAPS_BARRED
            if tables.applies(clause.removeprefix("WAR-")):
                yield CostItem(cost, clause, text, clause, text, ("crossing", *side))
        three = 3 * tables.scale if tables.applies("5.4.3a-b") else 0
        at_bridge = {"yes": CostInterval(three, three), "no": FREE}.get(
            reading, CostInterval(0, three)
        )
        # A bridge that is closed to the mover is paid for as if it could use it.
        if usable is True or (bridge is True and way is False):
            cost = at_bridge
        elif usable is None:
            cost = union(at_bridge, CostInterval(three, three))
        else:
            cost = CostInterval(three, three)
        about = ("reading", "bridge_plus3") if usable is True else ("crossing", *side)
        yield CostItem(cost, "WAR-5.4.3a-b", "ford or bridge over a river", about=about)

    def by_road(self, side: Edge, kind: str, column: bool | None) -> Iterator[CostItem]:
        """The cost items of crossing water by road (5.6.2). Prohibited without a bridge, and for heavy
        armor over a bridge that carries a trail over a river. Nothing is paid unless 5.6.2-b is switched
        off."""
        tables = self.tables
        at_water = [name for name in self.features(side) if name in STREAMS_AND_RIVERS]
        if not at_water and not self.may_have(side, *STREAMS_AND_RIVERS):
            return
        bridged = self.bridged(side)
        if bridged is False:
            bridged = column
        if not at_water:
            bridged = None
        if bridged is not True and tables.applies("5.6.2-a"):
            text = "goes by road over water without a standing bridge"
            cost = BARRED if bridged is False else PERHAPS_BARRED
            yield CostItem(cost, "WAR-5.6.2-a", text, "WAR-5.6.2-a", text, ("crossing", *side))
        river = any(name != "stream" for name in at_water)
        if kind == TRAIL and river and tables.applies("5.6.2-d"):
            cost = optional(BARRED, self.too_heavy(side))
            text = "takes heavy armor over a bridge that carries a trail over a river"
            yield CostItem(cost, "WAR-5.6.2-d", text, "WAR-5.6.2-d", text, ("unit", "bridge-class"))
        if not tables.applies("5.6.2-b"):
            three = CostInterval(3 * tables.scale, 3 * tables.scale)
            for name in at_water:
                priced = name == "stream" or not self.traits.is_mech
                yield CostItem(crossing_cost(self, name) if priced else three, "WAR-5.6.2-b", name)


def crossing_cost(waters: Waters, name: str) -> CostInterval:
    """The cost of a hexside feature by the chart."""
    costs = waters.tables.hexsides.get(name)
    return OPEN if costs is None else waters.chart(costs)
