"""What friends in a hex do to a mover: other formations (5.3.5), traffic on roads (5.3.4, 5.6.3); and what
other units count as: Mech or Leg (5.7, 5.8), and of which formation (5.3.5).
"""

from __future__ import annotations

from dataclasses import dataclass

from ....model.fact import UNKNOWN, Fact
from ...engine.clauses import cost, forbid, forbid_move, must_stop
from ...engine.locality import Locality
from ...engine.mover_view import MoverView
from ...engine.other_unit import Enemy
from ...engine.step import Step
from .facts import NAMELESS
from .marches import has_own_trucks
from .terms import (
    BY_ROAD,
    LEG,
    MECH,
    OFF,
    ROAD,
    STRATEGIC,
    US,
    WITH_MPS,
    fights,
    is_a,
    is_bridge,
    is_marked,
)


def is_mech(unit: Enemy) -> bool:
    """Whether a unit counts as Mech."""
    if is_a(unit, "bridge"):
        return not is_bridge(unit)
    return is_marked(unit, "motor") or by_itself(unit)


def is_mech_by_road(unit: Enemy) -> bool:
    """Whether a unit counts as Mech to a road mover, who takes deployed artillery and static HQs for Leg
    (5.7.4)."""
    if is_a(unit, "bridge"):
        return not is_bridge(unit)
    if unit.rule("5.7.4") and is_a(unit, "artillery") and unit.is_("battery", "in"):
        return False
    if is_marked(unit, "motor"):
        return True
    if unit.rule("5.7.4") and is_a(unit, "hq") and is_marked(unit, "static"):
        return False
    return by_itself(unit)


def by_itself(unit: Enemy) -> bool:
    """Whether a unit counts as Mech without a Motor Unit marker. US Leg AT and engineers keep their trucks in
    Strategic Mode (5.7.3-c)."""
    if is_a(unit, "artillery"):
        return unit.rule("5.8.0-b") or unit.is_("class", MECH)
    if unit.is_("class", MECH):
        return True
    if not is_a(unit, "at", "engineer") or not unit.is_("nation", US):
        return False
    if not unit.rule("5.7.3-c"):
        return True
    return unit.is_("mode", STRATEGIC)


def formation_of(unit: Enemy) -> tuple[Fact, str]:
    """The formation of which a unit counts, and the attribute that tells it: the one to which it is attached,
    else its own (5.3.5-c)."""
    own, attached = unit.fact("formation"), unit.fact("attached")
    if not unit.rule("5.3.5-c") or attached.must_be("no") or attached.must_be(False):
        return own, "formation"
    named = [str(option).lower() for option in attached.options or ("yes",)]
    return (UNKNOWN if any(name in NAMELESS for name in named) else attached), "attached"


def same_formation(one: Enemy, other: Enemy, *, attached: bool = True) -> bool:
    """Whether two units are of one formation. ``attached``: the one to which they are attached counts."""
    (mine, about), (his, its) = (
        formation_of(unit) if attached else (unit.fact("formation"), "formation")
        for unit in (one, other)
    )
    asked = [one.asked(about)] if not mine.is_known else []
    asked += [other.asked(its)] if not his.is_known else []
    return one.alike((other.moving.id, attached), mine, his, *asked)


def same_command(one: Enemy, other: Enemy) -> bool:
    """Whether two units are of the same corps or army."""
    mine, his = one.fact("command"), other.fact("command")
    asked = [u.asked("command") for u, f in ((one, mine), (other, his)) if not f.is_known]
    return one.alike((other.moving.id, "command"), mine, his, *asked)


def is_attached(unit: Enemy) -> bool:
    """Whether a unit is known to be attached to a named formation."""
    said = unit.fact("attached")
    return said.is_known and str(said.value).lower() not in NAMELESS


# -- other formations (5.3.5) ----------------------------------------------------------------------


@dataclass(frozen=True)
class Foreign:
    """Whether a friend is of another formation than a unit, ``own``."""

    own: str

    def __call__(self, friend: Enemy) -> bool:
        if not fights(friend):
            return False
        mover = friend.another(self.own)
        if same_formation(mover, friend):
            return False
        return not is_exempt(mover, friend)


def is_exempt(mover: Enemy, friend: Enemy) -> bool:
    """Whether one of two units of different formations counts as part of any formation."""
    both = (mover, friend)
    if mover.rule("5.3.5-b") and any(one.is_("echelon", "corps", "army") for one in both):
        return True
    attached = mover.rule("5.3.5-c") and any(map(is_attached, both))
    if attached and not mover.reading("attached_surcharge"):
        return True
    broken = mover.rule("5.3.5-d") and any(is_marked(one, "breakdown") for one in both)
    return broken and mover.reading("breakdown_exempt", "any")


@dataclass(frozen=True)
class ForeignIn:
    """Whether a friend of another formation is in a hex."""

    own: str

    def __call__(self, place: Locality) -> bool:
        return place.friends_who(Foreign(self.own))


@cost("5.3.5-a", "another formation in the hex", classes=WITH_MPS, of_friends=True)
def other_formations(step: Step) -> int:
    """Entering a hex with a unit of another formation costs one MP more."""
    return int(step.into.locally(ForeignIn(step.unit_id)))


# -- traffic (5.3.4, 5.6.3) ------------------------------------------------------------------------


@dataclass(frozen=True)
class MechByRoad:
    """Whether at least so many friendly Mech units are in a hex, as they count by road."""

    least: int

    def __call__(self, place: Locality) -> bool:
        return place.friends_come_to(self.least, InTheWay(bridge_in(place)))


@dataclass(frozen=True)
class InTheWay:
    """Whether a friend counts as Mech by road. ``at_bridge``: a deployed Bridge Column is in its hex, so that
    static army engineers do not (5.7.5-c)."""

    at_bridge: bool

    def __call__(self, friend: Enemy) -> bool:
        if not is_mech_by_road(friend):
            return not friend.rule("5.6.4-d") and rode(friend)
        return not (self.at_bridge and friend.rule("5.7.5-c") and is_static_engineer(friend))


def bridge_in(place: Locality) -> bool:
    return place.friends_who(is_bridge)


def is_static_engineer(friend: Enemy) -> bool:
    kind = is_a(friend, "engineer") and friend.is_("echelon", "army")
    return kind and is_marked(friend, "static")


def rode(friend: Enemy) -> bool:
    """Whether it moved on the trucks of its division in the phase, if these were to count (5.6.4-d)."""
    if not friend.is_("nation", US) or not is_marked(friend, "infantry-division"):
        return False
    return friend.displaced or friend.doubted("class")


def is_strategic(friend: Enemy) -> bool:
    return fights(friend) and friend.is_("mode", STRATEGIC)


def strategic_in(place: Locality) -> bool:
    """Whether a friend in Strategic Mode is in a hex."""
    return place.friends_who(is_strategic)


@forbid(
    "5.3.4-a",
    "enters a hex with another Mech unit by strategic movement",
    classes=(STRATEGIC,),
    of_friends=True,
)
def strategic_keeps_apart(step: Step) -> bool:
    """A Mech unit in Strategic Mode enters no hex with a Mech unit. Whether Leg units in that mode are
    meant, on either side, is open."""
    if step.by == OFF:
        return False
    if step.into.locally(MechByRoad(1)):
        return not on_borrowed_trucks(step) or step.reading("strategic_and_leg", "barred")
    return step.into.locally(strategic_in) and step.reading("strategic_and_leg", "barred")


def on_borrowed_trucks(step: Step) -> bool:
    """Whether it is a Leg unit without trucks of its own."""
    if not step.is_("class", LEG) or is_a(step, "artillery"):
        return False
    return not has_own_trucks(step)


@forbid(
    "5.3.4-b",
    "enters a hex with a unit in Strategic Mode by road",
    classes=(ROAD,),
    of_friends=True,
)
def roads_keep_apart(step: Step) -> bool:
    """A road mover enters no hex with a unit in Strategic Mode."""
    return step.by != OFF and step.into.locally(strategic_in)


@forbid("5.6.3-d", "enters a hex with two Mech units by road", classes=(ROAD,), of_friends=True)
def no_third(step: Step) -> bool:
    """A road mover enters no hex with two Mech units."""
    return step.by != OFF and step.into.locally(MechByRoad(2))


def joins(step: Step) -> bool:
    """Whether a road mover joins a Mech unit. Where one in Strategic Mode certainly bars it, 5.6.3 says
    nothing ("Exception: Strat Mode")."""
    if step.by == OFF or not step.into.locally(MechByRoad(1)):
        return False
    return not (step.rule("5.3.4-b") and step.into.surely_locally(strategic_in))


@cost("5.6.3-a", "another Mech unit in the hex", classes=(ROAD,), of_friends=True)
def dearer(step: Step) -> int:
    """A road mover pays 2 MP more to enter a hex with a Mech unit."""
    return 2 * int(joins(step))


@must_stop("5.6.3-b", "goes on by road after joining a Mech unit", classes=(ROAD,), of_friends=True)
def stops_there(step: Step) -> bool:
    """It stops there."""
    return joins(step)


@forbid_move(
    "5.6.3-e",
    lambda mover: f"goes by road out of {mover.move.origin.name}, where two other Mech units are",
    classes=BY_ROAD,
)
def none_out_of_three(mover: MoverView) -> bool:
    """No unit goes by road out of a hex with two other Mech units."""
    return mover.begins_where(MechByRoad(2))
