"""The accusations in an audit, and those of them that are gone in another audit of the same game."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ...model.finding import ACCUSING, OF_MOVES, Audit, Finding, JudgedMove
from ...model.game import StepRef
from ...model.suspect import PackFact, Suspect
from ..judgement_cache import JudgementCache
from ..rereading import Drag, drags


@dataclass(frozen=True, slots=True)
class Accusation:
    """A finding with the verdict "illegal", and the moves it is about. ``is_of_phase``: found by a check of a
    whole phase, or of who moves in it, not by the search for a path."""

    finding: Finding
    moves: tuple[JudgedMove, ...]
    is_of_phase: bool = False

    @property
    def step(self) -> StepRef:
        """The last step of the finding; ``StepRef(0, 0)`` if it names none. Units dragged together share
        their step, so drags are counted by it."""
        return self.finding.steps[-1] if self.finding.steps else StepRef(0, 0)

    @property
    def drags(self) -> set[Drag]:
        """Each unit of the finding in each of its steps."""
        return drags(self.finding)

    @property
    def signs(self) -> set[tuple[str, Drag]]:
        """(code, drag) for each drag."""
        return _signs(self.finding)


def accusations(audit: Audit, kept: JudgementCache | None = None) -> tuple[Accusation, ...]:
    """The accusations in ``audit``, without those that only follow from another finding. ``kept``: its judge.
    None: ``is_of_phase`` is set only for findings that are not about a single move."""
    moves = {judged.move.id: judged for judged in audit.moves}
    own = (f for one in kept.all for f in one.judgement.findings) if kept is not None else ()
    searched = None if kept is None else {sign for found in own for sign in _signs(found)}
    return tuple(
        Accusation(
            found,
            tuple(moves[n] for n in found.moves if n in moves),
            found.kind not in OF_MOVES
            or (searched is not None and searched.isdisjoint(_signs(found))),
        )
        for found in accusing(audit)
        if found.follows_from is None
    )


def cleared(every: Sequence[Accusation], other: Audit) -> list[Accusation]:
    """The accusations of ``every`` that are gone in ``other``, another audit of the same game. One of a whole
    phase is gone if the same rule accuses none of its drags. One of a move is gone if only the checks of
    whole phases that accused its drags before still accuse them."""
    found = {sign for one in accusing(other) for sign in _signs(one)}
    moving = {sign for one in accusing(other) if one.kind in OF_MOVES for sign in _signs(one)}
    of_phases = {sign for one in every if one.is_of_phase for sign in one.signs}
    left = {drag for _, drag in moving - of_phases}
    return [
        one
        for one in every
        if (found.isdisjoint(one.signs) if one.is_of_phase else left.isdisjoint(one.drags))
    ]


def accusing(audit: Audit) -> Iterator[Finding]:
    """Every illegal finding of an accusing kind, including those that follow from another."""
    return (f for f in audit.findings if f.verdict == "illegal" and f.kind in ACCUSING)


def _signs(finding: Finding) -> set[tuple[str, Drag]]:
    return {(finding.code, drag) for drag in drags(finding)}


def legal_drags(audit: Audit) -> set[Drag]:
    """Every drag of a move that was judged legal."""
    legal = (one for one in audit.moves if one.verdict == "legal" and one.judged)
    return {drag for one in legal for drag in drags(one)}


def suspect(
    fact: PackFact,
    clears: Sequence[Accusation],
    *,
    legal: int | None,
    at: tuple[tuple[str, int], ...] = (),
) -> Suspect:
    """The suspect for a report: ``fact`` with counts over the accusations that it ``clears``."""
    findings = [one.finding for one in clears]
    return Suspect(
        fact,
        clears=len(findings),
        drags=len({one.step for one in clears}),
        sides=tuple(sorted({f.side for f in findings if f.side})),
        players=tuple(sorted({f.player for f in findings if f.player})),
        phases=tuple(dict.fromkeys(str(f.phase) for f in findings)),
        legal=legal,
        at=at,
    )
