"""Where pixels lie: hexes, boxes, and what cannot be told."""

from __future__ import annotations

from pathlib import Path

from vassal_umpire.importers.pack.board import bind_board
from vassal_umpire.importers.pack.load import load_pack
from vassal_umpire.importers.vassal.grids import Axis, HexGrid, Numbering
from vassal_umpire.importers.vassal.layout import MapLayout
from vassal_umpire.importers.vassal.module import (
    BoardChoice,
    BoardDefinition,
    MapDefinition,
    MoveFormats,
)
from vassal_umpire.model.game import NOWHERE, Place
from vassal_umpire.model.hexgrid import Axial
from vassal_umpire.model.table import Spot


def test_a_piece_near_a_hexside_may_lie_in_either_hex(
    layouts: dict[str, MapLayout], drill: Path
) -> None:
    """Wherever the engine's name of a pixel is not that of the hex it snaps to, the place is unclear;
    elsewhere it is the hex."""
    _, places, _ = bind_board(load_pack(drill), layouts)
    layout = layouts["Main Map"]
    seen = {"hex": 0, "unclear": 0}
    for x in range(300, 420, 3):
        for y in range(300, 420, 3):
            raw = layout.location_name(x, y)
            snapped = layout.location_name(*layout.snap(x, y, force=True, centre=True))
            place = places.of(Spot("Main Map", x, y))
            assert place == (Place("hex", raw) if raw == snapped else Place("unclear", raw))
            seen[place.kind] += 1
    assert seen["hex"] > seen["unclear"] > 0


def test_off_the_board(layouts: dict[str, MapLayout], drill: Path) -> None:
    _, places, _ = bind_board(load_pack(drill), layouts)
    assert places.of(None) == NOWHERE
    assert places.of(Spot(None, 5, 5)) == NOWHERE
    assert places.of(Spot("Dead Pile", 60, 60)) == Place("box", "Dead Pile")
    assert places.of(Spot("No such map", 1, 1)) == Place("box", "No such map")
    assert places.of(Spot("Main Map", -500, 5)).kind == "unclear"


def test_another_board_on_the_map_by_now_is_unclear(
    layouts: dict[str, MapLayout], drill: Path
) -> None:
    _, places, _ = bind_board(load_pack(drill), layouts)
    at = Spot("Main Map", 196, 188)
    assert places.of(at, "0403") == places.of(at) == Place("hex", "0403")
    assert places.of(at, "B0403") == Place("unclear", "B0403")


def _two_boards() -> MapLayout:
    """Two boards of 2 × 2 hexes side by side: columns 1 and 2, columns 3 and 4 of one surface."""

    def board(name: str, first: int) -> BoardDefinition:
        numbering = Numbering(horizontal=Axis(offset=first), vertical=Axis(), stagger=False)
        grid = HexGrid(x0=25, y0=30, dx=50.0, dy=60.0, numbering=numbering)
        return BoardDefinition(name, 100, 150, "", False, 1.0, grid)

    boards = (board("West", 1), board("East", 3))
    choices = (BoardChoice("West", 0, 0), BoardChoice("East", 1, 0))
    formats = MoveFormats(None, None, None, False)
    definition = MapDefinition(
        "Map0", "Main", "Map", "Map", boards, choices, 0, 0, "Never", True, formats
    )
    return MapLayout(definition)


def test_boards_side_by_side_are_one_surface(tmp_path: Path) -> None:
    (tmp_path / "pack.toml").write_text(
        '[pack]\nname="x"\nversion="1"\nruleset="generic"\n[board]\n[[board.sheet]]\nmap="Main"\n'
    )
    layout = _two_boards()
    board, _, problems = bind_board(load_pack(tmp_path), {"Main": layout})
    assert problems == ()
    for name in board.hexes:
        around = set(board.neighbours(name))
        assert name not in around
        assert all(name in board.neighbours(other) for other in around)
    west = layout.location_name(75, 60)
    east = layout.location_name(125, 60)
    assert board.hexes[west].sheet != board.hexes[east].sheet
    assert east in board.neighbours(west)


def test_an_offset_joins_maps(tmp_path: Path) -> None:
    (tmp_path / "pack.toml").write_text(
        '[pack]\nname="x"\nversion="1"\nruleset="generic"\n[board]\n'
        '[[board.sheet]]\nmap="Main"\nboard="West"\nname="all"\n'
        '[[board.sheet]]\nmap="Main"\nboard="East"\nname="all"\noffset=[2, 0]\n'
    )
    board, _, problems = bind_board(load_pack(tmp_path), {"Main": _two_boards()})
    assert problems == ()
    assert {h.sheet for h in board.hexes.values()} == {"all"}
    ats = sorted(h.at for h in board.hexes.values())
    assert ats[0] == Axial(0, 0)
    assert {at.q for at in ats} == {0, 1, 2, 3}


def test_a_hex_that_two_sheets_have_is_that_of_the_first(tmp_path: Path) -> None:
    (tmp_path / "pack.toml").write_text(
        '[pack]\nname="x"\nversion="1"\nruleset="generic"\n[board]\n'
        '[[board.sheet]]\nmap="Main"\nboard="West"\nname="west"\n'
        '[[board.sheet]]\nmap="Main"\nname="whole"\nprefix="W"\n'
    )
    layout = _two_boards()
    board, _, problems = bind_board(load_pack(tmp_path), {"Main": layout})
    assert problems == ()
    assert layout.location_name(75, 60) in board.hexes
    assert f"W{layout.location_name(75, 60)}" not in board.hexes
    assert f"W{layout.location_name(125, 60)}" in board.hexes
