"""What every step costs, and what forbids it: terrain, hexsides, levels, works, enemies (6.2, 6.8, 10,
20)."""

from __future__ import annotations

from fractions import Fraction

from ...engine.clauses import CLOSED, WHOLE, cost, forbid, must_stop
from ...engine.step import Step
from .terms import COLUMNS, DRIVEN, FOOT, terrain_cost

COUNTING = (*FOOT, *DRIVEN)
"""Those whose moves are counted in MPs; guns go one hex."""


def entered(step: Step) -> str:
    """The terrain that counts, in words: a bridge stands for what is under it."""
    bridge = step.into.surely_has("bridge") and step.rule("10.31-a")
    return "bridge" if bridge else step.into.words


@cost("6.2-a", entered, classes=COUNTING, least=1, phase="movement")
def terrain(step: Step) -> Fraction | str:
    """The terrain of the hex entered says what entering it costs."""
    if not step.enters:
        return Fraction(0)
    price = terrain_cost(step)
    return CLOSED if price is None else price


def crossed(step: Step) -> str:
    return " and ".join(step.drawn) or "hexside"


@cost("6.2-b", crossed, classes=COUNTING, phase="movement")
def hexside(step: Step) -> Fraction:
    """A wall, hedge or hedgerow on the hexside costs MPs in addition."""
    prices = (
        (step.price("hexsides", name, COLUMNS[step.cls]) for name in step.hexside)
        if step.enters
        else ()
    )
    return sum((p or Fraction(0) for p in prices), Fraction(0))


@cost("10.7-a", "uphill", classes=COUNTING, phase="movement")
def uphill(step: Step) -> int:
    """Entering a hex one level up costs 1 MP more."""
    up = step.enters and step.into.level - step.out_of.level == 1
    return step.tables["levels"]["uphill"] if up else 0


@cost(
    "10.7-b",
    "takes the whole allowance",
    classes=FOOT,
    phase="movement",
    late="goes two levels at once after other hexes",
)
def two_levels_on_foot(step: Step) -> str | None:
    """Infantry goes two levels at once only with its whole allowance."""
    if not step.enters or abs(step.into.level - step.out_of.level) < 2:
        return None
    return CLOSED if is_assault(step) else WHOLE


def two_at_once(step: Step) -> str:
    how = "by assault movement" if step.cls in FOOT else f"closed to {step.who}"
    return f"goes two levels at once{' ' if step.cls in FOOT else ', '}{how}"


@forbid("10.7-b", two_at_once)
def two_levels(step: Step) -> bool:
    """Vehicles and guns never go between level 0 and 2, infantry not by assault movement."""
    may = step.cls in FOOT and (step.phase == "advance" or not is_assault(step))
    return not may and abs(step.into.level - step.out_of.level) > 1


def is_assault(step: Step) -> bool:
    return step.fact("assault").must_be(True) or step.form == step.tables["forms"]["assault"]


@cost("20.3-a", "fortification", classes=COUNTING, phase="movement")
def works(step: Step) -> int:
    """Entering a fortification or entrenchment costs 1 MP more; whether vehicles pay as well is open."""
    if not step.enters:
        return 0
    step.into.only_listed("works")
    there = step.into.has(step.tables["works"]["fortifications"])
    pays = there and (step.cls in FOOT or step.reading("vehicles_pay_fortifications"))
    return step.tables["works"]["surcharge"] if pays else 0


@cost("6.32-b", "one hex", classes=("gun",), phase="movement", least=1)
def guns_one_hex(step: Step) -> int:
    """A gun is moved one hex, whatever it costs."""
    return 1


@cost("5.35-a", "one hex", phase="advance")
def advance_one_hex(step: Step) -> int:
    """In an advance any unit goes one hex, whatever it costs."""
    return 1 if step.enters else 0


@forbid("10.4-a", "enters {step.into.words}, closed to {step.who}")
def buildings(step: Step) -> bool:
    """Vehicles do not enter buildings, nor what else the chart closes to some."""
    return step.enters and terrain_cost(step) is None and not closed_to_all(step)


@forbid("10.11-a", "enters {step.into.words}, closed to {step.who}")
def water(step: Step) -> bool:
    """Nobody enters canal, pond, marsh, ocean or river."""
    return step.enters and closed_to_all(step) and terrain_cost(step) is None


def closed_to_all(step: Step) -> bool:
    rows = step.tables["terrain"]
    return all(rows.get(name) == "prohibited" for name in step.into.terrains)


@forbid("10.31-a", "enters a bridge hex otherwise than by its road", classes=("gun", *DRIVEN))
def bridges(step: Step) -> bool:
    """Vehicles and guns enter a bridge hex only from a connecting road hex."""
    return step.enters and step.into.has(("bridge",)) and not step.follows("road", any_line=True)


@must_stop("20.8-a", "goes on after entering barbed wire", classes=FOOT, phase="movement")
def wire(step: Step) -> bool:
    """Infantry stops on entering barbed wire."""
    return step.into.has(step.tables["works"]["wire"])


@forbid("20.8-a", "enters barbed wire, closed to vehicles", classes=("vehicle",))
def wire_for_vehicles(step: Step) -> bool:
    """Vehicles do not enter barbed wire; AFVs do not mind it."""
    return step.enters and step.into.has(step.tables["works"]["wire"])


def among_enemies(step: Step) -> str:
    how = "an overrun" if step.cls in DRIVEN else "a close assault"
    return f"enters a hex with enemy units without {how}"


@forbid("20.3-b", among_enemies)
def enemy_works(step: Step) -> bool:
    """A fortification with enemies in it is entered only by assault or overrun."""
    return bars(step) and step.into.has(step.tables["works"]["fortifications"])


@forbid("6.8-a", among_enemies)
def enemies(step: Step) -> bool:
    """A hex with enemy units is entered only by close assault or overrun. Where it is not known whether they
    are in a fortification, one of both clauses forbids it."""
    held = step.tables["works"]["fortifications"]
    either = step.rule("20.3-b")
    return bars(step) and not (step.into.surely_has(*held) if either else step.into.has(held))


def bars(step: Step) -> bool:
    overrun = step.after is not None and step.after.stage in ("overrun", "backing")
    return step.enters and not overrun and step.into.enemies() and not taken(step)


def taken(step: Step) -> bool:
    """Whether the hex was taken by a close assault (5.35-b): that is how the move is declared, or the unit
    moved on or back from there, and the facts say so."""
    if step.phase != "advance" or step.cls not in FOOT or not step.rule("5.35-b"):
        return False
    if step.form == step.tables["forms"]["close_assault"]:
        return True
    if not step.goes_on and not step.put_back:
        return False
    text = "was hex {} taken by a close assault, and were its defenders eliminated (15.8)?"
    return step.told_of_hex("close assault on hex {}", text)
