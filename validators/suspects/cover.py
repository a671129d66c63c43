"""Which facts a pack is suspected of: those that clear most, chosen one after the other."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Container, Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise

from ...model.board import edge
from ...model.finding import Audit
from ...model.game import Game, StepRef
from ...model.provenance import Key
from ...model.suspect import PackFact, Suspect
from ...model.vouching import cell_of
from ..remembered import Remembered
from ..ruleset import Ruleset
from .accused import Accusation, Drag, accusations, cleared, legal_drags
from .candidates import NO, Candidates, borders
from .trying import Progress, Shown, Trial, class_of, clears

FEWEST = 2
"""A fact that clears fewer drags is not named: any accusation would name one."""
MOST_JUDGED, JUDGED_PER_MOVE = 400, 5
"""So many times a drag is judged again by itself, and so many more for each move of the game."""
MOST_TRIED = 16
"""So many facts of the board, the charts and the units are tried in an audit of the whole game,"""
MOST_BORDERS = 8
"""and so many borders of phases and forms each."""
OUTWEIGH = 15
"""So many legal drags that rest on a fact speak as much for it as one that it clears speaks against it: of
the drags that read a wrong fact about one in five comes out illegal by it, and players err in about one
drag of thirty."""
MOST_NAMED = 10
LARGEST = 25_000
"""Hexes of a board beyond which nothing is suspected: each trial takes a board of its own."""
OF_PLAY = ("phase", "form")
"""What is tried as another, as all would be cleared if it were not known: it clears what is legal then."""


@dataclass(frozen=True, slots=True)
class _Tried:
    """A fact, what it clears, and the legal drags that would not be so for certain. ``crossed``: on how
    many of the paths it lies."""

    fact: PackFact
    clears: tuple[Accusation, ...]
    legal: frozenset[StepRef]
    crossed: int = 0


def suspects(
    game: Game,
    ruleset: Ruleset,
    found: Audit,
    kept: Remembered,
    *,
    shown: Shown,
    retired: Container[Key] = frozenset(),
    progress: Progress | None = None,
) -> tuple[Suspect, ...]:
    """The facts that accusations of ``found`` rest on, the most telling first.

    ``found``: the audit of ``game`` as its reader may know it (``shown`` makes it so of any audit); ``kept``
    has judged it. ``retired``: facts of the board that somebody has looked at.
    """
    accused = accusations(found)
    few = len({one.step for one in accused}) < FEWEST
    if few or len(game.board.hexes) > LARGEST:
        return ()
    trial = Trial(game, ruleset, kept, shown, Candidates(game, retired))
    facts = [
        *_of_drags(trial, found, accused, progress),
        *_borders(game, found, accused),
        *_forms(game, accused),
    ]
    legal = legal_drags(found)
    tried = []
    for number, fact in enumerate(facts, 1):
        one = _tried(trial, fact, accused, legal)
        tried += [one] if one is not None else []
        if progress is not None:
            progress(number, len(facts))
    return tuple(_suspect(one) for one in _cover(tried))[:MOST_NAMED]


def _tried(
    trial: Trial, fact: PackFact, accused: Iterable[Accusation], legal: set[Drag]
) -> _Tried | None:
    other = trial.whole(fact)
    if other is None:
        return None
    gone = tuple(cleared(accused, other))
    then = legal_drags(other)
    if fact.kind in OF_PLAY:
        known = {sign for one in accused for sign in one.signs}
        if any(not known >= one.signs for one in accusations(other)):
            return None
        gone = tuple(one for one in gone if any(drag in then for _, drag in one.signs))
    steps = {one.step for one in gone}
    if len(steps) < FEWEST:
        return None
    lost = frozenset() if fact.kind in OF_PLAY else frozenset(step for _, step in legal - then)
    tried = _Tried(fact, gone, lost, sum(_crosses(one, fact) for one in gone))
    return tried if _weight(tried, steps) > 0 else None


def _crosses(one: Accusation, fact: PackFact) -> bool:
    """Whether a fact of the board lies on the path of a move that is held against somebody."""
    path = one.moves[-1].path if one.moves else ()
    if fact.kind == "hex":
        return fact.cell in path[1:]
    return any(cell_of(edge(a, b)) == fact.cell for a, b in pairwise(path))


def _of_drags(
    trial: Trial,
    found: Audit,
    accused: Iterable[Accusation],
    progress: Progress | None,
) -> list[PackFact]:
    """The facts of the board, the charts and the units that clear most drags, each judged by itself."""
    read: dict[Drag, set[str]] = defaultdict(set)
    for one in trial.kept.all:
        for unit in one.move.units:
            read[unit, one.move.steps[-1]] |= one.hexes
    touching: dict[PackFact, dict[Drag, None]] = defaultdict(dict)
    for accusation in accused:
        for judged in accusation.moves[-1:]:
            drag = (judged.move.units[0], judged.move.steps[-1])
            own = next((u for u in judged.move.units if u in accusation.finding.units), drag[0])
            drag = (own, drag[1])
            for fact in trial.candidates.of(judged, frozenset(read.get(drag, ()))):
                touching[fact][drag] = None
    wanted: dict[Drag, list[PackFact]] = defaultdict(list)
    judged_again, most = 0, MOST_JUDGED + JUDGED_PER_MOVE * len(found.moves)
    for fact in sorted(touching, key=lambda f: -len(_steps(touching[f]))):
        if len(_steps(touching[fact])) < FEWEST or judged_again > most:
            break
        for drag in touching[fact]:
            wanted[drag].append(fact)
            judged_again += 1
    quick = clears(trial, wanted, progress)
    telling = [fact for fact in quick if len(_steps(quick[fact])) >= FEWEST]
    telling.sort(key=lambda f: (-len(_steps(quick[f])), _plainness(f), str(f)))
    return list(_of_every_kind(telling))[:MOST_TRIED]


def _of_every_kind(facts: Iterable[PackFact]) -> Iterator[PackFact]:
    """The first fact of each kind first, then the second of each, and so on."""
    numbers: Counter[str] = Counter()
    ranked: list[tuple[int, int, PackFact]] = []
    for fact in facts:
        kind = "board" if fact.kind in ("hex", "hexside", "line") else fact.kind
        numbers[kind] += 2 if kind != "board" else 1
        ranked.append((numbers[kind], len(ranked), fact))
    return (fact for _, _, fact in sorted(ranked, key=lambda entry: entry[:2]))


def _steps(drags: Iterable[Drag]) -> set[StepRef]:
    return {step for _, step in drags}


def _borders(game: Game, found: Audit, accused: Iterable[Accusation]) -> list[PackFact]:
    moving = {step for _, step in legal_drags(found)}
    every = borders(game, (one.step for one in accused), moving.__contains__)
    return list(dict.fromkeys(every))[:MOST_BORDERS]


def _forms(game: Game, accused: Iterable[Accusation]) -> list[PackFact]:
    """Forms by which units would move up to twice as far, for those that overspent by more than half."""
    found: dict[PackFact, set[StepRef]] = defaultdict(set)
    for one in accused:
        bill = one.finding.bill
        allowance = None if bill is None else bill.allowance
        if bill is None or allowance is None or allowance.hi is None or not one.finding.units:
            continue
        if allowance.hi * Fraction(3, 2) < bill.total.lo <= allowance.hi * 2:
            phase, unit = one.finding.phase.phase or "", one.finding.units[0]
            found[PackFact("form", phase, instead=class_of(game, unit))].add(one.step)
    often = [fact for fact in found if len(found[fact]) >= FEWEST]
    return sorted(often, key=lambda f: -len(found[f]))[:MOST_BORDERS]


def _cover(tried: list[_Tried]) -> Iterator[_Tried]:
    """Greedy: the fact that clears most of what is left, the fewer legal drags resting on it the better, and
    behind it those that clear the same."""
    left = {one.step for entry in tried for one in entry.clears}
    waiting = sorted(tried, key=_order)
    while waiting:
        best = max(waiting, key=lambda entry: _weight(entry, left))
        gone = _steps_of(best) & left
        if len(gone) < FEWEST:
            return
        alike = [one for one in waiting if one is not best and gone <= _steps_of(one)]
        yield best
        yield from alike
        waiting = [one for one in waiting if one is not best and one not in alike]
        left -= gone


def _steps_of(entry: _Tried) -> set[StepRef]:
    return {one.step for one in entry.clears}


_PLAINNESS = ("hexside", "line", "hex", "chart", "unit", "phase", "form")


def _order(entry: _Tried) -> tuple[int, int, tuple[int, int]]:
    """Smaller for what comes first of those that clear the same."""
    return len(entry.legal), -entry.crossed, _plainness(entry.fact)


def _plainness(fact: PackFact) -> tuple[int, int]:
    """Smaller for what is likelier mistyped: something that is there, or a gap in a road, before something
    else that is missing."""
    return (0 if fact.value != NO or fact.instead else 1), _PLAINNESS.index(fact.kind)


def _weight(entry: _Tried, left: set[StepRef]) -> Fraction:
    """How much speaks against a fact: what it clears of the drags ``left``, less the legal ones."""
    return len(_steps_of(entry) & left) - Fraction(len(entry.legal), OUTWEIGH)


def _suspect(entry: _Tried) -> Suspect:
    findings = [one.finding for one in entry.clears]
    return Suspect(
        entry.fact,
        clears=len(findings),
        drags=len({one.step for one in entry.clears}),
        sides=tuple(sorted({f.side for f in findings if f.side})),
        players=tuple(sorted({f.player for f in findings if f.player})),
        phases=tuple(dict.fromkeys(str(f.phase) for f in findings)),
        legal=len(entry.legal),
    )
