"""The ruleset ``wacht-am-rhein`` as the audit knows it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from types import MappingProxyType
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
    Requirement,
    StackingLimit,
    StackingRule,
)
from .movement_options import ASSAULT, ROAD, STRATEGIC, TACTICAL
from .movers import MoverFactory
from .one_by_one import check_one_by_one
from .open_readings import of_reading
from .road_eligibility import stacking_unknown
from .ruleset_facts import allowed_facts
from .stacks import check_overstacking
from .tables import (
    CLASSES,
    CROSSINGS,
    DASHED,
    EXPLOITATION,
    MOVEMENT,
    ROADS,
    STREAMS_AND_RIVERS,
    Tables,
    defaults,
    read_tables,
)

IN_ORDER = (STRATEGIC, ROAD, TACTICAL, ASSAULT)
_NOBODY = (Requirement("class", ()),)
_ANYBODY = (Requirement("class", (), negated=True),)


@dataclass(frozen=True)
class WarRules(TablesInForce[Tables, MoverFactory]):
    """The tables of one pack, in force in one game. See :class:`~...ruleset.RulesInForce`."""

    def movers(self, phase: str) -> Literal["active"] | None:
        """See :class:`~...ruleset.Phasing`."""
        return "active" if self.tables.phases.get(phase) in (MOVEMENT, EXPLOITATION) else None

    @property
    def stacking(self) -> StackingRule | None:
        return None  # phase_checks checks stacking, as it depends on who ended its movement there

    def phase_checks(self, tracks: Sequence[Track]) -> Iterable[Finding]:
        """Findings for overstacked hexes, and for units dragged together that cannot all have got there."""
        rule = self._limit()
        if rule is not None:
            yield from check_overstacking(self.game, tracks, self.tables, rule)
        yield from check_one_by_one(self, tracks)

    def _limit(self) -> StackingRule | None:
        limit = self.tables.stacking_limit
        if not self.tables.applies("5.3.0-c"):
            return None
        # A deployed Bridge Column is a bridge, not a unit (5.7.5).
        bridge = (Requirement("deployed", ("building", "finished")),)
        if limit is None:
            # A single unit never exceeds the limit. Whether two do is not known without the table.
            measure = Measure("units", "", _NOBODY, bridge, _ANYBODY, stacking_unknown())
            limit = Fraction(1)
        else:
            measure = Measure("stacking points", "stacking", (), bridge)
        return StackingRule("WAR-5.3.0-c", (measure,), (StackingLimit(((limit,),)),))

    def allowed_facts(self) -> AllowedFacts:
        """The attributes and conditions that these rules ask for."""
        return allowed_facts(self.game, self.tables)

    @cached_property
    def order(self) -> OrderRule:
        tables = self.tables
        clauses = ("5.0-l1", "5.0-l2", "5.0-l3", "5.0-l4")
        ranks = {
            form: (rank, f"WAR-{clause}")
            for rank, (form, clause) in enumerate(zip(IN_ORDER, clauses, strict=True), 1)
            if tables.applies(clause)
        }
        phases = [name for name, kind in tables.phases.items() if kind == EXPLOITATION]
        reading = tables.reading("order_in_exploitation")
        unknown = of_reading("order_in_exploitation")
        return OrderRule(
            ranks=MappingProxyType(ranks),
            unranked=frozenset(phases if reading == "no" else ()),
            perhaps_ranked=dict.fromkeys(phases if reading == "undecided" else (), unknown),
            interleaved=None if tables.says("dragged_on_later") else of_reading("5.0-l5"),
            uninterrupted=tables.says("dragged_on_later") is False,
        )


class WachtAmRhein(Rulebook):
    """See :class:`~vassal_umpire.validators.ruleset.Ruleset`."""

    def in_force(self, game: Game) -> WarRules:
        """The rules of ``game``; WrongPack if its tables, options or switched-off clauses are faulty."""
        rules = game.rules
        self.check(rules)
        settled = self.settled(rules)
        complete = Completeness(rules.complete)
        tables = read_tables(rules.tables, MappingProxyType(settled), rules.off, complete)
        return WarRules(self, game, tables, MoverFactory(game, tables), readings_of(rules, settled))

    def names_known(self, tables: Mapping[str, Any]) -> Mapping[str, Words]:
        """See :class:`~vassal_umpire.validators.ruleset.Vocabulary`."""
        shipped = defaults()
        terrain = {*shipped["terrain"], *tables.get("terrain", ())}
        crossed = {
            *shipped["hexsides"],
            *tables.get("hexsides", ()),
            *STREAMS_AND_RIVERS,
            *CROSSINGS,
        }
        listed = tables.get("types", shipped["types"])
        types = {name for names in {**shipped["types"], **listed}.values() for name in names}
        return {
            TERRAIN: Words(frozenset(terrain), "terrain"),
            HEXSIDE: Words(frozenset(crossed), "hexsides"),
            LINE: Words(frozenset((*ROADS, DASHED)), "roads"),
            CLASS: Words(frozenset(CLASSES), any_case=True),
            value_of("type"): Words(frozenset(types), "types", any_case=True),
        }


RULESET = WachtAmRhein(__name__)
