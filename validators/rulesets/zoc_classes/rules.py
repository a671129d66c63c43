"""The ruleset ``zoc-classes``: the object that the entry point names."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from ....model.finding import Finding
from ....model.game import Game
from ....model.names import CLASS, HEXSIDE, LINE, TERRAIN, Words, value_of
from ...allowed_facts import AllowedFacts
from ...concepts.completeness import Completeness
from ...moves import Track
from ...rulebook import Rulebook, TablesInForce, readings_of
from ...ruleset import (
    Measure,
    OrderRule,
    StackingLimit,
    StackingRule,
)
from .markers import check_markers
from .movers import MoverFactory
from .order import resumed_moves
from .ruleset_facts import allowed_facts
from .tables import CLASSES, READINGS, Tables, defaults, merged, read_tables


@dataclass(frozen=True)
class ZcRules(TablesInForce[Tables, MoverFactory]):
    """The rules in force for one game. See :class:`~...ruleset.RulesInForce`."""

    game: Game

    def allowed_facts(self) -> AllowedFacts:
        """The attributes and conditions that facts may give."""
        return allowed_facts(self.tables)

    def movers(self, phase: str) -> Literal["active", "inactive"] | None:
        """See :class:`~...ruleset.Phasing`."""
        kind, named = self.tables.phases.get(phase), self.tables.reading("reaction_names")
        if kind == "reaction" and named != "reacting":
            return "inactive" if named == "phasing" else None
        return "active" if kind in ("initial", "reaction", "exploitation") else None

    @property
    def stacking(self) -> StackingRule | None:
        limit = self.tables.stacking_limit
        if limit is None or not self.tables.applies("ST"):
            return None
        measure = Measure("size points", "size")
        missing = self.tables.open_charts.questions("stacking")
        return StackingRule(
            "ZC-ST", (measure,), (StackingLimit(((limit,),)),), "phase-end", missing
        )

    @property
    def order(self) -> OrderRule:
        """No general rule. Whether a unit may move on depends on pauses and on turned counters, see
        :mod:`.order`."""
        return OrderRule()

    def phase_checks(self, tracks: Sequence[Track]) -> Iterable[Finding]:
        """The findings about the order of movement and about the markers put on units."""
        unit_history = self.mover_factory.unit_history
        yield from resumed_moves(self.game, tracks, self.tables, unit_history, self)
        yield from check_markers(self.game, tracks, self.tables, unit_history)


class ZocClasses(Rulebook):
    """See :class:`~vassal_umpire.validators.ruleset.Ruleset`."""

    def in_force(self, game: Game) -> ZcRules:
        """The rules in force for ``game``; WrongPack if its tables, options or switched-off clauses are
        wrong."""
        rules = game.rules
        self.check(rules, READINGS)
        charts = Completeness(rules.complete)
        tables = read_tables(rules.tables, rules.options, rules.off, charts)
        return ZcRules(
            self, game, tables, MoverFactory(game, tables), readings_of(rules, tables.readings)
        )

    def names_known(self, tables: Mapping[str, Any]) -> Mapping[str, Words]:
        """See :class:`~vassal_umpire.validators.ruleset.Vocabulary`."""
        known = merged(defaults(), tables)
        charts = [known, *known.get("weather", {}).values()]
        terrain = {name for chart in charts for name in chart.get("terrain", ())}
        hexsides = {name for chart in charts for name in chart.get("hexsides", ())}
        roads = {name for chart in charts for name in chart.get("roads", ())}
        columns = frozenset(("first", "second", *known["columns"]["exceptions"]))
        return {
            TERRAIN: Words(frozenset(terrain), "terrain"),
            HEXSIDE: Words(frozenset(hexsides), "hexsides"),
            LINE: Words(frozenset(roads), "roads"),
            CLASS: Words(frozenset(CLASSES), "", any_case=True),
            value_of("column"): Words(columns, "columns", any_case=True),
        }


RULESET = ZocClasses(__name__)
