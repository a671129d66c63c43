"""Judgements that know what their searches read, so that a game can be judged again in which little is other.

What a judgement reads of the board is told by the hexes that its searches came to: the cells in and next
to them, and one hex further for whoever stands there. So after a change to some cells only the moves need
be judged again whose searches came near them; everything else of an audit is worked out anew. Rules also
ask what there is on a board at all (the least that a step can cost, whether a cost can be a fraction): where
that is other than before, every move is judged again.
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
from .changed_cells import hexes_at
from .judge import Judgement, judge_move
from .phase import Judge
from .ruleset import RulesInForce
from .search import hexes_of, watched
from .situation import Situation
from .timeline import Timeline

REACH = 2
"""A search that came to a hex has read no cell that is farther from it than so many hexes."""


@dataclass(frozen=True, slots=True)
class Remembrance:
    """What was said of ``move``, and the hexes that its searches came to (its own way among them)."""

    move: Move
    judgement: Judgement
    hexes: frozenset[str]


class Remembered:
    """A judge (see :data:`.phase.Judge`) that remembers what it said of the moves of one game.

    Use: ``kept = Remembered()``, ``audit(game, ruleset, judge=kept)``, and after a change of some cells
    ``audit(changed, ruleset, judge=kept.after(board, cells))``, which is remembered in turn. Where
    anything else is changed than cells of the board, see :meth:`but`.
    """

    def __init__(self, judge: Judge = judge_move) -> None:
        self._judge = judge
        self._kept: dict[tuple[Hashable, ...], Remembrance] = {}
        self._phases: tuple[Timeline, tuple[Hashable, Hashable]] | None = None
        self._kept_of: Game | None = None
        """The game of which something is kept."""

    @property
    def all(self) -> Iterable[Remembrance]:
        """Everything that was said."""
        return self._kept.values()

    def __call__(
        self, move: Move, situation: Situation, rules: RulesInForce, **given: Any
    ) -> Judgement:
        with watched() as labels:
            judgement = self._judge(move, situation, rules, **given)
        own = (place.name for place in move.waypoints if place.kind == "hex")
        hexes = hexes_of(labels).union(own, judgement.judged.path)
        self._keep(Remembrance(move, judgement, hexes), situation, given)
        return judgement

    def _keep(self, one: Remembrance, situation: Situation, given: dict[str, Any]) -> None:
        self._kept[self._key(one.move, situation, given)] = one
        self._kept_of = situation.timeline.game

    def after(self, board: Board, cells: Iterable[str]) -> Remembered:
        """A judge for the same game on ``board``, of which ``cells`` (hexes, and hexsides as ``a/b``) are
        not as they were: it judges the moves again whose searches may have read one of them; all, if
        something is on the board by now that was nowhere on it, or is no more (or may be, where the board
        changes in play)."""
        before, cells = self._kept_of, frozenset(cells)
        if before is not None:
            changes = [event for event in before.events if isinstance(event, BoardChange)]
            touched = touched_cells(changes)
            if not touched.isdisjoint(cells):
                return Remembered(self._judge)
            boards = [(before.board, board)]
            if changes:
                boards.append((untouched(before.board, changes), untouched(board, changes)))
            if any(occurring(was) != occurring(now) for was, now in boards):
                return Remembered(self._judge)
        near = near_cells(board, cells)
        return self.but(lambda one: not near.isdisjoint(one.hexes))

    def but(self, again: Callable[[Remembrance], bool], *, any_phases: bool = False) -> Remembered:
        """A judge for the same game with something changed: it judges those moves ``again``, and says of
        the others what was said. ``any_phases``: also if other steps of the game lie in other phases."""
        return _Again(self, again, any_phases)

    @property
    def aside(self) -> Judge:
        """The judge itself, for a game that is another than the one remembered."""
        return self._judge

    def recall(self, move: Move, situation: Situation, given: dict[str, Any]) -> Remembrance | None:
        """What was said of a move in the same circumstances; None: nothing yet."""
        return self._kept.get(self._key(move, situation, given))

    def _key(self, move: Move, situation: Situation, given: dict[str, Any]) -> tuple[Hashable, ...]:
        timeline = situation.timeline
        if self._phases is None or self._phases[0] is not timeline:
            events = timeline.game.events
            starts = tuple(event for event in events if isinstance(event, PhaseStart))
            self._phases = timeline, (hash(starts), known_whole(timeline.game.board))
        return *self._phases[1], move, *sorted(given.items())


class _Again(Remembered):
    def __init__(
        self, before: Remembered, again: Callable[[Remembrance], bool], any_phases: bool
    ) -> None:
        super().__init__(before._judge)
        self._before, self._again = before, again
        self._by_move: dict[Hashable, Remembrance] | None = None
        if any_phases:
            self._by_move = {key[1:]: one for key, one in before._kept.items()}

    def __call__(
        self, move: Move, situation: Situation, rules: RulesInForce, **given: Any
    ) -> Judgement:
        if self._by_move is None:
            known = self._before.recall(move, situation, given)
        else:
            known = self._by_move.get(self._key(move, situation, given)[1:])
        if known is None or self._again(known):
            return super().__call__(move, situation, rules, **given)
        self._keep(known, situation, given)
        return known.judgement


def known_whole(board: Board) -> Hashable:
    """What rules ask of a board as a whole, so that one cell may bear on moves that never come near it."""
    hexes = all(map(board.hex_known, board.hexes))
    return hexes, board.all_sides_known, board.all_lines_known, board.line_kinds


def occurring(board: Board) -> frozenset[Hashable]:
    """What there is anywhere on a board, whatever the place: kinds of hexes, of hexsides and of lines, known
    or open."""
    may = board.exceptions
    found: set[Hashable] = {("board", board.complete, board.all_sides_known, board.all_lines_known)}
    for name, here in board.hexes.items():
        maybe = may.hexes.get(name, "")
        found.add((here.terrain, here.level, here.features, maybe, name in may.levels))
    found.update(("side", has) for has in board.sides.values())
    found.update(("perhaps on a side", names) for names in may.sides.values())
    found.update(("line", line.kind, line.junctions) for line in board.lines)
    found.update(("perhaps a line", names) for names in may.lines.values())
    return frozenset(found)


def touched_cells(changes: Iterable[BoardChange]) -> frozenset[str]:
    """The cells that changes of the board tell of in play, as :func:`.differing_cells` names them."""
    found = set[str]()
    for change in changes:
        may, crossed = change.exceptions, set(change.touched_sides())
        found.update(here.name for here in change.hexes)
        found.update(may.hexes, may.levels)
        found.update(map(cell_of, (*change.sides, *may.sides, *crossed)))
        found.update(name for side in crossed for name in side)
    return frozenset(found)


def untouched(board: Board, changes: Iterable[BoardChange]) -> Board:
    """A board on which there is nothing, and known to be nothing, in the cells that ``changes`` tell of: what
    occurs on it does so at any time of the game."""
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
    are on no board say nothing."""
    near = set[str]().union(*(hexes_at(cell, board.hexes) for cell in cells))
    for _ in range(REACH):
        near |= {other for name in near for other in board.neighbours(name)}
    return frozenset(near)
