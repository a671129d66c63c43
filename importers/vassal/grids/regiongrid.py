"""Region grids: named points; a pixel belongs to the nearest."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from .java import Cell, Point, Size, hash_map_order


@dataclass(frozen=True, slots=True)
class Region:
    """A named point of a region grid (board-local pixels)."""

    name: str
    x: int
    y: int


@dataclass(frozen=True, slots=True)
class RegionGrid:
    """Regions in document order. A later region at the same pixel replaces the earlier.

    ``walk`` is the order in which the engine looks through them (it decides ties of distance, and
    names that occur twice); cell (i, 0) is ``walk[i]``.
    """

    regions: tuple[Region, ...]
    snap_to: bool = True
    names_open: bool = False
    walk: tuple[Region, ...] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        at = {(region.x, region.y): region for region in self.regions}
        object.__setattr__(self, "walk", tuple(at[point] for point in hash_map_order(at)))

    @property
    def kind(self) -> str:
        return "RegionGrid"

    def sized(self, size: Size) -> RegionGrid:
        """The grid itself: regions do not depend on the board's size."""
        return self

    def cell_at(self, x: int, y: int) -> Cell | None:
        """Index of the nearest region; None if there is none."""
        best, nearest = None, -1
        for i, region in enumerate(self.walk):
            squared = (x - region.x) ** 2 + (y - region.y) ** 2
            if best is None or squared < nearest:
                best, nearest = i, squared
        return None if best is None else (best, 0)

    def cell_name(self, cell: Cell) -> str | None:
        """Name of a region, empty if not known."""
        return "" if self.names_open else self.walk[cell[0]].name

    def location_name(self, x: int, y: int) -> str | None:
        """Name of the nearest region; None if there is none."""
        cell = self.cell_at(x, y)
        return None if cell is None else self.cell_name(cell)

    def centre(self, cell: Cell) -> Point:
        """The region's point."""
        region = self.walk[cell[0]]
        return region.x, region.y

    named_point = centre

    def snap(self, x: int, y: int, *, force: bool = False, centre: bool = False) -> Point:
        """The nearest region's point, if the grid snaps; see ``Grid.snap``."""
        cell = self.cell_at(x, y) if self.snap_to or force else None
        return (x, y) if cell is None else self.centre(cell)

    def region(self, name: str) -> Region | None:
        """The region of this name; the engine's first where names repeat."""
        return next((region for region in self.walk if region.name == name), None)

    def cells(self) -> Iterator[Cell]:
        """All regions."""
        return ((i, 0) for i in range(len(self.walk)))

    def neighbours(self, cell: Cell) -> tuple[Cell, ...]:
        """None: the engine knows no adjacency of regions."""
        return ()
