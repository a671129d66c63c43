"""Fog of war: a move or finding that depends on a hidden piece is shown only to viewers who may see that
piece."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from ..model.fact import MissingFact
from ..model.finding import Audit, Finding, JudgedMove
from ..model.game import Game

DIRECTOR = "*"
"""The viewer who may see everything. No side has this name."""


def redact(game: Game, move: JudgedMove) -> JudgedMove:
    """``move`` with ``visible_to`` set to the sides that may see it."""
    viewer = _viewer(game, (*move.move.units, *move.rests_on), move.visible_to)
    return move if viewer == move.visible_to else replace(move, visible_to=viewer)


def redact_finding(game: Game, finding: Finding) -> Finding:
    """``finding`` with ``visible_to`` set to the sides that may see it."""
    viewer = _viewer(game, (*finding.units, *finding.rests_on), finding.visible_to)
    return finding if viewer == finding.visible_to else replace(finding, visible_to=viewer)


def redact_by_question(game: Game, audit: Audit, hidden: Mapping[str, Iterable[str]]) -> Audit:
    """``audit`` with ``visible_to`` set also for moves and findings that ask a question which only hidden
    units raise. ``hidden``: the keys of these questions, with the units."""
    if not hidden:
        return audit

    def units(asked: Iterable[MissingFact]) -> tuple[str, ...]:
        return tuple(dict.fromkeys(unit for one in asked for unit in hidden.get(one.key, ())))

    def of_move(one: JudgedMove) -> JudgedMove:
        return redact(game, replace(one, rests_on=(*one.rests_on, *units(one.unknowns))))

    def of_finding(one: Finding) -> Finding:
        return redact_finding(game, replace(one, rests_on=(*one.rests_on, *units(one.unknowns))))

    moves, findings = map(of_move, audit.moves), map(of_finding, audit.findings)
    return replace(audit, moves=tuple(moves), findings=tuple(findings))


def visible(audit: Audit, viewer: str | None) -> Audit:
    """The part of ``audit`` that ``viewer`` may see: a side, None for what every player may see, or
    :data:`DIRECTOR` for everything.

    Moves and findings that the viewer may not see are left out, with all references to them and the names of
    units that no longer occur. The remaining moves are numbered again, so that no gap reveals a missing one.
    """
    if viewer == DIRECTOR:
        return audit
    kept = [m for m in audit.moves if _may_see(m.visible_to, viewer)]
    shown = {m.move.id: number for number, m in enumerate(kept, 1)}
    moves = tuple(_numbered(m, shown[m.move.id]) for m in kept)
    findings = tuple(
        _without(finding, shown)
        for finding in audit.findings
        if _may_see(finding.visible_to, viewer)
    )
    suspicions = tuple(
        replace(one, finding=_without(one.finding, shown))
        for one in audit.suspicions
        if _may_see(one.finding.visible_to, viewer)
    )
    units = {u for m in moves for u in m.move.units} | {u for f in findings for u in f.units}
    names = {unit: name for unit, name in audit.names.items() if unit in units}
    return replace(audit, moves=moves, findings=findings, names=names, suspicions=suspicions)


def _viewer(
    game: Game, units: Iterable[str], so_far: tuple[str, ...] | None
) -> tuple[str, ...] | None:
    """The sides that may see all ``units`` and are in ``so_far`` (None: everyone); None if everyone may."""
    seen = so_far
    for name in units:
        unit = game.units.get(name)
        if unit is not None and unit.seen_by is not None:
            seen = unit.seen_by if seen is None else tuple(s for s in seen if s in unit.seen_by)
    return seen


def _may_see(visible_to: tuple[str, ...] | None, viewer: str | None) -> bool:
    return visible_to is None or (viewer is not None and viewer in visible_to)


def _numbered(judged: JudgedMove, number: int) -> JudgedMove:
    if judged.move.id == number:
        return judged
    return replace(judged, move=replace(judged.move, id=number))


def _without(finding: Finding, shown: Mapping[int, int]) -> Finding:
    """``finding`` without references to moves left out, and with the new numbers of the others. ``shown``:
    new number by old number."""
    moves = tuple(shown[number] for number in finding.moves if number in shown)
    follows = None if finding.follows_from is None else shown.get(finding.follows_from)
    if moves == finding.moves and follows == finding.follows_from:
        return finding
    return replace(finding, moves=moves, follows_from=follows)
