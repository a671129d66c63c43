"""The ruleset ``generic`` as the audit knows it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib import resources
from types import MappingProxyType

from ....model.finding import Clause
from ....model.game import Game
from ....model.problem import Problem, WrongPack
from ...clauses import read_clauses
from ...ruleset import Circumstances, OrderRule, Scenario, StackingRule
from .movers import Muster
from .tables import Tables, read_tables


@lru_cache(maxsize=1)
def _clauses() -> Mapping[str, Clause]:
    return read_clauses(resources.files(__package__).joinpath("clauses.toml"))


@dataclass(frozen=True)
class GenericRules:
    """The tables of one pack, in force in one game. See :class:`~...ruleset.RulesInForce`."""

    tables: Tables
    muster: Muster
    readings: Mapping[str, str]
    declared_clause: str

    @property
    def clauses(self) -> Mapping[str, Clause]:
        return _clauses()

    @property
    def scale(self) -> int:
        return self.tables.scale

    @property
    def stacking(self) -> StackingRule | None:
        return self.tables.stacking

    @property
    def order(self) -> OrderRule:
        return self.tables.order

    def scenarios(self, unit: str, circumstances: Circumstances) -> tuple[Scenario, ...]:
        """The scenarios of ``unit``, which is one of the game's units."""
        return self.muster.scenarios(unit, circumstances)


@dataclass(frozen=True, slots=True)
class Generic:
    """See :class:`~vassal_umpire.validators.ruleset.Ruleset`."""

    name: str = "generic"
    version: str = "1.0"

    def clauses(self) -> Mapping[str, Clause]:
        """Every clause by id."""
        return _clauses()

    def in_force(self, game: Game) -> GenericRules:
        """The rules of ``game``; WrongPack if its tables, options or switched-off clauses are faulty."""
        rules = game.rules
        unknown = [o for o in rules.off if o not in _clauses()]
        problems = [
            Problem("unknown-clause", f"{o} is no clause of the ruleset generic", "pack.off")
            for o in unknown
        ]
        problems += [
            Problem("unknown-option", f"the ruleset generic has no option {o}", "options")
            for o in rules.options
        ]
        if problems:
            raise WrongPack(problems[0].message, tuple(problems), where=problems[0].where)
        tables = read_tables(rules.tables, rules.off)
        readings = dict.fromkeys(rules.off, "switched off")
        declared = "" if "GEN-DECLARED" in rules.off else "GEN-DECLARED"
        return GenericRules(tables, Muster(game, tables), MappingProxyType(readings), declared)


RULESET = Generic()
