"""Which hexes of a board moves could use."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterable

from ..model.board import Board
from ..model.finding import JudgedMove

DETOUR = 2
"""A move could use the hexes on ways so many hexes longer than the shortest one."""
FARTHEST = 60
"""Hexes between where a move began and where it ended, beyond which no ways are looked at."""


def usable(board: Board, moves: Iterable[JudgedMove], detour: int = DETOUR) -> Counter[str]:
    """The hexes on any way of a move that is hardly longer than the shortest, at most ``detour`` hexes, each
    with how many moves."""
    ends = Counter((m.move.origin.name, m.move.target.name) for m in moves)
    found: Counter[str] = Counter()
    for (origin, target), number in ends.items():
        found.update(dict.fromkeys(_between(board, origin, target, detour), number))
    return found


def _between(board: Board, origin: str, target: str, detour: int = DETOUR) -> set[str]:
    """The hexes on any way between two hexes that is hardly longer than the shortest."""
    if origin not in board.hexes or target not in board.hexes:
        return set()
    there = _distances(board, origin, FARTHEST, target)
    if target not in there:
        return {origin, target}
    most = there[target] + detour
    back = _distances(board, target, most)
    out = _distances(board, origin, most)
    return {name for name, far in out.items() if name in back and far + back[name] <= most}


def _distances(board: Board, start: str, most: int, until: str = "") -> dict[str, int]:
    found, todo = {start: 0}, deque([start])
    while todo and until not in found:
        here = todo.popleft()
        if found[here] < most:
            for near in board.neighbours(here):
                if near not in found:
                    found[near] = found[here] + 1
                    todo.append(near)
    return found
