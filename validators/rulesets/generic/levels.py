"""The chart ``levels``: what it costs to climb, and how steep a step may be."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial

from ...concepts.charts import Costs
from ...cost_interval import BARRED, FREE, CostInterval, union
from ...engine.clauses import ClauseFunction, cost
from ...engine.step import Step
from .steps import charged
from .terms import Reading, RulesOfTables, priced, rules_of, tables_of


@dataclass(frozen=True, slots=True)
class Levels:
    """The costs of each level up and down. ``most``: levels in one step; None: any number. ``perhaps_most``:
    there may be a limit that the pack does not state."""

    up: Costs
    down: Costs
    most: int | None
    perhaps_most: bool = False


def read(reading: Reading) -> Levels | None:
    """The chart; None: climbing costs nothing."""
    chart = reading.plain.get("levels", reading.if_left_out("levels", None, {}))
    if chart is None:
        return None
    most, free = chart.get("most"), reading.if_left_out("levels", 0, "unknown")
    bound = "GEN-LEVEL-MOST" not in reading.off
    return Levels(
        reading.costs(chart.get("up", free), "GEN-LEVEL", "GEN-LEVEL-MOST"),
        reading.costs(chart.get("down", free), "GEN-LEVEL", "GEN-LEVEL-MOST"),
        most if bound else None,
        bound and most is None and not reading.complete.has("levels"),
    )


def clauses_of(rules: RulesOfTables) -> Iterator[ClauseFunction]:
    """The clauses of the chart."""
    if rules.typed.levels is not None:
        yield from (levels, most_levels)


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
