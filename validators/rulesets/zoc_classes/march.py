"""Forced marches: who may, what the roll gives, and what a march may not touch (6.F)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

from ....model.bill import ZERO, Amount
from ....model.fact import Fact
from ...engine.asking import Bounds
from ...engine.clauses import ClauseFunction, choice, forbid, forbid_move
from ...engine.mover_view import MoverFacts, MoverView
from ...engine.step import Step
from .allowance import before_march, in_reserve, marker
from .dates import after_day, before_day
from .rating import Mps, minus
from .terms import (
    AFTER_MARCH,
    CM,
    FULL,
    INITIAL,
    MARCH,
    OFF_ROAD,
    PARTIAL,
    form_named,
    marches,
)
from .terrain import hex_cost
from .zones import named, zoc

SEPTEMBER_1941 = "1941-09-01"
MOST, LOST = 3, 7
"""The most MPs that a march can add; the least result of the roll at which it fails."""
CLAUSES = ("6.F-T0", *4 * ("6.F-T1",), "6.F-T5", "6.F-T6", "6.F-T7", "6.F-T8", "6.F-T9")
"""By the result of the roll, the clause of its row in the table."""
BEFORE = "dragged before the march failed"
WAS_BEFORE = "was {} dragged on before its forced march failed, and then put where it was lost?"
ENTERED = "entered a ZOC on its march"
HAS_ENTERED = "did {} enter a partial or full ZOC on its forced march?"
ALL_SPENT = "could spend no more at the roll"


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


class Marched(NamedTuple):
    """The state of a march that must enter a ZOC: whether it has."""

    entered: bool


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


# -- what was chosen -------------------------------------------------------------------------------


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


def judged_in_form(facts: MoverFacts) -> bool:
    """Whether a unit may have moved without a march in the form that a pack has for one."""
    tried = facts.known["march"]
    named_so = facts.form == form_named(facts.rules, "march")
    return not named_so or tried.low is None or attempts(tried)[0] == 0


def may_march(mover: MoverView) -> bool:
    """Whether a move may be a forced march."""
    by_form = mover.form == form_named(mover.rules, "march")
    open_form = not mover.form and mover.phase == INITIAL
    return (by_form or open_form) and attempts(mover.fact("march"))[1] > 0


def goal_of(facts: MoverFacts) -> str:
    """The hex where the move ends; empty if there is none, or if the move was there before."""
    move = facts.move
    return "" if move.target in move.waypoints[:-1] else move.target.hex or ""


def german_sides(mover: MoverView) -> tuple[bool, bool]:
    """Whether a unit is certainly German, and whether it may be."""
    names = [name.lower() for name in mover.tables["zoc"]["german"]]
    said = mover.fact("nationality").options
    found = {str(one).lower() in names for one in said} if said is not None else {True, False}
    return found == {True}, True in found


# -- the ways of marching --------------------------------------------------------------------------


def taken(name: str) -> Callable[[MoverView], bool]:
    def by_path(mover: MoverView) -> bool:
        """The player tried a forced march by such a path."""
        return may_march(mover) and (not PATHS[name].enters or german_sides(mover)[1])

    return by_path


MARCHES: tuple[ClauseFunction, ...] = tuple(choice(name, lifts=())(taken(name)) for name in PATHS)


def start(facts: MoverFacts) -> Marched | None:
    """The state of a march whose path must have entered a ZOC, where that can be seen; others have none."""
    path = PATHS.get("" if facts.taken_as is None else facts.taken_as.id, Path())
    return Marched(False) if path.enters and goal_of(facts) else None


def after(step: Step) -> Marched:
    """Whether a march has entered a partial or full ZOC; double and triple ones may not count."""
    levels = zoc(step, step.into)
    if step.tag.entered or (levels.lo >= PARTIAL and (levels.hi or 0) <= FULL):
        return Marched(True)
    if (levels.hi or 0) < PARTIAL or levels.lo > FULL:
        return Marched(False)
    return Marched(step.undecided("enters", levels))


def unfinished(state: Marched, facts: MoverFacts) -> bool:
    return not state.entered


@choice(AFTER_MARCH, lifts=("6.F-a", "6.F-b", "6.B.3-b", "6.F-d"))
def put_back_after(mover: MoverView) -> bool:
    """It was dragged on before its march failed, and then put where it was lost."""
    drags, move = len(mover.move.steps), mover.move
    if not may_march(mover) or drags < 2 or None in (move.origin.hex, move.target.hex):
        return False
    if not withdrawn(mover) or not mover.rule("6.F-e"):
        return False
    if all(roll_by(mover, path).extra.lo > 0 for path in PATHS.values()):
        return False
    reach = mover.reach(before_march(mover).amount + Amount.exactly(MOST), hex_cost)
    board = mover.circumstances.situation.game.board
    far = board.distance(move.origin.name, move.target.name)
    if far is not None and reach.most is not None and far > reach.most + 1:
        return False
    if not mover.told_now(BEFORE, WAS_BEFORE):
        return False
    near = far is None or reach.sure is None or far <= reach.sure + 1
    return near or mover.undecided("reach", reach.asked)


def withdrawn(mover: MoverView) -> bool:
    """Whether a unit may have been taken off the map or dragged back after it was dragged."""
    history, first = mover.history, mover.history.first_event(mover.move.steps[0])
    until = history.until_corrected(history.ending(first)[0], INITIAL, mover.rules.phase_kinds)
    return history.may_be_withdrawn(mover.unit.id, first, until)


# -- the roll --------------------------------------------------------------------------------------


def with_march(mover: MoverView, found: Mps) -> Mps:
    """The allowance with the MPs that a march adds, which first pay for the rest of the marker (6.A.4-f)."""
    extra = rolled(mover).extra
    reason = f"forced march: {extra} more"
    return found.becomes(minus(found.amount + extra, found.owing), "6.F-e", reason)


def rolled(mover: MoverView) -> Roll:
    """The result of the roll for the march that was taken. A unit that was dragged back or taken off the map
    afterwards may have been dragged before the die was rolled."""
    roll = roll_by(mover, PATHS[mover.taken_as])
    if roll.extra.lo or not mover.rule("6.F-e") or not withdrawn(mover):
        return ask_about(mover, roll)
    if not mover.told_now(BEFORE, WAS_BEFORE):
        return ask_about(mover, roll)
    most = Fraction(MOST)
    return Roll(Amount(most if roll.failed else roll.extra.lo, most))


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


def roll_by(mover: MoverView, path: Path) -> Roll:
    """The result of the roll for a march by a path."""
    if not mover.rule("6.F-e"):
        return Roll(ZERO, "6.F-e")
    tried, die = attempts(mover.fact("march")), faces(mover.fact("march_die"))
    wanted, markers = numbers(mover.fact("march_markers"), 0, 9), marker(mover)
    there = 9 if markers.hi is None else int(markers.hi)
    extras: list[int] = [] if tried[0] else [0]
    results, hopes, parts = list[int](), list[int](), [0]
    for number in range(max(1, tried[0]), tried[1] + 1):
        mods = modifiers(mover, path, number)
        most = wanted[1] if mover.rule("6.F-M3") else 0
        least = min(wanted[0], int(markers.lo)) if mover.rule("6.F-M3") else 0
        lo, hi = clamp(die[0] + mods.lo - min(most, there)), clamp(die[1] + mods.hi - least)
        hopes.append(clamp(die[0] + mods.lo - most))
        results += (lo, hi)
        extras += [added(mover, result, number) for result in range(lo, hi + 1)]
        parts += [part_of(result, number) for result in range(lo, hi + 1)]
    failed = ""
    if max(extras) <= 0:
        failed = "6.F-M3" if min(hopes) < LOST <= min(results) else CLAUSES[min(results)]
    extra = Amount(Fraction(min(extras)), Fraction(max(extras)))
    if max(parts) > max(extras) and not mover.reading("failed_march", "nothing"):
        extra = Amount(extra.lo, Fraction(max(parts)))
    return Roll(extra, failed)


def clamp(result: int) -> int:
    return max(0, min(9, result))


def part_of(result: int, number: int) -> int:
    """The MPs of a failed attempt that may not be lost: the text only says (-1 MP) or (-2 MP)."""
    return 0 if result < LOST else max(0, number - (2 if result == LOST + 2 else 1))


def added(mover: MoverView, result: int, number: int) -> int:
    """The MPs that a result adds. Never more than a better (lower) one, even if the row of that is switched
    off, because a march that may touch a ZOC need not do so."""
    return min(row(mover, better, number) for better in range(result + 1))


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
    if not path.enters or goal_of(mover.mover):
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
    board, move = mover.circumstances.situation.game.board, mover.move
    zones = mover.tables["march"]["zones"]
    begins = board.has(move.origin.name, zones) if move.origin.hex else False
    ends = board.has(move.target.name, zones) if move.target.hex else False
    surely = begins is True or (ends is True and not move.goes_on)
    return surely, begins is not False or ends is not False


# -- what is forbidden to a march ------------------------------------------------------------------


@forbid("6.F-c", "force marches into a hex that is not clear, off the roads")
def off_the_roads(step: Step) -> bool:
    """All movement of a forced march is into clear hexes or down roads."""
    if not marches(step) or step.by != OFF_ROAD:
        return False
    clear = step.tables["march"]["clear"]
    return any(name not in clear for name in step.into.terrains) and step.whole_chart("march")


@forbid("6.F-M5", lambda step: f"touches {named(touched(step))}", always=True)
def other_zones(step: Step) -> bool:
    """The path keeps to the ZOCs that its roll reckons with."""
    return marches(step) and (shut(step, step.out_of, "left") or shut(step, step.into, "entered"))


def touched(step: Step) -> Bounds:
    left, touches = zoc(step, step.out_of), PATHS[step.taken_as].touches
    return left if any(answers(left, touches)) else zoc(step, step.into)


def shut(step: Step, at: object, name: str) -> bool:
    """Whether the class of a ZOC is not one that the roll reckons with. Whether double and triple ZOCs count
    as full ones is open."""
    levels, touches = zoc(step, at), PATHS[step.taken_as].touches  # type: ignore[arg-type]
    found = answers(levels, touches)
    sure = (levels.hi or 0) <= FULL or FULL in touches
    if len(set(found)) == 1 and sure:
        return found[0]
    return step.undecided(name, levels)


def answers(levels: Bounds, touches: tuple[int, ...]) -> list[bool]:
    """For each class that a ZOC may have, whether it is shut to the march; those above full count as full."""
    every = range(levels.lo, (levels.hi or 0) + 1)
    return [level != 0 and min(level, FULL) not in touches for level in every]


@forbid_move("6.F-a")
def wrong_type(mover: MoverView) -> str:
    """Only non-motorized and s/m infantry types force march."""
    if not marches(mover):
        return ""
    if mover.is_("class", CM):
        return "force marches, being a c/m unit"
    return "" if mover.is_("infantry", "true", "yes") else "force marches, being no infantry type"


@forbid_move("6.F-b", "force marches in another phase than the initial one")
def wrong_phase(mover: MoverView) -> bool:
    """Units force march in the initial phase only."""
    return marches(mover) and mover.phase != INITIAL


@forbid_move("6.B.3-b", "force marches in reserve")
def reserves(mover: MoverView) -> bool:
    """Units in reserve do not force march."""
    return marches(mover) and in_reserve(mover)


def spent_too_little(mover: MoverView) -> str:
    said = mover.fact("march_spent").high
    return f"rolls for a forced march having spent {said} of {before_march(mover).amount} MPs"


@forbid_move("6.F-d", spent_too_little)
def spent_first(mover: MoverView) -> bool:
    """A unit spends its MA before it chooses to add MPs and rolls. The next hex may have cost more than was
    left."""
    if not marches(mover):
        return False
    said, own = mover.fact("march_spent"), before_march(mover).amount
    if said.high is None or said.low is None:
        return False
    left = own.lo - said.high
    if left < 1 and said.low < said.high and own.lo - said.low >= 1:
        return mover.doubted("march_spent")
    if left < 1 and own.hi is not None and own.hi - said.low < 1:
        return False
    dearest = mover.dearest_step(said.high)
    if left >= 2 and dearest is not None and left >= dearest:
        return True
    text = f"could {{}} spend no more of its {own} MPs before it rolled for the march?"
    return not mover.told_now(ALL_SPENT, text)


@forbid_move("6.F-a", always=True)
def no_march(mover: MoverView) -> bool:
    """In the form of a forced march a unit may have moved without one, within its allowance; that is open
    where it is not told what it tried."""
    if marches(mover) or mover.form != form_named(mover.rules, "march"):
        return False
    tried = mover.fact("march")
    return attempts(tried) != (0, 0) and mover.doubted("march")
