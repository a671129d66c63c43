"""What a step costs by terrain, and what terrain forbids (6.1a, 6.1d, 6.2)."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from ...concepts.charts import Mixture, cheapest
from ...cost_interval import ANYTHING, FREE, CostInterval, total, union
from ...engine.clauses import cost, forbid, ways
from ...engine.hex_view import HexView
from ...engine.step import Step
from .terms import ANY_ROAD, BRIDGE, LAND, NUB, NUMBERED, OFF_ROAD, OVER_BRIDGE

# -- the ways of a step ----------------------------------------------------------------------------


def tried(step: Step) -> Iterator[str]:
    """The ways in which a step may be made: off the road, over a bridge, along each road perhaps there."""
    yield OFF_ROAD
    yield OVER_BRIDGE
    if not step.rule("6.2a-b"):
        return
    charted, lines = step.tables["roads"], step.lines
    everywhere = step.any_line or not step.rule("6.2a-a")
    for kind in charted:
        if everywhere or kind in lines:
            yield kind
    if not step.rule("6.2a-c"):
        yield from (f"{kind}{NUMBERED}{line}" for kind, line in step.lines_apart)
    yield from (kind for kind in lines if kind not in charted)
    if step.any_line and not step.rules.complete.has("roads"):
        yield ANY_ROAD


@ways("6.2a-a")
def there(step: Step) -> bool:
    """A road serves a unit only where it runs across the hexside crossed; all roads in a hex are linked."""
    if step.by == OFF_ROAD:
        return True
    if step.by == OVER_BRIDGE:
        return bridged(step)
    kind, line = followed_kind(step), NUMBERED in step.by
    if kind in step.tables["roads"] and road(step).barred is True:
        return False
    if not step.rule("6.2a-c"):  # roads are then followed line by line
        if not linked(step, kind) or (step.lines.get(kind) and not line):
            return False
        if line:
            return True
    if not step.rule("6.2a-a") and kind in in_both(step):
        return True
    return step.crosses(kind)


def linked(step: Step, kind: str) -> bool:
    """Whether the way of the step before may be followed further by this one: of a road that perhaps is there
    nobody can say that it is another one of its kind."""
    came = step.came_by
    if came in (None, OFF_ROAD, OVER_BRIDGE, step.by):
        return True
    return kind == str(came).partition(NUMBERED)[0] and kind in (came, step.by)


def followed_kind(step: Step) -> str:
    """The kind of road that is followed."""
    return str(step.by).partition(NUMBERED)[0]


def road(step: Step) -> CostInterval:
    return step.charge("roads", followed_kind(step), step.cls)


def in_both(step: Step) -> list[str]:
    """The kinds of road that both hexes hold, whether or not one leads from hex to hex."""
    both = step.into.lines_drawn() & step.out_of.lines_drawn()
    return [kind for kind in step.tables["roads"] if kind in both] if step.rule("6.2a-b") else []


def bridged(step: Step) -> bool:
    """Whether there is a bridge over the hexside, or what no chart has and may serve as one, such as a
    ferry."""
    return step.on_side(BRIDGE) or any(step.on_side(name) for name in strange(step))


def strange(step: Step) -> list[str]:
    """What lies, or may lie, on the hexside and is in no chart. A river's nub is nothing (6.2d-w3)."""
    known = {LAND, BRIDGE, *step.tables["hexsides"]}
    every = (*step.drawn, *step.perhaps_on_side)
    nubs = step.rule("6.2d-w3")
    return [n for n in every if n.removesuffix(NUB) not in known and not (nubs and n.endswith(NUB))]


# -- hexes -----------------------------------------------------------------------------------------


def counted(step: Step, names: tuple[str, ...], *, nubs: bool = True) -> tuple[str, ...]:
    """Those of the terrains in a hex that count, without the suffix " nub": a nub counts (6.2d-b), unless it
    is one of a city or village (6.2d-c)."""
    ignored = step.tables["nubs"]["ignored"] if step.rule("6.2d-c") else ()
    found = dict[str, None]()
    for name in names:
        whole = name.removesuffix(NUB)
        nub = nubs and step.rule("6.2d-b") and whole not in ignored
        if name == whole or nub:
            found[whole] = None
    return tuple(found)


def terrains(
    step: Step, at: HexView, *, nubs: bool = True
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The terrains in a hex that count, and the features. Of nubs alone each is all there is."""
    told = at.known_terrains
    names = counted(step, told, nubs=nubs)
    if not names and nubs:
        names = tuple(name.removesuffix(NUB) for name in told)
    return names, counted(step, at.features, nubs=nubs)


def hex_cost(step: Step, at: HexView, *, nubs: bool = True) -> CostInterval:
    """What entering a hex costs off the road: the dearest terrain in it counts (6.2d-a)."""
    names, features = terrains(step, at, nubs=nubs)
    mix: Mixture = "dearest" if step.rule("6.2d-a") else "cheapest"
    found = step.entering("terrain", at, names, features, mix)
    if not step.rule("6.1a-a"):
        found = CostInterval(0, 0, found.barred)
    return found if step.rule("6.2c-a") or found.barred is False else opened(found)


def opened(cost_: CostInterval) -> CostInterval:
    """A cost without its prohibition."""
    return cost_._replace(barred=False)


def what_is(step: Step, at: HexView) -> str:
    charted = step.tables["terrain"]
    features = (name for name in counted(step, at.named_features) if name in charted)
    names = (*counted(step, at.known_terrains), *features)
    return (
        " and ".join(names)
        if names
        else at.words
        if at.known_terrains
        else "a hex of unknown terrain"
    )


def cited(step: Step) -> str:
    """The clause that says which terrain of the hex entered counts."""
    names, features = terrains(step, step.into)
    if not step.lines and not step.any_line and in_both(step) and step.rule("6.2a-a"):
        return "6.2a-a"  # roads in both hexes are no help where none crosses the hexside
    if on_nubs(step, step.into):
        return "6.2d-b"
    many = len((*names, *(f for f in features if f in step.tables["terrain"]))) > 1
    return "6.2d-a" if many else "6.1a-a"


def on_nubs(step: Step, at: HexView) -> bool:
    """Whether a hex would cost something else without its nubs."""
    every = (*at.known_terrains, *at.features)
    if not any(name.endswith(NUB) for name in every):
        return False
    return hex_cost(step, at, nubs=False) != hex_cost(step, at)


def entered(step: Step) -> str:
    remark = {"6.2d-b": ", a nub counted", "6.2a-a": ", no road followed"}
    return what_is(step, step.into) + remark.get(cited(step), "")


@cost("6.1a-a", entered, cites=cited)
def terrain(step: Step) -> CostInterval:
    """The terrain of the hex entered says what entering it costs; of several the dearest counts (6.2d-a), and
    a nub of it is enough (6.2d-b)."""
    if step.by not in (OFF_ROAD, OVER_BRIDGE):
        return FREE
    found = hex_cost(step, step.into)
    return FREE if step.by == OVER_BRIDGE and found.barred is True else found


def followed(step: Step) -> str:
    kind = followed_kind(step)
    return f"along {kind}" if kind in step.tables["roads"] else kind


@cost("6.2a-b", followed)
def along_roads(step: Step) -> CostInterval:
    """Along a road a unit pays the road's cost, and nothing for what else is in the hex or on the hexside."""
    if step.by == ANY_ROAD:
        return ANYTHING
    return FREE if step.by in (OFF_ROAD, OVER_BRIDGE) else road(step)


def into_closed(step: Step) -> str:
    remark = {
        "6.2d-b": " (nubs count, OCS-6.2d-b)",
        "6.2d-a": " (the dearest counts, OCS-6.2d-a)",
        "6.2a-a": " (no road is followed, OCS-6.2a-a)",
    }.get(cited(step), "")
    return f"enters {what_is(step, step.into)}, prohibited to {who(step)}{remark}"


def who(step: Step) -> str:
    return step.who or "an unknown class"


@forbid("6.2c-a", into_closed)
def closed_hexes(step: Step) -> bool:
    """Prohibited hexes are entered only by road or bridge; whether a bridge without a road will do is
    open."""
    if step.by not in (OFF_ROAD, OVER_BRIDGE):
        return False
    closed = step.barred(hex_cost(step, step.into), "into")
    return closed and not (step.by == OVER_BRIDGE and step.reading("bridge_opens"))


def out_of_closed(step: Step) -> str:
    return f"leaves {what_is(step, step.out_of)}, prohibited to {who(step)}, off the road"


@forbid("6.1d-a", out_of_closed)
def there_and_back(step: Step) -> bool:
    """A unit goes from hex to hex only where it could also go back the same way."""
    if step.by not in (OFF_ROAD, OVER_BRIDGE):
        return False
    closed = step.barred(hex_cost(step, step.out_of), "out of")
    return closed and not (step.by == OVER_BRIDGE and step.reading("bridge_opens"))


# -- hexsides --------------------------------------------------------------------------------------


def pays_crossing(step: Step) -> bool:
    """Whether what lies on the hexside matters: not along a road, nor over a bridge."""
    return step.by == OFF_ROAD or (step.by != OVER_BRIDGE and not step.rule("6.2b-b"))


def lies(step: Step, name: str) -> bool:
    """Whether a feature lies on the hexside. A river's nub is nothing (6.2d-w3)."""
    return step.on_side(name) or (not step.rule("6.2d-w3") and step.on_side(name + NUB))


def beside_water(step: Step) -> CostInterval:
    """What the hexside costs but for its water."""
    charted = step.tables["hexsides"]
    names = [*(name for name, row in charted.items() if not row.get("water")), *strange(step)]
    own = [step.if_on_side(n, partial(step.charge, "hexsides", n, step.cls)) for n in names]
    return total((*own, of_any_other(step)))


def waters(step: Step) -> list[str]:
    """The waters on the hexside that count: on a shore, where part of the hexside is land, rivers alone
    (6.2d-w1, 6.2d-w3)."""
    charted = step.tables["hexsides"]
    there = [name for name, row in charted.items() if row.get("water") and lies(step, name)]
    filling = [n for n in there if charted[n].get("river") and step.rule("6.2d-w3")]
    ashore = filling != there and step.rule("6.2d-w1") and step.on_side(LAND)
    return filling if ashore else there


def water_cost(step: Step) -> CostInterval:
    """What the water on the hexside costs: of several the cheapest counts (6.2d-w2)."""
    every = [of_water(step, name) for name in waters(step)]
    if len(every) > 1 and step.rule("6.2d-w2"):
        return cheapest(every)
    return total(every)


def of_water(step: Step, name: str) -> CostInterval:
    """What one water costs; a river that engineers bridge costs less (6.2b-c)."""
    own = step.charge("hexsides", name, step.cls)
    if not step.rule("6.2c-a"):
        own = opened(own)
    river = step.tables["hexsides"][name].get("river")
    if not river or not step.rule("6.2b-c"):
        return own
    return step.if_true("bridging", partial(if_bridged, step, name, own), own)


def if_bridged(step: Step, name: str, own: CostInterval) -> CostInterval:
    lowered = step.charge("bridged", name, step.cls)
    return at_most(own) if lowered.hi is None else lowered


def at_most(own: CostInterval) -> CostInterval:
    """From nothing to a cost."""
    return CostInterval(0, own.hi if own.barred is False else None, own.barred and None)


def on_shore(step: Step) -> bool:
    """Whether rivers count because they fill their hexside, in spite of land on it."""
    return step.rule("6.2d-w1") and step.rule("6.2d-w3") and LAND in step.drawn


def crossed(step: Step) -> str:
    charted = step.tables["hexsides"]
    names = [name for name in step.drawn if name not in (LAND, BRIDGE)]
    dry = [name for name in names if not charted.get(name, {}).get("water")]
    return " and ".join(dry) or "hexside"


@cost("6.2b-a", crossed)
def hexsides(step: Step) -> CostInterval:
    """What a hexside feature costs is added to the cost of the hex entered."""
    return beside_water(step) if pays_crossing(step) else FREE


def water_crossed(step: Step) -> str:
    if step.by == OVER_BRIDGE:
        wet = [n for n in step.drawn if step.tables["hexsides"].get(n, {}).get("water")]
        return f"{' or '.join(wet)} with a bridge" if wet else "bridge"
    names = " or ".join(waters(step)) or "hexside"
    return f"{names}, which fills its hexside" if on_shore(step) else names


@cost("6.2b-a", water_crossed, cites=lambda step: "6.2d-w3" if on_shore(step) else "6.2b-a")
def water(step: Step) -> CostInterval:
    """The same for water: of several waters the cheapest counts, and a river even where part of its hexside
    is land, for it fills its hexside."""
    if step.by == OVER_BRIDGE:
        return by_bridge(step)
    return water_cost(step) if pays_crossing(step) else FREE


def by_bridge(step: Step) -> CostInterval:
    """What crossing over a bridge costs: as the chart has it, else from nothing to the cost of the water."""
    names = (*step.tables["hexsides"], *strange(step))
    found = [step.if_on_side(name, partial(over_bridge, step, name)) for name in names]
    return total((*found, of_any_other(step)))


def of_any_other(step: Step) -> CostInterval:
    """What a feature may cost of which the chart, not being whole, says nothing."""
    whole = step.rules.complete.has("hexsides")
    return union(FREE, step.anything()) if step.anything_on_side and not whole else FREE


def over_bridge(step: Step, name: str) -> CostInterval:
    row = step.tables["hexsides"].get(name, {})
    if not row.get("water"):
        return union(FREE, step.charge("hexsides", name, step.cls))
    found = step.charge("bridge", name, step.cls)
    return (
        found if found.hi is not None else opened(at_most(step.charge("hexsides", name, step.cls)))
    )


def over_closed(step: Step) -> str:
    what = " or ".join(waters(step)) or crossed(step)
    remark = " (rivers fill their hexsides, OCS-6.2d-w3)" if on_shore(step) else ""
    return f"crosses a {what}, prohibited to {who(step)}{remark}"


@forbid("6.2c-a", over_closed)
def closed_hexsides(step: Step) -> bool:
    """Prohibited hexsides are crossed only by road or bridge."""
    if not pays_crossing(step):
        return False
    if step.barred(beside_water(step), "beside"):
        return True
    closing = [n for n, row in step.tables["hexsides"].items() if row.get("water")]
    closing = [n for n in closing if step.may_close("hexsides", n, step.cls)]
    return any(lies(step, n) for n in closing) and step.barred(water_cost(step), "water")
