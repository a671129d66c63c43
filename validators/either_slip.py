"""Keeps only verdicts that hold whether or not a phase went on after each slip of the turn tracker.

The audit takes it that the phase went on. It is compared with audits in which, after some of the slips, the
phase is another one of its name.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from ..model.fact import MissingFact
from ..model.finding import Audit, Finding, JudgedMove
from ..model.game import Game, StepRef
from .accusations import Drag, Subjects, accused, drags
from .checks import FORM
from .slips import Slip
from .timeline import Timeline
from .verdicts import left_open, open_question

MOST_SLIPS = 4
"""Of so many slips in a game every combination is judged. Of more, every two are judged in every combination,
and whatever is held against somebody in a phase with more than two is left open."""

Ended = Mapping[StepRef, bool]
"""For the first step of a slip: whether the phase ended there."""


def held_with_slips(
    game: Game,
    found: Audit,
    slips: Sequence[Slip],
    timeline: Timeline,
    audited: Callable[[Ended], Audit],
) -> Audit:
    """``found`` with everything left open that does not hold however ``slips`` are read.

    ``found``: the audit, with ``timeline``, in which the phase went on after every slip. ``audited``: returns
    that of another reading."""
    for ended in readings(slips):
        asked = [slip for slip in slips if ended[slip.first]]
        found = _Comparison(game, found, asked, timeline).held(audited(ended))
    phases = Counter(timeline.spell(slip.first) for slip in slips if len(slips) > MOST_SLIPS)
    many = [slip for slip in slips if phases[timeline.spell(slip.first)] > 2]
    return _Comparison(game, found, many, timeline).all_open() if many else found


def readings(slips: Sequence[Slip]) -> Iterator[dict[StepRef, bool]]:
    """The readings of ``slips`` that are judged, but for that in which no phase ended; those in which few
    ended come first."""
    every = len(slips)
    if every <= MOST_SLIPS:
        masks = [[n >> place & 1 for place in range(every)] for n in range(1, 2**every)]
    else:  # the places of two slips differ in one bit at least
        bits = range((every - 1).bit_length())
        masks = [
            [(place >> bit & 1) ^ turned for place in range(every)]
            for bit in bits
            for turned in (0, 1)
        ]
        masks.append([1] * every)
    for mask in sorted(masks, key=sum):
        yield {slip.first: bool(one) for slip, one in zip(slips, mask, strict=True)}


@dataclass(frozen=True, slots=True)
class _Comparison:
    """``found`` beside an audit in which the phase ended at each of ``asked``."""

    game: Game
    found: Audit
    asked: Sequence[Slip]
    timeline: Timeline

    def held(self, other: Audit) -> Audit:
        """``found`` with everything left open of which ``other`` says otherwise."""
        judged: dict[Drag, list[JudgedMove]] = defaultdict(list)
        for one in other.moves:
            for drag in drags(one):
                judged[drag].append(one)
        subjects = Subjects(self.timeline)
        said = subjects.said(one for one in accused(other) if isinstance(one, Finding))
        moves, doubted = list[JudgedMove](), set[int]()
        for one in self.found.moves:
            others = [another for drag in sorted(drags(one)) for another in judged[drag]]
            against = [another for another in others if another.verdict != one.verdict]
            held = any(another.verdict == "illegal" for another in others)
            if one.judged and one.verdict == "legal" and against:
                doubted.add(one.move.id)
                one = self._doubted(one, against)
            elif one.verdict == "illegal" and not held:
                one = self._opened(one)
            moves.append(one)
        findings = [
            one if one.verdict != "illegal" or subjects.is_said(one, said) else self._left(one)
            for one in self.found.findings
        ]
        findings += self._besides(other, findings, doubted)
        findings += [
            open_question(self.game, one, FORM)
            for one in moves
            if one.move.id in doubted
            and not any(one.move.id in f.moves and f.kind == "unverifiable" for f in findings)
        ]
        findings.sort(key=lambda one: one.steps[0] if one.steps else StepRef(0, 0))
        return replace(self.found, moves=tuple(moves), findings=tuple(findings))

    def all_open(self) -> Audit:
        """``found`` with every accusation left open that lies in the phases of the slips."""
        phases = {self.timeline.spell(slip.first) for slip in self.asked}

        def near(steps: Sequence[StepRef]) -> bool:
            return any(self.timeline.spell(step) in phases for step in steps)

        moves = [
            self._opened(one) if one.verdict == "illegal" and near(one.move.steps) else one
            for one in self.found.moves
        ]
        findings = [
            self._left(one) if one.verdict == "illegal" and near(one.steps) else one
            for one in self.found.findings
        ]
        return replace(self.found, moves=tuple(moves), findings=tuple(findings))

    def _doubted(self, one: JudgedMove, against: Sequence[JudgedMove]) -> JudgedMove:
        """``one``, which is legal if the phase went on; ``against``: what is said of its drags if not."""
        unknowns = (u for other in against for u in other.unknowns)
        found = replace(
            self._opened(one),
            remark="legal if the phase went on after the turn tracker was set back",
        )
        return replace(found, unknowns=tuple(dict.fromkeys((*found.unknowns, *unknowns))))

    def _opened(self, one: JudgedMove) -> JudgedMove:
        unknowns = dict.fromkeys((*one.unknowns, *self._questions(one.move.steps)))
        return replace(one, verdict="unverifiable", unknowns=tuple(unknowns))

    def _left(self, one: Finding) -> Finding:
        return left_open(one, *self._questions(one.steps))

    def _besides(
        self, other: Audit, findings: Sequence[Finding], doubted: set[int]
    ) -> Iterator[Finding]:
        """What only ``other`` holds against somebody, and what it asks of the moves that are ``doubted``."""
        subjects = Subjects(self.timeline)
        known = subjects.said(one for one in findings if one.verdict != "legal")
        for one in other.findings:
            moves = self._moves(one, other)
            if subjects.is_said(one, known):
                continue
            if one.verdict == "illegal" or (
                one.kind == "unverifiable" and not doubted.isdisjoint(moves)
            ):
                asked = (*self._questions(one.steps), *one.unknowns)
                yield replace(left_open(one, *asked), moves=moves, follows_from=None)

    def _moves(self, one: Finding, other: Audit) -> tuple[int, ...]:
        """The moves of ``found`` that consist of the moves of ``other`` which ``one`` is about."""
        dragged = {
            drag for move in other.moves if move.move.id in one.moves for drag in drags(move)
        }
        return tuple(m.move.id for m in self.found.moves if not dragged.isdisjoint(drags(m)))

    def _questions(self, steps: Sequence[StepRef]) -> list[MissingFact]:
        """The questions about the slips in the phases of ``steps``; about all of them if there is none."""
        spells = {self.timeline.spell(step) for step in steps}
        near = [slip for slip in self.asked if self.timeline.spell(slip.first) in spells]
        return [slip.question.unknown() for slip in near or self.asked]
