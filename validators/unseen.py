"""Fog of war for accusations: nobody is told one that depends on units that he may not see."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from ..model.finding import Audit, Finding, JudgedMove
from ..model.game import Game, StepRef
from .either_way import Focus
from .fog import may_see
from .slips import slips_of, with_slips
from .timeline import Timeline

_Accused = Finding | JudgedMove

Audited = Callable[[Game, Focus], Audit]
"""Returns the audit of a game in which only moves within the focus are judged."""


def accused_by_what_is_seen(game: Game, found: Audit, audited: Audited) -> Audit:
    """``found``, the audit of ``game``, with every accusation visible only to sides for which it is the same
    without the units that they may not see."""
    hidden = {name: unit for name, unit in game.units.items() if unit.seen_by is not None}
    steps = frozenset(step for one in _accusations(found) for step in _steps(one))
    if not hidden or not steps:
        return found
    timeline = Timeline(with_slips(game, slips_of(game), {}))
    spells = {timeline.spell(step) for step in steps}

    def near(step: StepRef) -> bool:
        return timeline.spell(step) in spells

    said: dict[frozenset[str], frozenset[object]] = {
        frozenset(): frozenset(map(_said, _accusations(found)))
    }
    seen: dict[str | None, frozenset[object]] = {}
    for viewer in (None, *game.sides):
        units = frozenset(n for n, unit in hidden.items() if not may_see(unit.seen_by, viewer))
        if units not in said:
            other = audited(_without(game, units), near)
            said[units] = frozenset(map(_said, _accusations(other)))
        seen[viewer] = said[units]

    def viewers(one: _Accused) -> tuple[str, ...] | None:
        if one.verdict != "illegal" or all(_said(one) in told for told in seen.values()):
            return one.visible_to
        return tuple(
            side
            for side, told in seen.items()
            if side is not None and _said(one) in told and may_see(one.visible_to, side)
        )

    return replace(
        found,
        moves=tuple(replace(one, visible_to=viewers(one)) for one in found.moves),
        findings=tuple(replace(one, visible_to=viewers(one)) for one in found.findings),
    )


def _without(game: Game, units: frozenset[str]) -> Game:
    """``game`` without ``units`` and all that is told of them."""
    return replace(
        game,
        units={name: unit for name, unit in game.units.items() if name not in units},
        opening={name: place for name, place in game.opening.items() if name not in units},
        events=tuple(e for e in game.events if getattr(e, "unit", None) not in units),
        conditions=tuple(c for c in game.conditions if c.unit not in units),
    )


def _accusations(found: Audit) -> Iterator[_Accused]:
    yield from (one for one in found.findings if one.verdict == "illegal")
    yield from (one for one in found.moves if one.verdict == "illegal")


def _steps(one: _Accused) -> tuple[StepRef, ...]:
    return one.steps if isinstance(one, Finding) else one.move.steps


def _said(one: _Accused) -> tuple[object, ...]:
    if isinstance(one, Finding):
        return one.code, one.units, one.steps, one.explanation
    return one.move.units, one.move.steps, one.path
