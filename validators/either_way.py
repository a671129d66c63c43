"""What is held against somebody while it is not known whether some steps of a phase were combat.

Such steps part a phase. Whoever moved before and after them is judged as if the second part were a phase
of its own; he may only be accused of what he did wrong as well however it turns out: each cluster of such
steps may have been combat, or of its phase, whatever the others were.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial

from ..model.fact import MissingFact
from ..model.finding import Audit, Finding, JudgedMove, Move
from ..model.game import StepRef
from .checks import phase_unknown
from .interludes import Answers
from .judge import Judgement
from .phase import Judge
from .timeline import Timeline
from .verdicts import left_open

MOST_CLUSTERS = 5
"""Where more clusters than these bear on an accusation, not every answer is judged: it is left open."""

Focus = Callable[[StepRef], bool]
"""Whether what happens in a step is looked at."""

Answered = Callable[[Answers, Focus | None], Audit]
"""The audit with some clusters answered; only the moves within the focus need be judged (None: all)."""

_Accused = Finding | JudgedMove


def held_either_way(found: Audit, answered: Answered, timeline: Timeline) -> Audit:
    """``found``, in which no cluster is ``answered``, with what is not illegal under every answer left
    open. ``timeline``: that of ``found``."""
    every = timeline.all_interludes()
    if not every or not any(_accused(found)):
        return found
    held = _held(found, answered(dict.fromkeys(every, False), None), timeline, lambda _: True)
    groups = [(near, spells) for near, spells in _groups(held, timeline) if near]
    many = {spell for near, spells in groups if len(near) > MOST_CLUSTERS for spell in spells}
    few = [(near, spells) for near, spells in groups if len(near) <= MOST_CLUSTERS]
    held = _held(held, None, timeline, lambda one: not many.isdisjoint(_spells(one, timeline)))
    spells = {spell for _, some in few for spell in some}

    def is_near(one: _Accused) -> bool:
        return not spells.isdisjoint(_spells(one, timeline))

    for answers in _divisions([near for near, _ in few]):
        if not any(is_near(one) for one in _accused(held)):
            break
        other = answered(answers, lambda step: timeline.spell(step) in spells)
        held = _held(held, other, timeline, is_near)
    return held


def focused(judge: Judge, focus: Focus) -> Judge:
    """``judge`` for moves within the focus; others are called legal unseen."""
    return partial(_judged_within, judge, focus)


def _judged_within(
    judge: Judge, focus: Focus, move: Move, *about: object, **more: object
) -> Judgement:
    if any(focus(step) for step in move.steps):
        return judge(move, *about, **more)
    return Judgement(JudgedMove(move, "legal"))


def _accused(found: Audit) -> Iterator[_Accused]:
    yield from (one for one in found.findings if one.verdict == "illegal")
    yield from (one for one in found.moves if one.verdict == "illegal")


def _spells(one: _Accused, timeline: Timeline) -> set[int]:
    steps = one.steps if isinstance(one, Finding) else one.move.steps
    return {timeline.spell(step) for step in steps}


def _groups(found: Audit, timeline: Timeline) -> list[tuple[list[StepRef], set[int]]]:
    """The clusters that bear on accusations, with the phases they lie in; phases that one accusation is
    about stand together."""
    groups: list[set[int]] = []
    for one in _accused(found):
        spells = _spells(one, timeline)
        spells |= {spell for group in groups if not group.isdisjoint(spells) for spell in group}
        groups = [group for group in groups if group.isdisjoint(spells)] + [spells]
    every = timeline.all_interludes()
    return [([at for at in every if timeline.spell(at) in group], group) for group in groups]


def _divisions(groups: Sequence[Sequence[StepRef]]) -> Iterator[Answers]:
    """Answers among which, for each group, is every one but that none of its clusters was combat. What is
    said of one group does not bear on another, so that all are gone through side by side."""
    for number in range(max((2 ** len(near) for near in groups), default=1) - 1):
        yield {
            at: bool((number % (2 ** len(near) - 1) + 1) >> place & 1)
            for near in groups
            for place, at in enumerate(near)
        }


def _held(
    found: Audit, other: Audit | None, timeline: Timeline, about: Callable[[_Accused], bool]
) -> Audit:
    """``found``, with what is illegal in it, but not in ``other`` (None: nothing is), left open, so far as
    it is ``about`` that."""
    findings: set[tuple[str, str, int]] = set()
    moves: set[tuple[str, StepRef]] = set()
    for one in _accused(other) if other is not None else ():
        if isinstance(one, Finding):
            findings |= {(one.code, u, s) for u in one.units for s in _spells(one, timeline)}
        else:
            moves |= _drags(one)

    def finding(one: Finding) -> Finding:
        if one.verdict != "illegal" or not about(one):
            return one
        spells = _spells(one, timeline)
        if other is not None and all(
            any((one.code, unit, spell) in findings for spell in spells) for unit in one.units
        ):
            return one
        return left_open(one, *_asked(one.steps, timeline))

    def judged(one: JudgedMove) -> JudgedMove:
        if one.verdict != "illegal" or not about(one) or _drags(one) & moves:
            return one
        asked = dict.fromkeys((*one.unknowns, *_asked(one.move.steps, timeline)))
        return replace(one, verdict="unverifiable", unknowns=tuple(asked))

    return replace(
        found,
        moves=tuple(judged(one) for one in found.moves),
        findings=tuple(finding(one) for one in found.findings),
    )


def _drags(one: JudgedMove) -> set[tuple[str, StepRef]]:
    return {(unit, step) for unit in one.move.units for step in one.move.steps}


def _asked(steps: Iterable[StepRef], timeline: Timeline) -> list[MissingFact]:
    """The questions about the steps that part the phases of ``steps``; of all phases if they part none."""
    every = timeline.all_interludes()
    spells = {timeline.spell(step) for step in steps}
    near = [at for at in every if timeline.spell(at) in spells]
    return [phase_unknown(timeline, at) for at in near or every]
