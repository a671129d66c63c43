"""The numbers of the charts that make moves impossible, and cheaper values that do not.

A move that is illegal by the charts is judged again with one number cheaper and everything else unchanged.
This assumes nothing about how players move, and does not show which is wrong, the number or the move.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress

from ...model.game import StepRef
from ...model.suspect import PackFact, Suspect
from ..audit import audit_known
from ..rereading import Drag
from .accused import Accusation, suspect
from .facts import OtherGames, cheaper, is_allowance, with_values
from .trying import AccusedDrag, AllTried, DragTrials, Progress, Trial

MOST_TRIED = 16
"""How many accused drags, spread over the game, are tried with every number."""
FEW = 4
"""Up to this many numbers are tried one by one."""
ROUNDS = 3
"""The most rounds in which drags that no number explains yet are tried with every number."""

Found = Mapping[PackFact, Mapping[Drag, int]]
"""Number → drag that it makes impossible → index in :func:`cheaper` of the dearest value that does not."""


def dear_numbers(
    trial: Trial, accused: Sequence[Accusation], progress: Progress | None = None
) -> dict[Suspect, frozenset[StepRef]]:
    """The numbers of the charts, and the allowances of counters, that make moves of ``accused`` impossible,
    each with the steps of these moves.

    The number that explains most moves comes first. A number is left out if others explain all its moves and
    explain more in all, or as many at a value nearer to the typed one. A number that clears a move only
    together with another one is not found. ``progress``: see :data:`.Progress`.
    """
    by_drag: dict[Drag, Accusation] = {}
    for one in accused:
        if not one.is_of_phase and one.moves and one.finding.units:
            drag = (one.finding.units[0], one.moves[-1].move.steps[-1])
            by_drag.setdefault(drag, one)
    drags, found = list(by_drag), dict[PackFact, Mapping[Drag, int]]()
    left, made = drags, OtherGames(trial.ruleset, with_values)
    for _ in range(ROUNDS):
        every = -(-len(left) // MOST_TRIED)
        sample = left[::every] if left else []
        new = [
            fact
            for fact in _leading(_tried(trial, sample, None, made, progress))
            if fact not in found
        ]
        if not new:
            break
        found.update(_tried(trial, drags, new, made, progress))
        left = [drag for drag in left if not any(drag in moves for moves in found.values())]
    return {
        _dear(fact, found[fact], by_drag): frozenset(by_drag[drag].step for drag in found[fact])
        for fact in _leading(found)
    }


def _tried(
    trial: Trial,
    drags: Iterable[Drag],
    only: Sequence[PackFact] | None,
    made: OtherGames,
    progress: Progress | None,
) -> Found:
    trials = _NumberTrials(trial, drags, only, made, progress)
    with suppress(AllTried):
        audit_known(trial.game, trial.known_ground, judge=trials, is_part=trial.is_part)
    return trials.numbers


def _leading(found: Found) -> Iterator[PackFact]:
    """The numbers whose drags are not all explained by better ones, the best first."""

    def rank(fact: PackFact) -> tuple[int, int]:
        return -len(found[fact]), max(found[fact].values())

    def order(fact: PackFact) -> tuple[tuple[int, int], bool, str]:
        return rank(fact), is_allowance(fact), str(fact)

    explained: dict[tuple[int, int], set[Drag]] = defaultdict(set)
    for fact in sorted(found, key=order):
        better = set[Drag]().union(*(moves for key, moves in explained.items() if key < rank(fact)))
        if not found[fact].keys() <= better:
            explained[rank(fact)] |= found[fact].keys()
            yield fact


def _dear(fact: PackFact, moves: Mapping[Drag, int], by_drag: Mapping[Drag, Accusation]) -> Suspect:
    ladder, places = cheaper(fact), sorted(moves.values())
    at = {place: sum(one <= place for one in places) for place in places}
    return suspect(
        fact,
        [by_drag[drag] for drag in moves],
        legal=None,
        at=tuple((ladder[place], number) for place, number in at.items()),
    )


class _NumberTrials(DragTrials):
    """Tries each accused drag with cheaper numbers: those of ``only``; None: all that it may be charged.
    :attr:`numbers` has the results."""

    def __init__(
        self,
        trial: Trial,
        wanted: Iterable[Drag],
        only: Sequence[PackFact] | None,
        made: OtherGames,
        progress: Progress | None,
    ) -> None:
        super().__init__(trial, wanted, progress)
        self.numbers: dict[PackFact, dict[Drag, int]] = defaultdict(dict)
        self._only, self._made = only, made

    def try_drag(self, one: AccusedDrag) -> None:
        """Note which numbers make an accused drag impossible."""
        known = self._trial.by_move.get(one.key)
        hexes = one.situation.board.hexes if known is None else known.hexes
        near = self._trial.candidates.numbers_of(one.drag[0], sorted(hexes))
        facts = [fact for fact in near if self._only is None or fact in self._only]
        if facts and not self.may_be_legal(one):
            self._part(one, facts)

    def _part(self, one: AccusedDrag, facts: Sequence[PackFact]) -> None:
        """Try all of ``facts`` at once at their cheapest, and parts of them only if the drag may then be
        legal: with fewer of them cheaper it is never more legal. Up to :data:`FEW` numbers that were found
        with other drags are tried one by one without this."""
        few = self._only is not None and len(facts) <= FEW
        if not few and not self._legal_at(one, {fact: cheaper(fact)[-1] for fact in facts}):
            return
        if few or len(facts) == 1:
            for fact in facts:
                place = self._dearest(one, fact)
                if place is not None:
                    self.numbers[fact][one.drag] = place
                    self._trial.memory.told[one.told(fact)] = True
            return
        size = len(facts) // 2 if len(facts) > FEW else 1
        for first in range(0, len(facts), size):
            self._part(one, facts[first : first + size])

    def _dearest(self, one: AccusedDrag, fact: PackFact) -> int | None:
        """The index of the dearest value at which the drag may be legal; None: there is none. Most drags need
        little, so the search starts with the first values."""
        ladder, low, high = cheaper(fact), 0, 0
        while not self._legal_at(one, {fact: ladder[high]}):
            if high == len(ladder) - 1:
                return None
            low, high = high + 1, min(2 * high + 1, len(ladder) - 1)
        while low < high:
            middle = (low + high) // 2
            if self._legal_at(one, {fact: ladder[middle]}):
                high = middle
            else:
                low = middle + 1
        return low

    def _legal_at(self, one: AccusedDrag, values: Mapping[PackFact, str]) -> bool:
        """Whether the drag may be legal with ``values``. Charts are changed first: games that differ only in
        numbers of counters then share what their rules keep of the ground."""
        charts = tuple(item for item in values.items() if item[0].kind == "chart")
        made = self._made.of(one.situation.game, one.rules, charts)
        if made is not None and len(charts) < len(values):
            made = self._made.of(*made, tuple(values.items())[len(charts) :])
        return made is not None and one.may_be_legal(*made)
