"""A tree of rectangles that finds the board at a pixel, for maps with thousands of boards."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

Box = tuple[int, int, int, int]
"""Left, top, right, bottom; the latter two lie outside."""
_LEAF = 8


class _Node(NamedTuple):
    """``first``: the lowest number below this node. A leaf has a number for each of its ``boxes``."""

    box: Box
    first: int
    below: tuple[_Node, ...]
    boxes: tuple[Box, ...]
    numbers: tuple[int, ...]


class BoardFinder:
    """Finds the first of some rectangles that holds a pixel."""

    def __init__(self, boxes: Sequence[Box]) -> None:
        self._root = _node(boxes, range(len(boxes)), 0) if boxes else None

    def first_at(self, x: int, y: int) -> int | None:
        """Number of the first that holds it, from 0; None if none does."""
        found: int | None = None
        open_nodes = [self._root] if self._root is not None else []
        while open_nodes:
            node = open_nodes.pop()
            if (found is not None and node.first > found) or not _holds(node.box, x, y):
                continue
            open_nodes.extend(node.below)
            for box, number in zip(node.boxes, node.numbers, strict=True):
                if (found is None or number < found) and _holds(box, x, y):
                    found = number
        return found


def _node(boxes: Sequence[Box], numbers: Sequence[int], axis: int) -> _Node:
    """A tree of boxes, halved by their middles along both axes in turn. Lower numbers are searched first."""
    own = [boxes[number] for number in numbers]
    lefts, tops, rights, bottoms = zip(*own, strict=True)
    box, first = (min(lefts), min(tops), max(rights), max(bottoms)), min(numbers)
    if len(numbers) <= _LEAF:
        return _Node(box, first, (), tuple(own), tuple(numbers))
    ordered = sorted(numbers, key=lambda n: (boxes[n][axis] + boxes[n][axis + 2], n))
    middle = len(ordered) // 2
    halves = [_node(boxes, half, 1 - axis) for half in (ordered[:middle], ordered[middle:])]
    return _Node(box, first, tuple(sorted(halves, key=lambda h: -h.first)), (), ())


def _holds(box: Box, x: int, y: int) -> bool:
    return box[0] <= x < box[2] and box[1] <= y < box[3]
