"""The ids under which clauses are cited: their own, or those of a ruleset that builds on ``generic``."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


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


AS_THEY_ARE = Citations()
"""Every clause is cited by its own id."""
