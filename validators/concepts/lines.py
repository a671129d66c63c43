"""Which lines cross a hexside, and the names of missing facts about hexes and hexsides."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator
from typing import NamedTuple

from ...model.board import NONE, Board, Edge, Line, edge, may_be

_MEETING = "+"
"""The node of all lines with junctions."""


class RoadOver(NamedTuple):
    """A road across a hexside. ``sure``: it is certainly there. ``node``: the same for all lines that meet
    each other; None: not known."""

    kind: str
    sure: bool
    node: Hashable


def roads_over(board: Board, side: Edge, kinds: Iterable[str], paths: bool) -> Iterator[RoadOver]:
    """The roads of ``kinds`` across a hexside: those drawn and, if not all its lines are known, those that
    may be there. ``paths``: tags tell roads apart, so there may be a second road of a kind already drawn."""
    known = dict.fromkeys(kinds)
    found: dict[tuple[str, Hashable], None] = {}
    for line in board.lines_by_edge.get(side, ()):
        if line.kind in known:
            found[line.kind, _node(board, line)] = None
    for kind, node in found:
        yield RoadOver(kind, True, node)
    maybe = board.maybe_across(side)
    if maybe == NONE:
        return
    there = {kind for kind, _ in found}
    for kind in known:
        if may_be(kind, maybe) and (kind not in there or paths):
            yield RoadOver(kind, False, None)


def about_side(side: Edge) -> tuple[str, ...]:
    """The name, for :func:`.missing_facts.of_board`, of unknown features of a hexside."""
    return ("hexside", *side)


def about_lines(here: str, to: str) -> tuple[str, ...]:
    """The name of unknown lines across a hexside."""
    return ("line", here, to)


def about_lines_in(board: Board, name: str) -> tuple[str, ...]:
    """The name of unknown lines through a hex: those across its first hexside whose lines are not known."""
    near = board.neighbours(name)
    open_sides = (to for to in near if not board.lines_known(edge(name, to)))
    to = next(open_sides, near[0] if near else name)
    return about_lines(name, to)


def about_hex(board: Board, name: str) -> tuple[str, ...]:
    """The name of the unknown terrain of a hex or, if its terrain is known, of the features it may have."""
    if board.hexes[name].terrain is None:
        return ("terrain", name)
    return ("features", name, *sorted(board.maybe_in(name) or ()))


def _node(board: Board, line: Line) -> Hashable:
    """The node of a line: one for all lines with junctions, else one of its own."""
    return _MEETING if line.junctions else board.lines.index(line)
