"""Grids of a board: hexes, squares, regions, zones, and their numbering.

All points are board-local pixels, ``(x, y)`` with y downwards. Every grid has ``kind`` (the engine's
class name), ``location_name(x, y)``, ``snap(x, y)`` and ``sized(size)``; all but zoned grids have
cells: ``cells``, ``cell_at``, ``cell_name``, ``centre``, ``named_point``,
``neighbours``. A name is None if the place has none, and empty if it is not known, because an expression or
code of the module's own (``names_open``) makes it.
"""

from .hexgrid import HexGrid
from .java import Cell, Point, Size
from .numbering import Axis, Claim, Count, Numbering
from .regiongrid import Region, RegionGrid
from .squaregrid import SquareGrid
from .zonedgrid import BoardGrid, CellGrid, Zone, ZonedGrid

__all__ = [
    "Axis", "BoardGrid", "Cell", "CellGrid", "Claim", "Count", "HexGrid", "Numbering", "Point",
    "Region", "RegionGrid", "Size", "SquareGrid", "Zone", "ZonedGrid",
]  # fmt: skip
