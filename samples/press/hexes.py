"""The grid of a sample's board: hex names, pixels and corners.

Columns stand upright, every second one half a hex lower; hexes are called by column and row, two
digits each, from 01: VASSAL's HexGrid with a HexGridNumbering of ``hOff`` and ``vOff`` 1.
"""

from __future__ import annotations

from dataclasses import dataclass

Point = tuple[int, int]


@dataclass(frozen=True)
class Grid:
    """``dx``: pixels from column to column; ``dy``: height of a hex; ``x0``, ``y0``: centre of 0101."""

    columns: int
    rows: int
    dx: int
    dy: int
    x0: int
    y0: int

    @property
    def names(self) -> list[str]:
        return [
            f"{c:02}{r:02}" for c in range(1, self.columns + 1) for r in range(1, self.rows + 1)
        ]

    def centre(self, name: str) -> Point:
        """Where the centre of a hex lies on the board, in pixels."""
        column, row = int(name[:2]) - 1, int(name[2:]) - 1
        return self.x0 + self.dx * column, self.y0 + self.dy * row + (self.dy // 2) * (column % 2)

    def corners(self, name: str) -> list[Point]:
        """The six corners of a hex, clockwise from the upper left."""
        x, y = self.centre(name)
        near, far, half = self.dx // 3, 2 * self.dx // 3, self.dy // 2
        return [(x - near, y - half), (x + near, y - half), (x + far, y), (x + near, y + half),
                (x - near, y + half), (x - far, y)]  # fmt: skip

    def side(self, a: str, b: str) -> tuple[Point, Point]:
        """The two ends of the hexside between neighbours ``a`` and ``b``."""
        (ax, ay), (bx, by) = self.centre(a), self.centre(b)
        corners = self.corners(a)
        if ax == bx:
            return (corners[4], corners[3]) if by > ay else (corners[0], corners[1])
        upper, lower = (corners[1], corners[3]) if bx > ax else (corners[0], corners[4])
        tip = corners[2] if bx > ax else corners[5]
        return (tip, lower) if by > ay else (upper, tip)
