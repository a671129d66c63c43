"""Zones of control for a unit that moves in a stack: friendly units that move along may negate them."""

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
from ...concepts.hex_entries import about_hex
from ...concepts.logic import both, every
from ...concepts.sides import is_friend
from ...concepts.zones import Zones
from ...situation import Situation
from ...timeline import Timeline
from . import ruleset_facts
from .tables import MODES, Tables, plain

CLASS, DG, MODE, TYPE = "class", "dg", "mode", "type"
ATTACKING = ("combat", "exploitation", "released")
"""Modes with the strength of the Combat side: no rule keeps a unit in such a mode from attacking."""


class StackZones(Zones):
    """Zones of control that a friendly unit negates in its hex (4.5).

    Whether a unit that enters the hex in the same stack negates them would be said in 4.5a, which is not at
    hand: it is asked for, or settled by the reading ``stack_negates``.
    """

    company: tuple[str, ...] = ()
    """Friendly units that may move along with the mover."""
    begun: frozenset[str] = frozenset()
    """Hexes in which other friendly units began the phase and which they left before: the mover may have
    joined them there."""

    readings: Tables | None = None
    """The tables, for how open readings are settled; None: no reading is settled."""

    step: StepRef | None = None
    """The first step of the move; None: no move is given."""

    def negated(self, name: str) -> bool | None:
        """Whether a friendly unit in a hex negates zones of control there; None: not known."""
        found = super().negated(name)
        return found if found is not False or not self._may_be_joined(name) else self._along(name)

    def _may_be_joined(self, name: str) -> bool:
        return bool(self.company) or name in self.begun

    def _along(self, name: str) -> bool | None:
        """Whether a unit that moves along negates zones of control in a hex; None: not known."""
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
    """The displacements of each phase, and which units may have moved together. A stack may be dragged at
    once or piece by piece (6.1)."""

    game: Game
    timeline: Timeline

    def around(self, move: Move | None) -> tuple[Displacement, ...]:
        """All displacements in the phase of ``move``, by either side; empty if ``move`` is None."""
        return () if move is None else self._by_phase.get(self._number(move), ())

    def company(self, move: Move | None, side: str | None) -> tuple[str, ...]:
        """Friendly units that may have been in one stack with the units of ``move``: those dragged with them
        and those that left one of its waypoints in the phase."""
        if move is None:
            return ()
        here = {place for place in move.waypoints if place.kind == "hex"}
        others = [e.unit for e in self._friends(move, side) if e.origin in here]
        mates = move.units if len(move.units) > 1 else ()
        units = self.game.units
        every = dict.fromkeys(u for u in (*mates, *others) if u in units)
        return tuple(u for u in every if units[u].kind == "unit" and self._may_go(u, side))

    def begun(self, move: Move | None, side: str | None) -> frozenset[str]:
        """The hexes in which other friendly units began the phase and which they left before ``move``. Though
        dragged first, such a unit may have waited there to move on in one stack."""
        if move is None:
            return frozenset()
        first: dict[str, Displacement] = {}
        for event in self._friends(move, side):
            if event.at < move.steps[0]:
                first.setdefault(event.unit, event)
        return frozenset(e.origin.name for e in first.values() if e.origin.kind == "hex")

    def entered(self, move: Move | None, unit: str) -> bool:
        """Whether a unit came from off the map in the phase of ``move``."""
        return any(e.unit == unit and e.origin.kind != "hex" for e in self.around(move))

    def _friends(self, move: Move, side: str | None) -> Iterator[Displacement]:
        units = self.game.units
        for event in self.around(move):
            whose = units.get(event.unit)
            counts = whose is not None and whose.kind == "unit" and self._may_go(event.unit, side)
            if counts and event.unit not in move.units:
                yield event

    def _may_go(self, unit: str, side: str | None) -> bool:
        """Whether a unit is or may be a friend of ``side``."""
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
class AbleToAttack:
    """Whether an enemy with a printed attack capability is able to attack now. See
    :class:`~...concepts.zones.Reach`.

    What DG and the modes change about it would be said in section 5, which is not at hand: readings settle
    it. Planes, supplies and installations never attack.
    """

    situation: Situation
    tables: Tables

    def reaches(self, unit: str, origin: str, target: str) -> bool | None:
        """Whether the unit is able to attack; the hexes do not matter. None: not known."""
        return every(able for able, _ in self._grounds(unit))

    def missing(self, unit: str, origin: str, target: str) -> Iterator[MissingFact]:
        """What would decide it."""
        for able, unknown in self._grounds(unit):
            if able is None:
                yield unknown

    def _grounds(self, unit: str) -> Iterator[tuple[bool | None, MissingFact]]:
        """The conditions for being able to attack: whether each holds (None: not known), and what to ask."""
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
    """A zone of control that may end where the unit itself cannot go. See :class:`~...concepts.zones.Reach`.

    Whether it does would be said in 4.5, which is not at hand: the reading ``zoc_into_prohibited`` settles
    it. ``goes``: (class, hex, neighbour) → whether a unit of that class may go there off the road; None: not
    known.
    """

    able: AbleToAttack
    goes: Callable[[Fact, str, str], bool | None]

    def reaches(self, unit: str, origin: str, target: str) -> bool | None:
        """Whether the unit's zone of control extends to a neighbouring hex; None: not known."""
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
        board = situation.board
        unknown = board.hexes[target].terrain is None or board.maybe_in(target) is None
        about = about_hex(board, target) if unknown else ("hexside", origin, target)
        yield missing_facts.of_board(about, "")
