"""Judge again with one fact not known: one drag at a time, or the whole game."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Container, Hashable, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from ...model.board import Board
from ...model.finding import Audit, Move, Verdict
from ...model.game import Game
from ...model.problem import UmpireError
from ...model.suspect import PackFact
from ..audit import audit_known
from ..judge import Judgement, favourable_hexes, may_be_legal, surely_legal
from ..judgement_cache import CachedJudgement, JudgementCache, near_cells
from ..on_boards import KnownGround
from ..rereading import Drag
from ..ruleset import Ruleset, RulesInForce
from ..scenarios import openings_of
from ..situation import Situation
from .candidates import Candidates, Group, facts_in
from .facts import ON_BOARD, SIDE, OtherGames, RaisedAllowanceRules, is_number, may_help, without

MOST_JUDGED = 180
"""The most times that accused drags are judged again by themselves."""

Progress = Callable[[int, int], None]
"""Called with (done, total)."""


@dataclass(frozen=True, slots=True)
class Memory:
    """Results of trials that do not depend on the viewer, kept for the other viewers of the same audit.

    ``told``: (fact, unit, move, sorted arguments) → whether the move may be legal for that unit with the fact
    not known. ``audits``: fact → the audit of the game with the fact not known; None if the ruleset cannot be
    brought into force without it. ``before``: key → the audit of the game as it was before a change.
    """

    told: dict[tuple[Hashable, ...], bool] = field(default_factory=dict)
    audits: dict[PackFact, Audit | None] = field(default_factory=dict)
    before: dict[Hashable, Audit] = field(default_factory=dict)


@dataclass(frozen=True)
class Trial:
    """The data that the trials of facts share: the game, its ruleset, the remembered judgements of its audit,
    the candidates, and the ``memory`` of other trials of the game. ``is_part``: see :func:`.audit_known`."""

    game: Game
    ruleset: Ruleset
    kept: JudgementCache
    candidates: Candidates
    memory: Memory = field(default_factory=Memory)
    is_part: bool = False

    @cached_property
    def known_ground(self) -> Ruleset:
        """The ruleset, which reuses what the rules of the audit have computed from the board."""
        return KnownGround(self.ruleset, () if self.kept.rules is None else [self.kept.rules])

    @cached_property
    def by_move(self) -> Mapping[tuple[Hashable, ...], CachedJudgement]:
        """See :attr:`.JudgementCache.by_move`."""
        return self.kept.by_move

    @cached_property
    def by_steps(self) -> Mapping[tuple[Hashable, ...], CachedJudgement]:
        """The remembered judgements of decided moves, whatever their phase, by :func:`_steps_of`."""
        legal = (one for one in self.kept.all if one.judgement.judged.verdict == "legal")
        wrong = (one for one in self.kept.all if _is_wrong(one) and one.judgement.findings)
        return {_steps_of(one.move): one for one in (*legal, *wrong)}

    def whole(self, fact: PackFact) -> Audit | None:
        """The audit of the game with ``fact`` not known; None if the ruleset cannot come into force without
        it."""
        audits = self.memory.audits
        if fact not in audits:
            audits[fact] = self._audit(fact)
        return audits[fact]

    def _audit(self, fact: PackFact) -> Audit | None:
        game = without(self.game, fact)
        try:
            judge = self._judge(game, fact)
            return audit_known(game, self.known_ground, judge=judge, is_part=self.is_part)
        except UmpireError:
            return None

    def _judge(self, game: Game, fact: PackFact) -> Any:
        """The judge for an audit with ``fact`` not known. It judges again only moves that may have read the
        fact; the others keep their judgement."""
        if fact.kind == "form":
            return _VerdictCheck(
                self, fact, lambda one, _: _is_wrong(one) and may_help(fact, one.judgement, game)
            )
        if fact.kind == "phase":
            return _VerdictCheck(self, fact, lambda *_: False)
        if fact.kind in ON_BOARD:
            near = near_cells(game.board, [fact.cell])
            return _VerdictCheck(self, fact, lambda one, _: not near.isdisjoint(one.hexes))
        if fact.kind == "unit":
            return _VerdictCheck(self, fact, _Near(fact.cell))
        return _VerdictCheck(self, fact, lambda one, _: self.candidates.may_read(fact, one.hexes))


class _Near:
    """Whether a move is made by a counter called ``name``, or comes near one."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __call__(self, one: CachedJudgement, situation: Situation) -> bool:
        board, units = situation.board, situation.game.units
        for unit in (unit for unit, called in units.items() if called.name == self._name):
            place = situation.where(unit).name
            if unit in one.move.units or (
                place in board.hexes and not near_cells(board, [place]).isdisjoint(one.hexes)
            ):
                return True
        return False


class _VerdictCheck(JudgementCache):
    """A judge that only finds out whether verdicts still hold with one more fact not known.

    A legal or illegal move keeps its judgement or becomes unverifiable. An illegal one becomes legal if an
    undeclared form, or its other phase, surely makes it legal. An unverifiable one stays unverifiable.
    ``again``: whether a remembered move may have read the fact; the others keep their judgement. Moves that
    were not judged before, and those with a choice of forms, are judged in full.
    """

    def __init__(
        self, trial: Trial, fact: PackFact, again: Callable[[CachedJudgement, Situation], bool]
    ) -> None:
        super().__init__(trial.kept.uncached, trial.kept.prepared_games)
        self._trial, self._fact, self._again = trial, fact, again

    def __call__(
        self, move: Move, situation: Situation, rules: RulesInForce, **given: Any
    ) -> Judgement:
        if self._fact.kind == "form":
            rules = RaisedAllowanceRules(rules)
        known = self._trial.by_move.get((move, *sorted(given.items())))
        is_moved = known is None and self._fact.kind == "phase" and "accused" not in given
        if is_moved:
            known = self._trial.by_steps.get(_steps_of(move))
        if known is None:
            return self._judge(move, situation, rules, **given)
        said = known.judgement
        if is_moved:
            said = replace(said, judged=replace(said.judged, move=move))
        elif not self._again(known, situation) or said.judged.verdict == "unverifiable":
            return said
        if said.legal_forms or given.get("declared") is not None:
            return self._judge(move, situation, rules, **given)

        def is_sure() -> bool:
            units = (u for u in move.units if situation.game.units[u].kind == "unit")
            return all(surely_legal(unit, move, situation, rules, **given) for unit in units)

        if said.judged.verdict == "legal":
            if is_moved and not is_sure():
                return self._judge(move, situation, rules, **given)
            return said if is_moved or is_sure() else _opened(said)

        def stands(unit: str) -> bool:
            key = (self._fact, unit, move, *sorted(given.items()))
            if key not in self._trial.memory.told:
                self._trial.memory.told[key] = may_be_legal(unit, move, situation, rules, **given)
            return not self._trial.memory.told[key]

        findings = [replace(f, units=tuple(filter(stands, f.units))) for f in said.findings]
        kept = tuple(found for found in findings if found.units and found.verdict == "illegal")
        if kept:
            return replace(said, findings=kept)
        of_play = is_moved or self._fact.kind == "form"
        return _opened(said, "legal" if of_play and is_sure() else "unverifiable")


def _steps_of(move: Move) -> tuple[Hashable, ...]:
    return move.units, move.steps, move.waypoints, move.binding


def _opened(said: Judgement, verdict: Verdict = "unverifiable") -> Judgement:
    return replace(said, judged=replace(said.judged, verdict=verdict), findings=())


def clears(
    trial: Trial,
    wanted: Iterable[Drag],
    progress: Progress | None,
    settled: Container[Drag] = frozenset(),
) -> dict[PackFact, set[Drag]]:
    """Fact → the accused drags of ``wanted`` that are no longer illegal if the fact is not known. Each drag
    is judged by itself; the rest of the game keeps its judgements. ``settled``: drags that are tried only
    with the facts of :func:`_anywhere`."""
    quick = DragTrials(trial, wanted, progress, settled)
    with suppress(AllTried):
        audit_known(trial.game, trial.known_ground, judge=quick, is_part=trial.is_part)
    return quick.found


def _anywhere(group: Group) -> Group:
    """The facts of a group that may affect moves anywhere, without numbers."""
    return tuple(
        fact
        for fact in facts_in(group)
        if fact.name == SIDE or (fact.kind == "chart" and not is_number(fact))
    )


class AllTried(BaseException):
    """Ends an audit in which nothing is left to try. Not an Exception, so that no check catches it."""


class DragTrials(JudgementCache):
    """A judge that repeats the remembered judgements and tries each drag of ``wanted``, at its first move,
    with the facts that it may rest on. :attr:`found` has the results."""

    def __init__(
        self,
        trial: Trial,
        wanted: Iterable[Drag],
        progress: Progress | None,
        settled: Container[Drag] = frozenset(),
    ) -> None:
        super().__init__(trial.kept.uncached, trial.kept.prepared_games)
        self._settled = settled
        self.found: dict[PackFact, set[Drag]] = defaultdict(set)
        self._trial, self._progress = trial, progress
        self._waiting = set(wanted)
        self._of = len(self._waiting)
        self._others = OtherGames(trial.ruleset, lambda game, facts: without(game, *facts))

    def __call__(
        self, move: Move, situation: Situation, rules: RulesInForce, **given: Any
    ) -> Judgement:
        for drag in [(unit, move.steps[-1]) for unit in move.units]:
            if drag in self._waiting:
                self._waiting.remove(drag)
                self.try_drag(AccusedDrag(drag, move, situation, rules, given))
                if self._progress is not None:
                    self._progress(self._of - len(self._waiting), self._of)
        if not self._waiting:
            raise AllTried
        known = self._trial.kept.recall(move, situation, given)
        return (
            known.judgement if known is not None else self._judge(move, situation, rules, **given)
        )

    def may_be_legal(self, one: AccusedDrag) -> bool:
        """Whether the search did not find the drag illegal: it is accused of something else."""
        known = self._trial.by_move.get(one.key)
        found = () if known is None else known.judgement.findings
        if one.given.get("declared") is None and any(one.drag[0] in f.units for f in found):
            return all(f.verdict != "illegal" for f in found if one.drag[0] in f.units)
        return one.may_be_legal(one.situation.game, one.rules)

    def try_drag(self, one: AccusedDrag) -> None:
        """Note which facts clear an accused drag."""
        if self.may_be_legal(one):
            return
        known = self._trial.by_move.get(one.key)
        read = known.hexes if known is not None else frozenset()
        path = known.judgement.judged.path if known is not None else ()
        is_settled = one.drag in self._settled
        cells, board = read if is_settled else one.openings(), one.situation.board
        near = near_of(board, (name for name in cells if name in board.hexes))
        others = [
            u for name in near for u in one.situation.units_in(name) if u not in one.move.units
        ]
        groups = self._trial.candidates.of_move(one.drag[0], others, cells, path)
        left = iter(range(MOST_JUDGED // self._of))
        for group in groups:
            self._descend(one, _anywhere(group) if is_settled else group, left)

    def _descend(self, one: AccusedDrag, group: Group, left: Iterator[int]) -> bool:
        """Try all facts of a group at once, and its parts only if that clears the drag: with more facts not
        known a move is never less legal. A yes or no of the charts is a group of its own, because it is
        replaced by the other. For a cell of the board the first fact that clears is enough. ``left``: runs
        out when enough was tried for the drag. Returns whether a fact was found."""
        facts = tuple(facts_in(group))
        if not facts or next(left, None) is None or not self._clear(one, facts):
            return False
        if isinstance(group, PackFact):
            self.found[group].add(one.drag)
            return True
        on_board = facts[0].kind in ON_BOARD
        half = (len(group) + 1) // 2
        parts = group if on_board or len(group) < 3 else (group[:half], group[half:])
        found = False
        for part in parts:
            single = part if isinstance(part, PackFact) or len(part) > 1 else part[0]
            found = self._descend(one, single, left) or found
            if found and on_board:
                break
        return found

    def _clear(self, one: AccusedDrag, facts: tuple[PackFact, ...]) -> bool:
        made = self._others.of(one.situation.game, one.rules, facts)
        may_be = None
        with suppress(UmpireError, KeyError):
            may_be = made and one.may_be_legal(*made)
        if may_be is None:
            return len(facts) > 1
        if len(facts) == 1:
            self._trial.memory.told[one.told(facts[0])] = may_be
        return may_be


@dataclass(frozen=True, slots=True)
class AccusedDrag:
    """An accused drag, and the arguments with which it was judged."""

    drag: Drag
    move: Move
    situation: Situation
    rules: RulesInForce
    given: dict[str, Any]

    @property
    def key(self) -> tuple[Hashable, ...]:
        """As in :attr:`Trial.by_move`."""
        return self.move, *sorted(self.given.items())

    def told(self, fact: PackFact) -> tuple[Hashable, ...]:
        """The key in :attr:`Memory.told`."""
        return fact, self.drag[0], *self.key

    def may_be_legal(self, game: Game, rules: RulesInForce) -> bool:
        """Whether the drag may be legal in ``game`` by ``rules``."""
        view = self.situation.in_game(game)
        return may_be_legal(self.drag[0], self.move, view, rules, **self.given)

    def openings(self) -> frozenset[str]:
        """The cells of the board that could make the drag legal."""
        move = replace(self.move, units=(self.drag[0],))
        return favourable_hexes(move, self.situation, self.rules, **self.given, of=openings_of)


def near_of(board: Board, hexes: Iterable[str]) -> tuple[str, ...]:
    """``hexes`` and their neighbours, each once."""
    every = [(name, *board.neighbours(name)) for name in hexes]
    return tuple(dict.fromkeys(name for some in every for name in some))


def _is_wrong(one: CachedJudgement) -> bool:
    return one.judgement.judged.verdict == "illegal"
