"""The ruleset ``generic`` as the audit knows it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from ....model.bill import Amount
from ....model.game import Game
from ....model.names import HEXSIDE, LINE, TERRAIN, Words, value_of
from ...allowed_facts import AllowedFacts
from ...concepts.completeness import Completeness
from ...rulebook import Rulebook, TablesInForce, readings_of
from ...ruleset import OrderRule, StackingRule
from .movers import MoverFactory
from .reading import read_tables
from .ruleset_facts import allowed_facts
from .tables import Tables


@dataclass(frozen=True)
class GenericRules(TablesInForce[Tables, MoverFactory]):
    """The tables of one pack, in force in one game. See :class:`~...ruleset.RulesInForce`."""

    @property
    def stacking(self) -> StackingRule | None:
        return self.tables.stacking

    @property
    def order(self) -> OrderRule:
        return self.tables.order

    @property
    def others_only_hinder(self) -> bool:
        """See :class:`~...ruleset.KnowsOthers`: friends help only where a rule about steps asks for them."""
        return not self.tables.friends

    def allowed_facts(self) -> AllowedFacts:
        """See :class:`~...allowed_facts.TellsAllowedFacts`."""
        return allowed_facts(self.tables, self.game)

    def entered(self, unit: str, event: int) -> Amount | None:
        """See :class:`~...ruleset.Entries`."""
        return self.mover_factory.entered(unit, event)


class Generic(Rulebook):
    """See :class:`~vassal_umpire.validators.ruleset.Ruleset`."""

    def in_force(self, game: Game) -> GenericRules:
        """The rules of ``game``; WrongPack if its tables, options or switched-off clauses are faulty."""
        rules = game.rules
        self.check(rules)
        tables = read_tables(rules.tables, rules.off, Completeness(rules.complete))
        declared = "" if "GEN-DECLARED" in rules.off else "GEN-DECLARED"
        return GenericRules(
            self, game, tables, MoverFactory(game, tables), readings_of(rules), declared
        )

    def names_known(self, tables: Mapping[str, Any]) -> Mapping[str, Words]:
        """See :class:`~vassal_umpire.validators.ruleset.Vocabulary`."""
        sides = tables.get("hexsides", {})
        bridges = {b["feature"] for side in sides.values() for b in side.get("bridges", ())}
        zoc, steps = tables.get("zoc", {}), tables.get("steps", ())
        zones = zoc if isinstance(zoc, list) else [zoc]
        crossed = {
            *sides,
            *bridges,
            *_named(zones, "not_across", "across"),
            *_named(steps, "across"),
        }
        found = {
            TERRAIN: Words(frozenset(tables["terrain"]["costs"]), "terrain"),
            HEXSIDE: Words(frozenset(crossed), "hexsides"),
            LINE: Words(frozenset(tables.get("roads", ())), "roads"),
        }
        classes = tables["classes"]
        if "attribute" in classes:
            found[value_of(classes["attribute"])] = Words(frozenset(classes["names"]), "classes")
        return found


def _named(tables: Iterable[Mapping[str, Any]], *keys: str) -> Iterator[str]:
    """All names that these tables list under ``keys``."""
    for table in tables:
        for key in keys:
            yield from table.get(key, ())


RULESET = Generic(__name__)
