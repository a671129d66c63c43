"""What must hold for every grid, and what the engine's own answers (test_golden.py) do not show."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from vassal_umpire.importers.vassal.grids import (
    Axis,
    HexGrid,
    Region,
    RegionGrid,
    SquareGrid,
    Zone,
)
from vassal_umpire.importers.vassal.grids.java import (
    hash_map_order,
    polygon_contains,
)

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


@given(
    st.builds(Axis, st.booleans(), st.integers(0, 3), st.integers(-40, 40)),
    st.integers(-60, 900),
)
def test_a_number_is_read_back(axis: Axis, number: int) -> None:
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


SQUARE_PATH = ((100, 100), (200, 100), (200, 200), (100, 200))


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


def test_a_concave_zone_is_found_at_its_first_vertex() -> None:
    hook = Zone("Hook", ((0, 0), (100, 0), (100, 10), (10, 10), (10, 100), (0, 100)))
    assert hook.middle() == (0, 0)
    assert Zone("Box", SQUARE_PATH).middle() == (150, 150)
