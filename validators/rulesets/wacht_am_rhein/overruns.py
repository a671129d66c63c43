"""Overruns: who makes one, into which hexes, and what it costs (5.10, 5.10.1, 5.10.3)."""

from __future__ import annotations

from ....model.fact import UNKNOWN, Fact, either
from ....model.unit import Unit
from ...engine.clauses import cost, forbid
from ...engine.history import History
from ...engine.locality import Locality
from ...engine.other_unit import Enemy
from ...engine.step import Step
from .marches import exploits
from .terms import (
    BY_ROAD,
    EXPLOIT,
    MANEUVER_RESERVE,
    MECH,
    MOVEMENT,
    OFF,
    PA,
    fights,
    held,
    is_a,
    is_marked,
    listed,
)

OVERRUN = "overrun"
"""The condition of a unit that says how its overrun ended."""
FAILED, UNCLEARED, JOINT = "failed", "uncleared", "joint"
HEX = "overrun-{}"
"""The condition that says whether a hex was overrun in the phase."""
JOINTLY = (
    "did {} overrun together with another unit (joint), or how did its overrun end (cleared, uncleared, "
    "failed)?"
)


def told(history: History, unit: Unit, drags: list[int]) -> Fact:
    """What the facts say of the overruns of a unit in the phase of its move."""
    found = history.results(OVERRUN, unit.id, drags[0])
    return either([one.fact for one in found]) if found else UNKNOWN


def declared(step: Step) -> bool:
    """Whether the facts say that the unit overran."""
    return step.fact(OVERRUN).options is not None


def attacks(step: Step) -> bool:
    """Whether a unit that goes among enemies may mean an overrun: not in PA Mode, and in a movement phase
    only if the facts say so."""
    return not step.is_("mode", PA) and (step.phase != MOVEMENT or declared(step))


@forbid("5.3.0-a", "enters a hex with enemies", of_enemies=True)
def held_hexes(step: Step) -> bool:
    """A unit cannot move into a hex with an enemy unit, but in an overrun."""
    return held(step) and not attacks(step)


@forbid("5.10-a", "overruns outside an exploitation phase", phase=MOVEMENT, of_enemies=True)
def only_in_exploitation(step: Step) -> bool:
    """Overruns are allowed in the exploitation phase only."""
    return held(step) and attacks(step)


def overruns(step: Step) -> bool:
    """Whether the step is an overrun that nothing but its own conditions may forbid."""
    if step.phase == MOVEMENT and step.rule("5.10-a"):
        return False
    return held(step) and attacks(step)


@cost("5.10-e", "overrun", of_enemies=True)
def one_more(step: Step) -> int:
    """An overrun costs one MP besides the hex."""
    return 1 if overruns(step) else 0


# -- who overruns ----------------------------------------------------------------------------------


@forbid("5.10-b", "overruns, and is no Mech unit in Exploit Mode", of_enemies=True)
def mech_in_exploit_mode(step: Step) -> bool:
    """Mech units in Exploit Mode overrun."""
    if not overruns(step):
        return False
    as_mech = step.is_("class", MECH) or is_marked(step, "motor") or is_a(step, "artillery")
    return not as_mech or not (step.phase == MOVEMENT or exploits(step))


@forbid("5.10-c1", "overruns with artillery", of_enemies=True)
def no_artillery(step: Step) -> bool:
    """Artillery does not overrun."""
    return overruns(step) and is_a(step, "artillery")


@forbid("5.10-c2", "overruns with an HQ", of_enemies=True)
def no_headquarters(step: Step) -> bool:
    """An HQ does not overrun."""
    return overruns(step) and is_a(step, "hq")


@forbid("5.10-c3", "overruns with a Leg unit on trucks", of_enemies=True)
def not_on_trucks(step: Step) -> bool:
    """Mechanized Leg units do not overrun."""
    return overruns(step) and is_marked(step, "motor") and not is_a(step, "artillery")


@forbid("5.10.1-b", "overruns while Out of Supply", of_enemies=True)
def in_supply(step: Step) -> bool:
    """Units that are Out of Supply do not overrun."""
    return overruns(step) and step.is_("supply", "out")


@forbid("5.10.1-a", "overruns together with another unit", of_enemies=True)
def one_at_a_time(step: Step) -> bool:
    """One unit at a time overruns a hex."""
    if not overruns(step):
        return False
    ways = step.fact(OVERRUN).options
    if ways is not None and (JOINT not in ways or len(ways) == 1):
        return JOINT in ways
    mover = step.mover
    if ways is None and mover.is_alone:
        return False
    return mover.undecided_from(
        OVERRUN, JOINTLY, mover.move.steps[0], f"overrun of {mover.unit.id}"
    )


def covering(place: Locality) -> bool:
    """Whether a hex has Covering Terrain."""
    return listed(place, "covering")


# -- from where, and into which hex ----------------------------------------------------------------


@forbid("5.10-g", "overruns by road", always=True, of_enemies=True)
def by_road(step: Step) -> bool:
    """A unit that overruns by road pays the cost of the road; without the clause it may not."""
    return not step.rule("5.10-g") and step.cls in BY_ROAD and step.by != OFF and overruns(step)


@forbid("5.10.1-e", "overruns out of the open next to two hexes with enemies", of_enemies=True)
def out_of_the_open(step: Step) -> bool:
    """A unit does not overrun out of a hex without Covering Terrain that is next to more than one hex with
    enemies; at night all terrain covers (5.10.1-f). Whether those that it has overrun before count is
    open."""
    if not overruns(step) or step.out_of.locally(covering):
        return False
    if step.rule("5.10.1-f") and step.is_("night", "true", "yes"):
        return False
    before = step.tag.overrun
    if step.more_than(step.out_of.held_beside(fights, before), 1, "others"):
        return True
    hemmed_in = before and step.more_than(step.out_of.held_beside(fights), 1, "all")
    return bool(hemmed_in) and not step.reading("ignore_overrun_on")


@forbid("5.10.1-d", "overruns a hex for the second time in the phase", of_enemies=True)
def on_its_way(step: Step) -> bool:
    """A hex is overrun once in a phase. Whether a unit may go once more into one that it has overrun and not
    cleared is open."""
    again = overruns(step) and step.into.name in step.tag.overrun
    return again and not step.reading("overrun_hex_again")


@forbid("5.10.1-d", "overruns a hex for the second time in the phase", of_enemies=True)
def overrun_before(step: Step) -> bool:
    """A hex is overrun once in a phase, by whichever unit."""
    if not overruns(step):
        return False
    text = "had {} been overrun before in that phase?"
    asked, said = step.into.ask_now(HEX, text, "condition {key}"), step.into.said_in_phase(HEX)
    if said != UNKNOWN:
        return said.must_be(True) or (said.may_be(True) and step.undecided(HEX, (asked,)))
    surely, perhaps = step.into.left_after_a_roll(fit_to_overrun)
    if surely and step.into.enemies_who(stayed):
        return True
    return perhaps and step.undecided(HEX, (asked,))


def fit_to_overrun(unit: Enemy) -> bool:
    """Whether a unit is a Mech unit in Exploit Mode that may overrun."""
    if is_a(unit, "artillery", "hq") or not unit.is_("mode", EXPLOIT):
        return False
    return unit.is_("class", MECH) or is_marked(unit, "motor")


def stayed(enemy: Enemy) -> bool:
    """Whether an enemy was there in the whole phase."""
    return not enemy.displaced


@forbid("5.10.3-c", "stops in the hex of enemies it has overrun", of_enemies=True)
def stops_among_enemies(step: Step) -> bool:
    """A unit goes on through a hex that its overrun did not clear, and does not stop there."""
    if not overruns(step) or not step.ends_here or step.goes_on:
        return False
    return declared(step) and step.is_(OVERRUN, UNCLEARED)


# -- what a mover keeps of its overruns ------------------------------------------------------------


def overrun_by(step: Step) -> str:
    """The hex with enemies that a unit enters which may overrun; empty: none."""
    if not step.is_("mode", EXPLOIT, MANEUVER_RESERVE) or not step.into.perhaps_enemies_who(fights):
        return ""
    return step.into.name


def after_overrun(step: Step) -> tuple[str, tuple[str, ...]]:
    """The enemy hex that the step enters, empty if it enters none; and all enemy hexes entered so far."""
    now, before = overrun_by(step), step.tag.overrun
    return now, before if not now or now in before else (*before, now)
