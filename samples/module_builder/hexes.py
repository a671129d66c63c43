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

    def scaled(self, times: int) -> Grid:
        """The same grid on a larger board."""
        sizes = (times * size for size in (self.dx, self.dy, self.x0, self.y0))
        return Grid(self.columns, self.rows, *sizes)

    def neighbours(self, name: str) -> list[str]:
        """The hexes next to one, clockwise from the top, those off the board left out."""
        column, row = int(name[:2]), int(name[2:])
        low = 1 - column % 2
        steps = ((0, -1), (1, low - 1), (1, low), (0, 1), (-1, low), (-1, low - 1))
        around = ((column + across, row + down) for across, down in steps)
        return [
            f"{c:02}{r:02}" for c, r in around if 1 <= c <= self.columns and 1 <= r <= self.rows
        ]

    def way(self, here: str, there: str) -> list[str]:
        """The hexes from one to another, as straight as it goes, both ends among them."""
        found = [here]
        goal_x, goal_y = self.centre(there)
        while found[-1] != there:
            near = []
            for name in self.neighbours(found[-1]):
                x, y = self.centre(name)
                near.append(((goal_x - x) ** 2 + (goal_y - y) ** 2, -int(name), name))
            found.append(min(near)[2])
        return found

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
