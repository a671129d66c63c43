"""Forced marches: who may, what the roll gives, and what a march may not touch (6.F). The last step may be on
credit, if a "+# MP" marker then shows the excess (6.A.3, 6.A.4, 6.D.1); and the allowance of a unit in all
forms and ways of moving.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import NamedTuple

from ....model.bill import ZERO, Amount, written
from ...engine.allowance import Credit, Mp
from ...engine.asking import Bounds
from ...engine.clauses import ClauseFunction, allowance, choice, forbid, forbid_move, overdraft
from ...engine.hex_view import HexView
from ...engine.mover_facts import MoverFacts
from ...engine.mover_view import MoverView
from ...engine.rules import Rules
from ...engine.step import Step
from .allowance import before_march, in_reserve, marker
from .rating import Mps, minus
from .roll import (
    MOST,
    PATHS,
    Path,
    Roll,
    ask_about,
    attempts,
    german_sides,
    goal_of,
    is_needless,
    roll_by,
)
from .terms import (
    AFTER_MARCH,
    CM,
    FREE,
    FULL,
    INITIAL,
    MARCH,
    OFF_ROAD,
    PARTIAL,
    REACTION,
    advances,
    form_named,
    marches,
)
from .terrain import hex_cost
from .zones import named, zoc

BEFORE = "dragged before the march failed"
WAS_BEFORE = "was {} dragged on before its forced march failed, and then put where it was lost?"
ALL_SPENT = "could spend no more at the roll"


class Marched(NamedTuple):
    """The state of a march that must enter a ZOC: whether it has."""

    entered: bool


# -- who marches -----------------------------------------------------------------------------------


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


# -- the ways of marching --------------------------------------------------------------------------


def taken(name: str) -> Callable[[MoverView], bool]:
    def by_path(mover: MoverView) -> bool:
        """The player tried a forced march by such a path."""
        path = PATHS[name]
        if not may_march(mover) or (path.enters and not german_sides(mover)[1]):
            return False
        return not is_needless(mover, path)

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
    return Marched(step.undecided("enters", levels.asked))


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
    far = mover.board.distance(move.origin.name, move.target.name)
    if far is not None and reach.most is not None and far > reach.most + 1:
        return False
    if not mover.told_now(BEFORE, WAS_BEFORE):
        return False
    near = far is None or reach.sure is None or far <= reach.sure + 1
    return near or mover.undecided("reach", reach.asked)


def withdrawn(mover: MoverView) -> bool:
    """Whether a unit may have been taken off the map or dragged back after it was dragged."""
    history, first = mover.history, mover.history.first_event(mover.move.steps[0])
    until = history.until_corrected(first, INITIAL, mover.rules.phase_kinds)
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
    if (roll.extra.lo and not roll.failed) or not mover.rule("6.F-e") or not withdrawn(mover):
        return ask_about(mover, roll)
    if not mover.told_now(BEFORE, WAS_BEFORE):
        return ask_about(mover, roll)
    most = Fraction(MOST)
    return Roll(Amount(most if roll.failed else roll.extra.lo, most))


# -- what is forbidden to a march ------------------------------------------------------------------


@forbid("6.F-c", "force marches into a hex that is not clear, off the roads", only=MARCH)
def off_the_roads(step: Step) -> bool:
    """All movement of a forced march is into clear hexes or down roads."""
    if step.by != OFF_ROAD:
        return False
    clear = step.tables["march"]["clear"]
    return any(name not in clear for name in step.into.terrains) and step.stated("march")


@forbid("6.F-M5", lambda step: f"touches {named(touched(step))}", always=True, only=MARCH)
def other_zones(step: Step) -> bool:
    """The path keeps to the ZOCs that its roll reckons with."""
    return shut(step, step.out_of, "left") or shut(step, step.into, "entered")


def touched(step: Step) -> Bounds:
    left, touches = zoc(step, step.out_of), PATHS[step.taken_as].touches
    return left if any(answers(left, touches)) else zoc(step, step.into)


def shut(step: Step, at: HexView, name: str) -> bool:
    """Whether the class of a ZOC is not one that the roll reckons with. Whether double and triple ZOCs count
    as full ones is open."""
    levels = zoc(step, at)
    if levels.hi == 0:
        return False
    touches = PATHS[step.taken_as].touches
    found = answers(levels, touches)
    sure = (levels.hi or 0) <= FULL or FULL in touches
    if len(set(found)) == 1 and sure:
        return found[0]
    return step.undecided(name, levels.asked)


def answers(levels: Bounds, touches: tuple[int, ...]) -> list[bool]:
    """For each class that a ZOC may have, whether it is shut to the march; those above full count as full."""
    every = range(levels.lo, (levels.hi or 0) + 1)
    return [level != 0 and min(level, FULL) not in touches for level in every]


@forbid_move("6.F-a", only=MARCH)
def wrong_type(mover: MoverView) -> str:
    """Only non-motorized and s/m infantry types force march."""
    if mover.is_("class", CM):
        return "force marches, being a c/m unit"
    return "" if mover.is_("infantry", "true", "yes") else "force marches, being no infantry type"


@forbid_move("6.F-b", "force marches in another phase than the initial one", only=MARCH)
def wrong_phase(mover: MoverView) -> bool:
    """Units force march in the initial phase only."""
    return mover.phase != INITIAL


@forbid_move("6.B.3-b", "force marches in reserve", only=MARCH)
def reserves(mover: MoverView) -> bool:
    """Units in reserve do not force march."""
    return in_reserve(mover)


def spent_too_little(mover: MoverView) -> str:
    said, most = mover.fact("march_spent").high, before_march(mover).amount
    return (
        f"rolls for a forced march having spent {written(said or 0)} of {most and most.written} MPs"
    )


@forbid_move("6.F-d", spent_too_little, only=MARCH)
def spent_first(mover: MoverView) -> bool:
    """A unit spends its MA before it chooses to add MPs and rolls. The next hex may have cost more than was
    left."""
    said, own = mover.fact("march_spent"), before_march(mover).amount
    if said.high is None or said.low is None:
        return False
    left = own.lo - said.high
    if left < 1 <= own.lo - said.low:
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
