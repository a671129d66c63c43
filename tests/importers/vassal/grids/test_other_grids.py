"""Square, region and zoned grids, and Java's arithmetic under them."""

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


def test_square_distance_counts_diagonals_as_one_or_two() -> None:
    assert SquareGrid().distance((0, 0), (3, -5)) == 5
    assert SquareGrid(manhattan=True).distance((0, 0), (3, -5)) == 8
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
