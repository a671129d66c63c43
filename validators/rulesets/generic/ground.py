"""What the ground costs: terrain, hexsides, levels, roads and surcharges, by the charts."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial

from ....model.board import Names, may_be
from ...concepts.charts import NO_CLASS, road_cost, terrain_cost
from ...cost_interval import ANYTHING, BARRED, FREE, CostInterval, total, union, union_all
from ...engine.asking import Question
from ...engine.clauses import ClauseFunction, cost, ways
from ...engine.step import Step
from .step_rules import applies
from .tables import Hexside, Surcharge, Tables
from .terms import (
    ANY_ROAD,
    OFF_ROAD,
    PLACES,
    Road,
    counted,
    of_rows,
    road_of,
    row,
    rules_of,
    tables_of,
)

_OPEN = ("unknown", "between")


def charged(step: Step, part: str, due: Callable[[], CostInterval]) -> CostInterval:
    """What a part of the charts charges for a step, unless the road that it follows or a rule about steps
    replaces it. Where there may be such rules that are not told, nothing is known of it."""
    tables, road = tables_of(step), road_of(step)
    if not tables.complete.has("steps"):
        return FREE
    known = tables.roads.get(road)
    if road and (part in known.cancels if known else part != "roads"):
        return FREE
    for rule in tables.steps:
        if part in rule.instead_of and applies(rule, step):
            return CostInterval(0, 0, due().barred) if part == "roads" else FREE
    return counted(step, due())


# -- the ways of a step ----------------------------------------------------------------------------


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


# -- terrain ---------------------------------------------------------------------------------------


def entering(
    tables: Tables, classes: tuple[str, ...], terrain: tuple[str, ...], features: tuple[str, ...]
) -> CostInterval:
    """What it costs to enter a hex with these terrains (none: any) and features."""
    whole = tables.complete.has("terrain")
    if whole:
        features = tuple(f for f in features if f in tables.terrain)
    return union_all(
        terrain_cost(
            tables.terrain, c, terrain or None, features, tables.scale, tables.combine, whole=whole
        )
        for c in classes
    )


def names_in(step: Step) -> tuple[str, ...]:
    """What is in the hex entered, as far as it is told and has a cost."""
    tables = tables_of(step)
    features: Iterable[str] = step.into.named_features
    if tables.complete.has("terrain"):
        features = (f for f in features if f in tables.terrain)
    return (*step.into.named_terrains, *features)


def what(step: Step) -> str:
    return " and ".join(names_in(step)) or "a hex of unknown terrain"


@cost(
    "GEN-TERRAIN",
    what,
    bars="GEN-TERRAIN-PROHIBITED",
    closed=lambda step: f"enters {what(step)}, prohibited to {step.who}",
)
def terrain(step: Step) -> CostInterval:
    """The terrain of the hex entered has its cost, and may be prohibited."""
    return charged(step, "terrain", partial(terrain_due, step))


def terrain_due(step: Step) -> CostInterval:
    """What the terrain of the hex entered costs; every state that it may have counts."""
    tables, classes = tables_of(step), rules_of(step).classes(step.cls)
    every, sure = step.into.completions("terrain")
    found = union_all(entering(tables, classes, *one) for one in every)
    if not sure:
        return step.due(found, step.into.asked)
    if found.is_exact:
        return found
    names = names_in(step)
    rows = [tables.terrain.get(name) for name in names]
    if not step.into.named_terrains:
        return step.due(found, step.into.missing_besides(()))
    if all(r and r[c].kind == "plus" for r in rows for c in classes):
        return step.due(found, step.into.missing_besides(names))
    doubtful = [
        n
        for n, costs in zip(names, rows, strict=True)
        if costs is None or any(costs[c].kind in _OPEN for c in classes)
    ]
    return step.due(found, *priced(step, "terrain", *doubtful))


def priced(step: Step, chart: str, *names: str) -> tuple[Question, ...]:
    """What would make a cost of a chart exact: its rows ``names``, or the whole chart if there are none. What
    classes there are goes first."""
    complete = tables_of(step).complete
    if NO_CLASS in rules_of(step).classes(step.cls) and not complete.has("classes"):
        return complete.questions("classes")
    return (of_rows(step, PLACES[chart], *names),) if names else complete.questions(chart)


# -- hexsides --------------------------------------------------------------------------------------


def sides_of(tables: Tables) -> Iterator[ClauseFunction]:
    """A clause for each row of the chart of hexsides, and one for what else may lie on them."""
    for feature, side in tables.hexsides.items():
        a = "an unbridged" if side.bridges else "a"
        yield cost(
            "GEN-HEXSIDE",
            partial(crossed, feature, side),
            cites=partial(cited, side),
            bars="GEN-HEXSIDE-PROHIBITED",
            closed=lambda step, a=a, feature=feature: (
                f"crosses {a} {feature}, prohibited to {step.who}"
            ),
        )(partial(crossing, feature, side))
    if tables.hexsides or not tables.complete.has("hexsides"):
        yield cost(
            "GEN-HEXSIDE",
            lambda step: " and ".join(_uncharted(step, step.drawn)) or "hexside",
            bars="GEN-HEXSIDE-PROHIBITED",
        )(uncharted_sides)


def crossed(feature: str, side: Hexside, step: Step) -> str:
    bridge = next((b for b in side.bridges if b in step.drawn), "")
    return f"{feature} with {bridge}" if bridge else feature


def cited(side: Hexside, step: Step) -> str:
    bridge = any(b in step.drawn for b in side.bridges)
    return "GEN-BRIDGE" if bridge else "GEN-HEXSIDE"


def crossing(feature: str, side: Hexside, step: Step) -> CostInterval:
    """A feature of the hexside is paid for, at the cost of its cheapest bridge if it has one."""
    if feature not in step.drawn:
        return FREE
    return charged(step, "hexsides", partial(side_due, feature, side, step))


def side_due(feature: str, side: Hexside, step: Step) -> CostInterval:
    """What a feature that is there costs. What the chart does not name beside it may be a bridge."""
    tables, there, maybe = tables_of(step), step.drawn, step.maybe_on_side
    due = bridged(step, side, there, maybe)
    strange = _uncharted(step, there)
    if strange:
        return step.due(union(FREE, due), *priced(step, "hexsides", *strange))
    if _uncharted(step, sorted(maybe or ())):
        return step.due(union(FREE, due), step.side_asked)
    others = {*there, *(maybe or ())} - {feature, *side.bridges}
    if (others or maybe is None) and not tables.complete.has("hexsides"):
        return step.due(ANYTHING, *tables.complete.questions("hexsides"))
    if maybe is None or maybe:
        return step.due(due, step.side_asked)
    return step.due(due, *_bridge_asked(step, feature, side))


def _bridge_asked(step: Step, feature: str, side: Hexside) -> tuple[Question, ...]:
    """What would make the cost of a feature exact, or that of the bridge over it."""
    there = [b for b in side.bridges if b in step.drawn]
    unsure = [b for b in there if not rules_of(step).by_class(side.bridges[b], step.cls).is_exact]
    bridge = next(iter((*unsure, *there)), "")
    if (
        not bridge
        or priced(step, "hexsides") == tables_of(step).complete.questions("classes") != ()
    ):
        return priced(step, "hexsides", feature)
    number = str([*side.bridges].index(bridge))
    place = ("hexsides", feature, "bridges", number, "cost")
    return (of_rows(step, place, f"{feature} with {bridge}"),)


def bridged(step: Step, side: Hexside, there: tuple[str, ...], maybe: Names) -> CostInterval:
    """The cost of a feature, given the bridges that are there and those that may be. Of several the cheapest
    counts."""
    rules, cls = rules_of(step), step.cls
    own, costs = rules.by_class(side.cost, cls), side.bridges.items()
    over = [rules.by_class(one, cls) for name, one in costs if name in there]
    others = (one for name, one in costs if name not in there and may_be(name, maybe))
    perhaps = [rules.by_class(one, cls) for one in others]
    if all(one.is_exact for one in over):
        told = min(over, key=lambda t: (t.barred, t.whole, t.lo), default=own)
    else:
        told = union_all(over)
    return union_all((told, *perhaps))


def _uncharted(step: Step, names: Iterable[str]) -> list[str]:
    tables = tables_of(step)
    return [f for f in names if f not in tables.hexsides and f not in tables.bridges]


def uncharted_sides(step: Step) -> CostInterval:
    """What the chart does not name, and what may lie on the hexside besides, may cost anything or be free."""
    return charged(step, "hexsides", partial(other_sides, step))


def other_sides(step: Step) -> CostInterval:
    tables, there, maybe = tables_of(step), step.drawn, step.maybe_on_side
    strange = _uncharted(step, there)
    found = step.due(ANYTHING, *priced(step, "hexsides", *strange)) if strange else FREE
    if maybe is not None and not maybe:
        return found
    costs = [
        union(FREE, bridged(step, side, there, maybe))
        for name, side in tables.hexsides.items()
        if name not in there and may_be(name, maybe)
    ]
    if maybe is None:
        costs.append(tables.complete.absent("hexsides"))
    costs += [ANYTHING for _ in _uncharted(step, sorted(maybe or ()))]
    return total((found, step.due(total(costs), step.side_asked)))


# -- levels ----------------------------------------------------------------------------------------


def climb(step: Step) -> str:
    if not step.level_is_known:
        return "levels"
    rise = step.climb("levels")
    return f"{abs(rise)} level{'s' if abs(rise) > 1 else ''} {'up' if rise > 0 else 'down'}"


def steep(step: Step) -> str:
    return f"goes {climb(step)} in one step"


@cost("GEN-LEVEL", climb, bars="GEN-LEVEL-MOST", closed=steep)
def levels(step: Step) -> CostInterval:
    """Every level up or down has its cost."""
    return charged(step, "levels", partial(climb_due, step))


def climb_due(step: Step) -> CostInterval:
    chart = tables_of(step).levels
    rise = 0 if chart is None else step.climb("levels")
    if chart is None or rise == 0:
        return FREE
    word, costs = ("up", chart.up) if rise > 0 else ("down", chart.down)
    found = rules_of(step).by_class(costs, step.cls, abs(rise))
    whole = tables_of(step).complete.has("levels")
    return step.due(found, *priced(step, "levels", *([word] if whole else [])))


@cost("GEN-LEVEL-MOST", climb, bars="GEN-LEVEL-MOST", closed=steep)
def most_levels(step: Step) -> CostInterval:
    """There may be a limit to the levels in one step."""
    return charged(step, "levels", partial(limit_due, step))


def limit_due(step: Step) -> CostInterval:
    chart = tables_of(step).levels
    rise = step.climb("levels") if step.level_is_known and chart is not None else 0
    if chart is None or rise == 0:
        return FREE
    if chart.perhaps_most:
        return step.due(union(FREE, BARRED), *tables_of(step).complete.questions("levels"))
    return BARRED if chart.most is not None and abs(rise) > chart.most else FREE


# -- roads and surcharges --------------------------------------------------------------------------


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


def surcharges_of(tables: Tables) -> Iterator[ClauseFunction]:
    """A clause for each surcharge, and one for those that may not be told."""
    for number, one in enumerate(tables.surcharges):
        clause = tables.citations.row("surcharges", one.reason, "GEN-SURCHARGE")
        yield cost(clause, one.reason, bars=clause, closed=one.reason)(
            partial(surcharge, number, one)
        )
    if not tables.complete.has("surcharges") and "GEN-SURCHARGE" not in tables.off:
        yield cost("GEN-SURCHARGE", "a surcharge that is not told", bars="GEN-SURCHARGE")(
            other_surcharges
        )


def surcharge(number: int, one: Surcharge, step: Step) -> CostInterval:
    """What makes every hex cost more, but along roads unless it says so."""
    if road_of(step) and not one.on_roads:
        return FREE
    return charged(step, "surcharges", partial(surcharge_due, number, one, step))


def surcharge_due(number: int, one: Surcharge, step: Step) -> CostInterval:
    if not step.meets(one.requirements) or not step.stated("surcharges"):
        return FREE
    return row(step, one.cost, ("surcharges", str(number), "cost"), one.reason)


def other_surcharges(step: Step) -> CostInterval:
    return charged(step, "surcharges", partial(step.unstated, "surcharges"))


@cost("GEN-HEXES", "one hex")
def hexes(step: Step) -> int:
    """Where hexes are counted, every hex is one."""
    return 1 if tables_of(step).hexes else 0
