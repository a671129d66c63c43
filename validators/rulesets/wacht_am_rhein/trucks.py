"""Trucks: those of a US division, the Truck Points of an army, and who bears a Motor Unit marker (5.6.4,
5.7.2); who may go by road, and from where (5.6.0).
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from ....model.fact import Fact
from ...engine.allowance import Takes
from ...engine.asking import Bounds
from ...engine.clauses import forbid_move, quota
from ...engine.mover_view import MoverView
from ...engine.other_unit import Enemy, OtherUnit
from .marches import drives, has_own_trucks
from .stacks import LIMIT, limit_of
from .terms import (
    BY_ROAD,
    EXPLOITATION,
    GERMAN,
    LEG,
    ROAD,
    ROADS,
    STRATEGIC,
    US,
    fights,
    is_a,
    is_marked,
)

THREE = Fraction(3)
"""How many Leg units of a US Infantry Division may use its own trucks in a phase (5.6.4)."""
POINT, HALF, QUARTER = 4, 2, 1
"""A Truck Point and its parts, in quarters (5.7.2)."""

# -- the trucks of a division ----------------------------------------------------------------------


def needs_trucks(mover: MoverView) -> bool:
    """Whether a unit that goes by road needs the trucks of its division: Leg, with no marker and no trucks of
    its own (5.7.3)."""
    if (
        is_marked(mover, "motor")
        or not mover.is_("class", LEG)
        or is_a(mover, "artillery", "bridge")
    ):
        return False
    return not (mover.is_("nation", US) and is_a(mover, "at", "engineer") and mover.rule("5.7.3-a"))


def may_ride(mover: MoverView) -> bool:
    """Whether a unit may use the trucks of its division. It asks nothing: whether it does so, 5.6.0-a
    asks."""
    if not mover.possibly("nation", US) or not mover.rule("5.6.4-a"):
        return False
    if mover.possibly("infantry-division", "true", "yes"):
        return True
    strategic = mover.cls == STRATEGIC and mover.possibly("echelon", "division")
    return strategic and mover.rules.options["strategic_in_any_division"] != "no"


def rides(mover: MoverView) -> bool:
    """Whether a unit may use the trucks of a US Infantry Division. In Strategic Mode it may be enough that it
    is of a division: an open reading (5.6.4)."""
    if not mover.is_("nation", US) or not mover.rule("5.6.4-a"):
        return False
    if mover.is_("infantry-division", "true", "yes"):
        return True
    strategic = mover.cls == STRATEGIC and mover.is_("echelon", "division")
    return strategic and mover.reading("strategic_in_any_division")


def division(mover: MoverView) -> str:
    """The division of a unit; if that is not told, one of those of the game, or one that is not named, which
    others may be of too (empty: another)."""
    fact = mover.written("formation")
    if fact.options is None:
        units = mover.rules.game.units.values()
        named = (option for unit in units for option in unit.fact("formation").options or ())
        fact = Fact((*dict.fromkeys(named), "one division", ""))
    return mover.word("formation", fact)


def takes(mover: MoverView, what: str, more: str = "") -> tuple[Takes, ...]:
    """One of the three of its division that a unit takes if it goes by road; none if it needs none."""
    if not needs_trucks(mover) or not may_ride(mover):
        return ()
    name = division(mover)
    return (Takes(f"{what} in {name}{more}", THREE),) if name else ()


@quota("5.6.4-a", classes=(ROAD,))
def intrinsic_trucks(mover: MoverView) -> tuple[Takes, ...]:
    """Up to three Leg units of each US Infantry Division move by road in a phase."""
    return takes(mover, "intrinsic trucks")


@quota("5.6.4-h", classes=(STRATEGIC,))
def strategic_modes(mover: MoverView) -> tuple[Takes, ...]:
    """Any three Leg units of a division enter Strategic Mode without Truck Points."""
    return takes(mover, "Strategic Modes without a marker")


@quota("5.6.4-h", classes=BY_ROAD)
def the_same_three(mover: MoverView) -> tuple[Takes, ...]:
    """Whether the three in Strategic Mode are the same three that may move by road is open."""
    found = takes(mover, "intrinsic trucks", ", Strategic Mode included,")
    return found if found and mover.reading("same_three") else ()


# -- who may go by road, and from where (5.6.0) ------------------------------------------------------

STARTED = (
    "began the phase on a road",
    "did {} begin the phase in a hex with a road?",
    "start of {}",
)
FOR_A_MOMENT = (
    "overstacked for a moment only {}",
    "was {} overstacked only while units moved through it?",
    "stack in {}",
)


def on_foot(mover: MoverView) -> bool:
    """Whether it goes by road neither as Mech nor on trucks of its own."""
    return not drives(mover) and not has_own_trucks(mover)


@forbid_move("5.6.0-a", "goes by road on foot", classes=BY_ROAD)
def only_mech(mover: MoverView) -> bool:
    """Only Mech units, and Leg units on trucks, use road movement."""
    return on_foot(mover) and not rides(mover)


@forbid_move(
    "5.6.4-i",
    "goes by the trucks of its division in an exploitation phase",
    classes=BY_ROAD,
    phase=EXPLOITATION,
)
def trucks_in_movement(mover: MoverView) -> bool:
    """The trucks of a division are used in the movement phase. Without them it would go on foot, which
    5.6.0-a forbids."""
    if not on_foot(mover):
        return False
    return may_ride(mover) if mover.rule("5.6.0-a") else rides(mover)


@forbid_move(
    "5.6.0-b",
    lambda mover: (
        f"goes by road from {mover.move.origin.name}, where no road is"
        if mover.began_the_phase_here
        else "goes by road, and began where no road is"
    ),
    classes=BY_ROAD,
)
def begins_on_a_road(mover: MoverView) -> bool:
    """Road movement begins in a hex with a road. Of a unit that came to the hex in the phase, the players can
    tell."""
    if not mover.began_the_phase_here:
        return not mover.told_of_unit(*STARTED)
    return not mover.origin_on_line(ROADS)


def size(unit: Enemy) -> Any:
    """How much it counts in a stack."""
    return unit.bounds("stacking") if fights(unit) else 0


def size_of_newcomer(unit: Enemy) -> Any:
    """The same of a unit that came there in the phase."""
    return size(unit) if unit.displaced else 0


def one(unit: Enemy) -> int:
    return int(fights(unit))


@forbid_move(
    "5.6.0-c",
    lambda mover: f"goes by road out of {mover.move.origin.name}, which is overstacked",
    classes=BY_ROAD,
)
def not_out_of_full_hexes(mover: MoverView) -> bool:
    """A unit that starts in an overstacked hex does not use road movement. A hex may hold too much while
    units move through it (5.3.0-b)."""
    if not mover.began_in_a_hex or mover.crowd(one).hi == 1:
        return False
    limit = limit_of(mover.rules)
    if limit is None:
        path, name, text = LIMIT
        return mover.undecided("limit", (mover.rules.table_question(path, name, text),))
    if not mover.more_than(mover.crowd(size), limit):
        return False
    came = mover.crowd(size_of_newcomer)
    if Fraction(mover.crowd(size).lo) - came.lo > limit:
        return True
    return not mover.told_of_origin(*FOR_A_MOMENT)


# -- Motor Unit markers ----------------------------------------------------------------------------


def by_its_marker(mover: MoverView) -> bool:
    """Whether a unit with transport of its own went by its Motor Unit marker."""
    text = "did {} go by the trucks of its Motor Unit marker, rather than by its own?"
    unit = mover.unit
    return mover.told(
        "went by its Motor Unit marker", text.format(unit.name), unit, None, f"unit {unit.id} motor"
    )


@forbid_move("5.7.2-b", "bears a Motor Unit marker, and is no US Leg infantry")
def us_infantry_alone(mover: MoverView) -> bool:
    """The US player mechanizes Leg infantry only. A unit that is Mech without the marker gains nothing by
    it."""
    if not is_marked(mover, "motor") or not mover.is_("nation", US):
        return False
    on_foot = mover.is_("class", LEG)
    if on_foot and is_a(mover, "infantry"):
        return False
    own = not on_foot or is_a(mover, "at", "engineer")
    return not own or by_its_marker(mover)


@forbid_move("5.7.2-c", "bears a Motor Unit marker that its kind may not have")
def german_kinds(mover: MoverView) -> bool:
    """The German player mechanizes corps and army artillery, Leg AT and Leg infantry."""
    if not is_marked(mover, "motor") or not mover.is_("nation", GERMAN):
        return False
    if is_a(mover, "artillery"):
        return not mover.is_("echelon", "corps", "army")
    on_foot = mover.is_("class", LEG)
    if on_foot and is_a(mover, "infantry", "at"):
        return False
    return on_foot or by_its_marker(mover)


# -- Truck Points ----------------------------------------------------------------------------------


def points_told(mover: MoverView) -> tuple[str, Fact]:
    """The army of a unit, and how many Truck Points it has; an army without a name: nothing is told."""
    fact = mover.written("army")
    if not fact.is_known:
        return "", fact
    army = str(fact.value)
    return army, mover.told_or_usual(f"trucks-{army}")


def takes_too_many(mover: MoverView) -> str:
    army, told = points_told(mover)
    used = Fraction(points_of(mover, army).lo, POINT)
    return f"goes on trucks, of which {army} uses {used} points and has {told.high}"


@forbid_move("5.7.2a-a", takes_too_many)
def truck_points(mover: MoverView) -> bool:
    """An army places no more Motor Unit markers than its Truck Points allow. The one too many is that of a
    unit by whose move the limit is exceeded, if the facts do not say whose."""
    if not is_marked(mover, "motor"):
        return False
    army, told = points_told(mover)
    if not army or (told.low is None and told.high is None):
        return False
    used, key = points_of(mover, army), f"trucks-{army}"
    if told.low is not None and used.hi is not None and used.hi <= told.low * POINT:
        return False
    if told.high is None or used.lo <= told.high * POINT:
        return mover.undecided_by(key)
    moved = points_of(mover, army, moved=True)
    if moved.lo > told.high * POINT and not rides_perhaps(mover):
        return True
    text = f"is the Motor Unit marker on {mover.unit.name} one for which {army} has no Truck Point?"
    topic = "its Motor Unit marker has no Truck Point"
    return mover.told(topic, text, mover.unit, None, f"condition {key}")


def points_of(mover: MoverView, army: str, *, moved: bool = False) -> Bounds:
    """The Truck Points, in quarters, that the markers of an army use. ``moved``: of those only that were
    displaced before in the phase, and of the mover."""
    return mover.sum_of_all(lambda unit: points(unit, army), displaced=moved)


def points(unit: OtherUnit, army: str) -> Bounds:
    """The Truck Points, in quarters, that the marker of a unit uses (5.7.2-e). That of a unit that may use
    the trucks of its division may use none."""
    if not unit.is_("motor", "true", "yes") or not unit.is_("army", army.lower()) or not unit.alive:
        return Bounds(0, 0)
    if is_a(unit, "artillery"):
        light = unit.is_("calibre", "light-nebelwerfer") and unit.is_("breakdown", "true", "yes")
        clause, size = ("5.7.2-e3", QUARTER) if light else ("5.7.2-e2", HALF)
    else:
        clause, size = "5.7.2-e1", POINT
    size = size if unit.rule(clause) else 0
    return Bounds(0 if rides_perhaps(unit) else size, size)


def rides_perhaps(unit: OtherUnit) -> bool:
    """Whether a unit may belong to a US Infantry Division, and so use its trucks."""
    return unit.possibly("infantry-division", "true", "yes") and unit.possibly("nation", US)
