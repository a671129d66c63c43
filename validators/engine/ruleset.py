"""A ruleset made of clauses."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from ...model.game import Game
from ...model.game import Rules as Wanted
from ...model.names import CLASS, HEXSIDE, LINE, TERRAIN, Words
from ...model.patterns import PatternError, compile_pattern
from ...model.problem import Problem, WrongPack
from ..rulebook import Choices, Rulebook
from .declared import Declared
from .in_force import as_listed
from .rules import Rules


@dataclass(frozen=True)
class ClauseRuleset(Rulebook):
    """A ruleset of plain clauses. See :class:`~..ruleset.Ruleset`."""

    declared: Declared = field(default=None, compare=False)  # type: ignore[assignment]
    nouns: Mapping[str, str] = field(default_factory=dict, compare=False)

    @cached_property
    def choices(self) -> Choices:
        """See :class:`~..rulebook.Rulebook`; including the options that no clause names."""
        of_packs = {} if self.declared is None else self.declared.options
        return {**super().choices, **of_packs}

    def in_force(self, game: Game) -> Rules:
        self.check(game.rules)
        tables = self._tables(game.rules)
        game = as_listed(game, tables, self.declared)
        return Rules(self, game, tables, self.declared.history(game))

    def _tables(self, rules: Wanted) -> Mapping[str, Any]:
        self.check_tables(rules)
        tables = self.merged(rules.tables)
        for path in self.declared.patterns:
            _check_pattern(str(tables[path[0]][path[1]]), f"rules.{'.'.join(path)}")
        return tables

    def check_tables(self, rules: Wanted) -> None:
        """Raises WrongPack if ``[rules]`` of a pack does not fit the schema."""
        faults = self.schema.faults(dict(rules.tables))
        if faults:
            problems = tuple(
                Problem(
                    "wrong-rules", f"expected {f.expected}; found {f.found}", f"rules.{f.place}"
                )
                for f in faults
            )
            raise WrongPack.of(problems, f"tables of the ruleset {self.name}")

    def merged(self, plain: Mapping[str, Any]) -> Mapping[str, Any]:
        """The shipped tables with the rows of a pack."""
        found: dict[str, Any] = {}
        for key, rows in self.printed().items():
            if not isinstance(rows, Mapping):
                found[key] = plain.get(key, rows)
                continue
            own = plain.get(key, {})
            cells = {
                name: {**rows[name], **row} if isinstance(row, Mapping) else row
                for name, row in own.items()
                if key in self.declared.cellwise
            }
            found[key] = {**rows, **own, **cells}
        return found

    def words_for(self, column: str) -> str:
        return self.nouns.get(column, column)

    def names_known(self, tables: Mapping[str, Any]) -> Mapping[str, Words]:
        plain = self.merged(tables)
        return {
            TERRAIN: Words(frozenset(plain["terrain"]), "terrain"),
            HEXSIDE: Words(frozenset(plain["hexsides"]), "hexsides"),
            LINE: Words(frozenset(self.declared.lines)),
            CLASS: Words(frozenset(self.declared.attributes["class"].words), any_case=True),
            **self.declared.names(plain),
        }


def _check_pattern(text: str, where: str) -> None:
    """Raises WrongPack if a text is not a pattern."""
    try:
        compile_pattern(text)
    except PatternError as error:
        problem = Problem("wrong-rules", f"expected a pattern; found {text} ({error})", where)
        raise WrongPack(str(problem), (problem,), where=where) from error
