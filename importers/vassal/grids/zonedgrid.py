"""Zoned grids: polygons, each with a grid of its own or the background's."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TypeAlias

from ..formats import Format, parse_format
from .hexgrid import HexGrid
from .java import Point, Size, bounding_size, polygon_contains, quotient
from .regiongrid import RegionGrid
from .squaregrid import SquareGrid

CellGrid: TypeAlias = HexGrid | SquareGrid | RegionGrid


@dataclass(frozen=True, slots=True)
class Zone:
    """A named polygon (board-local pixels, vertices in order).

    ``location_format`` may use name and gridLocation. ``grid`` is the zone's own.
    """

    name: str
    path: tuple[Point, ...]
    location_format: Format = field(default_factory=lambda: parse_format("$name$"))
    use_parent_grid: bool = False
    grid: CellGrid | None = None
    _box: tuple[int, int, int, int] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        xs, ys = [x for x, _ in self.path] or [0], [y for _, y in self.path] or [0]
        object.__setattr__(self, "_box", (min(xs), min(ys), max(xs), max(ys)))
        if self.grid is not None:
            # descending numbers of a zone's own grid count from the zone's bounding box
            object.__setattr__(self, "grid", self.grid.sized(bounding_size(self.path)))

    def contains(self, x: int, y: int) -> bool:
        """Whether the pixel lies in the polygon (java.awt.Polygon's rule)."""
        left, top, right, bottom = self._box
        return left <= x < right and top <= y < bottom and polygon_contains(self.path, x, y)

    def middle(self) -> Point:
        """Mean of the vertices, or the first vertex if that lies outside (Zone.getLocation)."""
        count = len(self.path)
        if not count:
            return (0, 0)
        x = quotient(sum(x for x, _ in self.path), count)
        y = quotient(sum(y for _, y in self.path), count)
        return (x, y) if self.contains(x, y) else self.path[0]


@dataclass(frozen=True, slots=True)
class ZonedGrid:
    """Zones in document order, over at most one background grid."""

    zones: tuple[Zone, ...]
    background: CellGrid | None = None

    @property
    def kind(self) -> str:
        return "ZonedGrid"

    def sized(self, size: Size) -> ZonedGrid:
        """The same on a board of another size; the zones' own grids keep theirs."""
        if self.background is None:
            return self
        return replace(self, background=self.background.sized(size))

    def zone_at(self, x: int, y: int) -> Zone | None:
        """The first zone that contains the pixel."""
        return next((zone for zone in self.zones if zone.contains(x, y)), None)

    def grid_of(self, zone: Zone | None) -> CellGrid | None:
        """The grid in force in a zone (None: outside all zones)."""
        return self.background if zone is None or zone.use_parent_grid else zone.grid

    def zone_name(self, zone: Zone, grid_location: str | None) -> str:
        """A location's name inside a zone; empty if it, or the ``grid_location`` it uses, is not known."""
        form = zone.location_format
        if grid_location == "" and "gridLocation" in form.names:
            return ""
        return form.render({"name": zone.name, "gridLocation": grid_location}) or ""

    def location_name(self, x: int, y: int) -> str | None:
        """Name by the first zone here, else by the background; None if neither gives one."""
        zone = self.zone_at(x, y)
        grid = self.grid_of(zone)
        inner = None if grid is None else grid.location_name(x, y)
        return inner if zone is None else self.zone_name(zone, inner)

    def snap(self, x: int, y: int, *, force: bool = False, centre: bool = False) -> Point:
        """Snap by the grid in force here; see ``Grid.snap``."""
        grid = self.grid_of(self.zone_at(x, y))
        if grid is None:
            return x, y
        return grid.snap(x, y, force=force, centre=centre)


BoardGrid: TypeAlias = HexGrid | SquareGrid | RegionGrid | ZonedGrid
