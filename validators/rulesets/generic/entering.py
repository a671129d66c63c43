"""The table ``entering``: what units pay for coming onto the map."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from ...concepts.charts import ChartReader, Costs

CLAUSE = "GEN-ENTERING"
MOVE_ON = "may move on from"
"""Topic of the question whether a unit may move on from the hex where it came onto the map."""
_WORDS: Mapping[str, Literal["entered", "terrain"]] = {
    "as entered": "entered",
    "terrain": "terrain",
}


@dataclass(frozen=True, slots=True)
class Entering:
    """What a unit pays for coming onto the map.

    ``hex``: what it pays for the hex it comes to: ``terrain`` is its terrain cost; ``entered`` is its terrain
    cost or less along a road; None: only ``cost``, by class.
    """

    hex: Literal["entered", "terrain"] | None
    cost: Costs | None = None


def read_entering(
    plain: Mapping[str, Any], charts: ChartReader, off: frozenset[str]
) -> Entering | None:
    """The table ``entering`` of a pack; None: the cost of coming onto the map is not known."""
    if CLAUSE in off:
        return Entering(None, charts.costs(0, CLAUSE))
    spent = plain.get("entering", {}).get("spent", "unknown")
    if spent == "unknown":
        return None
    word = _WORDS.get(spent) if isinstance(spent, str) else None
    return Entering(word, None if word else charts.costs(spent, CLAUSE, CLAUSE))
