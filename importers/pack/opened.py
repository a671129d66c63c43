"""The cells of a board that may change in play without a sign on the table (``[board] changes`` of a pack).

A feature that may change is open from the first step on: it may have gone where it is drawn, or come
where it is not. Facts and markers about a cell close it again.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import replace

from ...model.board import Board, Hex, Line, Names
from ...model.boards import BoardChange, lines_after
from ...model.game import StepRef
from ...model.problem import Problem
from ...model.table import TableHistory
from .attributes import Reader
from .pack import Change, Pack
from .unit_classification import UnitClass

_WORD = re.compile(r"\w+")


def opened(board: Board, changes: Iterable[Change]) -> Board:
    """``board`` with the features that may change open."""
    drawn = board
    for change in changes:
        in_hexes, on_sides, lines = _is_drawn(drawn, change.feature)
        board = _in_hexes(board, change) if in_hexes else board
        board = _on_sides(board, change) if on_sides else board
        board = _across(board, change) if lines else board
    return board


def changes_in(pack: Pack, board: Board, counters: Iterable[str]) -> tuple[Change, ...]:
    """The features that may change on the board of a pack. If the pack does not list them: the features that
    counters on the table name. A counter "Bridge blown" shows that bridges change in this game."""
    if pack.changes is not None:
        return pack.changes
    said = {word.lower() for name in counters for word in _WORD.findall(name)}
    return tuple(
        Change(feature)
        for feature in _features(board)
        if (words := [word.lower() for word in _WORD.findall(feature)]) and said.issuperset(words)
    )


def not_said(pack: Pack, changes: tuple[Change, ...]) -> Iterable[Problem]:
    """The hint that the pack should say what may change."""
    if pack.changes is None and changes:
        named = ", ".join(change.feature for change in changes)
        message = (
            f"names of counters mention {named}, which may have changed in play; say in [board] of pack.toml"
            ' what may change (changes = "none": only what markers and facts say)'
        )
        yield Problem("changes", message, "pack.toml", "warning")


def counter_names(
    history: TableHistory, roles: Mapping[str, UnitClass], reader: Reader
) -> frozenset[str]:
    """The names of all pieces that are no units, and no markers that the pack binds to the board."""
    pieces = {piece.id: piece for piece in history.appearances()}
    bound = [binding.what for binding in reader.pack.board_markers]
    return frozenset(
        piece.basic_name
        for piece in pieces.values()
        if (piece.id not in roles or roles[piece.id].kind != "unit")
        and not any(reader.fits(what, piece) for what in bound)
    )


def _features(board: Board) -> list[str]:
    of_hexes = (f for here in board.hexes.values() for f in here.features)
    return sorted({*of_hexes, *(f for has in board.sides.values() for f in has)})


def _is_drawn(board: Board, name: str) -> tuple[bool, bool, bool]:
    """Whether a name is that of a feature of hexes, of a feature of hexsides, and of a kind of line on the
    board. A name that is not on the board may be either of the first two."""
    in_hexes = any(
        name in here.features or name in (here.terrain or ()) for here in board.hexes.values()
    )
    on_sides = any(name in has for has in board.sides.values())
    lines = any(line.kind == name for line in board.lines)
    nowhere = not (in_hexes or on_sides or lines)
    return in_hexes or nowhere, on_sides or nowhere, lines


def _with(names: Names, name: str) -> Names:
    return None if names is None else names | {name}


def _on_sides(board: Board, change: Change) -> Board:
    name = change.feature
    sides, may = dict(board.sides), dict(board.exceptions.sides)
    for side in board.every_side if change.comes else board.sides:
        has = sides.get(side, ())
        if name in has:
            if change.goes:
                sides[side] = tuple(f for f in has if f != name)
                may[side] = _with(board.maybe_on(side), name)
        elif change.comes and (not change.on or change.on.intersection(has)):
            may[side] = _with(board.maybe_on(side), name)
    return board.with_cells(board.hexes, sides, board.lines, replace(board.exceptions, sides=may))


def _across(board: Board, change: Change) -> Board:
    name = change.feature
    may, lines = dict(board.exceptions.lines), board.lines
    drawn = {side for line in board.lines if line.kind == name for side in line.edges()}
    if change.goes:
        may.update((side, _with(board.maybe_across(side), name)) for side in drawn)
        gone = tuple(Line(name, side) for side in sorted(drawn))
        lines = lines_after(lines, BoardChange(StepRef(1, 0), gone=gone))
    if change.comes:
        for side in set(board.every_side) - drawn:
            if not change.on or change.on.intersection(board.sides.get(side, ())):
                may[side] = _with(board.maybe_across(side), name)
    return board.with_cells(board.hexes, board.sides, lines, replace(board.exceptions, lines=may))


def _in_hexes(board: Board, change: Change) -> Board:
    name = change.feature
    cells = dict(board.hexes)
    may, levels = dict(board.exceptions.hexes), set(board.exceptions.levels)
    flat = len({board.level_of(n) for n in board.hexes}) < 2
    terrain = any(name in (here.terrain or ()) for here in cells.values())
    for here in board.hexes.values():
        if name in (here.terrain or ()):
            if change.goes:  # it has become another, perhaps at another level
                cells[here.name] = replace(here, terrain=None, level=here.level if flat else None)
                may[here.name] = None
                levels.update(() if flat else (here.name,))
        elif name in here.features:
            if change.goes:
                left = tuple(f for f in here.features if f != name)
                cells[here.name] = replace(here, features=left)
                may[here.name] = _with(board.maybe_in(here.name), name)
        elif change.comes and not terrain and _fits(here, change):
            may[here.name] = _with(board.maybe_in(here.name), name)
    exceptions = replace(board.exceptions, hexes=may, levels=frozenset(levels))
    return board.with_cells(cells, board.sides, board.lines, exceptions)


def _fits(here: Hex, change: Change) -> bool:
    return not change.on or bool(change.on.intersection((*(here.terrain or ()), *here.features)))
