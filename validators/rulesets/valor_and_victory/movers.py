"""The scenarios of a unit: its movers, with their movement points and with the prohibitions to move at
all."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from fractions import Fraction

from ....model.bill import Amount
from ....model.fact import Fact, known
from ....model.finding import Move
from ....model.game import Game
from ....model.unit import Unit
from ...answers import answer
from ...concepts.completions import Facts, completions
from ...concepts.requirements import question
from ...concepts.zones import Zones
from ...ruleset import (
    Assumption,
    Breach,
    Budget,
    Circumstances,
    MovementGraph,
    Policy,
    Requirement,
    Scenario,
    WeightedFact,
    World,
)
from ...search import SpendingLimit, cheapest
from ...timeline import either
from . import entry, ruleset_facts
from .carrying import has_carrier, is_borne, rides, towing
from .company import Company, company
from .foot_graph import FootMovementGraph
from .interrupted_moves import stops_to_ask_about
from .lanes import Lanes
from .markers import assault_move, marked
from .mover import UnitMove, VvMover, passenger
from .prohibitions import prohibitions, prohibitions_of_gun
from .rates import Rate, rate
from .sightings import course, facings_known
from .tables import CLASSES, DRIVEN, GUN, INFANTRY, WEAPON, Tables
from .terrain_graph import VvTerrainGraph
from .unit_history import UnitHistory
from .vehicle_graph import VehicleMovementGraph, VehicleState

ENEMIES = (Requirement("class", CLASSES),)
"""The units whose presence bars a hex. Weapons without a carrier and snipers (17.6) do not."""


class MoverFactory:
    """Makes the scenarios of every unit of a game."""

    def __init__(self, game: Game, tables: Tables, unit_history: UnitHistory | None = None) -> None:
        self.game = game
        self.tables = tables
        self.unit_history = UnitHistory(game) if unit_history is None else unit_history
        self._lanes: dict[tuple[int, World], Lanes] = {}
        self._terrain_graphs: dict[tuple[str, str, bool], VvTerrainGraph] = {}
        self._zones: tuple[Circumstances, dict[str | None, Zones]] | None = None
        self._rates: dict[tuple[str, bool, bool, bool | None], Rate] = {}
        self._minimum = Policy("VV-6.6-a" if tables.applies("6.6-a") else "")

    def on(self, game: Game) -> MoverFactory:
        """A factory for the game on another of its boards, with the same unit history."""
        return MoverFactory(game, self.tables, self.unit_history)

    def before(self, event: int, last: int | None = None) -> MoverFactory:
        """A factory for the board as it is before ``event``. What changes on the board up to the event
        ``last`` counts as not known."""
        game = self.game.on_board(event, event if last is None else last)
        return self if game is self.game else self.on(game)

    def terrain_graph(self, column: str, one_hex: str, climbs: bool) -> VvTerrainGraph:
        """The terrain graph for these arguments (see :class:`.VvTerrainGraph`), cached."""
        key = (column, one_hex, climbs)
        if key not in self._terrain_graphs:
            self._terrain_graphs[key] = VvTerrainGraph(
                self.game, self.tables, column, one_hex, climbs
            )
        return self._terrain_graphs[key]

    def rate(self, cls: str, assault: bool, heavy: bool, led: bool | None) -> Rate:
        """The rate of infantry, see :func:`.rates.rate`; cached. It depends on the arguments and the tables
        only."""
        key = (cls, assault, heavy, led)
        if key not in self._rates:
            self._rates[key] = rate(cls, assault, heavy, led, self.tables)
        return self._rates[key]

    def lanes(self, terrain_graph: VvTerrainGraph, world: World) -> Lanes:
        """The steps of vehicles over a terrain graph without enemies, cached."""
        key = (id(terrain_graph), world)
        if key not in self._lanes:
            self._lanes[key] = Lanes(terrain_graph, world)
        return self._lanes[key]

    def zones(self, circumstances: Circumstances, side: str | None) -> Zones:
        """The enemies of ``side``, shared by all units of one move."""
        if self._zones is None or self._zones[0] is not circumstances:
            self._zones = (circumstances, {})
        found = self._zones[1].get(side)
        if found is None:
            found = Zones(circumstances, side, None, ENEMIES)
            self._zones[1][side] = found
        return found

    def scenarios(
        self, unit: str, circumstances: Circumstances, *, alone: bool = False
    ) -> tuple[Scenario, ...]:
        """One scenario for each completion of what is not known of the unit: whether it was carried, its
        class, its weapon, whether it used assault movement. ``alone``: as if no leader had gone along."""
        whose, move = self.game.units[unit], circumstances.move
        if move is None or not self.unit_history.of_move(unit, move):
            return ()
        if whose.fact("class").must_be(WEAPON):
            borne = is_borne(whose, move, self.unit_history)
            return (Scenario((passenger(circumstances),)),) if borne else ()
        carried = rides(whose, move, self.unit_history)
        riding = question(whose, "aboard")
        if has_carrier(whose, move, self.unit_history):
            riding = ruleset_facts.carried_to(whose, move.target.name).unknown()
        found: list[Scenario] = []
        if carried is not False:
            told = () if carried else (Assumption(riding, "a carrier"),)
            found.append(Scenario((passenger(circumstances),), told))
        if not carried:
            told = () if carried is False else (Assumption(riding, "no"),)
            facts = self._facts(whose, move)
            for completed, assumed in completions(whose, facts, _options):
                movers = tuple(self._movers(whose, completed, circumstances, move, alone))
                halted = self._halted(whose, circumstances, move) if movers else ()
                found.append(Scenario((*movers, *halted), (*told, *assumed)))
        return tuple(found)

    def _halted(self, unit: Unit, circumstances: Circumstances, move: Move) -> tuple[VvMover, ...]:
        """A mover that may go anywhere the move shows, if the move may have been different from what the
        drags show; else nothing."""
        kind = self.tables.phases.get(circumstances.situation.phase.phase or "")
        drags = self.unit_history.of_move(unit.id, move)
        asked_of = stops_to_ask_about(unit, drags, kind, self.unit_history)
        if not asked_of:
            return ()
        sure = any(answer(self.game, question) for question in asked_of)
        missing = () if sure else tuple(WeightedFact(question.unknown()) for question in asked_of)
        return (replace(passenger(circumstances), perhaps_barred=missing),)

    def _facts(self, unit: Unit, move: Move) -> Facts:
        first = self.unit_history.of_move(unit.id, move)[0]
        facts = {about: self._told(unit, about, first) for about in ("class", "mp", "weapon")}
        return {**facts, "assault": assault_move(unit, move, self.unit_history)}

    def _told(self, unit: Unit, about: str, first: int) -> Fact:
        """An attribute of a unit when it begins to move. If the counter was changed later in the phase,
        before others saw it, and the unit has more MPs by that, the later value is possible too: it may be a
        correction."""
        unit_history = self.unit_history
        said = unit_history.fact(unit.id, about, first)
        if about == "class" or (about == "weapon" and not said.must_be("heavy")):
            return said
        later = unit_history.changes(unit.id, about, first, unit_history.phase(first)[1])
        unseen = [f for at, f in later if not unit_history.seen(first, at, unit.side)]
        if about == "mp":
            most = said.high
            unseen = [f for f in unseen if most is None or f.high is None or f.high > most]
        return either([said, *unseen])

    def _movers(
        self, unit: Unit, facts: Facts, circumstances: Circumstances, move: Move, alone: bool
    ) -> Iterator[VvMover]:
        cls = str(facts["class"].value) if facts["class"].is_known else ""
        if cls not in CLASSES:
            return
        phase = circumstances.situation.phase.phase or ""
        kind = self.tables.phases.get(phase)
        missing = (
            [WeightedFact(ruleset_facts.kind_of_phase(phase))] if phase and kind is None else []
        )
        marker_state = marked(unit, move, self.unit_history)
        for advance in (False, True):
            if kind is not None and advance != (kind == "advance"):
                continue
            unit_move = UnitMove(unit, move, circumstances, advance, marker_state, alone)
            barred, maybe = prohibitions(unit_move, cls, facts, self.tables)
            for form in circumstances.forms:
                yield self._mover(unit_move, cls, facts, form, barred, (*missing, *maybe))

    def _mover(
        self,
        unit_move: UnitMove,
        cls: str,
        facts: Facts,
        form: str,
        barred: tuple[Breach, ...],
        maybe: tuple[WeightedFact, ...],
    ) -> VvMover:
        if cls in DRIVEN:
            return self._driven(unit_move, cls, facts["mp"], form, barred, maybe)
        if cls == GUN:
            return self._gun(unit_move, facts["mp"], form, barred, maybe)
        return self._foot(unit_move, cls, facts, form, barred, maybe)

    def _foot(
        self,
        unit_move: UnitMove,
        cls: str,
        facts: Facts,
        form: str,
        barred: tuple[Breach, ...],
        maybe: tuple[WeightedFact, ...],
    ) -> VvMover:
        tables = self.tables
        assault = facts["assault"].must_be(True) or form == tables.forms["assault"]
        one_hex = "VV-5.35-a" if unit_move.advance else ""
        terrain_graph = self.terrain_graph(INFANTRY, one_hex, unit_move.advance or not assault)
        zones = self.zones(unit_move.circumstances, unit_move.unit.side)
        assaulting = form == tables.forms["close_assault"] and tables.applies("5.35-b")

        def graph(world: World) -> FootMovementGraph:
            close = unit_move.advance and assaulting
            moved = self._goes_on(unit_move) or self._goes_back(unit_move)
            maybe = unit_move.advance and moved and tables.applies("5.35-b")
            start = unit_move.move.origin.name
            return FootMovementGraph(
                terrain_graph, zones, world, assaulting=close, perhaps=maybe, start=start
            )

        if unit_move.advance:
            return VvMover(form, self._one_hex("5.35-a", unit_move), barred, maybe, graph)
        own = unit_move.alone or cls in ("leader", "hero")  # a leader needs no leader
        going = Company() if own else company(unit_move.unit, unit_move.move, self.unit_history)
        heavy = facts["weapon"].must_be("heavy")
        found = self.rate(cls, assault, heavy, going.led)
        if going.lost and cls not in ("leader", "hero"):
            found = found.after_loss(self._spent_with_leader(unit_move, going.lost, graph), tables)
        stages = found.stages
        if going.not_along and found.own != found.led:
            names = " and ".join(self.game.units[other].name for other in going.not_along)
            stages = (*stages, ("VV-6.31-d", f"{names} did not go along all the way"))
        missing = found.missing(going)
        budget = Budget(
            found.amount,
            found.clause,
            "MP",
            self._minimum,
            stages,
            missing,
            entering=entry.CLAUSE,
        )
        halted = (found.breach,) if found.breach is not None else ()
        return VvMover(form, budget, (*barred, *halted), maybe, graph)

    def _spent_with_leader(
        self, unit_move: UnitMove, lost: int, graph: Callable[[World], MovementGraph]
    ) -> tuple[str, Fraction] | None:
        """The hex where the leader was lost, and the least MPs spent until then. ``lost``: after how many
        drags. None if the stop in that hex does not bind."""
        move = unit_move.move
        places = [
            place.name
            for place, binds in list(zip(move.waypoints, move.binding, strict=True))[1 : lost + 1]
            if place.kind == "hex" and binds
        ]
        if not places or move.waypoints[lost].name != places[-1]:
            return None
        board = self.game.board
        route = cheapest(board, graph("favourable"), move.origin.name, places, SpendingLimit(None))
        return None if route is None else (places[-1], Fraction(route.spent, self.tables.scale))

    def _gun(
        self,
        unit_move: UnitMove,
        printed: Fact,
        form: str,
        barred: tuple[Breach, ...],
        maybe: tuple[WeightedFact, ...],
    ) -> VvMover:
        clause = "5.35-a" if unit_move.advance else "6.32-b"
        terrain_graph = self.terrain_graph(GUN, f"VV-{clause}", False)
        zones = self.zones(unit_move.circumstances, unit_move.unit.side)
        barred_too, maybe_too = prohibitions_of_gun(
            unit_move, printed, self.game.board, self.tables
        )
        barred, maybe = (*barred, *barred_too), (*maybe, *maybe_too)

        def graph(world: World) -> FootMovementGraph:
            return FootMovementGraph(terrain_graph, zones, world)

        budget = self._one_hex(clause, unit_move)
        if not unit_move.advance and budget.amount is not None and _may_have_more(printed):
            # The limit of one hex is given for guns with one MP. The rules do not mention guns with more.
            several = ruleset_facts.several_hexes(unit_move.unit)
            more = answer(self.game, several) if printed.is_known else None
            unknown = several.unknown() if printed.is_known else question(unit_move.unit, "mp")
            if more is None:
                missing = (WeightedFact(unknown),)
                budget = replace(budget, amount=Amount(Fraction(1), None), missing=missing)
            elif more:
                budget = replace(budget, amount=None)
        return VvMover(form, budget, barred, maybe, graph)

    def _driven(
        self,
        unit_move: UnitMove,
        cls: str,
        printed: Fact,
        form: str,
        barred: tuple[Breach, ...],
        maybe: tuple[WeightedFact, ...],
    ) -> VvMover:
        tables, unit_history = self.tables, self.unit_history
        terrain_graph = self.terrain_graph(cls, "VV-5.35-a" if unit_move.advance else "", False)
        zones = self.zones(unit_move.circumstances, unit_move.unit.side)
        tows = towing(
            unit_move.unit, unit_history.of_move(unit_move.unit.id, unit_move.move)[0], unit_history
        )
        if not facings_known(unit_move.unit, unit_move.move, unit_history, tables):
            maybe = (*maybe, WeightedFact(question(unit_move.unit, "facing")))

        def graph(world: World) -> VehicleMovementGraph:
            seen = course(unit_move.unit, unit_move.move, unit_history, tables, world)
            vehicle = VehicleState(cls, seen, tows, unit_move.advance, self._goes_on(unit_move))
            return VehicleMovementGraph(
                terrain_graph, zones, world, vehicle, self.lanes(terrain_graph, world)
            )

        if unit_move.advance:
            return VvMover(form, self._one_hex("5.35-a", unit_move), barred, maybe, graph)
        amount = Amount(max(Fraction(0), printed.low or Fraction(0)), printed.high)
        missing = () if amount.is_exact else (WeightedFact(question(unit_move.unit, "mp")),)
        limit = amount if tables.applies("6.32-a") else None
        budget = Budget(limit, "VV-6.32-a", "MP", self._minimum, (), missing, entering=entry.CLAUSE)
        return VvMover(form, budget, barred, maybe, graph)

    def _goes_on(self, unit_move: UnitMove) -> bool:
        """Whether the unit may move on from the hex where the move ends."""
        drags = self.unit_history.of_move(unit_move.unit.id, unit_move.move)
        return self.unit_history.goes_on(unit_move.unit.id, drags[-1])

    def _goes_back(self, unit_move: UnitMove) -> bool:
        """Whether the next drag of the unit, after a roll and after the movement phases, puts it back where
        the move began. It may then have been put there to show a close assault that failed."""
        unit_history = self.unit_history
        last = unit_history.of_move(unit_move.unit.id, unit_move.move)[-1]
        later = next((d for d in unit_history.drags.get(unit_move.unit.id, ()) if d > last), None)
        if later is None or unit_history.view(later).phase in self.tables.phases:
            return False
        rolled = unit_history.witnesses.too_late(last, later, None)
        return rolled and unit_history.drag(later).target == unit_move.move.origin

    def _one_hex(self, clause: str, unit_move: UnitMove) -> Budget:
        """The budget of a move by one hex. If a unit lies again where it was, its move may have been taken
        back: then it is not known how far it went."""
        limit = Amount.exactly(1) if self.tables.applies(clause) else None
        budget = Budget(limit, f"VV-{clause}", "hexes", entering=entry.CLAUSE)
        move = unit_move.move
        asked = ruleset_facts.taken_back(unit_move.unit, move.origin.name)
        said = answer(self.game, asked) if limit and move.origin == move.target else False
        if said is None:
            missing = (WeightedFact(asked.unknown()),)
            return replace(budget, amount=Amount(Fraction(1), None), missing=missing)
        return replace(budget, amount=None) if said else budget

    def entered(self, unit: str, event: int) -> Amount | None:
        """The MPs that a unit spent on coming onto the map (6.10), see :func:`.entry.entered`; None if not
        known."""
        return entry.entered(
            unit,
            event,
            self.unit_history,
            self.tables,
            lambda column: self.terrain_graph(column, "", False),
        )


def _may_have_more(printed: Fact) -> bool:
    """Whether a gun may have more than one MP."""
    return printed.high is None or printed.high > 1


def _options(about: str, fact: Fact) -> tuple[Fact, ...]:
    if about == "mp":
        return ()
    every: dict[str, tuple[str | bool, ...]] = {
        "class": CLASSES,
        "weapon": ("light", "heavy"),
        "assault": (False, True),
    }
    options = fact.options if fact.options is not None else every[about]
    return tuple(known(option) for option in options)
