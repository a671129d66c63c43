"""What ``[rules]`` of a pack holds: the ruleset's tables, and which of its charts are whole."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

COMPLETE = "complete"
NONE = "none"


def charts_of(rules: Mapping[str, Any]) -> tuple[dict[str, Any], frozenset[str]]:
    """The tables, and the names of the charts that are whole: those that ``complete`` lists, and those
    written as ``zoc = "none"``, which are in no table."""
    absent = {name for name, value in rules.items() if value == NONE}
    tables = {k: v for k, v in rules.items() if k != COMPLETE and k not in absent}
    return tables, frozenset((*absent, *rules.get(COMPLETE, ())))
