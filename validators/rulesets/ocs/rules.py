"""The ruleset ``ocs`` as the audit knows it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from ....model.game import Game
from ...rulebook import Rulebook, TablesInForce, readings_of
from ...ruleset import (
    Measure,
    OrderRule,
    Requirement,
    StackingLimit,
    StackingRule,
)
from .movers import Muster
from .tables import Tables, read_tables


@dataclass(frozen=True)
class OcsRules(TablesInForce[Tables, Muster]):
    """The tables of one pack, in force in one game. See :class:`~...ruleset.RulesInForce`."""

    @property
    def stacking(self) -> StackingRule | None:
        if not self.tables.applies("X-STK"):
            return None
        exempt = (Requirement("type", self.tables.types["unstacked"]),)
        limit = StackingLimit(((self.tables.stacking_limit,),))
        return StackingRule("OCS-X-STK", (Measure("RE", "re", (), exempt),), (limit,), "phase-end")

    @cached_property
    def order(self) -> OrderRule:
        applies = self.tables.applies("6.1g-a")
        # Supplies and the like are handled all the time; an air unit interrupts only by a mission.
        apart = (
            Requirement("type", self.tables.types["unstacked"]),
            Requirement("mission", (True,), negated=True),
        )
        spared = (Requirement("type", self.tables.types["exempt"]),)
        exempt = spared if self.tables.applies("6.1g-c") else ()
        dropped = "OCS-6.1f-b" if self.tables.applies("6.1f-b") else ""
        return OrderRule("OCS-6.1g-a" if applies else "", not applies, exempt, apart, dropped)


class Ocs(Rulebook):
    """See :class:`~vassal_umpire.validators.ruleset.Ruleset`."""

    def in_force(self, game: Game) -> OcsRules:
        """The rules of ``game``; WrongPack if its tables, options or switched-off clauses are faulty."""
        self.check(game.rules)
        tables = read_tables(game.rules.tables, game.rules.off)
        return OcsRules(self, game, tables, Muster(game, tables), readings_of(game.rules))


RULESET = Ocs("ocs")
