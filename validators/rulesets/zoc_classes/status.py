"""Whether a unit moves as a reserve: by the marker on it, unless it lost that status or gave it up (6.B.2);
who is put in reserve, and when (6.B), and the +1 MP marker for leaving operational reserve (6.A.3-2).
"""

from __future__ import annotations

from typing import NamedTuple

from ...engine.clauses import forbid_act
from ...engine.mover_view import MoverView
from ...engine.unit_at_event import Marking
from .allowance import AT_END
from .terms import (
    CM,
    COMBAT_UNIT,
    EXPLOITATION,
    FOOT,
    INITIAL,
    LOST,
    OTHERS,
    RESERVE,
    SM,
    after_day,
    before_day,
)

GIVEN_UP = "reserve status given up"
WAS_GIVEN_UP = "had {} given its reserve status up when it moved?"
PLACED = "in reserve before its marker was laid"
WAS_PLACED = "was {} in reserve before, its marker being laid late?"
STATUS_LOST = "reserve status lost"
WAS_LOST = "had {} lost its reserve status (6.B.2)?"
STILL = "reserve marker at the end of the phase"
IS_STILL = "did the Reserve marker still lie on {} at the end of the phase?"
OWN = "reserve marker is its own"
IN_EITHER = (RESERVE, OTHERS)


def status(mover: MoverView) -> tuple[str, ...]:
    """The statuses from which the player may choose: a reserve may give its status up."""
    history, unit, first = mover.history, mover.unit.id, start_of(mover)
    before = history.since_opening(unit, "reserve", first)
    after = history.to_end(unit, "reserve", first)
    now = history.value(unit, "reserve", first)
    if now.must_be(False) and any(fact.may_be(True) for fact in before):
        return just_taken_off(mover)
    laid = any(fact.may_be(True) for fact in after.values[1:])
    if now.must_be(False) and (laid or set_after(mover, True)):
        return IN_EITHER if mover.told_now(PLACED, WAS_PLACED) else (OTHERS,)
    return in_reserve(mover) if mover.at(first).is_("reserve", "true") else (OTHERS,)


def start_of(mover: MoverView) -> int:
    return mover.history.first_event(mover.move.steps[0])


def set_after(mover: MoverView, value: bool) -> bool:
    """Whether the marker may have been laid, or taken off, after the phase and before the unit was displaced
    again, up to the next initial phase."""
    history, first = mover.history, start_of(mover)
    until = history.until_corrected(first, INITIAL, mover.rules.phase_kinds)
    later = history.after_phase(mover.unit.id, "reserve", first, until)
    return any(fact.may_be(value) for fact in later)


def just_taken_off(mover: MoverView) -> tuple[str, ...]:
    """The statuses of a unit whose marker was taken off before it was dragged: it may have given its status
    up; or the marker was only in the way of the mouse, or stayed with the stack (6.B.2-f)."""
    back = mover.history.to_end(mover.unit.id, "reserve", start_of(mover)).kept
    if not back and mover.told_now(GIVEN_UP, WAS_GIVEN_UP):
        return (OTHERS,)
    found = in_reserve(mover)
    return tuple(dict.fromkeys((*found, OTHERS))) if back else found


def in_reserve(mover: MoverView) -> tuple[str, ...]:
    """The statuses of a unit with a Reserve marker. Where it is not known when that was put there, it may
    have been after what else takes the status away."""
    first = start_of(mover)
    known = mover.history.value(mover.unit.id, "reserve", first).is_known
    lost = loss_of_status(mover, first)
    sure, perhaps = lost.surely and known, lost.surely or lost.perhaps
    if sure or (perhaps and mover.told_now(STATUS_LOST, WAS_LOST)):
        return (LOST + lost.clause,)
    return kept_or_given_up(mover)


def kept_or_given_up(mover: MoverView) -> tuple[str, ...]:
    """The statuses of a unit that has not lost that of a reserve. A marker that is still there at the end of
    the phase shows that it did not give it up (6.B.2-g), unless a chit put it in reserve again, or the
    marker is another unit's."""
    if not mover.rule("6.B.2-g"):
        return (RESERVE,)
    after = mover.history.to_end(mover.unit.id, "reserve", start_of(mover))
    if after.lost or not shows_it(mover, after.kept):
        return IN_EITHER
    return (RESERVE,)


def shows_it(mover: MoverView, kept: bool) -> bool:
    """Whether the marker at the end of the phase shows that the unit was in reserve when it moved."""
    joined = mover.joins_marked("reserve") if kept else ""
    if joined:
        text = f"is the Reserve marker in {joined} that of {{}} (no: of others in the stack)?"
        if not mover.told_now(OWN, text):
            return False
    if (not kept or set_after(mover, False)) and not mover.told_now(STILL, IS_STILL):
        return False
    if not kept or not mover.is_("chit", "true", "yes"):
        return True
    # whether it had given its status up can wait until it is known that there was a chit
    return mover.fact("chit").must_be(True) and not mover.told_now(GIVEN_UP, WAS_GIVEN_UP)


# -- how the status is lost ------------------------------------------------------------------------


class Loss(NamedTuple):
    """Whether a unit has lost its status, certainly or perhaps, and the first clause by which it has."""

    clause: str = ""
    surely: bool = False
    perhaps: bool = False


def loss_of_status(mover: MoverView, index: int) -> Loss:
    """How a unit with a Reserve marker has lost its status by an event: by an engineering function (6.B.2-c),
    in an attack (6.B.2-d), or since it was next to enemy combat units when an initial or exploitation phase
    began (6.B.2-b). An offensive chit may have given it back (6.B-d)."""
    unit = mover.unit.id
    since = mover.history.last_set(unit, "reserve", index)
    every = [
        declared(mover, clause, key, since, index)
        for clause, key in (("6.B.2-c", "engineering"), ("6.B.2-d", "attacked"))
        if mover.rule(clause)
    ]
    if mover.rule("6.B.2-b"):
        every.append(was_next_to_enemies(mover, since, index))
    if mover.rule("6.B-d") and not mover.fact("chit").must_be(False):
        every = [one._replace(surely=False, perhaps=one.surely or one.perhaps) for one in every]
    sure = (one for one in every if one.surely)
    return next(sure, next((one for one in every if one.perhaps), Loss()))


def declared(mover: MoverView, clause: str, key: str, since: int, index: int) -> Loss:
    """Whether the facts say of a unit, since it was put in reserve, that it lost its status in a way. Where
    they say nothing of it, it may have."""
    said, surely, perhaps = mover.history.said_since(mover.unit.id, key, since, index)
    when = mover.history.said_last(mover.unit.id, key, index)
    if surely and when is not None and mover.may_have_begun(INITIAL, when, index):
        surely, perhaps = False, True
    return Loss(clause, surely, perhaps or not said)


def was_next_to_enemies(mover: MoverView, since: int, index: int) -> Loss:
    """Whether a unit was next to enemy combat units when a phase began. It may have been put in reserve again
    in an initial phase since, without its marker being touched."""
    surely = perhaps = False
    for start in mover.history.starts:
        if since < start.first < index:
            sure, may = mover.rules.contacts(COMBAT_UNIT, INITIAL, EXPLOITATION).at(
                start, mover.unit.id
            )
            again = (sure or may) and mover.may_have_begun(INITIAL, start.first, index)
            surely, perhaps = surely or (sure and not again), perhaps or sure or may
    return Loss("6.B.2-b", surely, perhaps)


JULY_1942, JULY_1943 = "1942-07-01", "1943-07-01"
WHICH_AT_END = 'which "+# MP" marker lay on {} at the end of the phase (0: none)?'
LEFT = "left operational reserve"
HAS_LEFT = "had {} left operational reserve when the phase was over?"


def is_placed(mark: Marking) -> bool:
    """Whether a unit is put in reserve that was not since the phase began, and the marker is the last word on
    it in the phase. One that was in reserve left its stack and got a marker of its own (6.B.2-f); one that
    joined a stack in reserve may lie under that one's marker."""
    history, unit = mark.history, mark.unit.id
    before = (mark.event.before, *history.since_opening(unit, "reserve", mark.index))
    if any(mark.became(("before", fact.options), fact) for fact in before):
        return False
    last = history.to_end(unit, "reserve", mark.first).values[-1]
    if not mark.became("after", mark.event.after) or not mark.became("last", last):
        return False
    first = mark.first
    return not any(history.value(u, "reserve", first).must_be(True) for u in mark.mates())


def put_right(mark: Marking) -> bool:
    """Whether the marker was put there by mistake: it was taken off after the phase, or the phase does not
    certainly end in the logs, and the facts say that it was not there at its end."""
    history, unit = mark.history, mark.unit.id
    until = history.until_corrected(mark.first, INITIAL, mark.rules.phase_kinds)
    later = history.after_phase(unit, "reserve", mark.first, until)
    taken = any(fact.may_be(False) for fact in later)
    if history.to_end(unit, "reserve", mark.first).ended and not taken:
        return False
    return not mark.told_now(STILL, IS_STILL)


def of_others(mark: Marking) -> bool:
    """Whether the marker is that of other units in the stack, which may have one too."""
    history = mark.history
    for other in mark.perhaps_mates():
        values = history.to_end(other, "reserve", mark.first).values
        if any(fact.may_be(True) for fact in values):
            place = mark.whereabouts()
            text = f"is the Reserve marker in {place} that of {{}} (no: of others in the stack)?"
            return not mark.told_now(OWN, text)
    return False


@forbid_act("6.B-a", about="reserve")
def after_moving(mark: Marking) -> str:
    """Units are put in reserve before they move, unless a chit does it (6.B-d). One that may move in reserve
    may have been put there first, and its marker laid late."""
    if not mark.moved_in(INITIAL) or not is_placed(mark):
        return ""
    if mark.rule("6.B-d") and mark.is_("chit", "true", "yes"):
        return ""
    on_foot = mark.at(mark.index).fact("class").must_be(FOOT)
    if not on_foot and mark.rule("6.D.2-b") and mark.told_now(PLACED, WAS_PLACED):
        return ""
    return "" if of_others(mark) or put_right(mark) else "was put in reserve after it had moved"


@forbid_act("6.B.1-a", about="reserve", always=True)
def eligible(mark: Marking) -> tuple[str, str] | str:
    """Before July 1942 only German and motorized units are put in reserve, and from then until July 1943
    those of major powers, too (6.B.1-b)."""
    date, clause = mark.fact("date"), era(mark)
    if not clause or not mark.rule(clause) or not is_placed(mark) or is_major(mark, clause):
        return ""
    if is_motorized(mark) or of_others(mark) or put_right(mark):
        return ""
    nation = mark.fact("nationality").value or "unknown"
    when = date.value or "an unknown date"
    text = f"was put in reserve on {when}, being {nation} and no motorized unit"
    return clause, text


def era(mark: Marking) -> str:
    """The clause that says who may be put in reserve at the date; empty: anybody."""
    date = mark.fact("date")
    early = before_day(date, JULY_1942), not after_day(date, JULY_1942)
    if mark.decided("date", JULY_1942, *early):
        return "6.B.1-a"
    later = before_day(date, JULY_1943), not after_day(date, JULY_1943)
    return "6.B.1-b" if mark.decided("date", JULY_1943, *later) else ""


def is_major(mark: Marking, clause: str) -> bool:
    """Whether the unit is German, or of a major power where that is enough."""
    if clause == "6.B.1-b" and mark.is_("major", "true", "yes"):
        return True
    return mark.is_named("nationality", mark.tables["zoc"]["german"])


def is_motorized(mark: Marking) -> bool:
    """Whether a unit is motorized; whether s/m units are is open."""
    cls = mark.fact("class")
    if cls.must_be(SM):
        return mark.reading("semi_motorized", "yes")
    sure = cls.must_be(CM)
    perhaps = cls.options is None or any(option != FOOT for option in cls.options)
    return mark.decided("class", "motorized", sure, perhaps)


@forbid_act("6.B.2-a", about="reserve")
def next_to_enemies(mark: Marking) -> str:
    """Units are not put in reserve next to an enemy. Where somebody came there before, or in another phase,
    the marker may have been laid late."""
    if not mark.next_to_enemies() or not is_placed(mark):
        return ""
    if (not mark.is_phasing(INITIAL) or mark.someone_came()) and mark.told_now(PLACED, WAS_PLACED):
        return ""
    return "" if put_right(mark) else f"was put in reserve in {mark.place}, next to an enemy"


@forbid_act("6.A.3-2", about="operational_reserve")
def left_reserve(mark: Marking) -> str:
    """A unit that leaves operational reserve gets a +1 MP marker. One that was taken off the map bears
    none."""
    history, unit, about = mark.history, mark.unit.id, mark.event.attribute
    back = history.to_end(unit, about, mark.first).values[1:]
    if not mark.became("before", mark.event.before) or mark.became("after", mark.event.after):
        return ""
    if back and mark.became("last", back[-1]):
        return ""
    if bears_marker(mark):
        return ""
    until = history.until_corrected(mark.first, INITIAL, mark.rules.phase_kinds)
    put_back = history.after_phase(unit, about, mark.first, until)
    if any(fact.may_be(True) for fact in put_back) and not mark.told_now(LEFT, HAS_LEFT):
        return ""
    return "left operational reserve and got no +1 MP marker"


def bears_marker(mark: Marking) -> bool:
    """Whether the unit bears a "+# MP" marker at the end of the phase."""
    values, ended = mark.history.to_end(mark.unit.id, "debt", mark.first)
    told = mark.told_number(AT_END, mark.event.at)
    if any(fact.low is not None and fact.low > 0 for fact in values):
        return True
    if told.high is not None:
        return told.high > 0
    perhaps = any(fact.high is None or fact.high > 0 for fact in values)
    open_ = not ended or perhaps or is_marked_late(mark)
    return open_ and mark.is_answered(AT_END, WHICH_AT_END)


def is_marked_late(mark: Marking) -> bool:
    """Whether a marker came after the phase, or the unit was taken off the map, where none can be on it."""
    history, unit = mark.history, mark.unit.id
    until = history.until_corrected(mark.first, INITIAL, mark.rules.phase_kinds)
    later = history.after_phase(unit, "debt", mark.first, until)
    late = any(fact.high is None or fact.high > 0 for fact in later)
    return late or not mark.place or history.left_map(unit, mark.first)
