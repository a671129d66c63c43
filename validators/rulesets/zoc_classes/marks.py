"""The markers put on units: who is put in reserve, and when (6.B), and the +1 MP marker for leaving
operational reserve (6.A.3-2)."""

from __future__ import annotations

from ...engine.clauses import forbid_act
from ...engine.told_unit import Marking
from .allowance import AT_END
from .dates import after_day, before_day
from .status import IS_STILL, OWN, PLACED, STILL, WAS_PLACED
from .terms import CM, FOOT, INITIAL, SM

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
    until = history.until_corrected(history.ending(mark.first)[0], INITIAL, mark.rules.phase_kinds)
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
    until = history.until_corrected(history.ending(mark.first)[0], INITIAL, mark.rules.phase_kinds)
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
    until = history.until_corrected(history.ending(mark.first)[0], INITIAL, mark.rules.phase_kinds)
    later = history.after_phase(unit, "debt", mark.first, until)
    late = any(fact.high is None or fact.high > 0 for fact in later)
    return late or not mark.place or history.left_map(unit, mark.first)
