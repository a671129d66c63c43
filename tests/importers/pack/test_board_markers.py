"""Markers on the table that change the board. In the drill an entrenchment is laid in 0504 in step 42 of the
first log, in the combat phase that began with step 28, and stays there; another counter, taken for a marker
here, comes to 0409 in step 54, and is dragged to 0408 and 0508 in steps 60 and 61, in the phase of step 53.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from vassal_files import laid_out
from vassal_umpire.importers.analysis.document import document, encode, parse_document
from vassal_umpire.importers.analysis.game_json import game_of
from vassal_umpire.importers.pack.bind import Bound as BoundGame
from vassal_umpire.importers.pack.board import Places, bind_board
from vassal_umpire.importers.pack.load import load_pack
from vassal_umpire.importers.pack.pack import Pack
from vassal_umpire.importers.vassal.grids import Axis, HexGrid, Numbering
from vassal_umpire.importers.vassal.layout import MapLayout
from vassal_umpire.model.board import Board, edge
from vassal_umpire.model.boards import BoardChange
from vassal_umpire.model.game import NOWHERE, Game, Place, StepRef
from vassal_umpire.model.hexgrid import Axial
from vassal_umpire.model.names import TERRAIN, Words
from vassal_umpire.model.problem import Problem, WrongPack
from vassal_umpire.model.table import Spot, TableHistory

NORTH, SOUTH, SLANT = edge("0503", "0504"), edge("0504", "0505"), edge("0504", "0604")
RIVERS = "kind,path\nriver,0503/0504 0504/0505\nbridge,0504/0505\nroad,0503 0504 0505\n"
MARKER = '[[board.marker]]\nname = "^Entrenchment$"\n'
Bound = Callable[..., tuple[Game, tuple[Problem, ...]]]


@pytest.fixture
def marked(drill_by: Callable[..., BoundGame], drill: Path, tmp_path: Path) -> Bound:
    """The drill bound with more in its pack, other lines, and the level of 0504 not known."""

    def make(more: str, lines: str = RIVERS, **told: Any) -> tuple[Game, tuple[Problem, ...]]:
        folder = tmp_path / "pack"
        shutil.copytree(drill, folder, dirs_exist_ok=True)
        text = (drill / "pack.toml").read_text("utf-8").replace('"lines"]', '"lines", "levels"]')
        (folder / "pack.toml").write_text(f"{text}\n{more}\n", "utf-8")
        hexes = (drill / "hexes.csv").read_text("utf-8")
        (folder / "hexes.csv").write_text(f"{hexes}0504;;?;\n", "utf-8")
        (folder / "lines.csv").write_text(lines, "utf-8")
        found = drill_by(load_pack(folder), **told)
        return found.game, found.problems

    return make


def at(game: Game, log: int, step: int) -> Board:
    """The board at the first event of a step or after it that is not a change of the board."""
    events = game.events
    index = next(
        i
        for i, e in enumerate(events)
        if e.at >= StepRef(log, step) and not isinstance(e, BoardChange)
    )
    return game.on_board(index, index).board


def kinds(board: Board, side: tuple[str, str]) -> list[str]:
    return [line.kind for line in board.lines_by_edge.get(side, ())]


def test_a_marker_in_a_hex(marked: Bound) -> None:
    game, problems = marked(MARKER + 'adds = ["fort"]')
    assert problems == ()
    assert at(game, 1, 20).hexes["0504"].features == ()
    assert at(game, 1, 20).hex_known("0504")
    assert at(game, 1, 51).hexes["0504"].features == ("fort",)
    assert at(game, 2, 30).hexes["0504"].features == ("fort",)


def test_until_it_lies_there_the_cell_is_open_from_the_beginning_of_the_phase(
    marked: Bound,
) -> None:
    game, _ = marked(MARKER + 'terrain = ["rubble"]\nadds = ["fort"]')
    assert at(game, 1, 32).hexes["0504"].terrain is None
    assert at(game, 1, 32).maybe_in("0504") is None
    after = at(game, 1, 51)
    assert (after.hexes["0504"].terrain, after.hex_known("0504")) == (("rubble",), True)


@pytest.mark.parametrize(("more", "level"), [("level = 2", 2), ('adds = ["fort"]', None)])
def test_a_level_that_is_not_known_is_known_where_a_marker_tells_it(
    marked: Bound, more: str, level: int | None
) -> None:
    game, _ = marked(MARKER + more)
    assert [at(game, 1, step).level_of("0504") for step in (20, 32, 51)] == [None, None, level]


def test_a_marker_that_is_dragged_on_takes_what_it_stands_for_with_it(marked: Bound) -> None:
    game, _ = marked('[[board.marker]]\nid = ["1795262823134"]\nadds = ["fort"]')
    while_moving = at(game, 1, 59)
    assert [while_moving.maybe_in(n) for n in ("0409", "0508")] == [{"fort"}, {"fort"}]
    later = at(game, 2, 30)
    assert [n for n, here in later.hexes.items() if "fort" in here.features] == ["0508"]
    assert later.hex_known("0409")


def test_where_there_is_nothing_that_it_can_mean_it_says_so(marked: Bound) -> None:
    _, problems = marked(MARKER + 'at = "hexside"\nremoves = ["wall"]')
    assert [(p.code, p.count) for p in problems] == [("board-marker", 2)]


def test_of_several_hexsides_each_is_open(marked: Bound) -> None:
    game, _ = marked(MARKER + 'at = "hexside"\nremoves = ["river", "road"]')
    after = at(game, 1, 51)
    assert (after.sides[NORTH], after.maybe_on(NORTH)) == ((), {"river"})
    assert (after.sides[SOUTH], after.maybe_on(SOUTH)) == (("bridge",), {"river"})
    assert [after.maybe_across(side) for side in (NORTH, SOUTH)] == [{"road"}, {"road"}]
    assert [kinds(after, side) for side in (NORTH, SOUTH)] == [[], []]


@pytest.mark.parametrize(
    ("more", "north", "south"),
    [
        ('removes = ["bridge"]', ("river",), ("river",)),
        ('removes = ["river"]\ntowards = { value = "0503" }', (), ("river", "bridge")),
        ('adds = ["pontoon"]\non = ["bridge"]', ("river",), ("river", "bridge", "pontoon")),
    ],
    ids=["the only one that it can mean", "it tells which", "as the pack says"],
)
def test_the_hexside_that_a_marker_means(
    marked: Bound, more: str, north: tuple[str, ...], south: tuple[str, ...]
) -> None:
    game, _ = marked(f'{MARKER}at = "hexside"\n{more}')
    assert at(game, 1, 20).sides[SOUTH] == ("river", "bridge")
    after = at(game, 1, 51)
    assert (after.sides[NORTH], after.sides[SOUTH]) == (north, south)
    assert after.sides_known(SOUTH)
    assert kinds(after, SOUTH) == ["road"]


@pytest.mark.parametrize(
    ("more", "what"),
    [
        ("", "2 or more keys"),
        ('at = "hexside"', "expected removes, adds, terrain or level"),
        ('at = "hexside"\nremoves = ["a"]\nterrain = ["b"]', 'terrain only beside at = "hex"'),
        ('adds = ["a"]\non = ["b"]', 'on only beside at = "hexside"'),
    ],
)
def test_faults_are_one_line(marked: Bound, more: str, what: str) -> None:
    with pytest.raises(WrongPack, match=what):
        marked(MARKER + more)


def test_a_counter_that_speaks_of_a_feature_opens_it_where_the_pack_says_nothing(
    marked: Bound,
) -> None:
    lines = "kind,path\nriver,0503/0504\nentrenchment,0504/0505\n"
    game, problems = marked("", lines)
    assert game.board.maybe_on(SOUTH) == {"entrenchment"}
    assert [p.code for p in problems] == ["changes"]
    assert at(game, 1, 20).sides[NORTH] == ("river",)
    game, problems = marked(MARKER + 'adds = ["fort"]', lines)
    assert game.board.sides_known(SOUTH)
    assert problems == ()


def test_what_markers_tell_is_in_the_analysis_document(marked: Bound) -> None:
    game, _ = marked(MARKER + 'at = "hexside"\nremoves = ["river", "road"]')
    plain = parse_document(encode(document(game=game)), "drill.json")
    assert plain["version"] == 2
    assert game_of(plain["game"]) == game
    assert sum(isinstance(event, BoardChange) for event in game.events) >= 2


TILES = '[[board.marker]]\nname = "^(Entrenchment)$"\n'


def test_terrain_is_read_from_the_piece(marked: Bound) -> None:
    game, problems = marked(
        TILES + 'terrain = { name = "(.*)", map = { Entrenchment = "rubble+fort" } }'
    )
    assert problems == ()
    assert at(game, 1, 51).hexes["0504"].terrain == ("rubble", "fort")


def test_a_piece_that_the_map_does_not_name_leaves_the_terrain_open(marked: Bound) -> None:
    game, _ = marked(TILES + 'terrain = { name = "(.*)", map = { Wall = "rubble" } }')
    assert at(game, 1, 20).hexes["0504"].terrain is not None
    assert at(game, 1, 51).hexes["0504"].terrain is None


def test_two_pieces_in_one_hex_that_tell_different_terrain_leave_it_open(marked: Bound) -> None:
    one = '[[board.marker]]\nname = "^Entrenchment$"\nterrain = { name = "(.*)" }\n'
    alone = '[[board.marker]]\nid = ["1795262823134"]\nterrain = { value = "swamp" }\n'
    game, _ = marked(one + alone)
    assert at(game, 2, 30).hexes["0508"].terrain == ("swamp",)
    assert at(game, 2, 30).hexes["0504"].terrain == ("Entrenchment",)
    everything = '[[board.marker]]\nname = ""\nterrain = { property = "BasicName" }\n'
    with pytest.raises(WrongPack):
        marked(everything)  # a pattern that is empty
    game, _ = marked('[[board.marker]]\nname = "."\nterrain = { property = "BasicName" }\n')
    assert at(game, 2, 30).hexes["0504"].terrain is None


def test_markers_on_it_cannot_tell_the_terrain_of_a_piece(marked: Bound) -> None:
    with pytest.raises(WrongPack, match="something that the piece itself shows"):
        marked(TILES + 'terrain = { marker = "x" }')


def test_terrain_that_the_ruleset_does_not_know_is_told_and_open_where_its_chart_is_complete(
    marked: Bound, drill_by: Callable[..., BoundGame], tmp_path: Path
) -> None:
    marked(TILES + 'terrain = { name = "(.*)" }')
    words = {TERRAIN: Words(frozenset({"clear", "rubble"}), chart="terrain")}
    pack = load_pack(tmp_path / "pack")
    for charts, expected in ((frozenset(), ("Entrenchment",)), (frozenset({"terrain"}), None)):
        which = replace(pack, charts=charts)
        found = drill_by(which, words=words)
        assert at(found.game, 1, 51).hexes["0504"].terrain == expected
        assert [p.message for p in found.problems if "do not know (Entrenchment)" in p.message]
    assert TERRAIN not in {name.kind for name in pack.names}
    marked(TILES + 'terrain = { name = "(.*)", map = { Entrenchment = "rubbel+fort" } }')
    named = [n.name for n in load_pack(tmp_path / "pack").names if n.kind == TERRAIN]
    assert named == ["rubbel", "fort"]


# -- Where pixels lie: hexes, boxes, and what cannot be told ---------------------------------------


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


def test_off_the_board_and_on_another(layouts: dict[str, MapLayout], drill: Path) -> None:
    _, places, _ = bind_board(load_pack(drill), layouts)
    assert places.of(None) == NOWHERE
    assert places.of(Spot(None, 5, 5)) == NOWHERE
    assert places.of(Spot("Dead Pile", 60, 60)) == Place("box", "Dead Pile")
    assert places.of(Spot("No such map", 1, 1)) == Place("box", "No such map")
    assert places.of(Spot("Main Map", -500, 5)).kind == "unclear"
    at = Spot("Main Map", 196, 188)
    assert places.of(at, "0403") == places.of(at) == Place("hex", "0403")
    assert places.of(at, "B0403") == Place("unclear", "B0403")  # another board on the map by now
    beside, near = next(iter(unclear(places)))
    places.relaid = {"Main Map"}  # a board whose hexes have the same names
    assert places.of(at, "0403") == Place("unclear", "0403")
    assert near is not None
    assert places.near(beside) is None


def unclear(places: Places) -> Iterator[tuple[Spot, Any]]:
    """The spots around 0504 whose hex is not clear, and what they are near."""
    for x in range(200, 300):
        for y in range(150, 350):
            spot = Spot("Main Map", x, y)
            if places.of(spot).kind == "unclear":
                yield spot, places.near(spot)


@pytest.mark.parametrize("nearest", [True, False])
def test_a_marker_near_a_hexside_means_it_and_near_a_corner_one_of_several(
    marked: Bound, history: TableHistory, layouts: dict[str, MapLayout], drill: Path, nearest: bool
) -> None:
    _, places, _ = bind_board(load_pack(drill), layouts)
    spots = [spot for spot, near in unclear(places) if near == ("0504", "0604", nearest)]

    def put(change: Any) -> Any:
        piece = change.after
        if piece is None or piece.name != "Entrenchment":
            return change
        return replace(change, after=replace(piece, spot=spots[0]))

    first, *logs = history.logs
    steps = tuple(replace(s, changes=tuple(map(put, s.changes))) for s in first.steps)
    moved = replace(history, logs=(replace(first, steps=steps), *logs))
    game, _ = marked(MARKER + 'terrain = ["rubble"]\nlevel = 2', history=moved)
    after = at(game, 1, 51)
    assert {after.hexes[name].terrain for name in ("0504", "0604")} == {None}  # which is it?
    assert [after.level_of(name) for name in ("0504", "0604")] == [None, None]
    lines = "kind,path\nriver,0504/0604 0504/0505\n"
    game, _ = marked(MARKER + 'at = "hexside"\nremoves = ["river"]', lines, history=moved)
    after = at(game, 1, 51)
    told = [(after.sides.get(side, ()), after.maybe_on(side)) for side in (SLANT, SOUTH)]
    gone, open_, there = ((), frozenset()), ((), {"river"}), (("river",), frozenset())
    assert told == ([gone, there] if nearest else [open_, open_])


def _two_boards() -> MapLayout:
    """Two boards of 2 × 2 hexes side by side: columns 1 and 2, columns 3 and 4 of one surface."""

    def grid(first: int) -> HexGrid:
        numbering = Numbering(horizontal=Axis(offset=first), vertical=Axis(), stagger=False)
        return HexGrid(x0=25, y0=30, dx=50.0, dy=60.0, numbering=numbering)

    return laid_out({"West": grid(1), "East": grid(3)}, (100, 150))


WEST = '[[board.sheet]]\nmap="Main"\nboard="West"\n'
EAST = WEST.replace("West", "East")


def test_boards_side_by_side_are_one_surface(small_pack: Callable[..., Pack]) -> None:
    layout = _two_boards()
    pack = small_pack(sheets='[[board.sheet]]\nmap="Main"\n')
    board, _, problems = bind_board(pack, {"Main": layout})
    assert problems == ()
    for name in board.hexes:
        around = set(board.neighbours(name))
        assert name not in around
        assert all(name in board.neighbours(other) for other in around)
    west = layout.location_name(75, 60)
    east = layout.location_name(125, 60)
    assert board.hexes[west].sheet != board.hexes[east].sheet
    assert east in board.neighbours(west)


def test_an_offset_joins_maps(small_pack: Callable[..., Pack]) -> None:
    pack = small_pack(sheets=f'{WEST}name="all"\n{EAST}name="all"\noffset=[2, 0]\n')
    board, _, problems = bind_board(pack, {"Main": _two_boards()})
    assert problems == ()
    assert {h.sheet for h in board.hexes.values()} == {"all"}
    ats = sorted(h.at for h in board.hexes.values())
    assert ats[0] == Axial(0, 0)
    assert {at.q for at in ats} == {0, 1, 2, 3}


def test_a_hex_that_two_sheets_have_is_that_of_the_first(small_pack: Callable[..., Pack]) -> None:
    whole = '[[board.sheet]]\nmap="Main"\nname="whole"\nprefix="W"\n'
    layout = _two_boards()
    pack = small_pack(sheets=f'{WEST}name="west"\n{whole}')
    board, _, problems = bind_board(pack, {"Main": layout})
    assert problems == ()
    assert layout.location_name(75, 60) in board.hexes
    assert f"W{layout.location_name(75, 60)}" not in board.hexes
    assert f"W{layout.location_name(125, 60)}" in board.hexes
