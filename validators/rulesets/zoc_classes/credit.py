"""The last step may be on credit, if a "+# MP" marker then shows the excess (6.A.3, 6.A.4, 6.D.1); and the
allowance of a unit in all forms and ways of moving."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import NamedTuple

from ....model.bill import ZERO, Amount
from ...engine.allowance import Credit, Mp
from ...engine.clauses import allowance, overdraft
from ...engine.mover_view import MoverView
from ...engine.rules import Rules
from .allowance import before_march, marker
from .march import rolled, with_march
from .rating import Mps
from .terms import FREE, REACTION, advances, marches

ONE = Fraction(1)


class Excess(NamedTuple):
    """By how many MPs a unit may overspend; ``amount`` None: by any. ``clause``: that says so."""

    amount: Amount | None
    clause: str


# -- the excess ------------------------------------------------------------------------------------


def excess(mover: MoverView, own: Callable[[], Mps] | None) -> Excess:
    """By how many MPs a unit may overspend, given the marker on it. How a fraction is rounded on the marker
    is open, so less than one MP more may be possible. ``own``: its allowance; None in an advance."""
    number = marker(mover)
    clause = "6.A.3-b" if number.hi is None or number.hi > 0 else "6.A.3-a"
    if not mover.rule(clause):
        return Excess(None, clause)
    if mover.rules.options["marker_rounding"] == "up" or all_whole(mover, own):
        return Excess(number, clause)
    if mover.reading("marker_rounding", "up"):
        return Excess(number, clause)
    part = ONE - Fraction(1, mover.rules.scale)
    return Excess(Amount(number.lo + part, None if number.hi is None else number.hi + part), clause)


def all_whole(mover: MoverView, own: Callable[[], Mps] | None) -> bool:
    """Whether neither the allowance nor any cost can be a fraction of an MP."""
    rating, kept = mover.fact("ma").value, mover.rules.options["half_R"] in ("down", "up")
    even = kept or (isinstance(rating, Fraction) and rating % 2 == 0)
    if mover.rules.scale > 2 or not (even or not halves(mover.rules, mover.cls)):
        return False
    amount = ZERO if own is None else own().amount
    ends = amount.lo, amount.hi
    return all(end is None or end.denominator == 1 for end in ends)


def halves(rules: Rules, column: str) -> bool:
    """Whether something on the board costs half the rating, or may."""
    names, whole = rules.names_on_board
    rows = (item for chart in rules.charts.values() for item in chart.items())
    return any(row[column].kind == "half" and (name in names or not whole) for name, row in rows)


# -- the allowance ---------------------------------------------------------------------------------


def spendable(mover: MoverView) -> Mps:
    """What a unit may spend in the phase, with what a forced march adds."""
    found = before_march(mover)
    return with_march(mover, found) if marches(mover) else found


@allowance("6.D.1-a")
def movement_allowance(mover: MoverView) -> Mp:
    """A unit with less than 1 MP left enters no hex. An advance after combat is paid by its marker alone, for
    in a combat phase a unit has no MPs (6.A.3-c). What moved otherwise has no limit."""
    if mover.taken_as in FREE:
        return Mp(None, "")
    if advances(mover):
        if not mover.rule("6.A.3-c"):
            return Mp(None, "")
        text = "the number on its marker: in a combat phase it has no MPs"
        return Mp(excess(mover, None).amount, "6.A.3-c", (("6.A.3-c", text),))
    found = spendable(mover)
    if not mover.rule("6.A-a"):
        return Mp(None, "", found.stages)
    if mover.rule("6.D.1-a"):
        failed = rolled(mover).failed if marches(mover) else ""
        cited = failed if failed and mover.rule(failed) else "6.D.1-a"
        return Mp(found.amount, cited, found.stages)
    more = lent(mover, lambda: found)
    total = Amount(found.amount.lo, None) if more.amount is None else found.amount + more.amount
    return Mp(total, more.clause, found.stages)


def lent(mover: MoverView, own: Callable[[], Mps]) -> Excess:
    """What the last step may cost beyond the allowance: never anything in reaction (6.A.4-g)."""
    if mover.phase == REACTION and mover.rule("6.A.4-g"):
        return Excess(ZERO, "6.A.4-g")
    return excess(mover, own)


@overdraft("6.A.4-h")
def on_credit(mover: MoverView) -> Credit | None:
    """With at least 1 MP left a unit may enter any hex that is not prohibited; the balance goes on a
    marker. Only in the initial and exploitation phases."""
    free = mover.taken_as in FREE or advances(mover)
    if free or not mover.rule("6.A-a") or not mover.rule("6.D.1-a"):
        return None
    more = lent(mover, lambda: spendable(mover))
    if not mover.rule("6.A.4-h"):
        more = Excess(ZERO, "6.D.1-a")
    failed = rolled(mover).failed if marches(mover) else ""
    return Credit(ONE, "6.A.4-h", more.amount, failed or more.clause)
