"""Grids of a board: hexes, squares, regions, zones, and their numbering."""

from .base import Cell, Grid, Snapping
from .java import Point, Size

__all__ = ["Cell", "Grid", "Point", "Size", "Snapping"]
