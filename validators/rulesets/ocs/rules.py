"""The ruleset ``ocs`` as the audit knows it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from importlib import resources
from types import MappingProxyType

from ....model.finding import Clause
from ....model.game import Game
from ....model.problem import Problem, WrongPack
from ...clauses import read_clauses
from ...ruleset import (
    Circumstances,
    Measure,
    OrderRule,
    Requirement,
    Scenario,
    StackingLimit,
    StackingRule,
)
from .movers import Muster
from .tables import Tables, read_tables


@lru_cache(maxsize=1)
def _clauses() -> Mapping[str, Clause]:
    return read_clauses(resources.files(__package__).joinpath("clauses.toml"))


@dataclass(frozen=True)
class OcsRules:
    """The tables of one pack, in force in one game. See :class:`~...ruleset.RulesInForce`."""

    tables: Tables
    muster: Muster
    readings: Mapping[str, str]
    declared_clause: str = ""

    @property
    def clauses(self) -> Mapping[str, Clause]:
        return _clauses()

    @property
    def scale(self) -> int:
        return self.tables.scale

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

    def scenarios(self, unit: str, circumstances: Circumstances) -> tuple[Scenario, ...]:
        """The scenarios of ``unit``, which is one of the game's units."""
        return self.muster.scenarios(unit, circumstances)


@dataclass(frozen=True, slots=True)
class Ocs:
    """See :class:`~vassal_umpire.validators.ruleset.Ruleset`."""

    name: str = "ocs"
    version: str = "1.0"

    def clauses(self) -> Mapping[str, Clause]:
        """Every clause by id."""
        return _clauses()

    def in_force(self, game: Game) -> OcsRules:
        """The rules of ``game``; WrongPack if its tables, options or switched-off clauses are faulty."""
        rules = game.rules
        problems = [
            Problem("unknown-clause", f"{o} is no clause of the ruleset ocs", "pack.off")
            for o in rules.off
            if o not in _clauses()
        ]
        problems += [
            Problem("unknown-option", f"the ruleset ocs has no option {o}", "options")
            for o in rules.options
        ]
        if problems:
            raise WrongPack(problems[0].message, tuple(problems), where=problems[0].where)
        tables = read_tables(rules.tables, rules.off)
        readings = dict.fromkeys(rules.off, "switched off")
        return OcsRules(tables, Muster(game, tables), MappingProxyType(readings))


RULESET = Ocs()
