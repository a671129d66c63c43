"""Which cells of two boards differ: what is judged again rests on it."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from typing import TypeVar

from ..model.board import Board
from ..model.vouching import cell_of, side_of

Key = TypeVar("Key", bound=Hashable)


def differing_cells(before: Board, now: Board) -> frozenset[str] | None:
    """The cells that differ between two boards; None if more than single cells differs."""
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
    """The hexes out of which a step may be another on one board than on the other: those of a cell that
    differs, and those next to them. None: it may be so of any hex."""
    may, might = before.exceptions.lines, now.exceptions.lines
    if before.lines != now.lines or may != might or before.all_sides_known != now.all_sides_known:
        return None
    cells = differing_cells(before, now)
    if cells is None:
        return None
    hexes = frozenset[str]().union(*(hexes_at(cell, now.hexes) for cell in cells))
    return hexes.union(*(now.neighbours(name) for name in hexes))


def hexes_at(cell: str, hexes: Mapping[str, object]) -> frozenset[str]:
    """The hex that a cell is, or the two that it lies between (their names may have strokes too)."""
    names = (cell, *(side_of(cell, hexes) or cell.split("/")))
    return frozenset(name for name in names if name in hexes)


def _differing(before: Mapping[Key, object], now: Mapping[Key, object]) -> set[Key]:
    if before is now:
        return set()
    missing = object()
    found = before.keys() ^ now.keys()
    for name, value in now.items():
        old = before.get(name, missing)
        if old is not value and old != value:
            found.add(name)
    return found
