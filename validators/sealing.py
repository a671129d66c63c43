"""Offences: findings counted by drags (one drag is one offence with all its consequences); and whether an
offence can still be corrected, by the events that seal it or corrected it before.

Only an event of the other player seals an error, never one of the player who made it. If the logs do not show
for certain whose roll or turn it was, or whether a later move was meant as the correction, it is left open.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import chain

from ..model.finding import ACCUSING, Audit, Finding, Move
from ..model.game import Displacement, Game, Place, Spent, StateChange, StepRef, Witness
from ..model.offence import Offence, drag_id, offence_id
from ..model.procedure import Procedure, Seal, Segment, Standing
from ..model.viewer import DIRECTOR, Viewer
from .moves import phase_is_known
from .timeline import Timeline
from .tracker import phases_in_order

_LOGS = ("log", "save")

_Drag = tuple[StepRef, str]
"""The last step of a drag, and its final hex; both are visible to everybody who sees the drag."""


def offences(audited: Audit) -> tuple[Offence, ...]:
    """The offences of an audit, in the order of their first steps.

    A finding belongs to the offence that it follows from, or else to an earlier one of the same drag, or with
    the same first step and a unit in common.
    """
    moves = {one.move.id: one.move for one in audited.moves}
    groups: list[tuple[_Drag, list[Finding]]] = []
    of_move: dict[int, list[Finding]] = {}
    found = [f for f in audited.findings if f.kind in ACCUSING and f.steps]
    for finding in sorted(found, key=lambda f: f.follows_from is not None):
        group = of_move.get(finding.follows_from) if finding.follows_from is not None else None
        drag = _drag(finding, moves)
        if group is None:
            group = next(
                (g for d, g in groups if d == drag or _start_together(g[0], finding)), None
            )
        if group is None:
            group = []
            groups.append((drag, group))
        group.append(finding)
        for move in finding.moves:
            of_move.setdefault(move, group)
    digests = log_digests(audited)
    made = [_offence(drag, group, digests, _former(group[0], moves)) for drag, group in groups]
    return tuple(sorted(made, key=lambda one: one.at))


def log_digests(audited: Audit) -> tuple[str, ...]:
    """The SHA-256 of each log of the game, in order."""
    return tuple(source.sha256 for source in audited.sources if source.kind in _LOGS)


def move_id(log_shas: tuple[str, ...], at: StepRef, units: tuple[str, ...]) -> str:
    """:func:`.drag_id` of the drag of ``units`` in step ``at``."""
    return drag_id(_digest(log_shas, at), at.step, units)


def _digest(log_shas: tuple[str, ...], at: StepRef) -> str:
    """The SHA-256 of the log of a step; "" if the game came from none."""
    return log_shas[at.log - 1] if 0 < at.log <= len(log_shas) else ""


def _drag(finding: Finding, moves: Mapping[int, Move]) -> _Drag:
    """The drag that a finding is about: that of its own move, even if the finding is about some of its pieces
    only. Without a move: the finding's last step and hex."""
    own = _own(finding, moves)
    if own is None:
        return max(finding.steps), finding.hexes[-1] if finding.hexes else ""
    return max(own.steps), own.target.name


def _former(finding: Finding, moves: Mapping[int, Move]) -> tuple[StepRef, tuple[str, ...]]:
    """The parts of an offence's id in earlier versions: the first step of the drag, and its pieces."""
    own = _own(finding, moves)
    if own is None:
        return min(finding.steps), tuple(sorted(finding.units))
    return min(own.steps), tuple(sorted(own.units))


def _own(finding: Finding, moves: Mapping[int, Move]) -> Move | None:
    at = min(finding.steps)
    about = (moves[number] for number in reversed(finding.moves) if number in moves)
    return next((move for move in about if at in move.steps), None)


def _start_together(first: Finding, other: Finding) -> bool:
    return min(first.steps) == min(other.steps) and not set(first.units).isdisjoint(other.units)


def _offence(
    drag: _Drag,
    findings: list[Finding],
    log_shas: tuple[str, ...],
    former: tuple[StepRef, tuple[str, ...]],
) -> Offence:
    first = findings[0]
    at = min(first.steps)
    step, place = drag
    return Offence(
        id=offence_id(_digest(log_shas, step), step.step, place),
        former=move_id(log_shas, *former),
        at=at,
        last=max(step for finding in findings for step in finding.steps),
        side=first.side,
        player=first.player,
        units=first.units,
        names=first.names,
        phase=first.phase,
        findings=tuple(findings),
    )


_BY_HAND = ("drag", "key")


@dataclass(frozen=True, slots=True)
class SealingEvent:
    """An event that seals or corrects an error. ``index``: of the event in the game. ``sure`` False: the logs
    do not show whether it does. ``what``: text for a sentence. ``who``: the side that did it; "": not
    known."""

    index: int
    at: StepRef
    sure: bool
    what: str
    who: str = ""


class Sealing:
    """What may seal the offences of one game."""

    def __init__(self, game: Game, viewer: Viewer = DIRECTOR) -> None:
        self._game = game = phases_in_order(game)
        self._viewer = viewer
        self._timeline = Timeline(game)
        self._of_unit: dict[str, list[tuple[int, Displacement | StateChange | Spent]]]
        self._of_unit = defaultdict(list)
        self._undone: set[tuple[str, StepRef]] = set()
        for index, event in enumerate(game.events):
            if isinstance(event, Displacement | StateChange | Spent):
                self._of_unit[event.unit].append((index, event))
            if isinstance(event, Displacement) and event.cancels is not None:
                self._undone.add((event.unit, event.cancels))
        self._seals: dict[tuple[str, Seal], tuple[SealingEvent, ...]] = {}

    def standing(self, offence: Offence, procedure: Procedure, told: str | None = None) -> Standing:
        """The standing of ``offence`` under ``procedure`` at the end of the last log. ``told``: the date on
        which it was reported outside the logs; None: no report is known."""
        segment = self.segment(offence)
        seal = procedure.seal(segment)
        side = self._erring(offence)
        if side is None:
            return Standing("open", None, "the log does not say whose player did it", segment)
        until = f"{self._others(side)} next {seal}"
        first, last = self._span(offence)
        seals = [e for e in self.seals(side, seal) if e.index > first]
        sealing = next((e for e in seals if e.sure and e.index > last), None)
        perhaps = next((e for e in seals if not e.sure or e.index <= last), None)
        if sealing is not None and perhaps is not None and perhaps.index > sealing.index:
            perhaps = None
        end = sealing.index if sealing is not None else len(self._game.events)
        mended = self._mending(offence, last, end)
        if mended is not None:
            return _mended(mended, perhaps, segment)
        if sealing is not None:
            return _sealed(sealing, told, segment)
        if perhaps is not None:
            why = f"{perhaps.what} at {perhaps.at.said} may seal it; else it can be corrected until {until}"
            return Standing("open", perhaps.at, why, segment)
        reported = f"; it was reported on {told}" if told else ""
        return Standing("correctable", None, f"can be corrected until {until}{reported}", segment)

    def segment(self, offence: Offence) -> Segment:
        """Where the offence was made: ``combat`` if the facts say that its steps were combat, or if no form
        of movement is open in the phase; else ``movement``."""
        start = self._timeline.phase_start(offence.at)
        if start is not None and start.combat is True:
            return "combat"
        declared = self._game.phases.get(offence.phase.phase or "")
        return "combat" if declared is not None and declared.movers == "none" else "movement"

    def seals(self, side: str, seal: Seal) -> tuple[SealingEvent, ...]:
        """The events that seal, or may seal, earlier errors of ``side``, in order."""
        found = self._seals.get((side, seal))
        if found is None:
            found = self._seals[side, seal] = tuple(self._find(side, seal))
        return found

    def _find(self, side: str, seal: Seal) -> Iterator[SealingEvent]:
        for index, event in enumerate(self._game.events):
            if isinstance(event, Witness) and event.kind == "roll" and "roll" in seal:
                what, theirs = "roll", self._not_of(side, event.actor)
            elif isinstance(event, Displacement) and "move" in seal:
                what, theirs = "move", self._is_move_of_others(side, event)
            else:
                continue
            if theirs is not False:
                text = f"the {what} of {event.actor or 'an unknown player'}"
                yield SealingEvent(index, event.at, theirs is True, text, event.actor or "")

    def _not_of(self, side: str, actor: str | None) -> bool | None:
        """Whether ``actor`` plays against ``side``; None if not known."""
        relation = self._game.relation(side, actor)
        return None if relation is None else relation == "enemy"

    def _is_move_of_others(self, side: str, event: Displacement) -> bool | None:
        """Whether a displacement belongs to a move of an enemy of ``side``: he moves his own or a friend's
        unit, in his own turn. None if not known."""
        unit = self._game.units.get(event.unit)
        moves = event.cause in _BY_HAND and event.at.step > 0 and event.origin != event.target
        if unit is None or unit.kind != "unit" or not moves:
            return False
        if not self._viewer.may_see(unit.seen_by):
            return False
        by = self._not_of(side, event.actor)
        of = self._not_of(side, unit.side)
        if by is False or of is False:
            return False
        start = self._timeline.phase_start(event.at)
        known = start is not None and phase_is_known(self._timeline, event.at)
        active = self._not_of(side, start.active) if start is not None and known else None
        if active is False:
            return False
        undone = (event.unit, event.at) in self._undone
        return True if by and of and active and not undone else None

    def _done(self, offence: Offence) -> list[tuple[int, Displacement | StateChange | Spent]]:
        """The events of the offence, in order, each with its index."""
        steps = set(offence.finding.steps)
        found = chain.from_iterable(self._of_unit.get(u, ()) for u in set(offence.finding.units))
        return sorted((e for e in found if e[1].at in steps), key=lambda entry: entry[0])

    def _erring(self, offence: Offence) -> str | None:
        """The side whose player made the error; None if the log does not say."""
        done = [e for _, e in self._done(offence) if not isinstance(e, Spent)]
        moved = [e for e in done if isinstance(e, Displacement) and e.cause in _BY_HAND]
        actors = {event.actor for event in moved or done}
        return actors.pop() if len(actors) == 1 else None

    def _span(self, offence: Offence) -> tuple[int, int]:
        """The indices of the first and the last event of the offence."""
        done = self._done(offence)
        return (done[0][0], done[-1][0]) if done else (0, len(self._game.events))

    def _mending(self, offence: Offence, last: int, end: int) -> SealingEvent | None:
        """The event between ``last`` and ``end`` that corrected the offence, or may have; None: there is
        none."""
        steps = set(offence.finding.steps)
        origins: dict[str, Place] = {}
        for _, event in self._done(offence):
            if isinstance(event, Displacement) and event.cause in _BY_HAND:
                origins.setdefault(event.unit, event.origin)
        if not origins:
            return None
        spell, known = self._spell(max(steps))
        back: set[str] = set()
        doubt: SealingEvent | None = None
        for index, event in self._later(origins, last, end):
            home = event.target == origins[event.unit]
            now, told = self._spell(event.at)
            same = (now == spell) if known and told else None
            undone = event.cause == "undo" and event.cancels in steps
            if home and (undone or (same and event.cause in (*_BY_HAND, "undo"))):
                back.add(event.unit)
                if back == set(origins):
                    return SealingEvent(index, event.at, True, "")
            elif home or same is not False:
                back.discard(event.unit)
                how = "went back" if home else "went on"
                doubt = SealingEvent(
                    index, event.at, False, f"{self._game.units[event.unit].name} {how}"
                )
        return doubt

    def _later(
        self, units: Iterable[str], last: int, end: int
    ) -> Iterator[tuple[int, Displacement]]:
        """The displacements of ``units`` between the events ``last`` and ``end``."""
        found = [entry for unit in units for entry in self._of_unit.get(unit, ())]
        for index, event in sorted(found, key=lambda entry: entry[0]):
            if not isinstance(event, Displacement) or event.origin == event.target:
                continue
            if last < index < end:
                yield index, event

    def _spell(self, at: StepRef) -> tuple[int, bool]:
        """The number of the phase of a step, and whether it is known."""
        return self._timeline.spell(at), phase_is_known(self._timeline, at)

    def _others(self, side: str) -> str:
        """``Red's``, or ``the opponent's`` if there are several enemies; a noun follows."""
        sides = {s for s in self._game.sides if self._not_of(side, s)}
        return _of(sides.pop()) if len(sides) == 1 else "the opponent's"


def _of(side: str) -> str:
    """``Red's``, ``Germans'``."""
    return f"{side}'" if side.endswith("s") else f"{side}'s"


def _mended(mended: SealingEvent, perhaps: SealingEvent | None, segment: Segment) -> Standing:
    """The standing of a corrected offence. ``perhaps``: an event that may have sealed it."""
    at = mended.at.said
    if not mended.sure:
        why = f"{mended.what} at {at}; whether that put it right, the log does not say"
        return Standing("open", mended.at, why, segment)
    if perhaps is not None and perhaps.index < mended.index:
        why = f"was put right at {at}, but {perhaps.what} at {perhaps.at.said} may have sealed it before"
        return Standing("open", mended.at, why, segment)
    return Standing("corrected", mended.at, f"corrected at {at}", segment)


def _sealed(sealing: SealingEvent, told: str | None, segment: Segment) -> Standing:
    by = f"{sealing.what} at {sealing.at.said}"
    if told:
        why = (
            f"was reported on {told}; {by} seals it if it came first, and no log says on which day"
        )
        return Standing("open", sealing.at, why, segment)
    why = f"past the sealing event: {by}, unless it was reported before"
    return Standing("sealed", sealing.at, why, segment)
