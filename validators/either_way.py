"""Keeps only accusations that hold whether or not certain steps of a phase were combat.

Steps that may have been combat come in clusters, and each cluster interrupts a phase. In the audit, units
that moved before and after a cluster are judged as if the second part were a phase of its own. A unit is
accused only if the accusation holds under every answer: each cluster may have been combat or part of its
phase, independently of the others. The same holds for a phase of which it is not known whether it is the one
before it, started again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial

from ..model.fact import MissingFact
from ..model.finding import Audit, Finding, JudgedMove, Move
from ..model.game import StepRef
from .accusations import Accused, Drag, Subjects, accused, drags
from .checks import phase_unknown
from .interludes import Answers
from .judge import Judgement
from .phase import Judge
from .timeline import Timeline
from .verdicts import left_open

MOST_CLUSTERS = 5
"""If more clusters than this affect an accusation, not every combination of answers is judged: it is left
open."""

Focus = Callable[[StepRef], bool]
"""Whether the moves of a step need to be judged."""

Answered = Callable[[Answers, Focus | None], Audit]
"""Returns the audit for some answers about clusters. Only moves within the focus are judged; None: all
moves."""


def held_either_way(found: Audit, answered: Answered, timeline: Timeline) -> Audit:
    """``found`` with everything left open that is not illegal under every answer.

    ``found``: the audit without any answers. ``answered``: returns the audit for given answers. ``timeline``:
    that of ``found``."""
    every = timeline.all_interludes()
    if not every or not any(accused(found)):
        return found
    missing_facts = partial(_missing_facts, timeline=timeline)
    other = answered(dict.fromkeys(every, False), None)
    held = held_in_both(found, other, timeline, lambda _: True, missing_facts)
    groups = [(near, spells) for near, spells in _groups(held, timeline) if near]
    many = {spell for near, spells in groups if len(near) > MOST_CLUSTERS for spell in spells}
    few = [(near, spells) for near, spells in groups if len(near) <= MOST_CLUSTERS]
    held = held_in_both(
        held,
        None,
        timeline,
        lambda one: not many.isdisjoint(Subjects(timeline).spells(one)),
        missing_facts,
    )
    spells = {spell for _, some in few for spell in some}

    def is_near(one: Accused) -> bool:
        return not spells.isdisjoint(Subjects(timeline).spells(one))

    for answers in _divisions([near for near, _ in few]):
        if not any(is_near(one) for one in accused(held)):
            break
        other = answered(answers, lambda step: timeline.spell(step) in spells)
        held = held_in_both(held, other, timeline, is_near, missing_facts)
    return held


def focused(judge: Judge, focus: Focus) -> Judge:
    """``judge`` for moves within the focus. Other moves are called legal without being judged."""
    return partial(_judged_within, judge, focus)


def _judged_within(
    judge: Judge, focus: Focus, move: Move, *about: object, **more: object
) -> Judgement:
    if any(focus(step) for step in move.steps):
        return judge(move, *about, **more)
    return Judgement(JudgedMove(move, "legal"))


def _groups(found: Audit, timeline: Timeline) -> list[tuple[list[StepRef], set[int]]]:
    """The clusters that affect accusations, in groups, each with the numbers (``spell``) of its phases.
    Phases that the same accusation is about are in one group."""
    groups: list[set[int]] = []
    for one in accused(found):
        spells = Subjects(timeline).spells(one)
        spells |= {spell for group in groups if not group.isdisjoint(spells) for spell in group}
        groups = [group for group in groups if group.isdisjoint(spells)] + [spells]
    every = timeline.all_interludes()
    return [([at for at in every if timeline.spell(at) in group], group) for group in groups]


def _divisions(groups: Sequence[Sequence[StepRef]]) -> Iterator[Answers]:
    """Sets of answers that cover, for each group, every combination except "no cluster was combat". Groups do
    not affect one another, so each set answers all groups at once instead of trying every product of them."""
    for number in range(max((2 ** len(near) for near in groups), default=1) - 1):
        yield {
            at: bool((number % (2 ** len(near) - 1) + 1) >> place & 1)
            for near in groups
            for place, at in enumerate(near)
        }


def held_in_both(
    found: Audit,
    other: Audit | None,
    timeline: Timeline,
    about: Callable[[Accused], bool],
    missing_facts: Callable[[Accused], Iterable[MissingFact]],
) -> Audit:
    """``found`` with every accusation left open that ``other`` does not contain. ``other`` None: it contains
    none. Only accusations for which ``about`` is True are compared; the rest stay as they are.
    ``missing_facts``: those that decide between the two."""
    subjects = Subjects(timeline)
    others = list(accused(other)) if other is not None else []
    said = subjects.said(one for one in others if isinstance(one, Finding))
    moved: set[Drag] = set()
    moved.update(*(drags(one) for one in others if isinstance(one, JudgedMove)))

    def finding(one: Finding) -> Finding:
        if one.verdict != "illegal" or not about(one) or subjects.is_said(one, said):
            return one
        return left_open(one, *missing_facts(one))

    findings = tuple(map(finding, found.findings))
    held = {number for one in findings if one.verdict == "illegal" for number in one.moves}

    def judged(one: JudgedMove) -> JudgedMove:
        in_both = drags(one) & moved and one.move.id in held
        if one.verdict != "illegal" or not about(one) or in_both:
            return one
        unknowns = dict.fromkeys((*one.unknowns, *missing_facts(one)))
        return replace(one, verdict="unverifiable", unknowns=tuple(unknowns))

    return replace(found, moves=tuple(map(judged, found.moves)), findings=findings)


def _missing_facts(one: Accused, timeline: Timeline) -> list[MissingFact]:
    """The missing facts about the clusters in the phases of an accusation; about all clusters if there is
    none."""
    every = timeline.all_interludes()
    spells = Subjects(timeline).spells(one)
    near = [at for at in every if timeline.spell(at) in spells]
    return [phase_unknown(timeline, timeline.half_told(at)) for at in near or every]
