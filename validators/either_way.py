"""What is held against somebody while it is not known whether some steps of a phase were combat.

Such steps part a phase in two. Whoever moved before and after them is judged as if the second part were a
phase of its own; he may only be accused of what he did wrong as well if all of it was one phase.
"""

from __future__ import annotations

from dataclasses import replace

from ..model.fact import Unknown
from ..model.finding import Audit, Finding, JudgedMove
from ..model.game import StepRef
from .checks import phase_unknown
from .timeline import Timeline
from .verdicts import left_open


def held_either_way(found: Audit, whole: Audit, timeline: Timeline) -> Audit:
    """``found``, with what is illegal in it and not in ``whole``, in which those steps are of their phases,
    left open. ``timeline``: that of ``found``."""
    findings = {
        (f.code, unit) for f in whole.findings if f.verdict == "illegal" for unit in f.units
    }
    moves = {
        (unit, step)
        for move in whole.moves
        if move.verdict == "illegal"
        for unit in move.move.units
        for step in move.move.steps
    }

    def finding(one: Finding) -> Finding:
        held = all((one.code, unit) in findings for unit in one.units)
        if one.verdict != "illegal" or held:
            return one
        return left_open(one, *_asked(one.steps, timeline))

    def judged(one: JudgedMove) -> JudgedMove:
        own = {(unit, step) for unit in one.move.units for step in one.move.steps}
        if one.verdict != "illegal" or own & moves:
            return one
        asked = dict.fromkeys((*one.unknowns, *_asked(one.move.steps, timeline)))
        return replace(one, verdict="unverifiable", unknowns=tuple(asked))

    return replace(
        found,
        moves=tuple(judged(one) for one in found.moves),
        findings=tuple(finding(one) for one in found.findings),
    )


def _asked(steps: tuple[StepRef, ...], timeline: Timeline) -> list[Unknown]:
    """The questions about the steps that part the phases of ``steps``; of all phases if they part none."""
    every = timeline.all_interludes()
    spells = {timeline.spell(step) for step in steps}
    near = [at for at in every if timeline.spell(at) in spells]
    return [phase_unknown(timeline, at) for at in near or every]
