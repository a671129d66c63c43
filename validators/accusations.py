"""What an audit says of whom, to compare audits in which the same game is read in different ways.

A move of one audit may be two moves of another, so moves are compared by their drags, and findings by the
drags they are about. An overstack is no drag: it is compared by its phase.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from ..model.finding import Audit, Finding, JudgedMove
from ..model.game import StepRef
from .timeline import Timeline

Accused = Finding | JudgedMove
Drag = tuple[str, StepRef]
"""The id of a unit and the step in which it was dragged."""
Subject = tuple[str, str, StepRef | int]
"""What a finding says of a unit: its code, the unit's id, and the step of the drag; or the number of the
phase (``Timeline.spell``)."""


def accused(found: Audit) -> Iterator[Accused]:
    """The findings and moves of ``found`` that are illegal."""
    yield from (one for one in found.findings if one.verdict == "illegal")
    yield from (one for one in found.moves if one.verdict == "illegal")


def drags(one: JudgedMove) -> set[Drag]:
    """The drags that a move consists of."""
    return {(unit, step) for unit in one.move.units for step in one.move.steps}


def steps_of(one: Accused) -> tuple[StepRef, ...]:
    """The steps that a finding or a move is about."""
    return one.steps if isinstance(one, Finding) else one.move.steps


@dataclass(frozen=True, slots=True)
class Subjects:
    """Tells what findings are about. ``timeline``: that of the audit all others are compared with."""

    timeline: Timeline

    def spells(self, one: Accused) -> set[int]:
        """The numbers of the phases that a finding or a move is about."""
        return {self.timeline.spell(step) for step in steps_of(one)}

    def of(self, one: Finding) -> dict[str, set[Subject]]:
        """For each unit of a finding, all it says of it. A finding about no unit has one entry, ``""``."""
        wheres: Iterable[StepRef | int] = self.spells(one) if _by_phase(one) else one.steps
        return {unit: {(one.code, unit, where) for where in wheres} for unit in one.units or ("",)}

    def said(self, findings: Iterable[Finding]) -> set[Subject]:
        """All that ``findings`` say of any unit."""
        return {subject for one in findings for some in self.of(one).values() for subject in some}

    def is_said(self, one: Finding, said: set[Subject]) -> bool:
        """Whether ``said`` holds, for each unit of ``one``, something it says of a drag, or all it says of
        phases."""
        every = self.of(one).values()
        if _by_phase(one):
            return all(some and some <= said for some in every)
        return all(not some.isdisjoint(said) for some in every)


def _by_phase(one: Finding) -> bool:
    """Whether a finding is about no drag."""
    return one.kind == "overstack" or not one.moves
