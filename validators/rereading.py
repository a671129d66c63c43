"""Keeps only verdicts that hold however a game is read.

Some of a log can be read in two ways. Steps within a phase may have been combat, and after a slip of the turn
tracker the phase may have gone on, or be another of its name (:mod:`.interludes`); a counter may have been
put down somewhere by mistake (:mod:`.unseen_stops`). The audit takes one reading. It is compared with audits
by the others, and what these do not bear out is left open.

Audits of two readings are compared by what they say of whom. A move of one audit may be two moves of another,
so moves are compared by their drags, and findings by the drags they are about. An overstack is no drag: it is
compared by its phase.

Sides may try counters out before they settle, if the facts say so. A place where a counter of theirs was put
down, and dragged on from in the same phase with no witness, then counts for nothing. It may lie on its way
all the same: that it does not count clears moves, but accuses nobody.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial

from ..model.fact import MissingFact, known
from ..model.finding import Audit, Finding, JudgedMove, Move
from ..model.game import Condition, Displacement, Game, PhaseStart, StepRef
from .answers import LAST_PLACES, Question, answer, only_last_places, passed_through
from .checks import FORM, phase_unknown
from .interludes import Answers, Slip, timeline_as_told
from .judge import Judgement
from .phase import Judge
from .takeback import Witnesses
from .timeline import Timeline
from .unit_verdict import MOST_UNKNOWNS
from .verdicts import left_open, open_question

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


MOST_CLUSTERS = 5
"""If more clusters of steps than this affect an accusation, not every combination is judged: it is left
open."""
MOST_SLIPS = 4
"""Of so many slips in a game every combination is judged. Of more, every two are judged in every combination,
and whatever is held against somebody in a phase with more than two is left open."""

Focus = Callable[[StepRef], bool]
"""Whether the moves of a step need to be judged."""

Answered = Callable[[Answers, Focus | None], Audit]
"""Returns the audit for some answers about clusters. Only moves within the focus are judged; None: all
moves."""

Missing = Callable[[Accused], Sequence[MissingFact]]
"""The questions that decide between two readings, for an accusation (or a move, or what is left open); none:
both readings are alike for it."""


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
    """How an audit is compared with one by another reading. ``timeline``: that of the first audit.
    ``missing``: what decides between the two. ``legal_if``: what a legal verdict depends on that differs in
    the other reading; empty: only accusations are compared."""

    game: Game
    timeline: Timeline
    missing: Missing
    legal_if: str = ""

    def held(self, found: Audit, other: Audit | None) -> Audit:
        """``found`` with what ``other`` does not bear out left open; ``other`` None: all of it."""
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
        """``found`` with the legal moves left open of which ``other`` says otherwise, and with what only
        ``other`` holds against somebody."""
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
        """What only ``other`` holds against somebody, and what it asks of the moves that are ``doubted``."""
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


# -- slips of the turn tracker ----------------------------------------------------------------------


def held_with_slips(
    game: Game,
    found: Audit,
    slips: Sequence[Slip],
    timeline: Timeline,
    audited: Callable[[Answers], Audit],
) -> Audit:
    """``found`` with everything left open that does not hold however ``slips`` are read.

    ``found``: the audit, with ``timeline``, in which the phase went on after every slip. ``audited``: returns
    that of another reading."""

    def reading(asked: Sequence[Slip], *, anywhere: bool) -> Rereading:
        def questions(one: Accused) -> list[MissingFact]:
            spells = Subjects(timeline).spells(one)
            near = [slip for slip in asked if timeline.spell(slip.first) in spells]
            return [slip.question.unknown() for slip in near or (asked if anywhere else ())]

        went_on = "the phase went on after the turn tracker was set back"
        return Rereading(game, timeline, questions, went_on)

    for ended in readings(slips):
        asked = [slip for slip in slips if ended[slip.first]]
        found = reading(asked, anywhere=True).held(found, audited(ended))
    phases = Counter(timeline.spell(slip.first) for slip in slips if len(slips) > MOST_SLIPS)
    many = [slip for slip in slips if phases[timeline.spell(slip.first)] > 2]
    return reading(many, anywhere=False).held(found, None) if many else found


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


# -- steps that may have been combat ----------------------------------------------------------------


def held_either_way(game: Game, found: Audit, answered: Answered, timeline: Timeline) -> Audit:
    """``found`` with everything left open that is not illegal whichever clusters of steps were combat, each
    independently of the others. The same holds for a phase of which it is not known whether it is the one
    before it, started again.

    ``found``: the audit without any answers, with ``timeline``. In it, units that moved before and after a
    cluster are judged as if the second part were a phase of its own."""
    every = timeline.all_interludes()
    if not every or not any(accused(found)):
        return found
    subjects = Subjects(timeline)

    def reading(spells: set[int] | None = None) -> Rereading:
        """The comparison of accusations in the phases ``spells``; None: in all."""

        def questions(one: Accused) -> list[MissingFact]:
            own = subjects.spells(one)
            if spells is not None and spells.isdisjoint(own):
                return []
            near = [at for at in every if timeline.spell(at) in own]
            return [phase_unknown(timeline, timeline.half_told(at)) for at in near or every]

        return Rereading(game, timeline, questions)

    held = reading().held(found, answered(dict.fromkeys(every, False), None))
    groups = [(near, spells) for near, spells in _groups(held, timeline) if near]
    many = {spell for near, spells in groups if len(near) > MOST_CLUSTERS for spell in spells}
    few = [(near, spells) for near, spells in groups if len(near) <= MOST_CLUSTERS]
    held = reading(many).held(held, None) if many else held
    spells = {spell for _, some in few for spell in some}
    for answers in _divisions([near for near, _ in few]):
        if not any(not spells.isdisjoint(subjects.spells(one)) for one in accused(held)):
            break
        other = answered(answers, lambda step: timeline.spell(step) in spells)
        held = reading(spells).held(held, other)
    return held


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


def tried_out(game: Game) -> Iterator[Question]:
    """Each stop that does not count, since only the last places of its side do. Of those told by themselves,
    and of those after which another phase may have begun, nothing is known by that."""
    sides = {side for side in game.sides if answer(game, only_last_places(side))}
    witnesses, before = Witnesses(game), dict[str, tuple[int, Displacement]]()
    for index, drag in enumerate(game.events if sides else ()):
        if isinstance(drag, PhaseStart):
            before.clear()
        if not isinstance(drag, Displacement) or drag.unit not in game.units:
            continue
        first, stop = before.get(drag.unit, (index, drag))
        before[drag.unit] = index, drag
        side = game.units[drag.unit].side
        on_map = stop.target.kind == drag.target.kind == "hex"
        if first == index or side not in sides or not on_map:
            continue
        question = passed_through(stop.target.name, drag.unit, stop.at)
        seen = witnesses.bound(first, index, stop.actor or side)
        if not seen and answer(game, question) is None:
            yield question


def without(game: Game, stops: Sequence[Question]) -> Game:
    """``game``, in which ``stops`` were not made."""
    no = known(False)
    told = (Condition(one.topic, no, one.at, one.at, one.unit) for one in stops if one.at)
    return replace(game, conditions=(*game.conditions, *told)) if stops else game


def held_with_all_stops(
    game: Game,
    stops: Sequence[Question],
    found: Audit,
    audited: Callable[[Game, Focus], Audit],
) -> Audit:
    """``found``, the audit of ``game`` without ``stops``, with every accusation left open that is not made
    where these may have been made. ``audited``: returns the audit of another game, in which only moves within
    the focus are judged."""
    about = list(accused(found)) if stops else []
    if not about:
        return found
    conditions = (one for one in game.conditions if not one.key.startswith(LAST_PLACES))
    plain = replace(game, conditions=tuple(conditions))
    timeline = timeline_as_told(plain)
    subjects = Subjects(timeline)

    def asked(one: Accused) -> list[MissingFact]:
        spells, units = subjects.spells(one), _units(one)
        near = [stop for stop in stops if stop.at and timeline.spell(stop.at) in spells]
        near.sort(key=lambda stop: stop.unit not in units)
        return [stop.unknown() for stop in near][:MOST_UNKNOWNS]

    spells = {spell for one in about if asked(one) for spell in subjects.spells(one)}
    if not spells:
        return found
    other = audited(plain, lambda step: timeline.spell(step) in spells)
    return Rereading(plain, timeline, asked).held(found, other)


def _units(one: Accused) -> tuple[str, ...]:
    return one.units if isinstance(one, Finding) else one.move.units
