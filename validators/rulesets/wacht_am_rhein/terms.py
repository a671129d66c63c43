"""What several clauses say: classes, modes, forms of movement, kinds of units, what lies on the board."""

from __future__ import annotations

from collections.abc import Hashable
from typing import NamedTuple

from ...engine.locality import Locality
from ...engine.other_unit import Enemy, OtherUnit
from ...engine.step import Step

MECH, LEG = "mech", "leg"
CLASSES = (MECH, LEG)
GERMAN, US, BRITISH = "german", "us", "british"
NATIONS = (GERMAN, US, BRITISH)
TACTICAL_MODE, STRATEGIC, PA, EXPLOIT = "tactical", "strategic", "pa", "exploit"
MANEUVER_RESERVE = "maneuver-reserve"
RESERVES = (MANEUVER_RESERVE, "combat-reserve", "reserve")
MODES = (TACTICAL_MODE, STRATEGIC, PA, EXPLOIT, *RESERVES)
MOVEMENT, EXPLOITATION, OTHER = "movement", "exploitation", "other"

ROAD, TACTICAL, ASSAULT = "road", "tactical", "prepared assault"
FORMS = (ROAD, TACTICAL, ASSAULT)
"""The forms of movement that a pack may name; road movement in Strategic Mode is a fourth one."""
AS_MECH, AS_LEG = "tactical movement as Mech", "tactical movement as Leg"
PA_MECH, PA_LEG = "prepared assault as Mech", "prepared assault as Leg"
MARCHES = {
    STRATEGIC: (STRATEGIC, MECH),
    ROAD: (ROAD, MECH),
    AS_MECH: (TACTICAL, MECH),
    AS_LEG: (TACTICAL, LEG),
    PA_MECH: (ASSAULT, MECH),
    PA_LEG: (ASSAULT, LEG),
}
"""The ways in which a unit may move: each with its form of movement and its column of the charts."""
COLUMNS = {march: column for march, (_, column) in MARCHES.items()}
BY_ROAD, BY_TACTICS, IN_PA = (STRATEGIC, ROAD), (AS_MECH, AS_LEG), (PA_MECH, PA_LEG)
MECH_MARCHES = (AS_MECH, PA_MECH)
LEG_MARCHES = (AS_LEG, PA_LEG)
OFF_ROADS = (*BY_TACTICS, *IN_PA)
WITH_MPS = (*BY_ROAD, *BY_TACTICS)

ROADS = ("primary", "secondary", "trail")
TRAIL, DASHED = "trail", "dashed"
STREAM, RIVERS = "stream", ("minor-river", "major-river")
WATERS = (STREAM, *RIVERS)
BRIDGES = ("bridge", "engineer-bridge", "unfinished-bridge")
CROSSINGS = ("ford", "destroyed-bridge", *BRIDGES)
CONSTRICTED = "constricted"
NO_JUNCTION, JUNCTION_UNKNOWN = "no-junction", "junction-unknown"
FORTIFICATION, WEST_WALL = "fortification", "west-wall"
IN_THE_TEXT = frozenset(
    {
        *("clear", "broken", "woods", "forest", "town", "city"),
        *(CONSTRICTED, NO_JUNCTION, JUNCTION_UNKNOWN, FORTIFICATION, WEST_WALL),
    }
)
"""Terrains and features that the text itself classifies: they are Covering Terrain, or rough, only if
listed, even where a list is not complete."""

OFF, LIKE_CLEAR = "", "as clear, by road"
"""Ways of a step besides those by road: off the road, and of a Leg unit over a road hexside (5.4.1)."""


class Road(NamedTuple):
    """A step along a road. ``line``: its number on the board; -1: one that is not drawn."""

    kind: str
    line: int


MEETS, NOT_DRAWN = "meets", "not drawn"


class Went(NamedTuple):
    """The state of a mover. ``line``: which neighbour of its hex it came from along a dashed line (-1: it did
    not; None: it has not moved). ``road``: the kind of road by which it came; empty: none. ``node``: which
    roads its road meets in the hex (all, its own line alone, or not known). ``ridden``: whether the last
    hexside had a road (5.5): no, yes or perhaps. ``last``: the enemy hex that it entered by its last step;
    ``overrun``: all that it has overrun on its way."""

    line: int | None = None
    road: str = ""
    node: Hashable = ""
    ridden: str = "no"
    last: str = ""
    overrun: tuple[str, ...] = ()


def is_a(unit: OtherUnit | Step, *kinds: str) -> bool:
    """Whether a unit is of one of these kinds, by its type."""
    return unit.is_("type", *unit.rules.grouped("types", kinds))


def is_allied(unit: OtherUnit | Step) -> bool:
    return unit.is_("nation", US, BRITISH)


def is_marked(unit: OtherUnit | Step, about: str) -> bool:
    """Whether a fact of a unit that is yes or no is so."""
    return unit.is_(about, "true", "yes")


def is_bridge(unit: OtherUnit) -> bool:
    """Whether a unit is a deployed Bridge Column, which is a bridge and no unit (5.7.5)."""
    return is_a(unit, "bridge") and unit.is_("deployed", "building", "finished")


def fights(enemy: Enemy) -> bool:
    """Whether an enemy counts as one."""
    return not is_bridge(enemy)


def held(step: Step) -> bool:
    """Whether enemies are in the hex entered."""
    return step.into.enemies_who(fights)


def next_to_enemies(step: Step) -> bool:
    """Whether the hex entered is next to enemies."""
    return step.into.beside_enemies_who(fights)


def listed(place: Locality, chart: str) -> bool:
    """Whether something in a hex is in a list of the tables (``covering``, ``hard``). Where the list is not
    complete, what the text does not classify may be."""
    names, complete = place.tables[chart], place.rules.complete
    if place.has(names):
        return True
    if complete.has(chart) or IN_THE_TEXT.issuperset(place.names):
        return False
    return place.doubts(chart)


def near_enemies(step: Step) -> bool:
    """Whether enemies may be next to the hex entered. It asks nothing."""
    return not step.into.clear
