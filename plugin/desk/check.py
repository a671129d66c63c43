"""What a player checks before he sends his turn or rolls: everything that no roll has sealed yet."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import chain

from ...model.coverage import NO_SIDE, Coverage
from ...model.finding import Audit, Finding, JudgedMove, coverage_of
from ...model.game import Displacement, Game, StateChange, StepRef, Witness
from ...model.offence import Offence
from ...model.problem import UmpireError
from ...model.procedure import Procedure, Standing
from ...model.viewer import Viewer
from ...validators.sealing import Sealing, offences
from ..reports.question_groups import open_questions, question_groups

NO_REASON = "no single fact would decide it"


@dataclass(frozen=True, slots=True)
class Reason:
    """Why ``moves`` cannot be checked. ``why``: a question, or what prevents a verdict."""

    why: str
    moves: tuple[JudgedMove, ...]


@dataclass(frozen=True)
class Part:
    """What one side did since an opponent's last roll, as far as the viewer may know.

    ``since``: that roll (None: the logs hold none); ``roller``: who rolled. ``moves``: the movement;
    ``decided`` of them could be checked. ``reasons``: why the rest could not; the question that decides most
    comes first. ``others``: what the rules do not count as movement. ``found``: its offences and how each
    stands. ``perhaps``: open findings about several moves, for example a stack that is too big if the phase
    ends now. ``audit``: the part of the audit that all this was taken from.
    """

    side: str
    since: StepRef | None
    roller: str
    moves: tuple[JudgedMove, ...]
    reasons: tuple[Reason, ...]
    others: tuple[Reason, ...]
    found: tuple[tuple[Offence, Standing], ...]
    perhaps: tuple[Finding, ...]
    audit: Audit

    @property
    def decided(self) -> int:
        return sum(one.verdict != "unverifiable" for one in self.moves)

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing to report."""
        return not (self.moves or self.others or self.found or self.perhaps)


@dataclass(frozen=True)
class Check:
    """``own``: what the player of ``side`` did. ``others``: what other sides did that he may still have
    corrected; sides that did nothing are left out. ``nobodys``: the number of moves whose side is unknown."""

    side: str
    procedure: Procedure
    own: Part
    others: tuple[Part, ...]
    nobodys: int

    @property
    def found(self) -> bool:
        """Whether any offence is not corrected."""
        every = (standing for part in (self.own, *self.others) for _, standing in part.found)
        return any(standing.state != "corrected" for standing in every)

    @property
    def coverage(self) -> Coverage:
        """How many drags could be decided. Drags of an unknown side count as not decided."""
        parts = (self.own, *self.others)
        apart = (reason.moves for part in parts for reason in part.others)
        moves = chain(*(part.moves for part in parts), *apart)
        whole = self.own.audit
        nobodys = {NO_SIDE: self.nobodys} if self.nobodys else {}
        return coverage_of(moves, {**whole.unjudged, **nobodys}, whole.unlooked)

    @property
    def decided(self) -> bool:
        """Whether an offence was found, any move was decided, or nothing was moved."""
        found = self.own.found or any(part.found for part in self.others)
        return bool(found) or not self.coverage.is_undecided


def last_to_act(game: Game) -> str:
    """The side that made the last steps of the last log. Raises :class:`UmpireError` if the log does not
    say."""
    last = game.events[-1].at.log if game.events else 0
    for event in reversed(game.events):
        if event.at.log < last:
            break
        if isinstance(event, Displacement | StateChange | Witness) and event.actor in game.sides:
            return event.actor
    known = ", ".join(game.sides)
    raise UmpireError(
        "whose the last steps are is not in the log",
        hint=f"name your side with --as: {known}" if known else "no side is known for these files",
    )


def check_game(game: Game, shown: Audit, side: str, procedure: Procedure, viewer: Viewer) -> Check:
    """The check for the player of ``side``. ``shown``: what ``viewer`` may see of the audit of ``game``."""
    sealing = Sealing(game, viewer)
    movers = [_mover(game, one) for one in shown.moves]
    sides = dict.fromkeys((side, *game.sides, *(one for one in movers if one is not None)))
    parts = {one: _part(game, shown, one, procedure, sealing) for one in sides}
    others = (part for name, part in parts.items() if name != side and not part.is_empty)
    return Check(side, procedure, parts[side], tuple(others), movers.count(None))


def to_correct(check: Check, part: Part) -> list[str]:
    """How to correct the offences of ``part``: a sentence for each kind that can still be corrected."""
    segments = dict.fromkeys(s.segment for _, s in part.found if s.state in ("correctable", "open"))
    return [check.procedure.correction(segment) for segment in segments]


def _part(game: Game, shown: Audit, side: str, procedure: Procedure, sealing: Sealing) -> Part:
    roll = next((e for e in reversed(sealing.seals(side, "roll")) if e.sure), None)
    since = roll.at if roll is not None else None

    def is_later(steps: Iterable[StepRef]) -> bool:
        return since is None or max(steps, default=since) > since

    mine = tuple(
        one
        for one in shown.moves
        if _mover(game, one) == side and is_later(one.move.steps) and one.move.taken_back is None
    )
    judged = tuple(one for one in mine if one.judged)
    numbers = {one.move.id for one in judged}
    findings = tuple(
        one
        for one in shown.findings
        if is_later(one.steps)
        and (not numbers.isdisjoint(one.moves) if one.moves else one.side == side)
    )
    part = replace(shown, moves=judged, findings=findings)
    done = tuple(one for one in offences(shown) if _is_among(one, findings))
    return Part(
        side=side,
        since=since,
        roller=roll.who if roll is not None else "",
        moves=judged,
        reasons=tuple(_reasons(part)),
        others=tuple(
            _grouped(
                (one.remark or "no movement by these rules", one) for one in mine if not one.judged
            )
        ),
        found=tuple((one, sealing.standing(one, procedure)) for one in done),
        perhaps=tuple(_perhaps(part)),
        audit=part,
    )


def _mover(game: Game, judged: JudgedMove) -> str | None:
    unit = game.units.get(judged.move.units[0])
    return judged.move.actor or (unit.side if unit is not None else None)


def _is_among(offence: Offence, findings: tuple[Finding, ...]) -> bool:
    return any(offence.finding is one for one in findings)


def _reasons(part: Audit) -> Iterator[Reason]:
    """Each open move once: below the question that decides most moves, otherwise below its own remark."""
    left = {m.move.id: m for m in part.moves if m.verdict == "unverifiable"}
    groups = question_groups(replace(part, findings=())).groups
    while left:
        waiting = [(one, [m for m in one.moves if m.move.id in left]) for one in groups]
        best, moves = max(waiting, key=lambda entry: len(entry[1]), default=(None, []))
        if best is None or not moves:
            break
        yield Reason(best.text, tuple(moves))
        for judged in moves:
            del left[judged.move.id]
    yield from _grouped((judged.remark or NO_REASON, judged) for judged in left.values())


def _grouped(told: Iterable[tuple[str, JudgedMove]]) -> Iterator[Reason]:
    groups: dict[str, list[JudgedMove]] = {}
    for why, judged in told:
        groups.setdefault(why, []).append(judged)
    for why, moves in sorted(groups.items(), key=lambda entry: -len(entry[1])):
        yield Reason(why, tuple(moves))


def _perhaps(part: Audit) -> Iterator[Finding]:
    """Open findings about more than one open move."""
    asked = open_questions(part)
    found = {id(finding): finding for one in asked for finding in one.others}
    yield from found.values()
