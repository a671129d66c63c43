"""Square (rectangular) grids, as SquareGrid computes them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from math import ceil, floor

from .java import Cell, Point, Size, java_round, to_int
from .numbering import Numbering


@dataclass(frozen=True, slots=True)
class SquareGrid:
    """A grid of rectangles ``dx`` × ``dy`` pixels; cell (0, 0) has its centre at (x0, y0).

    ``manhattan``: squares with a corner in common are not adjacent.
    """

    x0: int = 24
    y0: int = 24
    dx: float = 48.0
    dy: float = 48.0
    snap_to: bool = True
    edges_legal: bool = False
    corners_legal: bool = False
    manhattan: bool = False
    numbering: Numbering | None = None
    container: Size = (0, 0)
    names_open: bool = False

    @property
    def kind(self) -> str:
        return "SquareGrid"

    def sized(self, size: Size) -> SquareGrid:
        """The same grid in a container of this size."""
        return replace(self, container=size)

    def raw_index(self, x: int, y: int) -> Cell:
        """Column and row as naming counts them.

        The row is cut toward zero: the row above the origin's is called like it
        (SquareGridNumbering.getRow).
        """
        return (
            floor((x - self.x0) / self.dx + 0.5),
            to_int((y - self.y0) / self.dy + 0.5),
        )

    def numbered(self, cell: Cell) -> Cell:
        """Column and row as the numbering counts them, before its offsets."""
        assert self.numbering is not None
        column, row = cell
        width, height = self.container
        if self.numbering.horizontal.descending:
            column = to_int(width / self.dx + 0.5) - column
        if self.numbering.vertical.descending:
            row = to_int(height / self.dy + 0.5) - row
        return column, row

    def cell_name(self, cell: Cell) -> str | None:
        """Name of a cell as naming counts it; None without numbering, empty if not known."""
        if self.numbering is None:
            return "" if self.names_open else None
        return self.numbering.text(*self.numbered(cell))

    def location_name(self, x: int, y: int) -> str | None:
        """The engine's name of a pixel; None without numbering, empty if not known."""
        return self.cell_name(self.raw_index(x, y))

    def centre(self, cell: Cell) -> Point:
        """Where a piece snapped to this cell lies."""
        return (
            self.x0 + java_round(2 * cell[0] * self.dx / 2),
            self.y0 + java_round(2 * cell[1] * self.dy / 2),
        )

    def named_point(self, cell: Cell) -> Point:
        """The pixel the engine gives for a cell's name (cut, where snapping rounds)."""
        return to_int(cell[0] * self.dx + self.x0), to_int(cell[1] * self.dy + self.y0)

    def cell_at(self, x: int, y: int) -> Cell:
        """The rectangle a pixel lies in."""
        return java_round((x - self.x0) / self.dx), java_round((y - self.y0) / self.dy)

    def snap(self, x: int, y: int, *, force: bool = False, centre: bool = False) -> Point:
        """Where a piece dropped at this pixel comes to lie; see ``Grid.snap``."""
        if not self.snap_to and not force:
            return x, y
        across, down = x - self.x0, y - self.y0
        # counted in half cells: even is a centre, odd an edge
        nx, ny = java_round(across / (0.5 * self.dx)), java_round(down / (0.5 * self.dy))
        if not (self.edges_legal and self.corners_legal):
            if self.corners_legal and not centre:
                nx = (
                    2 * java_round(across / self.dx)
                    if ny % 2 == 0
                    else 1 + 2 * java_round(across / self.dx - 0.5)
                )
            elif self.edges_legal and not centre:
                if ny % 2 or nx % 2 == 0:
                    nx = 2 * java_round(across / self.dx)
            else:
                nx, ny = 2 * java_round(across / self.dx), 2 * java_round(down / self.dy)
        return self.x0 + java_round(nx * self.dx / 2), self.y0 + java_round(ny * self.dy / 2)

    def cells(self) -> Iterator[Cell]:
        """Cells whose rectangle touches the container, column by column."""
        width, height = self.container
        first = floor((0.5 - self.x0) / self.dx + 0.5)
        rows = range(
            floor((0.5 - self.y0) / self.dy + 0.5),
            ceil((height - 0.5 - self.y0) / self.dy + 0.5),
        )
        for column in range(first, ceil((width - 0.5 - self.x0) / self.dx + 0.5)):
            for row in rows:
                yield column, row

    def neighbours(self, cell: Cell) -> tuple[Cell, ...]:
        """Adjacent cells: eight, or the four with a common side."""
        x, y = cell
        sides = ((x, y - 1), (x + 1, y), (x, y + 1), (x - 1, y))
        if self.manhattan:
            return sides
        return (*sides, (x + 1, y - 1), (x + 1, y + 1), (x - 1, y + 1), (x - 1, y - 1))
