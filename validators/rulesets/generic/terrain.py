"""The chart ``terrain``: what it costs to enter a hex."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Literal

from ...concepts.charts import Costs, terrain_cost
from ...cost_interval import CostInterval, union_all
from ...engine.clauses import cost
from ...engine.step import Step
from .steps import charged
from .terms import Reading, RulesOfTables, priced, rules_of, tables_of

_OPEN = ("unknown", "between")


@dataclass(frozen=True, slots=True)
class Terrain:
    """``costs``: name → its row. ``combine``: what counts of several in a hex; None: not known."""

    costs: Mapping[str, Costs]
    combine: Literal["dearest", "sum"] | None


def read(reading: Reading) -> Terrain:
    """The chart."""
    chart = reading.plain["terrain"]
    costs = {
        name: reading.costs(cost, "GEN-TERRAIN", "GEN-TERRAIN-PROHIBITED")
        for name, cost in chart["costs"].items()
    }
    return Terrain(costs, chart.get("combine", reading.if_left_out("terrain", "dearest")))


def entering(
    rules: RulesOfTables,
    classes: tuple[str, ...],
    terrain: tuple[str, ...],
    features: tuple[str, ...],
) -> CostInterval:
    """What it costs to enter a hex with these terrains (none: any) and features."""
    chart, whole = rules.typed.terrain, rules.complete.has("terrain")
    if whole:
        features = tuple(f for f in features if f in chart.costs)
    return union_all(
        terrain_cost(
            chart.costs, c, terrain or None, features, rules.scale, chart.combine, whole=whole
        )
        for c in classes
    )


def names_in(step: Step) -> tuple[str, ...]:
    """What is in the hex entered, as far as it is told and has a cost."""
    tables = tables_of(step)
    features: Iterable[str] = step.into.named_features
    if tables.complete.has("terrain"):
        features = (f for f in features if f in tables.terrain.costs)
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
    found = union_all(entering(rules_of(step), classes, *one) for one in every)
    if not sure:
        return step.due(found, step.into.asked)
    if found.is_exact:
        return found
    names = names_in(step)
    rows = [tables.terrain.costs.get(name) for name in names]
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
