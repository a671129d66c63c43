"""Judges all moves of a game: each as far as the pack allows, and all moves of a unit in one phase together.

A unit has one allowance for a phase. So a move that continues earlier moves of the phase is judged together
with them. The units of a stack that came by different ways are judged separately. A finding that only follows
from an earlier one says so.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

from ..model.bill import Amount
from ..model.fact import MissingFact
from ..model.finding import GRAVITY, OF_MOVES, Finding, JudgedMove, Move
from ..model.game import Game, Spent, StepRef
from ..model.problem import Problem, UmpireError
from .checks import FORM, PHASE, phase_unknown
from .displacement_screening import Screening, screen_displacement, screen_units, strictest
from .judge import Judgement
from .moves import Track, marked_until
from .parts import Endings, Part, Parts, RulesOn
from .quotas import PhaseLegalForms
from .situation import Situation
from .stopovers import Stopovers
from .takeback import Witnesses
from .timeline import Timeline
from .verdicts import (
    by_another_form,
    came_from_elsewhere,
    counted_with,
    kept_open,
    open_question,
    out_of_turn,
    put_back_late,
    unjudged,
)

Judge = Callable[..., Judgement]
"""The shape of :func:`.judge.judge_move`."""

Progress = Callable[[int, int], None]
"""Called with the number of judgements done and the number of all of them."""


@dataclass(frozen=True, slots=True)
class Judged:
    """All moves of a game, judged, in order, with their findings.

    ``problems``: one for each move that could not be judged because a check failed. ``phase_legal_forms``:
    the movement forms by which units can have moved, in the order in which their moves ended. It covers moves
    that may be judged, and is empty unless the ruleset asks for legal forms."""

    moves: tuple[JudgedMove, ...]
    findings: tuple[Finding, ...]
    problems: tuple[Problem, ...] = ()
    phase_legal_forms: tuple[PhaseLegalForms, ...] = ()


@dataclass(slots=True)
class _Case:
    """A move while it is being judged. ``screening``: that of all parts screened so far; None before the
    first. ``wrong``: the units that may not move in the phase."""

    track: Track
    screening: Screening | None = None
    wrong: tuple[str, ...] = ()
    judgements: list[tuple[Part, Judgement]] = field(default_factory=list)
    failed: bool = False


class MoveJudging:
    """Judges ``tracks`` in one pass over the game."""

    def __init__(
        self,
        game: Game,
        tracks: Sequence[Track],
        timeline: Timeline,
        witnesses: Witnesses,
        judge: Judge,
        rules_on: RulesOn,
    ) -> None:
        self.game, self.timeline, self.witnesses = game, timeline, witnesses
        self.judge, self.rules_on = judge, rules_on
        self.endings = Endings(game, timeline)
        self.stopovers = Stopovers(game, tracks, witnesses)
        self.tracks = {track.move.id: track for track in tracks}
        self.cases = {track.move.id: _Case(track) for track in tracks}
        self.problems: list[Problem] = []
        self.whole: set[tuple[int, str]] = set()
        self.spent: dict[tuple[str, int], list[Spent]] = {}
        for event in game.events:
            if isinstance(event, Spent):
                number = timeline.phase_number(event.at)
                self.spent.setdefault((event.unit, number), []).append(event)

    def judged(self, progress: Progress | None) -> Judged:
        ways = Parts(self.game, self.tracks, self.witnesses, self.rules_on)
        parts = [part for track in self.tracks.values() if track.counts for part in ways.of(track)]
        jobs: list[tuple[Part | None, Track]] = [(part, part.way) for part in parts]
        jobs += [(part, part.longer) for part in parts if part.longer is not None]
        jobs += [(None, track) for track in self.tracks.values() if track.is_doubtful]
        jobs.sort(key=lambda query: query[1].events[0])
        situation = Situation(self.game, self.timeline)
        for done, (part, way) in enumerate(jobs):
            situation.advance_before(way.move.steps[0])
            if part is None:
                self._screen(way, situation)
            elif way is part.way:
                self._try(part, situation)
            elif self._keeps_to_the_rules(part, way, situation):
                self.whole.update((part.track.move.id, unit) for unit in part.track.move.units)
            if progress is not None:
                progress(done + 1, len(jobs))
        moves: list[JudgedMove] = []
        findings: list[Finding] = []
        accused: dict[int, bool] = {}
        for case in self.cases.values():
            judged, found = self._sum_up(case, accused)
            accused[case.track.move.id] = judged.judged and judged.verdict == "illegal"
            moves.append(judged)
            if case.track.late is not None:
                findings.append(put_back_late(self.game, case.track, case.track.late))
            findings.extend(found)
        phase_legal_forms = sorted(
            self._phase_legal_forms(), key=lambda entry: entry.track.events[-1]
        )
        return Judged(tuple(moves), tuple(findings), tuple(self.problems), tuple(phase_legal_forms))

    def _phase_legal_forms(self) -> Iterator[PhaseLegalForms]:
        """The legal forms of the units of every move that may be judged."""
        for case in self.cases.values():
            if case.screening is None or not case.screening.is_open or case.failed:
                continue
            for part, judgement in case.judgements:
                for legal_forms in judgement.legal_forms:
                    yield PhaseLegalForms(part.track, legal_forms, part.before, part.whole)

    def _screen(self, track: Track, situation: Situation) -> None:
        """Screen a track of units that perhaps moved (:attr:`Track.is_doubtful`)."""
        try:
            span = situation.over(track.move.steps[-1], (track.events[0], track.events[-1]))
            self.cases[track.move.id].screening = screen_displacement(track, span)
        except Exception as error:  # noqa: BLE001 - as in _try
            self._failed(track, error)

    def _try(self, part: Part, situation: Situation) -> None:
        case = self.cases[part.track.move.id]
        move = part.way.move
        try:
            span = self._span(part.way, situation)
            each = screen_units(part.way, span)
            found = strictest(each)
            before = () if case.screening is None else (case.screening,)
            case.screening = strictest((*before, found))
            barred = (u for u, one in zip(move.units, each, strict=True) if one.wrong)
            case.wrong = (*case.wrong, *barred)
            if found.wrong or found.other:
                return
            on = any(self.endings.goes_on(unit, part.way.events[-1]) for unit in move.units)
            move = replace(move, goes_on=on)
            alike = _alike(move.units, each) if found.is_open else {found: move.units}
            judged = [
                (_of_units(part, units), self._judged(part, move, span, form, units))
                for form, units in alike.items()
            ]
        except Exception as error:  # noqa: BLE001 - one move that cannot be judged must not lose the rest
            self._failed(part.track, error)
            return
        case.judgements += judged

    def _judged(
        self, part: Part, move: Move, span: Situation, found: Screening, units: tuple[str, ...]
    ) -> Judgement:
        """The judgement of those ``units`` of a part, all with the screening ``found``."""
        declared = self._declared(part.way) if found.is_open else None
        rules = self.rules_on(span.game)

        def judge(forms: tuple[str, ...], gone: Container[str] = ()) -> Judgement:
            of = replace(move, units=tuple(unit for unit in move.units if unit not in gone))
            more = _only(tuple(unit for unit in units if unit not in gone), of)
            if not found.is_open:
                more["accused"] = False
            return self.judge(
                of, span, rules, forms=forms, declared=declared, spent_before=part.spent, **more
            )

        judgement = judge(found.forms)
        legal = judgement.judged.verdict == "legal"
        if legal and found.sure and judge(found.sure).judged.verdict != "legal":
            judgement = _by_form_in_doubt(self.game, judgement, found)
        if judgement.judged.verdict == "illegal":
            judgement = self._if_it_stopped(
                _of_units(part, units), judgement, partial(judge, found.forms)
            )
        return judgement

    def _if_it_stopped(
        self, part: Part, judgement: Judgement, judge: Callable[..., Judgement]
    ) -> Judgement:
        """``judgement`` (illegal) of a part of a move, corrected for units that perhaps never were where the
        move ends. Only the other units can be accused; ``judge`` judges them again."""
        unseen = self.stopovers.unseen(part.track)
        if not unseen:
            return judgement
        rest = judge(unseen) if set(part.track.move.units) - set(unseen) else None
        if rest is not None and rest.judged.verdict == "illegal":
            found = rest
        else:
            found = self.stopovers.left_open(judgement, part.track, rest)
        # The units that went on may still have moved here first, so later checks of the phase need the forms.
        return replace(found, legal_forms=judgement.legal_forms)

    def _keeps_to_the_rules(self, part: Part, way: Track, situation: Situation) -> bool:
        """Whether ``way`` (see :attr:`Part.longer`) is legal as one move. Then ``part`` is legal too,
        whether or not the interruption belonged to the phase. False if judging it fails."""
        try:
            span = self._span(way, situation)
            each = screen_units(way, span)
            if not strictest(each).is_open:
                return False
            judge = partial(self.judge, way.move, span, self.rules_on(span.game), accused=False)
            judged = [
                judge(
                    forms=found.sure or found.forms,
                    spent_before=part.spent,
                    **_only(units, way.move),
                )
                for found, units in _alike(way.move.units, each).items()
            ]
        except Exception:  # noqa: BLE001 - the move itself is judged, and tells what fails
            return False
        return all(judgement.judged.verdict == "legal" for judgement in judged)

    def _failed(self, track: Track, error: Exception) -> None:
        """Record that a move could not be judged. The text of the error is shown only for errors meant for
        users."""
        move = track.move
        self.cases[move.id].failed = True
        text = str(error) if isinstance(error, UmpireError) else type(error).__name__
        message = f"a move could not be judged: {text}"
        self.problems.append(Problem("move-not-judged", message, move.steps[0].said, "error"))

    def _until(self, way: Track) -> StepRef:
        """The last step of a move, including the changes of its units that follow immediately."""
        last = marked_until(self.game, way.move.units, way.events[-1])
        return self.timeline.step_of(last)

    def _span(self, way: Track, situation: Situation) -> Situation:
        """``situation`` over a move."""
        return situation.over(self._until(way), (way.events[0], way.events[-1]))

    def _declared(self, way: Track) -> Amount | None:
        """MPs that the player declared for the move; None if nothing usable was declared. It is usable if the
        move was one drag and each unit had exactly one declaration in the phase, right then, all of the same
        amount. Any other declaration may have been corrected, or be meant for only a part of the move."""
        said = set[Amount]()
        if len(way.events) != 1:
            return None
        last, until = way.move.steps[-1], self._until(way)
        for unit in way.move.units:
            events = self.spent.get((unit, way.phase_number), [])
            if len(events) != 1 or not last <= events[0].at <= until:
                return None
            amount = events[0].amount
            if amount.low is None:
                return None
            said.add(Amount(amount.low, amount.high))
        return said.pop() if len(said) == 1 else None

    def _sum_up(self, case: _Case, accused: dict[int, bool]) -> tuple[JudgedMove, list[Finding]]:
        track, found = case.track, case.screening
        move = track.move
        before = found is not None and _comes_before_the_way(found)
        if not (track.counts or before or case.failed):
            return unjudged(self.game, track, self.timeline)
        if found is None or case.failed:
            remark = "a check failed, see the problems"
            return JudgedMove(move, "unverifiable", remark=remark), []
        if found.other:
            return by_another_form(move, found.other), []
        if found.wrong:
            judged = JudgedMove(move, "illegal", remark=found.wrong)
            return judged, [out_of_turn(self.game, judged, case.wrong)]
        if found.unknowns:
            favourable = [judgement.judged for _, judgement in case.judgements]
            judged = kept_open(move, found, favourable)
            return judged, [open_question(self.game, judged, found.code)]
        return self._combine(track, case.judgements, accused)

    def _combine(
        self, track: Track, judgements: list[tuple[Part, Judgement]], accused: dict[int, bool]
    ) -> tuple[JudgedMove, list[Finding]]:
        """The verdict on a whole move, which is the worst verdict of its parts, and the findings of all
        parts."""
        move = track.move
        findings: list[Finding] = []
        verdicts: list[JudgedMove] = []
        for part, judgement in judgements:
            judged = judgement.judged
            found = list(judgement.findings)
            before = part.before if len(part.way.events) > len(part.track.events) else ()
            whole = part.whole or all((move.id, u) in self.whole for u in part.track.move.units)
            if not whole and judged.verdict == "legal":
                unknowns = self._what_interrupted(part)
                judged = came_from_elsewhere(self.game, judged, unknowns)
                judged = replace(judged, move=part.track.move)
                found.append(open_question(self.game, judged, FORM))
            first = next((number for number in before if accused.get(number)), None)
            findings.extend(_refer(finding, move.id, before, first) for finding in found)
            if before:
                together = counted_with(before)
                remark = f"{judged.remark}; {together}" if judged.remark else together
                judged = replace(judged, remark=remark, before=before)
            verdicts.append(judged)
        worst = max(verdicts, key=lambda judged: GRAVITY[judged.verdict])
        unknowns = tuple(dict.fromkeys(u for judged in verdicts for u in judged.unknowns))
        return replace(worst, move=move, unknowns=unknowns), findings

    def _what_interrupted(self, part: Part) -> tuple[MissingFact, ...]:
        """The missing facts about interruptions, since the units began to move in the phase, that may have
        been combat."""
        begun = [self.tracks[n].move.steps[0] for ids in part.track.past for n in ids]
        now = part.track.move.steps[0]
        starts = self.timeline.interludes(min(begun), now) if begun else ()
        return tuple(phase_unknown(self.timeline, self.timeline.half_told(at)) for at in starts)


def _comes_before_the_way(found: Screening) -> bool:
    """Whether it is not movement, or its phase is not known. Then the way of a unit that was taken off the
    map and put elsewhere on it does not matter."""
    return bool(found.other or (found.unknowns and found.code == PHASE))


def _alike(
    units: Sequence[str], screenings: Sequence[Screening]
) -> dict[Screening, tuple[str, ...]]:
    """``units`` by their screenings."""
    found: dict[Screening, tuple[str, ...]] = {}
    for unit, screening in zip(units, screenings, strict=True):
        found[screening] = (*found.get(screening, ()), unit)
    return found


def _only(units: tuple[str, ...], move: Move) -> dict[str, Any]:
    """The judge's argument that limits it to ``units`` of a move; empty if these are all its units."""
    return {"only": units} if set(units) < set(move.units) else {}


def _of_units(part: Part, units: tuple[str, ...]) -> Part:
    """``part`` for some of its units; the way is unchanged."""
    track = part.track
    if units == track.move.units:
        return part
    return replace(part, track=replace(track, move=replace(track.move, units=units)))


def _by_form_in_doubt(game: Game, judgement: Judgement, found: Screening) -> Judgement:
    """``judgement`` (legal), changed to unverifiable: the move is legal only by a form that the units may not
    be allowed to use."""
    judged = judgement.judged
    remark = f"whether it may move by {judged.form} is not known"
    judged = replace(judged, verdict="unverifiable", unknowns=found.asked, remark=remark)
    return replace(
        judgement, judged=judged, findings=(*judgement.findings, open_question(game, judged, FORM))
    )


def _refer(finding: Finding, own: int, before: tuple[int, ...], first: int | None) -> Finding:
    """``finding`` with the ids of all moves that it is about: ``own`` and those ``before`` it. ``first``: the
    earliest of them that is illegal, which the finding then follows from; None if there is none."""
    wrong = finding.kind in OF_MOVES
    return replace(
        finding,
        moves=tuple(dict.fromkeys((*before, *finding.moves, own))),
        follows_from=first if wrong and first is not None else finding.follows_from,
    )
