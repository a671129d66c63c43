"""The accusations of an audit, and which of them another audit of the game does not bear out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from ...model.finding import Audit, Finding, JudgedMove
from ...model.game import StepRef

MOVING = ("illegal-move", "missed-mp-cost")
ACCUSING = (*MOVING, "overstack")

Drag = tuple[str, StepRef]
"""A unit, displaced in a step."""


@dataclass(frozen=True, slots=True)
class Accusation:
    """Something that is illegal: a finding, and the moves it is about."""

    finding: Finding
    moves: tuple[JudgedMove, ...]

    @property
    def step(self) -> StepRef:
        """The drag it is about: what is dragged together in one step is one drag."""
        return self.finding.steps[-1] if self.finding.steps else StepRef(0, 0)

    @property
    def signs(self) -> frozenset[tuple[str, Drag]]:
        """What tells it from others in any audit of the game."""
        return frozenset(_signs(self.finding))


def accusations(audit: Audit) -> tuple[Accusation, ...]:
    """What is held against somebody in ``audit``, but for what only follows from something else."""
    moves = {judged.move.id: judged for judged in audit.moves}
    return tuple(
        Accusation(found, tuple(moves[n] for n in found.moves if n in moves))
        for found in audit.findings
        if found.verdict == "illegal" and found.kind in ACCUSING and found.follows_from is None
    )


def cleared(every: Iterable[Accusation], other: Audit) -> list[Accusation]:
    """Those that ``other`` does not bear out."""
    signs = {sign for one in accusations_of_all(other) for sign in _signs(one)}
    return [one for one in every if signs.isdisjoint(one.signs)]


def accusations_of_all(audit: Audit) -> Iterator[Finding]:
    """Every finding that accuses somebody."""
    return (f for f in audit.findings if f.verdict == "illegal" and f.kind in ACCUSING)


def _signs(finding: Finding) -> Iterator[tuple[str, Drag]]:
    code = "move" if finding.kind in MOVING else finding.code
    for unit in finding.units:
        for step in finding.steps:
            yield code, (unit, step)


def legal_drags(audit: Audit) -> set[Drag]:
    """Every unit's legal displacements."""
    return {
        (unit, step)
        for one in audit.moves
        if one.verdict == "legal" and one.judged
        for unit in one.move.units
        for step in one.move.steps
    }
