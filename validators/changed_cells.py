"""Which cells differ between two boards. On it depends which moves are judged again."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from typing import TypeVar

from ..model.board import Board
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
    lines = set(before.lines) ^ set(now.lines)
    return frozenset(
        hexes
        | {cell_of(side) for side in sides}
        | set(then.levels ^ after.levels)
        | {name for line in lines for name in line.hexes}
    )


def unlike(before: Board, now: Board) -> frozenset[str] | None:
    """The hexes from which steps may differ between two boards: the hexes of cells that differ, and their
    neighbours. None if steps may differ anywhere."""
    may, might = before.exceptions.lines, now.exceptions.lines
    if before.lines != now.lines or may != might or before.all_sides_known != now.all_sides_known:
        return None
    cells = differing_cells(before, now)
    if cells is None:
        return None
    hexes = frozenset[str]().union(*(hexes_at(cell, now.hexes) for cell in cells))
    return hexes.union(*(now.neighbours(name) for name in hexes))


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
