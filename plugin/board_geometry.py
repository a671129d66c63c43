"""Where the hexes and hexsides of a board lie on the pictures of its maps, in pixels."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from math import dist

from ..importers.pack.board import Places
from ..importers.vassal.layout import MapLayout
from ..model.board import Board, Edge, edge

Point = tuple[float, float]
Corners = tuple[Point, ...]
TOUCHING = 0.35
"""Two hexes touch if the middle of a side is within this fraction of the radius from the middle between their
centres."""


@dataclass(frozen=True, slots=True)
class HexShape:
    """A hex on a picture: its ``centre`` and its six ``corners`` in order round it, in pixels."""

    name: str
    centre: Point
    corners: Corners

    def side(self, number: int) -> tuple[Point, Point]:
        """The ends of a side; 0 lies between the first two corners."""
        return self.corners[number], self.corners[(number + 1) % len(self.corners)]

    def middle(self, number: int) -> Point:
        """The middle of a side."""
        return _between(*self.side(number))

    @property
    def radius(self) -> float:
        """The greatest distance from the centre to a corner."""
        return max(dist(self.centre, corner) for corner in self.corners)


@dataclass(frozen=True, slots=True)
class SideShape:
    """A hexside on a picture, from corner to corner, in pixels."""

    side: Edge
    start: Point
    end: Point


@dataclass(frozen=True, slots=True)
class MapShape:
    """A map that is played on: its name in the module, its picture's size in pixels, and its hexes and sides.
    A hex in an overlap of sheets occurs more than once."""

    map: str
    width: int
    height: int
    hexes: tuple[HexShape, ...]
    sides: tuple[SideShape, ...]


def shapes_of(
    board: Board, places: Places, layouts: Mapping[str, MapLayout]
) -> tuple[MapShape, ...]:
    """The maps that a board is played on, in the order of its sheets."""
    on: dict[str, list[HexShape]] = {}
    for map_name, place, name in places.homes():
        corners = layouts[map_name].corners(place)
        if corners:
            on.setdefault(map_name, []).append(HexShape(name, _middle(corners), corners))
    sides = _sides(board, on)
    return tuple(
        MapShape(name, *layouts[name].size, tuple(hexes), tuple(sides.get(name, ())))
        for name, hexes in on.items()
    )


def _sides(board: Board, on: Mapping[str, list[HexShape]]) -> dict[str, list[SideShape]]:
    """The hexsides on each map: where two hexes touch; if joined hexes lie apart, one at each of them."""
    at: dict[str, list[tuple[str, HexShape]]] = {}
    for map_name, shapes in on.items():
        for shape in shapes:
            at.setdefault(shape.name, []).append((map_name, shape))
    found: dict[str, list[SideShape]] = {}
    apart: list[Edge] = []
    taken: dict[str, set[int]] = {}
    for name in at:
        for near in board.neighbours(name):
            side = edge(name, near)
            if side[0] != name or near not in at:
                continue
            touching = list(_touching(at[name], at[near]))
            for map_name, number, shape, other in touching:
                taken.setdefault(name, set()).add(number)
                taken.setdefault(near, set()).add(_nearest(other, shape.middle(number)))
                found.setdefault(map_name, []).append(SideShape(side, *shape.side(number)))
            if not touching:
                apart.append(side)
    for side in apart:
        for here, there in (side, side[::-1]):
            map_name, shape = at[here][0]
            number = _free(shape, at[there][0][1].centre, taken.setdefault(here, set()))
            taken[here].add(number)
            found.setdefault(map_name, []).append(SideShape(side, *shape.side(number)))
    return found


def _touching(
    these: list[tuple[str, HexShape]], others: list[tuple[str, HexShape]]
) -> Iterator[tuple[str, int, HexShape, HexShape]]:
    """Map, side number and shapes for each pair of touching hexes."""
    for map_name, shape in these:
        for other_map, other in others:
            if other_map != map_name:
                continue
            midway = _between(shape.centre, other.centre)
            number = _nearest(shape, midway)
            if dist(shape.middle(number), midway) <= TOUCHING * shape.radius:
                yield map_name, number, shape, other


def _nearest(shape: HexShape, point: Point) -> int:
    return min(range(len(shape.corners)), key=lambda number: dist(shape.middle(number), point))


def _free(shape: HexShape, towards: Point, taken: set[int]) -> int:
    """The side of a hex nearest to a point that touches no other hex; any side if all do."""
    numbers = [n for n in range(len(shape.corners)) if n not in taken] or range(len(shape.corners))
    return min(numbers, key=lambda number: dist(shape.middle(number), towards))


def _between(one: Point, other: Point) -> Point:
    return (one[0] + other[0]) / 2, (one[1] + other[1]) / 2


def _middle(corners: Corners) -> Point:
    xs, ys = zip(*corners, strict=True)
    return sum(xs) / len(xs), sum(ys) / len(ys)
