"""Whether a unit moves as a reserve: by the marker on it, unless it lost that status or gave it up
(6.B.2)."""

from __future__ import annotations

from typing import NamedTuple

from ...engine.mover_view import MoverView
from .terms import COMBAT_UNIT, EXPLOITATION, INITIAL, LOST, OTHERS, RESERVE

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
    until = history.until_corrected(history.ending(first)[0], INITIAL, mover.rules.phase_kinds)
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
        every.append(next_to_enemies(mover, since, index))
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


def next_to_enemies(mover: MoverView, since: int, index: int) -> Loss:
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
