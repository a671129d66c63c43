"""The chart ``hexsides``: what it costs to cross a feature, and the bridges over it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from ....model.board import Names, may_be
from ...concepts.charts import Costs
from ...cost_interval import ANYTHING, FREE, CostInterval, total, union, union_all
from ...engine.asking import Question
from ...engine.clauses import ClauseFunction, cost
from ...engine.step import Step
from .steps import charged
from .terms import Reading, RulesOfTables, of_rows, priced, rules_of, tables_of

_NOT_ALWAYS = ("if", "into", "out_of", "along", "not_along", "climbs")
"""What a rule about steps may say besides the hexside, to be about some of the steps across it."""


@dataclass(frozen=True, slots=True)
class Hexside:
    """A row of the hexside chart. ``bridges``: feature → the cost that replaces ``cost`` if it is there."""

    cost: Costs
    bridges: Mapping[str, Costs]


@dataclass(frozen=True, slots=True)
class Hexsides:
    """``rows``: feature → its row. ``bridges``: the features without a cost of their own, bridges and what
    rules about steps name."""

    rows: Mapping[str, Hexside]
    bridges: frozenset[str]


def read(reading: Reading) -> Hexsides:
    """The chart."""
    sides = reading.plain.get("hexsides", {})
    rows = {name: _hexside(side, reading) for name, side in sides.items()}
    return Hexsides(rows, frozenset(_bridges(reading)))


def _hexside(side: Mapping[str, Any], reading: Reading) -> Hexside:
    clauses = ("GEN-HEXSIDE", "GEN-HEXSIDE-PROHIBITED")
    free = reading.if_left_out("hexsides", 0, "unknown")
    bridges = {
        b["feature"]: reading.costs(b.get("cost", free), *clauses) for b in side.get("bridges", ())
    }
    off = "GEN-BRIDGE" in reading.off
    return Hexside(reading.costs(side["cost"], *clauses), {} if off else bridges)


def _bridges(reading: Reading) -> Iterator[str]:
    """The features without a cost of their own. Where the chart is not whole, what rules about steps name is
    among them only if a rule says what it always costs."""
    for side in reading.plain.get("hexsides", {}).values():
        yield from (bridge["feature"] for bridge in side.get("bridges", ()))
    whole = reading.complete.has("hexsides")
    for rule in reading.plain.get("steps", ()):
        always = "cost" in rule and not any(rule.get(key) for key in _NOT_ALWAYS)
        if whole or (always and "hexsides" not in rule.get("instead_of", ())):
            yield from rule.get("across", ())


def clauses_of(rules: RulesOfTables) -> Iterator[ClauseFunction]:
    """A clause for each row of the chart of hexsides, and one for what else may lie on them."""
    for feature, side in rules.typed.hexsides.rows.items():
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
    if rules.typed.hexsides.rows or not rules.complete.has("hexsides"):
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
    chart = tables_of(step).hexsides
    return [f for f in names if f not in chart.rows and f not in chart.bridges]


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
        for name, side in tables.hexsides.rows.items()
        if name not in there and may_be(name, maybe)
    ]
    if maybe is None:
        costs.append(tables.complete.absent("hexsides"))
    costs += [ANYTHING for _ in _uncharted(step, sorted(maybe or ()))]
    return total((found, step.due(total(costs), step.side_asked)))
