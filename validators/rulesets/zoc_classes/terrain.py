"""What a step costs by the terrain effects chart, and what it closes (6.A.2)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction
from typing import Literal

from ...concepts.charts import cheapest, dearest
from ...cost_interval import ANYTHING, FREE, CostInterval, total, union_all
from ...engine.clauses import cost, ways
from ...engine.hex_view import HexView
from ...engine.step import Step
from .rating import rated
from .terms import (
    ANY_ROAD,
    CLEAR,
    ENTRENCHMENT,
    FORT,
    OFF_ROAD,
    half,
    of_weather,
    weather_key,
)

Part = Literal["terrain", "hexsides", "roads"]
DUE_BY = {"terrain": "6.A.2-a", "hexsides": "6.A.2-d", "roads": ""}
OWN = {"mountain": "6.A.2-c", "minor river": "6.A.2-e"}
"""Feature → the clause that gives its cost, where that is not the general one."""
MIXES = {"all": total, "cheapest": cheapest, "dearest": dearest}
MORE, LESS = "6.A.2-g", "6.A.2-h"
"""The clauses of 1/2M+1 and 1/2M-1."""

# -- the ways of a step ----------------------------------------------------------------------------


def charted(step: Step, part: Part) -> frozenset[str]:
    """All names that a chart has in any weather."""
    return step.rules.rows_of(part)


def tried(step: Step) -> Iterator[str]:
    """The ways in which a step may be made: off the road, and along each line that may be a road."""
    yield OFF_ROAD
    known, lines = charted(step, "roads"), step.lines
    yield from sorted(kind for kind in known if step.any_line or kind in lines)
    yield from (kind for kind in lines if kind not in known)
    if step.any_line and not step.rules.complete.has("roads"):
        yield ANY_ROAD


@ways("6.A.2-a")
def there(step: Step) -> bool:
    """A road serves a unit where it runs across the hexside crossed."""
    return step.by == OFF_ROAD or step.crosses(step.by)


# -- weather ---------------------------------------------------------------------------------------


def zone_of(step: Step, at: HexView) -> str:
    """The weather zone of a hex: the first of its features that is one; empty for the rest of the board."""
    zones = step.rules.perhaps_on_board(step.tables["march"]["zones"])
    told = [name for name in at.named_features if name in zones]
    every = (zone for zone in (*told, *zones) if at.surely_has(zone) or at.perhaps(zone))
    return next((zone for zone in every if at.has((zone,))), "")


def weather_in(step: Step, at: HexView) -> str:
    """The weather in a hex: that of its zone (6.A.4-i)."""
    return step.word(weather_key(zone_of(step, at))) if step.rule("6.A.4-i") else CLEAR


def weather_over(step: Step) -> str:
    """The weather that counts between two hexes; that of which one, where they lie in two zones, is open."""
    into, out_of = weather_in(step, step.into), weather_in(step, step.out_of)
    return into if into == out_of or step.reading("zone_border", "entered") else out_of


# -- cells -----------------------------------------------------------------------------------------


def half_rating(step: Step, more: Fraction) -> CostInterval:
    """What a cell of 1/2M and some MPs more comes to: half the printed rating, never less than nothing."""

    def due(rating: Fraction) -> Fraction:
        base = rating if step.rule("6.D.1-c") else rated(step, rating)
        return max(Fraction(0), half(step, base, "half_R") + more)

    return step.growing("ma", due)


def one_cost(step: Step, part: Part, name: str, weather: str) -> CostInterval:
    """What one feature costs. A cell that rests on a clause that is switched off costs nothing."""
    chart = of_weather(part, weather)
    cell = step.rules.cell(chart, name, step.cls)
    clause = OWN.get(name, DUE_BY[part])
    if cell is not None:
        due = not clause or step.rule(clause)
        if cell.kind == "half":
            due = due and step.rule(LESS if cell.amount < 0 else MORE)
        elif cell.kind == "prohibited":
            due = step.rule("6.A.2-f")
        elif cell.kind == "unknown":
            due = due or step.rule("6.A.2-f")
        if not due:
            return FREE
    found = step.charge(chart, name, step.cls)
    if found.hi is None and part != "hexsides" and step.reading("least_hex_cost", "1"):
        return found._replace(lo=max(found.lo, step.rules.scale))
    return found


def mixed(step: Step, part: Part, names: list[str], weather: str) -> CostInterval:
    """What several features in a place cost together: which of them count is open."""
    costs = [one_cost(step, part, name, weather) for name in names]
    if len(costs) < 2:
        return costs[0] if costs else FREE
    if any(not one.is_exact for one in costs):  # which of them count can wait
        return union_all(mix(costs) for mix in MIXES.values())
    how = step.settled("several_hexsides" if part == "hexsides" else "several_terrains")
    return MIXES[how](costs)


def cited(step: Step, part: Part, names: Iterable[str]) -> str:
    """The clause to cite for what some features cost: their own, or that of half the rating, if one has it in
    a weather that may be."""
    weathers = step.fact("weather").options or (CLEAR, *step.tables["weather"])
    charts = [of_weather(part, str(weather).lower()) for weather in weathers]
    cells = [step.rules.cell(chart, name, step.cls) for chart in charts for name in names]
    halves = [cell.amount for cell in cells if cell is not None and cell.kind == "half"]
    own = [OWN[name] for name in names if name in OWN]
    found = [*own, *(LESS if more < 0 else MORE for more in halves)]
    return found[0] if found else DUE_BY[part] or DUE_BY["terrain"]


# -- hexes -----------------------------------------------------------------------------------------


def counted(step: Step, features: tuple[str, ...]) -> list[str]:
    """The features that count as terrain."""
    return [name for name in features if name in charted(step, "terrain")]


def strange(step: Step, features: tuple[str, ...]) -> list[str]:
    """The features of which no chart says anything, and no other rule."""
    known = (*charted(step, "terrain"), FORT, ENTRENCHMENT, *step.tables["march"]["zones"])
    return [name for name in features if name not in known]


def hex_cost(step: Step, at: HexView) -> CostInterval:
    """What entering a hex costs off the road."""
    terrains, features = at.known_terrains, at.features
    if not terrains:
        return at.anything(step.reading("least_hex_cost", "1"))
    names, weather = [*terrains, *counted(step, features)], weather_in(step, at)
    others = strange(step, features)
    if others and not step.rules.complete.has("terrain"):
        return total(step.charge("terrain", name, step.cls) for name in others)
    return mixed(step, "terrain", names, weather)


def entered(step: Step) -> str:
    names = (*step.into.known_terrains, *counted(step, step.into.named_features))
    return " and ".join(names) if names else "a hex of unknown terrain"


def cited_hex(step: Step) -> str:
    names = (*step.into.known_terrains, *counted(step, step.into.named_features))
    return cited(step, "terrain", names)


# -- roads -----------------------------------------------------------------------------------------


def road_cost(step: Step) -> CostInterval:
    if step.by == ANY_ROAD or step.by not in charted(step, "roads"):
        return ANYTHING if step.by == ANY_ROAD else step.charge("roads", step.by, step.cls)
    return one_cost(step, "roads", step.by, weather_over(step))


def followed(step: Step) -> str:
    return f"along {step.by}" if step.by in charted(step, "roads") else str(step.by)


def cited_road(step: Step) -> str:
    return cited(step, "roads", (str(step.by),))


def came(step: Step) -> str:
    return entered(step) if step.by == OFF_ROAD else followed(step)


def into_cost(step: Step) -> CostInterval:
    """What entering the hex costs: along a road what the chart has for that, else for its terrain."""
    return hex_cost(step, step.into) if step.by == OFF_ROAD else road_cost(step)


def as_far_as_closed(step: Step, found: CostInterval) -> CostInterval:
    """A cost that prohibits nothing where the clause about that is switched off."""
    if step.rule("6.A.2-f"):
        return found
    return FREE if found.barred else found._replace(barred=False)


def who(step: Step) -> str:
    return f"prohibited to {step.who}"


@cost(
    "6.A.2-a",
    came,
    cites=lambda step: cited_hex(step) if step.by == OFF_ROAD else cited_road(step),
    bars="6.A.2-f",
    closed=lambda step: f"enters {came(step)}, {who(step)}",
    always=True,
)
def terrain(step: Step) -> CostInterval:
    """Entering a hex costs what the chart has for its terrain, or for the road that leads into it. Prohibited
    terrain is not entered off the road; a road may be closed to a column of the chart (6.A.2-f)."""
    return as_far_as_closed(step, into_cost(step))


# -- hexsides --------------------------------------------------------------------------------------


def with_more(step: Step, names: list[str], weather: str) -> CostInterval:
    """What some features of the hexside cost together with one or more of those that may lie there besides:
    with one of them, or with all."""
    every = step.perhaps_on_side
    if step.anything_on_side:
        if not step.rules.complete.has("hexsides"):
            return step.anything()
        every = tuple(step.rules.charts["hexsides"])
    told = [one_cost(step, "hexsides", name, weather) for name in names]
    more = [one_cost(step, "hexsides", name, weather) for name in every if name not in names]
    how = step.rules.options["several_hexsides"]
    mixes = MIXES.values() if how == "any" else (MIXES[how],)
    some = [[*told, *more], *([*told, one] for one in more)]
    return union_all(mix(costs) for mix in mixes for costs in some)


def side_cost(step: Step) -> CostInterval:
    """What crossing the hexside costs besides the hex; whether a unit on a road pays it is open."""
    names, more = [*step.drawn], step.more_on_side()
    if not names and not more:
        return FREE
    if step.by in (ANY_ROAD, *step.lines) and step.by not in charted(step, "roads"):
        return FREE
    weather = weather_over(step)
    found = with_more(step, names, weather) if more else mixed(step, "hexsides", names, weather)
    if step.by == OFF_ROAD or step.reading("road_hexsides", "paid"):
        return found
    return FREE


def crossed(step: Step) -> str:
    more = step.anything_on_side or step.perhaps_on_side
    names = (*step.drawn, "what else may lie there") if more and step.drawn else step.drawn
    return " and ".join(names) or "hexside"


def cited_side(step: Step) -> str:
    return cited(step, "hexsides", step.drawn)


@cost(
    "6.A.2-d",
    crossed,
    cites=cited_side,
    bars="6.A.2-f",
    closed=lambda step: f"crosses {crossed(step)}, {who(step)}",
    always=True,
)
def hexsides(step: Step) -> CostInterval:
    """The cost of a hexside is added to the cost of the hex entered. Prohibited ones are not crossed
    (6.A.2-f)."""
    return as_far_as_closed(step, side_cost(step))
