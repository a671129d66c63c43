"""Places by name: every cell of a layout is named, and names are looked up."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeVar

from ...model.problem import Unreadable
from .grids import CellGrid, Point, RegionGrid, Zone, ZonedGrid
from .layout import MapLayout, Place

T = TypeVar("T")

CELLS_A_PLACE = 20
"""The most cells of one map that are searched for names, per place that it may have. Cells of zones count
again. A board of forged size could have millions."""


@dataclass(frozen=True, slots=True)
class NamedPlace:
    """A place that has a name.

    ``point`` is the map pixel the engine gives for the name (it can lie a pixel off ``centre``,
    where pieces come to lie). ``place`` is None for a zone that is named as a whole.
    ``dependable``: the engine names ``point`` by this very name; else the point lies off the board,
    outside the zone, or nearer to another cell by the rule of names.
    """

    name: str
    board: int
    place: Place | None
    point: Point
    centre: Point
    dependable: bool


class Gazetteer:
    """All names of a layout. Built by naming every cell, not by parsing names.

    The engine's own parser splits some names without separator at the wrong place, and is one row off on
    descending, staggered grids; this class is not.
    """

    def __init__(self, layout: MapLayout) -> None:
        self._by_name: dict[str, list[NamedPlace]] = {}
        for found in named_places(layout):
            self._by_name.setdefault(found.name, []).append(found)

    def places(self, name: str) -> tuple[NamedPlace, ...]:
        """The dependable places of this name, or all if none is dependable."""
        found = self._by_name.get(name, [])
        return tuple(place for place in found if place.dependable) or tuple(found)


def named_places(layout: MapLayout, board: str | None = None) -> Iterator[NamedPlace]:
    """Every named cell and zone of the boards in use, or of those called ``board``; zones before the
    background, as named. Raises ``Unreadable`` where a map has more than its ``most_places``.
    """
    return bounded(_named_places(layout, board, Count()), "named places", layout)


def bounded(
    found: Iterator[T], what: str, layout: MapLayout, *, times: int = 1, count: Count | None = None
) -> Iterator[T]:
    """``found``; raises ``Unreadable`` once there are more than ``times`` the places that the map may have.
    Several calls may share a ``count``."""
    count, most = count or Count(), times * layout.definition.most_places
    for one in found:
        count.so_far += 1
        if count.so_far > most:
            raise Unreadable(
                f"there are more than {most:,} {what}",
                where=f"map {layout.definition.identifier}",
                expected="a board and cells of sensible size",
                hint="raise the limit on values, and with it that on places, if the module is to be trusted",
            )
        yield one


@dataclass(slots=True)
class Count:
    """How many there were so far."""

    so_far: int = 0


def _named_places(layout: MapLayout, only: str | None, looked_at: Count) -> Iterator[NamedPlace]:
    for number, board in enumerate(layout.boards):
        if only is not None and board.name != only:
            continue
        if isinstance(board.grid, ZonedGrid):
            for index, zone in enumerate(board.grid.zones):
                yield from _in_zone(layout, number, board.grid, index, zone, looked_at)
            background = board.grid.background
        else:
            background = board.grid
        if background is not None:
            yield from _in_grid(layout, number, background, looked_at)


def _looked_at(found: Iterator[T], layout: MapLayout, count: Count) -> Iterator[T]:
    return bounded(found, "cells", layout, times=CELLS_A_PLACE, count=count)


def _in_grid(
    layout: MapLayout, number: int, grid: CellGrid, looked_at: Count
) -> Iterator[NamedPlace]:
    for cell in _looked_at(grid.cells(), layout, looked_at):
        name = grid.cell_name(cell)
        if name:
            place = Place(number, None, *cell)
            yield _named(layout, name, place, grid)


def _in_zone(
    layout: MapLayout, number: int, zoned: ZonedGrid, index: int, zone: Zone, looked_at: Count
) -> Iterator[NamedPlace]:
    grid = zoned.grid_of(zone)
    if grid is None or "gridLocation" not in zone.location_format.names:
        yield from _whole_zone(layout, number, zoned, zone)
        return
    own = None if zone.use_parent_grid else index
    for cell in _looked_at(_cells_of_zone(grid, zone), layout, looked_at):
        if zone.contains(*grid.named_point(cell)):
            name = zoned.zone_name(zone, grid.cell_name(cell))
            if name:
                yield _named(layout, name, Place(number, own, *cell), grid)


def _cells_of_zone(grid: CellGrid, zone: Zone) -> Iterator[tuple[int, int]]:
    """Cells that may lie in a zone. Its box may begin anywhere on the board."""
    if isinstance(grid, RegionGrid) or not zone.path:
        return grid.cells()
    right, bottom = (max(axis) for axis in zip(*zone.path, strict=True))
    return grid.sized((right, bottom)).cells()


def _whole_zone(
    layout: MapLayout, number: int, zoned: ZonedGrid, zone: Zone
) -> Iterator[NamedPlace]:
    """A zone with one name; nothing if neither its middle nor its first vertex is in it."""
    name, middle = zoned.zone_name(zone, None), zone.middle()
    if name and zone.contains(*middle):
        point = layout.boards[number].on_map(middle)
        same = layout.location_name(*point) == name
        yield NamedPlace(name, number, None, point, point, same)


def _named(layout: MapLayout, name: str, place: Place, grid: CellGrid) -> NamedPlace:
    board, cell = layout.boards[place.board], (place.column, place.row)
    point, centre = board.on_map(grid.named_point(cell)), board.on_map(grid.centre(cell))
    same = layout.location_name(*point) == name
    return NamedPlace(name, place.board, place, point, centre, same)
