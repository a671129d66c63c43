"""The ruleset ``wacht-am-rhein`` as the audit knows it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from importlib import resources
from types import MappingProxyType

from ....model.finding import Clause
from ....model.game import Game, Rules
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
from .doubts import of_reading
from .movers import Muster
from .recruit import ASSAULT, ROAD, STRATEGIC, TACTICAL, stacking_unknown
from .tables import EXPLOITATION, Tables, read_tables

NAME = "wacht-am-rhein"
IN_ORDER = (STRATEGIC, ROAD, TACTICAL, ASSAULT)
_NOBODY = (Requirement("class", ()),)
_ANYBODY = (Requirement("class", (), negated=True),)


@lru_cache(maxsize=1)
def _clauses() -> Mapping[str, Clause]:
    return read_clauses(resources.files(__package__).joinpath("clauses.toml"))


@lru_cache(maxsize=1)
def _readings() -> Mapping[str, tuple[tuple[str, ...], str]]:
    """The open readings: option → its choices and what holds where nothing is said."""
    return {r.option: (r.choices, r.default) for c in _clauses().values() for r in c.readings}


@dataclass(frozen=True)
class WarRules:
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
        limit = self.tables.stacking_limit
        if not self.tables.applies("5.3.0-c"):
            return None
        # A deployed Bridge Column is a bridge, not a unit (5.7.5).
        bridge = (Requirement("deployed", ("building", "finished")),)
        if limit is None:
            # A unit by itself is never too many; whether two are, the table would say.
            measure = Measure("units", "", _NOBODY, bridge, _ANYBODY, stacking_unknown())
            limit = Fraction(1)
        else:
            measure = Measure("stacking points", "stacking", (), bridge)
        return StackingRule("WAR-5.3.0-c", (measure,), (StackingLimit(((limit,),)),))

    @property
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
            interleaved=of_reading("5.0-l5"),
        )

    def scenarios(self, unit: str, circumstances: Circumstances) -> tuple[Scenario, ...]:
        """The scenarios of ``unit``, which is one of the game's units."""
        return self.muster.scenarios(unit, circumstances)


@dataclass(frozen=True, slots=True)
class WachtAmRhein:
    """See :class:`~vassal_umpire.validators.ruleset.Ruleset`."""

    name: str = NAME
    version: str = "1.0"

    def clauses(self) -> Mapping[str, Clause]:
        """Every clause by id."""
        return _clauses()

    def in_force(self, game: Game) -> WarRules:
        """The rules of ``game``; WrongPack if its tables, options or switched-off clauses are faulty."""
        rules = game.rules
        problems = list(_faults(rules))
        if problems:
            raise WrongPack(problems[0].message, tuple(problems), where=problems[0].where)
        options = {name: default for name, (_, default) in _readings().items()}
        options.update({name: str(value) for name, value in rules.options.items()})
        tables = read_tables(rules.tables, MappingProxyType(options), rules.off)
        readings = {**options, **dict.fromkeys(rules.off, "switched off")}
        return WarRules(tables, Muster(game, tables), MappingProxyType(readings))


def _faults(rules: Rules) -> Iterator[Problem]:
    for name in rules.off:
        if name not in _clauses():
            yield Problem(
                "unknown-clause", f"{name} is no clause of the ruleset {NAME}", "pack.off"
            )
    for name, value in rules.options.items():
        if name not in _readings():
            yield Problem("unknown-option", f"the ruleset {NAME} has no option {name}", "options")
        elif str(value) not in _readings()[name][0]:
            choices = ", ".join(_readings()[name][0])
            text = f"{name} is one of {choices}; found {value}"
            yield Problem("unknown-option", text, "options")


RULESET = WachtAmRhein()
