"""Outlines of hexes, worked out from where their centres lie, however the grid is turned or stretched."""

from __future__ import annotations

from collections.abc import Mapping
from math import sqrt

from ...model.hexgrid import DIRECTIONS, Axial
from .map_scene import Corners, Point

REGULAR = 40.0
"""Pixels from the centre to a corner where nothing says how big a hex is."""


def regular_centre(at: Axial) -> Point:
    """The centre of a hex on a regular grid of upright columns."""
    return REGULAR * 1.5 * at.q, REGULAR * sqrt(3) * (at.r + at.q / 2)


def corners_of(centres: Mapping[Axial, Point]) -> Corners:
    """The outline of the hexes of a sheet with these centres: each corner is the middle of three
    centres that meet there. A direction in which no two hexes lie is made from the two beside it."""
    towards = _towards(centres)
    found = []
    for i in range(6):
        (ax, ay), (bx, by) = towards[i - 1], towards[i]
        found.append((round((ax + bx) / 3, 2), round((ay + by) / 3, 2)))
    return found[0], found[1], found[2], found[3], found[4], found[5]


def _towards(centres: Mapping[Axial, Point]) -> list[Point]:
    """Centre to centre, for each of the six directions."""
    known: list[Point | None] = [None] * 6
    for i in range(3):
        dq, dr = DIRECTIONS[i]
        for at, (x, y) in centres.items():
            other = centres.get(Axial(at.q + dq, at.r + dr))
            if other is not None:
                known[i] = (other[0] - x, other[1] - y)
                known[i + 3] = (x - other[0], y - other[1])
                break
    for _ in range(2):
        for i in range(6):
            before, after = known[i - 1], known[(i + 1) % 6]
            if known[i] is None and before is not None and after is not None:
                known[i] = (before[0] + after[0], before[1] + after[1])
                known[(i + 3) % 6] = (-before[0] - after[0], -before[1] - after[1])
    return [
        point if point is not None else regular_centre(DIRECTIONS[i])
        for i, point in enumerate(known)
    ]
