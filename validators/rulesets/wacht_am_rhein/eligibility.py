"""What may forbid a unit to move at all: its phase, mode, enemies next to it, trucks, artillery status and
failed overruns."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from functools import cached_property

from ....model.fact import UNKNOWN, Fact, MissingFact
from ....model.finding import Move
from ...checks import form_unknown, phase_unknown
from ...concepts import logic, missing_facts
from ...concepts.sides import is_enemy, is_friend, missing
from ...displacement_screening import FORM_USED
from ...ruleset import Breach, WeightedFact
from .neighbourhood import Neighbourhood
from .open_readings import of_reading
from .overrun import Overrun
from .overrun_effects import OverrunEffects
from .overrun_results import JOINT
from .player_questions import took_exploit
from .prohibitions import Prohibition, breaches, prohibitions_if
from .tables import EXPLOITATION, LEG, MOVEMENT, OTHER, RESERVES, Tables
from .truck_points import MotorUnitMarker
from .unit_kind import Kind
from .units import fits

KIND_OF_PHASE = "kind of phase"


class EligibilityCheck:
    """Checks whether one unit may move at all. ``moving``: how many units are dragged together."""

    def __init__(
        self, kind: Kind, neighbourhood: Neighbourhood, moving: int, move: Move | None = None
    ) -> None:
        self.kind, self.neighbourhood, self.tables = kind, neighbourhood, neighbourhood.tables
        self.unit = kind.unit
        self.moving, self.move = moving, move
        view = neighbourhood.situation.phase
        self.phase = kind_of_phase(self.tables, neighbourhood, view.phase)
        self.named = view.phase or "?"
        self.active = view.active

    def fact(self, attribute: str) -> Fact:
        """What is known of the unit."""
        return self.neighbourhood.units.fact(self.unit.id, attribute)

    def prohibitions(self) -> Iterator[Prohibition]:
        """Breaches that forbid the move in any form of movement, and missing facts that may forbid it."""
        yield from self._phase()
        yield from self._mode()
        yield from MotorUnitMarker(self.kind, self.neighbourhood).prohibitions()
        if self.kind.is_a(self.tables, "artillery"):
            yield from self._guns()
        if self.kind.is_a(self.tables, "bridge") and self.kind.deployed != "no":
            text = (
                f"was the deployed {self.unit.name} moved, or did it come to lie elsewhere (5.7.5)?"
            )
            yield from self._asked_of_form(f"movement of {self.unit.id}", text)
        yield from self.overrun_effects.prohibitions()

    def _phase(self) -> Iterator[Prohibition]:
        kind = self.kind
        if kind.is_a(self.tables, "bridge") and kind.deployed != "no":
            return  # a deployed bridge is not a unit; section 5 has no clause on moving it
        mounts = self.mounting_missing_fact()
        if mounts is not None:
            yield mounts
        elif self.phase == OTHER:
            text = f"is moved in the phase {self.named}, in which nobody moves"
            yield from breaches(self.tables, "5.0-e", text)
        elif not self.phase and self.tables.applies("5.0-e"):
            yield WeightedFact(_phase_unknown(self.named))
        game = self.neighbourhood.situation.game
        sides = game.sides
        theirs = is_friend(game, self.active, self.unit.side)
        if self.active not in sides:
            if self.tables.applies("5.1-g"):
                yield WeightedFact(self._active_unknown())
        elif theirs is None:
            if self.tables.applies("5.1-g"):
                yield from map(WeightedFact, missing(game, self.active, self.unit))
        elif not theirs and not self._is_begun():
            yield WeightedFact(self._active_unknown())
        elif not theirs:
            text = f"is moved in the {self.named} phase of {self.active}"
            yield from breaches(self.tables, "5.1-g", text)

    def _active_unknown(self) -> MissingFact:
        """The question which side is active in the phase."""
        timeline = self.neighbourhood.unit_history.timeline
        at = self.neighbourhood.situation.at if self.move is None else self.move.steps[0]
        if timeline is None:
            return MissingFact("active side", "which side is active in the phase?")
        asked = phase_unknown(timeline, at)
        return replace(asked, key="active side", question=f"whose {self.named} phase is it?")

    def _is_begun(self) -> bool:
        """Whether it is certain that the phase belongs to the side that the timeline names.

        Always so in phases other than exploitation, and if the phase start is declared. An exploitation
        phase may be named after the side whose player turn it lies in, although the other side exploits; it
        is certain only once a unit of the named side has been displaced.
        """
        units, began = (
            self.neighbourhood.situation.game.units,
            self.neighbourhood.unit_history.began,
        )
        timeline = self.neighbourhood.unit_history.timeline
        start = None if timeline is None else timeline.phase_start(self.neighbourhood.situation.at)
        if self.phase != EXPLOITATION or (start is not None and start.declared):
            return True
        game = self.neighbourhood.situation.game
        return any(
            unit in units and is_friend(game, self.active, units[unit].side) for unit in began
        )

    def mounting_missing_fact(self) -> WeightedFact | None:
        """The question whether a dismounted company returned to its parent unit (5.7.1), which its own MA
        does not limit. None if the unit is surely not such a company, or if that cannot happen in this
        phase."""
        broken_down = fits(self.fact("breakdown"), (True,)) is not False
        on_foot = self.kind.is_a(self.tables, "infantry", "engineer") and self.kind.mover == LEG
        theirs = is_friend(self.neighbourhood.situation.game, self.active, self.unit.side) is False
        if self.phase != OTHER or not broken_down or not on_foot or theirs:
            return None
        text = (
            f"did {self.unit.name} go back to its parent unit to be mechanized (5.7.1; that is no "
            "movement, but other)?"
        )
        return next(self._asked_of_form(f"mounting of {self.unit.id}", text), None)

    def _asked_of_form(self, key: str, text: str) -> Iterator[WeightedFact]:
        """The question whether a displacement was movement at all. Nothing if the facts name its form: a
        displacement that they call no movement is not judged."""
        move, situation = self.move, self.neighbourhood.situation
        steps = (situation.at, situation.at) if move is None else (move.steps[0], move.steps[-1])
        if self.neighbourhood.condition(FORM_USED, self.unit.id).is_known:
            return
        asked = form_unknown(self.unit.id, self.unit.name, *steps, ())
        yield WeightedFact(replace(asked, key=key, question=text))

    def _mode(self) -> Iterator[Prohibition]:
        mode, asked = self.kind.mode, missing_facts.of_unit(self.unit, "mode")
        in_movement = True if self.phase == MOVEMENT else None if not self.phase else False
        if mode == "exploit":
            text = "may not move in a movement phase, being in Exploit Mode"
            yield from prohibitions_if(self.tables, in_movement, "5.1-b", text, asked)
            if self.phase != MOVEMENT:
                yield from self._pinned()
        elif mode in RESERVES:
            text = f"may not move in a movement phase, being in {mode}"
            yield from prohibitions_if(self.tables, in_movement, "5.1-c", text, asked)
        if mode != "exploit" and self.phase == EXPLOITATION and self.tables.applies("5.1-f"):
            reading = self.tables.reading("exploitation_only_exploit")
            text = f"may not move in an exploitation phase, being in mode {mode}"
            if mode == "maneuver-reserve" and reading != "no" and not self.kind.stays:
                asking = took_exploit(self.unit, self.neighbourhood.situation.at)
                yield WeightedFact(asking.unknown(f"exploit mode of {self.unit.id}"))  # 5.1-e
            elif reading == "yes":
                yield Breach("WAR-5.1-f", text, "")
            elif reading == "undecided":
                yield WeightedFact(of_reading("exploitation_only_exploit"))

    def _pinned(self) -> Iterator[Prohibition]:
        """A breach if an enemy in Prepared Assault was next to the unit when the phase began (5.3.3); the
        missing facts if one may have been."""
        place = self.neighbourhood.began_phase_at(self.unit.id)
        if place.kind != "hex" or not self.tables.applies("5.3.3"):
            return
        units, unit_history = self.neighbourhood.units, self.neighbourhood.unit_history
        own = self.unit.id in unit_history.modes
        moved = {*unit_history.began, *unit_history.modes} - {self.unit.id}
        near = self.neighbourhood.enemies_near(place.name)
        whole = self.neighbourhood.situation.game
        game = whole.units
        for unit, sure in near:
            holds = logic.both(None if unit in moved else sure, units.has(unit, "mode", "pa"))
            if own and holds is not False:
                bound = self.tables.says("late_exploit_pinned")
                if bound is None:
                    yield WeightedFact(of_reading("5.3.3"))
                    continue
                if not bound:
                    continue
            if holds is False:
                continue
            if holds is True:
                text = "may not move, an enemy in Prepared Assault having been next to it"
                yield Breach("WAR-5.3.3", text, "")
                return
            yield WeightedFact(missing_facts.of_unit(game[unit], "mode"))
        gone = moved - {unit for unit, _ in near}
        for unit in sorted(gone):
            other = game.get(unit)
            if other is None or other.kind != "unit":
                continue
            if is_enemy(whole, self.unit.side, other.side) is False:
                continue
            if self._was_near(unit, place.name):
                yield WeightedFact(
                    missing_facts.of_whereabouts(
                        game[unit], place.name, self.neighbourhood.situation.at
                    )
                )

    def _was_near(self, unit: str, hex_name: str) -> bool:
        """Whether an enemy that may be in Prepared Assault was displaced in this phase from a hex next to
        ``hex_name``."""
        near = self.neighbourhood.board.neighbours(hex_name)
        was_there = any(
            u == unit and at.hex in near for u, at in self.neighbourhood.unit_history.left
        )
        return was_there and self.neighbourhood.units.has(unit, "mode", "pa") is not False

    def _guns(self) -> Iterator[Prohibition]:
        kind = self.kind
        german = kind.nation == "german"
        asset = fits(self.fact("echelon"), ("corps", "army"))
        heavy = logic.both(
            fits(self.fact("echelon"), ("army",)), fits(self.fact("range"), (Fraction(18),))
        )
        if german:
            text = "is army heavy artillery, which never moves"
            asked = missing_facts.of_unit(self.unit, "range" if asset else "echelon")
            yield from prohibitions_if(self.tables, heavy, "5.8.4-b", text, asked)
        if german and kind.traction != "horse" and not kind.motor:
            text = "is German corps or army artillery and has no Motor Unit marker"
            asked = missing_facts.of_unit(self.unit, "echelon")
            yield from prohibitions_if(self.tables, asset, "5.8.4-a", text, asked)
        if kind.battery == "in" and not self.rolls and not self.one_hex:
            yield from breaches(self.tables, "5.8.0-c", "is towed artillery In Battery")

    @property
    def rolls(self) -> bool:
        """Whether it is self-propelled artillery, or counts as such."""
        kind = self.kind
        rocket = kind.calibre == "150-nebelwerfer" and kind.motor and kind.nation == "german"
        return kind.traction == "sp" or (rocket and self.tables.applies("5.8.1a-a"))

    @property
    def one_hex(self) -> bool:
        """Whether it is artillery In Battery that may move one hex (5.8.2): US, calibre 105 or 155h, not
        self-propelled."""
        kind = self.kind
        if not self.tables.applies("5.8.2") or self.rolls or kind.battery != "in":
            return False
        if not kind.is_a(self.tables, "artillery"):
            return False
        return kind.nation == "us" and kind.calibre in ("105", "155h")

    @cached_property
    def overrun_effects(self) -> OverrunEffects:
        """The effects of earlier overruns on this unit."""
        return OverrunEffects(
            self.unit,
            self.neighbourhood,
            self.move,
            self.phase,
            self.active,
            may_overrun=self._may_overrun(),
        )

    def _may_overrun(self) -> bool:
        kind = self.kind
        guns = kind.is_a(self.tables, "artillery", "hq")
        if fits(self.fact("supply"), ("out",)):
            return False
        return kind.mover != LEG and not guns and kind.mode in ("exploit", "maneuver-reserve")

    def overrun(self) -> Overrun:
        """The conditions under which this unit may overrun."""
        told = self.neighbourhood.overruns_told(self.unit.id)
        said = UNKNOWN if told is None else told
        night = fits(self.neighbourhood.condition("night"), (True,))
        declared = said.options is not None
        if self.kind.mode == "pa" or (self.phase == MOVEMENT and not declared):
            return Overrun(("5.3.0-a", "enters a hex with enemies"))
        if self.phase == MOVEMENT and self.tables.applies("5.10-a"):
            return Overrun(("5.10-a", "overruns outside an exploitation phase"))
        return Overrun(None, tuple(self._against(said)), said, night)

    def _against(self, said: Fact) -> Iterator[tuple[str, str, bool | None, tuple[str, ...]]]:
        kind, tables = self.kind, self.tables
        guns, hq = kind.is_a(tables, "artillery"), kind.is_a(tables, "hq")
        moves_as_mech = kind.mover != LEG or kind.motor or guns
        fit: bool | None = moves_as_mech and (kind.mode == "exploit" or self.phase == MOVEMENT)
        if moves_as_mech and kind.mode == "maneuver-reserve" and not kind.stays:
            fit = None  # it may have taken Exploit Mode in this phase
        mode = ("exploit",) if fit is None else ("unit", "mode")
        text = "overruns, and is no Mech unit in Exploit Mode"
        yield "5.10-b", text, logic.negation(fit), mode
        yield "5.10-c1", "overruns with artillery", guns, mode
        yield "5.10-c2", "overruns with an HQ", hq, mode
        yield "5.10-c3", "overruns with a Leg unit on trucks", kind.motor and not guns, mode
        supplied = fits(self.fact("supply"), ("out",))
        yield "5.10.1-b", "overruns while Out of Supply", supplied, ("unit", "supply")
        joint: bool | None = None if self.moving > 1 else False
        if said.options is not None:
            joint = False if JOINT not in said.options else True if said.is_known else None
        yield "5.10.1-a", "overruns together with another unit", joint, ("joint",)


def kind_of_phase(tables: Tables, neighbourhood: Neighbourhood, named: str | None) -> str:
    """The kind of the phase ``named`` by the tables, else by the facts; '' if neither says."""
    told = tables.phases.get(named or "", "")
    said = UNKNOWN if told else neighbourhood.condition(f"{KIND_OF_PHASE} {named}")
    return told or (str(said.value) if said.is_known else "")


def _phase_unknown(phase: str) -> MissingFact:
    return replace(
        missing_facts.of_condition(f"{KIND_OF_PHASE} {phase}"),
        key=f"kind of phase {phase}",
        question=f"is the phase {phase} a movement phase, an exploitation phase or neither (other)?",
    )
