"""Who may move at all: phases, modes, enemies in Prepared Assault, artillery (5.0-e, 5.1, 5.3.3, 5.8)."""

from __future__ import annotations

from fractions import Fraction

from ...engine.clauses import forbid, forbid_move, interpretation
from ...engine.mover_view import MoverView
from ...engine.other_unit import Enemy
from ...engine.step import Step
from . import friends, stops
from .facts import ATTRIBUTES
from .marches import exploits, moves_in_battery, took_exploit, towed
from .terms import (
    BY_ROAD,
    EXPLOIT,
    EXPLOITATION,
    GERMAN,
    IN_PA,
    LEG,
    MANEUVER_RESERVE,
    MOVEMENT,
    OTHER,
    PA,
    RESERVES,
    fights,
    is_a,
    is_marked,
    next_to_enemies,
)

UNDERSTOOD = ("class", "nation", "mode", "traction", "battery", "deployed")
STOPS = (
    *(stops.stop_at_works, stops.stop_under_fire, stops.stop_at_heavy_at),
    *(stops.one_hex_in_battery, friends.stops_there),
)
"""What makes a unit stop in a hex, whatever it wants."""
NEVER_MOVED = Fraction(18)
"""The range factor of the German army artillery that never moves (5.8.4)."""

# -- what these rules do not know ------------------------------------------------------------------


@interpretation("of a kind that no table names", lifts=None)
def strange(mover: MoverView) -> bool:
    """A unit with a value that these rules do not know may move by rules that they do not have."""
    every = tuple(name for names in mover.tables["types"].values() for name in names)
    words = {about: ATTRIBUTES[about].words for about in UNDERSTOOD} | {"type": every}
    told = {about: str(mover.known[about].value).lower() for about in words if about in mover.known}
    odd = [a for a, word in told.items() if word not in (name.lower() for name in words[a])]
    return bool(odd) and mover.doubted(odd[0])


# -- phases ----------------------------------------------------------------------------------------


def deployed(mover: MoverView) -> bool:
    """Whether it is a deployed Bridge Column, of whose movement section 5 says nothing."""
    return is_a(mover, "bridge") and not mover.is_("deployed", "no")


@interpretation("mounted", lifts=None)
def mounted(mover: MoverView) -> bool:
    """Outside movement a dismounted company may go back to its parent unit (5.7.1)."""
    if mover.phase != OTHER or not mover.possibly("breakdown", "true", "yes"):
        return False
    if not is_a(mover, "infantry", "engineer") or not mover.is_("class", LEG):
        return False
    text = "did {} go back to its parent unit to be mechanized (5.7.1; that is not movement, but other)?"
    return mover.may_be_phasing() and mover.was_no_movement("mounting of {}", text)


MOVED = "movement of {}", "was the deployed {} moved, or did it come to lie elsewhere (5.7.5)?"


@interpretation("laid", lifts=None)
def laid(mover: MoverView) -> bool:
    """A deployed Bridge Column is not a unit: that it lies elsewhere may mean something other
    than movement."""
    return deployed(mover) and mover.was_no_movement(*MOVED)


@forbid_move("5.7.5-b", "is a deployed Bridge Column", always=True)
def deployed_bridges(mover: MoverView) -> bool:
    """Whether one may be moved, section 5 does not say."""
    return deployed(mover) and mover.was_no_movement(*MOVED)


@forbid_move(
    "5.0-e", lambda mover: f"is moved in the phase {mover.phase_name}, in which nobody moves"
)
def no_movement(mover: MoverView) -> bool:
    """Units are moved in a movement or exploitation phase only."""
    return mover.phase == OTHER and not deployed(mover)


@forbid_move("5.1-g", lambda mover: f"is moved in the {mover.phase_name} phase of {mover.active}")
def whose_phase(mover: MoverView) -> bool:
    """Only the player whose phase it is moves his units. An exploitation phase may be named after the side in
    whose turn it lies: it is that side's for certain only once one of its units was moved in it."""
    if deployed(mover) or mover.moves_with("friend"):
        return False
    sure = mover.phase != EXPLOITATION or mover.surely_begun()
    text = f"whose {mover.phase_name} phase is it?"
    return sure or mover.undecided_active(text)


# -- modes -----------------------------------------------------------------------------------------


def in_mode(mover: MoverView) -> str:
    return f"may not move in a movement phase, being in {mover.known['mode'].value}"


@forbid_move("5.1-b", "may not move in a movement phase, being in Exploit Mode", phase=MOVEMENT)
def exploit_mode_waits(mover: MoverView) -> bool:
    """Units in Exploit Mode do not move in a movement phase."""
    return mover.is_("mode", EXPLOIT)


@forbid_move("5.1-c", in_mode, phase=MOVEMENT)
def reserves_stay(mover: MoverView) -> bool:
    """Nor do reserves."""
    return mover.is_("mode", *RESERVES)


@forbid_move(
    "5.1-f",
    lambda mover: (
        f"may not move in an exploitation phase, being in mode {mover.known['mode'].value}"
    ),
    phase=EXPLOITATION,
)
def only_exploit_mode(mover: MoverView) -> bool:
    """Whether only units in Exploit Mode move in an exploitation phase is open."""
    if mover.is_("mode", EXPLOIT) or mover.rules.options["exploitation_only_exploit"] == "no":
        return False
    if not mover.kind_is_told():
        return True
    if mover.is_("mode", MANEUVER_RESERVE) and took_exploit(mover):
        return False
    return mover.reading("exploitation_only_exploit")


def in_pa_mode(enemy: Enemy) -> bool:
    return fights(enemy) and enemy.is_("mode", PA)


@forbid_move("5.3.3", "may not move, an enemy in Prepared Assault having been next to it")
def pinned(mover: MoverView) -> bool:
    """A unit in Exploit Mode that begins the phase next to an enemy in PA Mode does not move. Whether that
    binds one that took Exploit Mode later is open."""
    if mover.phase == MOVEMENT or not mover.possibly("mode", EXPLOIT, MANEUVER_RESERVE):
        return False
    if not mover.began_beside(in_pa_mode) or not exploits(mover):
        return False
    return not mover.changed_in_phase("mode") or mover.reading("late_exploit_pinned")


# -- artillery -------------------------------------------------------------------------------------


def german_guns(mover: MoverView) -> bool:
    return is_a(mover, "artillery") and mover.is_("nation", GERMAN)


@forbid_move("5.8.4-b", "is army heavy artillery, which never moves")
def heavy_guns(mover: MoverView) -> bool:
    """German army artillery with a range factor of 18 never moves."""
    if not german_guns(mover) or not mover.is_("echelon", "army"):
        return False
    return mover.is_exactly("range", NEVER_MOVED)


@forbid_move("5.8.4-a", "is German corps or army artillery and has no Motor Unit marker")
def guns_without_trucks(mover: MoverView) -> bool:
    """German corps and army artillery that is not horse-drawn needs a Truck Point to move."""
    if not german_guns(mover) or mover.is_("traction", "horse") or is_marked(mover, "motor"):
        return False
    return mover.is_("echelon", "corps", "army")


@forbid_move("5.8.0-c", "is towed artillery In Battery")
def guns_in_battery(mover: MoverView) -> bool:
    """Towed artillery does not move In Battery."""
    if not is_a(mover, "artillery") or not mover.is_("battery", "in"):
        return False
    return not moves_in_battery(mover)


@forbid("5.8.5", "stops next to an enemy with towed artillery", of_enemies=True)
def towed_guns_keep_away(step: Step) -> bool:
    """Towed artillery does not stop of its own will next to an enemy."""
    if not step.ends_here or step.goes_on or not is_a(step, "artillery") or not towed(step):
        return False
    if not next_to_enemies(step):
        return False
    in_pa = step.cls in IN_PA and step.rule("5.5-g")
    forced = in_pa or any(clause.run(step) for clause in STOPS if step.rule(clause.id))
    if forced or step.mover.is_spent("5.8.5"):
        return step.reading("forced_stop_counts")
    return True


@forbid_move("5.8.1-a", "goes by road with artillery In Battery", classes=BY_ROAD, always=True)
def guns_by_road(mover: MoverView) -> bool:
    """Self-propelled artillery In Battery may go by road; without the clause it may not."""
    if mover.rule("5.8.1-a"):
        return False
    return is_a(mover, "artillery") and mover.is_("battery", "in")
