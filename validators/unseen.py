"""Fog of war: the game as one viewer knows it, and the one bit of the truth that his audit uses.

His game is audited by itself. For each accusation one bit of the truth is added: whether the audit of the
truth accuses the same drag (of a stack: the same hex) at the same step under the same clause. If not, the
move is left open, as a hidden unit may make it legal.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace

from ..model.finding import Audit, Finding, JudgedMove
from ..model.game import Game
from ..model.viewer import Viewer
from .readings import timeline_as_told
from .rereading import Focus, Subjects, accused, drags, steps_of

LEFT_OPEN = "cannot be decided by what may be shown here"

Audited = Callable[[Focus | None], Audit]
"""Returns the audit of the truth. Only moves within the focus are judged; None: all moves."""


def seen_game(game: Game, viewer: Viewer) -> Game:
    """``game`` without the units that ``viewer`` may not see and all facts about them; the same object if he
    may see all."""
    hidden = {name for name, unit in game.units.items() if not viewer.may_see(unit.seen_by)}
    if not hidden:
        return game
    return replace(
        game,
        units={name: unit for name, unit in game.units.items() if name not in hidden},
        opening={name: place for name, place in game.opening.items() if name not in hidden},
        events=tuple(e for e in game.events if getattr(e, "unit", None) not in hidden),
        conditions=tuple(c for c in game.conditions if c.unit not in hidden),
        gaps=tuple(gap for gap in game.gaps if gap.unit not in hidden),
    )


def held_by_truth(seen: Game, found: Audit, audited: Audited) -> Audit:
    """``found``, the audit of the game ``seen`` by a viewer, with every accusation left open that the audit
    of the truth (``audited``) does not make."""
    about = [one for one in accused(found) if steps_of(one)]
    if found.suspicions:
        return _held(found, audited(None))
    if not about:
        return found
    return _held(found, audited(Subjects(timeline_as_told(seen)).phases_of(about)))


def accusing_nobody(found: Audit) -> Audit:
    """``found``, the audit of a game without its hidden parts, with every accusation left open."""
    return _held(found, replace(found, moves=(), findings=(), suspicions=()))


def _held(found: Audit, truth: Audit) -> Audit:
    """``found`` with every accusation left open that ``truth`` does not make."""
    true = [one for one in truth.findings if one.verdict == "illegal"]
    moved = {drag for one in truth.moves if one.verdict == "illegal" for drag in drags(one)}
    held: set[int] = set()
    lost: set[int] = set()
    kept: list[Finding] = []
    for one in found.findings:
        if one.verdict != "illegal":
            kept.append(one)
        elif _is_among(one, true):
            held.update(one.moves)
            kept.append(one)
        else:
            lost.update(one.moves)
            kept.append(_opened(one))

    def judged(one: JudgedMove) -> JudgedMove:
        told = one.move.id in held or one.move.id not in lost
        if one.verdict != "illegal" or (told and drags(one) & moved):
            return one
        return replace(one, verdict="unverifiable", bill=None, path=(), remark=LEFT_OPEN)

    perhaps = [*true, *(one.finding for one in truth.suspicions)]
    return replace(
        found,
        moves=tuple(map(judged, found.moves)),
        findings=tuple(kept),
        suspicions=tuple(one for one in found.suspicions if _is_among(one.finding, perhaps)),
    )


def _is_among(one: Finding, true: Iterable[Finding]) -> bool:
    """Whether the findings ``true`` make the same accusation against each unit of a drag."""
    alike = [
        other
        for other in true
        if other.clause == one.clause and not set(other.steps).isdisjoint(one.steps)
    ]
    if one.kind == "overstack":
        return any(not set(other.hexes).isdisjoint(one.hexes) for other in alike)
    accused_too = {unit for other in alike for unit in other.units}
    return bool(alike) and accused_too.issuperset(one.units)


def _opened(one: Finding) -> Finding:
    """An accusation left open, reduced to who, where and when."""
    said = f"whether this breaks {one.clause} {LEFT_OPEN}"
    return replace(
        one,
        kind="unverifiable",
        verdict="unverifiable",
        explanation=said,
        bill=None,
        unknowns=(),
        remedy="",
    )
