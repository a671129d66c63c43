"""What a step costs by terrain, hexsides and roads, and what they close (5.0, 5.4.0, 5.4.1, 5.6.0, 5.9); what
the state of the ground (18.2.0) does to the MA, and whether the charts hold for it.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping
from fractions import Fraction
from typing import Any

from ....model.bill import Amount
from ...concepts.charts import Mixture
from ...cost_interval import ANYTHING, CostInterval, total, union_all
from ...engine.asking import Question, later
from ...engine.clauses import cost, forbid, rounds, ways
from ...engine.mover_view import MoverView
from ...engine.rules import Rules
from ...engine.step import Step
from .terms import (
    AS_LEG,
    BY_ROAD,
    BY_TACTICS,
    CONSTRICTED,
    CROSSINGS,
    IN_PA,
    JUNCTION_UNKNOWN,
    LEG_MARCHES,
    LIKE_CLEAR,
    MEETS,
    NO_JUNCTION,
    NOT_DRAWN,
    OFF,
    PA_LEG,
    PA_MECH,
    ROADS,
    STRATEGIC,
    WATERS,
    Road,
)


def states(rules: Rules) -> Mapping[str, Mapping[str, Any]]:
    """The states of the ground in the tables, by name in lower case."""
    return {name.lower(): row for name, row in rules.tables["grounds"].items()}


def charts_hold(step: Step) -> bool:
    """Whether the charts of the pack hold for the ground."""
    options = step.fact("ground").options or ()
    rows = [states(step.rules).get(str(option).lower(), {}) for option in options]
    return bool(rows) and all(row.get("chart") for row in rows)


def open_cost(step: Step) -> CostInterval:
    """The cost where the charts may not hold: any, perhaps prohibited."""
    fact = step.fact("ground")
    if not fact.is_known:
        return step.due(ANYTHING._replace(whole=False), step.asked("ground"))
    name = str(fact.value)
    path = "grounds", name, "chart"
    return step.due(
        ANYTHING._replace(whole=False),
        later(step.rules.charts_question, path, f"{name} ground"),
    )


def charged(step: Step, chart: str, name: str) -> CostInterval:
    """What a row of a chart costs the mover, if the charts hold for the ground."""
    return step.charge(chart, name, step.column) if charts_hold(step) else open_cost(step)


# -- the allowance ---------------------------------------------------------------------------------


def rows(mover: MoverView) -> list[Mapping[str, Any]] | None:
    """The rows of the states in which the ground may be; None: any."""
    options = mover.fact("ground").options
    known = states(mover.rules)
    return None if options is None else [known.get(str(o).lower(), {}) for o in options]


def named(mover: MoverView) -> str:
    """The state of the ground; empty if it is not known."""
    said = mover.fact("ground")
    return str(said.value) if said.is_known else ""


def asked(mover: MoverView) -> Question:
    """What would tell what the ground does."""
    return asked_factor(mover, "ground", named(mover)) if named(mover) else mover.asked("ground")


def times(mover: MoverView) -> Amount:
    """By what the ground multiplies the MA."""
    found = rows(mover)
    told = [row.get("factor", "unknown") for row in found] if found is not None else ["unknown"]
    lo = min(Fraction(0) if one == "unknown" else Fraction(one) for one in told)
    hi = max(Fraction(1) if one == "unknown" else Fraction(one) for one in told)
    return mover.bounded(Amount(lo, hi), asked(mover))


def added(mover: MoverView) -> Amount:
    """The MPs that the ground adds off the road (5.2.1b-4). Where a row says nothing of it, the shipped one
    does: by the text only frozen ground adds some."""
    if not mover.rule("5.2.1b-4"):
        return Amount.exactly(0)
    shipped = mover.rules.book.printed()["grounds"]
    most = max(
        (Fraction(row.get("plus", 0)) for row in states(mover.rules).values()), default=Fraction(0)
    )
    options = mover.fact("ground").options
    if options is None:
        return mover.bounded(Amount(Fraction(0), most), asked(mover))
    ends = []
    for option in options:
        name = str(option).lower()
        row = states(mover.rules).get(name)
        if row is None:
            ends.append((Fraction(0), most))
        else:
            plus = Fraction(row.get("plus", shipped.get(name, {}).get("plus", 0)))
            ends.append((plus, plus))
    amount = Amount(min(lo for lo, _ in ends), max(hi for _, hi in ends))
    return mover.bounded(amount, asked(mover))


def asked_factor(mover: MoverView, table: str, name: str) -> Question:
    """What asks by what something multiplies the MA."""
    path: tuple[str, ...] = (table, name)
    what = f"factor of {table} {name}"
    text = f"by what is the MA multiplied with {table} {name}?"
    if table == "ground":
        path = ("grounds", name, "factor")
    if table == "raises":
        told = "an activated leader" if name == "leader" else "the Fuel & Reserve Release Table"
        what, text = f"raise of {name}", f"by what does {told} multiply the MA?"
    return later(mover.rules.table_question, path, what, text)


NEVER_PRICED = (CONSTRICTED, NO_JUNCTION, JUNCTION_UNKNOWN)
MEET = "roads meet in {}", "do the roads in {} meet there?", "junction in {}"

# -- the ways of a step ----------------------------------------------------------------------------


def tried(step: Step) -> Iterator[Hashable]:
    """The ways in which a step may be made: off the road, as if by clear terrain over a road hexside, and
    along each road that may be there."""
    drawn = step.lines_of(ROADS) if step.cls in BY_ROAD else []
    if not drawn or not step.rule("5.0-m" if step.cls == STRATEGIC else "5.6.0-e"):
        yield OFF
    if step.cls in LEG_MARCHES:
        yield LIKE_CLEAR
    if step.cls in BY_ROAD:
        yield from (Road(kind, line) for kind, line in drawn)
        yield from (Road(kind, -1) for kind in perhaps_roads(step))


def perhaps_roads(step: Step) -> list[str]:
    """The kinds of road that may cross the hexside besides those that are drawn. While the chart of roads is
    not complete, a line of another kind may be any."""
    if step.any_line:
        return list(ROADS)
    strange = step.strange_lines((*ROADS, "dashed")) and not step.rules.complete.has("roads")
    return [kind for kind in ROADS if strange or step.lines.get(kind) is False]


@ways("5.4.1-a")
def there(step: Step) -> bool:
    """Leg units enter over road hexsides as if the hex were clear; road movers go along roads."""
    if step.by == OFF:
        return True
    if step.by == LIKE_CLEAR:
        return step.rule("5.4.1-a") and road_over(step)
    return step.by.line >= 0 or step.one_more(step.by.kind)


def road_over(step: Step) -> bool:
    """Whether a road crosses the hexside."""
    if any(step.lines.get(kind) for kind in ROADS):
        return True
    return any(step.one_more(kind) for kind in perhaps_roads(step))


# -- hexes -----------------------------------------------------------------------------------------


def hex_cost(step: Step) -> CostInterval:
    """What entering the hex costs by its terrain: the dearest counts (5.0-j)."""
    if not charts_hold(step):
        return open_cost(step)
    mix: Mixture = "dearest" if step.rule("5.0-j") else "cheapest"
    every, sure = step.into.completions("terrain")

    def entering() -> CostInterval:
        return union_all(
            step.entering("terrain", step.into, names, priced(step, more), mix)
            for names, more in every
        )

    found = entering() if sure else step.due(step.quietly(entering), step.into.asked)
    if step.reading("offroad_least", "half") and found.barred is not True:
        return found._replace(lo=max(found.lo, step.rules.scale // 2))
    return found


def priced(step: Step, features: tuple[str, ...]) -> tuple[str, ...]:
    """The features that have, or may have, a row in the chart."""
    rows, whole = step.rules.charts["terrain"], step.rules.complete.has("terrain")
    return tuple(f for f in features if f in rows or not (whole or f in NEVER_PRICED))


def entered(step: Step) -> str:
    names = (*step.into.named_terrains, *priced(step, step.into.named_features))
    return " and ".join(names) if names else "a hex of unknown terrain"


def cited(step: Step) -> str:
    names = (*step.into.named_terrains, *priced(step, step.into.named_features))
    return "5.0-j" if len(names) > 1 else "5.7.0-b"


def closed(step: Step) -> str:
    return f"enters {entered(step)}, prohibited to {step.who}"


@cost(
    "5.7.0-b",
    entered,
    classes=(*BY_TACTICS, *BY_ROAD),
    cites=cited,
    always=True,
)
def terrain(step: Step) -> CostInterval | int:
    """Off the road a unit pays for the dearest terrain of the hex, by the column of its movement class."""
    return hex_cost(step) if step.by == OFF else 0


def in_force(step: Step) -> bool:
    """Whether what is prohibited in tactical movement is: in Prepared Assault by 5.5-d, not along a road."""
    return step.by in (OFF, LIKE_CLEAR) and (step.cls not in IN_PA or step.rule("5.5-d"))


@forbid("5.7.0-b", closed)
def closed_hexes(step: Step) -> bool:
    """The chart may close terrain to a movement class."""
    return step.by == OFF and in_force(step) and step.barred(hex_cost(step), "into")


def as_clear(step: Step) -> str:
    return f"{step.tables['clear']} by road"


@cost("5.4.1-a", as_clear, classes=(AS_LEG,))
def like_clear(step: Step) -> CostInterval | int:
    """Over a road hexside a Leg unit enters any hex as if it were clear."""
    return charged(step, "terrain", step.tables["clear"]) if step.by == LIKE_CLEAR else 0


@cost("5.9-a", "night", classes=(*BY_TACTICS, *BY_ROAD))
def night(step: Step) -> int:
    """At night each hex costs 1 MP more, but not by road (5.9-b), nor on foot over road hexsides (5.9-c)."""
    spared = step.by != OFF and step.rule("5.9-c" if step.by == LIKE_CLEAR else "5.9-b")
    return 0 if spared else int(step.is_("night", "true", "yes"))


# -- hexsides --------------------------------------------------------------------------------------


def sides(step: Step) -> CostInterval:
    """What the features of the hexside cost that are no water, bridge or ford."""
    others = [n for n in step.drawn if n not in (*WATERS, *CROSSINGS)]
    maybe = [n for n in step.perhaps_on_side if n not in (*WATERS, *CROSSINGS)]
    found = [charged(step, "hexsides", name) for name in others]
    found += [step.if_on_side(n, lambda n=n: charged(step, "hexsides", n)) for n in maybe]  # type: ignore[misc]
    if step.anything_on_side:
        found.append(step.anything()._replace(barred=None))
    return total(found)


def crossed(step: Step) -> str:
    return " and ".join(n for n in step.drawn if n not in (*WATERS, *CROSSINGS)) or "hexside"


@cost("5.0-k", crossed, classes=(*BY_TACTICS, *BY_ROAD), always=True, of_sides=True)
def hexsides(step: Step) -> CostInterval | int:
    """What a hexside costs is added to what the hex costs."""
    if step.by not in (OFF, LIKE_CLEAR):
        return 0
    return sides(step) if step.rule("5.0-k") else 0


@forbid(
    "5.7.0-b", lambda step: f"crosses a {crossed(step)}, prohibited to {step.who}", of_sides=True
)
def closed_sides(step: Step) -> bool:
    """The chart may close hexsides, too."""
    return in_force(step) and step.barred(sides(step), "side")


# -- roads -----------------------------------------------------------------------------------------


def along(step: Step) -> str:
    return f"along a {step.by.kind} road"


@cost("5.6.0-e", along, classes=BY_ROAD, always=True)
def roads(step: Step) -> CostInterval | int:
    """By road a unit pays what the road costs."""
    return charged(step, "roads", step.by.kind) if step.by != OFF else 0


@forbid("5.6.0-e", "leaves the road", classes=("road",))
def off_the_road(step: Step) -> bool:
    """Road movement is along a contiguous road all the way."""
    return step.by == OFF  # type: ignore[no-any-return]


@forbid("5.0-m", "leaves the road in Strategic Mode", classes=(STRATEGIC,))
def strategic_off_the_road(step: Step) -> bool:
    """A unit in Strategic Mode moves by road only."""
    return step.by == OFF  # type: ignore[no-any-return]


@forbid("5.6.1-b", "changes to a road that does not meet its own", classes=BY_ROAD)
def other_road(step: Step) -> bool:
    """A unit changes from one road to another only where they meet."""
    if step.by == OFF or not step.tag.road or step.tag.node == step.by.line >= 0:
        return False
    told, unknown = step.out_of.said(MEET[0]), (JUNCTION_UNKNOWN,)
    if told.must_be(True) or told.must_be(False) or not drawn_out(step):
        return not step.out_of.is_said(*MEET)
    if step.out_of.has((NO_JUNCTION,)):
        return True
    if step.out_of.surely_has(*unknown) or step.out_of.perhaps(*unknown):
        return not step.out_of.is_said(*MEET)
    if step.tag.node == MEETS:
        return not step.out_of.lines_meet(step.by.line)
    if step.out_of.joined():
        return not step.out_of.is_said(*MEET)
    both = step.out_of.lines_meet(step.by.line) and step.out_of.lines_meet(step.tag.node)
    return not both


def drawn_out(step: Step) -> bool:
    """Whether both the road by which it came and that by which it goes on are drawn."""
    return step.by.line >= 0 and step.tag.node != NOT_DRAWN  # type: ignore[no-any-return]


@rounds("5.6.1-c", "fraction lost on another type of road", classes=BY_ROAD)
def fractions(step: Step) -> bool:
    """A unit that changes to another type of road loses what fraction of an MP is left."""
    return step.by != OFF and step.tag.road not in ("", step.by.kind)


# -- prepared assault ------------------------------------------------------------------------------


@cost("5.5-c", "hex entered", classes=(PA_MECH,), always=True)
def by_hexes(step: Step) -> int:
    """In Prepared Assault hexes are counted, not MPs."""
    return 1


@cost("5.5-b", "hex entered", classes=(PA_LEG,), always=True)
def by_hexes_on_foot(step: Step) -> int:
    """The same on foot."""
    return 1
