"""How a unit may move, with its unknown attributes set to one of their possible values: the forms of
movement open to it, its budget in each, and what may forbid it to begin."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import partial
from math import floor
from typing import TypeVar

from ....model.bill import Amount
from ...answers import answer
from ...ruleset import (
    Breach,
    Budget,
    Circumstances,
    MovementGraph,
    WeightedFact,
    World,
)
from ...search import SpendingLimit, cheapest
from .allowance import Allowance, AllowanceCalculator
from .eligibility import EligibilityCheck
from .movement_graph import TacticalMovementGraph
from .neighbourhood import Neighbourhood
from .neighbourhood_keys import KeyRegistry, NeighbourhoodKeys
from .other_units import MovementProfile
from .player_questions import started_on_road
from .road_eligibility import RoadEligibility, start_unknown
from .road_graph import AssaultMovementGraph, RoadMovementGraph
from .stops import Contact
from .tables import EXPLOITATION, LEG, MECH
from .terrain_graph import WarTerrainGraph
from .unit_kind import Kind
from .units import fits
from .water import Traits

ROAD, TACTICAL, ASSAULT = "road", "tactical", "prepared assault"
STRATEGIC = "strategic"
"""The name of road movement in Strategic Mode, which precedes all other movement in the order of the phase.
"""
FORMS = (ROAD, TACTICAL, ASSAULT)
_GRAPHS: dict[str, type[TacticalMovementGraph]] = {
    STRATEGIC: RoadMovementGraph,
    ROAD: RoadMovementGraph,
    TACTICAL: TacticalMovementGraph,
    ASSAULT: AssaultMovementGraph,
}
_MOST_KNOWN = 100_000
Known = TypeVar("Known")


@dataclass(frozen=True, slots=True, eq=False)
class WarMover:
    """See :class:`~vassal_umpire.validators.ruleset.Mover`."""

    form: str
    budget: Budget
    barred: tuple[Breach, ...]
    perhaps_barred: tuple[WeightedFact, ...]
    profile: MovementProfile
    used_form: str = ""
    """The form of movement if ``form`` is ''. That is so where the unit's place in the order of movement is
    not known."""
    graphs: dict[World, MovementGraph] = field(default_factory=dict)
    """The movement graph of each world, made when first asked for."""

    def graph(self, world: World) -> MovementGraph:
        """The movement graph in one world."""
        if world not in self.graphs:
            self.graphs[world] = _GRAPHS[self.form or self.used_form](self.profile, world)
        return self.graphs[world]


class MovementOptions:
    """Makes the movers of one unit of one :class:`Kind`. ``terrain_graph``: returns the terrain graph for
    given traits."""

    def __init__(
        self,
        terrain_graph: Callable[[Traits], WarTerrainGraph],
        kind: Kind,
        neighbourhood: Neighbourhood,
        circumstances: Circumstances,
        key_registry: KeyRegistry,
    ) -> None:
        self.terrain_graph, self.kind, self.neighbourhood = terrain_graph, kind, neighbourhood
        self._surroundings = NeighbourhoodKeys(neighbourhood, key_registry, kind.unit.id)
        self._known = key_registry.known
        facts = neighbourhood.facts_of(kind.unit.id)
        self._facts = None if facts is None else (facts, kind.words)
        self.tables = neighbourhood.tables
        self.circumstances = circumstances
        self.eligibility = EligibilityCheck(
            kind, neighbourhood, len(circumstances.moving), circumstances.move
        )
        self.guns = kind.is_a(self.tables, "artillery")
        self._kinds: dict[str, Traits] = {}
        prohibitions = list(self.eligibility.prohibitions())
        self.barred = tuple(
            prohibition for prohibition in prohibitions if isinstance(prohibition, Breach)
        )
        self.perhaps = tuple(
            prohibition for prohibition in prohibitions if isinstance(prohibition, WeightedFact)
        )
        named = [form for form in circumstances.forms if form in FORMS]
        self.forms = tuple(named) or FORMS
        move = circumstances.move
        over = move is None or move.target.kind != "hex" or move.goes_on
        self.ends_at = "" if over or move is None else move.target.name

    def movers(self) -> Iterator[WarMover]:
        """The movers that the unit's mode allows. If the unit came onto the map in this phase, each is
        followed by one without a form: it is not known when the unit began to move, nor by which form."""
        began = self.neighbourhood.unit_history.began.get(self.kind.unit.id)
        entered = began is not None and began.kind != "hex"
        game = self.neighbourhood.situation.game
        told = entered and answer(game, started_on_road(self.kind.unit)) is not None
        asked = () if told else (WeightedFact(start_unknown(self.kind.unit)),)
        for mover in self._by_mode():
            yield mover
            if entered:
                perhaps = (*mover.perhaps_barred, *asked)
                yield replace(
                    mover, form="", used_form=mover.form, perhaps_barred=perhaps, graphs={}
                )

    def put_back_by_overrun(self) -> tuple[WeightedFact, ...] | None:
        """See :meth:`OverrunEffects.put_back_by_overrun`: the facts needed to tell whether an overrun put
        the unit back; None if it moved."""
        return self.eligibility.overrun_effects.put_back_by_overrun()

    def mounting_missing_fact(self) -> WeightedFact | None:
        """The question whether it returned to its parent unit (5.7.1); None if that is impossible."""
        return self.eligibility.mounting_missing_fact()

    def _by_mode(self) -> Iterator[WarMover]:
        """The movers that the unit's mode allows, the preferred form first."""
        mode = self.kind.mode
        if mode == "pa":
            if ASSAULT in self.forms:
                yield from (self._assault(name) for name in self._classes())
            return
        by_road = tuple(self._by_road()) if ROAD in self.forms else ()
        # Road movers with prohibitions of their own come last, so tactical movement is preferred.
        yield from (mover for mover in by_road if mover.barred == self.barred)
        if TACTICAL in self.forms and mode != "strategic":
            for name in self._classes():
                yield self._tactical(name)
        yield from (mover for mover in by_road if mover.barred != self.barred)

    def _drives(self) -> bool:
        """Whether it moves as Mech, by its own class or kind or by a Motor Unit marker."""
        kind, tables = self.kind, self.tables
        if kind.motor or kind.is_a(tables, "bridge"):
            return True
        if self.guns and (
            kind.battery == "out" or self.eligibility.rolls or self.eligibility.one_hex
        ):
            return tables.applies("5.8.0-b") or kind.mover == MECH
        return kind.mover == MECH

    def _has_own_trucks(self) -> bool:
        """Whether it is a US Leg AT or engineer unit with trucks of its own (5.7.3)."""
        kind = self.kind
        if kind.nation != "us" or kind.mover != LEG or kind.motor:
            return False
        return kind.is_a(self.tables, "at", "engineer") and self.tables.applies("5.7.3-a")

    def _classes(self) -> tuple[str, ...]:
        """The movement classes as which it may move off the road."""
        if self._drives():
            return (MECH,)
        return (MECH, LEG) if self._has_own_trucks() else (LEG,)

    def _traits(self, mover: str) -> Traits:
        found = self._kinds.get(mover)
        if found is None:
            make = partial(self._make_traits, mover)
            found = self._kinds[mover] = self._once(("traits", mover), make)
        return found

    def _once(self, what: Hashable, make: Callable[[], Known]) -> Known:
        """The result of ``make``, cached under ``what`` and all facts about the unit. The result may depend
        on the unit alone. Not cached if :meth:`Neighbourhood.facts_of` is None."""
        if self._facts is None:
            return make()
        key = (what, self._facts)
        found: Known | None = self._known.get(key)
        if found is None:
            if len(self._known) > _MOST_KNOWN:
                self._known.clear()
            found = self._known[key] = make()
        return found

    def _make_traits(self, mover: str) -> Traits:
        kind, tables, units = self.kind, self.tables, self.neighbourhood.units
        fact = units.fact(kind.unit.id, "bridge-class")
        ground = self.neighbourhood.condition("ground").options
        charts = [o in tables.grounds and tables.grounds[str(o)].chart for o in ground or ()]
        at, german = kind.is_a(tables, "at"), kind.nation == "german"
        return Traits(
            mover,
            artillery=self.guns,
            towed=self.guns and not self.eligibility.rolls,
            us_at=at
            and kind.nation == "us"
            and (True if kind.mover == LEG else tables.says("sp_us_at_at_streams")),
            leg_at=self._german_leg_at() if at else False,
            engineer=kind.is_a(tables, "engineer"),
            infantry=kind.is_a(tables, "infantry"),
            heavy=german and fits(fact, ("H",)),
            weighed=german and fits(fact, ("H", "M")),
            allied=kind.is_allied,
            night=fits(self.neighbourhood.condition("night"), (True,)),
            charts=all(charts) if charts else None,
        )

    def _german_leg_at(self) -> bool | None:
        """Whether 5.4.2 binds it as German Leg AT. None: the unit is on trucks, the text does not say
        whether the clause still binds it, and no option settles that."""
        kind = self.kind
        german = kind.nation == "german" and kind.mover == LEG
        return german and (self.tables.says("leg_at_at_streams_on_trucks") if kind.motor else True)

    def _profile(self, mover: str, **more: bool | str) -> MovementProfile:
        traits = self._traits(mover)
        terrain_graph = self.terrain_graph(traits)
        key = ("contact", traits)
        contact = self.neighbourhood.memo.get(key)
        if not isinstance(contact, Contact):
            contact = self.neighbourhood.memo[key] = Contact(
                self.neighbourhood, terrain_graph, traits.allied
            )
        trucks = "WAR-5.7.2-f" if self.kind.motor and self.tables.applies("5.7.2-f") else ""
        profile = MovementProfile(
            self.kind.unit,
            terrain_graph,
            self.neighbourhood,
            contact,
            self.eligibility.overrun(),
            self._surroundings,
            exploit=self._exploits(),
            trucks=trucks,
            rides=self.kind.mover == LEG and not self.guns and not self._has_own_trucks(),
            ends_at=self.ends_at,
            may_not_stop_near_enemy=traits.towed,
            one_hex=self.eligibility.one_hex,
        )
        return replace(profile, **more) if more else profile  # type: ignore[arg-type]

    def _exploits(self) -> bool | None:
        """Whether it is in Exploit Mode. None for a unit in Maneuver Reserve in an exploitation phase: it
        may take Exploit Mode before it moves (5.1-e), and its marker may be changed only afterwards."""
        if self.kind.mode == "maneuver-reserve" and self.eligibility.phase == EXPLOITATION:
            return False if self.kind.stays else None
        return self.kind.mode == "exploit"

    def _allowance(self, *, strategic: bool = False, off_road: bool = False) -> Allowance:
        kind = self.kind
        in_battery = self.guns and kind.battery == "in" and self.eligibility.rolls
        allowance_calculator = AllowanceCalculator(
            kind.unit,
            self.neighbourhood,
            kind.mover,
            kind.type,
            kind.nation,
            kind.motor,
            in_battery,
        )
        make = partial(allowance_calculator.allowance, strategic=strategic, off_road=off_road)
        return self._once(("allowance", strategic, off_road, in_battery), make)

    def _budget(self, found: Allowance) -> Budget:
        amount = found.amount if self.tables.applies("5.0-g") else None
        return Budget(amount, "WAR-5.0-g", "MP", stages=found.stages, missing=found.missing)

    def _tactical(self, mover: str) -> WarMover:
        budget = self._budget(self._allowance(off_road=True))
        profile = self._of_own_will(TACTICAL, self._profile(mover), budget)
        return WarMover(TACTICAL, budget, self.barred, self.perhaps, profile)

    def _of_own_will(self, form: str, profile: MovementProfile, budget: Budget) -> MovementProfile:
        """``profile``, with ``may_not_stop_near_enemy`` None if the MA of towed artillery is used up where
        it stops next to an enemy. Its stop is then not voluntary, although the move that led there was
        (5.8.5)."""
        move = self.circumstances.move
        if (
            not profile.may_not_stop_near_enemy
            or not profile.ends_at
            or move is None
            or budget.amount is None
        ):
            return profile
        if self.neighbourhood.next_to_enemy(profile.ends_at) is False:
            return profile
        free = replace(profile, may_not_stop_near_enemy=False, crossings={})
        graph = _GRAPHS[form](free, "favourable")
        scale = self.tables.scale
        limit = floor(budget.amount.lo * scale)
        stops = [place.name for place in move.waypoints[1:] if place.kind == "hex"]
        stops = [n for i, n in enumerate(stops) if n != (stops[i - 1] if i else move.origin.name)]
        if move.origin.kind != "hex" or not stops:
            return profile
        route = cheapest(
            self.neighbourhood.board, graph, move.origin.name, stops, SpendingLimit(limit)
        )
        if route is None or not route.legs:
            return profile
        onward = graph.steps(profile.ends_at, route.legs[-1].step.tag)
        left = limit - route.spent
        if any(step.cost <= left and not step.whole for step in onward):
            return profile
        return replace(profile, may_not_stop_near_enemy=None, crossings={})

    def _assault(self, mover: str) -> WarMover:
        clause = "5.5-c" if mover == MECH else "5.5-b"
        most = Amount.exactly(Fraction(2 if mover == MECH else 1))
        amount = most if self.tables.applies(clause) else None
        budget = Budget(amount, f"WAR-{clause}", "hexes")
        profile = self._profile(mover, prepared=True)
        return WarMover(ASSAULT, budget, self.barred, self.perhaps, profile)

    def _is_off_road(self) -> bool:
        """Whether it surely begins the phase in a hex without a road and may move tactically, so that road
        movement need not be considered."""
        tables, unit = self.tables, self.kind.unit.id
        bound = tables.applies("5.6.0-b") and tables.applies("5.6.0-e")
        place = self.neighbourhood.situation.where(unit)
        if not bound or TACTICAL not in self.forms or place.kind != "hex":
            return False
        on_road = self.terrain_graph(self._traits(MECH)).has_road(place.name)
        return on_road is False and self.neighbourhood.began_phase_at(unit) == place

    def _by_road(self) -> Iterator[WarMover]:
        """The movers for road movement: as Mech, on the trucks of its division, or on foot (which 5.6.0-a
        prohibits)."""
        strategic = self.kind.mode == "strategic"
        if not strategic and self._is_off_road():
            return
        if self._drives() or self._has_own_trucks():
            yield self._road(strategic=strategic)
            return
        on_trucks = self._may_ride(strategic=strategic)
        if on_trucks is not False:
            yield self._road(strategic=strategic, rides=on_trucks)
        elif strategic or not self.tables.applies("5.6.0-a"):
            yield self._road(strategic=strategic, on_foot=self.tables.applies("5.6.0-a"))

    def _may_ride(self, *, strategic: bool) -> bool | None:
        """Whether it may use the trucks of a US Infantry Division (5.6.4); None if it is not known to
        belong to one. In Strategic Mode it may be enough that it is of a division: an open reading."""
        if self.kind.nation != "us" or not self.tables.applies("5.6.4-a"):
            return False
        fact, unit = self.neighbourhood.units.fact, self.kind.unit.id
        rides = fits(fact(unit, "infantry-division"), (True,))
        if rides is False and strategic and fits(fact(unit, "echelon"), ("division",)) is not False:
            return self.tables.says("strategic_in_any_division")
        return rides

    def _road(
        self, *, strategic: bool, rides: bool | None = False, on_foot: bool = False
    ) -> WarMover:
        trucks = {}
        if rides is not False and self.tables.applies("5.6.4-c"):
            trucks = {"trucks": "WAR-5.6.4-c"}
        profile = self._profile(MECH, by_road=True, strategic=strategic, **trucks)
        road = RoadEligibility(self.kind, self.neighbourhood, self.circumstances, self.eligibility)
        prohibitions = tuple(road.prohibitions(profile.terrain_graph, rides=rides, on_foot=on_foot))
        barred = (
            *self.barred,
            *(prohibition for prohibition in prohibitions if isinstance(prohibition, Breach)),
        )
        perhaps = (
            *self.perhaps,
            *(prohibition for prohibition in prohibitions if isinstance(prohibition, WeightedFact)),
        )
        budget = self._budget(self._allowance(strategic=strategic))
        profile = self._of_own_will(ROAD, profile, budget)
        if rides is not False:
            budget = replace(budget, draws=tuple(road.draws(strategic)))
        return WarMover(STRATEGIC if strategic else ROAD, budget, barred, perhaps, profile)
