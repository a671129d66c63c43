"""What it costs to come next to enemies (5.3.2), fortifications (5.3.6), and who may not come next to
them (5.6.4, 5.7.2)."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import chain

from ...concepts.charts import dearest
from ...cost_interval import FREE, CostInterval, total, union
from ...engine.clauses import cost, forbid
from ...engine.locality import Locality
from ...engine.other_unit import Enemy
from ...engine.step import Step
from .friends import is_mech
from .marches import exploits, on_trucks
from .stops import in_open, is_dark
from .terms import (
    BY_ROAD,
    FORTIFICATION,
    ROADS,
    WEST_WALL,
    WITH_MPS,
    fights,
    is_allied,
    is_marked,
    listed,
    near_enemies,
    next_to_enemies,
)
from .terrain import charts_hold, open_cost

DUG_IN = ("ip", "et")


# -- surcharges (5.3.2) ----------------------------------------------------------------------------


@dataclass(frozen=True)
class Surcharge:
    """What coming next to the enemies around a hex costs, by a column of the chart."""

    column: str
    night: bool

    def __call__(self, place: Locality) -> CostInterval:
        wooded = place.rule("5.3.2-d") and listed(place, "hard")
        eased = place.rule("5.3.2-b") and not in_open(place, self.night)
        by_hex = []
        for near in place.near:
            if near.holds_enemies:
                free = wooded and not near.crossed(ROADS)
                by_hex.append(near.reckoned(OfUnit(self.column, free, eased)))
        by_hex = [costs for costs in by_hex if costs]
        if not by_hex:
            return FREE
        ways = {"once": dearest_of_all, "hex": each_hex, "unit": each_unit}
        if not place.reading("adjacency_list", "complete"):
            most = ways.get(place.rules.options["adjacency_combine"], each_unit)
            return most(by_hex)._replace(lo=0)
        return ways[place.settled("adjacency_combine")](by_hex)


Costs = list[list[CostInterval]]


def dearest_of_all(by_hex: Costs) -> CostInterval:
    """The dearest cost of all."""
    return dearest(chain(*by_hex))


def each_hex(by_hex: Costs) -> CostInterval:
    """The sum of the dearest cost in each hex."""
    return total(map(dearest, by_hex))


def each_unit(by_hex: Costs) -> CostInterval:
    """The sum of all costs."""
    return total(chain(*by_hex))


@dataclass(frozen=True)
class OfUnit:
    """What coming next to one enemy costs. ``free``: next to one that is Mech it costs nothing (5.3.2-d);
    ``eased``: next to Fieldworks it costs one MP less (5.3.2-b)."""

    column: str
    free: bool
    eased: bool

    def __call__(self, enemy: Enemy) -> CostInterval:
        if not fights(enemy) or (self.free and is_mech(enemy)):
            return FREE
        if enemy.is_("works", *DUG_IN):
            return self._fieldworks(enemy)
        plain = enemy.charge("adjacent", "cost", self.column)._replace(barred=False, whole=False)
        if enemy.is_("works", FORTIFICATION, WEST_WALL):
            enemy.opens("works")
            return union(plain, self._fieldworks(enemy))
        return plain

    def _fieldworks(self, enemy: Enemy) -> CostInterval:
        told = "fieldworks" in enemy.tables["adjacent"] or not enemy.rules.complete.has("adjacent")
        row = "fieldworks" if told else "cost"
        found = enemy.charge("adjacent", row, self.column)._replace(barred=False, whole=False)
        less = enemy.rules.scale if self.eased else 0
        hi = None if found.hi is None else max(0, found.hi - less)
        return CostInterval(max(0, found.lo - less), hi)


@cost("5.3.2-a", "next to enemies", classes=WITH_MPS, of_enemies=True)
def surcharges(step: Step) -> CostInterval | int:
    """Moving next to enemies costs MPs besides, but not in Exploit Mode (5.3.2-c)."""
    if not near_enemies(step) or not next_to_enemies(step):
        return 0
    if step.rule("5.3.2-c") and exploits(step):
        return 0
    if not charts_hold(step):
        return open_cost(step)._replace(barred=False)
    return step.into.costs_locally(Surcharge(step.column, is_dark(step)))


# -- fortifications (5.3.6) ------------------------------------------------------------------------


def in_west_wall(enemy: Enemy) -> bool:
    return fights(enemy) and enemy.is_("works", WEST_WALL)


def in_fortification(enemy: Enemy) -> bool:
    return fights(enemy) and enemy.is_("works", FORTIFICATION, WEST_WALL)


def is_fortress(place: Locality) -> bool:
    """Whether enemies hold a Fortification in a hex; whether others than those of the West Wall count is
    open."""
    if not place.enemies_who(fights):
        return False
    if not place.has((FORTIFICATION, WEST_WALL)) and not place.enemies_who(in_fortification):
        return False
    western = place.has((WEST_WALL,)) or place.enemies_who(in_west_wall)
    return western or place.reading("west_wall", "all")


@forbid("5.3.6", "goes along an enemy Fortification", of_enemies=True)
def along_walls(step: Step) -> bool:
    """An Allied unit does not go from one hex next to an enemy Fortification to another one."""
    if not near_enemies(step) or not is_allied(step):
        return False
    return any(place.locally(is_fortress) for place in step.flanks)


# -- who may not come next to enemies --------------------------------------------------------------


@forbid("5.7.2-f", "comes next to an enemy on trucks", of_enemies=True)
def trucks_keep_away(step: Step) -> bool:
    """A unit that goes by a Motor Unit marker does not come next to enemies."""
    return next_to_enemies(step) and is_marked(step, "motor")


@forbid("5.6.4-c", "comes next to an enemy on trucks", classes=BY_ROAD, of_enemies=True)
def own_trucks_keep_away(step: Step) -> bool:
    """Nor does one on the trucks of its division."""
    return next_to_enemies(step) and on_trucks(step)
