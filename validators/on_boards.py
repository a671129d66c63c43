"""The rules in force on each board of a game; the cells that differ between two boards, which decide which
moves are judged again; and a cache of results that depend on whole boards.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import replace
from typing import Any, Generic, Protocol, Self, TypeVar, runtime_checkable
from weakref import ref

from ..model.board import Board, Line
from ..model.finding import Clause
from ..model.game import Game
from ..model.vouching import cell_of, side_of
from .ruleset import Ruleset, RulesInForce

Made = TypeVar("Made")


class BoardCache(Generic[Made]):
    """The results of one computation on a board, or on several boards together. Boards never change, so a
    result is kept for as long as they exist."""

    def __init__(self) -> None:
        self._kept: dict[tuple[int, ...], tuple[tuple[ref[Board], ...], Made]] = {}

    def of(self, boards: tuple[Board, ...], make: Callable[[], Made]) -> Made:
        """The result for ``boards``, in this order; computed by ``make`` at the first call."""
        key = tuple(map(id, boards))
        kept = self._kept.get(key)
        if kept is not None and all(r() is b for r, b in zip(kept[0], boards, strict=True)):
            return kept[1]
        made = make()
        self._kept[key] = (
            tuple(ref(board, lambda _: self._kept.pop(key, None)) for board in boards),
            made,
        )
        return made


Key = TypeVar("Key", bound=Hashable)

_DIFFERING: BoardCache[frozenset[str] | None] = BoardCache()


def differing_cells(before: Board, now: Board) -> frozenset[str] | None:
    """The cells that differ between two boards: hexes by name, hexsides as ``a/b``; for lines, the hexes in
    which they differ. None if anything other than cells differs."""
    return _DIFFERING.of((before, now), lambda: _differing_cells(before, now))


def _differing_cells(before: Board, now: Board) -> frozenset[str] | None:
    if before.hexes.keys() != now.hexes.keys():
        return None
    wholly = ("name", "links", "barriers", "complete")
    if any(getattr(before, part) != getattr(now, part) for part in wholly):
        return None
    then, after = before.exceptions, now.exceptions
    hexes = _differing(before.hexes, now.hexes) | _differing(then.hexes, after.hexes)
    sides = _differing(before.sides, now.sides) | _differing(then.sides, after.sides)
    sides |= _differing(then.lines, after.lines)
    return frozenset(
        hexes
        | {cell_of(side) for side in sides}
        | set(then.levels ^ after.levels)
        | _differing_lines(before.lines, now.lines)
    )


def _differing_lines(before: tuple[Line, ...], now: tuple[Line, ...]) -> set[str]:
    """The hexes in which lines differ: in their kinds, hexsides or order, or because one line became two."""
    if before == now:
        return set()
    then, after = _by_hex(before), _by_hex(now)
    return {name for name in then.keys() | after.keys() if then.get(name) != after.get(name)}


def _by_hex(lines: tuple[Line, ...]) -> dict[str, list[tuple[object, ...]]]:
    """For each hex, the lines through it in their order: their kinds, and, for each passage, the hexes before
    and after."""
    found: dict[str, list[tuple[object, ...]]] = {}
    for line in lines:
        passes: dict[str, list[frozenset[str]]] = {}
        for before, name, behind in zip(
            ("", *line.hexes), line.hexes, (*line.hexes[1:], ""), strict=False
        ):
            passes.setdefault(name, []).append(frozenset((before, behind)) - {""})
        for name, ways in passes.items():
            found.setdefault(name, []).append((line.kind, line.name, line.junctions, *ways))
    return found


def same_lines(before: Board, now: Board) -> bool:
    """Whether two boards have the same lines and the same possible lines."""
    return before.lines == now.lines and before.exceptions.lines == now.exceptions.lines


def unlike(before: Board, now: Board) -> frozenset[str] | None:
    """The hexes from which steps may differ between two boards: the hexes of cells that differ, and their
    neighbours. None if steps may differ anywhere."""
    if before.all_sides_known != now.all_sides_known:
        return None
    if before.all_lines_known != now.all_lines_known or not _in_step(before.lines, now.lines):
        return None
    cells = differing_cells(before, now)
    if cells is None:
        return None
    hexes = frozenset[str]().union(*(hexes_at(cell, now.hexes) for cell in cells))
    return hexes.union(*(now.neighbours(name) for name in hexes))


def _in_step(before: tuple[Line, ...], now: tuple[Line, ...]) -> bool:
    """Whether the common lines of two boards have the same order, and the lines without junctions are the
    same with the same numbers (by which rules distinguish them)."""
    if before == now:
        return True
    common = set(before) & set(now)
    if [line for line in before if line in common] != [line for line in now if line in common]:
        return False
    loose = [
        {index: line for index, line in enumerate(lines) if not line.junctions}
        for lines in (before, now)
    ]
    return loose[0] == loose[1]


def hexes_at(cell: str, hexes: Mapping[str, object]) -> frozenset[str]:
    """The hexes of a cell: the hex, or the two hexes of a hexside, as far as they are among ``hexes``. Names
    of hexes may contain slashes."""
    names = (cell, *(side_of(cell, hexes) or cell.split("/")))
    return frozenset(name for name in names if name in hexes)


def _differing(before: Mapping[Key, object], now: Mapping[Key, object]) -> set[Key]:
    if before is now or before == now:
        return set()
    old = map(before.get, now)
    others = (name for (name, value), was in zip(now.items(), old, strict=True) if was is not value)
    found = {name for name in others if name in before and before[name] != now[name]}
    return found | (before.keys() ^ now.keys())


_MOST_KEPT = 12


@runtime_checkable
class Reusable(Protocol):
    """Rules in force from which the rules for another game or board can be made."""

    def again(self, game: Game, made: Callable[[Game], RulesInForce], /) -> RulesInForce:
        """The rules for ``game``, which share with these everything that is the same for both. ``made`` makes
        rules that share nothing yet."""
        ...

    def on(self, game: Game, /) -> Self:
        """The same rules for the same game on another of its boards. They share all data that does not depend
        on the board."""
        ...


class RulesOnBoards:
    """The rules of a game for each of its boards. They are made at the first call; those used last are
    cached."""

    def __init__(self, game: Game, ruleset: Ruleset) -> None:
        self._ruleset = ruleset
        self.opening = ruleset.in_force(game)
        self._game = game
        self._kept: OrderedDict[int, tuple[Game, RulesInForce]] = OrderedDict()

    def on(self, game: Game) -> RulesInForce:
        """The rules for the game on one of its boards (see :meth:`Game.on_board`)."""
        if game.board is self._game.board:
            return self.opening
        kept = self._kept.pop(id(game), None)
        if kept is None:
            rules = self.opening
            kept = (
                game,
                rules.on(game) if isinstance(rules, Reusable) else self._ruleset.in_force(game),
            )
            while len(self._kept) >= _MOST_KEPT:
                self._kept.popitem(last=False)
        self._kept[id(game)] = kept
        return kept[1]


class KnownGround:
    """A ruleset that reuses rules made earlier for the same game with other cells on its board.

    ``earlier``: games, with the rules made for them. Their cached terrain data is reused except near the
    cells that differ. Rules that are not :class:`Reusable` are made again.
    """

    def __init__(self, ruleset: Ruleset, earlier: Iterable[tuple[Game, RulesInForce]] = ()) -> None:
        self._ruleset = ruleset
        self._earlier = [(g, rules) for g, rules in earlier if isinstance(rules, Reusable)]
        self.made: list[tuple[Game, RulesInForce]] = []
        """The rules made so far, with their games."""

    @property
    def name(self) -> str:
        return self._ruleset.name

    @property
    def version(self) -> str:
        return self._ruleset.version

    def clauses(self) -> Mapping[str, Clause]:
        """See :class:`.ruleset.Ruleset`."""
        return self._ruleset.clauses()

    def in_force(self, game: Game, /) -> RulesInForce:
        """See :class:`.ruleset.Ruleset`."""
        alike = (r for before, r in self._earlier if differing_between(before, game) is not None)
        first = next(alike, None)
        rules = self._again(game) if first is None else first.on(game)
        self.made.append((game, rules))
        return rules

    def _again(self, game: Game) -> RulesInForce:
        make = self._ruleset.in_force
        return self._earlier[0][1].again(game, make) if self._earlier else make(game)


class SameGround(KnownGround):
    """A ruleset for the audits of several readings of one game. Its rules' cached data about places is reused
    for all of them if they are :class:`Reusable`."""

    def in_force(self, game: Game, /) -> RulesInForce:
        """See :class:`.ruleset.Ruleset`."""
        rules = self._again(game)
        if not self._earlier and isinstance(rules, Reusable):
            self._earlier.append((game, rules))
        return rules


def differing_between(before: Game, now: Game) -> frozenset[str] | None:
    """The cells (hexes, and hexsides as ``a/b``) that differ between two games; None: something else does."""
    same = replace(now, **of_cells(before)) == before
    return differing_cells(before.board, now.board) if same else None


def of_cells(game: Game) -> dict[str, Any]:
    """The fields of a game that depend on cells of its board. Of these, judgements of moves read only the
    board."""
    return {name: getattr(game, name) for name in ("board", "suggestions", "sources", "seen")}
