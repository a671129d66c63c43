"""How many MPs a unit has in a phase (6.A.1, 6.A.4, 6.D, 6.E): the rating as supply, load, phase, weather (by
the zones of the move, 6.A.4-i), night and a "+# MP" marker change it.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from math import ceil, floor
from typing import NamedTuple

from ....model.bill import ZERO, Amount
from ...cost_interval import hull
from ...engine.mover_view import MoverView
from .rating import HALF, Mps, ma, minus, scaled, up_to
from .terms import CLASSES, CLEAR, CM, COMBAT, FOOT, INITIAL, REACTION, RESERVE, SM, weather_key
from .terrain import hex_cost

MORE_IN_A_MARCH = Amount.exactly(3)


class Zones(NamedTuple):
    """The weather zones in which a move begins, or may, and those in which it ends, or may. ``outside``:
    whether it may begin outside of all zones. ``passed``: the zones that it may pass on its way and that may
    give a greater allowance."""

    begins: tuple[str, ...] = ()
    ends: tuple[str, ...] = ()
    outside: bool = True
    passed: tuple[str, ...] = ()


def zones_of(mover: MoverView, rating: Amount) -> Zones:
    """The zones of a move. One to a hex of unknown terrain is open without the zones there."""
    zones = mover.rules.perhaps_on_board(mover.tables["march"]["zones"])
    if not zones:
        return Zones()
    board, move = mover.board, mover.move
    start = mover.history.began_in(mover.unit.id, mover.index)
    last = move.target.hex if board.terrain_told(move.target.hex or "") else None
    begins, ends = _at(mover, start), _at(mover, last)
    outside = not any(board.has(start or "", (zone,)) is True for zone in begins)
    found = Zones(tuple(begins), tuple(ends), outside)
    if mover.rules.options["zone_allowance"] != "any" or None in (move.origin.hex, move.target.hex):
        return found
    most = max(_greatest(mover, zone) for zone in ("", *begins, *ends))
    better = [zone for zone in zones if _greatest(mover, zone) > most]
    reach = mover.reach(rating + MORE_IN_A_MARCH, hex_cost).most if better else None
    passed = tuple(zone for zone in better if _may_pass(mover, zone, reach))
    return found._replace(passed=passed)


def _at(mover: MoverView, name: str | None) -> list[str]:
    """The zones to which a hex belongs, or may."""
    every = sorted(mover.tables["march"]["zones"])
    return [
        zone for zone in every if name is not None and mover.board.has(name, (zone,)) is not False
    ]


def _may_pass(mover: MoverView, zone: str, reach: Fraction | None) -> bool:
    """Whether a move of at most so many steps may pass a hex of a zone."""
    board, move = mover.board, mover.move
    for name in board.perhaps_with(zone):
        legs = [board.distance(end, name) for end in (move.origin.name, move.target.name)]
        if reach is None or None in legs or sum(filter(None, legs)) <= reach + 1:
            return True  # the last step may be on credit
    return False


def _greatest(mover: MoverView, zone: str) -> Fraction:
    """The most by which the weather of a zone multiplies allowances; at least 1 if that is not known."""
    charts = {name.lower(): chart for name, chart in mover.tables["weather"].items()}
    charts[CLEAR] = {}
    states = mover.fact(weather_key(zone)).options or ("",)
    told = [charts.get(str(state), {"factor": "unknown"}).get("factor", 1) for state in states]
    return max(Fraction(1 if factor == "unknown" else factor) for factor in told)


SAID = {
    "full": "all of it in the phase",
    "up": "half in the phase, rounded up",
    "down": "half in the phase",
    "none": "nothing in the phase",
}
AT_END = "marker at the end of the phase"
WHAT_AT_END = 'which "+# MP" marker lay on {} at the end of the phase (0: none)?'
OWED = "marker at the beginning of the phase"
WHAT_OWED = 'which "+# MP" marker did {} have to pay first (0: none)?'


# -- its share in a phase --------------------------------------------------------------------------


def in_reserve(mover: MoverView) -> bool:
    return bool(mover.known["status"].must_be(RESERVE))


def share_of(mover: MoverView) -> tuple[str, str]:
    """The share of the MA that a unit has in the phase, and the clause that gives it (6.D.5)."""
    cls, phase, reserve = mover.known["class"].value, mover.phase, in_reserve(mover)
    if phase == COMBAT or cls not in CLASSES:
        return "full", ""
    clause = clause_of_share(str(cls), phase, reserve)
    if not mover.rule(clause):
        return ("down", "") if clause == "6.D.4-b" else ("full", "")
    return mover.tables["limits"]["reserve" if reserve else "others"][cls][phase], clause


def clause_of_share(cls: str, phase: str, reserve: bool) -> str:
    if phase == REACTION:
        return "6.D.3-b" if reserve else "6.D.3-a"
    if phase == INITIAL:
        motorized = "6.D.2-b" if cls != FOOT else "6.D.2-c"
        return motorized if reserve else ""
    if cls == CM:
        return "6.D.4-b" if reserve else "6.D.4-a"
    if not reserve:
        return "6.D.4-d"
    return "6.D.4-c" if cls == SM else "6.D.4-a"


def in_phase(mover: MoverView, found: Mps) -> Mps:
    """The share of the MA in the phase (6.D)."""
    if mover.known["class"].value not in CLASSES and mover.phase != COMBAT:
        mover.opens("class")
        return found.becomes(up_to(found.amount), "6.D.5-T", " or ".join(sorted(SAID.values())))
    share, clause = share_of(mover)
    return found.becomes(
        shared(mover, found.amount, share, clause), clause or "6.D.5-T", SAID[share]
    )


def shared(mover: MoverView, amount: Amount, share: str, clause: str) -> Amount:
    """A share of the MA. Whether half of it is rounded down, as the table says, or kept, as the example of
    6.A.1 has it, is open; for reaction the example of 6.D.5 settles it."""
    if share in ("full", "none"):
        return amount if share == "full" else ZERO
    halves = scaled(amount, HALF)
    if share == "up":
        return rounded(halves, ceil)
    if rounded(halves, floor) == halves or (
        clause != "6.D.3-b" and mover.reading("phase_half", "keep")
    ):
        return halves
    return rounded(halves, floor)


def rounded(amount: Amount, to_whole: Callable[[Fraction], int]) -> Amount:
    """The amount in whole MPs."""
    lo, hi = amount.lo, amount.hi
    return Amount(Fraction(to_whole(lo)), None if hi is None else Fraction(to_whole(hi)))


# -- weather, night, markers -----------------------------------------------------------------------


def in_weather(mover: MoverView, found: Mps) -> Mps:
    """What the weather leaves (6.A.4-i): the general one, or that of the zone where the move begins or ends,
    which is open. A zone that may only be passed can raise the allowance: the player may have gone round."""
    if not mover.rule("6.A.4-i"):
        return found
    zones = zones_of(mover, found.amount)
    counted = counting(mover, zones)
    amounts = [by_weather(mover, found.amount, zone) for zone in counted]
    least = min(amount.lo for amount in amounts)
    passed = (by_weather(mover, found.amount, zone) for zone in zones.passed)
    amounts += [Amount(least, amount.hi) for amount in passed]
    if len({(amount.lo, amount.hi) for amount in amounts}) > 1:
        mover.opens_reading("zone_allowance")
    amount = amounts[0]
    for other in amounts[1:]:
        amount = hull(amount, other)
    return found.becomes(amount, "6.A.4-i", "weather")


def counting(mover: MoverView, zones: Zones) -> list[str]:
    """The zones whose weather may count; empty for the general one."""
    how = mover.rules.options["zone_allowance"]
    if how == "general":
        return [""]
    own = sorted(zones.begins if how == "zone" else {*zones.begins, *zones.ends})
    return own if how == "zone" and not zones.outside else ["", *own]


def by_weather(mover: MoverView, amount: Amount, zone: str) -> Amount:
    """What the weather of a zone leaves of an allowance."""
    about, found = weather_key(zone), None
    states = mover.fact(about).options
    if states is None or len(states) > 1:
        mover.opens(about)
    for state in states or ("",):
        one = by_one(mover, amount, str(state))
        found = one if found is None else hull(found, one)
    assert found is not None
    return found


def by_one(mover: MoverView, amount: Amount, state: str) -> Amount:
    if state == "clear":
        return amount
    named = {name.lower(): name for name in mover.tables["weather"]}
    if state not in named:
        if state:
            weather_factor(mover, state, "")
        return up_to(amount)
    absent = 1 if mover.rules.complete.has("weather") else "unknown"
    told = mover.tables["weather"][named[state]].get("factor", absent)
    factor = weather_factor(mover, named[state], str(told))
    return up_to(amount) if factor.hi is None else scaled(amount, factor.lo)


def weather_factor(mover: MoverView, state: str, told: str) -> Amount:
    if told not in ("", "unknown"):
        return Amount.exactly(Fraction(told))
    text = f"by what does {state} weather multiply movement allowances?"
    key = f"cost of movement in {state} weather for units"
    return mover.number(("weather", state, "factor"), key, text)


def paid(mover: MoverView, found: Mps) -> Mps:
    """What is left at night (6.E-b), and once the "+# MP" marker is paid (6.A.3-1a). In which order is open,
    and what becomes of a fraction at night."""
    debt = owed(mover) if mover.rule("6.A.3-1a") else ZERO
    before = found.amount
    if not mover.rule("6.E-b") or not mover.is_("night", "true"):
        left = found.becomes(minus(before, debt), "6.A.3-1a", f"marker of {debt} MPs")
        return left._replace(owing=minus(debt, before))
    if debt == ZERO or mover.reading("night_debt", "before"):
        night = at_night(mover, minus(before, debt))
        amount, owing = night, minus(debt, before)
    else:
        night = at_night(mover, before)
        amount, owing = minus(night, debt), minus(debt, night)
    return found.becomes(amount, "6.E-b", "night")._replace(owing=owing)


def at_night(mover: MoverView, amount: Amount) -> Amount:
    night = minus(scaled(amount, HALF), Amount.exactly(HALF))
    up = rounded(night, ceil)
    return up if up != night and mover.reading("night_rounding", "up") else night


def owed(mover: MoverView) -> Amount:
    """The MPs that a unit owes when the phase begins. From 0 if it has moved since it was marked, and so may
    have paid, or if the marker may be that of another unit in its stack."""
    history, unit, index = mover.history, mover.unit, mover.index
    told = mover.told_number(OWED, mover.move.steps[0])
    if told.high is not None or told.options is not None:
        return Amount(max(ZERO.lo, told.low or ZERO.lo), told.high)
    found = history.at_opening(unit.id, "debt", index)
    low = max(ZERO.lo, found.low or ZERO.lo)
    amount = Amount(low, None if found.high is None else max(low, found.high))
    lifted = history.lifted(
        unit.id, "debt", history.opening(index), mover.rules.phase_kinds, COMBAT
    )
    if lifted.high is None or lifted.high > 0:  # taken off, though it had not moved since
        mover.opens_question(OWED, WHAT_OWED, mover.move.steps[0])
        return Amount(ZERO.lo, lifted.high)
    if not found.is_known:
        mover.opens("debt")
    if low and mover.may_have_paid(index, "debt", COMBAT):
        amount = up_to(amount)
        if found.is_known:
            mover.opens_question(OWED, WHAT_OWED, mover.move.steps[0])
    return amount


def before_march(mover: MoverView) -> Mps:
    """The allowance of a unit in the phase, without what a forced march adds."""
    return paid(mover, in_weather(mover, in_phase(mover, ma(mover))))


def marker(mover: MoverView) -> Amount:
    """The number on the "+# MP" marker put on a unit in the phase. From 0 if the marker at its end may still
    be the old one; any if the end of the phase, or a number, is not known, or if a marker came late: the
    text does not say when it is put down."""
    history, unit, at = mover.history, mover.unit.id, mover.move.steps[0]
    first = history.first_event(at)
    values, ended = history.to_end(unit, "debt", first)
    told = mover.told_number(AT_END, at)
    late, gone = Fraction(0), False
    if told.high is not None:
        values, ended = (values[0], told), True
    else:
        gone = history.left_map(unit, first)
        if ended:
            until = history.until_corrected(first, INITIAL, mover.rules.phase_kinds)
            every = history.after_phase(unit, "debt", first, until)
            numbers = [fact.high for fact in every if fact.high is None or fact.high > 0]
            ended = None not in numbers
            late = max((n for n in numbers if n is not None), default=late)
    if gone or not ended or late:
        mover.opens_question(AT_END, WHAT_AT_END, at)
    if not all(fact.is_known for fact in values):
        mover.opens("debt")
    highs = [fact.high for fact in values[1:] or values]
    least = Fraction(0)
    if len(values) > 1 or history.at_opening(unit, "debt", first).must_be(least):
        least = max(least, values[-1].low or least)
    most = [late, least, *(high for high in highs if high is not None)]
    return Amount(least, max(most) if ended and not gone and None not in highs else None)
