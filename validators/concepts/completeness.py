"""Which charts of a ruleset's tables are whole, and what follows where one is not.

A **chart** is one key at the top of a ruleset's tables (``terrain``, ``zoc``, ``stacking`` …). What is
absent from a whole chart does not exist in the game; what is absent from another is not known. One
:class:`Completeness` is made of ``game.rules.complete`` when a ruleset comes into force, and everything that
reads tables asks it, so that a statement that is missing can leave something open and never accuse.

**To put a ruleset on it** (``generic`` is the model):

1. ``in_force`` makes ``Completeness(game.rules.complete)``, hands it to the table reader, and the rulebook
   says ``opens_charts=True``. Until then the ruleset takes all charts for whole.
2. For every key of the tables ask what its absence means today. Does it mean something *adverse* to a player
   (a class that cannot use a road, an enemy hex that is closed, a lower stacking limit)? Then it is open
   where the chart is not whole: :meth:`Completeness.cell` for the cell of a class that a row leaves out,
   :meth:`Completeness.absent` for a cost of which the chart says nothing.
3. Does it mean something that only *favours* him (no surcharge, no zone of control)? It stays as it is in the
   favourable world; in the other it may be there: add a cost item of cost :meth:`Completeness.absent`
   wherever the rule could apply, or nothing is legal for certain.
4. A row that is there may lack a condition, an exception or an exemption: where the chart is not whole it
   holds *perhaps* (:meth:`Completeness.stated`). A row that is there and gives a cost keeps it.
5. A name on the board without a row (a terrain, a hexside feature, a kind of line) may cost anything, be
   prohibited, or, if a line, be a road that helps. So may a terrain or a road that nobody has drawn yet where
   the board is not whole: the least of the rows typed so far is no bound.
6. Rules that only find something (a stacking limit, an order of moves) are never certain in an open chart:
   ``StackingRule.missing``.
7. The question is always :meth:`Completeness.question`: one for a chart, the same for every move. As
   ``about`` of a cost item it is :meth:`Completeness.about`.

Numbers that ship with a ruleset are printed in the text of its rules: they need nobody's word. A ruleset that
ships a whole chart of the text may make its ``Completeness`` of ``complete`` and the names of those charts.
"""

from __future__ import annotations

from dataclasses import dataclass

from ...model.fact import MissingFact
from ..cost_interval import ANYTHING, FREE, CostInterval
from . import missing_facts
from .charts import UNKNOWN_CELL, Cell


@dataclass(frozen=True, slots=True)
class Completeness:
    """The charts that are whole, by name; ``charts`` None: all of them."""

    charts: frozenset[str] | None = None

    def has(self, chart: str) -> bool:
        """Whether a chart is whole."""
        return self.charts is None or chart in self.charts

    def cell(self, chart: str, absent: Cell) -> Cell:
        """The cell of a class that a row leaves out: ``absent`` if the chart is whole."""
        return absent if self.has(chart) else UNKNOWN_CELL

    def absent(self, chart: str) -> CostInterval:
        """What is due by rows that a chart does not have."""
        return FREE if self.has(chart) else ANYTHING

    def stated(self, chart: str, holds: bool | None) -> bool | None:
        """Whether a row applies whose conditions ``holds``: in a chart that is not whole perhaps, for it
        may lack an exception; None: not known."""
        return holds if self.has(chart) or holds is False else None

    def about(self, chart: str) -> tuple[str, str]:
        """What a cost item is about (``CostItem.about``) that rests on whether a chart is whole."""
        return ("chart", chart)

    def question(self, chart: str) -> MissingFact:
        """The question whether a chart is whole: one for all moves."""
        return missing_facts.of_chart(chart)

    def questions(self, *charts: str) -> tuple[MissingFact, ...]:
        """The question for each of ``charts`` that is not whole."""
        return tuple(self.question(chart) for chart in charts if not self.has(chart))


WHOLE_CHARTS = Completeness()
"""All charts are whole."""
