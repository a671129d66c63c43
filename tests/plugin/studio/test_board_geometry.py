"""Where hexes and hexsides lie on the pictures of maps, held against the hex the engine finds at a pixel."""

from __future__ import annotations

from collections.abc import Sequence
from math import dist
from pathlib import Path

import pytest
from tiers import by_tier
from vassal_umpire.importers.pack.board import Places, bind_board
from vassal_umpire.importers.pack.load import load_pack
from vassal_umpire.importers.vassal.formats import parse_format
from vassal_umpire.importers.vassal.grids import Axis, HexGrid, Numbering, Zone, ZonedGrid
from vassal_umpire.importers.vassal.layout import MapLayout
from vassal_umpire.importers.vassal.module import (
    BoardChoice,
    BoardDefinition,
    MapDefinition,
    MoveFormats,
)
from vassal_umpire.model.board import Board, edge
from vassal_umpire.plugin.board_geometry import HexShape, MapShape, Point, shapes_of

AXIS = Axis(letters=False, leading=1, offset=1, descending=False)


def numbers(first: int) -> Numbering:
    across = Axis(letters=False, leading=1, offset=first, descending=False)
    return Numbering(
        horizontal=across, vertical=AXIS, column_first=True, separator="", stagger=False
    )


def grid(first: int = 1, *, sideways: bool = False, dx: float = 52.0) -> HexGrid:
    return HexGrid(x0=20, y0=25, dx=dx, dy=60, sideways=sideways, numbering=numbers(first))


def layout(
    *grids: HexGrid | ZonedGrid, turned: bool = False, magnified: float = 1.0, edge_: int = 0
) -> MapLayout:
    boards = tuple(
        BoardDefinition(f"Board {n}", 400, 300, "", True, magnified, g) for n, g in enumerate(grids)
    )
    window = MapDefinition(
        "Map0", "Main", "Map", "Map", boards, (), edge_, edge_, True,
        MoveFormats(None, None),
    )  # fmt: skip
    chosen = [BoardChoice(board.name, n, 0, turned) for n, board in enumerate(boards)]
    return MapLayout(window, chosen)


def shaped(
    folder: Path, laid: MapLayout, more: str = "", sheets: str = '[[board.sheet]]\nmap = "Main"\n'
) -> tuple[Board, Places, tuple[MapShape, ...]]:
    head = '[pack]\nname = "x"\nversion = "1"\nruleset = "generic"\n'
    (folder / "pack.toml").write_text(f"{head}[board]\n{more}\n{sheets}", "utf-8")
    board, places, problems = bind_board(load_pack(folder), {"Main": laid})
    assert [p for p in problems if p.severity == "error"] == []
    return board, places, shapes_of(board, places, {"Main": laid})


def holds(corners: Sequence[Point], at: Point) -> bool:
    """Whether a point lies in a convex polygon, whichever way round it goes."""
    turns = [
        (bx - ax) * (at[1] - ay) - (by - ay) * (at[0] - ax)
        for (ax, ay), (bx, by) in zip(corners, [*corners[1:], corners[0]], strict=True)
    ]
    return all(t > 0 for t in turns) or all(t < 0 for t in turns)


def shrunk(shape: HexShape, by: float) -> list[Point]:
    cx, cy = shape.centre
    part = 1 - by / shape.radius
    return [(cx + (x - cx) * part, cy + (y - cy) * part) for x, y in shape.corners]


APART = by_tier(20, ci=5)
"""Pixels between those that are looked at."""
LAYOUTS = {
    "upright": layout(grid()),
    "sideways": layout(grid(sideways=True)),
    "turned": layout(grid(), turned=True),
    "magnified": layout(grid(), magnified=1.5),
    "stretched": layout(grid(dx=70.0)),
    "an edge round it": layout(grid(), edge_=40),
    "two boards": layout(grid(), grid(11)),
    "two boards, turned and sideways": layout(
        grid(sideways=True), grid(11, sideways=True), turned=True
    ),
}


@pytest.mark.parametrize("laid", LAYOUTS.values(), ids=LAYOUTS.keys())
def test_hexes_and_hexsides_lie_where_the_engine_has_them(laid: MapLayout, tmp_path: Path) -> None:
    board, places, (found,) = shaped(tmp_path, laid)
    assert (found.width, found.height) == laid.size
    looked = 0
    for shape in found.hexes:
        inner = shrunk(shape, 3.0)
        xs, ys = [x for x, _ in inner], [y for _, y in inner]
        # hexes reach over their board's edge
        home = laid.find_board(*(round(n) for n in shape.centre))
        for x in range(int(min(xs)), int(max(xs)), APART):
            for y in range(int(min(ys)), int(max(ys)), APART):
                at = laid.place(x, y) if laid.find_board(x, y) is home else None
                if at is not None and holds(inner, (x, y)) and _apart(found, shape, (x, y)):
                    assert places.hex_at("Main", at) == shape.name, (x, y)
                    looked += 1
    assert looked > by_tier(90, ci=1500)
    named = {shape.name: shape for shape in found.hexes}
    every = {edge(a, b) for a in board.hexes for b in board.neighbours(a)}
    assert sorted(shape.side for shape in found.sides) == sorted(every)
    for shape in found.sides:
        a, b = (named[name] for name in shape.side)
        seam = board.hexes[a.name].sheet != board.hexes[b.name].sheet
        assert dist(shape.start, shape.end) > 10
        for hex_ in (a, b):
            for end in (shape.start, shape.end):
                near = min(dist(end, corner) for corner in hex_.corners)
                assert near < (hex_.radius if seam else 0.01)


def _apart(found: MapShape, shape: HexShape, at: Point) -> bool:
    """Whether no other hex has the pixel, too: where boards join, their half hexes overlap."""
    return not any(
        holds(other.corners, at)
        for other in found.hexes
        if other is not shape and dist(other.centre, shape.centre) < 2 * shape.radius
    )


def test_boards_side_by_side_are_joined_at_their_seam(tmp_path: Path) -> None:
    laid = layout(grid(), grid(11))
    board, _, (found,) = shaped(tmp_path, laid)
    over = [s for s in found.sides if len({board.hexes[n].sheet for n in s.side}) == 2]
    assert len(over) > 5
    for shape in over:
        assert abs((shape.start[0] + shape.end[0]) / 2 - 400) < 40, shape


def test_hexes_joined_or_parted_by_the_pack(tmp_path: Path) -> None:
    board, _, (found,) = shaped(tmp_path, layout(grid()), 'links = [["0101", "0804"]]')
    assert "0804" in board.neighbours("0101")
    there = [s for s in found.sides if s.side == ("0101", "0804")]
    assert len(there) == 2
    at = {shape.name: shape for shape in found.hexes}
    first, second = (at[n] for n in ("0101", "0804"))
    assert {min(dist(s.start, c) for c in first.corners) < 0.01 for s in there} == {True, False}
    assert {min(dist(s.start, c) for c in second.corners) < 0.01 for s in there} == {True, False}
    board, _, (found,) = shaped(tmp_path, layout(grid()), 'barriers = [["0101", "0102"]]')
    assert "0102" not in board.neighbours("0101")
    assert ("0101", "0102") not in {s.side for s in found.sides}


def test_the_grid_of_a_zone_lies_where_the_zone_has_it(tmp_path: Path) -> None:
    corner = ((200, 0), (400, 0), (400, 300), (200, 300))
    zone = Zone("Inset", corner, parse_format("$gridLocation$"), False, grid(11, dx=40.0))
    laid = layout(ZonedGrid((zone,), None))
    _, places, (found,) = shaped(tmp_path, laid)
    assert len(found.hexes) > 10
    for shape in found.hexes:
        x, y = (round(n) for n in shape.centre)
        place = laid.place(x, y)
        assert place is not None
        assert places.hex_at("Main", place) == shape.name
