"""The ids under which clauses are cited: their own, or those of a ruleset that builds on ``generic``."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from ...concepts.hex_entries import CostItem

STEPS = ("GEN-STEP", "GEN-STEP-PROHIBITED", "GEN-STEP-STOP")
ZONES = ("GEN-ZOC-ENTER", "GEN-ZOC-LEAVE", "GEN-ZOC-WITHIN", "GEN-ZOC-STOP")
SURCHARGE = "GEN-SURCHARGE"


@dataclass(frozen=True, slots=True)
class Citations:
    """The ids to cite.

    ``ids``: id of a clause of ``generic`` → the clause that stands for it. ``rows``: (chart, number of the
    row from 0) → clause of that row; for surcharges (chart, reason). ``rows`` outranks ``ids``. A clause in
    neither is cited by its own id.
    """

    ids: Mapping[str, str] = field(default_factory=dict)
    rows: Mapping[tuple[str, int | str], str] = field(default_factory=dict)

    def of(self, clause: str) -> str:
        """The id to cite for a clause."""
        return self.ids.get(clause, clause)

    def row(self, chart: str, number: int | str, clause: str) -> str:
        """The id to cite for a clause that applies through a row of a chart."""
        return self.rows.get((chart, number)) or self.of(clause)

    def by(self, clause: str, about: tuple[str, ...]) -> str:
        """The id to cite for the clause of a cost item; ``about``: its ``CostItem.about``."""
        match about:
            case ("step", number) if clause in STEPS:
                return self.row("steps", int(number) - 1, clause)
            case ("zoc", _, number) if clause in ZONES:
                return self.row("zoc", int(number), clause)
            case ("extra", reason) if clause == SURCHARGE:
                return self.row("surcharges", reason, clause)
        return self.of(clause)

    def cost_item(self, cost_item: CostItem) -> CostItem:
        """The cost item with the clause ids to cite."""
        if not self.ids and not self.rows:
            return cost_item
        clause, barring = (
            self.by(cost_item.clause, cost_item.about),
            self.by(cost_item.bar_clause, cost_item.about),
        )
        return cost_item._replace(clause=clause, bar_clause=barring)


AS_THEY_ARE = Citations()
"""Every clause is cited by its own id."""
