"""A cache of judgements, used to audit a game again after a few cells of its board have changed.

Each judgement is kept with the hexes that its searches reached. A judgement reads only cells in or next to
those hexes, and, for the units there, cells one hex further away. After some cells have changed, only the
moves whose searches came near them are judged again. All other parts of the audit are computed again in full.
Rules also ask what occurs anywhere on the board (for example the least cost of a step, or whether a cost can
be a fraction). If that has changed, every move is judged again.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass, replace
from typing import Any

from ..model.board import NONE, Board, Edge, Exceptions
from ..model.boards import BoardChange
from ..model.finding import Move
from ..model.game import Game, PhaseStart
from ..model.vouching import cell_of
from .judge import Judgement, judge_move
from .on_boards import BoardCache, hexes_at, same_lines
from .phase import Judge
from .prepared_game import PreparedGames
from .ruleset import FarLines, RulesInForce
from .search import hexes_of, watched
from .situation import Situation
from .timeline import Timeline

REACH = 2
"""In hexes: how far from a hex that it reached a search may have read a cell."""


@dataclass(frozen=True, slots=True)
class CachedJudgement:
    """The cached judgement of ``move``, and the hexes that its searches reached, including the move's own
    waypoints and the path shown in the judgement."""

    move: Move
    judgement: Judgement
    hexes: frozenset[str]


class JudgementCache:
    """A judge (see :data:`.phase.Judge`) that caches its judgements of the moves of one game.

    Use: ``kept = JudgementCache()``, then ``audit(game, ruleset, judge=kept)``. After some cells have
    changed: ``audit(changed, ruleset, judge=kept.after(board, cells))``. The judge that :meth:`after`
    returns caches its judgements too. If anything other than cells of the board has changed, use :meth:`but`.
    ``prepared_games``: what audits by this judge share, and those by the judges made of it.
    """

    def __init__(
        self, judge: Judge = judge_move, prepared_games: PreparedGames | None = None
    ) -> None:
        self._judge = judge
        self.prepared_games = PreparedGames() if prepared_games is None else prepared_games
        self._far_lines = False
        """Whether, by the rules, a line affects moves far from it (:class:`.ruleset.FarLines`)."""
        self.rules: tuple[Game, RulesInForce] | None = None
        """The rules of the last judgement, and their game; None before the first judgement."""
        self._kept: dict[tuple[Hashable, ...], CachedJudgement] = {}
        self._phases: tuple[Timeline, tuple[Hashable, Hashable]] | None = None
        self._kept_of: Game | None = None
        """The game whose judgements are cached; None before the first judgement."""

    @property
    def all(self) -> Iterable[CachedJudgement]:
        """All cached judgements."""
        return self._kept.values()

    def __call__(
        self, move: Move, situation: Situation, rules: RulesInForce, **given: Any
    ) -> Judgement:
        if self.rules is None or type(rules) is not type(self.rules[1]):
            self._far_lines = self._far_lines or (isinstance(rules, FarLines) and rules.far_lines)
        self.rules = situation.game, rules
        with watched() as labels:
            judgement = self._judge(move, situation, rules, **given)
        own = (place.name for place in move.waypoints if place.kind == "hex")
        hexes = hexes_of(labels).union(own, judgement.judged.path)
        self._keep(CachedJudgement(move, judgement, hexes), situation, given)
        return judgement

    def _keep(self, one: CachedJudgement, situation: Situation, given: dict[str, Any]) -> None:
        self._kept[self._key(one.move, situation, given)] = one
        self._kept_of = situation.timeline.game

    def copy(self) -> JudgementCache:
        """The same judgements for another thread, which shares nothing else with this one."""
        other = JudgementCache(self._judge)
        other._far_lines, other._kept_of = self._far_lines, self._kept_of
        other._kept = dict(self._kept)
        return other

    def after(self, board: Board, cells: Iterable[str]) -> JudgementCache:
        """A judge for the same game on ``board``, in which ``cells`` have changed: hexes by name, hexsides as
        ``a/b``.

        It judges again the moves whose searches may have read one of the cells. It judges every move again if
        the set of things that occur anywhere on the board is not the same as before (:func:`occurring`), if
        an event of the game also changes one of ``cells`` in play, or if lines differ and, by the rules,
        affect moves far from them.
        """
        before, cells = self._kept_of, frozenset(cells)
        if before is not None:
            changes = [event for event in before.events if isinstance(event, BoardChange)]
            boards = [(before.board, board)]
            if changes:
                boards.append((untouched(before.board, changes), untouched(board, changes)))
            if (
                not touched_cells(changes).isdisjoint(cells)
                or (self._far_lines and not same_lines(before.board, board))
                or any(occurring(was) != occurring(now) for was, now in boards)
            ):
                return JudgementCache(self._judge, self.prepared_games)
        near = near_cells(board, cells)
        return self.but(lambda one: not near.isdisjoint(one.hexes))

    def but(self, again: Callable[[CachedJudgement], bool]) -> JudgementCache:
        """A judge for the same game after some change. It judges a move again if ``again`` returns True for
        it, and returns the cached judgement otherwise."""
        return _PartialCache(self, again)

    @property
    def uncached(self) -> Judge:
        """The judge without the cache, for any game other than the cached one."""
        return self._judge

    def recall(
        self, move: Move, situation: Situation, given: dict[str, Any]
    ) -> CachedJudgement | None:
        """The cached judgement of ``move`` with the same arguments ``given``; None if there is none."""
        return self._kept.get(self._key(move, situation, given))

    @property
    def by_move(self) -> dict[tuple[Hashable, ...], CachedJudgement]:
        """The cached judgements by their moves and sorted arguments."""
        return {key[2:]: one for key, one in self._kept.items()}

    def _key(self, move: Move, situation: Situation, given: dict[str, Any]) -> tuple[Hashable, ...]:
        timeline = situation.timeline
        if self._phases is None or self._phases[0] is not timeline:
            events = timeline.game.events
            starts = tuple(event for event in events if isinstance(event, PhaseStart))
            self._phases = timeline, (hash(starts), known_whole(timeline.game.board))
        return *self._phases[1], move, *sorted(given.items())


class _PartialCache(JudgementCache):
    def __init__(self, before: JudgementCache, again: Callable[[CachedJudgement], bool]) -> None:
        super().__init__(before._judge, before.prepared_games)
        self._far_lines = before._far_lines
        self._known, self._again = before._kept, again

    def __call__(
        self, move: Move, situation: Situation, rules: RulesInForce, **given: Any
    ) -> Judgement:
        known = self._known.get(self._key(move, situation, given))
        if known is None or self._again(known):
            return super().__call__(move, situation, rules, **given)
        self._keep(known, situation, given)
        return known.judgement


def known_whole(board: Board) -> Hashable:
    """A cache key: what rules ask about the board as a whole. Through it one cell can affect moves that never
    come near that cell."""
    hexes = all(map(board.hex_known, board.hexes))
    return hexes, board.all_sides_known, board.all_lines_known, board.line_kinds


def occurring(board: Board) -> frozenset[Hashable]:
    """The facts of ``board`` that rules use regardless of place.

    The combinations of terrain and features in hexes, with what else may be there; the terrain of a hex that
    may hold anything does not determine the cost to enter it (:meth:`.Board.completions`). The names of
    hexside features. What is known completely, and the kinds of lines (:func:`known_whole`). Levels, and the
    combinations on hexsides, are used only by place, so they are left out.
    """
    return _OCCURRING.of((board,), lambda: _occurring(board))


_OCCURRING: BoardCache[frozenset[Hashable]] = BoardCache()


def _occurring(board: Board) -> frozenset[Hashable]:
    found: set[Hashable] = {("board", board.complete, known_whole(board))}
    for name, here in board.hexes.items():
        maybe = board.maybe_in(name)
        found.add((here.terrain, here.features))
        found.add((None if maybe is None else here.terrain, here.features, maybe))
    found.update(("side", name) for has in board.sides.values() for name in has)
    return frozenset(found)


def touched_cells(changes: Iterable[BoardChange]) -> frozenset[str]:
    """The cells that the ``changes`` of the board affect, named as by :func:`.differing_cells`."""
    found = set[str]()
    for change in changes:
        may, crossed = change.exceptions, set(change.touched_sides())
        found.update(here.name for here in change.hexes)
        found.update(may.hexes, may.levels)
        found.update(map(cell_of, (*change.sides, *may.sides, *crossed)))
        found.update(name for side in crossed for name in side)
    return frozenset(found)


def untouched(board: Board, changes: Iterable[BoardChange]) -> Board:
    """``board`` with the cells that ``changes`` affect set to "known to be empty". What occurs on the result
    occurs on the board at every time of the game."""
    hexes, sides, may = dict(board.hexes), dict(board.sides), board.exceptions
    in_hexes, on_sides, across = dict(may.hexes), dict(may.sides), dict(may.lines)
    levels, crossed = set(may.levels), set[Edge]()
    for change in changes:
        for name in (*(here.name for here in change.hexes), *change.exceptions.hexes):
            hexes[name] = replace(hexes[name], terrain=(), level=None, features=())
            in_hexes[name] = NONE
            levels.discard(name)
        levels.difference_update(change.exceptions.levels)
        for side in (*change.sides, *change.exceptions.sides):
            sides[side], on_sides[side] = (), NONE
        crossed.update(change.touched_sides())
    across.update((side, NONE) for side in crossed)
    lines = tuple(line for line in board.lines if crossed.isdisjoint(line.edges()))
    return board.with_cells(
        hexes, sides, lines, Exceptions(in_hexes, on_sides, across, frozenset(levels))
    )


def near_cells(board: Board, cells: Iterable[str]) -> frozenset[str]:
    """The hexes from which a search may read one of ``cells``: hexes, and hexsides as ``a/b``. Names that
    are on no board are ignored."""
    near = set[str]().union(*(hexes_at(cell, board.hexes) for cell in cells))
    for _ in range(REACH):
        near |= {other for name in near for other in board.neighbours(name)}
    return frozenset(near)
