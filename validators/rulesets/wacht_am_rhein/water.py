"""Streams, rivers, fords and bridges, and help at them (5.4.1-c, 5.4.2, 5.4.3, 5.6.2)."""

from __future__ import annotations

from ...cost_interval import CostInterval
from ...engine.clauses import WHOLE, cost, forbid, must_stop
from ...engine.locality import Locality
from ...engine.other_unit import Enemy
from ...engine.step import Step
from .marches import towed
from .terms import (
    AS_LEG,
    AS_MECH,
    BY_ROAD,
    BY_TACTICS,
    COLUMNS,
    GERMAN,
    LEG,
    LEG_MARCHES,
    MECH_MARCHES,
    OFF,
    OFF_ROADS,
    RIVERS,
    ROADS,
    STREAM,
    TRAIL,
    US,
    WATERS,
    is_a,
    is_bridge,
    is_marked,
)
from .terrain import charged, in_force, perhaps_roads

WAY_OVER = (
    "way over {}/{}",
    "was there a bridge or a ferry that it may use between {} and {} then?",
    "crossing {}/{}",
)
BRIDGE_WORDS = ("bridge", "ferry", "ford", "pontoon", "treadway", "bailey")
"""Words in the name of a marker that suggest a crossing over water that is not on the board."""

# -- what lies on the hexside ----------------------------------------------------------------------


def lies(step: Step, name: str) -> bool:
    """Whether a feature is on the hexside. Where anything may be, the clause on hexsides is open (5.0-k)."""
    return name in step.drawn or (name in step.perhaps_on_side and step.on_side(name))


def river(step: Step) -> bool:
    return any(lies(step, name) for name in RIVERS)


def forded(step: Step) -> bool:
    return step.on_side("ford")


def on_foot(step: Step) -> bool:
    """Whether it moves as Leg."""
    return COLUMNS[step.cls] == LEG


def bridged(step: Step) -> bool:
    """Whether there is a bridge that bears the mover, or one was provided by a Bridge Column or engineers.
    Trails over rivers are left to :func:`too_heavy`."""
    if step.on_side("bridge"):
        return True
    if lies(step, "engineer-bridge"):
        return on_foot(step) or not weighed(step) or step.reading("armor_on_engineer_bridges")
    if lies(step, "unfinished-bridge") and step.reading("unfinished_bridges"):
        return True
    return may_be_provided(step) and step.told_of_pair_now(*WAY_OVER)


def may_be_provided(step: Step) -> bool:
    """Whether a deployed Bridge Column, or a marker named after a bridge, may lie in one of the hexes."""
    return any(
        place.may_hold(bridge_column) or place.marked_with(BRIDGE_WORDS)
        for place in (step.into, step.out_of)
    )


def bridge_column(unit: Enemy) -> bool:
    return is_bridge(unit)


def weighed(step: Step) -> bool:
    """Whether it is German armor of a bridge class."""
    return step.is_("nation", GERMAN) and step.is_("bridge-class", "m", "h")


def too_heavy(step: Step) -> bool:
    """Whether it is heavy armor, and the bridge carries nothing better than a trail."""
    if not step.is_("nation", GERMAN) or not by_trail(step):
        return False
    return step.is_("bridge-class", "h")


def by_trail(step: Step) -> bool:
    """Whether the best road across the hexside is a trail."""
    better = [kind for kind in ROADS if kind != TRAIL]
    if any(step.lines.get(kind) for kind in better):
        return False
    if not step.lines.get(TRAIL) and not (TRAIL in perhaps_roads(step) and step.one_more(TRAIL)):
        return False
    return not any(kind in perhaps_roads(step) and step.one_more(kind) for kind in better)


def spared(step: Step) -> bool:
    """Whether a bridge spares it the cost of a stream or river."""
    return (not on_foot(step) or step.rule("5.4.1-c")) and bridged(step)


# -- help of engineers -----------------------------------------------------------------------------


def is_engineer(unit: Enemy) -> bool:
    return is_a(unit, "engineer")


def engineers_in(place: Locality) -> bool:
    """Whether friendly engineers are in a hex."""
    return place.friends_who(is_engineer)


def engineers_about(place: Locality) -> bool:
    """Whether friendly engineers are in a hex or beside it."""
    return any(one.friends_who(is_engineer) for one in (place, *place.near))


def helped(step: Step, clause: str) -> bool:
    """Whether engineers ease the crossing to a Leg unit (15.3), as far as that is settled: a reading says
    whether those at hand do."""
    if not on_foot(step) or not step.rule(clause) or not at_hand(step):
        return False
    return step.reading("engineers_help", "free")


def at_hand(step: Step) -> bool:
    """Whether an engineer unit is in or next to one of the hexes, or is the mover or moves with it."""
    if is_a(step, "engineer") or step.sets_out_with(is_engineer):
        return True
    return step.into.locally(engineers_about) or step.out_of.locally(engineers_about)


# -- streams ---------------------------------------------------------------------------------------


def over_stream(step: Step) -> bool:
    """Whether it crosses a stream by no bridge."""
    return step.by in (OFF, "as clear, by road") and lies(step, STREAM) and not spared(step)


@forbid(
    "5.4.2-b1",
    "takes towed artillery over an unbridged stream",
    classes=MECH_MARCHES + LEG_MARCHES,
    of_sides=True,
)
def towed_guns(step: Step) -> bool:
    """Towed artillery crosses streams at bridges only."""
    return in_force(step) and is_a(step, "artillery") and towed(step) and over_stream(step)


@forbid("5.4.2-b2", "takes US AT over an unbridged stream", classes=OFF_ROADS, of_sides=True)
def us_at(step: Step) -> bool:
    """So does US AT; whether self-propelled AT does is open."""
    if not in_force(step) or not is_a(step, "at") or not step.is_("nation", US):
        return False
    if not over_stream(step) or (step.rule("5.4.2-b1") and towed_gun(step)):
        return False
    if helped(step, "5.4.2-d"):
        return False
    return step.is_("class", LEG) or step.reading("sp_us_at_at_streams")


def towed_gun(step: Step) -> bool:
    return is_a(step, "artillery") and towed(step)


def banned(step: Step) -> bool:
    """Whether a stream is closed to it whatever it pays."""
    if step.rule("5.4.2-b1") and towed_gun(step):
        return True
    at = is_a(step, "at") and step.is_("nation", US) and step.rule("5.4.2-b2")
    return at and (step.is_("class", LEG) or step.reading("sp_us_at_at_streams"))


@cost(
    "5.4.2-c1",
    "crosses a stream",
    classes=BY_TACTICS,
    late="crosses a stream with German Leg AT after having moved",
    cites=lambda step: "5.4.2-c2",
    of_sides=True,
    always=True,
)
def german_at(step: Step) -> int | str:
    """German Leg AT crosses a stream only from where it began (5.4.2-c1), and spends its whole MA on it."""
    if not is_a(step, "at") or not step.is_("nation", GERMAN) or not step.is_("class", LEG):
        return 0
    if not over_stream(step) or helped(step, "5.4.2-d"):
        return 0
    if is_marked(step, "motor") and not step.reading("leg_at_at_streams_on_trucks"):
        return 0
    return WHOLE if step.rule("5.4.2-c2" if step.first else "5.4.2-c1") else 0


@cost("5.4.2-a", "stream", classes=BY_TACTICS, always=True, of_sides=True)
def streams(step: Step) -> CostInterval | int:
    """Crossing a stream costs MPs besides; engineers may ease it to Leg units (5.4.2-d)."""
    if not over_stream(step) or banned(step):
        return 0
    return 0 if helped(step, "5.4.2-d") else charged(step, "hexsides", STREAM)


@forbid("5.7.0-b", "crosses a stream", classes=OFF_ROADS, of_sides=True)
def closed_streams(step: Step) -> bool:
    """The chart may close streams to a movement class."""
    if not in_force(step) or not over_stream(step) or banned(step) or helped(step, "5.4.2-d"):
        return False
    return step.barred(charged(step, "hexsides", STREAM), "stream")


# -- rivers, as Mech -------------------------------------------------------------------------------


def usable(step: Step) -> bool:
    """Whether there is a bridge, and the mover is not too heavy for it."""
    return bridged(step) and not (step.rule("5.4.3a-d") and too_heavy(step))


@forbid(
    "5.4.3a-a",
    "crosses a river without a ford or a standing bridge",
    classes=MECH_MARCHES,
    of_sides=True,
)
def mech_at_rivers(step: Step) -> bool:
    """Mech units cross rivers at fords and standing bridges only."""
    if not in_force(step) or not river(step) or forded(step):
        return False
    return not bridged(step)


@forbid(
    "5.4.3a-d",
    "takes heavy armor over a bridge that carries a trail over a river",
    classes=MECH_MARCHES,
    of_sides=True,
)
def heavy_armor(step: Step) -> bool:
    """German heavy armor uses no bridge by which a trail crosses a river."""
    if not in_force(step) or not river(step) or forded(step):
        return False
    return bridged(step) and too_heavy(step)


@cost("5.4.3a-b", "ford or bridge over a river", classes=(AS_MECH,), of_sides=True)
def three_more(step: Step) -> int:
    """A Mech unit pays 3 MP besides the hex; whether it does at bridges is open."""
    if step.by != OFF or not river(step):
        return 0
    if bridged(step) and (usable(step) or not forded(step)):
        return 3 if step.reading("bridge_plus3") else 0
    return 3


# -- rivers, on foot -------------------------------------------------------------------------------


def wades(step: Step, name: str) -> bool:
    """Whether it crosses a river by neither bridge nor ford."""
    if step.by not in (OFF, "as clear, by road") or not lies(step, name):
        return False
    return not spared(step) and not (step.rule("5.4.3b-b") and forded(step))


@cost("5.4.3b-a", "minor-river", classes=(AS_LEG,), always=True, of_sides=True)
def minor_rivers(step: Step) -> CostInterval | int:
    """Leg units cross minor rivers if they can pay; engineers may ease it (5.4.3b-c)."""
    if not wades(step, "minor-river") or helped(step, "5.4.3b-c"):
        return 0
    return charged(step, "hexsides", "minor-river")


@forbid("5.7.0-b", "crosses a minor-river", classes=LEG_MARCHES, of_sides=True)
def closed_rivers(step: Step) -> bool:
    """The chart may close minor rivers."""
    if not in_force(step) or not wades(step, "minor-river") or helped(step, "5.4.3b-c"):
        return False
    return step.barred(charged(step, "hexsides", "minor-river"), "river")


@forbid(
    "5.4.3b-e",
    "crosses a major river without an engineer unit at hand",
    classes=LEG_MARCHES,
    of_sides=True,
)
def meuse(step: Step) -> bool:
    """Leg units cross the Meuse with the help of an engineer unit in one of the two hexes."""
    if not in_force(step) or not wades(step, "major-river"):
        return False
    if step.sets_out_with(is_engineer):
        return False
    if step.into.locally(engineers_in) or step.out_of.locally(engineers_in):
        return False
    return not (is_a(step, "engineer") and step.reading("engineer_helps_itself"))


@cost("5.4.3b-f", "crosses a major river", classes=(AS_LEG,), of_sides=True)
def all_for_the_meuse(step: Step) -> int | str:
    """Crossing it takes the whole MA."""
    return WHOLE if step.tag.line is None and wades(step, "major-river") else 0


@forbid("5.4.3b-f", "crosses a major river after having moved", classes=(AS_LEG,), of_sides=True)
def meuse_after_moving(step: Step) -> bool:
    """Whether a unit that has moved may still cross it is open."""
    if step.tag.line is None or not wades(step, "major-river"):
        return False
    return not step.reading("meuse_after_moving")


@must_stop("5.4.3b-f", "goes on after crossing a major river", classes=(AS_LEG,), of_sides=True)
def stop_at_the_meuse(step: Step) -> bool:
    """It moves no farther then."""
    return wades(step, "major-river")


# -- by road ---------------------------------------------------------------------------------------


def at_water(step: Step) -> bool:
    return step.by != OFF and any(step.on_side(name) for name in WATERS)


@forbid(
    "5.6.2-a", "goes by road over water without a standing bridge", classes=BY_ROAD, of_sides=True
)
def no_bridge(step: Step) -> bool:
    """Road movers cross water at bridges only."""
    return at_water(step) and not bridged(step)


@forbid(
    "5.6.2-d",
    "takes heavy armor over a bridge that carries a trail over a river",
    classes=BY_ROAD,
    of_sides=True,
)
def heavy_armor_by_trail(step: Step) -> bool:
    """German heavy armor uses no bridge by which a trail crosses a river."""
    if step.by == OFF or step.by.kind != TRAIL or not river(step):
        return False
    return too_heavy(step)


def water(step: Step) -> str:
    return " and ".join(name for name in step.drawn if name in WATERS) or "water"


@cost("5.6.2-b", water, classes=BY_ROAD, always=True, of_sides=True)
def by_bridge(step: Step) -> CostInterval | int:
    """By road a bridge costs nothing besides the road."""
    if step.by == OFF or step.rule("5.6.2-b"):
        return 0
    if lies(step, STREAM):
        return charged(step, "hexsides", STREAM)
    return 3 if river(step) else 0
