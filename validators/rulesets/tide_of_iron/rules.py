"""The ruleset ``tide-of-iron`` as the audit knows it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib import resources
from types import MappingProxyType

from ....model.finding import Clause, Finding
from ....model.game import Game
from ....model.problem import Problem, WrongPack
from ...clauses import read_clauses
from ...moves import Track
from ...ruleset import (
    Circumstances,
    Measure,
    OrderRule,
    Requirement,
    Scenario,
    StackingLimit,
    StackingRule,
)
from .inspection import inspect
from .movers import Muster
from .tables import Tables, read_tables

NAME = "tide-of-iron"


@lru_cache(maxsize=1)
def _clauses() -> Mapping[str, Clause]:
    return read_clauses(resources.files(__package__).joinpath("clauses.toml"))


@dataclass(frozen=True)
class TideRules:
    """The tables of one pack, in force in one game. See :class:`~...ruleset.RulesInForce`."""

    game: Game
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
        return self._limit() if self.tables.applies("X-SK") else None

    def _limit(self) -> StackingRule | None:
        limit = self.tables.stacking_limit
        if limit is None:
            return None
        exempt = (Requirement("aboard", ("no",), negated=True),)
        measure = Measure("units", "", (), exempt if self.tables.applies("SB-8a") else ())
        return StackingRule("TOI-X-SK", (measure,), (StackingLimit(((limit,),)),))

    @property
    def order(self) -> OrderRule:
        return OrderRule()  # X-AP-b is looked at without those who are carried along, see further

    def scenarios(self, unit: str, circumstances: Circumstances) -> tuple[Scenario, ...]:
        """The scenarios of ``unit``, which is one of the game's units."""
        return self.muster.scenarios(unit, circumstances)

    def further(self, tracks: Sequence[Track]) -> Iterable[Finding]:
        """What is found in the acts that are no moves: boarding, getting out, digging in."""
        return inspect(self.game, tracks, self.tables, self._limit())


@dataclass(frozen=True, slots=True)
class TideOfIron:
    """See :class:`~vassal_umpire.validators.ruleset.Ruleset`."""

    name: str = NAME
    version: str = "1.0"

    def clauses(self) -> Mapping[str, Clause]:
        """Every clause by id."""
        return _clauses()

    def in_force(self, game: Game) -> TideRules:
        """The rules of ``game``; WrongPack if its tables, options or switched-off clauses are faulty."""
        rules = game.rules
        problems = [
            Problem("unknown-clause", f"{o} is no clause of the ruleset {NAME}", "pack.off")
            for o in rules.off
            if o not in _clauses()
        ]
        problems += [
            Problem("unknown-option", f"the ruleset {NAME} has no option {o}", "options")
            for o in rules.options
        ]
        if problems:
            raise WrongPack(problems[0].message, tuple(problems), where=problems[0].where)
        tables = read_tables(rules.tables, rules.off)
        readings = {
            "rules.hills.combine": tables.combine,
            "rules.hills.road_hex": tables.road_hex,
            **dict.fromkeys(rules.off, "switched off"),
        }
        return TideRules(game, tables, Muster(game, tables), MappingProxyType(readings))


RULESET = TideOfIron()
