"""Words and ways that the clauses of ``generic`` share."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from typing import TYPE_CHECKING, NamedTuple, cast

from ...concepts.charts import Costs
from ...concepts.completeness import of_cost
from ...cost_interval import CostInterval
from ...engine.asking import Question, later
from ...engine.step import Step
from ...engine.subject import Subject

if TYPE_CHECKING:
    from .rules import TableRules
    from .tables import Tables

TOPIC = "right by"
"""Topic of the question whether a move is right by a rule that the tables lack."""
MOVE_ON = "may move on from"
"""Topic of the question whether a unit may move on from the hex where it came onto the map."""
OFF_ROAD = "-"
"""The way of a step off the road."""
ANY_ROAD = "a road that is not told"
PLACES: Mapping[str, tuple[str, ...]] = {
    "terrain": ("terrain", "costs", "{}"),
    "hexsides": ("hexsides", "{}", "cost"),
    "roads": ("roads", "{}", "cost"),
    "levels": ("levels", "{}"),
}
"""Where the costs of a chart have their rows; ``{}`` stands for the name of the row."""


class Road(NamedTuple):
    """The way of a step along a line. ``node``: the same for all lines that meet; ``sure``: the line is
    certainly there."""

    kind: str
    node: Hashable
    sure: bool


def rules_of(subject: Subject) -> TableRules:
    """The rules in force."""
    return cast("TableRules", subject.rules)


def tables_of(subject: Subject) -> Tables:
    """The tables in force."""
    return rules_of(subject).typed


def road_of(step: Step) -> str:
    """The kind of line that a step follows; empty: none."""
    return step.by.kind if isinstance(step.by, Road) else ""


def row(step: Step, costs: Costs, place: tuple[str, ...], name: str) -> CostInterval:
    """What a row of a table costs the mover. ``place``: where it is in ``[rules]``; ``name``: what it is the
    cost of. In a chart that is not whole, what else it has is asked for first."""
    cost = rules_of(step).by_class(costs, step.cls)
    asked = step.rules.complete.questions(place[0]) if place[0] in ("zoc", "enemy_hex") else ()
    return step.due(cost, *(asked or (of_rows(step, place, name),)))


def of_rows(step: Step, place: tuple[str, ...], *names: str) -> Question:
    """What asks for the cost of the rows ``names`` at a place of the tables."""
    tables, classes = tables_of(step), rules_of(step).classes(step.cls)
    return later(of_cost, tables.plain, tables.complete, place, names, classes)


def counted(step: Step, cost: CostInterval) -> CostInterval:
    """The part of a cost that counts: where hexes are counted instead of MPs, what closes a hex or takes the
    whole allowance."""
    if not tables_of(step).hexes:
        return cost
    return CostInterval(0, 0, cost.barred, False if cost.barred else cost.whole)
