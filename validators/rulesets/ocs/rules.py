"""The ruleset ``ocs`` as the audit knows it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Literal

from ....model.fact import UNKNOWN, Fact
from ....model.finding import Finding
from ....model.game import Game, StateChange
from ....model.names import CLASS, HEXSIDE, LINE, TERRAIN, Words
from ...allowed_facts import AllowedFacts
from ...answers import answer
from ...concepts.completeness import Completeness
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
from . import ruleset_facts
from .eligibility import designated
from .movers import MoverFactory
from .tables import (
    BRIDGE,
    CLASSES,
    LAND,
    NUB,
    Tables,
    defaults,
    merged,
    plain,
    read_tables,
)


@dataclass(frozen=True)
class OcsRules(TablesInForce[Tables, MoverFactory]):
    """The tables of one pack, in force in one game. See :class:`~...ruleset.RulesInForce`."""

    def movers(self, phase: str) -> Literal["active", "inactive"] | None:
        """See :class:`~...ruleset.Phasing`."""
        segment = self.tables.segments.get(phase)
        if segment is None:
            return None
        return "inactive" if segment == "reaction" else "active"

    def allowed_facts(self) -> AllowedFacts:
        """What may be told of units and of the game."""
        return ruleset_facts.allowed_facts(self.tables)

    @property
    def stacking(self) -> StackingRule | None:
        return None  # not looked at in the phase of reinforcements, see phase_checks

    @property
    def order(self) -> OrderRule:
        return OrderRule()  # of those who move in a segment of movement alone, see phase_checks

    def phase_checks(self, tracks: Sequence[Track]) -> Iterable[Finding]:
        """Check what holds in movement segments: units move one after the other (6.1g), and no stack is too
        big at the end."""
        phases, segments = self.game.phases, self.tables.segments
        others = {name: replace(rule, complete=False) for name, rule in phases.items()}
        told = {name: phases[name] if name in segments else others[name] for name in phases}
        game = replace(self.game, phases=told)
        yield from self._resumed(game, tracks)
        yield from self._too_big(game, tracks)

    def _resumed(self, game: Game, tracks: Sequence[Track]) -> Iterator[Finding]:
        """Units that moved on after others had moved. Units that may not move in the phase, or perhaps not,
        are left out: they can only be put back in it, which is no movement."""
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
        """Stacks that are too big at the end of a phase. At the end of the reinforcement phase they may be.
        For a phase that is no movement segment the pack must say whether it is that one; until then the
        question is asked."""
        phases, segments, timeline = self.game.phases, self.tables.segments, Timeline(self.game)
        looked = {name for name in phases if answer(self.game, ruleset_facts.stacking(name))}
        told = {n: phases[n] if n in looked else rule for n, rule in game.phases.items()}
        for found in check_stacking(replace(game, phases=told), tracks, self._limit(), timeline):
            phase = found.phase.phase if found.phase is not None else None
            whole = phase is not None and phase in phases and phases[phase].complete
            if phase in segments or not whole or found.verdict != "unverifiable" or not phase:
                yield found
                continue
            question = ruleset_facts.stacking(phase)
            if phase not in looked and answer(self.game, question) is None:
                yield replace(found, unknowns=(question.unknown(),), remedy=question.text)
            elif phase in looked:
                yield found

    def _limit(self) -> StackingRule | None:
        most = self.tables.stacking_limit
        if not self.tables.applies("X-STK") or most is None:
            return None
        exempt = (Requirement("type", self.tables.types["unstacked"]),)
        missing = self.tables.charts.questions("stacking")
        measure = Measure("RE", "re", (), exempt)
        limit = StackingLimit(((most,),))
        return StackingRule("OCS-X-STK", (measure,), (limit,), "phase-end", missing)

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
        charts = Completeness(game.rules.complete)
        tables = read_tables(game.rules.tables, game.rules.off, settled, charts)
        if not charts.has("types"):
            game = _with_known_types(game, tables)
        return OcsRules(
            self, game, tables, MoverFactory(game, tables), readings_of(game.rules, settled)
        )

    def names_known(self, tables: Mapping[str, Any]) -> Mapping[str, Words]:
        """See :class:`~vassal_umpire.validators.ruleset.Vocabulary`."""
        known = merged(defaults(), tables)
        terrain = {*known["terrain"], *(f"{name}{NUB}" for name in known["terrain"])}
        sides = {*known["hexsides"], *(f"{name}{NUB}" for name in known["hexsides"]), LAND, BRIDGE}
        return {
            TERRAIN: Words(frozenset(terrain), "terrain"),
            HEXSIDE: Words(frozenset(sides), "hexsides"),
            LINE: Words(frozenset(known["roads"]), "roads"),
            CLASS: Words(frozenset(CLASSES), "", any_case=True),
        }


def _with_known_types(game: Game, tables: Tables) -> Game:
    """A copy of ``game`` in which every unit type that no list of the tables has is unknown: such a unit may
    be of any listed type. ``game`` itself if nothing changes."""
    listed = {name for names in tables.types.values() for name in names}

    def read(fact: Fact) -> Fact:
        options = plain(fact).options
        return fact if options is None or listed.issuperset(options) else UNKNOWN

    units = {}
    for name, unit in game.units.items():
        kind = unit.fact("type")
        if read(kind) is not kind:
            unit = replace(unit, attributes={**unit.attributes, "type": UNKNOWN})
        units[name] = unit
    events = tuple(
        replace(event, before=read(event.before), after=read(event.after))
        if isinstance(event, StateChange) and event.attribute == "type"
        else event
        for event in game.events
    )
    changed = any(units[name] is not unit for name, unit in game.units.items())
    if not changed and all(a is b for a, b in zip(events, game.events, strict=True)):
        return game
    return replace(game, units=units, events=events)


RULESET = Ocs(__name__)
