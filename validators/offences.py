"""Offences: findings counted by drags. One drag is one offence, whatever follows from it."""

from __future__ import annotations

from collections.abc import Mapping

from ..model.finding import Audit, Finding, Move
from ..model.game import StepRef
from ..model.offence import Offence, drag_id, offence_id

OFFENCES = ("illegal-move", "overstack", "missed-mp-cost")
"""The kinds of findings that accuse somebody."""

_LOGS = ("log", "save")

_Drag = tuple[StepRef, str]
"""The last step of a drag, and the hex in which it ended. Everybody who sees the drag sees these."""


def offences(audited: Audit) -> tuple[Offence, ...]:
    """The offences of an audit, in the order of their first steps.

    A finding belongs to the offence that it follows from, or else to an earlier one of the same drag, or with
    the same first step and a unit in common.
    """
    moves = {one.move.id: one.move for one in audited.moves}
    groups: list[tuple[_Drag, list[Finding]]] = []
    of_move: dict[int, list[Finding]] = {}
    found = [f for f in audited.findings if f.kind in OFFENCES and f.steps]
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
    """The drag that a finding is about: that of its own move, whichever pieces of it, or of a stack, the pack
    can accuse; its last step and hex where it is no move's."""
    own = _own(finding, moves)
    if own is None:
        return max(finding.steps), finding.hexes[-1] if finding.hexes else ""
    return max(own.steps), own.target.name


def _former(finding: Finding, moves: Mapping[int, Move]) -> tuple[StepRef, tuple[str, ...]]:
    """What the id of an offence was made of in earlier versions: the first step of the drag, and its
    pieces."""
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
        log=_digest(log_shas, at),
        at=at,
        last=max(step for finding in findings for step in finding.steps),
        side=first.side,
        player=first.player,
        units=first.units,
        names=first.names,
        phase=first.phase,
        findings=tuple(findings),
    )
