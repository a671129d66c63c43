"""A board reduced to the facts that a person has looked at.

If a pack keeps records, facts that a program saw or that were stated for the whole board at once may clear a
move, but never support an accusation. Here such facts are not known, whether they say that something is there
or that nothing is.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import replace

from .board import Board, Exceptions, edge
from .boards import BoardChange
from .provenance import Key, Method, Record
from .vouching import cell_of, values_of, vouched

_SEEN = Record(Key("", "terrain"), "", "looked-at", ("somebody",), "", Method("person", "seen"))


def board_as_seen(board: Board, seen: Collection[Key]) -> Board:
    """``board`` on which only those of its known facts that are among ``seen`` are known."""
    held = {key: _SEEN for key in values_of(board) if key in seen}
    return vouched(board, held, required=True, void=False)[0]


def change_as_seen(change: BoardChange, seen: Collection[Key]) -> BoardChange:
    """A change of the board in play in which cells not among ``seen`` are open."""
    may = change.exceptions
    on_sides, across = dict(may.sides), dict(may.lines)
    hexes, sides = [], dict(change.sides)
    for here in change.hexes:
        if not _is_seen(here.name, ("terrain", "features"), seen):
            here = replace(here, terrain=None, level=None, features=())
        elif not _is_seen(here.name, ("level",), seen):
            here = replace(here, level=None)
        hexes.append(here)
    for side in change.sides:
        if not _is_seen(cell_of(side), ("hexsides",), seen):
            sides[side], on_sides[side] = (), None
    for side in change.touched_sides():
        if not _is_seen(cell_of(side), ("lines",), seen):
            across[side] = None
    told = Exceptions(may.hexes, on_sides, across, may.levels)
    return replace(change, hexes=tuple(hexes), sides=sides, exceptions=told)


def _is_seen(cell: str, layers: Iterable[str], seen: Collection[Key]) -> bool:
    return all((cell, layer, "") in seen for layer in layers)


def cells_of_look(board: Board, hexes: Iterable[str]) -> frozenset[str]:
    """The cells that one look at a cut-out of ``hexes`` covers: these hexes and all their hexsides."""
    names = frozenset(hexes)
    sides = (edge(name, near) for name in names for near in board.neighbours(name))
    return names.union(map(cell_of, sides))
