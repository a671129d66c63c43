"""Whether a unit moves as a reserve: the marker on it, the status lost, the status given up (6.B.2)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from ....model.fact import Unknown
from ....model.game import StepRef
from ....model.unit import Unit
from ...concepts import questions
from ...ruleset import Assumption, Circumstances
from .history import History


class Status(NamedTuple):
    """Whether a unit moves as a reserve, and by which clause it has lost that status."""

    reserve: bool
    lost: str = ""


_OTHERS = Status(False)
Statuses = tuple[tuple[Status, ...], tuple[Assumption, ...]]
"""Those a unit may choose from (a reserve may give its status up), and on what they rest."""


def statuses_of(unit: Unit, circumstances: Circumstances, history: History) -> Iterator[Statuses]:
    """The statuses of a unit at the beginning of its move, one lot for each completion of the facts."""
    at = circumstances.situation.at
    now = history.now(unit.id, "reserve", history.timeline.first_event(at))
    asked = questions.of_unit(unit, "reserve")
    unknown = not (now.must_be(True) or now.must_be(False))
    if now.must_be(False) and _taken_off(unit, at, history):
        yield from _just_given_up(unit, at, circumstances, history)
        return
    if now.must_be(False) and _laid_later(unit, at, history):
        late = Unknown(
            f"unit {unit.id} reserve placed",
            f"was {unit.name} in reserve before, its marker being laid late?",
        )
        yield (_OTHERS,), (Assumption(late, "false"),)
        yield (Status(True), _OTHERS), (Assumption(late, "true"),)
        return
    if now.may_be(False):
        yield (_OTHERS,), (Assumption(asked, "false"),) if unknown else ()
    if now.may_be(True):
        for choice, more in _in_reserve(unit, at, circumstances, history, unknown):
            yield choice, (Assumption(asked, "true"), *more) if unknown else more


def _in_reserve(
    unit: Unit, at: StepRef, circumstances: Circumstances, history: History, unknown: bool
) -> Iterator[Statuses]:
    """The statuses of one under a Reserve marker: it may have lost it. ``unknown``: whether there is a
    marker at all is."""
    clause, lost = history.lost(unit.id, at)
    if unknown and lost:
        lost = None  # nor is it known when the marker was put there: it may have been since
    circumstances.noticed.update(history.unseen_beside(unit.id, at))
    text = f"had {unit.name} lost its reserve status (6.B.2)?"
    asked = Unknown(f"unit {unit.id} reserve lost", text)
    if lost is not False:
        yield (Status(False, clause),), () if lost else (Assumption(asked, "true"),)
    if not lost:
        kept = () if lost is False else (Assumption(asked, "false"),)
        for choice, more in _kept_or_given_up(unit, at, circumstances, history):
            yield choice, (*kept, *more)


def _laid_later(unit: Unit, at: StepRef, history: History) -> bool:
    """Whether a Reserve marker was laid on a unit in the phase after it was dragged: that of its stack stayed
    behind (6.B.2-f), a chit put it there (6.B-d), or it was forgotten."""
    return any(fact.may_be(True) for fact in history.course(unit.id, "reserve", at).values[1:])


def _taken_off(unit: Unit, at: StepRef, history: History) -> bool:
    """Whether a Reserve marker was taken off a unit in the phase before it was dragged."""
    index = history.timeline.first_event(at)
    return any(fact.may_be(True) for fact in history.since_opening(unit.id, "reserve", index))


def _just_given_up(
    unit: Unit, at: StepRef, circumstances: Circumstances, history: History
) -> Iterator[Statuses]:
    """The statuses of one whose marker was taken off first: it may have given its status up, or the marker
    was in the way, or was left with its stack (6.B.2-f)."""
    back = history.course(unit.id, "reserve", at).last.must_be(True)
    asked = Unknown(
        f"unit {unit.id} reserve given up",
        f"had {unit.name} given its reserve status up before it moved, its marker being taken off?",
    )
    if not back:
        yield (_OTHERS,), (Assumption(asked, "true"),)
    for choice, more in _in_reserve(unit, at, circumstances, history, unknown=False):
        options = tuple(dict.fromkeys((*choice, _OTHERS))) if back else choice
        yield options, more if back else (Assumption(asked, "false"), *more)


def _joined(unit: Unit, circumstances: Circumstances) -> Unknown | None:
    """What to ask where the marker over a unit may be that of a stack it came to."""
    move, situation = circumstances.move, circumstances.situation
    place = move.target.hex if move is not None else None
    for other in situation.possibly_in(place) if place is not None else ():
        mate = other not in circumstances.moving and situation.game.units[other].side == unit.side
        if mate and not situation.fact(other, "reserve").must_be(False):
            key = f"unit {unit.id} reserve at the end of the phase"
            text = (
                f"is the Reserve marker in {place} that of {unit.name}, or of others in the stack?"
            )
            return Unknown(key, text)
    return None


def _kept_or_given_up(
    unit: Unit, at: StepRef, circumstances: Circumstances, history: History
) -> Iterator[Statuses]:
    """A reserve may give its status up at any time: whether the marker is still there shows it, unless a
    chit put it there again, or it is another's."""
    reserve, either = (Status(True),), (Status(True), _OTHERS)
    last = history.course(unit.id, "reserve", at).last
    if not history.tables.applies("6.B.2-g"):
        yield reserve, ()
        return
    if last.must_be(True):
        chit = history.told("chit", unit.id, history.timeline.first_event(at))
        asked = None if chit.must_be(False) else questions.of_condition("chit")
        asked = asked or _joined(unit, circumstances)
        if asked is None and history.taken_later(unit.id, at):
            asked = at_end(unit)
        yield reserve, () if asked is None else (Assumption(asked, "false"),)
        if asked is not None:
            yield either, (Assumption(asked, "true"),)
    elif last.must_be(False):
        yield either, ()
    else:
        off = at_end(unit)
        yield reserve, (Assumption(off, "true"),)
        yield either, (Assumption(off, "false"),)


def at_end(unit: Unit) -> Unknown:
    """Whether the Reserve marker on a unit still lay there when the phase was over."""
    return Unknown(
        f"unit {unit.id} reserve at the end of the phase",
        f"did the Reserve marker still lie on {unit.name} at the end of the phase?",
    )
