"""Enemies as a unit of a stack finds them: whoever moves along may negate a zone of control."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from ....model.fact import Fact, Unknown
from ....model.finding import Move
from ....model.game import Displacement, Game
from ...concepts import questions
from ...concepts.logic import both
from ...concepts.zones import Zones
from ...ruleset import Requirement
from ...situation import Situation
from ...timeline import Timeline
from . import asked
from .tables import plain

DG, MODE, TYPE = "dg", "mode", "type"
ATTACKING = ("combat", "exploitation", "released")
"""The modes whose strength is that of the Combat side, and in which nothing keeps a unit from attacking."""


class StackZones(Zones):
    """A friendly unit in a hex negates zones of control there (4.5). Whether one that comes to the hex in
    the same stack does so, 4.5a would say, which is not at hand. ``company``: who may come along."""

    company: tuple[str, ...] = ()
    begun: frozenset[str] = frozenset()
    """The hexes in which friendly units began the phase, and which they left: it may have joined them."""

    allied: bool = False
    """Whether units of more than two sides are in the game, some of which must be one player's."""

    def _hostile(self, unit: str) -> bool | None:
        found = super()._hostile(unit)
        return None if found and self.allied else found

    def _questions(
        self, unit: str, name: str, requirements: Sequence[Requirement]
    ) -> Iterator[Unknown]:
        whose = self._unit(unit)
        for unknown in super()._questions(unit, name, requirements):
            mixed = self.allied and unknown == questions.of_side(whose)
            yield asked.allied(whose, self._side) if mixed else unknown

    def negated(self, name: str) -> bool | None:
        """Whether a friendly unit in a hex negates zones of control there."""
        found = super().negated(name)
        return None if found is False and self._may_be_joined(name) else found

    def _may_be_joined(self, name: str) -> bool:
        return bool(self.company) or name in self.begun

    def doubts_over(self, name: str) -> tuple[Unknown, ...]:
        """What is not known about the zones of control over a hex."""
        found = super().doubts_over(name)
        if not self._may_be_joined(name) or super().negated(name) is not False:
            return found
        along = Unknown(
            f"zone of control over {name} negated",
            f"was the zone of control over {name} negated by a unit that moved along (4.5a)?",
        )
        return (*found, along)


@dataclass(frozen=True)
class Traffic:
    """Who was displaced in a phase, and who may have moved along with whom: a stack may be dragged at once,
    or piece by piece (6.1)."""

    game: Game
    timeline: Timeline

    def around(self, move: Move | None) -> tuple[Displacement, ...]:
        """All displacements of the phase of ``move``."""
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
        return tuple(u for u in every if units[u].kind == "unit" and units[u].side == side)

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
            friendly = whose is not None and whose.kind == "unit" and whose.side == side
            if friendly and event.unit not in move.units:
                yield event

    def _number(self, move: Move) -> int:
        return self.timeline.phase_number(move.steps[0])

    @cached_property
    def _by_phase(self) -> dict[int, tuple[Displacement, ...]]:
        found: dict[int, list[Displacement]] = defaultdict(list)
        for index, event in enumerate(self.game.events):
            if isinstance(event, Displacement):
                found[self.timeline.phase_number(self.timeline.step_of(index))].append(event)
        return {number: tuple(events) for number, events in found.items()}


@dataclass(frozen=True, slots=True)
class Able:
    """Whether an enemy that is printed as able to attack is so now: what DG and the modes do to
    that, 5 would say, which is not at hand, and no plane, supply or installation attacks. See
    :class:`~...concepts.zones.Reach`. ``unable``: the types of these."""

    situation: Situation
    unable: tuple[str, ...]

    def reaches(self, unit: str, origin: str, target: str) -> bool | None:
        """True for certain, or not known."""
        return True if not tuple(self.doubts(unit, origin, target)) else None

    def doubts(self, unit: str, origin: str, target: str) -> Iterator[Unknown]:
        """What would decide it."""
        whose = self.situation.game.units[unit]
        dg, kind = self.situation.fact(unit, DG), plain(self.situation.fact(unit, TYPE))
        if dg.options is None:
            yield questions.of_unit(whose, DG)
        elif not dg.must_be(False):
            yield Unknown(
                f"unit {unit} DG and able",
                f"does {whose.name}, being DG, attack and exert a zone of control (5.10)?",
            )
        mode = plain(self.situation.fact(unit, MODE))
        unfit = [o for o in mode.options if o not in ATTACKING] if mode.options is not None else []
        if mode.options is None or 0 < len(unfit) < len(mode.options):
            yield questions.of_unit(whose, MODE)
        elif unfit:
            yield Unknown(
                f"unit {unit} mode and able",
                f"is {whose.name} able to attack, being in mode {' or '.join(map(str, unfit))} (5)?",
            )
        if kind.options is None or any(option in self.unable for option in kind.options):
            yield questions.of_unit(whose, TYPE)


@dataclass(frozen=True, slots=True)
class OwnGround:
    """Whether a zone of control extends where the unit itself may not go, 4.5 would say, which is not
    at hand: there it is not known. See :class:`~...concepts.zones.Reach`."""

    able: Able
    goes: Callable[[Fact, str, str], bool | None]

    def reaches(self, unit: str, origin: str, target: str) -> bool | None:
        """Whether its zone of control extends to a neighbouring hex."""
        return both(self.able.reaches(unit, origin, target), self._extends(unit, origin, target))

    def _extends(self, unit: str, origin: str, target: str) -> bool | None:
        return self.goes(plain(self.able.situation.fact(unit, "class")), origin, target)

    def doubts(self, unit: str, origin: str, target: str) -> Iterator[Unknown]:
        """What would decide it."""
        yield from self.able.doubts(unit, origin, target)
        if self._extends(unit, origin, target):
            return
        name = self.able.situation.game.units[unit].name
        yield Unknown(
            f"zone of control of {unit} over {target}",
            f"does the zone of control of {name} extend from {origin} to {target} (4.5)?",
        )
