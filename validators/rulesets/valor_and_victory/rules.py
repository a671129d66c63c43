"""The ruleset ``valor-and-victory`` as the audit knows it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib import resources
from types import MappingProxyType

from ....model.bill import Amount
from ....model.finding import Clause, Finding
from ....model.game import Game
from ....model.problem import Problem, WrongPack
from ...clauses import read_clauses
from ...moves import Track
from ...ruleset import Circumstances, OrderRule, Requirement, Scenario, StackingRule
from .loads import loads
from .movers import Muster
from .phases import returned, stacks_parted, turned_only
from .stacks import stacking_rule
from .tables import WEAPON, Tables, read_tables

NAME = "valor-and-victory"


@lru_cache(maxsize=1)
def _clauses() -> Mapping[str, Clause]:
    return read_clauses(resources.files(__package__).joinpath("clauses.toml"))


@dataclass(frozen=True)
class VvRules:
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
        return stacking_rule(self.tables)

    @property
    def order(self) -> OrderRule:
        applies = self.tables.applies("6.1-e")
        apart = (Requirement("class", (WEAPON,)),)  # weapons are laid with whoever carries them
        return OrderRule("VV-6.1-e" if applies else "", not applies, (), apart)

    def scenarios(self, unit: str, circumstances: Circumstances) -> tuple[Scenario, ...]:
        """The scenarios of ``unit``, which is one of the game's units."""
        return self.muster.scenarios(unit, circumstances)

    def entered(self, unit: str, event: int) -> Amount | None:
        """See :class:`~...ruleset.Entries`."""
        return self.muster.entered(unit, event)

    def further(self, tracks: Sequence[Track]) -> Iterable[Finding]:
        """See :class:`~...ruleset.Further`."""
        yield from stacks_parted(self.muster, tracks)
        yield from turned_only(self.muster, tracks)
        yield from loads(self.muster)
        yield from returned(self.muster)


@dataclass(frozen=True, slots=True)
class ValorAndVictory:
    """See :class:`~vassal_umpire.validators.ruleset.Ruleset`."""

    name: str = NAME
    version: str = "1.0"

    def clauses(self) -> Mapping[str, Clause]:
        """Every clause by id."""
        return _clauses()

    def in_force(self, game: Game) -> VvRules:
        """The rules of ``game``; WrongPack if its tables, options or switched-off clauses are faulty."""
        rules = game.rules
        readings = {r.option: r for clause in _clauses().values() for r in clause.readings}
        problems = [
            Problem("unknown-clause", f"{o} is no clause of the ruleset {NAME}", "pack.off")
            for o in rules.off
            if o not in _clauses()
        ]
        for option, value in rules.options.items():
            reading = readings.get(option)
            if reading is None:
                text = f"the ruleset {NAME} has no option {option}"
                problems.append(Problem("unknown-option", text, "options"))
            elif value not in reading.choices:
                text = f"expected one of {', '.join(reading.choices)}; found {value}"
                problems.append(Problem("wrong-option", text, f"options.{option}"))
        if problems:
            raise WrongPack(problems[0].message, tuple(problems), where=problems[0].where)
        tables = read_tables(rules.tables, rules.off, rules.options)
        settled = {name: str(rules.options.get(name, r.default)) for name, r in readings.items()}
        settled |= dict.fromkeys(rules.off, "switched off")
        return VvRules(tables, Muster(game, tables), MappingProxyType(settled))


RULESET = ValorAndVictory()
