"""The cost of coming onto the map (6.10)."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from ....model.bill import ZERO, Amount
from .tables import DRIVEN, FOOT, GUN, INFANTRY, Tables
from .terrain_graph import VvTerrainGraph
from .unit_history import UnitHistory

CLAUSE = "VV-6.10-a"
_COLUMN = {**dict.fromkeys(FOOT, INFANTRY), **{cls: cls for cls in (*DRIVEN, GUN)}}


def entered(
    unit: str,
    event: int,
    unit_history: UnitHistory,
    tables: Tables,
    terrain_graph: Callable[[str], VvTerrainGraph],
) -> Amount | None:
    """The MPs that a unit spent on coming onto the map from an entry box (6.10); None if not known.
    ``event``: a drag of the unit in the same phase; ``terrain_graph``: returns the terrain graph of a
    column."""
    first = unit_history.drag(unit_history.in_phase(unit, event)[0])
    fact = unit_history.fact(unit, "class", event)
    column = _COLUMN.get(str(fact.value)) if fact.is_known else None
    if first.origin.name not in tables.entry or first.target.kind != "hex" or column is None:
        return None
    if not tables.applies("6.10-a"):
        return ZERO
    kind = tables.phases.get(unit_history.timeline.phase(first.at).phase or "")
    if kind == "advance" or column == GUN:
        return Amount.exactly(1)
    cost = terrain_graph(column).into(first.target.name)
    scale = tables.scale
    if cost.barred is True:  # it cannot have entered by this hex
        return None
    return Amount(Fraction(cost.lo, scale), None if cost.hi is None else Fraction(cost.hi, scale))
