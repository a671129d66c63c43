"""The ruleset ``tide-of-iron`` and its rules in force, as the audit asks for them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

from ....model.finding import Finding
from ....model.game import Game
from ....model.names import CLASS, HEXSIDE, LINE, TERRAIN, Words
from ...allowed_facts import AllowedFacts
from ...completed_checks import completed
from ...concepts.completeness import Completeness
from ...moves import Track, find_moves
from ...rulebook import Rulebook, TablesInForce, readings_of
from ...ruleset import (
    Measure,
    OrderRule,
    Requirement,
    StackingLimit,
    StackingRule,
)
from ...timeline import Timeline
from ...witness import Witnesses
from .inspection import inspect
from .movers import MoverFactory
from .ruleset_facts import allowed_facts
from .tables import CLASSES, STREAM, WADI, Tables, merged, read_tables


@dataclass(frozen=True)
class TideRules(TablesInForce[Tables, MoverFactory]):
    """The rules in force for one game, with the tables of one pack. See :class:`~...ruleset.RulesInForce`."""

    game: Game
    far_lines: ClassVar[Literal[True]] = True
    """Roads that meet anywhere are one network."""

    @property
    def stacking(self) -> StackingRule | None:
        return self._limit() if self.tables.applies("X-SK") else None

    def _limit(self) -> StackingRule | None:
        limit = self.tables.stacking_limit
        if limit is None:
            return None
        exempt = (Requirement("aboard", ("no",), negated=True),)
        measure = Measure("units", "", (), exempt if self.tables.applies("SB-8a") else ())
        missing = self.tables.complete.questions("stacking")
        return StackingRule("TOI-X-SK", (measure,), (StackingLimit(((limit,),)),), missing=missing)

    @property
    def order(self) -> OrderRule:
        # X-AP-b is not checked here but in phase_checks: there units that are carried can be left out.
        return OrderRule()

    def allowed_facts(self) -> AllowedFacts:
        """The attributes and conditions that these rules ask for, with the values they may have."""
        return allowed_facts(self.game, self.tables)

    def phase_checks(self, tracks: Sequence[Track]) -> Iterable[Finding]:
        """The findings about actions that are not displacements (boarding, getting out, digging in) and about
        action turns."""
        found = tuple(inspect(self.game, tracks, self.tables, self._limit()))
        return completed(self.game, found, self._inspected, READ)

    def _inspected(self, game: Game) -> Iterable[Finding]:
        """The findings of the same checks in ``game``, another completion of the game."""
        tracks = find_moves(game, Timeline(game), Witnesses(game))
        return inspect(game, tracks, self.tables, self._limit())


READ = ("aboard", "works", "class", "token", "action", "transport", "damage", "ma", "officers")
"""The attributes that :meth:`TideRules.phase_checks` reads, and completes if they are open."""


class TideOfIron(Rulebook):
    """See :class:`~vassal_umpire.validators.ruleset.Ruleset`."""

    def in_force(self, game: Game) -> TideRules:
        """The rules in force for ``game``. Raises WrongPack if its tables, options or switched-off clauses
        are faulty."""
        self.check(game.rules)
        complete = Completeness(game.rules.complete)
        tables = read_tables(game.rules.tables, game.rules.off, complete)
        settled = {
            "rules.hills.combine": tables.combine,
            "rules.hills.road_hex": tables.road_hex,
        }
        return TideRules(
            self, game, tables, MoverFactory(game, tables), readings_of(game.rules, settled)
        )

    def names_known(self, tables: Mapping[str, Any]) -> Mapping[str, Words]:
        """See :class:`~vassal_umpire.validators.ruleset.Vocabulary`."""
        plain = merged(tables)
        return {
            TERRAIN: Words(frozenset((*plain["terrain"], STREAM, WADI)), "terrain"),
            HEXSIDE: Words(frozenset(plain["hexsides"]), "hexsides"),
            LINE: Words(frozenset(plain["roads"]), "roads"),
            CLASS: Words(frozenset(CLASSES), any_case=True),
        }


RULESET = TideOfIron(__name__)
