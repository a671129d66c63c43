"""What a step costs by terrain, hills, roads and bridges, and what of these forbids it."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from ...cost_interval import ANYTHING, FREE, CostInterval, total, union
from ...engine.clauses import cost, forbid, must_stop, ways
from ...engine.hex_view import HexView
from ...engine.step import Step
from .terms import (
    ANY_ROAD,
    BRIDGE,
    DEPTH,
    FEATURES,
    HALF,
    NO_CLASS,
    OFF_ROAD,
    OVER_BRIDGE,
    RAILWAY,
    SNOW_BRIDGE,
    STREAM,
    TRUCK,
    VEHICLES,
    WADI,
)

ANY = ""
"""Stands for a clause that what it is about decides: see ``cites``."""
MV_G = ("MV-g", "MV-g")
CLAUSES = {
    "woods": ("EX3-b", "MV-g"),
    "building": ("X-BU-a", "MV-g"),
    "collapsed building": ("MV-g", "X-BU-b"),
    "pond": ("X-PO-a", "X-PO-a"),
    "beach": ("X-BE", "MV-g"),
    WADI: ("X-WA-a", "X-WA-a"),
    "shallow": ("X-ST-a", "X-ST-a"),
    "deep": ("X-ST-b", "X-ST-b"),
    "flooded": ("X-ST-c", "X-ST-c"),
    "frozen": ("X-ST-d", "X-ST-d"),
}
"""Terrain, or depth of a stream → the clause cited for its cost, and the one cited if it is prohibited."""
COMBINE = (
    "does a climb into woods and the like cost the dearer of the climb and the terrain, or both?"
)
ROAD_HEX = "do woods with a road cost their terrain, or a road hex, to a unit that enters them off the road?"

# -- the ways of a step ----------------------------------------------------------------------------


def useful(step: Step, kind: str) -> bool:
    """Whether a road of a kind is of use: its clause is in force (TX-2, X-HI-d, X-RR)."""
    if kind == RAILWAY:
        return step.rule("X-RR")
    return step.rule("X-HI-d") or (step.cls == TRUCK and step.rule("TX-2"))


def tried(step: Step) -> Iterator[str]:
    """The ways in which a step may be made: off the road, over a bridge, along each road perhaps there."""
    yield OFF_ROAD
    if step.rule("X-BR-a"):
        yield OVER_BRIDGE
    charted = step.tables["roads"]
    yield from (kind for kind in sorted(charted) if useful(step, kind))
    yield from (kind for kind in step.lines if kind not in charted)
    if step.any_line and not step.rules.complete.has("roads"):
        yield ANY_ROAD


@ways("X-HI-d")
def there(step: Step) -> bool:
    """A road serves who goes between two contiguous hexes of it. Neighbouring hexes of one winding road, the
    hexside between which it does not cross, may be contiguous or not."""
    if step.by == OFF_ROAD:
        return True
    if step.by == OVER_BRIDGE:
        return bridged(step)
    if step.by not in step.tables["roads"]:
        return step.by != ANY_ROAD or step.crosses(ANY_ROAD)
    if along(step).barred is True:
        return False
    if step.lines.get(step.by):
        return True
    if one_road(step):
        text = "are {} and {} contiguous hexes of one road, though it does not cross their hexside?"
        if step.told_of_pair("road from {} to {}", text):
            return True
    return step.crosses(step.by)


def one_road(step: Step) -> bool:
    """Whether two neighbouring hexes may lie on one road of the kind that is followed, or the bridge in one
    of them on a road that ends in the other."""
    cars = roads_of_cars(step)
    if step.by == RAILWAY:
        return step.into.has_line_of(RAILWAY) and any(
            step.out_of.has_line_of(kind) for kind in (RAILWAY, *cars)
        )
    return (
        step.joined(cars)
        or meets_bridge(step.out_of, step.into, cars)
        or meets_bridge(step.into, step.out_of, cars)
    )


def meets_bridge(road: HexView, bridge: HexView, cars: tuple[str, ...]) -> bool:
    """Whether a road may go on over a bridge in the neighbouring hex, though it is not drawn there."""
    may = bridge.surely_has(BRIDGE, SNOW_BRIDGE) or bridge.perhaps(BRIDGE, SNOW_BRIDGE)
    return may and bridge.features_in_doubt and road.may_be_on_lines(cars)


def roads_of_cars(step: Step) -> tuple[str, ...]:
    """The kinds of road that vehicles use; not railways."""
    return tuple(kind for kind in sorted(step.tables["roads"]) if kind != RAILWAY)


def bridged(step: Step) -> bool:
    """Whether there is a bridge in the hex entered; asked where a stream is and the board does not say."""
    into, bridges = step.into, (BRIDGE, SNOW_BRIDGE)
    if into.surely_has(*bridges):
        return True
    told = into.all_told or STREAM not in into.named_terrains
    if told and not (into.named_terrains and into.perhaps(*bridges)):
        return False
    return step.told_of_hex("bridge in {}", "is there a bridge in {}?")


def along(step: Step) -> CostInterval:
    """What a step along the road costs. Without TX-2 trucks pay as other light vehicles."""
    thirds = step.cls != TRUCK or step.by == RAILWAY or step.rule("TX-2")
    return open_ended(step.charge("roads", step.by, step.cls if thirds else "light"))


def of_road(step: Step) -> str:
    if step.by == RAILWAY:
        return "X-RR"
    if step.by not in step.tables["roads"]:
        return "X-HI-d"
    return "TX-2" if step.cls == TRUCK and step.rule("TX-2") else "X-HI-d"


@cost(
    ANY,
    lambda step: f"along the {step.by}" if step.by in step.tables["roads"] else step.by,
    cites=of_road,
)
def roads(step: Step) -> CostInterval:
    """Along a contiguous road or railway a hex costs 1 MP, uphill and in any terrain; a truck pays a third of
    it on roads."""
    if step.by in (OFF_ROAD, OVER_BRIDGE):
        return FREE
    return ANYTHING if step.by == ANY_ROAD else along(step)


@cost("X-BR-a", "bridge")
def bridges(step: Step) -> CostInterval:
    """A bridge hex costs 1 MP, from whatever side."""
    return step.charge("bridges", "cost", step.cls) if step.by == OVER_BRIDGE else FREE


# -- out of play, and cliffs -----------------------------------------------------------------------


@forbid("HH-a", "enters a half hex, out of play")
def half_hexes(step: Step) -> bool:
    """The half hexes along the frame of the board are out of play."""
    return step.into.holds(HALF)


def over_cliff(step: Step) -> str:
    return f"crosses the cliff between {step.here} and {step.there}"


@forbid("EX2-a", over_cliff)
def up_a_cliff(step: Step) -> bool:
    """A hex two levels higher cannot be entered, along a road neither."""
    return step.rise > 1


@forbid("X-HI-c", over_cliff)
def down_a_cliff(step: Step) -> bool:
    """A hex two levels lower cannot be entered."""
    return step.rise < -1


# -- the ground ------------------------------------------------------------------------------------


def terrains(step: Step) -> tuple[list[str], list[str]]:
    """The terrains in the hex entered, a stream by its depth; and its features that cost something."""
    into = step.into
    depth = str(step.fact(DEPTH).value)
    names = [depth if name == STREAM else name for name in into.known_terrains]
    more = [
        name for name in into.features if name not in FEATURES or name in step.tables["terrain"]
    ]
    return names, [name for name in more if name not in names]


def entering(step: Step, *names: str) -> CostInterval:
    """What terrains cost who enters the hex."""
    return step.entering("terrain", step.into, names, ())


def open_ended(found: CostInterval) -> CostInterval:
    """A cost; one without an upper bound may also be the whole allowance."""
    return found if found.hi is not None else found._replace(whole=None)


def ground(step: Step) -> CostInterval:
    """What the terrain of the hex entered costs, without a climb."""
    names, features = terrains(step)
    found = step.entering("terrain", step.into, names, features)
    charted, whole = step.rules.charts["terrain"], step.rules.complete.has("terrain")
    if not whole and any(name not in charted for name in features):
        found = found._replace(lo=0)  # it may be one that makes the hex cheaper
    if names == ["clear"] and not features and not step.rule(of_ground(step)):
        return FREE
    return open_ended(downhill(step, names, beside_road(step, names, found)))


def beside_road(step: Step, names: list[str], found: CostInterval) -> CostInterval:
    """The cost in a hex with a road. Whether it still costs as its terrain to who enters it off the road is
    an open reading."""
    if names in ([], ["clear"]) or found.barred is True:
        return found
    clear = step.quietly(partial(entering, step, "clear"))
    reading = step.tables["hills"]["road_hex"]
    if reading != "terrain":
        if step.into.on_lines(roads_of_cars(step)):
            if reading == "unknown" and found.is_exact and found != clear:
                step.left_open(("hills", "road_hex"), ROAD_HEX)
            return clear if reading == "road" else union(clear, found)
        if not step.rules.complete.has("roads"):
            for kind in step.into.lines_besides(step.tables["roads"]):
                step.charge("roads", kind, step.cls)
                return union(clear, found)
    return found


def downhill(step: Step, names: list[str], found: CostInterval) -> CostInterval:
    """The cost downhill in terrain other than clear: the text names 1 MP for each hex, and no terrain
    (EX1-b). So it is open, unless the pack settles how hills and terrain combine."""
    if names in ([], ["clear"]) or found.barred is True or not step.rule("EX1-b"):
        return found
    if step.tables["hills"]["combine"] != "unknown" or step.rise >= 0:
        return found
    clear = step.quietly(partial(entering, step, "clear"))
    if found.is_exact and found.lo > clear.lo:
        step.left_open(("hills", "combine"), COMBINE)
    return union(clear, found)


def of_ground(step: Step) -> str:
    """The clause cited for what the ground costs."""
    names, features = terrains(step)
    if [*names, *features] == ["clear"]:
        if step.rise < 0:
            return "EX1-b"
        return "X-HI-a" if step.rise == 0 and step.into.level else "MV-g"
    named = (CLAUSES.get(name, MV_G)[0] for name in (*names, *features) if name != "clear")
    return next((clause for clause in named if clause != "MV-g"), "MV-g")


def what_is(step: Step) -> str:
    features = [f for f in step.into.named_features if f in step.tables["terrain"]]
    every = dict.fromkeys((*step.into.named_terrains, *features))
    return " and ".join(every) or "a hex of unknown terrain"


@cost(
    ANY,
    lambda step: f"{what_is(step)}, uphill" if is_range(step) else what_is(step),
    cites=of_ground,
)
def terrain(step: Step) -> CostInterval:
    """What entering a hex costs depends on its terrain (MV-g), which has costs of its own in some clauses."""
    if step.by != OFF_ROAD:
        return FREE
    found = ground(step)
    return dearer(step, found) if is_range(step) else found


def is_range(step: Step) -> bool:
    """Whether the dearer of terrain and climb is due, and what the terrain costs is a range: then both are
    one charge."""
    if step.tables["hills"]["combine"] != "dearest" or not step.rule("X-HI-b") or step.rise < 1:
        return False
    found = step.quietly(partial(ground, step))
    return found.barred is False and found.whole is False and not found.is_exact


def dearer(step: Step, found: CostInterval) -> CostInterval:
    up = step.charge("hills", "up", step.cls).lo
    return CostInterval(max(found.lo, up), None if found.hi is None else max(found.hi, up))


def of_climb(step: Step) -> str:
    return "EX2-b" if step.into.named_terrains == ("clear",) else "X-HI-b"


@cost(ANY, "uphill", cites=of_climb)
def climb(step: Step) -> CostInterval:
    """A hex one level higher costs 2 (EX2-b), whatever grows there no less (X-HI-b); whether the climb comes
    on top of the terrain is open."""
    if step.by != OFF_ROAD or step.rise < 1 or is_range(step) or not step.rule(of_climb(step)):
        return FREE
    found = step.quietly(partial(ground, step))
    if found.barred is True:
        return FREE
    up = step.charge("hills", "up", step.cls).lo
    short = max(0, up - found.lo)
    if step.into.named_terrains != ("clear",):
        how = step.setting(("hills", "combine"), ("dearest", "sum"), COMBINE)
        if how == "sum":
            short = max(0, up - step.quietly(partial(entering, step, "clear")).lo)
    return CostInterval(short, short)


def barring(step: Step) -> str:
    """The clause by which the ground is closed."""
    names, features = terrains(step)
    closed = (n for n in (*names, *features) if step.may_close("terrain", n, step.cls))
    return next((CLAUSES.get(name, MV_G)[1] for name in closed), "MV-g")


@forbid(ANY, lambda step: f"enters {what_is(step)}, closed to {step.who}", cites=barring)
def closed_ground(step: Step) -> bool:
    """Some terrain is closed to all, or to vehicles: ponds, flooded streams, collapsed buildings."""
    return step.by == OFF_ROAD and step.barred(ground(step), "ground")


def side_names(step: Step) -> list[str]:
    charted, whole = step.tables["hexsides"], step.rules.complete.has("hexsides")
    return [*charted, *(name for name in step.drawn if name not in charted and not whole)]


def side_cost(step: Step) -> CostInterval:
    """What lies on the hexside costs; what no chart has may cost anything."""
    own = [
        step.if_on_side(n, partial(step.charge, "hexsides", n, step.cls)) for n in side_names(step)
    ]
    open_ = step.anything_on_side or bool(step.perhaps_on_side)
    if open_ and not step.rules.complete.has("hexsides"):
        own.append(union(FREE, step.anything()))
    return open_ended(total(own))


def crossed(step: Step) -> str:
    return " and ".join(step.drawn) or "hexside"


@cost("MV-g", crossed)
def hexsides(step: Step) -> CostInterval:
    """What lies on a hexside may cost something besides; not along a road."""
    return side_cost(step) if step.by in (OFF_ROAD, OVER_BRIDGE) else FREE


@forbid("MV-g", lambda step: f"crosses {crossed(step)}, closed to {step.who}")
def closed_hexsides(step: Step) -> bool:
    """The chart may close what lies on a hexside."""
    if step.by not in (OFF_ROAD, OVER_BRIDGE):
        return False
    return step.barred(side_cost(step), "hexside")


# -- rolls that stop vehicles ----------------------------------------------------------------------


def rolled(step: Step) -> str:
    return f"goes on after a failed roll stopped it in {step.there}"


def failed(step: Step) -> bool:
    return step.named_in("stalled", "in which hex did a failed roll stop {}, if in any?")


@must_stop("X-BR-b", rolled, classes=(TRUCK, NO_CLASS))
def snow_bridges(step: Step) -> bool:
    """A truck that fails its roll on a snow bridge stays there."""
    return step.into.holds(SNOW_BRIDGE) and step.of(TRUCK) and failed(step)


@must_stop("X-WA-a", rolled, classes=(*VEHICLES, NO_CLASS))
def wadis(step: Step) -> bool:
    """A vehicle that fails its roll on the way into a wadi or out of it is stopped; the rule is optional."""
    if step.into.holds(WADI) == step.out_of.holds(WADI) or not step.of(*VEHICLES):
        return False
    text = "is the optional rule on wadis played?"
    return step.setting(("wadi", "played"), ("yes", "no"), text) == "yes" and failed(step)
