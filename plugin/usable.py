"""Which hexes of a board moves could use."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterable

from ..model.board import Board
from ..model.finding import JudgedMove

DETOUR = 2
"""A move could use hexes on paths up to this many hexes longer than the shortest."""
FARTHEST = 60
"""Paths are searched only if a move's beginning and end are at most this many hexes apart."""


def usable(board: Board, moves: Iterable[JudgedMove], detour: int = DETOUR) -> Counter[str]:
    """The hexes on any path of a move that is at most ``detour`` hexes longer than the shortest, each with
    its number of moves."""
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
