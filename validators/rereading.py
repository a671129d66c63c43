"""Compares audits of one game by different readings, and keeps only accusations that all of them make.

Parts of a log can be read in two ways: its phases (:mod:`.readings`), and places in which a counter may have
been put down by mistake (:mod:`.unseen_stops`). The audit uses one reading. It is compared with audits by the
others, and accusations that these do not make are left open.

A move of one audit may be two moves of another, so moves are compared by their drags, and findings by the
drags they are about. An overstack is not a drag: it is compared by its phase.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial

from ..model.fact import MissingFact
from ..model.finding import Audit, Finding, JudgedMove, Move
from ..model.game import Game, StepRef
from .checks import FORM
from .judge import Judgement
from .phase import Judge
from .timeline import Timeline
from .verdicts import left_open, open_question

Accused = Finding | JudgedMove
Drag = tuple[str, StepRef]
"""The id of a unit and the step in which it was dragged."""
Subject = tuple[str, str, StepRef | int]
"""A finding's statement about a unit: its code, the unit's id, and the step of the drag or the number of the
phase (``Timeline.spell``)."""


def accused(found: Audit) -> Iterator[Accused]:
    """The findings and moves of ``found`` that are illegal."""
    yield from (one for one in found.findings if one.verdict == "illegal")
    yield from (one for one in found.moves if one.verdict == "illegal")


def steps_of(one: Accused) -> tuple[StepRef, ...]:
    """The steps that a finding or a move is about."""
    return one.steps if isinstance(one, Finding) else one.move.steps


def units_of(one: Accused) -> tuple[str, ...]:
    """The units that a finding or a move is about."""
    return one.units if isinstance(one, Finding) else one.move.units


def drags(one: Accused) -> set[Drag]:
    """The drags that a finding or a move is about."""
    return {(unit, step) for unit in units_of(one) for step in steps_of(one)}


@dataclass(frozen=True, slots=True)
class Subjects:
    """The subjects of findings. ``timeline``: that of the audit with which all others are compared."""

    timeline: Timeline

    def spells(self, one: Accused) -> set[int]:
        """The numbers of the phases that a finding or a move is about."""
        return {self.timeline.spell(step) for step in steps_of(one)}

    def phases_of(self, every: Iterable[Accused]) -> Focus:
        """The steps of the phases that findings and moves are about."""
        spells = {spell for one in every for spell in self.spells(one)}
        return lambda step: self.timeline.spell(step) in spells

    def of(self, one: Finding) -> dict[str, set[Subject]]:
        """For each unit of a finding, its statements. A finding about no unit has one entry, ``""``."""
        wheres: Iterable[StepRef | int] = self.spells(one) if _by_phase(one) else one.steps
        return {unit: {(one.code, unit, where) for where in wheres} for unit in one.units or ("",)}

    def said(self, findings: Iterable[Finding]) -> set[Subject]:
        """All statements of ``findings`` about any unit."""
        return {subject for one in findings for some in self.of(one).values() for subject in some}

    def is_said(self, one: Finding, said: set[Subject]) -> bool:
        """Whether ``said`` contains, for each unit of ``one``, one of its statements about drags, or all of
        those about phases."""
        every = self.of(one).values()
        if _by_phase(one):
            return all(some and some <= said for some in every)
        return all(not some.isdisjoint(said) for some in every)


def _by_phase(one: Finding) -> bool:
    """Whether a finding is about no drag."""
    return one.kind == "overstack" or not one.moves


Focus = Callable[[StepRef], bool]
"""Whether the moves of a step need to be judged."""

Missing = Callable[[Accused], Sequence[MissingFact]]
"""The questions that decide between two readings for an accusation, a move or an open finding; none: both
readings are the same for it."""


def focused(judge: Judge, focus: Focus) -> Judge:
    """``judge`` for moves within the focus. Other moves are called legal without being judged."""
    return partial(_judged_within, judge, focus)


def _judged_within(
    judge: Judge, focus: Focus, move: Move, *about: object, **more: object
) -> Judgement:
    if any(focus(step) for step in move.steps):
        return judge(move, *about, **more)
    return Judgement(JudgedMove(move, "legal"))


@dataclass(frozen=True, slots=True)
class Rereading:
    """The comparison of an audit with one by another reading. ``timeline``: that of the first audit.
    ``missing``: the facts that decide between the two. ``legal_if``: the assumption of a legal verdict that
    the other reading does not make; empty: only accusations are compared."""

    game: Game
    timeline: Timeline
    missing: Missing
    legal_if: str = ""

    def held_in(self, found: Audit, other: Game, audited: Callable[[Game, Focus], Audit]) -> Audit:
        """As :meth:`held`, with the audit of the game ``other``, in which only the necessary moves are
        judged."""
        about = [one for one in accused(found) if self.missing(one)]
        if not about:
            return found
        return self.held(found, audited(other, Subjects(self.timeline).phases_of(about)))

    def held(self, found: Audit, other: Audit | None) -> Audit:
        """``found`` with accusations left open that ``other`` does not make; ``other`` None: all of them."""
        subjects = Subjects(self.timeline)
        others = list(accused(other)) if other is not None else []
        said = subjects.said(one for one in others if isinstance(one, Finding))
        moved: set[Drag] = set()
        moved.update(*(drags(one) for one in others if isinstance(one, JudgedMove)))

        def finding(one: Finding) -> Finding:
            if one.verdict != "illegal" or subjects.is_said(one, said):
                return one
            asked = self.missing(one)
            return left_open(one, *asked) if asked else one

        findings = tuple(map(finding, found.findings))
        held = {number for one in findings if one.verdict == "illegal" for number in one.moves}

        def judged(one: JudgedMove) -> JudgedMove:
            in_both = drags(one) & moved and one.move.id in held
            return one if one.verdict != "illegal" or in_both else self._opened(one)

        result = replace(found, moves=tuple(map(judged, found.moves)), findings=findings)
        return self._doubting(result, other) if self.legal_if and other is not None else result

    def _opened(self, one: JudgedMove) -> JudgedMove:
        asked = self.missing(one)
        if not asked:
            return one
        unknowns = dict.fromkeys((*one.unknowns, *asked))
        return replace(one, verdict="unverifiable", unknowns=tuple(unknowns))

    def _doubting(self, found: Audit, other: Audit) -> Audit:
        """``found`` with legal moves left open if ``other`` has another verdict, and with open findings for
        accusations that only ``other`` makes."""
        judged: dict[Drag, list[JudgedMove]] = defaultdict(list)
        for one in other.moves:
            for drag in drags(one):
                judged[drag].append(one)
        moves, doubted = list[JudgedMove](), set[int]()
        for one in found.moves:
            others = [another for drag in sorted(drags(one)) for another in judged[drag]]
            against = [another for another in others if another.verdict != one.verdict]
            if one.judged and one.verdict == "legal" and against:
                doubted.add(one.move.id)
                unknowns = (u for another in against for u in another.unknowns)
                one = replace(self._opened(one), remark=f"legal if {self.legal_if}")
                one = replace(one, unknowns=tuple(dict.fromkeys((*one.unknowns, *unknowns))))
            moves.append(one)
        findings = [*found.findings, *self._besides(found, other, doubted)]
        asked = {n for one in findings if one.kind == "unverifiable" for n in one.moves}
        findings += [
            open_question(self.game, one, FORM) for one in moves if one.move.id in doubted - asked
        ]
        findings.sort(key=lambda one: one.steps[0] if one.steps else StepRef(0, 0))
        return replace(found, moves=tuple(moves), findings=tuple(findings))

    def _besides(self, found: Audit, other: Audit, doubted: set[int]) -> Iterator[Finding]:
        """Open findings for the accusations that only ``other`` makes and for its questions about the moves
        that are ``doubted``."""
        subjects = Subjects(self.timeline)
        known = subjects.said(one for one in found.findings if one.verdict != "legal")
        for one in other.findings:
            dragged = {d for move in other.moves if move.move.id in one.moves for d in drags(move)}
            moves = tuple(m.move.id for m in found.moves if not dragged.isdisjoint(drags(m)))
            if subjects.is_said(one, known):
                continue
            open_too = one.kind == "unverifiable" and not doubted.isdisjoint(moves)
            if one.verdict == "illegal" or open_too:
                asked = (*self.missing(one), *one.unknowns)
                yield replace(left_open(one, *asked), moves=moves, follows_from=None)
