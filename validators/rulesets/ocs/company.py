"""Enemies as a unit of a stack finds them: whoever moves along may negate a zone of control."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property

from ....model.fact import Fact, MissingFact
from ....model.finding import Move
from ....model.game import Displacement, Game, StepRef
from ...answers import answer
from ...concepts import missing_facts
from ...concepts.logic import both, every
from ...concepts.sides import is_friend
from ...concepts.zones import Zones
from ...situation import Situation
from ...timeline import Timeline
from . import ruleset_facts
from .tables import MODES, Tables, plain

CLASS, DG, MODE, TYPE = "class", "dg", "mode", "type"
ATTACKING = ("combat", "exploitation", "released")
"""The modes whose strength is that of the Combat side, and in which nothing keeps a unit from attacking."""


class StackZones(Zones):
    """A friendly unit in a hex negates zones of control there (4.5). Whether one that comes to the hex in
    the same stack does so, 4.5a would say, which is not at hand. ``company``: who may come along."""

    company: tuple[str, ...] = ()
    begun: frozenset[str] = frozenset()
    """The hexes in which friendly units began the phase, and which they left: it may have joined them."""

    readings: Tables | None = None
    """How open readings are settled."""

    step: StepRef | None = None
    """The step of the move."""

    def negated(self, name: str) -> bool | None:
        """Whether a friendly unit in a hex negates zones of control there."""
        found = super().negated(name)
        return found if found is not False or not self._may_be_joined(name) else self._along(name)

    def _may_be_joined(self, name: str) -> bool:
        return bool(self.company) or name in self.begun

    def _along(self, name: str) -> bool | None:
        """Whether one that moves along negates them."""
        told = answer(self._situation.game, ruleset_facts.negated(name, self.step))
        if told is None and self._reading() is False:
            return False
        return told

    def _reading(self) -> bool | None:
        return None if self.readings is None else self.readings.reading("stack_negates")

    def missing_over(self, name: str) -> tuple[MissingFact, ...]:
        """What is not known about the zones of control over a hex."""
        found = super().missing_over(name)
        joined = self._may_be_joined(name) and super().negated(name) is False
        if not joined or self._along(name) is not None:
            return found
        if self._reading() is None:
            return (*found, ruleset_facts.reading("stack_negates"))
        return (*found, ruleset_facts.negated(name, self.step).unknown())


@dataclass(frozen=True)
class UnitHistory:
    """Who was displaced in a phase, and who may have moved along with whom: a stack may be dragged at once,
    or piece by piece (6.1)."""

    game: Game
    timeline: Timeline

    def around(self, move: Move | None) -> tuple[Displacement, ...]:
        """All displacements of the phase of ``move``, with those that may have interrupted it."""
        return () if move is None else self._by_phase.get(self._number(move), ())

    def company(self, move: Move | None, side: str | None) -> tuple[str, ...]:
        """The units of ``side`` that may have been of the stack with those of ``move``."""
        if move is None:
            return ()
        here = {place for place in move.waypoints if place.kind == "hex"}
        others = [e.unit for e in self._friends(move, side) if e.origin in here]
        mates = move.units if len(move.units) > 1 else ()
        units = self.game.units
        every = dict.fromkeys(u for u in (*mates, *others) if u in units)
        return tuple(u for u in every if units[u].kind == "unit" and self._may_go(u, side))

    def begun(self, move: Move | None, side: str | None) -> frozenset[str]:
        """The hexes in which other units of ``side`` began the phase of ``move`` that have left them before:
        dragged on first, they may have waited there to go on with it."""
        if move is None:
            return frozenset()
        first: dict[str, Displacement] = {}
        for event in self._friends(move, side):
            if event.at < move.steps[0]:
                first.setdefault(event.unit, event)
        return frozenset(e.origin.name for e in first.values() if e.origin.kind == "hex")

    def entered(self, move: Move | None, unit: str) -> bool:
        """Whether a unit was put onto the map in the phase of ``move``."""
        return any(e.unit == unit and e.origin.kind != "hex" for e in self.around(move))

    def _friends(self, move: Move, side: str | None) -> Iterator[Displacement]:
        units = self.game.units
        for event in self.around(move):
            whose = units.get(event.unit)
            counts = whose is not None and whose.kind == "unit" and self._may_go(event.unit, side)
            if counts and event.unit not in move.units:
                yield event

    def _may_go(self, unit: str, side: str | None) -> bool:
        """Whether a unit may be a friend of ``side``."""
        return is_friend(self.game, side, self.game.units[unit].side) is not False

    def _number(self, move: Move) -> int:
        return self.timeline.spell(move.steps[0])

    @cached_property
    def _by_phase(self) -> dict[int, tuple[Displacement, ...]]:
        found: dict[int, list[Displacement]] = defaultdict(list)
        for index, event in enumerate(self.game.events):
            if isinstance(event, Displacement):
                found[self.timeline.spell(self.timeline.step_of(index))].append(event)
        return {number: tuple(events) for number, events in found.items()}


@dataclass(frozen=True, slots=True)
class Able:
    """Whether an enemy that is printed as able to attack is so now: what DG and the modes do to
    that, 5 would say, which is not at hand, and no plane, supply or installation attacks. See
    :class:`~...concepts.zones.Reach`."""

    situation: Situation
    tables: Tables

    def reaches(self, unit: str, origin: str, target: str) -> bool | None:
        """Whether it is able; None: not known."""
        return every(able for able, _ in self._grounds(unit))

    def missing(self, unit: str, origin: str, target: str) -> Iterator[MissingFact]:
        """What would decide it."""
        for able, unknown in self._grounds(unit):
            if able is None:
                yield unknown

    def _grounds(self, unit: str) -> Iterator[tuple[bool | None, MissingFact]]:
        """What it takes to be able, and what to ask where it is not known."""
        whose = self.situation.game.units[unit]
        dg = self.situation.fact(unit, DG)
        if not dg.must_be(False):
            if dg.must_be(True):
                yield self._by_reading("dg")
            else:
                yield None, missing_facts.of_unit(whose, DG)
        mode = plain(self.situation.fact(unit, MODE)).options
        told = [self._in_mode(str(option)) for option in mode or ()]
        if told and all(able == told[0][0] for able, _ in told):
            yield told[0]
        else:
            yield None, missing_facts.of_unit(whose, MODE)
        kind = plain(self.situation.fact(unit, TYPE)).options
        unfit = [option in self.tables.types["unstacked"] for option in kind or ()]
        same = bool(unfit) and all(found == unfit[0] for found in unfit)
        yield (not unfit[0] if same else None), missing_facts.of_unit(whose, TYPE)

    def _in_mode(self, mode: str) -> tuple[bool | None, MissingFact]:
        if mode in ATTACKING:
            return True, _NOTHING
        return self._by_reading(mode) if mode in MODES else (None, _NOTHING)

    def _by_reading(self, what: str) -> tuple[bool | None, MissingFact]:
        option = f"{what}_attacks"
        return self.tables.reading(option), ruleset_facts.reading(option)


_NOTHING = MissingFact("mode", "in which mode was it?")


@dataclass(frozen=True, slots=True)
class TerrainLimitedReach:
    """Whether a zone of control extends where the unit itself may not go, 4.5 would say, which is not
    at hand. ``goes``: whether a unit of a class may go from a hex to its neighbour off the road. See
    :class:`~...concepts.zones.Reach`."""

    able: Able
    goes: Callable[[Fact, str, str], bool | None]

    def reaches(self, unit: str, origin: str, target: str) -> bool | None:
        """Whether its zone of control extends to a neighbouring hex."""
        return both(self.able.reaches(unit, origin, target), self._extends(unit, origin, target))

    def _extends(self, unit: str, origin: str, target: str) -> bool | None:
        reading = self.able.tables.reading("zoc_into_prohibited")
        if reading:
            return True
        goes = self.goes(plain(self.able.situation.fact(unit, CLASS)), origin, target)
        return None if goes is False and reading is None else goes

    def missing(self, unit: str, origin: str, target: str) -> Iterator[MissingFact]:
        """What would decide it."""
        yield from self.able.missing(unit, origin, target)
        if self._extends(unit, origin, target) is not None:
            return
        if self.able.tables.reading("zoc_into_prohibited") is None:
            yield ruleset_facts.reading("zoc_into_prohibited")
            return
        situation = self.able.situation
        if not situation.fact(unit, CLASS).is_known:
            yield missing_facts.of_unit(situation.game.units[unit], CLASS)
            return
        unknown = situation.board.hexes[target].terrain is None
        about = ("terrain", target) if unknown else ("hexside", origin, target)
        yield missing_facts.of_board(about, "")
