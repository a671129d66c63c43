"""The chart ``stacking``: how much may be in a hex, by one rule or several."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from ...concepts.charts import number
from ...concepts.completeness import Completeness
from ...concepts.requirements import read_requirements
from ...ruleset import Measure, StackingLimit, StackingRule
from .terms import Reading, listed


def read(reading: Reading) -> StackingRule | None:
    """The first stacking rule, with the others in :attr:`StackingRule.also`; None: there is none."""
    if "GEN-STACKING" in reading.off:
        return None
    rules = [_stacking(one, reading.complete) for one in listed(reading.plain.get("stacking", []))]
    return replace(rules[0], also=tuple(rules[1:])) if rules else None


def _stacking(stacking: Mapping[str, Any], complete: Completeness) -> StackingRule:
    limits = [
        StackingLimit(((number(limit["limit"]),),), tuple(limit["terrain"]))
        for limit in stacking.get("limits", ())
    ]
    if "limit" in stacking:
        limits.append(StackingLimit(((number(stacking["limit"]),),)))
    measure = Measure(
        name=stacking.get("name") or stacking.get("size", "units"),
        size=stacking.get("size", ""),
        counted=read_requirements(stacking.get("counted", ())),
        exempt=read_requirements(stacking.get("exempt", ())),
    )
    return StackingRule(
        "GEN-STACKING",
        (measure,),
        tuple(limits),
        complete.questions("stacking"),
        frozenset(stacking.get("sides", ())),
    )
