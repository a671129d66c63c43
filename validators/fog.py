"""Fog of war: a move or finding that depends on a hidden piece is shown only to viewers who may see that
piece."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from ..model.fact import MissingFact
from ..model.finding import Audit, Finding, JudgedMove
from ..model.game import Game
from .verdicts import counted_with

DIRECTOR = "*"
"""The viewer who may see everything. No side has this name."""


class HiddenNames:
    """The names and ids of the units of a game that not everyone may see.

    Whatever names such a unit, in its text or in what it asks, rests on that unit. A name that a unit which
    everyone may see has as well tells of nobody.
    """

    def __init__(self, game: Game) -> None:
        hidden = {name: unit for name, unit in game.units.items() if unit.seen_by is not None}
        told = {unit.name for name, unit in game.units.items() if name not in hidden}
        self._ids = tuple(hidden)
        self._names: dict[str, list[str]] = {}
        for name, unit in hidden.items():
            if unit.name not in told and unit.name.strip():
                self._names.setdefault(unit.name, []).append(name)

    def in_move(self, judged: JudgedMove) -> JudgedMove:
        """``judged``, resting on the units that it names."""
        charges = judged.bill.charges if judged.bill is not None else ()
        found = self._in((judged.remark, *(c.reason for c in charges)), judged.unknowns)
        return replace(judged, rests_on=(*judged.rests_on, *found)) if found else judged

    def in_finding(self, finding: Finding) -> Finding:
        """``finding``, resting on the units that it names."""
        found = self._in((finding.explanation, finding.remedy), finding.unknowns)
        return replace(finding, rests_on=(*finding.rests_on, *found)) if found else finding

    def _in(self, texts: Iterable[str], asked: Iterable[MissingFact]) -> tuple[str, ...]:
        if not self._ids:
            return ()
        words = "\n".join((*texts, *(one.question for one in asked)))
        keys = "\n".join(text for one in asked for text in (one.key, one.stanza))
        found = dict.fromkeys(unit for unit in self._ids if _occurs(unit, keys))
        found.update(dict.fromkeys(self._named_in(words)))
        return tuple(found)

    def _named_in(self, words: str) -> Iterator[str]:
        for name, units in self._names.items():
            if _occurs(name, words):
                yield from units


def _occurs(name: str, text: str) -> bool:
    """Whether ``name`` occurs in ``text``, as a word or words of its own."""
    return name in text and re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text) is not None


def hidden_units(game: Game, units: Iterable[str]) -> tuple[str, ...]:
    """Those of ``units`` that not everyone may see."""
    return tuple(u for u in units if u in game.units and game.units[u].seen_by is not None)


def resting_on_hidden(
    found: Iterable[Finding], without: Iterable[Finding], hidden: Iterable[str]
) -> Iterator[Finding]:
    """``found``; what is found also ``without`` the units ``hidden`` is told as it is without them, and
    everything else rests on them."""
    known = {_said(one): one for one in without}
    more = tuple(hidden)
    for one in found:
        yield known.get(_said(one)) or replace(one, rests_on=(*one.rests_on, *more))


def _said(one: Finding) -> tuple[object, ...]:
    return one.code, one.units, one.steps, one.verdict, one.unknowns


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
    kept = [m for m in audit.moves if may_see(m.visible_to, viewer)]
    shown = {m.move.id: number for number, m in enumerate(kept, 1)}
    moves = tuple(_numbered(m, shown) for m in kept)
    findings = tuple(
        _without(finding, shown)
        for finding in audit.findings
        if may_see(finding.visible_to, viewer)
    )
    suspicions = tuple(
        replace(one, finding=_without(one.finding, shown))
        for one in audit.suspicions
        if may_see(one.finding.visible_to, viewer)
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


def may_see(visible_to: tuple[str, ...] | None, viewer: str | None) -> bool:
    """Whether ``viewer`` (None: every player) is one of ``visible_to`` (None: everyone)."""
    return visible_to is None or (viewer is not None and viewer in visible_to)


def _numbered(judged: JudgedMove, shown: Mapping[int, int]) -> JudgedMove:
    """``judged`` with the new number of its move, and of those its remark names. ``shown``: new number by old
    number."""
    number = shown[judged.move.id]
    before = tuple(shown[n] for n in judged.before if n in shown)
    if judged.move.id == number and judged.before == before:
        return judged
    remark = judged.remark
    if judged.before:
        remark = remark.replace(counted_with(judged.before), counted_with(before))
    return replace(judged, move=replace(judged.move, id=number), remark=remark, before=before)


def _without(finding: Finding, shown: Mapping[int, int]) -> Finding:
    """``finding`` without references to moves left out, and with the new numbers of the others. ``shown``:
    new number by old number."""
    moves = tuple(shown[number] for number in finding.moves if number in shown)
    follows = None if finding.follows_from is None else shown.get(finding.follows_from)
    if moves == finding.moves and follows == finding.follows_from:
        return finding
    return replace(finding, moves=moves, follows_from=follows)
