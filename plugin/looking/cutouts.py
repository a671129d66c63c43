"""Parts of a map picture for a person to look at: single cells, many of them on a sheet, or an area."""

from __future__ import annotations

import io
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt
from PIL import Image, ImageDraw

from ...model.board import edge
from ...model.vouching import cell_of
from ..suggest.cells import Cells, Edge
from .ground import Ground

COLUMNS = 10
"""Number of cut-outs in a row of a sheet."""
SMALLEST, LARGEST = 40, 240
"""Bounds for the side of a square cut-out, in pixels."""
MOST_AREA = 1_600
"""Most pixels on the longer side of an area."""

_HEX = 0.74  # pitches from the middle of a cut-out to its edge
_SIDE = 0.95
_AROUND = (128, 128, 128)
_MARK, _UNDER = (255, 0, 200), (255, 255, 255)

Point = tuple[float, float]
Box = tuple[float, float, float, float]
Extents = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Plan:
    """Where the cells of a picture lie. Cells are named as in records: ``0304``, ``0304/0305``."""

    ground: Ground

    @property
    def cells(self) -> Cells:
        """The hexes and sides in pixels of the picture."""
        return self.ground.survey.cells

    @cached_property
    def sides(self) -> Mapping[str, Edge]:
        """The sides, by name."""
        return {cell_of(edge(e.a, e.b)): e for e in self.cells.edges}

    @cached_property
    def extents(self) -> tuple[Sequence[str], Extents]:
        """The names of all cells, and an array with a row for each: least x, least y, most x, most y in
        pixels of the picture. What lies beyond the edge of the picture is cut off."""
        height, width = self.ground.survey.picture.shape[:2]
        names = [*self.cells.names, *self.sides]
        reach = np.empty((len(names), 4))
        for row, name in zip(reach, names, strict=True):
            points = np.array(shape(self, name))
            row[:2], row[2:] = points.min(axis=0), points.max(axis=0)
        return names, np.clip(reach, 0.0, (width, height, width, height))

    def __contains__(self, cell: str) -> bool:
        return cell in self.cells.place or cell in self.sides

    def middle(self, cell: str) -> Point:
        """The middle of a hex or a side. KeyError if it does not lie here."""
        if cell in self.cells.place:
            return self.cells.centres[cell]
        each = self.sides[cell]
        return (each.start[0] + each.end[0]) / 2, (each.start[1] + each.end[1]) / 2

    def box(self, cell: str) -> Box:
        """The box that a cut-out of a cell shows, in pixels of the picture. For a side it holds most of both
        hexes. KeyError if the cell does not lie here."""
        x, y = self.middle(cell)
        half = self.cells.pitch * (_HEX if cell in self.cells.place else _SIDE)
        return x - half, y - half, x + half, y + half


def cut(plan: Plan, box: Box, size: tuple[int, int]) -> Image.Image:
    """The part of the picture in ``box``, scaled to ``size``; grey beyond the edge of the picture."""
    picture = plan.ground.survey.picture
    height, width = picture.shape[:2]
    left, top, right, bottom = (round(each) for each in box)
    right, bottom = max(right, left + 1), max(bottom, top + 1)
    inner = (max(0, left), max(0, top), min(width, right), min(height, bottom))
    whole = Image.new("RGB", (right - left, bottom - top), _AROUND)
    if inner[2] > inner[0] and inner[3] > inner[1]:
        part = Image.fromarray(
            np.ascontiguousarray(picture[inner[1] : inner[3], inner[0] : inner[2]])
        )
        whole.paste(part, (inner[0] - left, inner[1] - top))
    return whole.resize(size, Image.Resampling.BICUBIC)


def sheet_of(plans: Sequence[Plan], cells: Iterable[str], side: int, *, marks: bool) -> Image.Image:
    """Cut-outs of ``cells``, ``COLUMNS`` in a row; ``marks``: with the outline of the hex, or the ends of the
    side. A cell that lies on none of the pictures is left grey."""
    every = list(cells)
    rows = max(1, -(-len(every) // COLUMNS))
    drawn = Image.new("RGB", (COLUMNS * side, rows * side), _AROUND)
    for number, cell in enumerate(every):
        plan = next((plan for plan in plans if cell in plan), None)
        if plan is None:
            continue
        one = cut(plan, plan.box(cell), (side, side))
        if marks:
            _mark(one, plan, cell)
        drawn.paste(one, (number % COLUMNS * side, number // COLUMNS * side))
    return drawn


def _mark(image: Image.Image, plan: Plan, cell: str) -> None:
    left, top, right, _ = plan.box(cell)
    scale = image.width / (right - left)
    pen = ImageDraw.Draw(image)

    def at(point: Point) -> Point:
        return (point[0] - left) * scale, (point[1] - top) * scale

    if cell in plan.cells.place:
        pen.polygon([at(point) for point in plan.ground.corners[cell]], outline=_MARK)
        return
    each = plan.sides[cell]
    for x, y in (at(each.start), at(each.end)):
        pen.ellipse([x - 4, y - 4, x + 4, y + 4], outline=_UNDER, width=3)
        pen.ellipse([x - 4, y - 4, x + 4, y + 4], outline=_MARK, width=2)


def frame(plan: Plan, cell: str, across: float, down: float, pixels: float) -> tuple[Box, float]:
    """An area of ``across`` × ``down`` hexes round a cell, drawn with ``pixels`` from hex to hex. Returns its
    box in pixels of the picture, and the scale. The area is smaller where it would exceed
    ``MOST_AREA`` or the picture. KeyError if the cell does not lie here."""
    x, y = plan.middle(cell)
    scale = pixels / plan.cells.pitch
    most = MOST_AREA / scale / 2
    height, width = plan.ground.survey.picture.shape[:2]
    whole = zip((across, down), (width, height), strict=True)
    halves = [min(each * plan.cells.pitch / 2, most, side / 2) for each, side in whole]
    x = min(max(x, halves[0]), max(halves[0], width - halves[0]))
    y = min(max(y, halves[1]), max(halves[1], height - halves[1]))
    return (x - halves[0], y - halves[1], x + halves[0], y + halves[1]), scale


def shape(plan: Plan, cell: str) -> list[Point]:
    """The corners of a hex, or the ends of a side, in pixels of the picture."""
    if cell in plan.cells.place:
        return list(plan.ground.corners[cell])
    each = plan.sides[cell]
    return [each.start, each.end]


def inside(plan: Plan, box: Box) -> Iterator[str]:
    """The hexes and sides that lie wholly in ``box``, which is in pixels of the picture."""
    names, reach = plan.extents
    within = (reach[:, :2] >= box[:2]).all(axis=1) & (reach[:, 2:] <= box[2:]).all(axis=1)
    return (names[int(number)] for number in np.flatnonzero(within))


def fullest(plan: Plan, cells: Iterable[str], across: float, down: float, near: str) -> str:
    """The hex in the middle of the area of ``across`` × ``down`` hexes that holds most of ``cells``. Of
    several such areas it is the one nearest to the cell ``near``. '' if no cell lies on this picture."""
    pitch = plan.cells.pitch
    middles = np.array([plan.middle(cell) for cell in cells if cell in plan])
    if not len(middles):
        return ""
    height, width = plan.ground.survey.picture.shape[:2]
    squares = np.zeros((int(height / pitch) + 1, int(width / pitch) + 1))
    columns, rows = np.clip(middles / pitch, 0, np.array(squares.shape)[::-1] - 1).astype(int).T
    np.add.at(squares, (rows, columns), 1)
    high, wide = (
        min(max(1, int(each) - 1), most)
        for each, most in zip((down, across), squares.shape, strict=True)
    )
    sums = np.pad(squares, ((1, 0), (1, 0))).cumsum(axis=0).cumsum(axis=1)
    held = sums[high:, wide:] - sums[:-high, wide:] - sums[high:, :-wide] + sums[:-high, :-wide]
    best = np.argwhere(held == held.max())[:, ::-1] + np.array([wide, high]) / 2
    start = plan.middle(near) if near in plan else (0.0, 0.0)
    x, y = best[((best * pitch - start) ** 2).sum(axis=1).argmin()] * pitch
    return min(plan.cells.names, key=lambda n: math.dist(plan.cells.centres[n], (x, y)))


def steps(plan: Plan, box: Box) -> dict[str, str]:
    """The hex in the middle of the next area in each direction: left, right, up, down. A direction is missing
    where the map ends."""
    x, y = (box[0] + box[2]) / 2, (box[1] + box[3]) / 2
    far = {"left": (-1, 0), "right": (1, 0), "up": (0, -1), "down": (0, 1)}
    names = list(plan.cells.names)
    centres = np.array([plan.cells.centres[name] for name in names])
    found = {}
    for where, (dx, dy) in far.items():
        wanted = np.array([x + dx * (box[2] - box[0]) * 0.85, y + dy * (box[3] - box[1]) * 0.85])
        nearest = names[int(((centres - wanted) ** 2).sum(axis=1).argmin())]
        cx, cy = plan.cells.centres[nearest]
        if dx * (cx - x) + dy * (cy - y) > plan.cells.pitch:
            found[where] = nearest
    return found


def png(image: Image.Image) -> bytes:
    """The bytes of a PNG file of the picture."""
    written = io.BytesIO()
    image.save(written, "PNG", compress_level=1)
    return written.getvalue()
