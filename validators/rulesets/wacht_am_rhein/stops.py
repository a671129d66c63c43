"""Where enemies next to a hex, or who reach it, make a unit stop (5.3.1); rough hexes, roads, and enemies
next to the way in Prepared Assault (5.5).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

from ...engine.clauses import forbid, must_stop
from ...engine.locality import Afar, Locality, LocalTest
from ...engine.other_unit import Enemy
from ...engine.step import Step
from .friends import same_command, same_formation
from .marches import one_hex
from .overruns import overrun_by
from .terms import (
    CONSTRICTED,
    DASHED,
    FORTIFICATION,
    GERMAN,
    IN_PA,
    IN_THE_TEXT,
    PA_MECH,
    WEST_WALL,
    WITH_MPS,
    fights,
    is_a,
    is_allied,
    is_marked,
    listed,
    near_enemies,
    next_to_enemies,
)
from .terrain import road_over

FORTIFIED = ("et", FORTIFICATION, WEST_WALL)


def points(enemy: Enemy) -> Any:
    """The strength points that count; artillery and HQs have none, whether Flak has is open."""
    if not fights(enemy) or is_a(enemy, "artillery", "hq"):
        return 0
    if is_a(enemy, "flak") and not enemy.reading("flak_points"):
        return 0
    return enemy.bounds("strength")


def counts(enemy: Enemy) -> bool:
    """Whether an enemy has strength points that count."""
    return bool(enemy.at_least_some(points(enemy), "strength"))


def is_strong(near: Locality) -> bool:
    """Whether a hex holds two enemy strength points."""
    return near.enemies_come_to(2, points) if near.rule("5.3.1-0") else near.enemies_who(fights)


def in_open(place: Locality, night: bool) -> bool:
    """Whether a hex has no Covering Terrain; whether night makes all terrain such is open here."""
    covers = place.rule("5.3.0-f") and listed(place, "covering")
    dark = night and place.rule("5.10.1-f")
    return not covers and not (dark and place.reading("night_covers"))


def is_fortified(enemy: Enemy) -> bool:
    return counts(enemy) and enemy.is_("works", *FORTIFIED)


def is_not_fortified(enemy: Enemy) -> bool:
    return counts(enemy) and not enemy.is_("works", *FORTIFIED)


def is_no_german(enemy: Enemy) -> bool:
    return fights(enemy) and not enemy.is_("nation", GERMAN)


def in_works(near: Locality) -> bool:
    """Whether the enemies in a hex are in entrenchments or a Fortification. Whether the West Wall shelters
    others than Germans is open."""
    if near.has((FORTIFICATION,)):
        return True
    if near.has((WEST_WALL,)):
        return not near.enemies_who(is_no_german) or near.reading("west_wall_shelter")
    if not near.enemies_who(is_fortified):
        return False
    return not near.enemies_who(is_not_fortified) or near.undecided_by("works", "works")


def strong_in_works(near: Locality) -> bool:
    return is_strong(near) and in_works(near)


@dataclass(frozen=True)
class ByWorks:
    """Whether two strength points in works are next to a hex, those in hexes ``apart`` left out."""

    apart: tuple[str, ...]

    def __call__(self, place: Locality) -> bool:
        return place.some_near(strong_in_works, self.apart)


@dataclass(frozen=True)
class Shelled:
    """Whether two strength points are next to a hex that is within reach of artillery of theirs."""

    night: bool
    apart: tuple[str, ...]

    def __call__(self, place: Locality) -> bool:
        return place.some_near(ShelledBy(self.night), self.apart)


@dataclass(frozen=True)
class ShelledBy:
    """The same of the enemies in one hex; which hex must be in the open and in reach is a reading."""

    night: bool

    def __call__(self, near: Locality) -> bool:
        if not is_strong(near):
            return False
        at = near.entered if near.settled("stop_hex") == "entered" else near
        if not in_open(at, self.night):
            return False
        names = near.rules.grouped("types", ("artillery",))
        return at.some_afar("type", names, Reaches(near.name))


@dataclass(frozen=True)
class Reaches:
    """Whether artillery with a red hexagon reaches a hex and belongs with enemies in another, ``beside``."""

    beside: str

    def __call__(self, at: Locality, gun: Afar) -> bool:
        unit = gun.unit
        if not is_a(unit, "artillery") or not is_marked(unit, "red") or is_marked(unit, "depleted"):
            return False
        if not unit.is_("battery", "in") and not unit.reading("out_of_battery_fire"):
            return False
        return at.in_reach(gun, "range") and at.named(self.beside).enemies_who(
            Shares(unit.moving.id)
        )


@dataclass(frozen=True)
class Shares:
    """Whether an enemy that counts is of the formation or command of artillery."""

    gun: str

    def __call__(self, enemy: Enemy) -> bool:
        if not counts(enemy):
            return False
        gun = enemy.another(self.gun)
        command, own = gun.fact("command"), enemy.fact("command")
        if command.is_known and own.is_known and command.value == own.value:
            return True
        alike = same_formation(gun, enemy, attached=False)
        joined = same_formation(gun, enemy)
        if joined != alike:
            alike = joined if enemy.reading("attached_for_stops") else alike
        return alike or same_command(gun, enemy)


def is_heavy(enemy: Enemy) -> bool:
    """Whether it is German heavy AT or Flak with a red hexagon."""
    kind = fights(enemy) and is_a(enemy, "heavy-at", "flak")
    return kind and enemy.is_("nation", GERMAN) and is_marked(enemy, "red")


def holds_heavy(near: Locality) -> bool:
    return near.enemies_who(is_heavy)


def holds_heavy_besides(near: Locality) -> bool:
    return not near.is_entered and near.enemies_who(is_heavy)


@dataclass(frozen=True)
class AimedAt:
    """Whether two strength points and heavy AT or Flak are next to a hex."""

    night: bool
    apart: tuple[str, ...]

    def __call__(self, place: Locality) -> bool:
        return place.some_near(AimedBy(self.night), self.apart)


@dataclass(frozen=True)
class AimedBy:
    """The same of the enemies in one hex. By one reading it is that hex which must be in the open and next
    to the AT or Flak; whether that may be in the hex itself is open."""

    night: bool

    def __call__(self, near: Locality) -> bool:
        if not is_strong(near):
            return False
        if near.settled("stop_hex") == "entered":
            place = near.entered
            return in_open(place, self.night) and place.some_near(holds_heavy)
        if not in_open(near, self.night):
            return False
        if near.some_near(holds_heavy_besides):
            return True
        return near.enemies_who(is_heavy) and near.undecided_by("stop_hex", "")


def is_dark(step: Step) -> bool:
    return step.is_("night", "true", "yes")


def stops(step: Step, by: Callable[[tuple[str, ...]], LocalTest]) -> bool:
    """Whether enemies next to the hex entered stop a unit. It ignores those that it has overrun when it
    leaves their hex; whether also on its way round that is open (5.10.3)."""
    if not near_enemies(step):
        return False
    last = (overrun_by(step) or step.tag.last,)
    if not step.into.locally(by(last)):
        return False
    earlier: tuple[str, ...] = step.tag.overrun
    if not earlier or step.into.locally(by((*last, *earlier))):
        return True
    return not step.reading("ignore_overrun_on")


def is_rough(step: Step) -> bool:
    """Whether the hex entered is woods, forest or constricted."""
    return step.into.has((CONSTRICTED,)) or is_hard(step)


def is_hard(step: Step) -> bool:
    """Whether the hex entered is in the list of woods and the like."""
    if step.into.has(step.tables["hard"]):
        return True
    told = (*step.into.named_terrains, *step.into.named_features)
    if step.rules.complete.has("hard") or IN_THE_TEXT.issuperset(told):
        return False
    return not step.stated("hard")


def rough_off_road(step: Step) -> bool:
    """Whether it enters a rough hex off the road. Whether a dashed line counts as a road is open."""
    if not is_rough(step) or (step.rule("5.5-l") and road_over(step)):
        return False
    drawn = any(step.back in ends for ends in step.into.passages(DASHED))
    along = (drawn or step.into.may_have_line(DASHED)) and not is_hard(step)
    return not (along and step.reading("dashed_line_is_road"))


@must_stop(
    "5.5-f",
    "goes on after a rough hex entered off the road in Prepared Assault",
    classes=(PA_MECH,),
)
def stop_in_rough_hexes(step: Step) -> bool:
    """A Mech unit in Prepared Assault stops in the first rough hex that it enters off the road."""
    return rough_off_road(step)


@must_stop("5.5-g", "goes on next to an enemy in Prepared Assault", classes=IN_PA, of_enemies=True)
def stop_next_to_enemies(step: Step) -> bool:
    """A unit in Prepared Assault stops next to enemies."""
    return next_to_enemies(step)


@forbid(
    "5.5-j",
    "goes by road and then off it into a rough hex in Prepared Assault",
    classes=(PA_MECH,),
)
def reverse(step: Step) -> bool:
    """By one answer a unit that has gone by road does not go off it into a rough hex."""
    came = step.tag.ridden
    if came == "no" or not rough_off_road(step):
        return False
    if not step.reading("pa_reverse_ruling", "forbid"):
        return False
    return came == "yes" or not step.reading("pa_reverse_ruling", "forbid")


@must_stop(
    "5.3.1-c",
    "goes on next to two enemy strength points in works",
    classes=WITH_MPS,
    of_enemies=True,
)
def stop_at_works(step: Step) -> bool:
    """A unit stops next to two enemy strength points in entrenchments or Fortifications."""
    return stops(step, ByWorks)


@must_stop(
    "5.3.1-a",
    "goes on next to two enemy strength points under fire of their artillery",
    classes=WITH_MPS,
    of_enemies=True,
)
def stop_under_fire(step: Step) -> bool:
    """A unit stops next to two enemy strength points within reach of artillery of theirs."""
    return stops(step, partial(Shelled, is_dark(step)))


@must_stop(
    "5.3.1-b",
    "goes on next to two enemy strength points and heavy AT or Flak",
    classes=WITH_MPS,
    of_enemies=True,
)
def stop_at_heavy_at(step: Step) -> bool:
    """An Allied unit stops next to two strength points that German heavy AT or Flak is next to."""
    return is_allied(step) and stops(step, partial(AimedAt, is_dark(step)))


@must_stop("5.8.2", "goes more than one hex with artillery In Battery")
def one_hex_in_battery(step: Step) -> bool:
    """US 105 and 155H artillery In Battery moves one hex."""
    return one_hex(step)
