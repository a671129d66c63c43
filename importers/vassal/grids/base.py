"""Words that all grids share."""

from __future__ import annotations

from enum import Enum
from typing import TypeAlias

Cell: TypeAlias = tuple[int, int]
"""Raw column and row of a regular grid, independent of numbering; regions are (index, 0)."""


class Snapping(Enum):
    """How a pixel finds its hex: by the true hexagon since VASSAL 3.7, by a rectangle before."""

    HEXAGON = "3.7"
    RECTANGLE = "3.6"
