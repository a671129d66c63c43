"""Which cells of the board the audit asks for."""

from __future__ import annotations

from collections.abc import Iterator

from ...model.board import Board
from ...model.finding import Audit
from ...model.vouching import cell_of, side_of
from ..reports.json import unknowns_of
from .board_cells import Plain

_OF_HEX = ("terrain", "level", "features")
_OF_SIDE = {"features": "hexsides", "lines": "lines"}


def asked_for(audit: Audit, board: Board) -> list[Plain]:
    """The cells the audit asks for: first those that decide most moves by themselves, then those for which
    most moves wait."""
    waiting_for: dict[int, set[str]] = {}
    for unknown, moves in unknowns_of(audit).values():
        for move in moves:
            waiting_for.setdefault(move, set()).add(unknown.key)
    found: list[tuple[int, int, Plain]] = []
    for unknown, moves in unknowns_of(audit).values():
        for cell, layer in _cells(unknown.key, board):
            alone = sum(len(waiting_for[move]) == 1 for move in moves)
            said = {"cell": cell, "layer": layer, "question": unknown.question}
            found.append((-alone, -len(moves), {**said, "moves": len(moves)}))
    return [one for _, _, one in sorted(found, key=lambda f: (f[0], f[1], f[2]["cell"]))]


def _cells(key: str, board: Board) -> Iterator[tuple[str, str]]:
    """The cell and layer that a question is about; none where it is about no cell."""
    what, _, rest = key.partition(" ")
    name, _, layer = rest.rpartition(" ")
    if what == "hex" and layer in _OF_HEX and name in board.hexes:
        yield name, layer
    elif what == "hexside" and layer in _OF_SIDE:
        side = side_of(name, board.hexes)
        if side is not None:
            yield cell_of(side), _OF_SIDE[layer]
