"""The chart ``roads``: lines along which a step costs something else, and the ways of a step."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from ...concepts.charts import NOTHING, Costs, road_cost
from ...cost_interval import ANYTHING, FREE, CostInterval
from ...engine.clauses import ClauseFunction, cost, ways
from ...engine.step import Step
from .steps import charged
from .terms import (
    ANY_ROAD,
    OFF_ROAD,
    Reading,
    Road,
    RulesOfTables,
    priced,
    road_of,
    rules_of,
    tables_of,
)


@dataclass(frozen=True, slots=True)
class RoadKind:
    """A kind of line to move along. ``cancels``: the parts of the cost of a step that it replaces. ``path``:
    the mover must have followed it from the start. ``told``: the row is complete; if not, the road may
    cancel less, or may have to be followed from the start."""

    cost: Costs
    cancels: frozenset[str]
    path: bool
    told: bool = True


def read(reading: Reading) -> Mapping[str, RoadKind]:
    """The rows of the chart, by kind of line."""
    if "GEN-ROAD" in reading.off:
        return {}
    return {n: _road(road, reading) for n, road in reading.plain.get("roads", {}).items()}


def _road(road: Mapping[str, Any], reading: Reading) -> RoadKind:
    path = road.get("continuity") == "path" and "GEN-ROAD-PATH" not in reading.off
    cancels = frozenset(road.get("cancels", ("terrain", "hexsides", "levels")))
    missing = reading.complete.cell("roads", NOTHING)
    told = reading.complete.has("roads") or {"cancels", "continuity"} <= road.keys()
    return RoadKind(reading.costs(road["cost"], "GEN-ROAD", missing=missing), cancels, path, told)


def clauses_of(rules: RulesOfTables) -> Iterator[ClauseFunction]:
    """The clause of what a step along a road costs, where there is or may be a road."""
    if rules.typed.roads or not rules.complete.has("roads"):
        yield along_roads


def tried(step: Step) -> Iterator[object]:
    """Off the road; along each road that is there or may be; along lines that may be roads."""
    yield OFF_ROAD
    tables = tables_of(step)
    paths = {kind for kind, road in tables.roads.items() if road.path}
    drawn = [kind for kind, sure in step.lines.items() if sure]
    for kind, sure, node in step.roads(sorted(tables.roads), bool(paths)):
        cost = road_cost(tables.roads[kind].cost, rules_of(step).classes(step.cls), tables.scale)
        if cost.barred is not True and (sure or kind not in drawn or kind in paths):
            yield Road(kind, node if sure else None, sure)
    if tables.complete.has("roads") or "GEN-ROAD" in tables.off:
        return
    others = [kind for kind in step.lines if kind not in tables.roads]
    for kind in others or ([ANY_ROAD] if step.any_line else []):
        yield Road(kind, None, False)


@ways("GEN-ROAD-PATH")
def open_ways(step: Step) -> bool:
    """A road that must be followed from the start is open to a mover that came along it, or begins on it."""
    way, roads = step.by, tables_of(step).roads
    if not isinstance(way, Road):
        return True
    road = roads.get(way.kind)
    if road is None or not road.told:
        return step.stated("roads") and (road is None or follows(step, way, path=road.path))
    return follows(step, way, path=road.path)


def follows(step: Step, way: Road, *, path: bool) -> bool:
    """Whether a line is there, and the mover came along it if it must."""
    if not way.sure and not step.one_more(way.kind):
        return False
    came = step.came_by if path else None
    if came is None or (isinstance(came, Road) and (not came.sure or came.node == way.node)):
        return True
    return isinstance(came, Road) and step.out_of.joined()


@cost("GEN-ROAD", lambda step: f"along {road_of(step)}", bars="GEN-ROAD")
def along_roads(step: Step) -> CostInterval:
    """Along a road its own cost is due, in place of what it cancels."""
    return charged(step, "roads", partial(road_due, step)) if road_of(step) else FREE


def road_due(step: Step) -> CostInterval:
    kind = road_of(step)
    road = tables_of(step).roads.get(kind)
    if road is None:
        return step.due(ANYTHING, *tables_of(step).complete.questions("roads"))
    found = road_cost(road.cost, rules_of(step).classes(step.cls), step.rules.scale)
    return step.due(found, *priced(step, "roads", kind))
