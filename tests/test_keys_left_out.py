"""A chart that is not written to the end: what is said by the rest of it holds by the whole chart.

Of every key of the charts some cases that have it lose it, or lose a row, and the chart is not
called complete. What was legal must not be illegal then, nor the other way round: a new key is held as soon
as a case has it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from copy import deepcopy
from dataclasses import replace
from functools import cache
from itertools import islice
from typing import Any

import pytest
from cases import RULESETS, cases, outcome, outcome_with
from tiers import by_tier
from vassal_umpire.importers.cases.case import Case
from vassal_umpire.model.problem import WrongPack
from vassal_umpire.validators.concepts.charts import OTHERS

ONLY_FIND_FAULTS = ("stacking", "order", "boxes")
"""Charts that make nothing of a move open: without them fewer faults are found."""
CHARTS = [
    (name, chart)
    for name, rules in sorted(RULESETS.items())
    for chart in rules.schema.plain["properties"]
    if chart not in ("values", *ONLY_FIND_FAULTS)
]
OTHER = {"legal": "illegal", "illegal": "legal"}
MOST = by_tier(2, 6, 10_000)
"""Cases in which a key is left out, of those that are legal and of those that are not."""

Path = tuple[Any, ...]


def keys(
    value: Any, schema: Mapping[str, Any], path: Path, kind: Path, defs: Mapping[str, Any]
) -> Iterator[tuple[Path, Path]]:
    """Each key and row of a chart that may be left out: its path in the tables, and in the schema. A row with
    costs for all other classes says what a class costs that it leaves out."""
    if "$ref" in schema:
        schema = defs[schema["$ref"].rpartition("/")[2]]
    if isinstance(value, list):
        for number, row in enumerate(value):
            yield (*path, number), (*kind, "row")
            yield from keys(row, schema.get("items", {}), (*path, number), (*kind, "row"), defs)
    elif isinstance(value, dict):
        told, rest = schema.get("properties", {}), schema.get("additionalProperties") or {}
        for key, one in value.items():
            here = (*path, key), (*kind, key if key in told else "row")
            if key not in schema.get("required", ()) and (OTHERS not in value or key == OTHERS):
                yield here
            yield from keys(one, told.get(key, rest), *here, defs)


@cache
def drawn(ruleset: str, chart: str) -> dict[Path, list[tuple[Case, Path]]]:
    """The cases in which each key of a chart is left out, and where it is in them."""
    schema = RULESETS[ruleset].schema.plain
    found: dict[Path, list[tuple[Case, Path]]] = {}
    for case in cases(ruleset).values():
        told, of = case.game.rules.tables.get(chart), schema["properties"][chart]
        for path, kind in keys(told, of, (chart,), (chart,), schema.get("$defs", {})):
            found.setdefault(kind, []).append((case, path))
    return found


def belied(case: Case, path: Path) -> str:
    """What is said without the key at ``path`` and does not hold; empty: nothing."""
    tables = deepcopy(dict(case.game.rules.tables))
    held: Any = tables
    for part in path[:-1]:
        held = held[part]
    del held[path[-1]]
    complete = frozenset(
        case.game.rules.complete or RULESETS[case.ruleset].schema.plain["properties"]
    ) - {path[0]}
    rules = replace(case.game.rules, tables=tables, complete=complete)
    try:
        found = outcome_with(case, replace(case.game, rules=rules)).verdict
    except WrongPack:  # tables that make no sense without it
        return ""
    return f"{case.id}: {found}" if found == OTHER[outcome(case).verdict] else ""


@pytest.mark.parametrize(("ruleset", "chart"), CHARTS)
def test_a_verdict_holds_by_the_whole_chart(ruleset: str, chart: str) -> None:
    wrong = []
    for kind, places in drawn(ruleset, chart).items():
        for verdict in OTHER:
            some = islice((one for one in places if outcome(one[0]).verdict == verdict), MOST)
            wrong += [f"{'.'.join(kind)} {said}" for one in some if (said := belied(*one))]
    assert wrong == []
