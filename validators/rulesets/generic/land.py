"""The board as one movement class finds it, enemies apart: every way into every hex, both worlds.

Ways are worked out once per hex, when first asked for, and kept: whoever is of the same class shares
them. What is in doubt is kept as a :class:`~...toll.Toll` with its reason, so that a bill can be
written for the few steps of a path without being written for all.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping
from typing import NamedTuple

from ....model.board import Board, Edge, Hex, Line, edge
from ...ruleset import START, Step, Tag, World
from ...toll import (
    ANYTHING,
    BARRED,
    FREE,
    WHOLE,
    Toll,
    adverse_steps,
    any_of,
    either,
    favourable_steps,
    total,
)
from .tables import NOTHING, Cell, Costs, Hexside, Tables

OFF_ROAD: Tag = "-"
"""The tag after a step off the road, where a road must be followed from the start."""
_MEETING = "+"


class Term(NamedTuple):
    """One part of what a step costs. ``text``: what it would be to break it, going on from "the path";
    ``about``: what is not known if it is in doubt (a kind and its names), for :mod:`.questions`."""

    toll: Toll
    clause: str
    reason: str
    bar_clause: str = ""
    text: str = ""
    about: tuple[str, ...] = ()


class Way(NamedTuple):
    """One way across one hexside: off the road (``road`` empty), or along a road.

    ``needs``: tags from which it is open besides the start's, None: from any."""

    to: str
    road: str
    terms: tuple[Term, ...]
    toll: Toll
    needs: frozenset[Tag] | None
    tag: Tag


Extra = tuple[Toll, bool, str]
"""A surcharge as it applies to a mover: toll, whether on roads too, reason."""


class Land:
    """``classes``: what the mover may be: several give the hull over all of them."""

    def __init__(
        self, board: Board, tables: Tables, classes: tuple[str, ...], extras: tuple[Extra, ...]
    ) -> None:
        self.board = board
        self.tables = tables
        self.classes = classes
        self.extras = extras
        self.scale = tables.scale
        self._whole_lines = "lines" in board.complete
        self._whole_sides = "hexsides" in board.complete
        self._paths = any(road.path for road in tables.roads.values())
        self._ways: dict[str, tuple[Way, ...]] = {}
        self._steps: dict[World, dict[object, tuple[Step, ...]]] = {
            "favourable": {},
            "adverse": {},
        }
        self._terrain: dict[tuple[tuple[str, ...] | None, tuple[str, ...]], Term] = {}
        self._sides: dict[tuple[str, ...], tuple[Term, ...]] = {}
        self._climbs: dict[int | None, tuple[Term, ...]] = {}
        self.shared: dict[object, Toll] = {}
        """Tolls that grounds over this land work out and share."""
        self._roads = {kind: self._road_term(kind) for kind in sorted(tables.roads)}
        self.least = self._least()

    def steps(self, world: World, here: str, tag: Tag) -> tuple[Step, ...]:
        """The steps open from ``here`` as far as the land goes; of equals only the cheapest."""
        memo = self._steps[world]
        key: object = here if not self._paths or tag is None else (here, tag)
        found = memo.get(key)
        if found is None:
            found = memo[key] = self._open(world, here, tag)
        return found

    def memo(self, world: World) -> Mapping[object, tuple[Step, ...]]:
        """What :meth:`steps` has found so far, by hex, for a mover with the tag of the start."""
        return self._steps[world]

    def _open(self, world: World, here: str, tag: Tag) -> tuple[Step, ...]:
        opened = favourable_steps if world == "favourable" else adverse_steps
        cheapest: dict[tuple[str, Tag, bool], Step] = {}
        for way in self.ways(here):
            if not self.is_open(way, tag):
                continue
            for step in opened(way.to, way.toll, self.tag_after(way, world), way):
                key = (step.to, step.tag, step.whole)
                if key not in cheapest or step.cost < cheapest[key].cost:
                    cheapest[key] = step
        return tuple(cheapest.values())

    def is_open(self, way: Way, tag: Tag) -> bool:
        """Whether a way is open to a mover with this tag."""
        return way.needs is None or tag is START or tag in way.needs

    def tag_after(self, way: Way, world: World) -> Tag:
        """The tag after a way. Where not all roads are known, any road may meet any other: in the
        mover's favour every road then goes on."""
        if not self._paths:
            return START
        if world == "favourable" and way.road and not self._whole_lines:
            return START
        return way.tag

    def ways(self, here: str) -> tuple[Way, ...]:
        """Every way out of ``here``, whatever it breaks."""
        found = self._ways.get(here)
        if found is None:
            ways = (w for to in self.board.neighbours(here) for w in self._across(here, to))
            found = self._ways[here] = tuple(ways)
        return found

    def _across(self, here: str, to: str) -> Iterator[Way]:
        origin, target = self.board.hexes[here], self.board.hexes[to]
        side = edge(here, to)
        terrain = self.entering(target)
        crossing = self.crossing(side)
        climb = self._climb(origin.level, target.level)
        off = (terrain, *crossing, *climb, *self._extra_terms(False))
        yield self._way(to, "", off, None, OFF_ROAD)
        for kind, sure, needs, tag in self._roads_over(here, to, side):
            cancels = self.tables.roads[kind].cancels
            road = self._roads[kind]
            if not sure:
                maybe = road.toll._replace(barred=road.toll.barred or None)
                road = road._replace(toll=maybe, about=("lines", here, to))
            parts = (
                road,
                *(() if "terrain" in cancels else (terrain,)),
                *(() if "hexsides" in cancels else crossing),
                *(() if "levels" in cancels else climb),
                *self._extra_terms(True),
            )
            if road.toll.barred is not True:
                yield self._way(to, kind, parts, needs, tag)

    def off_road(self, here: str, to: str) -> Toll:
        """The toll of the step between two neighbouring hexes off the road."""
        return next(way.toll for way in self.ways(here) if way.to == to and not way.road)

    def _way(
        self, to: str, road: str, terms: tuple[Term, ...], needs: frozenset[Tag] | None, tag: Tag
    ) -> Way:
        if self.tables.hexes:
            numberless = (
                t._replace(toll=Toll(0, 0, t.toll.barred, False if t.toll.barred else t.toll.whole))
                for t in terms
            )
            one = Toll(self.scale, self.scale)
            terms = (*numberless, Term(one, "GEN-HEXES", "one hex"))
        kept = tuple(t for t in terms if t.toll != FREE)
        return Way(to, road, kept, total(t.toll for t in kept), needs, tag)

    def _roads_over(
        self, here: str, to: str, side: Edge
    ) -> Iterator[tuple[str, bool, frozenset[Tag] | None, Tag]]:
        """(kind, whether it is there for certain, tags it is open from, tag after it)."""
        found: dict[tuple[str, frozenset[Tag] | None, Tag], None] = {}
        for line in self.board.lines_by_edge.get(side, ()):
            road = self.tables.roads.get(line.kind)
            if road is not None:
                node = self._node(line)
                found[line.kind, frozenset((node,)) if road.path else None, node] = None
        for kind, needs, tag in found:
            yield kind, True, needs, tag
        if not self._whole_lines:
            there = {kind for kind, _, _ in found}
            for kind in self._roads:
                if kind not in there or self.tables.roads[kind].path:
                    yield kind, False, frozenset() if self.tables.roads[kind].path else None, START

    def _node(self, line: Line) -> Hashable:
        """Where a line and others meet in a hex: one tag for all that do."""
        return _MEETING if line.junctions else self.board.lines.index(line)

    def entering(self, target: Hex) -> Term:
        """What the terrain of a hex costs."""
        features = tuple(f for f in target.features if f in self.tables.terrain)
        key = (target.terrain, features)
        term = self._terrain.get(key)
        if term is None:
            term = self._terrain[key] = self._terrain_term(target.terrain, features)
        if term.about[0] == "terrain":
            return term._replace(about=("terrain", target.name))
        return term

    def _terrain_term(self, terrain: tuple[str, ...] | None, features: tuple[str, ...]) -> Term:
        toll = any_of(self._terrain_toll(c, terrain, features) for c in self.classes)
        names = (*(terrain or ()), *features)
        what = " and ".join(names) if names else "a hex of unknown terrain"
        about: tuple[str, ...] = ("terrain",)
        if terrain:
            about = ("cost", *self._doubtful(names)) if not toll.is_exact else ("",)
        text = f"enters {what}, prohibited to {self.who}"
        return Term(toll, "GEN-TERRAIN", what, "GEN-TERRAIN-PROHIBITED", text, about)

    def _doubtful(self, names: Iterable[str]) -> Iterator[str]:
        for name in names:
            costs = self.tables.terrain.get(name)
            if costs is None or any(costs[c].kind == "unknown" for c in self.classes):
                yield name

    @property
    def who(self) -> str:
        """The mover's class, for a person."""
        return " or ".join(c or "an unknown class" for c in self.classes)

    def _terrain_toll(
        self, mover: str, terrain: tuple[str, ...] | None, features: tuple[str, ...]
    ) -> Toll:
        charts = self.tables.terrain
        cells = [charts[n][mover] if n in charts else None for n in (*(terrain or ()), *features)]
        base = [cell_toll(c, self.scale) for c in cells if c is not None and c.kind != "plus"]
        plus = [cell_toll(c, self.scale) for c in cells if c is not None and c.kind == "plus"]
        if not terrain:
            chart = [
                cell_toll(cost[mover], self.scale)
                for cost in charts.values()
                if cost[mover].kind != "plus"
            ]
            passable = [toll.lo for toll in chart if not toll.barred and not toll.whole]
            base.append(ANYTHING._replace(lo=min(passable, default=0)))
        elif None in cells:
            base.append(ANYTHING)
        if self.tables.combine == "sum" or not base:
            return total((*base, *plus)) if base else ANYTHING
        return total((_dearest(base), *plus))

    def by_class(self, costs: Costs, times: int = 1) -> Toll:
        """The toll of a cost, over all classes the mover may be of."""
        return class_toll(costs, self.classes, self.scale, times)

    def crossing(self, side: Edge) -> tuple[Term, ...]:
        """What a hexside costs, by feature."""
        if not self.tables.hexsides:
            return ()
        features = self.board.sides.get(side, ())
        terms = self._sides.get(features)
        if terms is None:
            terms = self._sides[features] = tuple(self._side_terms(features))
        if not self._whole_sides:
            return tuple(
                t._replace(about=("hexsides", *side)) if t.about == ("hexsides",) else t
                for t in terms
            )
        return terms

    def _side_terms(self, features: tuple[str, ...]) -> Iterator[Term]:
        for feature in features:
            side = self.tables.hexsides.get(feature)
            if side is not None:
                yield self._side_term(feature, side, features)
            elif feature not in self.tables.bridges:
                yield Term(
                    ANYTHING,
                    "GEN-HEXSIDE",
                    feature,
                    "GEN-HEXSIDE-PROHIBITED",
                    "",
                    ("cost", feature),
                )
        if not self._whole_sides:
            others = [s for name, s in self.tables.hexsides.items() if name not in features]
            toll = total(either(FREE, self._bridged(side, (), False)) for side in others)
            yield Term(toll, "GEN-HEXSIDE", "hexside", about=("hexsides",))

    def _side_term(self, feature: str, side: Hexside, features: tuple[str, ...]) -> Term:
        toll = self._bridged(side, features, self._whole_sides)
        bridge = next((b for b in side.bridges if b in features), "")
        reason = f"{feature} with {bridge}" if bridge else feature
        text = f"crosses {'an unbridged ' if side.bridges else 'a '}{feature}, prohibited to {self.who}"
        about = ("cost", feature) if self._whole_sides else ("hexsides",)
        clause = "GEN-BRIDGE" if bridge else "GEN-HEXSIDE"
        return Term(toll, clause, reason, "GEN-HEXSIDE-PROHIBITED", text, about)

    def _bridged(self, side: Hexside, features: tuple[str, ...], whole: bool) -> Toll:
        """The toll of a feature with those of its bridges that are there (``whole``: no others are)."""
        own = self.by_class(side.cost)
        there = [self.by_class(costs) for name, costs in side.bridges.items() if name in features]
        if whole:
            if all(toll.is_exact for toll in there):
                return min(there, key=lambda t: (t.barred, t.whole, t.lo), default=own)
            return any_of(there)
        return any_of((own, *(self.by_class(costs) for costs in side.bridges.values())))

    def _climb(self, origin: int | None, target: int | None) -> tuple[Term, ...]:
        if self.tables.levels is None:
            return ()
        rise = None if origin is None or target is None else target - origin
        terms = self._climbs.get(rise)
        if terms is None:
            terms = self._climbs[rise] = tuple(self._climb_terms(rise))
        return terms

    def _climb_terms(self, rise: int | None) -> Iterator[Term]:
        levels = self.tables.levels
        if levels is None or rise == 0:
            return
        if rise is None:
            yield Term(ANYTHING, "GEN-LEVEL", "levels", about=("levels",))
            return
        count, way = abs(rise), "up" if rise > 0 else "down"
        reason = f"{count} level{'s' if count > 1 else ''} {way}"
        text = f"goes {reason} in one step"
        toll = self.by_class(levels.up if rise > 0 else levels.down, count)
        yield Term(toll, "GEN-LEVEL", reason, "GEN-LEVEL-MOST", text, ("cost", way))
        if levels.most is not None and count > levels.most:
            yield Term(BARRED, "GEN-LEVEL-MOST", reason, "GEN-LEVEL-MOST", text)

    def _road_term(self, kind: str) -> Term:
        costs = self.tables.roads[kind].cost
        toll = any_of(
            BARRED if costs[c] is NOTHING else cell_toll(costs[c], self.scale) for c in self.classes
        )
        return Term(toll, "GEN-ROAD", f"along {kind}", about=("cost", kind))

    def _extra_terms(self, on_road: bool) -> Iterator[Term]:
        for toll, on_roads, reason in self.extras:
            if on_roads or not on_road:
                yield Term(
                    toll, "GEN-SURCHARGE", reason, "GEN-SURCHARGE", reason, ("extra", reason)
                )

    def _least(self) -> int:
        """The least a step over this board can cost."""
        if self.tables.hexes:
            return self.scale
        kinds = {line.kind for line in self.board.lines} if self._whole_lines else set(self._roads)
        tolls = [t.toll for kind, t in self._roads.items() if kind in kinds]
        seen: set[tuple[object, object]] = set()
        for here in self.board.hexes.values():
            if (here.terrain, here.features) not in seen:
                seen.add((here.terrain, here.features))
                tolls.append(self.entering(here).toll)
        return min((t.lo for t in tolls if not t.barred and not t.whole), default=0)


def _dearest(tolls: list[Toll]) -> Toll:
    """The dearest of several that all hold; a prohibition or the whole allowance goes before numbers."""
    summed = total(tolls)
    if summed.barred or summed.whole:
        return summed
    hi = None if any(t.hi is None for t in tolls) else max(t.hi or 0 for t in tolls)
    return Toll(max(t.lo for t in tolls), hi, summed.barred, summed.whole)


def cell_toll(cell: Cell, scale: int) -> Toll:
    """What a cell of the chart comes to."""
    match cell.kind:
        case "prohibited":
            return BARRED
        case "whole":
            return WHOLE
        case "unknown":
            return ANYTHING
    amount = int(cell.amount * scale)
    return Toll(amount, amount)


def class_toll(costs: Costs, classes: tuple[str, ...], scale: int, times: int = 1) -> Toll:
    """What a cost comes to, taken ``times`` over, for a mover of one of ``classes``."""
    tolls = (cell_toll(costs[c], scale) for c in classes)
    return any_of(
        t._replace(lo=t.lo * times, hi=None if t.hi is None else t.hi * times) for t in tolls
    )
