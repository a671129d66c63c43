"""How far a unit moves in an activation, and what else it pays MPs for."""

from __future__ import annotations

from fractions import Fraction

from ....model.bill import ZERO, Amount
from ....model.fact import UNKNOWN, Fact, either
from ...answers import yes_or_no
from ...cost_interval import FREE, CostInterval
from ...engine.activation import places, series
from ...engine.acts_view import ActsView
from ...engine.allowance import Mp
from ...engine.clauses import allowance, expense
from ...engine.doings import Paid
from ...engine.event_index import ABOARD
from ...engine.mover_view import MoverView
from ...engine.other_unit import OtherUnit
from ...engine.riding import NO
from .terms import ASSAULT, FIRE_AND_MOVEMENT, HEAVY, NO_CLASS, ON_FOOT, SQUAD, VEHICLES

ONE = Fraction(1)
MOST_BY_CARD, MOST_OFFICERS = Fraction(99), Fraction(99)
"""More MPs than any card gives, and more officers than any unit holds."""


@allowance("MV-f")
def as_far_as_the_mps_go(mover: MoverView) -> Mp:
    """A unit goes from hex to hex until its MPs are spent."""
    if not mover.whole.walked:
        return Mp(None, "MV-f")
    action = str(mover.known["action"].value)
    return reckoned(mover, mover.acts, str(mover.known["class"].value), action)


def reckoned(unit: OtherUnit, acts: ActsView, cls: str, action: str) -> Mp:
    """The movement value of a unit with what changes it: officers, the action, damage, a card."""
    mp = Mp(printed(unit, cls), "MV-f")
    if cls in ON_FOOT and unit.rule("EX3-a"):
        mp = with_officers(unit, mp, "EX3-a", "with an officer", officers(unit), cls)
    if cls != SQUAD and not unit.rule("SB-7"):
        carried = officers_of_riders(acts)
        mp = with_officers(unit, mp, "SB-7", "carries an officer", carried, cls)
    if action == FIRE_AND_MOVEMENT and unit.rule("EX1-a"):
        mp = mp.less("EX1-a", "Fire and Movement", change(unit, "fire_and_movement"))
    mp = by_card(unit, acts, by_damage(unit, acts, mp, cls))
    if action == ASSAULT and unit.rule("X-AS-d"):
        text = "by how many MPs does the action Assault lower the allowance?"
        less = unit.number(("allowance", "assault_penalty"), "assault_penalty", text)
        mp = mp.less("X-AS-d" if less.lo else "", "Assault", less)
    return mp


def change(unit: OtherUnit, name: str) -> Amount:
    """By how many MPs something changes an allowance, as the tables have it."""
    return unit.number(("allowance", name), name, f"how many MPs is {name} worth?")


def printed(unit: OtherUnit, cls: str) -> Amount:
    """The printed movement value. Those of the figures of a squad are not added up (MV-e)."""
    value = unit.bounds("ma")
    if cls not in ON_FOOT or unit.rule("MV-e"):
        return value
    figures = unit.bounds("figures")
    lo, hi = max(ONE, figures.lo), None if figures.hi is None else max(ONE, figures.hi)
    most = None if value.hi is None or hi is None else value.hi * hi
    return Amount(value.lo * lo if cls == SQUAD else value.lo, most)


def number(told: Fact) -> Amount:
    """The least and the greatest number of officers. ``told`` is a number, or yes (at least one) or no."""
    ranges = [option_range(option) for option in told.options or ()]
    if not ranges:
        return Amount(max(ZERO.lo, told.lo or ZERO.lo), told.hi)
    highest = [one.hi for one in ranges]
    most = None if None in highest else max(hi for hi in highest if hi is not None)
    return Amount(min(one.lo for one in ranges), most)


def option_range(option: object) -> Amount:
    if isinstance(option, Fraction):
        return Amount.exactly(option)
    said = yes_or_no(Fact((option,)))  # type: ignore[arg-type]
    return ZERO if said is False else Amount(ONE if said else ZERO.lo, None)


def officers(unit: OtherUnit) -> Amount:
    found = number(unit.fact("officers"))
    if found.hi is None or found.lo < found.hi:
        unit.opens("officers")
    return found


def with_officers(unit: OtherUnit, mp: Mp, clause: str, reason: str, found: Amount, cls: str) -> Mp:
    """The MPs with what officers add: the bonus once, however many they are (X-OF)."""
    least, most = found.lo, found.hi
    if unit.rule("X-OF"):
        least, most = min(least, ONE), ONE if most is None else min(most, ONE)
    if cls == NO_CLASS:
        least = ZERO.lo
    bonus = change(unit, "officer").lo
    more = Amount(least * bonus, (MOST_OFFICERS + least if most is None else most) * bonus)
    return mp.plus(clause, reason, more)


def officers_of_riders(acts: ActsView) -> Amount:
    """How many officers ride in a vehicle during what it does, or may. A unit of which that is not known may
    ride only if it is off the map, or in a hex from which the vehicle went on."""
    history, did, stops = acts.history, acts.did, {leg.origin for leg in acts.did.legs}
    least, most = ZERO.lo, ZERO
    end = did.span[1]
    for unit in acts.rules.game.units.values():
        friend = acts.rules.game.relation(acts.unit.side, unit.side)
        if unit.kind != "unit" or unit.id == acts.unit.id or friend == "enemy":
            continue
        said = series(history, unit.id, ABOARD, did.start, end)
        on = {one for _, fact in said for one in rides(acts, fact, unit.id)}
        there = places(history, unit.id, did.start, end)
        near = any(place.kind != "hex" or place.name in stops for place in there)
        if on == {False} or (on != {True} and not near):
            continue
        count = number(acts.at(did.first).other(unit.id).fact("officers"))
        if count.hi == 0:
            continue
        if on != {True} or friend is None:
            acts.other(unit.id).opens(ABOARD)
            count = Amount(ZERO.lo, count.hi)
        elif count.hi is None or count.lo < count.hi:
            acts.other(unit.id).opens("officers")
        least += count.lo
        hi = None if most.hi is None or count.hi is None else most.hi + count.hi
        most = Amount(ZERO.lo, hi)
    return Amount(least, most.hi)


def rides(acts: ActsView, told: Fact, rider: str) -> set[bool]:
    """Whether a unit rides in the vehicle, by a value of ``aboard``; both if that is not known."""
    found = set[bool]()
    for option in told.options or ("?",):
        vehicle = acts.history.vehicle(option, rider, acts.did.start)
        unsure = vehicle is None and option != NO
        found |= {True, False} if unsure else {option != NO and vehicle == acts.unit.id}
    return found


def by_damage(unit: OtherUnit, acts: ActsView, mp: Mp, cls: str) -> Mp:
    """A heavy vehicle that is lightly damaged on its way loses 1 MP at once (X-ST); what damage of an earlier
    turn costs is open. The text says only of Op Fire that it costs an MP: mines may be different."""
    if cls == SQUAD or not acts.walked or not unit.rule("X-ST"):
        return mp
    before, after = acts.at(acts.walked[0].at), acts.at(acts.walked[-1].at)
    if not before.possibly("damage", "light") and not after.possibly("damage", "light"):
        return mp
    if before.possibly("damage", "light"):
        text = "how many MPs does light damage of an earlier turn cost?"
        path = ("allowance", "standing_damage")
        less = unit.number(path, "standing_damage", text, ONE)
        if less.hi and (not less.is_exact or before.is_("damage", "light")):
            sure = less.is_exact and cls in VEHICLES
            mp = mp.less("X-ST", "lightly damaged", less if sure else Amount(ZERO.lo, less.hi))
    can_be = cls in (HEAVY, NO_CLASS) and not before.surely("damage", "light")
    if can_be and after.is_("damage", "light") and not before.is_("damage", "light"):
        less = change(unit, "damage_on_the_way")
        if cls == NO_CLASS or in_mines(unit, acts):
            less = Amount(ZERO.lo, less.hi)
            unit.opens("damage")
        mp = mp.less("X-ST", "lightly damaged on the way", less)
    return mp


def in_mines(unit: OtherUnit, acts: ActsView) -> bool:
    """Whether mines lie, or may lie, in a hex of its way."""
    return isinstance(unit, MoverView) and any(
        unit.may_lie("minefield", name) for leg in acts.walked for name in (leg.origin, leg.target)
    )


def by_card(unit: OtherUnit, acts: ActsView, mp: Mp) -> Mp:
    """The MPs that a strategy or operations card gives, if the facts say so (MV-d)."""
    told = bonus(acts)
    if told is None or told.must_be(ZERO.lo):
        return mp
    if told.low is None or told.high is None:  # given as not known: it may be any number
        unit.opens("bonus")
        return mp.plus("MV-d", "perhaps by a card", Amount(ZERO.lo, MOST_BY_CARD))
    if told.low < told.high:
        unit.opens("bonus")
    return mp.plus("MV-d", "by a card", Amount(told.low, told.high))


def bonus(acts: ActsView) -> Fact | None:
    """The MPs that cards give a unit in its activation, as an attribute or else a condition; None if the game
    never gives either."""
    unit, did, history = acts.unit, acts.did, acts.history
    if "bonus" not in unit.attributes and not history.timeline.tells_of(unit.id, "bonus"):
        return None
    first = did.walked[0].at if did.walked else did.start
    last = did.walked[-1].at if did.walked else max(did.start, did.end - 1)
    said = [fact for _, fact in series(history, unit.id, "bonus", first, did.end)]
    if any(fact != UNKNOWN for fact in said):
        return either(said)
    steps = history.timeline.step_of(first), history.timeline.step_of(last)
    return history.timeline.condition_between("bonus", *steps, unit.id)


# -- expenses --------------------------------------------------------------------------------------


def times(mover: MoverView, count: Amount, name: str) -> CostInterval:
    each = mover.charge("expenses", name, str(mover.known["class"].value)).lo
    lo = 0 if mover.cls == NO_CLASS else int(count.lo) * each
    return CostInterval(lo, int(count.hi or 0) * each)


@expense("EE-e", "gets out of a vehicle", classes=ON_FOOT)
def gets_out(mover: MoverView) -> Paid:
    """An activated squad gets out of its vehicle for 2 MPs, whatever the terrain."""
    return Paid(mover.acts.began, times(mover, mover.acts.exits, "leave_vehicle"))


@expense("EE-b", "boards a vehicle", classes=ON_FOOT)
def boards(mover: MoverView) -> Paid:
    """A squad gets into a vehicle in its hex for 2 MPs."""
    return Paid(mover.acts.boarded_in, times(mover, mover.acts.boardings, "board"))


@expense("X-EN-a", "leaves a fortification", classes=ON_FOOT)
def leaves_works(mover: MoverView) -> Paid:
    """A squad leaves an entrenchment for 1 MP."""
    return Paid(mover.acts.began, works(mover, 1, "works out"))


@expense("EX1-c", "gets into a fortification", classes=ON_FOOT)
def enters_works(mover: MoverView) -> Paid:
    """Getting into an entrenchment costs 1 MP."""
    return Paid(mover.acts.did.legs[-1].target, works(mover, 0, "works in"))


def works(mover: MoverView, way: int, chart: str) -> CostInterval:
    found = FREE
    for name in mover.acts.works(way):
        if name == "none" or (
            name not in mover.tables["works"] and mover.rules.complete.has("works")
        ):
            continue
        one = mover.charge(chart, name, mover.cls)
        hi = None if found.hi is None or one.hi is None else found.hi + one.hi
        found = CostInterval(found.lo + one.lo, hi)
    return found._replace(lo=0) if mover.cls == NO_CLASS else found


@expense("X-RW-b", "clears razor wire")
def clears_wire(mover: MoverView) -> Paid | None:
    """A tank or engineers in the hex remove razor wire for 2 MPs."""
    name = mover.acts.hex("clears")
    if not name:
        return None
    cost = mover.charge("expenses", "clear_wire", mover.cls)
    return Paid(name, cost)
