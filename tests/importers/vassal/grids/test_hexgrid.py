"""Hex grids: worked examples by hand, and what must hold for every grid."""

from __future__ import annotations

from collections import deque

import pytest
from hypothesis import given
from hypothesis import strategies as st
from vassal_umpire.importers.vassal.formats import parse_format
from vassal_umpire.importers.vassal.grids import Axis, HexGrid, Numbering, Snapping

PLAIN = Numbering(Axis(offset=0), Axis(offset=0), stagger=False)

grids = st.builds(
    HexGrid,
    x0=st.integers(-60, 60),
    y0=st.integers(-60, 60),
    dx=st.floats(15, 90),
    dy=st.floats(15, 90),
    sideways=st.booleans(),
)
cells = st.tuples(st.integers(-30, 30), st.integers(-30, 30))
pixels = st.integers(-2000, 2000)


def test_odd_columns_stand_half_a_hex_lower() -> None:
    grid = HexGrid(x0=10, y0=20, dx=50, dy=60)
    assert grid.centre((0, 0)) == (10, 20)
    assert grid.centre((1, 0)) == (60, 50)
    assert grid.centre((2, 3)) == (110, 200)


def test_a_sideways_grid_is_the_same_with_x_and_y_exchanged() -> None:
    upright = HexGrid(x0=10, y0=20, dx=50, dy=60, numbering=PLAIN)
    sideways = HexGrid(x0=10, y0=20, dx=50, dy=60, sideways=True, numbering=PLAIN)
    assert sideways.centre((1, 0)) == (50, 60)
    assert sideways.location_name(200, 110) == upright.location_name(110, 200) == "0203"


def test_near_a_slanted_side_the_name_is_the_neighbours_though_the_piece_snaps_here() -> None:
    """Names take hexes for rectangles; the corner of the rectangle is the next hex's."""
    grid = HexGrid(x0=100, y0=100, dx=60, dy=70, numbering=PLAIN)
    corner = (100 + 29, 100 + 34)  # inside the rectangle of (0, 0), beyond its slanted side
    assert grid.location_name(*corner) == "0000"
    assert grid.cell_at(*corner) == (1, 0)
    assert grid.location_name(*grid.snap(*corner)) == "0100"


def test_before_3_7_the_rectangle_decides_where_a_piece_snaps() -> None:
    grid = HexGrid(x0=100, y0=100, dx=60, dy=70)
    corner = (129, 134)
    assert grid.snap(*corner) == (160, 135)
    assert grid.snap(*corner, snapping=Snapping.RECTANGLE) == (100, 100)


def test_a_grid_that_does_not_snap_leaves_pieces_where_they_are_unless_forced() -> None:
    grid = HexGrid(x0=100, y0=100, dx=60, dy=70, snap_to=False)
    assert grid.snap(107, 95) == (107, 95)
    assert grid.snap(107, 95, force=True) == (100, 100)


@pytest.mark.parametrize(
    ("numbering", "cell", "name"),
    [
        (Numbering(), (0, 0), "0101"),
        (Numbering(stagger=True), (1, 0), "0202"),
        (Numbering(stagger=False), (1, 0), "0201"),
        (Numbering(Axis(letters=True, offset=0)), (27, 0), "BB02"),
        (Numbering(Axis(letters=True, offset=0)), (52, 4), "AAA05"),
        (Numbering(Axis(offset=-3), Axis(leading=0, offset=0)), (0, 7), "-037"),
        (Numbering(Axis(leading=3), Axis(leading=2)), (4, 11), "0005012"),
        (Numbering(column_first=False, separator="-"), (2, 8), "09-03"),
        (Numbering(location_format=parse_format("hex $column$.$row$")), (2, 8), "hex 03.09"),
        # 600 × 700 pixels with dx 60, dy 70: 700/60 + ½ = 12 rows, 600/70 + ½ = 9 columns
        (Numbering(vertical=Axis(descending=True)), (2, 3), "0310"),
        (Numbering(vertical=Axis(descending=True)), (1, 3), "0209"),
        (Numbering(horizontal=Axis(descending=True)), (2, 3), "0804"),
        (Numbering(oblique=True), (5, 0), "0604"),
        (Numbering(oblique=True, stagger=False), (5, 4), "0604"),
    ],
)
def test_numbers_as_written(numbering: Numbering, cell: tuple[int, int], name: str) -> None:
    grid = HexGrid(dx=60, dy=70, numbering=numbering, container=(600, 700))
    assert grid.cell_name(cell) == name


@given(grids, cells)
def test_the_centre_of_a_cell_lies_in_it_and_stays_put(
    grid: HexGrid, cell: tuple[int, int]
) -> None:
    centre = grid.centre(cell)
    assert grid.cell_at(*centre) == cell
    assert grid.snap(*centre) == centre


@given(grids, pixels, pixels)
def test_snapping_moves_a_piece_less_than_a_hex(grid: HexGrid, x: int, y: int) -> None:
    sx, sy = grid.snap(x, y)
    if grid.sideways:
        x, y, sx, sy = y, x, sy, sx
    assert abs(sx - x) <= grid.dx * 2 / 3 + 2
    assert abs(sy - y) <= grid.dy / 2 + 2


@given(grids, cells)
def test_neighbours_are_six_mutual_and_at_distance_one(
    grid: HexGrid, cell: tuple[int, int]
) -> None:
    beside = grid.neighbours(cell)
    assert len(set(beside)) == 6
    assert all(cell in grid.neighbours(other) for other in beside)
    assert all(grid.distance(cell, other) == 1 for other in beside)


def test_neighbours_touch_on_the_map() -> None:
    """Their centres are one hex height away, as pixels; nobody else's are."""
    grid = HexGrid(dx=86.6025, dy=100)
    for cell in ((0, 0), (3, 4), (-2, 5), (-3, -1)):
        x, y = grid.centre(cell)
        near = {
            other
            for other in ((cell[0] + i, cell[1] + j) for i in range(-2, 3) for j in range(-2, 3))
            if 0 < (grid.centre(other)[0] - x) ** 2 + (grid.centre(other)[1] - y) ** 2 < 110**2
        }
        assert near == set(grid.neighbours(cell))


@given(cells, cells)
def test_distance_is_the_fewest_steps(a: tuple[int, int], b: tuple[int, int]) -> None:
    grid = HexGrid()
    a, b = (a[0] % 7, a[1] % 7), (b[0] % 7, b[1] % 7)
    steps, queue = {a: 0}, deque([a])
    while b not in steps:
        here = queue.popleft()
        for there in grid.neighbours(here):
            if there not in steps:
                steps[there] = steps[here] + 1
                queue.append(there)
    assert grid.distance(a, b) == steps[b]
