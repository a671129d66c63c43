"""Lines that stop short: hexes in which a road ends although it looks as if it went on.

A line may end in a town, where it meets another kind of line, or at the edge of the map. Anywhere else it is
likelier that a crossing was missed, or that one was drawn that is not there.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Set
from typing import TypeVar

from ..suggest.cells import Side

GOAL = 0.5
"""A kind of which at least this share has a line is one that lines lead to: towns, bridges."""
FEWEST = 3
"""So many of a kind must have a line before the share counts."""

Cell = TypeVar("Cell", str, Side)


def led_to(kinds: Mapping[Cell, str], with_line: Set[Cell]) -> frozenset[Cell]:
    """The hexes, or hexsides, of those kinds that have a line more often than not. ``kinds``: the kind of
    each; ``with_line``: those that have one."""
    every = Counter(kinds.values())
    met = Counter(kind for cell, kind in kinds.items() if cell in with_line)
    goals = {kind for kind, n in met.items() if n >= FEWEST and n >= GOAL * every[kind]}
    return frozenset(cell for cell, kind in kinds.items() if kind in goals)


def stops_short(
    neighbours: Mapping[str, tuple[str, ...]],
    steps: Set[Side],
    goals: Set[str],
    crossings: Set[Side] = frozenset(),
) -> list[Side]:
    """The hexsides across which a line of one kind may go on, those with a reason first.

    ``steps``: the hexsides it crosses; ``goals``: hexes it may lead to; ``crossings``: hexsides with a bridge
    or the like. Where a line ends beside a goal, a crossing, or another part of itself, these hexsides are
    the answer; where it ends in the open, all others of its last hex are.
    """
    known = {frozenset(step) for step in steps}
    bridged = {frozenset(side) for side in crossings}
    joined: dict[str, set[str]] = {}
    for a, b in steps:
        joined.setdefault(a, set()).add(b)
        joined.setdefault(b, set()).add(a)
    likely: dict[frozenset[str], Side] = {}
    open_end: dict[frozenset[str], Side] = {}
    for end, before in sorted(joined.items()):
        around = neighbours[end]
        if len(before) != 1 or end in goals or len(around) < 6:
            continue
        (last,) = before
        rest = [near for near in around if near != last and frozenset((end, near)) not in known]
        short = [
            near
            for near in rest
            if near in goals
            or frozenset((end, near)) in bridged
            or (near in joined and near not in neighbours[last])
        ]
        for near in short or rest:
            (likely if short else open_end).setdefault(frozenset((end, near)), (end, near))
    return [*likely.values(), *(side for key, side in open_end.items() if key not in likely)]
