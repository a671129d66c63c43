"""Whether a unit moves as a reserve: by the marker on it, unless it lost that status or gave it up
(6.B.2)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from ....model.fact import Fact, MissingFact
from ....model.game import StepRef
from ....model.unit import Unit
from ...answers import Question, answer
from ...concepts import missing_facts
from ...concepts.sides import is_friend
from ...concepts.unclear_places import perhaps_with
from ...ruleset import Assumption, Circumstances
from . import ruleset_facts
from .ruleset_facts import Excuse, excused
from .unit_history import UnitHistory


class Status(NamedTuple):
    """Whether a unit moves as a reserve. ``lost``: the clause by which it lost that status, '' if it did
    not."""

    reserve: bool
    lost: str = ""


_OTHERS = Status(False)
Statuses = tuple[tuple[Status, ...], tuple[Assumption, ...]]
"""The statuses that the player may choose from (a reserve may give its status up), and the assumptions about
missing facts under which they apply."""


def statuses_of(
    unit: Unit, circumstances: Circumstances, unit_history: UnitHistory
) -> Iterator[Statuses]:
    """The possible statuses of a unit at the start of its move, one item for each completion of the facts."""
    at = circumstances.situation.at
    now = unit_history.now(unit.id, "reserve", unit_history.timeline.first_event(at))
    mark = missing_facts.of_unit(unit, "reserve")
    unknown = not (now.must_be(True) or now.must_be(False))
    if now.must_be(False) and _taken_off(unit, at, unit_history):
        yield from _just_given_up(unit, at, circumstances, unit_history)
        return
    if now.must_be(False) and _laid_later(unit, at, unit_history):
        late = ruleset_facts.placed(unit, at)
        said, unsaid = answer(unit_history.game, late), late.unknown()
        if said is not True:
            yield (_OTHERS,), () if said is False else (Assumption(unsaid, "no"),)
        if said is not False:
            yield (Status(True), _OTHERS), () if said else (Assumption(unsaid, "yes"),)
        return
    if now.may_be(False):
        yield (_OTHERS,), (Assumption(mark, "false"),) if unknown else ()
    if now.may_be(True):
        for choice, more in _in_reserve(unit, at, circumstances, unit_history, unknown):
            yield choice, (Assumption(mark, "true"), *more) if unknown else more


def _in_reserve(
    unit: Unit, at: StepRef, circumstances: Circumstances, unit_history: UnitHistory, unknown: bool
) -> Iterator[Statuses]:
    """The statuses of a unit with a Reserve marker; it may have lost the status. ``unknown``: it is not known
    whether there is a marker."""
    clause, lost = unit_history.reserves.lost(unit.id, at)
    if unknown and lost:
        lost = None  # it is not known when the marker was put there: perhaps after that
    question = ruleset_facts.status_lost(unit, at)
    said = answer(unit_history.game, question) if lost is None else lost
    unsaid = question.unknown()
    if said is not False:
        yield (Status(False, clause),), () if said else (Assumption(unsaid, "yes"),)
    if not said:
        kept = () if said is False else (Assumption(unsaid, "no"),)
        for choice, more in _kept_or_given_up(unit, at, circumstances, unit_history):
            yield choice, (*kept, *more)


def _laid_later(unit: Unit, at: StepRef, unit_history: UnitHistory) -> bool:
    """Whether a Reserve marker may have been put on a unit after step ``at``, in the phase or as
    :meth:`.UnitHistory.set_later` says. The marker of its stack may have stayed behind (6.B.2-f), a chit may
    have put the unit in reserve (6.B-d), or the marker may have been forgotten before."""
    values = unit_history.phase_values(unit.id, "reserve", at).values[1:]
    after = unit_history.set_later(unit.id, "reserve", at, to=True)
    return after or any(fact.may_be(True) for fact in values)


def _taken_off(unit: Unit, at: StepRef, unit_history: UnitHistory) -> bool:
    """Whether a Reserve marker may have been on a unit in the phase before step ``at`` and was taken off."""
    index = unit_history.timeline.first_event(at)
    return any(fact.may_be(True) for fact in unit_history.since_opening(unit.id, "reserve", index))


def _just_given_up(
    unit: Unit, at: StepRef, circumstances: Circumstances, unit_history: UnitHistory
) -> Iterator[Statuses]:
    """The statuses of a unit whose Reserve marker was taken off before it was dragged. It may have given its
    status up; or the marker was only in the way of the mouse, or was left with the stack (6.B.2-f)."""
    back = unit_history.phase_values(unit.id, "reserve", at).last.must_be(True)
    question = ruleset_facts.given_up(unit, at)
    said, unsaid = answer(unit_history.game, question), question.unknown()
    if not back and said is not False:
        yield (_OTHERS,), () if said else (Assumption(unsaid, "yes"),)
    if said and not back:
        return
    for choice, more in _in_reserve(unit, at, circumstances, unit_history, unknown=False):
        options = tuple(dict.fromkeys((*choice, _OTHERS))) if back else choice
        kept = () if back or said is False else (Assumption(unsaid, "no"),)
        yield options, (*kept, *more)


def _joined(unit: Unit, circumstances: Circumstances) -> Question | None:
    """The question whether the Reserve marker on a unit is its own. None if no unit of the stack that it came
    to can have one."""
    move, situation = circumstances.move, circumstances.situation
    game, place = situation.game, move.target.hex if move is not None else None
    for other in perhaps_with(situation, unit.id, place) if place is not None else ():
        friend = is_friend(game, unit.side, game.units[other].side) is not False
        if other in circumstances.moving or not friend:
            continue
        if not situation.fact(other, "reserve").must_be(False):
            return ruleset_facts.own_marker(unit, str(place), circumstances.situation.at)
    return None


def _kept_or_given_up(
    unit: Unit, at: StepRef, circumstances: Circumstances, unit_history: UnitHistory
) -> Iterator[Statuses]:
    """The statuses of a unit that has not lost its reserve status. It may give the status up at any time
    (6.B.2-g). A marker that is still there at the end of the phase shows that it did not, unless a chit put
    the unit in reserve again, or the marker is another unit's."""
    reserve, either = (Status(True),), (Status(True), _OTHERS)
    last = unit_history.phase_values(unit.id, "reserve", at).last
    if not unit_history.tables.applies("6.B.2-g"):
        yield reserve, ()
        return
    if last.must_be(False):
        yield either, ()
        return
    excuses = list(_excuses(unit, at, last, circumstances, unit_history))
    chit = unit_history.told("chit", unit.id, unit_history.timeline.first_event(at))
    unsaid: tuple[MissingFact, ...] = ()
    if last.must_be(True) and chit.must_be(True):
        excuses.append(Excuse(ruleset_facts.given_up(unit, at)))
    elif last.must_be(True) and not chit.must_be(False):
        unsaid = (missing_facts.of_condition("chit"),)
    still = excused(unit_history.game, excuses)
    if still is True:
        yield either, ()
        return
    open_ones = (*unsaid, *(still or ()))
    yield reserve, tuple(Assumption(unknown, "reserve") for unknown in open_ones)
    if open_ones:
        yield either, tuple(Assumption(unknown, "either") for unknown in open_ones)


def _excuses(
    unit: Unit, at: StepRef, last: Fact, circumstances: Circumstances, unit_history: UnitHistory
) -> Iterator[Excuse]:
    """The answers by which the marker at the end of the phase does not show that the unit was in reserve
    when it moved."""
    joined = _joined(unit, circumstances)
    if last.must_be(True) and joined is not None:
        yield Excuse(joined, by=False)
    if not last.must_be(True) or unit_history.taken_later(unit.id, at):
        yield Excuse(ruleset_facts.still_marked(unit, at), by=False)
