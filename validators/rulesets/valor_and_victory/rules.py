"""The ruleset ``valor-and-victory``: the object that the entry point names."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ....model.bill import Amount
from ....model.finding import Finding
from ....model.game import Game
from ....model.names import CLASS, HEXSIDE, LINE, TERRAIN, Words
from ...allowed_facts import AllowedFacts
from ...completed_checks import completed
from ...concepts.completeness import Completeness
from ...moves import Track, find_moves
from ...rulebook import Rulebook, TablesInForce, readings_of
from ...ruleset import OrderRule, StackingRule
from ...timeline import Timeline
from ...witness import Witnesses
from .arrivals import arrivals
from .loading import loads
from .movers import MoverFactory
from .phases import moved_on, returned, stacks_parted, turned_only
from .ruleset_facts import allowed_facts
from .stacks import stacking_rule
from .tables import CLASSES, WEAPON, Tables, merged, read_tables
from .terrain_graph import ROAD


@dataclass(frozen=True)
class VvRules(TablesInForce[Tables, MoverFactory]):
    """The rules in force for one game. See :class:`~...ruleset.RulesInForce`."""

    @property
    def stacking(self) -> StackingRule | None:
        return stacking_rule(self.tables)

    @property
    def order(self) -> OrderRule:
        # phase_checks checks 6.1-e, since units that were put back or carried along do not count.
        return OrderRule()

    def entered(self, unit: str, event: int) -> Amount | None:
        """See :class:`~...ruleset.Entries`."""
        return self.mover_factory.entered(unit, event)

    def allowed_facts(self) -> AllowedFacts:
        """The attributes and conditions that facts may give."""
        return allowed_facts(self.game, self.tables)

    def phase_checks(self, tracks: Sequence[Track]) -> Iterable[Finding]:
        """See :class:`~...ruleset.PhaseCheck`."""
        found = tuple(_phase_checks(self.mover_factory, tracks))
        return completed(self.game, found, self._phase_checks_in, READ)

    def _phase_checks_in(self, game: Game) -> Iterable[Finding]:
        """The findings in another completion of the game."""
        tracks = find_moves(game, Timeline(game), Witnesses(game))
        return _phase_checks(MoverFactory(game, self.tables), tracks)


READ = (
    "aboard",
    "class",
    "facing",
    "pinned",
    "fired",
    "moved",
    "immobile",
    "transport",
    "tow",
    "mp",
    "weapon",
    "weapons",
)
"""The attributes that the phase checks depend on."""


def _phase_checks(mover_factory: MoverFactory, tracks: Sequence[Track]) -> Iterator[Finding]:
    yield from moved_on(mover_factory, tracks)
    yield from stacks_parted(mover_factory, tracks)
    yield from turned_only(mover_factory, tracks)
    yield from loads(mover_factory)
    yield from returned(mover_factory)
    yield from arrivals(mover_factory)


class ValorAndVictory(Rulebook):
    """See :class:`~vassal_umpire.validators.ruleset.Ruleset`."""

    def in_force(self, game: Game) -> VvRules:
        """The rules in force for ``game``; WrongPack if its tables, options or switched-off clauses are
        wrong."""
        rules = game.rules
        self.check(rules)
        complete = Completeness(rules.complete)
        tables = read_tables(rules.tables, rules.off, rules.options, complete)
        return VvRules(
            self, game, tables, MoverFactory(game, tables), readings_of(rules, self.settled(rules))
        )

    def names_known(self, tables: Mapping[str, Any]) -> Mapping[str, Words]:
        """See :class:`~vassal_umpire.validators.ruleset.Vocabulary`."""
        plain = merged(tables)
        return {
            TERRAIN: Words(frozenset(plain["terrain"]), "terrain"),
            HEXSIDE: Words(frozenset(plain["hexsides"]), "hexsides"),
            LINE: Words(frozenset((ROAD,))),
            CLASS: Words(frozenset((*CLASSES, WEAPON, "sniper")), any_case=True),
        }


RULESET = ValorAndVictory(__name__)
