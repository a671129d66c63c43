"""The ruleset ``ocs`` as the audit knows it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from ....model.finding import Finding
from ....model.game import Game
from ...allowed_facts import AllowedFacts
from ...answers import answer
from ...moves import Track
from ...order import check_order
from ...rulebook import Rulebook, TablesInForce, readings_of
from ...ruleset import (
    Measure,
    OrderRule,
    Requirement,
    StackingLimit,
    StackingRule,
)
from ...stacking import check_stacking
from ...timeline import Timeline
from ...witness import Witnesses
from . import asked
from .movers import Muster, designated
from .tables import Tables, read_tables


@dataclass(frozen=True)
class OcsRules(TablesInForce[Tables, Muster]):
    """The tables of one pack, in force in one game. See :class:`~...ruleset.RulesInForce`."""

    def allowed_facts(self) -> AllowedFacts:
        """What may be told of units and of the game."""
        return asked.allowed_facts(self.tables)

    @property
    def stacking(self) -> StackingRule | None:
        return None  # not looked at in the phase of reinforcements, see further

    @property
    def order(self) -> OrderRule:
        return OrderRule()  # of those who move in a segment of movement alone, see further

    def further(self, tracks: Sequence[Track]) -> Iterable[Finding]:
        """What holds in the segments of movement: one unit is moved after the other, and stacks are not too
        big when they end."""
        phases, segments = self.game.phases, self.tables.segments
        others = {name: replace(rule, complete=False) for name, rule in phases.items()}
        told = {name: phases[name] if name in segments else others[name] for name in phases}
        game = replace(self.game, phases=told)
        yield from self._resumed(game, tracks)
        yield from self._too_big(game, tracks)

    def _resumed(self, game: Game, tracks: Sequence[Track]) -> Iterator[Finding]:
        """Units moved on after others had moved. Whoever is not to move in a phase, or perhaps not, is at
        most put back in it, which is no movement."""
        moving = [track for track in tracks if self._is_designated(track)]
        yield from check_order(game, moving, self._one_by_one, Witnesses(game), self)

    def _is_designated(self, track: Track) -> bool:
        phase, game = track.move.phase, self.game
        segment = self.tables.segments.get(phase.phase or "", "")
        return all(
            designated(game, self.tables, phase.active, game.units[unit].side, segment)
            for unit in track.move.units
            if unit in game.units
        )

    def _too_big(self, game: Game, tracks: Sequence[Track]) -> Iterator[Finding]:
        """Stacks that are too big at the end of a phase; whether one that is no segment of movement is the
        phase of reinforcements, at whose end they may be, is not told."""
        phases, segments, timeline = self.game.phases, self.tables.segments, Timeline(self.game)
        looked = {name for name in phases if answer(self.game, asked.stacking(name))}
        told = {n: phases[n] if n in looked else rule for n, rule in game.phases.items()}
        for found in check_stacking(replace(game, phases=told), tracks, self._limit(), timeline):
            phase = found.phase.phase if found.phase is not None else None
            whole = phase is not None and phase in phases and phases[phase].complete
            if phase in segments or not whole or found.verdict != "unverifiable" or not phase:
                yield found
                continue
            question = asked.stacking(phase)
            if phase not in looked and answer(self.game, question) is None:
                yield replace(found, unknowns=(question.unknown(),), remedy=question.text)
            elif phase in looked:
                yield found

    def _limit(self) -> StackingRule | None:
        if not self.tables.applies("X-STK"):
            return None
        exempt = (Requirement("type", self.tables.types["unstacked"]),)
        limit = StackingLimit(((self.tables.stacking_limit,),))
        return StackingRule("OCS-X-STK", (Measure("RE", "re", (), exempt),), (limit,), "phase-end")

    @cached_property
    def _one_by_one(self) -> OrderRule:
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


class Ocs(Rulebook):
    """See :class:`~vassal_umpire.validators.ruleset.Ruleset`."""

    def in_force(self, game: Game) -> OcsRules:
        """The rules of ``game``; WrongPack if its tables, options or switched-off clauses are faulty."""
        self.check(game.rules)
        settled = self.settled(game.rules)
        tables = read_tables(game.rules.tables, game.rules.off, settled)
        return OcsRules(self, game, tables, Muster(game, tables), readings_of(game.rules, settled))


RULESET = Ocs("ocs")
