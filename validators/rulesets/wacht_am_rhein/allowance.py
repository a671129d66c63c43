"""The movement allowance: the base by the kind of unit, what cuts it and what raises it (5.2, 5.5, 5.8.0-d).

Where the text does not say how cuts and raises combine, every order is worked out; the result is the range
of what comes out.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import permutations, product
from math import ceil
from typing import NamedTuple

from ....model.bill import Amount
from ....model.fact import Fact
from ...engine.allowance import Mp
from ...engine.clauses import allowance, forbid_move
from ...engine.mover_view import MoverView
from .facts import BY_KIND
from .marches import rolls
from .terms import (
    BY_ROAD,
    GERMAN,
    LEG,
    MECH,
    PA_LEG,
    PA_MECH,
    STRATEGIC,
    WITH_MPS,
    is_a,
    is_marked,
)
from .terrain import added, asked_factor, named, times

HALF, ONE = Amount.exactly(Fraction(1, 2)), Amount.exactly(1)
RECON, ANY_OTHER = 14, 12
SLOW = 9
RECON_KINDS = {
    "recon": "5.2-b0",
    "hybrid-recon": "5.2-b1",
    "m5": "5.2-b2",
    "m8": "5.2-b3",
    "daimler": "5.2-b4",
}


class Change(NamedTuple):
    """What multiplies the allowance, by a clause."""

    clause: str
    factor: Amount
    reason: str


# -- the base --------------------------------------------------------------------------------------


def base_of(mover: MoverView) -> tuple[Amount, str]:
    """The base allowance, and the clause that gives it: 5.2, unless a pack or the facts have another."""
    if not mover.speaks_of("ma") or mover.fact("ma").must_be(BY_KIND):
        return by_rules(mover)
    printed = mover.fact("ma")
    if printed.options is not None and any(o == BY_KIND for o in printed.options):
        if mover.doubted("ma"):
            return by_rules(mover)
        numbers = [o for o in printed.options if isinstance(o, Fraction)]
        printed = Fact(tuple(numbers)) if numbers else Fact()
    amount = Amount(max(Fraction(0), printed.low or Fraction(0)), printed.high)
    return mover.bounded(amount, mover.asked("ma")), "5.2-d"


def by_rules(mover: MoverView) -> tuple[Amount, str]:
    """The base allowance by 5.2. What no clause names has 12 MP."""
    number, clause = by_kind(mover)
    if clause and mover.rule(clause):
        return Amount.exactly(number), clause
    if not mover.rule("5.2-d"):
        return Amount(Fraction(SLOW), Fraction(RECON)), "5.2-d"
    return Amount.exactly(ANY_OTHER), "5.2-d"


def by_kind(mover: MoverView) -> tuple[int, str]:
    """The base by the kind of unit, and the clause that gives it; empty: no clause names the kind."""
    mech, german = mover.is_("class", MECH), mover.is_("nation", GERMAN)
    trucks = is_marked(mover, "motor")
    scouts = next((c for kind, c in RECON_KINDS.items() if is_a(mover, kind)), "")
    if mech and scouts:
        return RECON, scouts
    if german and is_a(mover, "heavy"):
        return SLOW, "5.2-c1"
    if german and is_a(mover, "at") and not mech:
        return int(mover.settled("leg_at_ma_on_trucks")) if trucks else SLOW, "5.2-c2"
    if is_a(mover, "artillery") and mover.is_("traction", "horse"):
        return int(mover.settled("horse_ma_on_trucks")) if trucks else SLOW, "5.2-c3"
    if german and is_a(mover, "bridge"):
        return SLOW, "5.2-c4"
    if mech:
        return (RECON, "5.2-b5") if says_recon(mover) else (ANY_OTHER, "")
    as_mech = trucks or mover.cls in BY_ROAD
    if as_mech and (scouts or says_recon(mover)) and mover.reading("recon_on_trucks"):
        return RECON, "5.2-b5"
    return ANY_OTHER, ""


def says_recon(mover: MoverView) -> bool:
    """Whether its unit ID has "recon" or "recce" in it."""
    words = mover.fact("designation").options
    said = {any(w in str(word).lower() for w in ("recon", "recce")) for word in words or ()}
    return said.pop() if len(said) == 1 else mover.doubted("designation")


# -- cuts and raises -------------------------------------------------------------------------------


def marked(
    mover: MoverView, clause: str, about: str, values: Sequence[str], reason: str, factor: Amount
) -> Iterator[Change]:
    """The change that a marker makes; if it may not be there, the factor may be 1."""
    options = mover.fact(about).options
    there = None if options is None else {str(o).lower() in values for o in options}
    if there == {False} or not mover.rule(clause):
        return
    if there == {True}:
        yield Change(clause, factor, reason)
        return
    hi = None if factor.hi is None else max(factor.hi, Fraction(1))
    either = Amount(min(factor.lo, Fraction(1)), hi)
    yield Change(clause, mover.bounded(either, mover.asked(about)), reason)


def cuts(mover: MoverView) -> Iterator[Change]:
    """What cuts the allowance (5.2.1a)."""
    yield from marked(mover, "5.2.1a-1", "supply", ("out",), "Out of Supply", HALF)
    yield from marked(mover, "5.2.1a-2", "resting", ("true", "yes"), "Resting", HALF)
    yield from marked(mover, "5.2.1a-3", "fatigue", ("true", "yes"), "Fatigue", quarter(mover))
    yield from fuel(mover)
    yield from ground(mover)
    in_battery = is_a(mover, "artillery") and mover.is_("battery", "in") and rolls(mover)
    if in_battery and mover.rule("5.8.0-d"):
        yield Change("5.8.0-d", HALF, "SP artillery In Battery")


def quarter(mover: MoverView) -> Amount:
    """What "quarter its MA" leaves: a reading."""
    if mover.fact("fatigue").must_be(False):
        return ONE
    left = mover.settled("fatigue")
    return Amount.exactly(Fraction(1 if left == "quarter" else 3, 4))


def fuel(mover: MoverView) -> Iterator[Change]:
    """Low or no fuel cuts the MA of German units that are not on foot."""
    said = mover.fact("fuel")
    if said.must_be("normal") or not mover.rule("5.2.1a-4") or not mover.is_("nation", GERMAN):
        return
    on_foot = mover.is_("class", LEG) and not is_marked(mover, "motor")
    if on_foot and not is_a(mover, "artillery"):
        return
    states = [str(option) for option in said.options or ("low", "none", "normal")]
    factors = [fuel_factor(mover, state) for state in states]
    factor = Amount(
        min(f.lo for f in factors), max(Fraction(1) if f.hi is None else f.hi for f in factors)
    )
    asked = mover.asked("fuel") if len(states) > 1 else asked_factor(mover, "fuel", states[0])
    yield Change("5.2.1a-4", mover.bounded(factor, asked), f"fuel {' or '.join(states)}")


def fuel_factor(mover: MoverView, state: str) -> Amount:
    told = mover.tables["fuel"].get(state, "unknown")
    if state == "normal":
        return ONE
    return Amount(Fraction(0), Fraction(1)) if told == "unknown" else Amount.exactly(Fraction(told))


def ground(mover: MoverView) -> Iterator[Change]:
    """The state of the ground may cut the MA (18.2.0)."""
    if not mover.rule("5.2.1a-5"):
        return
    factor = times(mover)
    if factor != ONE:
        yield Change("5.2.1a-5", factor, f"ground {named(mover) or 'unknown'}")


def raises(mover: MoverView) -> Iterator[Change]:
    """What raises the allowance (5.2.1b)."""
    if mover.cls == STRATEGIC and mover.rule("5.2.1b-1"):
        said = mover.rules.options["strat_factor"]
        factor = (
            Amount(Fraction(1), None) if said == "undecided" else Amount.exactly(Fraction(said))
        )
        if said == "undecided":
            mover.opens_reading("strat_factor")
        yield Change("5.2.1b-1", factor, "Strategic Mode")
    for clause, name in (("5.2.1b-2", "released"), ("5.2.1b-3", "leader")):
        told = mover.tables["raises"][name]
        factor = Amount(Fraction(1), None) if told == "unknown" else Amount.exactly(Fraction(told))
        for change in marked(mover, clause, name, ("true", "yes"), name, factor):
            if told == "unknown":
                mover.bounded(factor, asked_factor(mover, "raises", name))
            yield change


# -- the sum ---------------------------------------------------------------------------------------


def reckon(mover: MoverView) -> Mp:
    """The allowance after all cuts and raises. Fractions are rounded up."""
    base, clause = base_of(mover)
    cut, raised = tuple(cuts(mover)), tuple(raises(mover))
    plus = Amount.exactly(0) if mover.cls in BY_ROAD else added(mover)
    stages = [(clause, f"base allowance {base}")]
    stages += [(c.clause, f"{c.reason}: times {c.factor}") for c in (*cut, *raised)]
    if plus != Amount.exactly(0):
        stages.append(("5.2.1b-4", f"ground: plus {plus}"))
    if not cut and not raised and not plus.hi:
        return Mp(base, "5.0-g", tuple(stages))
    return Mp(in_every_order(mover, base, (cut, raised), plus), "5.0-g", tuple(stages))


def in_every_order(
    mover: MoverView, base: Amount, changes: tuple[Sequence[Change], Sequence[Change]], plus: Amount
) -> Amount:
    """The allowance by every way to work it out that the readings leave open; asked for if they differ."""
    rounded = choices(mover, "ma_rounding", "each")
    first = choices(mover, "ma_order", "cuts-first")
    listed = not mover.rules.is_open("ma_sequence")
    low = [[change.factor.lo for change in some] for some in changes]
    high = [[change.factor.hi for change in some] for some in changes]
    bounded = base.hi is not None and plus.hi is not None and None not in (*high[0], *high[1])
    found: dict[tuple[bool, bool], tuple[Fraction, Fraction | None]] = {}
    for each, cuts_first in product(rounded, first):
        orders = each, cuts_first, listed or not each
        least = min(ways(low[0], low[1], base.lo, plus.lo, *orders))
        most = max(ways(high[0], high[1], base.hi, plus.hi, *orders)) if bounded else None  # type: ignore[arg-type]
        found[each, cuts_first] = least, most
    tops = [hi for _, hi in found.values() if hi is not None]
    amount = Amount(min(lo for lo, _ in found.values()), max(tops) if bounded else None)
    if not amount.is_exact and not mover.is_asked:
        places = (("ma_order", 1), ("ma_rounding", 0))
        asked = [option for option, place in places if matters(found, place)]
        for option in asked or ["ma_sequence" if len(rounded) == 1 else "ma_rounding"]:
            mover.opens_reading(option)
    return amount


def choices(mover: MoverView, option: str, value: str) -> tuple[bool, ...]:
    """Whether a reading is settled as ``value``; both if it is open."""
    if mover.rules.is_open(option):
        return (True, False)
    return (mover.rules.options[option] == value,)


def matters(found: Mapping[tuple[bool, bool], object], place: int) -> bool:
    """Whether one of two readings makes a difference."""
    return any(a[1 - place] == b[1 - place] and found[a] != found[b] for a in found for b in found)


def ways(
    cut: Sequence[Fraction],
    raised: Sequence[Fraction],
    base: Fraction,
    plus: Fraction,
    each: bool,
    cuts_first: bool,
    listed: bool,
) -> Iterator[Fraction]:
    """The allowance in each order that the text leaves open: of cuts, of raises, and of the MPs that the
    ground adds, which are one of the raises."""
    orders = [(tuple(cut), tuple(raised))]
    if not listed:
        orders = list(product(set(permutations(cut)), set(permutations(raised))))
    for (cut_in, raised_in), early in product(orders, (True, False) if plus else (False,)):
        up: list[Fraction | None] = [None, *raised_in] if early else [*raised_in, None]
        changes = [*cut_in, *up] if cuts_first else [*up, *cut_in]
        yield applied(base, changes, plus, each)


def applied(
    base: Fraction, changes: Iterable[Fraction | None], plus: Fraction, each: bool
) -> Fraction:
    """A base after changes in their order; None stands for ``plus``. Rounded up after each, or once."""
    number = base
    for factor in changes:
        number = number + plus if factor is None else number * factor
        number = Fraction(ceil(number)) if each else number
    return Fraction(ceil(number))


@allowance("5.0-g", classes=WITH_MPS)
def by_points(mover: MoverView) -> Mp:
    """The MPs that it may spend in the phase."""
    return reckon(mover)


def told_as_nothing(mover: MoverView) -> str:
    """What its allowance is of which nothing is left, stage by stage."""
    stages = "; ".join(f"{said} (WAR-{clause})" for clause, said in reckon(mover).stages[1:])
    return "has a movement allowance of 0" + (f": {stages}" if stages else "")


@forbid_move("5.0-g", told_as_nothing, classes=WITH_MPS)
def nothing_to_spend(mover: MoverView) -> bool:
    """A unit with nothing to spend does not move, not even into a hex that takes its whole MA."""
    return mover.is_zero(reckon(mover).amount or Amount.exactly(1))


@allowance("5.5-c", classes=(PA_MECH,))
def two_hexes(mover: MoverView) -> Mp:
    """In Prepared Assault a Mech unit moves up to two hexes."""
    return Mp(Amount.exactly(2), "5.5-c", (), "hexes")


@allowance("5.5-b", classes=(PA_LEG,))
def one_hex(mover: MoverView) -> Mp:
    """In Prepared Assault a Leg unit moves one hex."""
    return Mp(Amount.exactly(1), "5.5-b", (), "hexes")
