"""The chart ``surcharges``: what every hex costs besides while something holds."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial

from ...concepts.charts import NOTHING, Costs
from ...cost_interval import FREE, CostInterval
from ...engine.clauses import ClauseFunction, cost
from ...engine.step import Step
from ...ruleset import Requirement
from .steps import charged
from .terms import Reading, RulesOfTables, road_of, row


@dataclass(frozen=True, slots=True)
class Surcharge:
    cost: Costs
    requirements: tuple[Requirement, ...]
    on_roads: bool
    reason: str


def read(reading: Reading) -> tuple[Surcharge, ...]:
    """The rows of the chart."""
    if "GEN-SURCHARGE" in reading.off:
        return ()
    return tuple(
        Surcharge(
            reading.costs(s["cost"], "GEN-SURCHARGE", "GEN-SURCHARGE", NOTHING),
            reading.tests(s["if"]),
            bool(s.get("on_roads")),
            s.get("reason", "surcharge"),
        )
        for s in reading.plain.get("surcharges", ())
    )


def clauses_of(rules: RulesOfTables) -> Iterator[ClauseFunction]:
    """A clause for each surcharge, and one for those that may not be told."""
    for number, one in enumerate(rules.typed.surcharges):
        clause = rules.typed.citations.row("surcharges", one.reason, "GEN-SURCHARGE")
        yield cost(clause, one.reason, bars=clause, closed=one.reason)(
            partial(surcharge, number, one)
        )
    if not rules.complete.has("surcharges") and "GEN-SURCHARGE" not in rules.typed.off:
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
