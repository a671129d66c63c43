"""The die roll of a forced march: what it gives, by the modifiers that hold (6.F)."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate
from typing import NamedTuple

from ....model.bill import ZERO, Amount
from ....model.fact import Fact
from ...engine.mover_facts import MoverFacts
from ...engine.mover_view import MoverView
from .allowance import marker
from .terms import FULL, MARCH, PARTIAL, after_day, before_day

SEPTEMBER_1941 = "1941-09-01"
MOST, LOST = 3, 7
"""The most MPs that a march can add; the least result of the roll at which it fails."""
CLAUSES = ("6.F-T0", *4 * ("6.F-T1",), "6.F-T5", "6.F-T6", "6.F-T7", "6.F-T8", "6.F-T9")
"""By the result of the roll, the clause of its row in the table."""
ENTERED = "entered a ZOC on its march"
HAS_ENTERED = "did {} enter a partial or full ZOC on its forced march?"


class Path(NamedTuple):
    """What the roll depends on, as to the path: the ZOC classes that the march may touch besides none, and
    whether it enters one of them, which matters for Germans alone."""

    touches: tuple[int, ...] = ()
    enters: bool = False


PATHS = {
    MARCH: Path(),
    "march into partial ZOCs": Path((PARTIAL,), True),
    "march by partial ZOCs": Path((PARTIAL,)),
    "march into full ZOCs": Path((FULL,), True),
    "march by full ZOCs": Path((FULL,)),
    "march into all ZOCs": Path((PARTIAL, FULL), True),
    "march by all ZOCs": Path((PARTIAL, FULL)),
}


class Roll(NamedTuple):
    """What the roll gives: the MPs that it adds, and the clause by which it adds none; empty if it may."""

    extra: Amount
    failed: str = ""


@dataclass(slots=True)
class Span:
    """The least and the greatest sum of modifiers."""

    lo: int = 0
    hi: int = 0

    def add(self, value: int, surely: bool, perhaps: bool) -> None:
        """Add a modifier that surely applies, or perhaps."""
        if perhaps:
            self.lo += value if surely or value < 0 else 0
            self.hi += value if surely or value > 0 else 0


def attempts(fact: Fact) -> tuple[int, int]:
    """The least and the most MPs that a march tried to gain; 0: there was none. 1 to 2 if that is not
    told."""
    lo, hi = numbers(fact, 0, 2)
    return (1 if fact.low is None else lo), max(lo, hi)


def numbers(fact: Fact, least: int, most: int) -> tuple[int, int]:
    """The least and the greatest whole number between two that a fact allows."""
    lo = least if fact.low is None else int(fact.low)
    hi = most if fact.high is None else int(fact.high)
    return max(least, min(lo, most)), max(least, min(hi, most))


def faces(die: Fact) -> tuple[int, int]:
    """The least and the greatest number that a ten-sided die may show; its 10 counts as 0."""
    lo, hi = numbers(die, 0, 10)
    return (lo, hi) if hi < 10 else (0, 0 if lo == 10 else 9)


def goal_of(mover: MoverFacts | MoverView) -> str:
    """The hex where the move ends; empty if there is none, or if the move was there before."""
    move = mover.move
    return "" if move.target in move.waypoints[:-1] else move.target.hex or ""


def german_sides(mover: MoverView) -> tuple[bool, bool]:
    """Whether a unit is certainly German, and whether it may be."""
    names = [name.lower() for name in mover.tables["zoc"]["german"]]
    said = mover.fact("nationality").options
    found = {str(one).lower() in names for one in said} if said is not None else {True, False}
    return found == {True}, True in found


def ask_about(mover: MoverView, roll: Roll) -> Roll:
    """The same roll, once what would make it exact is asked."""
    if roll.extra.is_exact:
        return roll
    for about in ("march_die", "march", "march_markers"):
        if not mover.fact(about).is_known:
            mover.opens(about)
    if irregular(mover) == (False, True):
        mover.opens("supply")
    surely, perhaps = german_sides(mover)
    if perhaps and not surely:
        mover.opens("nationality")
    date = mover.fact("date")
    told = before_day(date, SEPTEMBER_1941) or after_day(date, SEPTEMBER_1941)
    if surely and not told:
        mover.opens("date")
    if not mover.fact("special").is_known:
        mover.opens("special")
    if perhaps and entry_of(mover, PATHS[mover.taken_as]) == (False, True):
        mover.opens_question(ENTERED, HAS_ENTERED, mover.move.steps[0])
    return roll


class Tried(NamedTuple):
    """What the attempts come to that may have been made: the least and the most MPs that they add, the same
    if a failure leaves the rest of the MPs tried, and the clause by which none are added; empty if some may
    be."""

    least: int
    most: int
    least_with_rest: int
    most_with_rest: int
    failed: str


def tried_by(mover: MoverView, path: Path) -> Tried:
    """What the attempts to march by a path come to. The results hoped for are those when the markers were
    chosen."""
    tried, die = attempts(mover.fact("march")), faces(mover.fact("march_die"))
    wanted, markers = numbers(mover.fact("march_markers"), 0, 9), marker(mover)
    there = 9 if markers.hi is None else int(markers.hi)
    extras: list[int] = [] if tried[0] else [0]
    with_rest = [*extras]
    results, hopes = list[int](), list[int]()
    for number in range(max(1, tried[0]), tried[1] + 1):
        mods = modifiers(mover, path, number)
        most = wanted[1] if mover.rule("6.F-M3") else 0
        least = min(wanted[0], int(markers.lo)) if mover.rule("6.F-M3") else 0
        lo, hi = clamp(die[0] + mods.lo - min(most, there)), clamp(die[1] + mods.hi - least)
        hopes.append(clamp(die[0] + mods.lo - most))
        results += (lo, hi)
        for result, gain in enumerate(gains(mover, number)[lo : hi + 1], lo):
            extras.append(gain)
            with_rest.append(max(gain, part_of(result, number)))
    failed = ""
    if max(extras) <= 0:
        failed = "6.F-M3" if min(hopes) < LOST <= min(results) else CLAUSES[min(results)]
    return Tried(min(extras), max(extras), min(with_rest), max(with_rest), failed)


def roll_by(mover: MoverView, path: Path) -> Roll:
    """The result of the roll for a march by a path."""
    if not mover.rule("6.F-e"):
        return Roll(ZERO, "6.F-e")
    least, most, least_with_rest, most_with_rest, failed = tried_by(mover, path)
    if most_with_rest > most and not mover.reading("failed_march", "nothing"):
        least, most = least_with_rest, most_with_rest
    return Roll(Amount(Fraction(least), Fraction(most)), failed)


def is_needless(mover: MoverView, path: Path) -> bool:
    """Whether another path gives no worse a result of the roll, and leaves all ways open that this one
    does."""
    own = tried_by(mover, path)
    wider = (
        tried_by(mover, other)
        for other in PATHS.values()
        if set(other.touches) >= set(path.touches) and other.enters <= path.enters and other != path
    )
    return any(one.failed == own.failed and no_worse(one, own) for one in wider)


def no_worse(one: Tried, other: Tried) -> bool:
    return all(mine >= theirs for mine, theirs in zip(one[:4], other[:4], strict=True))


def clamp(result: int) -> int:
    return max(0, min(9, result))


def part_of(result: int, number: int) -> int:
    """The MPs of a failed attempt that may not be lost: the text only says (-1 MP) or (-2 MP)."""
    return 0 if result < LOST else max(0, number - (2 if result == LOST + 2 else 1))


def gains(mover: MoverView, number: int) -> list[int]:
    """The MPs that each result adds. Never more than a better (lower) one, even if the row of that is
    switched off, because a march that may touch a ZOC need not do so."""
    return list(accumulate((row(mover, result, number) for result in range(len(CLAUSES))), min))


def row(mover: MoverView, result: int, number: int) -> int:
    applies = mover.rule(CLAUSES[result])
    if result >= LOST:
        return 0 if applies else number
    return number + applies if result == 0 else number if applies else 0


def modifiers(mover: MoverView, path: Path, number: int) -> Span:
    """The sum of the modifiers, without those for markers."""
    surely, perhaps = german_sides(mover)
    early = before_day(mover.fact("date"), SEPTEMBER_1941)
    may_be_early = not after_day(mover.fact("date"), SEPTEMBER_1941)
    enters, may_enter = entry_of(mover, path)
    special, found = mover.fact("special"), Span()
    rows = (
        ("6.F-M1", -1, surely and early, perhaps and may_be_early),
        ("6.F-M2", -1, surely and enters, perhaps and may_enter),
        ("6.F-M4", -1, special.must_be(True), not special.must_be(False)),
        ("6.F-M5", 1, PARTIAL in path.touches, PARTIAL in path.touches),
        ("6.F-M6", 1, *irregular(mover)),
        ("6.F-M7", 1, *in_zone(mover)),
        ("6.F-M8", 2, number == 2, number == 2),
        ("6.F-M9", 2, FULL in path.touches, FULL in path.touches),
    )
    for clause, value, sure, may in rows:
        if mover.rule(clause):
            found.add(value, sure, may)
    return found


def entry_of(mover: MoverView, path: Path) -> tuple[bool, bool]:
    """Whether a march certainly enters a ZOC, and whether it may. Where the search cannot see it, the facts
    may say."""
    if not path.enters or goal_of(mover):
        return path.enters, path.enters
    told = mover.told_number(ENTERED, mover.move.steps[0])
    return told.must_be(True), not told.must_be(False)


def irregular(mover: MoverView) -> tuple[bool, bool]:
    """Whether it is certainly not in regular supply, and whether it may not be. A state that the tables lack
    may be another name for any of them."""
    supply, states = mover.tables["supply"], mover.fact("supply").options
    regular = str(supply["regular"]).lower()
    known = {str(name).lower() for name in supply["factors"]} - {regular}
    if states is None:
        return False, True
    said = [str(state).lower() for state in states]
    return all(one in known for one in said), any(one != regular for one in said)


def in_zone(mover: MoverView) -> tuple[bool, bool]:
    """Whether the move certainly begins or ends in an arid or arctic zone, and whether it may. A move that
    goes on from the hex where it ended may end elsewhere."""
    board, move = mover.board, mover.move
    zones = mover.tables["march"]["zones"]
    begins = board.has(move.origin.name, zones) if move.origin.hex else False
    ends = board.has(move.target.name, zones) if move.target.hex else False
    surely = begins is True or (ends is True and not move.goes_on)
    return surely, begins is not False or ends is not False
