"""Hex grids: worked examples by hand, and what must hold for every grid. Below, the other grids."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from vassal_umpire.importers.vassal.formats import parse_format
from vassal_umpire.importers.vassal.grids import (
    Axis,
    HexGrid,
    Numbering,
    Region,
    RegionGrid,
    SquareGrid,
    Zone,
    ZonedGrid,
)
from vassal_umpire.importers.vassal.grids.java import (
    hash_map_order,
    java_round,
    polygon_contains,
    quotient,
    to_int,
)

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
    for axis, number in zip((numbering.horizontal, numbering.vertical), cell, strict=True):
        assert axis.index(axis.name(number)) == number


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
def test_neighbours_are_six_and_mutual(grid: HexGrid, cell: tuple[int, int]) -> None:
    beside = grid.neighbours(cell)
    assert len(set(beside)) == 6
    assert all(cell in grid.neighbours(other) for other in beside)


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


# -- Square, region and zoned grids, and Java's arithmetic under them ------------------------------


ZERO = Numbering(Axis(offset=0), Axis(offset=0), stagger=False)
SQUARE_PATH = ((100, 100), (200, 100), (200, 200), (100, 200))


@pytest.mark.parametrize(
    ("value", "rounded"),
    [(2.5, 3), (-2.5, -2), (-2.51, -3), (0.49999999999999994, 0), (7.0, 7)],
)
def test_java_rounds_halves_up(value: float, rounded: int) -> None:
    assert java_round(value) == rounded


def test_casts_and_division_go_toward_zero() -> None:
    assert (to_int(-2.9), to_int(2.9), to_int(1e20)) == (-2, 2, 2**31 - 1)
    assert (quotient(-7, 2), quotient(7, 2), quotient(-7, -2)) == (-3, 3, 3)


def test_the_row_above_the_first_square_row_is_named_like_it() -> None:
    """The engine cuts the row toward zero (SquareGridNumbering.getRow), but floors the column."""
    grid = SquareGrid(x0=50, y0=50, dx=20, dy=20, numbering=ZERO)
    assert grid.location_name(50, 50) == grid.location_name(50, 30) == "0000"
    assert grid.location_name(30, 50) == "-0100"
    assert grid.snap(50, 30) == (50, 30)


def test_edges_and_corners_of_squares_hold_pieces_where_allowed() -> None:
    assert SquareGrid(0, 0, 20, 20).snap(9, 11) == (0, 20)
    assert SquareGrid(0, 0, 20, 20, edges_legal=True, corners_legal=True).snap(9, 11) == (10, 10)
    assert SquareGrid(0, 0, 20, 20, edges_legal=True).snap(9, 1) == (10, 0)
    assert SquareGrid(0, 0, 20, 20, corners_legal=True).snap(12, 8) == (10, 10)
    edgy = SquareGrid(0, 0, 20, 20, edges_legal=True, corners_legal=True)
    assert edgy.snap(9, 11, centre=True) == (10, 10)  # both legal: centre-only is not heeded


@given(
    st.builds(
        SquareGrid, st.integers(-9, 9), st.integers(-9, 9), st.floats(5, 90), st.floats(5, 90)
    ),
    st.tuples(st.integers(-20, 20), st.integers(-20, 20)),
)
def test_the_centre_of_a_square_stays_put(grid: SquareGrid, cell: tuple[int, int]) -> None:
    centre = grid.centre(cell)
    assert grid.snap(*centre) == centre
    assert grid.cell_at(*centre) == cell


def test_squares_with_a_corner_in_common_may_be_adjacent() -> None:
    assert len(SquareGrid().neighbours((0, 0))) == 8
    assert len(SquareGrid(manhattan=True).neighbours((0, 0))) == 4


def test_a_pixel_belongs_to_the_nearest_region() -> None:
    grid = RegionGrid((Region("Alpha", 10, 10), Region("Beta", 100, 10)))
    assert grid.location_name(54, 300) == "Alpha"
    assert grid.location_name(56, -300) == "Beta"
    assert grid.snap(90, 40) == (100, 10)
    assert RegionGrid(()).location_name(3, 4) is None


def test_a_later_region_at_the_same_pixel_replaces_the_earlier() -> None:
    grid = RegionGrid((Region("Old", 5, 5), Region("New", 5, 5)))
    assert [region.name for region in grid.walk] == ["New"]


def test_points_are_walked_in_the_order_of_javas_hash_map() -> None:
    """Worked by hand: (1, 0), (2, 0), (3, 0) hash to 3ff00000, 40000000, 40080000; after the spread
    (h ^ h >>> 16) the last four bits, the bucket of sixteen, are 0, 0 and 8."""
    assert hash_map_order([(3, 0), (1, 0), (2, 0)]) == ((1, 0), (2, 0), (3, 0))


def test_polygons_own_their_left_and_top_edges_only() -> None:
    assert polygon_contains(SQUARE_PATH, 100, 100)
    assert polygon_contains(SQUARE_PATH, 199, 199)
    assert not polygon_contains(SQUARE_PATH, 200, 150)
    assert not polygon_contains(SQUARE_PATH, 150, 200)
    assert not polygon_contains(((0, 0), (9, 9)), 3, 3)


def test_the_first_zone_that_holds_a_pixel_names_it() -> None:
    hexes = HexGrid(dx=20, dy=20, numbering=ZERO)
    inner = Zone("Inner", SQUARE_PATH, parse_format("$name$ $gridLocation$"), True)
    outer = Zone("Outer", ((0, 0), (400, 0), (400, 400), (0, 400)))
    grid = ZonedGrid((inner, outer), hexes)
    assert grid.location_name(150, 150) == f"Inner {hexes.location_name(150, 150)}"
    assert grid.location_name(50, 50) == "Outer"
    assert grid.location_name(500, 50) == hexes.location_name(500, 50)
    assert grid.snap(50, 50) == (50, 50)  # Outer has no grid of its own
    assert grid.snap(150, 150) == hexes.snap(150, 150)


def test_descending_numbers_in_a_zone_count_from_the_zones_own_box() -> None:
    numbers = Numbering(Axis(offset=0, descending=True), Axis(offset=0), stagger=False)
    own = SquareGrid(0, 0, 10, 10, numbering=numbers)
    zone = Zone("Z", SQUARE_PATH, parse_format("$gridLocation$"), grid=own)
    assert ZonedGrid((zone,)).sized((1000, 1000)).location_name(150, 150) == "-0515"


def test_a_concave_zone_is_found_at_its_first_vertex() -> None:
    hook = Zone("Hook", ((0, 0), (100, 0), (100, 10), (10, 10), (10, 100), (0, 100)))
    assert hook.middle() == (0, 0)
    assert Zone("Box", SQUARE_PATH).middle() == (150, 150)
