"""The ruleset ``zoc-classes`` as the audit knows it."""

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
    Scenario,
    StackingLimit,
    StackingRule,
)
from .markers import check_markers
from .movers import Muster
from .order import resumed_moves
from .tables import Tables, read_tables


@lru_cache(maxsize=1)
def _clauses() -> Mapping[str, Clause]:
    return read_clauses(resources.files(__package__).joinpath("clauses.toml"))


@dataclass(frozen=True)
class ZcRules:
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
        limit = self.tables.stacking_limit
        if limit is None or not self.tables.applies("ST"):
            return None
        measure = Measure("in size", "size")
        return StackingRule("ZC-ST", (measure,), (StackingLimit(((limit,),)),), "phase-end")

    @property
    def order(self) -> OrderRule:
        """Order rests on pauses and on counters turned: the ruleset looks at it itself."""
        return OrderRule()

    def scenarios(self, unit: str, circumstances: Circumstances) -> tuple[Scenario, ...]:
        """The scenarios of ``unit``, which is one of the game's units."""
        return self.muster.scenarios(unit, circumstances)

    def further(self, tracks: Sequence[Track]) -> Iterable[Finding]:
        """Order of movement, and the markers put on units."""
        history = self.muster.history
        yield from resumed_moves(self.game, tracks, self.tables, history)
        yield from check_markers(self.game, tracks, self.tables, history)


@dataclass(frozen=True, slots=True)
class ZocClasses:
    """See :class:`~vassal_umpire.validators.ruleset.Ruleset`."""

    name: str = "zoc-classes"
    version: str = "1.0"

    def clauses(self) -> Mapping[str, Clause]:
        """Every clause by id."""
        return _clauses()

    def in_force(self, game: Game) -> ZcRules:
        """The rules of ``game``; WrongPack if its tables, options or switched-off clauses are faulty."""
        rules = game.rules
        problems = [
            Problem("unknown-clause", f"{o} is no clause of the ruleset zoc-classes", "pack.off")
            for o in rules.off
            if o not in _clauses()
        ]
        if problems:
            raise WrongPack(problems[0].message, tuple(problems), where=problems[0].where)
        tables = read_tables(rules.tables, rules.options, rules.off)
        readings = {**tables.readings, **dict.fromkeys(rules.off, "switched off")}
        return ZcRules(game, tables, Muster(game, tables), MappingProxyType(readings))


RULESET = ZocClasses()
