"""A ruleset that is made of clauses."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from ...model.game import Game
from ...model.game import Rules as Wanted
from ...model.names import CLASS, HEXSIDE, LINE, TERRAIN, Words
from ...model.problem import Problem
from ..rulebook import Rulebook
from ..ruleset_folder import refused
from .declared import Declared
from .history import History
from .rules import Rules


@dataclass(frozen=True)
class ClauseRuleset(Rulebook):
    """A ruleset of plain clauses. See :class:`~..ruleset.Ruleset`."""

    declared: Declared = field(default=None, compare=False)  # type: ignore[assignment]
    nouns: Mapping[str, str] = field(default_factory=dict, compare=False)

    def in_force(self, game: Game) -> Rules:
        self.check(game.rules)
        return Rules(
            self,
            game,
            self._tables(game.rules),
            History(game, self.declared.markers, self.declared.apart),
        )

    def _tables(self, rules: Wanted) -> Mapping[str, Any]:
        faults = self.schema.faults(dict(rules.tables))
        if faults:
            problems = tuple(
                Problem(
                    "wrong-rules", f"expected {f.expected}; found {f.found}", f"rules.{f.place}"
                )
                for f in faults
            )
            raise refused(problems, f"tables of the ruleset {self.name}")
        return self.merged(rules.tables)

    def merged(self, plain: Mapping[str, Any]) -> Mapping[str, Any]:
        """The shipped tables with the rows of a pack put in."""
        return {k: {**v, **plain[k]} if k in plain else v for k, v in self.printed().items()}

    def words_for(self, column: str) -> str:
        return self.nouns.get(column, column)

    def names_known(self, tables: Mapping[str, Any]) -> Mapping[str, Words]:
        plain = self.merged(tables)
        return {
            TERRAIN: Words(frozenset(plain["terrain"]), "terrain"),
            HEXSIDE: Words(frozenset(plain["hexsides"]), "hexsides"),
            LINE: Words(frozenset(self.declared.lines)),
            CLASS: Words(frozenset(self.declared.attributes["class"].words), any_case=True),
        }
