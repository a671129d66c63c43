"""Apply the rules about certain steps to the cost items of one step."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, NamedTuple

from ...concepts.hex_entries import CostItem, RequiredStop
from ...concepts.logic import every
from ...cost_interval import FREE, CostInterval, optional
from .step_rules import BARRED, COST, STOP, StepRule, concerned, fits

if TYPE_CHECKING:
    from .terrain_graph import TableTerrainGraph

Mark = tuple[int, bool | None]
"""(number of a rule that asks for friends in the hex entered, whether its other conditions hold; None: not
known)."""


class Ruled(NamedTuple):
    """A step under the rules: its cost items, the stop they require (None: none), and the rules that depend
    on friends in the hex entered."""

    cost_items: tuple[CostItem, ...]
    required_stop: RequiredStop | None
    marks: tuple[Mark, ...]


def ruled_step(
    terrain_graph: TableTerrainGraph,
    here: str,
    to: str,
    road: str,
    parts: Mapping[str, tuple[CostItem, ...]],
) -> Ruled:
    """Apply the rules to a step. ``parts``: part of the charts (such as ``terrain``) → its cost items."""
    kept = dict(parts)
    cost_items: list[CostItem] = []
    required_stop: RequiredStop | None = None
    marks: list[Mark] = []
    for rule, holds in _in_question(terrain_graph, here, to, road):
        if rule.friends is not None:
            marks.append((rule.number, holds))
            continue
        for part in rule.instead_of.intersection(kept):
            gone = _gone if holds else _perhaps_not
            kept[part] = tuple(gone(cost_item, rule) for cost_item in kept[part])
        if rule.cost is not None:
            cost_items.append(rule_cost_item(terrain_graph, rule, holds))
        if rule.stop and (required_stop is None or not required_stop.sure):
            text = f"goes on after {rule.reason}"
            required_stop = RequiredStop(STOP, text, bool(holds), ("step", str(rule.number)))
    every_cost_item = (*(t for part in kept.values() for t in part), *cost_items)
    return Ruled(every_cost_item, required_stop, tuple(marks))


def _in_question(
    terrain_graph: TableTerrainGraph, here: str, to: str, road: str
) -> Iterator[tuple[StepRule, bool | None]]:
    """The rules that are about a step (True) or may be (None)."""
    for rule, holds in terrain_graph.applied:
        concerns = concerned(rule, terrain_graph.classes)
        found = every((holds, concerns, fits(rule, terrain_graph.board, here, to, road)))
        if found is not False:
            yield rule, found


def _gone(cost_item: CostItem, rule: StepRule) -> CostItem:
    """A cost item whose cost a rule cancels. For a road that may not be there, that doubt remains."""
    there = cost_item.clause != "GEN-ROAD" or cost_item.cost.barred is False
    return cost_item._replace(cost=FREE if there else CostInterval(0, 0, cost_item.cost.barred))


def _perhaps_not(cost_item: CostItem, rule: StepRule) -> CostItem:
    """A cost item whose cost a rule may cancel."""
    about = ("step", str(rule.number)) if cost_item.cost.is_exact else cost_item.about
    return cost_item._replace(cost=optional(cost_item.cost, None), about=about)


def rule_cost_item(
    terrain_graph: TableTerrainGraph, rule: StepRule, holds: bool | None
) -> CostItem:
    """The cost item of a rule. ``holds`` None: the rule may not apply, so the cost may be 0."""
    cost = terrain_graph.by_class(rule.cost or {})
    text = f"makes a step that is prohibited to {terrain_graph.who} ({rule.reason})"
    about = ("step", str(rule.number))
    return CostItem(optional(cost, holds), COST, rule.reason, BARRED, text, about)
