"""Suspicions: the accusations that there would be if the cells and phases not yet confirmed were as
suggested."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from itertools import pairwise

from ..model.board import edge
from ..model.fact import MissingFact
from ..model.finding import ACCUSING, Audit, Finding, JudgedMove, Suspicion
from ..model.game import Game, PhaseStart, StepRef
from ..model.provenance import LAYERS, Key, Layer
from ..model.vouching import Suggestion, cell_of

REACHES = (0, 2)
"""In hexes: how far from a path the cells for a suspicion are looked for. Tried in this order."""
_WORD = re.compile(r"[^\s,;:?!()]+")


def suspicions(
    game: Game,
    found: Audit,
    judge: Callable[[Game], Audit],
    judge_few: Callable[[Game], Audit] | None = None,
) -> tuple[Suspicion, ...]:
    """The accusations that the audit ``judge`` makes of ``game`` as suggested, except those in ``found``.
    ``judge_few``: the same audit of a game of which few suggestions are taken as known; None: ``judge``.

    Each comes with the suggestions it depends on: those that its path and the open questions name. If these
    alone do not lead to the accusation, the ones in the hexes around as well; if those do not either, all
    suggestions. The suggested phases of its steps are always included.
    """
    assumed = judge(game.as_suggested())
    known = {_sign(finding) for finding in found.findings if finding.kind in ACCUSING}
    unknown = [f for f in assumed.findings if f.kind in ACCUSING and _sign(f) not in known]
    looks = {_sign(f): u.look for f in found.findings for u in f.unknowns if u.look}
    seen = [f for f in unknown if _sign(f) in looks]
    unseen = tuple(Suspicion(_renumbered(f, found, assumed), (), looks[_sign(f)]) for f in seen)
    accused = {(f.units, f.steps) for f in found.findings if f.verdict == "illegal"}
    new = [f for f in unknown if _sign(f) not in looks and (f.units, f.steps) not in accused]
    if not new:
        return unseen
    cells: dict[object, tuple[Suggestion, ...]] = {}
    for around in REACHES:
        near = {
            _sign(finding): _near(game, finding, found, assumed, around)
            for finding in new
            if _sign(finding) not in cells
        }
        named = {cell for some in near.values() for cell in some}
        told = replace(game, suggestions=tuple(one for one in game.suggestions if one in named))
        few = judge_few or judge
        enough = {_sign(f) for f in few(told.as_suggested()).findings} if near else set()
        cells |= {sign: some for sign, some in near.items() if sign in enough}
    return (
        *unseen,
        *(
            Suspicion(
                _renumbered(finding, found, assumed),
                cells.get(_sign(finding), (*game.suggestions, *_phases(game, finding.steps))),
            )
            for finding in new
        ),
    )


def with_hints(found: Audit, suggestions: Iterable[Suggestion]) -> Audit:
    """``found``, with the suggested answer added to each question about a cell of the board. The keys of the
    questions (see :func:`.concepts.missing_facts.of_board`) do not change."""
    told: dict[tuple[str, Layer], Suggestion] = {}
    for one in sorted(suggestions, key=lambda s: bool(s.key.name)):
        told.setdefault((one.key.cell, one.key.layer), one)

    return found.asking(lambda unknown: _hinted(unknown, told))


def _hinted(unknown: MissingFact, told: Mapping[tuple[str, Layer], Suggestion]) -> MissingFact:
    place, _, word = unknown.key.rpartition(" ")
    kind, _, cell = place.partition(" ")
    layer = next((known for known in LAYERS if known == word), None)
    if kind == "hexside":
        cell = "/".join(sorted(cell.split("/")))
        layer = "hexsides" if layer == "features" else layer
    one = told.get((cell, layer)) if layer is not None and kind in ("hex", "hexside") else None
    if one is None:
        return unknown
    value = one.key.name or one.value
    hint = f"({one.status}: {value}; nobody has looked at it)"
    return replace(unknown, question=f"{unknown.question} {hint}")


def _sign(finding: Finding) -> tuple[object, ...]:
    """A key by which the same finding is recognized in two audits. It does not contain the numbers of
    moves."""
    return finding.code, finding.units, finding.steps, finding.hexes


def _near(
    game: Game, finding: Finding, found: Audit, assumed: Audit, around: int
) -> tuple[Suggestion, ...]:
    """The suggestions for cells on the paths of a finding's moves, in either audit, and for cells that the
    open questions of these moves name. ``around``: also for cells within so many hexes of these."""
    moves = [m for m in assumed.moves if m.move.id in finding.moves]
    before = [m for m in found.moves if any(_same(m, other) for other in moves)]
    words: set[str] = {*finding.hexes}
    sides: set[str] = set()
    for judged in (*moves, *before):
        path = (*judged.path, *(p.hex for p in judged.move.waypoints if p.hex is not None))
        words.update(path)
        sides.update(cell_of(edge(a, b)) for a, b in pairwise(judged.path))
        for unknown in judged.unknowns:
            words.update(_WORD.findall(unknown.key))
    board = game.board
    hexes = {word for word in words if word in board.hexes}
    for _ in range(around):
        hexes |= {near for name in hexes for near in board.neighbours(name)}
    if around:
        sides |= {cell_of(edge(a, b)) for a in hexes for b in board.neighbours(a)}
        words |= hexes
    near = (one for one in game.suggestions if one.key.cell in words or one.key.cell in sides)
    return (*near, *_phases(game, finding.steps))


def _phases(game: Game, steps: Iterable[StepRef]) -> tuple[Suggestion, ...]:
    """The suggested phases that contain any of ``steps``."""
    starts = [event for event in game.events if isinstance(event, PhaseStart)]
    found: dict[Suggestion, None] = {}
    for step in steps:
        begun = [start for start in starts if start.at <= step]
        if begun and begun[-1].suggested:
            last = begun[-1]
            told = (last.turn, last.phase, last.active)
            value = "/".join("-" if one is None else one for one in told)
            found[Suggestion(Key(f"{last.at}-", "phase"), value, "suggested")] = None
    return tuple(found)


def _same(one: JudgedMove, other: JudgedMove) -> bool:
    """Whether two judged moves from two audits are the same move."""
    a, b = one.move, other.move
    return (a.units, a.steps, a.origin, a.target) == (b.units, b.steps, b.origin, b.target)


def _renumbered(finding: Finding, found: Audit, assumed: Audit) -> Finding:
    """``finding`` from the audit ``assumed``, with the numbers that its moves have in the audit ``found``."""
    moves = [m for m in assumed.moves if m.move.id in finding.moves]
    numbers = (m.move.id for m in found.moves if any(_same(m, other) for other in moves))
    return replace(finding, moves=tuple(numbers), follows_from=None)
