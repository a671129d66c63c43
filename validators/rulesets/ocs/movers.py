"""The movers of ``ocs``: scenarios of a unit, its allowance by mode, and prohibitions to move at all."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from math import floor

from ....model.bill import Amount
from ....model.fact import UNKNOWN, Fact, MissingFact, known
from ....model.game import Game, StepRef
from ....model.unit import Unit
from ...allowance import hull
from ...answers import Question, answer
from ...concepts import missing_facts, sides
from ...concepts.completions import Facts, completions, gather
from ...concepts.requirements import question
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
from .company import Able, StackZones, TerrainLimitedReach, UnitHistory
from .interpretations import Interpretation, Interpretations, MoveKind
from .mark_history import MarkHistory, changes_of
from .movement_graph import CAPABLE, OcsMovementGraph
from .tables import CLASSES, MODES, SEGMENTS, Tables, classes_of, plain, read_tables
from .terrain_graph import OcsTerrainGraph

BRIDGING = "condition:bridging"
NEEDED = ("class", "ma", "mode", "dg", "type", "fuel", BRIDGING)
MARKED = ("ma", "mode", "dg", "fuel")
"""Facts that a player may change late, by flipping or marking the unit after its move."""
EXERTS = (*CAPABLE, Requirement("mode", ("combat",)), Requirement("supplied", (True,)))
"""What a unit must be to have a zone of control (4.5)."""
_CLAUSE_OF_MODE = {
    "strat": "X-5.S",
    "reserve": "X-5.R",
    "released": "X-5.R",
    "exploitation": "X-5.E",
}
_MAY_MOVE = {"exploitation": ("exploitation", "released"), "reaction": ("released",)}
_ONE = Amount.exactly(1)
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
    able: Able
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
        self._has_hidden_units = any(unit.seen_by is not None for unit in game.units.values())
        self._along: UnitHistory | None = None
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
            reach: Able | TerrainLimitedReach | None = None
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
                self._has_hidden_units,
            )
            found.readings = self._tables
            if subject_to_zoc and not strat and circumstances.move is not None:
                found.step = circumstances.move.steps[0]
                phase_moves = self._phase_moves(circumstances)
                found.company = phase_moves.company(circumstances.move, side)
                found.begun = phase_moves.begun(circumstances.move, side)
            self._zones[1][key] = found
        return found

    def able(self, situation: Situation) -> Able:
        """The test whether an enemy is able to attack now."""
        assert isinstance(situation, GameSituation)
        return Able(situation, self._tables)

    def _phase_moves(self, circumstances: Circumstances) -> UnitHistory:
        situation = circumstances.situation
        assert isinstance(situation, GameSituation)
        if self._along is None or self._along.timeline is not situation.timeline:
            self._along = UnitHistory(self._game, situation.timeline)
        return self._along

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
        question = ruleset_facts.late(unit, changed, _at(circumstances))
        told = answer(self._game, question)
        if told is not True:
            yield from self._movers(unit, facts, circumstances)
        if told is not False:
            missing = () if told else (WeightedFact(question.unknown()),)
            for mover in self._movers(unit, {**facts, **changed}, circumstances):
                yield replace(mover, perhaps_barred=(*mover.perhaps_barred, *missing))

    def _movers(self, unit: Unit, facts: Facts, circumstances: Circumstances) -> Iterator[OcsMover]:
        tables = self._tables
        if self._may_be(facts, "air"):
            return  # no ground unit, or perhaps none
        classes = classes_of(facts["class"])
        segment = tables.segments.get(circumstances.situation.phase.phase or "", "")
        facts = self._as_released(unit, facts, circumstances, segment)
        mode = str(facts["mode"].value) if facts["mode"].is_known else ""
        strat = mode == "strat" and tables.applies("X-5.S")
        truck = None if "truck" in classes and len(classes) > 1 else classes == ("truck",)
        amount, missing, stages = self._allowance(unit, facts, segment)
        barred, maybe = self._barred(unit, facts, amount, missing, circumstances, segment)
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
                ruleset_facts.went_on(unit, _at(circumstances)),
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
        phase_moves = self._phase_moves(circumstances).around(circumstances.move)
        none = view.phase in self._tables.others
        other = ruleset_facts.segment(view.phase or "?") if segment is None and not none else None
        supply = self._may_be(facts, "carried") and self._tables.applies("6.1b-c")
        return Interpretations(self._tables, phase_moves, phasing, other, supply, none)

    def _allowance(
        self, unit: Unit, facts: Facts, segment: str
    ) -> tuple[Amount, tuple[WeightedFact, ...], tuple[tuple[str, str], ...]]:
        """The allowance in MP by mode (6.1h), the facts that would make it exact, and the stages of the
        calculation for the bill as (clause, text)."""
        tables, printed = self._tables, facts["ma"]
        zero = Fraction(0)
        high = None if printed.high is None else max(zero, printed.high)
        amount = Amount(max(zero, printed.low or zero), high)
        missing = [] if amount.is_exact else [WeightedFact(question(unit, "ma"))]
        stages: list[tuple[str, str]] = []
        for clause, factor, reason in self._factors(facts, segment):
            if factor == _ONE or not tables.applies(clause) or not tables.applies("6.1h-a"):
                continue
            upper = None if amount.hi is None else amount.hi * (factor.hi or zero)
            amount = Amount(amount.lo * factor.lo, upper)
            stages.append((f"OCS-{clause}", f"{reason}: times {factor}"))
            if not factor.is_exact:
                missing += self._of_factor(unit, facts, segment, clause == "X-5.DG")
        if not tables.applies("6.1h-b"):
            whole = None if amount.hi is None else Fraction(floor(amount.hi))
            amount = Amount(Fraction(floor(amount.lo)), whole)
        elif amount.is_exact and amount.lo.denominator > 1 and stages:
            stages.append(("OCS-6.1h-b", "the fraction is kept"))
        return amount, tuple(missing), tuple(stages)

    def _of_factor(
        self, unit: Unit, facts: Facts, segment: str, dg: bool
    ) -> Iterator[WeightedFact]:
        """The facts that would make a factor of the allowance exact."""
        about = "dg" if dg else "mode"
        if not facts[about].is_known:
            yield WeightedFact(question(unit, about))
        elif dg:
            yield WeightedFact(ruleset_facts.factor("DG", ""))
        elif segment:
            yield WeightedFact(ruleset_facts.factor(str(facts["mode"].value), segment))

    def _factors(self, facts: Facts, segment: str) -> Iterator[tuple[str, Amount, str]]:
        mode = facts["mode"]
        modes = [str(option) for option in mode.options] if mode.options else list(MODES)
        found: Amount | None = None
        for name in modes:
            row = self._tables.factors.get(name)
            for part in (segment,) if segment else SEGMENTS:
                factor = row[part] if row is not None else Amount(Fraction(0), Fraction(2))
                found = factor if found is None else hull(found, factor)
        clause = _CLAUSE_OF_MODE.get(modes[0], "6.1h-a") if len(modes) == 1 else "6.1h-a"
        named = modes[0] if len(modes) == 1 else "unknown"
        yield clause, found or _ONE, f"mode {named}" + (f" in {segment}" if segment else "")
        if not facts["dg"].must_be(False):
            dg = self._tables.dg
            yield "X-5.DG", dg if facts["dg"].must_be(True) else hull(_ONE, dg), "DG"

    def _barred(
        self,
        unit: Unit,
        facts: Facts,
        amount: Amount,
        missing: tuple[WeightedFact, ...],
        circumstances: Circumstances,
        segment: str,
    ) -> tuple[tuple[Breach, ...], tuple[WeightedFact, ...]]:
        tables = self._tables
        found = [
            self._designated(unit, facts, circumstances, segment),
            self._eligible(unit, facts, circumstances, segment),
            *self._without_allowance(unit, facts, circumstances),
        ]
        if amount.lo == 0 and tables.applies("6.1c-e"):
            zero = Breach("OCS-6.1c-e", "has a movement allowance of 0", "")
            found += [zero] if amount.hi == 0 else missing
        fuel = facts["fuel"].options or ()
        if "lacking" in fuel and tables.applies("6.0-c"):
            lacking = Breach("OCS-6.0-c", "is declared to lack the fuel it needs", "")
            found.append(lacking if len(fuel) == 1 else WeightedFact(question(unit, "fuel")))
        barred = tuple(entry for entry in found if isinstance(entry, Breach))
        return barred, tuple(entry for entry in found if isinstance(entry, WeightedFact))

    def _designated(
        self, unit: Unit, facts: Facts, circumstances: Circumstances, segment: str
    ) -> Breach | WeightedFact | None:
        """Only the player designated for a phase moves (6.3a): the breach, or what is not known about it.
        None: the unit may move."""
        view, tables, game = circumstances.situation.phase, self._tables, self._game
        clause = "6.3a-b" if segment == "reaction" else "6.3a-a"
        if not tables.applies(clause) or view.phase in tables.others:
            return None
        moment = circumstances.situation
        assert isinstance(moment, GameSituation)
        if not segment:
            return WeightedFact(ruleset_facts.segment(view.phase or "?"))
        if view.active not in game.sides:
            return WeightedFact(missing_facts.of_active(moment.timeline, moment.at))
        moves = designated(game, tables, view.active, unit.side, segment)
        if moves:
            return None
        if moves is None:
            return next((WeightedFact(u) for u in sides.missing(game, view.active, unit)), None)
        unsaid = segment == "reaction" and tables.readings.get("reaction_names", "open") == "open"
        if unsaid and self._mark_history.may_follow_the_other_side(moment, tables):
            return WeightedFact(ruleset_facts.reading("reaction_names"))
        if self._may_be(facts, "carried", "exempt"):
            captured = ruleset_facts.captured(unit)
            told = answer(game, captured)
            if told is not False:
                return None if told else WeightedFact(captured.unknown())
        who = "the phasing player" if segment == "reaction" else "the player not phasing"
        return Breach(f"OCS-{clause}", f"is moved by {who} in a {segment} segment", "")

    def _as_released(
        self, unit: Unit, facts: Facts, circumstances: Circumstances, segment: str
    ) -> Facts:
        """``facts``, with a mode that may move in this segment if the facts file says that the unit was
        released before it moved (X-ELIG)."""
        allowed, options = _MAY_MOVE.get(segment), facts["mode"].options
        if allowed is None or not self._tables.applies("X-ELIG"):
            return facts
        if options is None or not set(options) <= set(MODES) or set(options) & set(allowed):
            return facts
        released = ruleset_facts.released(unit, segment, _at(circumstances))
        return {**facts, "mode": Fact(allowed)} if answer(self._game, released) else facts

    def _bore(self, unit: Unit, allowed: tuple[str, ...], circumstances: Circumstances) -> bool:
        moment = circumstances.situation
        assert isinstance(moment, GameSituation)
        return self._mark_history.bore(unit, ("reserve", *allowed), moment)

    def _eligible(
        self, unit: Unit, facts: Facts, circumstances: Circumstances, segment: str
    ) -> Breach | WeightedFact | None:
        """Only certain modes move in Reaction and Exploitation: the breach, or what is not known about it.
        None: the unit may move."""
        allowed, game = _MAY_MOVE.get(segment), self._game
        if allowed is None or not self._tables.applies("X-ELIG"):
            return None
        options = facts["mode"].options
        if options is None or not all(option in MODES for option in options):
            return WeightedFact(question(unit, "mode"))
        fitting = [option in allowed for option in options]
        if all(fitting):
            return None
        if any(fitting):
            return WeightedFact(question(unit, "mode"))
        if self._bore(unit, allowed, circumstances):
            released = ruleset_facts.released(unit, segment, _at(circumstances))
            if not circumstances.situation.fact(unit.id, "mode").is_known:
                return WeightedFact(question(unit, "mode"))
            if answer(game, released) is None:
                return WeightedFact(released.unknown())
        if self._may_be(facts, "carried"):
            carried = ruleset_facts.transport(unit, _at(circumstances))
            told = answer(game, carried)
            if told is not False:
                return None if told else WeightedFact(self._carried(unit, facts, circumstances))
        if self._may_be(facts, "exempt"):
            reading = self._tables.reading("transports_move")
            if reading is None:
                return WeightedFact(ruleset_facts.reading("transports_move"))
            if reading:
                return None if self._is(facts, "exempt") else WeightedFact(question(unit, "type"))
        text = f"may not move in {segment}, being in mode {' or '.join(map(str, options))}"
        return Breach("OCS-X-ELIG", text, "")

    def _carried(self, unit: Unit, facts: Facts, circumstances: Circumstances) -> MissingFact:
        """What to ask about a unit that may be supplies: its type, or whether others carried it."""
        if not facts["type"].is_known:
            return question(unit, "type")
        return ruleset_facts.transport(unit, _at(circumstances)).unknown()

    def _may_be(self, facts: Facts, *groups: str) -> bool:
        """Whether the unit is or may be of a type in one of ``groups``."""
        types = self._tables.types
        return any(facts["type"].may_be(kind) for group in groups for kind in types[group])

    def _is(self, facts: Facts, group: str) -> bool:
        """Whether the unit is certainly of a type in a group."""
        options = facts["type"].options
        return options is not None and all(kind in self._tables.types[group] for kind in options)

    def _without_allowance(
        self, unit: Unit, facts: Facts, circumstances: Circumstances
    ) -> Iterator[Breach | WeightedFact]:
        """Installations have no allowance, and supplies move only when carried (6.1b): breaches, and what is
        not known about them."""
        types, kind = self._tables.types, facts["type"]
        if not self._tables.applies("6.1b-c"):
            return
        options = kind.options
        at = _at(circumstances)
        if options is None:
            yield WeightedFact(question(unit, "type"))
        elif all(option in types["immobile"] for option in options):
            placed = ruleset_facts.placed(unit, at)
            told = answer(self._game, placed)
            came = self._phase_moves(circumstances).entered(circumstances.move, unit.id)
            if came and told is not False:
                yield from () if told else (WeightedFact(placed.unknown()),)
                return
            yield Breach("OCS-6.1b-c", f"has no movement allowance, being a {options[0]}", "")
        elif any(option in types["carried"] for option in options):
            carried = ruleset_facts.transport(unit, at)
            if not kind.is_known:
                yield WeightedFact(question(unit, "type"))
            elif answer(self._game, carried) is False:
                text = f"has no movement allowance, being a {options[0]} that nobody carried"
                yield Breach("OCS-6.1b-c", text, "")
            elif answer(self._game, carried) is None:
                yield WeightedFact(carried.unknown())
        elif any(option in types["immobile"] for option in options):
            yield WeightedFact(question(unit, "type"))


def designated(
    game: Game, tables: Tables, active: str | None, side: str | None, segment: str
) -> bool | None:
    """Whether units of ``side`` may move in a segment (6.3a); None: not known.

    These are units of the active side and its friends. In Reaction it is the enemies of the active side,
    unless the reading ``reaction_names`` says that the pack names the reacting side as active.
    """
    reacting = tables.readings.get("reaction_names") == "reacting"
    if active not in game.sides:
        return None
    if segment == "reaction" and not reacting:
        return sides.is_enemy(game, active, side)
    return sides.is_friend(game, active, side)


def _at(circumstances: Circumstances) -> StepRef:
    """The first step of the move; if no move is given, the moment of the situation."""
    move = circumstances.move
    return circumstances.situation.at if move is None else move.steps[0]


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
