"""Choose the suspects: the facts of the pack that best explain the accusations.

A fact *clears* an accusation if the accusation disappears from the audit once the fact is not known. A
*drag* is one unit displaced in one step of a log; drags are counted by step, so a stack that is dragged
together counts once.

1. :func:`.dear_numbers` finds the numbers of the charts for which a cheaper value clears drags.
2. :func:`_of_drags`, :func:`_of_phases`, :func:`_borders` and :func:`.forms` list the facts to try. If a
   number explains more drags than any place can, no place is tried (:func:`_settled`).
3. :func:`_tried` audits the whole game once for each of them.
4. :func:`_cover` picks facts greedily by :func:`_weight`, until no fact clears a remaining drag.
5. :func:`_with_numbers` adds the numbers.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from math import log

from ...model.board import edge
from ...model.finding import Audit, Move
from ...model.game import Game, StepRef
from ...model.provenance import Key
from ...model.suspect import PackFact, Suspect
from ...model.vouching import cell_of
from ..judgement_cache import JudgementCache, near_cells
from ..rereading import Drag
from ..ruleset import Ruleset
from .accused import Accusation, accusations, cleared, legal_drags, suspect
from .candidates import Candidates, borders, facts_in
from .dear_numbers import dear_numbers
from .facts import forms
from .trying import Memory, Progress, Trial, clears

MOST_SEARCHED = 6
"""How many accused drags, spread over the game, are judged again with single facts not known."""
MOST_TRIED = 8
"""The most facts of the board, the charts and the units that are tried in an audit of the whole game."""
MOST_BORDERS = 4
"""The most phase borders, and the most undeclared movement forms, that are tried in the same way."""
MISTAKES = 1 / 30
"""The share of illegal drags, players' mistakes, among those that rest on a right fact."""
MOST_ALIKE = 2
"""The most facts that are listed with one that explains nearly the same drags."""
LEAST_DRAGS, LEAST_PHASES = 3, 2
"""How many drags in how many phases make a number suspect if the only evidence is a cheaper value."""
MOST_NAMED = 10
"""The most suspects that are returned."""
LARGEST = 25_000
"""The most hexes of a board on which suspects are searched for: each trial builds a board of its own."""
OF_PLAY = ("phase", "form")
"""Kinds of facts that a trial replaces by another value. If they were made unknown, every accusation would be
cleared. Such a fact clears a drag only if the drag is legal with the new value."""


@dataclass(frozen=True, slots=True)
class Suspected:
    """The suspects in a pack. ``facts``: facts that accusations rest on, in the order in which they were
    picked, at most :data:`MOST_NAMED`. ``numbers``: every number of the charts for which a cheaper value
    allows accused moves (:mod:`.dear_numbers`); those with enough evidence are also in ``facts``."""

    facts: tuple[Suspect, ...] = ()
    numbers: tuple[Suspect, ...] = ()


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
) -> Suspected:
    """The facts that accusations of ``found`` rest on; none if there is no accusation or the board has more
    than :data:`LARGEST` hexes.

    ``found``: the audit of ``game``, as it is shown. ``kept``: the remembered judgements of that audit.
    ``retired``: facts of the board that a person has checked; they are never suspected. ``progress``: called
    with (done, total), for single drags and then again from 1 for whole audits; None: not called.
    ``memory``: from an earlier call with the same ``game``, ``ruleset`` and ``kept`` for another viewer;
    results are added to it. ``is_part``: see :func:`.audit_known`.
    """
    accused = accusations(found, kept)
    if not accused or len(game.board.hexes) > LARGEST:
        return Suspected()
    memory = Memory() if memory is None else memory
    trial = Trial(game, ruleset, kept, Candidates(game, retired), memory, is_part)
    numbers = dear_numbers(trial, accused, progress)
    facts = dict.fromkeys(
        (
            *_of_drags(trial, accused, numbers, progress),
            *_of_phases(trial, accused),
            *_borders(game, found, accused),
            *forms(game, accused)[:MOST_BORDERS],
        )
    )
    legal = legal_drags(found)
    tried = []
    for number, fact in enumerate(facts, 1):
        one = _tried(trial, fact, accused, legal)
        tried += [one] if one is not None else []
        if progress is not None:
            progress(number, len(facts))
    chosen = [suspect(one.fact, one.clears, legal=len(one.legal)) for one in _cover(tried)]
    return Suspected(tuple(_with_numbers(chosen, [*numbers]))[:MOST_NAMED], tuple(numbers))


def _with_numbers(found: Sequence[Suspect], numbers: Sequence[Suspect]) -> list[Suspect]:
    """The suspects ``found``, those that are numbers with their cheaper values, and other ``numbers`` with
    enough evidence. Such a number comes first if it clears more drags than each of ``found``, and before
    facts of play if it clears as many."""
    at = {one.fact: one.at for one in numbers}
    strong = [one for one in numbers if _is_strong(one)]
    known = [replace(one, at=at.get(one.fact, ())) for one in found]
    most = max((one.drags for one in known if not one.at), default=0)
    best = max((one.drags for one in strong), default=0)

    def place(one: Suspect) -> int:
        if one.fact.kind in OF_PLAY:
            return 2 if best >= one.drags else 1
        return 0 if one.at and best >= one.drags > most else 1

    told = {one.fact for one in found}
    return sorted((*known, *(one for one in strong if one.fact not in told)), key=place)


def _tried(
    trial: Trial, fact: PackFact, accused: Sequence[Accusation], legal: set[Drag]
) -> _Tried | None:
    """Try ``fact`` in an audit of the whole game.

    None if the ruleset cannot come into force without the fact, if a fact of play (:data:`OF_PLAY`) causes a
    new accusation, if nothing is cleared, or if the legal drags outweigh the cleared ones.
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
        gone = tuple(one for one in gone if not then.isdisjoint(one.drags))
    lost = frozenset() if fact.kind in OF_PLAY else frozenset(step for _, step in legal - then)
    tried = _Tried(fact, gone, lost, sum(_crosses(one, fact) for one in gone))
    return tried if _weight(tried, _steps_of(tried)) > 0 else None


def _crosses(one: Accusation, fact: PackFact) -> bool:
    """Whether the path of the accused move enters the hex of ``fact`` or crosses its hexside."""
    path = one.moves[-1].path if one.moves else ()
    if fact.kind == "hex":
        return fact.cell in path[1:]
    return any(cell_of(edge(a, b)) == fact.cell for a, b in pairwise(path))


def _of_drags(
    trial: Trial,
    accused: Sequence[Accusation],
    numbers: Mapping[Suspect, frozenset[StepRef]],
    progress: Progress | None,
) -> list[PackFact]:
    """Facts that clear single moves, at most :data:`MOST_TRIED`: first numbers that settle a drag
    (:func:`_settled`), then those that clear most of a sample of drags (:data:`MOST_SEARCHED`), with the
    kinds alternating (:func:`_of_every_kind`)."""
    drags: dict[StepRef, Drag] = {}
    for one in accused:
        if not one.is_of_phase and one.moves and one.finding.units:
            drags.setdefault(one.step, (one.finding.units[0], one.moves[-1].move.steps[-1]))
    every = -(-len(drags) // MOST_SEARCHED) or 1
    sample = [*drags.items()][::every]
    settled = _settled(trial, accused, numbers, dict(sample)) if numbers else {}
    quick = clears(trial, dict(sample).values(), progress, settled) if drags else {}
    telling = sorted(quick, key=lambda f: (-len(_steps(quick[f])), _plainness(f), str(f)))
    every_kind = dict.fromkeys((*settled.values(), *_of_every_kind(telling)))
    return list(every_kind)[:MOST_TRIED]


def _settled(
    trial: Trial,
    accused: Sequence[Accusation],
    numbers: Mapping[Suspect, frozenset[StepRef]],
    drags: Mapping[StepRef, Drag],
) -> dict[Drag, PackFact]:
    """Drag of ``drags`` → the number with enough evidence (:func:`_is_strong`) that explains it, and explains
    more drags than there are of the same counter or near it. No cell of the board and no fact of the counter
    can explain as many."""
    reached: dict[StepRef, set[str]] = defaultdict(set)
    units: dict[StepRef, set[str]] = defaultdict(set)
    by_move: dict[Move, set[str]] = defaultdict(set)
    for known in trial.kept.all:
        by_move[known.move] |= known.hexes
    for one in accused:
        units[one.step].update(one.finding.names)
        for judged in one.moves:
            reached[one.step] |= by_move[judged.move]
    board, found = trial.game.board, dict[Drag, PackFact]()
    for step, drag in drags.items():
        near = near_cells(board, near_cells(board, reached[step]))
        rivals = sum(
            not near.isdisjoint(reached[other]) or not units[step].isdisjoint(units[other])
            for other in units
        )
        for number, explained in numbers.items():
            if _is_strong(number) and step in explained and number.drags > rivals:
                found.setdefault(drag, number.fact)
    return found


def _is_strong(number: Suspect) -> bool:
    """Whether enough drags in enough phases need a cheaper value of a number."""
    return number.drags >= LEAST_DRAGS and len(number.phases) >= LEAST_PHASES


def _of_phases(trial: Trial, accused: Iterable[Accusation]) -> list[PackFact]:
    """Facts of the pack about counters that checks of whole phases accuse, and about stacking, at most
    :data:`MOST_BORDERS`."""
    found = [one.finding for one in accused if one.is_of_phase]
    units = Counter(unit for finding in found for unit in finding.units)
    groups = [*trial.candidates.of_units(unit for unit, _ in units.most_common())]
    if any(finding.kind == "overstack" for finding in found):
        groups.append(trial.candidates.of_stacks())
    facts = dict.fromkeys(fact for group in groups for fact in facts_in(group))
    return list(_of_every_kind(facts))[:MOST_BORDERS]


def _of_every_kind(facts: Iterable[PackFact]) -> Iterator[PackFact]:
    """Interleave the kinds of facts: two facts of the board to one fact of each other kind.

    Hexes, hexsides and lines count as one kind. Within a kind the order does not change.
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
    """Borders between phases that may be at another step (:func:`.candidates.borders`)."""
    moving = {step for _, step in legal_drags(found)}
    every = borders(game, (one.step for one in accused), moving.__contains__)
    return list(dict.fromkeys(every))[:MOST_BORDERS]


def _cover(tried: list[_Tried]) -> Iterator[_Tried]:
    """Pick facts greedily: each time the fact of the greatest weight against the remaining drags.

    It is followed by up to :data:`MOST_ALIKE` facts that clear at least the same of these drags and have more
    than half its weight: the audit can hardly distinguish them. Only one fact of each cell is picked, because
    a look at the cell shows the others.
    """
    left = {one.step for entry in tried for one in entry.clears}
    waiting = sorted(tried, key=_order)
    while waiting and left:
        best = max(waiting, key=lambda entry: _weight(entry, left))
        gone = _steps_of(best) & left
        if not gone or _weight(best, left) <= 0:
            return
        same = [one for one in waiting if gone <= _steps_of(one)]
        near = [one for one in same if _weight(one, left) * 2 > _weight(best, left)]
        cells = {best.fact.cell: best}
        for one in near:
            cells.setdefault(one.fact.cell, one)
        yield from list(cells.values())[: MOST_ALIKE + 1]
        waiting = [one for one in waiting if one not in same and one.fact.cell not in cells]
        left -= gone


def _steps_of(entry: _Tried) -> set[StepRef]:
    return {one.step for one in entry.clears}


_PLAINNESS = ("hexside", "line", "hex", "chart", "unit", "phase", "form")


def _order(entry: _Tried) -> tuple[int, int, tuple[int, int]]:
    """Sort key of facts that clear the same drags: fewer legal drags, more crossed paths, likelier typos."""
    return len(entry.legal), -entry.crossed, _plainness(entry.fact)


def _plainness(fact: PackFact) -> tuple[int, int]:
    """Sort key: likelier typing errors first.

    Things that the pack says are there, and gaps in roads, come before other things that may be there; then
    the order of :data:`_PLAINNESS`.
    """
    return int(fact.is_rest and not fact.instead), _PLAINNESS.index(fact.kind)


def _weight(entry: _Tried, left: set[StepRef]) -> float:
    """Weight of the evidence against a fact: the log of the likelihood ratio of a wrong fact to players'
    mistakes, given the steps of ``left`` that it clears and the legal drags that rest on it. It only ranks
    facts."""
    wrong, legal = len(_steps_of(entry) & left), len(entry.legal)
    share = wrong / (wrong + legal) if wrong else 0.0
    if share <= MISTAKES:
        return 0.0
    held = legal * log((1 - share) / (1 - MISTAKES)) if legal else 0.0
    return wrong * log(share / MISTAKES) + held
