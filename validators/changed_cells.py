"""Which cells differ between two boards. On it depends which moves are judged again."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from typing import TypeVar

from ..model.board import Board, Line
from ..model.vouching import cell_of, side_of

Key = TypeVar("Key", bound=Hashable)


def differing_cells(before: Board, now: Board) -> frozenset[str] | None:
    """The cells that differ between two boards: hexes by name, hexsides as ``a/b``. If a line differs, all
    its hexes. None if anything other than cells differs."""
    if before.hexes.keys() != now.hexes.keys():
        return None
    wholly = ("name", "links", "barriers", "complete")
    if any(getattr(before, part) != getattr(now, part) for part in wholly):
        return None
    then, after = before.exceptions, now.exceptions
    hexes = _differing(before.hexes, now.hexes) | _differing(then.hexes, after.hexes)
    sides = _differing(before.sides, now.sides) | _differing(then.sides, after.sides)
    sides |= _differing(then.lines, after.lines)
    lines = set[Line]() if before.lines == now.lines else set(before.lines) ^ set(now.lines)
    return frozenset(
        hexes
        | {cell_of(side) for side in sides}
        | set(then.levels ^ after.levels)
        | {name for line in lines for name in line.hexes}
    )


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
    """Whether the lines that two boards have in common come in the same order, and those that meet no others
    are the same and have the same numbers (by which rules tell them apart)."""
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
