"""The effect of other units on a step: enemies in the hex or next to it, the West Wall, friends of other
formations, traffic on a road, and engineers at water. :mod:`.stops` has the stops and costs of adjacent
enemies."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from ....model.unit import Unit
from ...answers import answer
from ...concepts import logic
from ...concepts.hex_entries import CostItem
from ...cost_interval import BARRED, FREE, CostInterval, optional, union
from .neighbourhood import Neighbourhood
from .neighbourhood_keys import NeighbourhoodKeys
from .overrun import Overrun
from .player_questions import crossing_provided
from .stops import Contact
from .terrain_graph import WarHexEntry, WarTerrainGraph
from .units import Units
from .water import PERHAPS_BARRED, PERHAPS_WHOLE


@dataclass(frozen=True, slots=True, eq=False)
class MovementProfile:
    """How a unit moves.

    ``trucks``: the clause by which it may not move next to enemies because it is on trucks, '' if it is
    not. ``rides``: it is a Leg unit without trucks of its own. ``ends_at``: the hex where it stops, '' if
    not known. ``may_not_stop_near_enemy``: it is towed artillery, which may not choose to stop next to
    enemies; None: it is, but its MA is used up where it stops. ``one_hex``: it may move one hex only
    (5.8.2). ``exploit``: it is in Exploit Mode; None: it may have taken it in this phase (5.1-e).
    ``overrun``: the conditions under which it may overrun.
    """

    unit: Unit
    terrain_graph: WarTerrainGraph
    neighbourhood: Neighbourhood
    contact: Contact
    overrun: Overrun
    neighbourhood_keys: NeighbourhoodKeys
    exploit: bool | None = False
    strategic: bool = False
    by_road: bool = False
    prepared: bool = False
    trucks: str = ""
    rides: bool = False
    ends_at: str = ""
    may_not_stop_near_enemy: bool | None = False
    one_hex: bool = False
    crossings: dict[tuple[Any, int, bool], Any] = field(default_factory=dict)
    """Crossings that movement graphs have cached, by (tag, id of the entry, whether the graph is relaxed)."""
    asks_nothing_in: dict[str, bool] = field(default_factory=dict)
    """By hex: the cached result of :meth:`OtherUnits.asks_nothing`."""
    asked: dict[tuple[str, bool], tuple[CostItem, ...]] = field(default_factory=dict)
    """By (hex, entered by road): the cost items that do not depend on the hex it comes from."""

    @property
    def move_kind(self) -> tuple[object, ...]:
        """Cache key of how the unit moves, apart from its terrain graph and the hex where it ends. If these
        and the neighbourhood keys are equal, so are the steps, unless facts about overruns or help at water
        apply."""
        return (
            self.exploit,
            self.strategic,
            self.by_road,
            self.prepared,
            self.trucks,
            self.rides,
            self.may_not_stop_near_enemy,
            self.one_hex,
            self.overrun.closed,
        )


def barring(holds: bool | None) -> CostInterval:
    """The cost of a prohibition: BARRED if it holds, PERHAPS_BARRED if it may (None), else free."""
    return BARRED if holds else PERHAPS_BARRED if holds is None else FREE


def is_attached(units: Units, unit: str) -> bool:
    """Whether a unit is known to be attached to a named formation."""
    said = units.fact(unit, "attached")
    return said.is_known and said.value not in ("no", False, "yes", True)


class OtherUnits:
    """The cost items that other units add to the steps of one mover."""

    def __init__(self, profile: MovementProfile) -> None:
        self.profile = profile
        self.neighbourhood, self.terrain_graph = profile.neighbourhood, profile.terrain_graph
        self.tables = profile.neighbourhood.tables
        self._partings: dict[str, CostInterval] = {}

    def cost_items(
        self, here: str, entry: WarHexEntry, overrun: tuple[str, ...] = ()
    ) -> Iterator[CostItem]:
        """The cost items of other units for one step, without those at water. ``overrun``: the enemy hexes
        that the mover has overrun."""
        to, profile = entry.to, self.profile
        if self.neighbourhood.nobody_near(to) or self.asks_nothing(to):
            return
        if (occupied := self.neighbourhood.occupied(to)) is not False:
            yield from profile.overrun.cost_items(
                self.neighbourhood, (here, overrun), entry, occupied, profile.ends_at
            )
        if self.terrain_graph.traits.allied is not False and self.tables.applies("5.3.6"):
            text = "goes along an enemy Fortification"
            wall = self._walled(here, to)
            if wall is not False:
                about = ("wall", here, to)
                yield CostItem(barring(wall), "WAR-5.3.6", text, "WAR-5.3.6", text, about)
        key = (to, bool(entry.road))
        found = profile.asked.get(key)
        if found is None:
            every = self._from_anywhere(to, by_road=profile.by_road and bool(entry.road))
            found = profile.asked[key] = tuple(
                cost_item for cost_item in every if cost_item.cost != FREE
            )
        yield from found

    def _from_anywhere(self, to: str, *, by_road: bool) -> Iterator[CostItem]:
        """The cost items for entering a hex that do not depend on where the mover comes from."""
        profile = self.profile
        if profile.trucks:
            text = "comes next to an enemy on trucks"
            cost = barring(self.neighbourhood.next_to_enemy(to))
            yield CostItem(cost, profile.trucks, text, profile.trucks, text, ("near", to))
        if profile.prepared:
            return
        yield from self._surcharges(to)
        if by_road:
            yield from self._on_road(to)

    def asks_nothing(self, to: str) -> bool:
        """Whether there is surely no enemy in the hex or next to it, and friends there surely add nothing
        to a step."""
        found = self.profile.asks_nothing_in.get(to)
        if found is None:
            found = self.profile.asks_nothing_in[to] = self._asks_nothing(to)
        return found

    def _asks_nothing(self, to: str) -> bool:
        neighbourhood, profile = self.neighbourhood, self.profile
        if neighbourhood.occupied(to) is not False or neighbourhood.next_to_enemy(to) is not False:
            return False
        if not profile.prepared and self.tables.applies("5.3.5-a") and self._parted(to) != FREE:
            return False
        return not profile.by_road or (
            neighbourhood.mech_in(to).most == 0 and neighbourhood.strategic_in(to) is False
        )

    def is_helped(self, here: str, to: str) -> bool:
        """Whether a Bridge Column or engineers may affect the crossing of water between two hexes."""
        if not self.neighbourhood.crossing_help.helps_anybody():
            return False
        if self.neighbourhood.crossing_help.bridged_by_column(here, to):
            return True
        return not self.terrain_graph.traits.is_mech and self._engineer_helps(here, to)

    def _engineer_helps(self, here: str, to: str) -> bool:
        return (
            self.neighbourhood.crossing_help.engineer_about(here, to)
            or self._with_engineer(here, to) is not False
        )

    def _surely_helped(self, here: str, to: str, *, alone: bool) -> bool:
        """Whether engineers are certainly in or next to one of two hexes. ``alone``: without other units."""
        if self.terrain_graph.traits.engineer:
            return True
        near = (
            here,
            to,
            *self.neighbourhood.board.neighbours(here),
            *self.neighbourhood.board.neighbours(to),
        )
        there = not alone and self.neighbourhood.crossing_help.engineer_at(*dict.fromkeys(near))
        return bool(there or self._with_engineer(here, to))

    def _with_engineer(self, *hexes: str) -> bool | None:
        """Whether an engineer unit dragged along begins in one of the hexes; None if one may. It can help
        because units move one by one."""
        return self.neighbourhood.crossing_help.engineer_along(self.profile.unit.id, *hexes)

    def _walled(self, here: str, to: str) -> bool | None:
        """Whether the step leads from next to an enemy-held Fortification to another hex next to it
        (5.3.6); None if it may."""
        allied = self.terrain_graph.traits.allied
        if allied is False:
            return False
        shared = set(self.neighbourhood.board.neighbours(here)) & set(
            self.neighbourhood.board.neighbours(to)
        )
        reading = self.tables.reading("west_wall")
        answers = []
        for name in shared:
            held = self.neighbourhood.fortress(name)
            if held is not False and reading != "all":
                western = self.neighbourhood.west_wall(name)
                if western is False and reading != "only":
                    western = None
                held = logic.both(held, western)
            answers.append(held)
        return logic.both(allied, logic.some(answers))

    def may_not_stop(self, to: str, forced: bool | None) -> Iterator[CostItem]:
        """The prohibition on towed artillery to stop next to an enemy voluntarily (5.8.5). ``forced``:
        whether it must stop in the hex; None if it may have to."""
        profile = self.profile
        if (
            profile.may_not_stop_near_enemy is False
            or to != profile.ends_at
            or not self.tables.applies("5.8.5")
        ):
            return
        near = self.neighbourhood.next_to_enemy(to)
        about: tuple[str, ...] = ("near", to)
        if near is True and (forced is not False or profile.may_not_stop_near_enemy is None):
            counts, about = self.tables.says("forced_stop_counts"), ("reading", "5.8.5")
            near = counts if counts or forced or profile.may_not_stop_near_enemy is None else None
        text = "stops next to an enemy with towed artillery"
        yield CostItem(barring(near), "WAR-5.8.5", text, "WAR-5.8.5", text, about)

    def _surcharges(self, to: str) -> Iterator[CostItem]:
        """The costs of moving next to enemies (5.3.2) and into a hex with another formation (5.3.5)."""
        free = self.profile.exploit if self.tables.applies("5.3.2-c") else False
        if free is not True and self.tables.applies("5.3.2-a"):
            about: tuple[str, ...] = ("adjacent", to)
            cost = self.profile.contact.surcharge(to)
            if free is None:
                cost, about = union(FREE, cost), ("exploit",)
            yield CostItem(cost, "WAR-5.3.2-a", "next to enemies", about=about)
        if self.tables.applies("5.3.5-a"):
            yield CostItem(
                self._parted(to),
                "WAR-5.3.5-a",
                "another formation in the hex",
                about=("formations", to),
            )

    def _parted(self, to: str) -> CostInterval:
        """One MP if a unit of another formation is in the hex (5.3.5), from 0 to 1 if one may be."""
        found = self._partings.get(to)
        if found is None:
            one = CostInterval(self.tables.scale, self.tables.scale)
            answers = (
                logic.both(sure, self._foreign(u))
                for u, sure in self.neighbourhood.friendly_units(to)
            )
            found = self._partings[to] = optional(one, logic.some(answers))
        return found

    def _foreign(self, unit: str) -> bool | None:
        """Whether a friendly unit counts as of another formation than the mover (5.3.5); None if it may."""
        units, own, tables = self.neighbourhood.units, self.profile.unit.id, self.tables
        foreign = logic.negation(units.same_formation(unit, own))
        if tables.applies("5.3.5-b"):
            asset = logic.some([units.is_asset(unit), units.is_asset(own)])
            foreign = logic.both(foreign, logic.negation(asset))
        attached = tables.applies("5.3.5-c") and (
            is_attached(units, unit) or is_attached(units, own)
        )
        if foreign is True and attached:  # 5.3.5 may count it as of any formation
            foreign = tables.says("attached_surcharge")
        reading = tables.reading("breakdown_exempt")
        if tables.applies("5.3.5-d") and reading != "own":
            exempt = logic.some([units.has(unit, "breakdown"), units.has(own, "breakdown")])
            if reading != "any" and exempt is True:
                exempt = None
            foreign = logic.both(foreign, logic.negation(exempt))
        return foreign

    def _on_road(self, to: str) -> Iterator[CostItem]:
        """The cost items of friendly units in the hex for road movement (5.3.4, 5.6.3)."""
        neighbourhood, tables = self.neighbourhood, self.tables
        count, strategic = neighbourhood.mech_in(to), neighbourhood.strategic_in(to)
        about = ("traffic", to)
        if self.profile.strategic:
            blocked = True if count.least else None if count.most else False
            # It is open whether 5.3.4 covers Leg units on trucks.
            means = {"barred": True, "allowed": False}.get(tables.reading("strategic_and_leg"))
            if blocked and (self.profile.rides or not self.terrain_graph.traits.is_mech):
                blocked = means
            if strategic is not False and blocked is False:
                blocked = logic.both(strategic, means)
            if tables.applies("5.3.4-a"):
                text = "enters a hex with another Mech unit by strategic movement"
                yield CostItem(barring(blocked), "WAR-5.3.4-a", text, "WAR-5.3.4-a", text, about)
            return
        if tables.applies("5.3.4-b"):
            text = "enters a hex with a unit in Strategic Mode by road"
            yield CostItem(barring(strategic), "WAR-5.3.4-b", text, "WAR-5.3.4-b", text, about)
        if tables.applies("5.6.3-d") and count.most >= 2:
            text = "enters a hex with two Mech units by road"
            third = True if count.least >= 2 else None
            yield CostItem(barring(third), "WAR-5.6.3-d", text, "WAR-5.6.3-d", text, about)
        if tables.applies("5.6.3-a") and count.most:
            two = CostInterval(2 * tables.scale, 2 * tables.scale)
            cost = optional(two, True if count.least else None)
            yield CostItem(cost, "WAR-5.6.3-a", "another Mech unit in the hex", about=about)

    def joins(self, to: str) -> bool | None:
        """Whether a road mover joins a Mech unit in the hex and so must stop (5.6.3-b); None if it may."""
        if not self.tables.applies("5.6.3-b"):
            return False
        count = self.neighbourhood.mech_in(to)
        return True if count.least else None if count.most else False

    def water(self, here: str, entry: WarHexEntry, *, alone: bool) -> Iterator[CostItem]:
        """The cost items of water on the hexside, with Bridge Columns and engineers taken into account.
        ``alone``: without other units."""
        to, waters = entry.to, self.terrain_graph.waters
        column: bool | None = False
        if not alone and self.neighbourhood.crossing_help.bridged_by_column(here, to):
            situation = self.neighbourhood.situation
            column = answer(situation.game, crossing_provided(entry.side, situation.at))
        if entry.road and self.profile.by_road:
            yield from waters.by_road(entry.side, entry.road, column)
            return
        for cost_item in waters.tactical(entry.side, column):
            yield self._with_engineers(cost_item, here, to, alone=alone)

    def _with_engineers(self, cost_item: CostItem, here: str, to: str, *, alone: bool) -> CostItem:
        """A cost item of water, changed for the help of engineers to a Leg unit (15.2, 15.3)."""
        if self.terrain_graph.traits.is_mech:
            return cost_item
        if cost_item.about[:1] == ("engineer",):
            at_hand: bool | None = False
            if not alone:
                answers = (
                    self.neighbourhood.crossing_help.engineer_at(here, to),
                    self._with_engineer(here, to),
                )
                at_hand = logic.some(answers)
            if self.terrain_graph.traits.engineer and at_hand is False:
                at_hand = self.tables.says("engineer_helps_itself")
            cost = cost_item.cost if at_hand is False else FREE if at_hand else PERHAPS_BARRED
            return cost_item._replace(cost=cost)
        clauses = {"WAR-5.4.2-": "5.4.2-d", "WAR-5.4.3b-a": "5.4.3b-c"}
        clause = next((c for start, c in clauses.items() if cost_item.clause.startswith(start)), "")
        if not clause or not self.tables.applies(clause):
            return cost_item
        helped = self.terrain_graph.traits.engineer or (
            not alone and self._engineer_helps(here, to)
        )
        reading = self.tables.reading("engineers_help")
        if reading == "no" or not helped:
            return cost_item
        if reading == "free" and self._surely_helped(here, to, alone=alone):
            return cost_item._replace(cost=FREE)
        if cost_item.cost.whole:
            return cost_item._replace(cost=PERHAPS_WHOLE, about=("engineers", here, to))
        return cost_item._replace(cost=union(FREE, cost_item.cost), about=("engineers", here, to))
