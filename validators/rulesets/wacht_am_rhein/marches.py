"""In which forms of movement, and as which class, a unit may move (5.0, 5.4.0, 5.5, 5.6, 5.7)."""

from __future__ import annotations

from ...engine.mover_view import MoverView
from ...engine.step import Step
from .terms import (
    AS_LEG,
    AS_MECH,
    ASSAULT,
    EXPLOIT,
    EXPLOITATION,
    FORMS,
    LEG,
    MANEUVER_RESERVE,
    MECH,
    PA,
    PA_LEG,
    PA_MECH,
    ROAD,
    ROADS,
    STRATEGIC,
    TACTICAL,
    US,
    is_a,
    is_marked,
)

TOOK_EXPLOIT = (
    "took Exploit Mode before it moved",
    "did {} leave Maneuver Reserve for Exploit Mode before it was moved (5.1)?",
    "exploit mode of {}",
)


def marches(mover: MoverView) -> tuple[str, ...]:
    """The ways between which the player may choose, the preferred one first."""
    named = [form for form in mover.forms if form in FORMS] or FORMS
    mode = mover.word("mode")
    if mode == PA:
        classes = {MECH: PA_MECH, LEG: PA_LEG}
        return tuple(classes[c] for c in off_road_classes(mover)) if ASSAULT in named else ()
    found: list[str] = []
    if ROAD in named and (mode == STRATEGIC or not begins_off_road(mover)):
        found += by_road(mover)
    if TACTICAL in named and mode != STRATEGIC:
        classes = {MECH: AS_MECH, LEG: AS_LEG}
        found += (classes[c] for c in off_road_classes(mover))
    return tuple(found)


def by_road(mover: MoverView) -> tuple[str, ...]:
    """The way to move by road, if it may, or may be asked whether it may."""
    strategic = mover.word("mode") == STRATEGIC
    if not strategic and mover.rule("5.6.0-a") and on_trucks(mover) and not may_ride(mover):
        return ()
    return (STRATEGIC if strategic else ROAD,)


def may_ride(mover: MoverView) -> bool:
    """Whether it may be of a US Infantry Division, whose trucks it may use. It asks nothing."""
    us = mover.possibly("nation", US) and mover.rule("5.6.4-a")
    return us and mover.possibly("infantry-division", "true", "yes")


def begins_off_road(mover: MoverView) -> bool:
    """Whether it certainly begins the phase where no road is, so that it cannot go by road."""
    bound = mover.rule("5.6.0-b") and mover.rule("5.6.0-e")
    return bound and mover.began_the_phase_here and not mover.origin.on_line_perhaps(ROADS)


def on_trucks(unit: MoverView | Step) -> bool:
    """Whether a road mover goes by the trucks of its division (5.6.4)."""
    return not drives(unit) and not has_own_trucks(unit)


def exploits(unit: MoverView | Step) -> bool:
    """Whether it moves in Exploit Mode: a unit in Maneuver Reserve may take that before it moves (5.1-e)."""
    if unit.is_("mode", EXPLOIT):
        return True
    if not unit.is_("mode", MANEUVER_RESERVE) or unit.phase != EXPLOITATION:
        return False
    return took_exploit(unit)


def took_exploit(unit: MoverView | Step) -> bool:
    """Whether a unit left Maneuver Reserve for Exploit Mode before it moved."""
    return unit.told_now(*TOOK_EXPLOIT)


def off_road_classes(mover: MoverView) -> tuple[str, ...]:
    """The movement classes as which it may move off the road."""
    if drives(mover):
        return (MECH,)
    return (MECH, LEG) if has_own_trucks(mover) else (LEG,)


def drives(mover: MoverView | Step) -> bool:
    """Whether it moves as Mech: by its class or kind, or on trucks."""
    if is_marked(mover, "motor") or is_a(mover, "bridge"):
        return True
    printed = mover.is_("class", MECH)
    if is_a(mover, "artillery") and (mover.is_("battery", "out") or moves_in_battery(mover)):
        return printed or mover.rule("5.8.0-b")
    return printed


def has_own_trucks(mover: MoverView | Step) -> bool:
    """Whether it is US Leg AT or a Leg engineer unit, which may move either way (5.7.3)."""
    if not mover.is_("nation", US) or not mover.is_("class", LEG) or is_marked(mover, "motor"):
        return False
    return is_a(mover, "at", "engineer") and mover.rule("5.7.3-a")


def rolls(mover: MoverView | Step) -> bool:
    """Whether it is self-propelled artillery, or counts as such (5.8.1a)."""
    if mover.is_("traction", "sp"):
        return True
    rocket = mover.is_("calibre", "150-nebelwerfer") and is_marked(mover, "motor")
    return rocket and mover.is_("nation", "german") and mover.rule("5.8.1a-a")


def towed(unit: MoverView | Step) -> bool:
    """Whether artillery is none that is self-propelled, or counts as such."""
    return not rolls(unit)


def moves_in_battery(mover: MoverView | Step) -> bool:
    """Whether it is artillery that may move In Battery."""
    return rolls(mover) or one_hex(mover)


def one_hex(mover: MoverView | Step) -> bool:
    """Whether it is US 105 or 155H artillery In Battery, which moves one hex (5.8.2)."""
    if not is_a(mover, "artillery") or not mover.rule("5.8.2") or rolls(mover):
        return False
    light = mover.is_("calibre", "105", "155h") and mover.is_("nation", US)
    return light and mover.is_("battery", "in")
