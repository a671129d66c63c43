"""The charts of costs in force for one game."""

from __future__ import annotations

from collections.abc import Container, Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any

from ...model.fact import MissingFact
from ...model.stanza import BLANK, Entry, pack_stanza
from ..concepts.charts import NOTHING, UNKNOWN_CELL, Cell, ChartReader, Costs
from .declared import Chart

if TYPE_CHECKING:
    from ..concepts.completeness import Completeness
    from .declared import Declared
    from .ruleset import ClauseRuleset


class ChartsInForce:
    """The charts of costs of a ruleset, with the rows of a pack put in. See :class:`.rules.Rules`."""

    book: ClauseRuleset
    tables: Mapping[str, Any]

    if TYPE_CHECKING:

        @property
        def declared(self) -> Declared: ...
        @property
        def complete(self) -> Completeness: ...
        @property
        def _off(self) -> frozenset[str]: ...

    @cached_property
    def _reader(self) -> tuple[ChartReader, dict[str, Mapping[str, Costs]]]:
        columns = tuple(dict.fromkeys(self.declared.columns.values()))
        reader = ChartReader(columns, self._off)
        charts: dict[str, Mapping[str, Costs]] = {
            name: {
                row: reader.costs(raw, *chart.clauses(row), missing=self._left_out(name, chart))
                for row, raw in chart.rows(self.tables).items()
            }
            for name, chart in self.declared.charts.items()
        }
        return reader, charts

    def _left_out(self, name: str, chart: Chart) -> Cell:
        """The cell of a class that a row of a chart leaves out."""
        return NOTHING if chart.silent and self.complete.has(name) else UNKNOWN_CELL

    @property
    def charts(self) -> Mapping[str, Mapping[str, Costs]]:
        return self._reader[1]

    @cached_property
    def scale(self) -> int:
        return self._reader[0].scale

    def charted(self, chart: str) -> Container[str]:
        """The names that a chart has."""
        return self.charts[chart]

    def cell(self, chart: str, name: str, column: str) -> Cell | None:
        row = self.charts[chart].get(name)
        return None if row is None else row.get(column)

    def cost_question(self, chart: str, name: str, column: str) -> MissingFact:
        who, one = self.book.words_for(column), self.declared.charts[chart]
        path = tuple(part.format(name) for part in one.path)
        blank: Entry = {column: BLANK} if column else dict.fromkeys(self.declared.columns, BLANK)
        for key in reversed(path[1:]):
            blank = {key: blank}
        return MissingFact(
            f"cost of {name}{one.said} for {who}",
            f"what does {name}{one.said} cost {who}{self.declared.noun}?",
            "facts.toml",
            pack_stanza("rules", path[0], entry=blank),
        )
