"""Stacking rules of the tables: one, or several that must all be kept."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from ...concepts.charts import number
from ...concepts.completeness import Completeness
from ...concepts.requirements import read_requirements
from ...ruleset import Measure, StackingLimit, StackingRule


def stacking_tables(plain: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """The tables under ``stacking``, which may be one table or a list."""
    stacking = plain.get("stacking", ())
    yield from [stacking] if isinstance(stacking, Mapping) else stacking


def read_stacking(
    plain: Mapping[str, Any], off: frozenset[str], complete: Completeness
) -> StackingRule | None:
    """The first stacking rule, with the others in :attr:`StackingRule.also`; None: there is none."""
    if "GEN-STACKING" in off:
        return None
    rules = [_read(stacking, complete) for stacking in stacking_tables(plain)]
    return replace(rules[0], also=tuple(rules[1:])) if rules else None


def _read(stacking: Mapping[str, Any], complete: Completeness) -> StackingRule:
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
    checked = stacking.get("checked", "move-end")
    return StackingRule(
        "GEN-STACKING",
        (measure,),
        tuple(limits),
        checked,
        complete.questions("stacking"),
        frozenset(stacking.get("sides", ())),
    )
