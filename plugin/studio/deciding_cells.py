"""The moves that a look at few cells may decide, and these cells."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from ...model.board import Board, edge
from ...model.finding import JudgedMove
from ...model.game import PhaseRule
from ...model.vouching import cell_of
from ..usable import usable

FEW = 3
"""So many moves are looked after at once."""
ON_THE_WAY = ("hex ", "hexside ", "stop ")
"""How questions begin that a look at the board answers, or that fall away where the way there is legal."""


def deciding_cells(
    board: Board,
    moves: Iterable[JudgedMove],
    phases: Mapping[str, PhaseRule],
    unseen: frozenset[str],
) -> frozenset[str]:
    """The cells on the shortest ways of the open moves that need fewest of them, of those that wait for
    least else (charts, units, phases). ``unseen``: the cells that nobody has looked at."""
    found = []
    for judged in moves:
        rule = phases.get(judged.move.phase.phase or "")
        if judged.verdict != "unverifiable" or rule is None or not rule.complete:
            continue
        cells = _on_shortest(board, judged)
        left = len(cells & unseen)
        if left:
            others = sum(not unknown.key.startswith(ON_THE_WAY) for unknown in judged.unknowns)
            found.append((others, left, judged.move.id, cells))
    found.sort(key=lambda one: one[:3])
    return frozenset(
        cell for others, *_, cells in found[:FEW] if others == found[0][0] for cell in cells
    )


def _on_shortest(board: Board, judged: JudgedMove) -> frozenset[str]:
    names = set(usable(board, (judged,), detour=0))
    sides = (edge(a, b) for a in names for b in board.neighbours(a) if b in names)
    return frozenset((*names, *map(cell_of, sides)))
