"""The movers of ``ocs``: the scenarios of a unit, with one mover for each interpretation of its move."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction

from ....model.bill import Amount
from ....model.fact import UNKNOWN, Fact, known
from ....model.game import Game
from ....model.unit import Unit
from ...answers import Question, answer
from ...concepts.completions import Facts, completions, gather
from ...concepts.zones import ZoneRule, Zones
from ...ruleset import (
    Breach,
    Budget,
    Circumstances,
    Policy,
    Requirement,
    Scenario,
    Situation,
    WeightedFact,
    World,
)
from ...situation import Situation as GameSituation
from . import ruleset_facts
from .allowance import movement_allowance
from .company import AbleToAttack, StackZones, TerrainLimitedReach, UnitHistory
from .eligibility import (
    EligibilityCheck,
    as_released,
    designated,
    first_step,
    may_be_type,
)
from .interpretations import Interpretation, Interpretations, MoveKind
from .mark_history import MarkHistory, changes_of
from .movement_graph import CAPABLE, OcsMovementGraph
from .tables import CLASSES, MODES, Tables, classes_of, plain, read_tables
from .terrain_graph import OcsTerrainGraph

BRIDGING = "condition:bridging"
NEEDED = ("class", "ma", "mode", "dg", "type", "fuel", BRIDGING)
MARKED = ("ma", "mode", "dg", "fuel")
"""Facts that a player may change late, by flipping or marking the unit after its move."""
EXERTS = (*CAPABLE, Requirement("mode", ("combat",)), Requirement("supplied", (True,)))
"""What a unit must be to have a zone of control (4.5)."""
_NO_MINIMUM = ("OCS-6.1c-b", "no minimum move in an overrun")


@dataclass(frozen=True, slots=True, eq=False)
class OcsMover:
    """See :class:`~vassal_umpire.validators.ruleset.Mover`."""

    form: str
    budget: Budget
    barred: tuple[Breach, ...]
    perhaps_barred: tuple[WeightedFact, ...]
    terrain_graph: OcsTerrainGraph
    zones: Zones
    strat: bool
    truck: bool | None
    overrun: bool
    able: AbleToAttack
    went_on: Question

    def graph(self, world: World) -> OcsMovementGraph:
        """The movement graph of this mover in one world."""
        return OcsMovementGraph(
            self.terrain_graph,
            self.zones,
            world,
            strat=self.strat,
            truck=self.truck,
            overrun=self.overrun,
            able=self.able,
            went_on=self.went_on,
        )


class MoverFactory:
    """Makes the scenarios of every unit of a game."""

    def __init__(self, game: Game, tables: Tables) -> None:
        self._game = game
        self._tables = tables
        self._terrain_graphs: dict[
            tuple[tuple[str, ...], bool | None, MoveKind], OcsTerrainGraph
        ] = {}
        self._reaching: dict[tuple[object, str, str], bool | None] = {}
        self._history: UnitHistory | None = None
        self._mark_history = MarkHistory(game)
        self._zones: tuple[Circumstances, dict[tuple[object, ...], Zones]] | None = None

    def on(self, game: Game) -> MoverFactory:
        """A factory with the same tables for the game on another of its boards."""
        return MoverFactory(game, self._tables)

    def terrain_graph(
        self, classes: tuple[str, ...], bridging: bool | None, move_kind: MoveKind = "move"
    ) -> OcsTerrainGraph:
        """The terrain graph for a mover of one of ``classes``, built once.

        For kinds of moves that do not use up MPs (retreat, air or sea, carried) the prohibitions of 6.1d-a
        and 6.2c-a are lifted as far as they do not apply.
        """
        free = ("OCS-6.1d-a", "OCS-6.2c-a")
        lifted = {"retreat": free[:1], "lift": free, "carried": free}.get(move_kind, ())
        key = (classes, bridging, move_kind if lifted else "move")
        if key not in self._terrain_graphs:
            tables, plain_tables = self._tables, self._game.rules.tables
            if lifted:
                tables = read_tables(
                    plain_tables, (*tables.off, *lifted), tables.readings, tables.charts
                )
            self._terrain_graphs[key] = OcsTerrainGraph(self._game.board, tables, classes, bridging)
        return self._terrain_graphs[key]

    def zones(
        self,
        circumstances: Circumstances,
        side: str | None,
        strat: bool = False,
        subject_to_zoc: bool = False,
        ignores_zoc: bool = False,
    ) -> Zones:
        """Enemies of ``side``; one value is shared by all units of a move.

        ``strat``: zones are the hexes next to enemies able to attack. ``subject_to_zoc``: else they are zones
        of control. Neither: there are no zones. ``ignores_zoc``: enemies do not bar a hex either.
        """
        if self._zones is None or self._zones[0] is not circumstances:
            self._zones = (circumstances, {})
        key = (side, strat, subject_to_zoc, ignores_zoc)
        found = self._zones[1].get(key)
        if found is None:
            rule: ZoneRule | None = None
            reach: AbleToAttack | TerrainLimitedReach | None = None
            if strat:
                rule, reach = ZoneRule(CAPABLE), self.able(circumstances.situation)
            elif subject_to_zoc:
                stated = self._tables.applies("X-4.5")
                rule = ZoneRule(EXERTS, negated=True) if stated else ZoneRule()
                reach = TerrainLimitedReach(self.able(circumstances.situation), self.reaches)
            found = StackZones(
                circumstances,
                side,
                rule,
                None if ignores_zoc else (),
                reach,
            )
            found.readings = self._tables
            if subject_to_zoc and not strat and circumstances.move is not None:
                found.step = circumstances.move.steps[0]
                unit_history = self._unit_history(circumstances)
                found.company = unit_history.company(circumstances.move, side)
                found.begun = unit_history.begun(circumstances.move, side)
            self._zones[1][key] = found
        return found

    def able(self, situation: Situation) -> AbleToAttack:
        """The test whether an enemy is able to attack now."""
        assert isinstance(situation, GameSituation)
        return AbleToAttack(situation, self._tables)

    def _unit_history(self, circumstances: Circumstances) -> UnitHistory:
        situation = circumstances.situation
        assert isinstance(situation, GameSituation)
        if self._history is None or self._history.timeline is not situation.timeline:
            self._history = UnitHistory(self._game, situation.timeline)
        return self._history

    def reaches(self, kind: Fact, origin: str, target: str) -> bool | None:
        """Whether a unit of class ``kind`` may go from a hex to its neighbour off the road; None: not
        known. Computed once for each class and direction."""
        key = (kind.options, origin, target)
        found = self._reaching.get(key)
        if key not in self._reaching:
            cost = self.terrain_graph(classes_of(kind), False).off_road(origin, target)
            found = None if cost.barred is None else not cost.barred
            self._reaching[key] = found
        return found

    def scenarios(self, unit: str, circumstances: Circumstances) -> tuple[Scenario, ...]:
        """One scenario for each completion of what is not known about the unit."""
        whose = self._game.units[unit]
        situation = circumstances.situation
        assert isinstance(situation, GameSituation)
        facts = {about: plain(fact) for about, fact in gather(NEEDED, unit, situation).items()}
        fuel = plain(situation.condition("fuel", unit))
        if fuel != UNKNOWN:
            facts["fuel"] = fuel
        late = self._mark_history.late(unit, MARKED, situation)
        return tuple(
            Scenario(tuple(self._choices(whose, completed, late, circumstances)), assumptions)
            for completed, assumptions in completions(whose, facts, _options)
        )

    def _choices(
        self, unit: Unit, facts: Facts, late: Facts, circumstances: Circumstances
    ) -> Iterator[OcsMover]:
        """The movers of the unit as it was marked when it moved, and as it is marked later in the phase: it
        may have been in that state already."""
        changed = changes_of(facts, late)
        if not changed:
            yield from self._movers(unit, facts, circumstances)
            return
        question = ruleset_facts.late(unit, changed, first_step(circumstances))
        told = answer(self._game, question)
        if told is not True:
            yield from self._movers(unit, facts, circumstances)
        if told is not False:
            missing = () if told else (WeightedFact(question.unknown()),)
            for mover in self._movers(unit, {**facts, **changed}, circumstances):
                yield replace(mover, perhaps_barred=(*mover.perhaps_barred, *missing))

    def _movers(self, unit: Unit, facts: Facts, circumstances: Circumstances) -> Iterator[OcsMover]:
        tables = self._tables
        if may_be_type(facts, tables, "air"):
            return  # no ground unit, or perhaps none
        classes = classes_of(facts["class"])
        segment = tables.segments.get(circumstances.situation.phase.phase or "", "")
        facts = as_released(self._game, unit, facts, circumstances, segment, tables)
        mode = str(facts["mode"].value) if facts["mode"].is_known else ""
        strat = mode == "strat" and tables.applies("X-5.S")
        truck = None if "truck" in classes and len(classes) > 1 else classes == ("truck",)
        allowance = movement_allowance(unit, facts, segment, tables)
        amount, missing, stages = allowance
        eligibility = EligibilityCheck(
            self._game,
            unit,
            facts,
            segment,
            circumstances,
            tables,
            self._unit_history(circumstances),
            self._mark_history,
        )
        barred, maybe = eligibility.prohibitions(allowance)
        if not tables.applies("6.1c-e") and amount.hi == 0:
            amount = Amount.exactly(Fraction(1, 2 * tables.scale))
        zones = self.zones(circumstances, unit.side, strat, truck is not False)
        bridging = _yes_or_no(facts[BRIDGING])
        terrain_graph = self.terrain_graph(classes, bridging)
        limit = amount if tables.applies("6.1b-a") else None
        for interpretation in self._interpretations(unit, facts, circumstances).of(
            unit, circumstances, zones, terrain_graph
        ):
            overrun, carried = interpretation.move_kind == "overrun", interpretation.is_carried
            spared = overrun and tables.applies("6.1c-b")
            minimum = tables.applies("6.1c-a") and not spared
            policy = Policy("OCS-6.1c-a" if minimum else "")
            told = (*stages, _NO_MINIMUM) if spared and tables.applies("6.1c-a") else stages
            budget = Budget(None if carried else limit, "OCS-6.1b-a", "MP", policy, told, missing)
            yield OcsMover(
                interpretation.form,
                budget,
                interpretation.held(barred),
                maybe
                if interpretation.unsaid is None
                else (*maybe, WeightedFact(interpretation.unsaid)),
                self.terrain_graph(classes, bridging, interpretation.move_kind),
                self._ignored_zoc(unit, circumstances, interpretation) if carried else zones,
                strat and not carried,
                False if carried else truck,
                overrun,
                self.able(circumstances.situation),
                ruleset_facts.went_on(unit, first_step(circumstances)),
            )

    def _ignored_zoc(
        self, unit: Unit, circumstances: Circumstances, interpretation: Interpretation
    ) -> Zones:
        """Enemies for a unit that does not move by its own MPs: without zones of control. In a retreat they
        do not bar hexes either."""
        return self.zones(
            circumstances, unit.side, ignores_zoc=interpretation.move_kind == "retreat"
        )

    def _interpretations(
        self, unit: Unit, facts: Facts, circumstances: Circumstances
    ) -> Interpretations:
        view = circumstances.situation.phase
        segment = self._tables.segments.get(view.phase or "")
        phasing = designated(self._game, self._tables, view.active, unit.side, segment or "")
        unit_history = self._unit_history(circumstances).around(circumstances.move)
        none = view.phase in self._tables.others
        other = ruleset_facts.segment(view.phase or "?") if segment is None and not none else None
        supply = may_be_type(facts, self._tables, "carried") and self._tables.applies("6.1b-c")
        return Interpretations(self._tables, unit_history, phasing, other, supply, none)


def _options(about: str, fact: Fact) -> tuple[Fact, ...]:
    if about in ("ma", "type", "fuel", BRIDGING):
        return ()
    every: dict[str, tuple[str | bool, ...]] = {
        "class": CLASSES,
        "mode": MODES,
        "dg": (False, True),
    }
    options = fact.options if fact.options is not None else every[about]
    return tuple(known(option) for option in options)


def _yes_or_no(fact: Fact) -> bool | None:
    if fact.must_be(True):
        return True
    return False if fact.must_be(False) else None
