"""Who may go by road, and from where (5.6.0, 5.6.4)."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from ...engine.clauses import forbid_move
from ...engine.enemy import Enemy
from ...engine.mover_view import MoverView
from .marches import drives, has_own_trucks
from .stacks import LIMIT, limit_of
from .terms import BY_ROAD, EXPLOITATION, ROADS, fights
from .trucks import may_ride, rides

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
