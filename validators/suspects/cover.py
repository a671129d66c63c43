"""Choose the suspects: the facts of the pack that clear most accused drags.

A fact *clears* an accusation if the accusation disappears from the audit once the fact is not known. A
*drag* is one unit displaced in one step of a log; drags are counted by step, so a stack that is dragged
together counts once.

1. :func:`_of_drags`, :func:`_borders` and :func:`_forms` list the facts to try.
2. :func:`_tried` audits the whole game once for each of them.
3. :func:`_cover` picks facts greedily, until none clears at least :data:`FEWEST` of the drags left.
"""

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
from ..judgement_cache import JudgementCache
from ..ruleset import Ruleset
from .accused import Accusation, Drag, accusations, cleared, legal_drags
from .candidates import NO, Candidates, borders
from .trying import Memory, Progress, Trial, class_of, clears

FEWEST = 2
"""A fact that clears fewer drags than this is not reported: for any single accusation such a fact exists."""
MOST_JUDGED, JUDGED_PER_MOVE = 400, 5
"""Limit on single drags judged again: ``MOST_JUDGED`` plus ``JUDGED_PER_MOVE`` for each move of the game."""
MOST_TRIED = 16
"""At most so many facts of the board, the charts and the units are tried in an audit of the whole game."""
MOST_BORDERS = 8
"""At most so many phase borders, and at most so many undeclared movement forms, are tried in the same way."""
OUTWEIGH = 15
"""So many legal drags that rest on a fact outweigh one drag that it clears. Of the drags that read a wrong
fact about one in five is found illegal because of it, and players make a mistake in about one drag in
thirty."""
MOST_NAMED = 10
"""At most so many suspects are returned."""
LARGEST = 25_000
"""No suspects are looked for on a board with more hexes than this: each trial builds a board of its own."""
OF_PLAY = ("phase", "form")
"""Kinds of facts that are replaced by another value for the trial, not made unknown: if they were unknown,
every accusation would be cleared. Such a fact clears a drag only if the drag is legal with the new value."""


@dataclass(frozen=True, slots=True)
class _Tried:
    """A fact after its trial in an audit of the whole game.

    ``clears``: the accusations that disappear. ``legal``: the steps of drags that are legal in the audit and
    no longer legal in the trial; empty for the kinds in :data:`OF_PLAY`. ``crossed``: how many of the cleared
    moves have a path that enters the fact's hex or crosses its hexside.
    """

    fact: PackFact
    clears: tuple[Accusation, ...]
    legal: frozenset[StepRef]
    crossed: int = 0


def suspects(
    game: Game,
    ruleset: Ruleset,
    found: Audit,
    kept: JudgementCache,
    *,
    retired: Container[Key] = frozenset(),
    progress: Progress | None = None,
    memory: Memory | None = None,
    is_part: bool = False,
) -> tuple[Suspect, ...]:
    """The facts that accusations of ``found`` rest on, in the order in which they were picked.

    At most :data:`MOST_NAMED`; empty if fewer than :data:`FEWEST` drags are accused or the board has more
    than :data:`LARGEST` hexes.

    ``found``: the audit of ``game``, as it is shown. ``kept``: the remembered judgements of that audit.
    ``retired``: facts of the board that somebody has checked; they are never suspected. ``progress``: called
    with (done, total), first for single drags, then again from 1 for whole audits; None: not called.
    ``memory``: of an earlier call with the same ``game``, ``ruleset`` and ``kept`` for another reader; it is
    added to. ``is_part``: see
    :func:`.audit_known`.
    """
    accused = accusations(found)
    few = len({one.step for one in accused}) < FEWEST
    if few or len(game.board.hexes) > LARGEST:
        return ()
    memory = Memory() if memory is None else memory
    trial = Trial(game, ruleset, kept, Candidates(game, retired), memory, is_part)
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
    """Try ``fact`` in an audit of the whole game.

    None if the ruleset cannot be brought into force without the fact, if a fact of play (:data:`OF_PLAY`)
    causes an accusation that was not there, if fewer than :data:`FEWEST` drags are cleared, or if the legal
    drags outweigh them.
    """
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
    """Whether the path of the accused move enters the hex of ``fact`` or crosses its hexside."""
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
    """Facts of the board, the charts and the units to try, at most :data:`MOST_TRIED`.

    Each accused drag is judged again by itself, once for each fact that it may rest on. Facts that touch
    most drags are tried first, within the limit of :data:`MOST_JUDGED`. Those that clear at least
    :data:`FEWEST` drags in this way are returned, with the kinds alternating (:func:`_of_every_kind`).
    """
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
    """Reorder facts so that no kind is crowded out: two facts of the board to one fact of each other kind.

    Hexes, hexsides and lines count as one kind. Within a kind the order stays as it is.
    """
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
    """Borders between phases that may lie at another step (:func:`.candidates.borders`)."""
    moving = {step for _, step in legal_drags(found)}
    every = borders(game, (one.step for one in accused), moving.__contains__)
    return list(dict.fromkeys(every))[:MOST_BORDERS]


def _forms(game: Game, accused: Iterable[Accusation]) -> list[PackFact]:
    """Movement forms that the pack may have failed to declare, one for each phase and class of units.

    A form is proposed where at least :data:`FEWEST` drags in the phase cost more than 1.5 times the upper
    bound of the allowance, and at most twice that bound.
    """
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
    """Pick facts greedily: each time the one of the greatest weight against the drags that are left.

    Directly after it come the facts that clear at least the same of these drags: the audit cannot tell
    them apart. It ends when the best fact clears fewer than :data:`FEWEST` of the drags left.
    """
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
    """Sort key among facts that clear the same: fewer legal drags, more paths crossed, likelier mistyped."""
    return len(entry.legal), -entry.crossed, _plainness(entry.fact)


def _plainness(fact: PackFact) -> tuple[int, int]:
    """Sort key: likelier typing errors first.

    Something that the pack says is there, and a gap in a road, come before anything else that the pack says
    is not there; then the order of :data:`_PLAINNESS`.
    """
    return (0 if fact.value != NO or fact.instead else 1), _PLAINNESS.index(fact.kind)


def _weight(entry: _Tried, left: set[StepRef]) -> Fraction:
    """Weight of the evidence against a fact: how many of the steps ``left`` it clears, minus 1/OUTWEIGH for
    each legal drag that rests on it."""
    return len(_steps_of(entry) & left) - Fraction(len(entry.legal), OUTWEIGH)


def _suspect(entry: _Tried) -> Suspect:
    """The fact as it is reported, with counts over the findings that it clears."""
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
