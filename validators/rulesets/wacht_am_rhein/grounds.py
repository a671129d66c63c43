"""The state of the ground (18.2.0): what it does to the MA, and whether the charts hold for it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ....model.fact import MissingFact
from ....model.stanza import pack_stanza
from ...cost_interval import ANYTHING, CostInterval
from ...engine.rules import Rules
from ...engine.step import Step


def states(rules: Rules) -> Mapping[str, Mapping[str, Any]]:
    """The states of the ground in the tables, by name in lower case."""
    return {name.lower(): row for name, row in rules.tables["grounds"].items()}


def charts_hold(step: Step) -> bool:
    """Whether the charts of the pack hold for the ground."""
    options = step.fact("ground").options or ()
    rows = [states(step.rules).get(str(option).lower(), {}) for option in options]
    return bool(rows) and all(row.get("chart") for row in rows)


def open_cost(step: Step) -> CostInterval:
    """The cost where the charts may not hold: any, perhaps prohibited."""
    fact = step.fact("ground")
    step.run.log.open.append(
        charts_question(str(fact.value)) if fact.is_known else step._asked("ground")
    )
    return ANYTHING._replace(whole=False)


def charged(step: Step, chart: str, name: str) -> CostInterval:
    """What a row of a chart costs the mover, if the charts hold for the ground."""
    return step.charge(chart, name, step.column) if charts_hold(step) else open_cost(step)


def charts_question(ground: str) -> MissingFact:
    """The question whether the charts hold for a state of the ground."""
    return MissingFact(
        f"charts on {ground} ground",
        f"are the charts of the pack those for {ground} ground? Say so if they are",
        "facts.toml",
        pack_stanza("rules", "grounds", ground, "chart", entry=True),
    )
