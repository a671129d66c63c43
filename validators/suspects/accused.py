"""The accusations in an audit, and which of them are gone in another audit of the same game."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from ...model.finding import Audit, Finding, JudgedMove
from ...model.game import StepRef

MOVING = ("illegal-move", "missed-mp-cost")
"""Kinds of findings about a single move."""
ACCUSING = (*MOVING, "overstack")
"""Kinds of findings that are explained by suspects."""

Drag = tuple[str, StepRef]
"""One unit displaced in one step: (unit id, step)."""


@dataclass(frozen=True, slots=True)
class Accusation:
    """A finding with the verdict "illegal", and the moves it is about."""

    finding: Finding
    moves: tuple[JudgedMove, ...]

    @property
    def step(self) -> StepRef:
        """The last step of the finding; ``StepRef(0, 0)`` if it names none. Units dragged together share
        their step, so drags are counted by it."""
        return self.finding.steps[-1] if self.finding.steps else StepRef(0, 0)

    @property
    def signs(self) -> frozenset[tuple[str, Drag]]:
        """Keys that identify the accusation in every audit of the game: (code, drag) for each unit and step.
        All findings about a move have the same code, ``move``."""
        return frozenset(_signs(self.finding))


def accusations(audit: Audit) -> tuple[Accusation, ...]:
    """The accusations in ``audit``, without those that only follow from another finding."""
    moves = {judged.move.id: judged for judged in audit.moves}
    return tuple(
        Accusation(found, tuple(moves[n] for n in found.moves if n in moves))
        for found in audit.findings
        if found.verdict == "illegal" and found.kind in ACCUSING and found.follows_from is None
    )


def cleared(every: Iterable[Accusation], other: Audit) -> list[Accusation]:
    """Those of ``every`` that share no sign with any accusing finding of ``other``."""
    signs = {sign for one in accusations_of_all(other) for sign in _signs(one)}
    return [one for one in every if signs.isdisjoint(one.signs)]


def accusations_of_all(audit: Audit) -> Iterator[Finding]:
    """Every illegal finding of an accusing kind, including those that follow from another."""
    return (f for f in audit.findings if f.verdict == "illegal" and f.kind in ACCUSING)


def _signs(finding: Finding) -> Iterator[tuple[str, Drag]]:
    code = "move" if finding.kind in MOVING else finding.code
    for unit in finding.units:
        for step in finding.steps:
            yield code, (unit, step)


def legal_drags(audit: Audit) -> set[Drag]:
    """Every drag of a move that was judged and found legal."""
    return {
        (unit, step)
        for one in audit.moves
        if one.verdict == "legal" and one.judged
        for unit in one.move.units
        for step in one.move.steps
    }
