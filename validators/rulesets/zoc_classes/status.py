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
        for choice, more in _kept_or_given_up(unit, at, history):
            yield choice, (*kept, *more)


def _kept_or_given_up(unit: Unit, at: StepRef, history: History) -> Iterator[Statuses]:
    """A reserve may give its status up at any time: whether the marker is still there shows it."""
    reserve, either = (Status(True),), (Status(True), _OTHERS)
    last = history.course(unit.id, "reserve", at).last
    if last.must_be(True) or not history.tables.applies("6.B.2-g"):
        yield reserve, ()
    elif last.must_be(False):
        yield either, ()
    else:
        off = Unknown(
            f"unit {unit.id} reserve at the end of the phase",
            f"did the Reserve marker still lie on {unit.name} at the end of the phase?",
        )
        yield reserve, (Assumption(off, "true"),)
        yield either, (Assumption(off, "false"),)
