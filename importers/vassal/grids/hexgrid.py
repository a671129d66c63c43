"""Hex grids: raw index, name, snap and centre of a pixel, as HexGrid computes them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from math import ceil, floor

from .java import Cell, Point, Size, hex_offsets_in_singles, java_round, to_int
from .numbering import Claim, Numbering, staggered

DEFAULT_DY = 64.0
DEFAULT_DX = (3.0**0.5) / 2.0 * DEFAULT_DY

_AROUND_EVEN = ((-1, -1), (-1, 0), (1, -1), (1, 0))
_AROUND_ODD = ((-1, 0), (-1, 1), (1, 0), (1, 1))


@dataclass(frozen=True, slots=True)
class HexGrid:
    """A hex grid with columns ``dx`` apart and hexes ``dy`` high (pixels).

    ``sideways`` swaps x and y before anything else; raw columns then run downwards. The hex with
    raw index (0, 0) has its centre at (x0, y0); odd raw columns are half a hex further down.
    ``container``: width and height of the board (or zone) the grid lies in, which descending
    numbers count from. ``snap_scale``: finer steps inside a hex, 0 for none. ``claim``: while
    ``names_open``, the numbering as the build file defines it; None: it has none.
    """

    x0: int = 0
    y0: int = 32
    dx: float = DEFAULT_DX
    dy: float = DEFAULT_DY
    sideways: bool = False
    snap_to: bool = True
    edges_legal: bool = False
    corners_legal: bool = False
    snap_scale: int = 0
    numbering: Numbering | None = None
    container: Size = (0, 0)
    names_open: bool = False
    claim: Claim | None = None

    @property
    def kind(self) -> str:
        return "HexGrid"

    @property
    def is_worked_out(self) -> bool:
        """Whether its names were derived from the pieces of a game, not from a module."""
        return self.numbering is not None and self.numbering.count is not None

    def sized(self, size: Size) -> HexGrid:
        """The same grid in a container of this size."""
        return replace(self, container=size)

    # -- names ---------------------------------------------------------------------------------

    def raw_index(self, x: int, y: int) -> Cell:
        """Raw column and row as naming counts them: hexes taken as rectangles.

        Near slanted hexsides this can be a neighbour of the hex the pixel lies in (``cell_at``).
        """
        if self.sideways:
            x, y = y, x
        across = (x - self.x0) / self.dx
        # the engine rounds the column twice, in two ways that differ in the last bit
        half = self.dy / 2 if java_round(across) % 2 else 0
        return floor(across + 0.5), java_round((y - self.y0 - half) / self.dy)

    def numbered(self, cell: Cell) -> Cell:
        """Column and row as the numbering counts them, before its offsets."""
        assert self.numbering is not None
        numbering = self.numbering
        if numbering.count is not None:
            return numbering.count.of(*axial(cell))
        nx, ny = column, row = cell
        width, height = self.container
        max_rows, max_columns = floor(height / self.dx + 0.5), floor(width / self.dy + 0.5)
        if self.sideways:
            if numbering.vertical.descending:
                column = max_rows - nx
            if numbering.horizontal.descending:
                row = max_columns - ny
        else:
            if numbering.horizontal.descending:
                column = max_columns - nx
            if numbering.vertical.descending:
                row = max_rows - ny
        row = staggered(numbering, nx, row, sideways=self.sideways)
        return column, numbering.slanted(column, row) if numbering.oblique else row

    def cell_name(self, cell: Cell) -> str | None:
        """Name of a raw cell; None without numbering, empty if not known."""
        if self.numbering is None:
            return "" if self.names_open else None
        return self.numbering.text(*self.numbered(cell))

    def location_name(self, x: int, y: int) -> str | None:
        """The engine's name of a pixel; None without numbering, empty if not known."""
        return self.cell_name(self.raw_index(x, y))

    # -- places --------------------------------------------------------------------------------

    def centre(self, cell: Cell) -> Point:
        """Where a piece snapped to this cell lies (board-local pixels)."""
        x, y = self._centre(*cell)
        return (y, x) if self.sideways else (x, y)

    def named_point(self, cell: Cell) -> Point:
        """The pixel the engine gives for a cell's name (a pixel off ``centre`` at times)."""
        nx, ny = cell
        down = ny * self.dy if nx % 2 == 0 else ny * self.dy + self.dy / 2
        x, y = to_int(nx * self.dx) + self.x0, to_int(down) + self.y0
        return (y, x) if self.sideways else (x, y)

    def corners(self, cell: Cell) -> tuple[tuple[float, float], ...]:
        """The six corners of a hex (board-local pixels, not rounded); the side towards the neighbour i of
        ``neighbours`` lies between the corners i and i + 1."""
        nx, ny = cell
        cx, cy = self.x0 + self.dx * nx, self.y0 + self.dy * (ny + 0.5 * (nx % 2))
        far, near, half = self.dx * 2 / 3, self.dx / 3, self.dy / 2
        around = (
            (cx - near, cy - half), (cx + near, cy - half), (cx + far, cy),
            (cx + near, cy + half), (cx - near, cy + half), (cx - far, cy),
        )  # fmt: skip
        return tuple((y, x) for x, y in around) if self.sideways else around

    def cell_at(self, x: int, y: int) -> Cell:
        """The hex a pixel lies in: where ``snap`` would put a piece (raw column and row)."""
        if self.sideways:
            x, y = y, x
        return self._cell(x, y)

    def snap(self, x: int, y: int, *, force: bool = False, centre: bool = False) -> Point:
        """Where a piece dropped at this pixel comes to lie; see ``Grid.snap``."""
        if not self.snap_to and not force:
            return x, y
        if self.sideways:
            x, y = y, x
        px, py = self._snapped(x, y, centre)
        return (py, px) if self.sideways else (px, py)

    def cells(self) -> Iterator[Cell]:
        """Raw cells whose rectangle touches the container, column by column."""
        width, height = self.container
        if self.sideways:
            width, height = height, width
        for nx in range(*_span(width, self.x0, self.dx)):
            shift = self.dy / 2 if nx % 2 else 0.0
            for ny in range(*_span(height, self.y0 + shift, self.dy)):
                yield nx, ny

    # -- adjacency -----------------------------------------------------------------------------

    def neighbours(self, cell: Cell) -> tuple[Cell, ...]:
        """The six adjacent raw cells, clockwise from the one above (sideways: mirrored)."""
        nx, ny = cell
        up = ny - 1 if nx % 2 == 0 else ny
        return (
            (nx, ny - 1), (nx + 1, up), (nx + 1, up + 1),
            (nx, ny + 1), (nx - 1, up + 1), (nx - 1, up),
        )  # fmt: skip

    # -- the engine's arithmetic, x and y already swapped if sideways -----------------------------

    def _centre(self, nx: int, ny: int) -> Point:
        x = to_int(self.dx * nx + self.x0)
        if nx % 2 == 0:
            return x, to_int(self.dy * ny + self.y0)
        return x, to_int(self.dy * ny + int(self.dy / 2) + self.y0)

    def _cell(self, x: int, y: int) -> Cell:
        nx = floor((x - self.x0 + self.dx / 2) / self.dx)
        if nx % 2 == 0:
            ny, around = floor((y - self.y0 + self.dy / 2) / self.dy), _AROUND_EVEN
        else:
            ny, around = floor((y - self.y0) / self.dy), _AROUND_ODD
        if self._holds(nx, ny, x, y):
            return nx, ny
        for ox, oy in around:
            if self._holds(nx + ox, ny + oy, x, y):
                return nx + ox, ny + oy
        return nx, ny

    def _holds(self, nx: int, ny: int, x: int, y: int) -> bool:
        """Whether the hexagon of integer vertices round a centre contains the pixel.

        Right and bottom vertices are one pixel out; left and top edges belong to it.
        """
        cx, cy = self._centre(nx, ny)
        x1, x2, x3, x4, y2, y5 = hex_offsets_in_singles(cx, cy, self.dx, self.dy)
        top, bottom = java_round(y2), java_round(y5) + 1
        if not top <= y < bottom:
            return False
        left, right = java_round(x1), java_round(x4) + 1
        left_shoulder, right_shoulder = java_round(x2), java_round(x3) + 1
        if y < cy:
            run = (y - top, cy - top)
            return x >= left_shoulder + run[0] * (left - left_shoulder) / run[1] and (
                x < right_shoulder + run[0] * (right - right_shoulder) / run[1]
            )
        run = (y - cy, bottom - cy)
        return x >= left + run[0] * (left_shoulder - left) / run[1] and (
            x < right + run[0] * (right_shoulder - right) / run[1]
        )

    def _snapped(self, x: int, y: int, centre: bool) -> Point:
        middle = self._scaled(x, y)
        if centre or not (self.edges_legal or self.corners_legal):
            return middle
        if not self.corners_legal:
            return _centre_if_close(middle, self._edge(x, y, middle))
        if not self.edges_legal:
            return _centre_if_close(middle, self._vertex(x, y, middle))
        edge, vertex = self._edge(x, y, middle), self._vertex(x, y, middle)
        nearer = edge if _squared(edge, (x, y)) < _squared(vertex, (x, y)) else vertex
        return _centre_if_close(middle, nearer)

    def _scaled(self, x: int, y: int) -> Point:
        cx, cy = self._centre(*self._cell(x, y))
        if self.snap_scale <= 0:
            return cx, cy
        return cx + self._step(x - cx, self.dx), cy + self._step(y - cy, self.dy)

    def _step(self, delta: int, size: float) -> int:
        scale = self.snap_scale
        steps = java_round(delta / (0.5 * size / scale))
        steps = min(max(steps, 1 - scale), scale - 1)
        return java_round(steps * 0.5 * size / scale)

    def _edge(self, x: int, y: int, middle: Point) -> Point:
        column = floor((x - self.x0 + self.dx / 4) * 2 / self.dx)
        ex = to_int(self.dx / 2 * column + self.x0)
        if column % 2 == 0:
            row = floor((y - self.y0 + self.dy / 4) * 2 / self.dy)
            ey = to_int(self.dy / 2 * row + self.y0)
        else:
            row = floor((y - self.y0) * 2 / self.dy)
            ey = to_int(self.dy / 2 * row + int(self.dy / 4) + self.y0)
        return self._or_middle(x, y, (ex, ey), middle)

    def _vertex(self, x: int, y: int, middle: Point) -> Point:
        third, row = self.dx / 3, floor((y - self.y0 + self.dy / 4) * 2 / self.dy)
        wide = 2 * self.dx
        if row % 2 == 0:
            column = to_int(floor(x - self.x0 + third) * 3 / wide)
            vx = to_int(2 * self.dx / 3 * column + self.x0)
        else:
            column = to_int(floor(x - self.x0 + third + third) * 3 / wide)
            vx = to_int(2 * self.dx / 3 * column - int(third) + self.x0)
        vy = to_int(self.dy / 2 * row + self.y0)
        return self._or_middle(x, y, (vx, vy), middle)

    def _or_middle(self, x: int, y: int, spot: Point, middle: Point) -> Point:
        """With a snap scale the (scaled) centre wins if it is at least as near by steps."""
        if self.snap_scale > 0 and _steps(middle, (x, y)) <= _steps(spot, (x, y)):
            return middle
        return spot


def _span(length: int, origin: float, size: float) -> tuple[int, int]:
    """First and one past the last index whose cell touches 0…length."""
    return floor((0.5 - origin) / size + 0.5), ceil((length - 0.5 - origin) / size + 0.5)


def axial(cell: Cell) -> Cell:
    """Axial coordinates q, r of a raw cell."""
    nx, ny = cell
    return nx, ny - (nx - (nx & 1)) // 2


def _centre_if_close(middle: Point, spot: Point) -> Point:
    return middle if _squared(middle, spot) <= 2 else spot


def _squared(a: Point, b: Point) -> int:
    return (a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2


def _steps(a: Point, b: Point) -> int:
    return abs(a[0] - b[0]) + abs(a[1] - b[1])
