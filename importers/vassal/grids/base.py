"""What every grid can tell about a board's pixels, and the rule set for snapping."""

from __future__ import annotations

from collections.abc import Iterator
from enum import Enum
from typing import Protocol, TypeAlias

from .java import Point, Size

Cell: TypeAlias = tuple[int, int]
"""Raw column and row of a regular grid, independent of numbering; regions are (index, 0)."""


class Snapping(Enum):
    """How a pixel finds its hex. VASSAL tests the true hexagon since 3.7, before the rectangle."""

    HEXAGON = "3.7"
    RECTANGLE = "3.6"


class Grid(Protocol):
    """A grid laid over a board (or a zone of it). All points are board-local pixels.

    ``kind`` is the engine's class name without package (``HexGrid``).
    """

    @property
    def kind(self) -> str: ...

    def sized(self, size: Size) -> Grid:
        """The same grid in a container of another size (descending numbers depend on it)."""

    def location_name(self, x: int, y: int) -> str | None:
        """The engine's name of this pixel, None where the grid gives no name."""

    def snap(
        self,
        x: int,
        y: int,
        *,
        force: bool = False,
        centre: bool = False,
        snapping: Snapping = Snapping.HEXAGON,
    ) -> Point:
        """Where a piece dropped here comes to lie.

        ``force``: even if the grid does not snap; ``centre``: no edges, no corners.
        """

    def cells(self) -> Iterator[tuple[Cell, Point]]:
        """Every cell whose centre lies in the container, with its centre, column by column."""

    def cell_at(self, x: int, y: int) -> Cell | None:
        """The cell that holds this pixel, by its true shape; None where there is none."""

    def centre(self, cell: Cell) -> Point:
        """Centre of a cell."""

    def neighbours(self, cell: Cell) -> tuple[Cell, ...]:
        """Adjacent cells, on the board or not; none on grids without adjacency."""

    def distance(self, a: Point, b: Point) -> int:
        """Range between two pixels in cells (pixels where the grid has no cells)."""
