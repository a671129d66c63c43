"""What lies on the table of a new game, and of a save without ``SETUP_STACK``, as the engine sets it up."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from vassal_umpire.importers.vassal import sequence
from vassal_umpire.importers.vassal.buildfile import open_module
from vassal_umpire.importers.vassal.commands import AddPiece, MovePiece, encode_stream
from vassal_umpire.importers.vassal.layout import MapLayout, lay_out
from vassal_umpire.importers.vassal.limits import Limits
from vassal_umpire.importers.vassal.module import BoardChoice
from vassal_umpire.importers.vassal.newgame import (
    InitialPlacement,
    does_not_stack,
    initial_placements,
)
from vassal_umpire.importers.vassal.places import Gazetteer, named_places
from vassal_umpire.importers.vassal.prototypes import take_apart
from vassal_umpire.importers.vassal.replay import LogReplay
from vassal_umpire.importers.vassal.savefile import read_save
from vassal_umpire.importers.vassal.writer import write_save
from vassal_umpire.model.problem import Unreadable
from vassal_umpire.model.table import Deck, Table

Reader = Callable[[Path], list[dict[str, Any]]]
Maker = Callable[..., Path]

V = "VASSAL.build"
BOARDS = f"{V}.module.map.boardPicker"
STACK = f"{V}.module.map.SetupStack"
SLOT = f"{V}.widget.PieceSlot"


def _basic_name(kind: str) -> str:
    return sequence.split(take_apart(kind, "")[-1][0], ";")[4]


def _told(rows: list[dict[str, Any]]) -> Counter[tuple[Any, ...]]:
    """Stacks, decks and lone pieces of a golden answer; ids of a new game say nothing."""
    names = {row["id"]: row.get("props", {}).get("BasicName", row.get("name")) for row in rows}
    told: Counter[tuple[Any, ...]] = Counter()
    for row in rows:
        place = (row["map"], row["x"], row["y"])
        if "members" in row:
            members = tuple(names[member] for member in row["members"])
            told[row["kind"], place, row.get("deck"), row.get("faceDown", False), members] += 1
        elif "in" not in row:
            told["piece", place, None, False, (names[row["id"]],)] += 1
    return told


def _ours(placement: InitialPlacement) -> tuple[Any, ...]:
    return (
        placement.kind,
        (placement.map, placement.x, placement.y),
        placement.name if placement.kind == "deck" else None,
        placement.face_down,
        tuple(_basic_name(piece.type) for piece in placement.pieces),
    )


@pytest.mark.parametrize(
    ("name", "count"),
    [
        ("hexncounters/jzhex-n-counters-template-v12-379.vmod", 1),
        ("hexncounters/ragnarok.vmod", 0),
        ("kassala/Kassala.vmod", 21),
        ("vassal-tour/tour.mod", 3),
        ("zxvt/zxvt.vmod", 0),
    ],
)
def test_a_new_game_looks_as_the_engine_sets_it_up(
    name: str, count: int, corpus: Path, golden_rows: Reader
) -> None:
    header, *rows = golden_rows(corpus / "golden" / f"{name}.newgame.state.jsonl.gz")
    module = open_module(corpus / name)
    # the engine, which asks for boards at the start, was given none where there is no default
    layouts = lay_out(module.maps)
    for told in header["maps"]:
        a_map = module.map(told["name"])
        assert a_map is not None
        assert [board["name"] for board in told["boards"]] == [
            board.name for board in layouts[a_map.id].boards
        ]
    table = initial_placements(module, layouts)
    assert Counter(_ours(placement) for placement in table.placements) == _told(rows)
    assert len(table.placements) == count


def _grid(kind: str, attributes: str, inner: str = "") -> str:
    return f"<{BOARDS}.board.{kind} {attributes}>{inner}</{BOARDS}.board.{kind}>"


NUMBERS = f'<{BOARDS}.board.mapgrid.SquareGridNumbering hOff="0" vOff="0"/>'
GRID = _grid("SquareGrid", 'x0="10" y0="10" dx="20" dy="20"', NUMBERS)


def _module(make_module: Maker, stacks: str, boards: str = "", edge: str = "") -> Path:
    given = boards or f'<{BOARDS}.Board name="A" width="400" height="300">{GRID}</{BOARDS}.Board>'
    picker = f"{V}.module.map.BoardPicker"
    return make_module(
        f'<{V}.module.Map mapName="M" {edge}><{picker}>{given}</{picker}>{stacks}</{V}.module.Map>'
    )


def _slot(name: str, traits: str = "", states: str = "") -> str:
    return f'<{SLOT} gpid="1">+/null/{traits}piece;;;;{name}/{states}null;0;0;1</{SLOT}>'


def test_stacks_without_a_board_stand_off_the_edge_buffer(make_module: Maker) -> None:
    stacks = (
        f'<{STACK} name="any" owningBoard="" x="3" y="4">{_slot("a")}{_slot("b")}</{STACK}>'
        f'<{STACK} name="own" owningBoard="A" x="3" y="4">{_slot("c")}</{STACK}>'
        f'<{STACK} name="gone" owningBoard="Not in use" x="3" y="4">{_slot("d")}</{STACK}>'
        f'<{STACK} name="default">{_slot("e")}</{STACK}>'
    )
    edge = 'edgeWidth="1000" edgeHeight="2000"'
    table = initial_placements(open_module(_module(make_module, stacks, edge=edge)))
    assert [_ours(p) for p in table.placements] == [
        ("stack", ("M", 1003, 2004), None, False, ("a", "b")),
        ("stack", ("M", 1003, 2004), None, False, ("c",)),
        ("stack", ("M", 1100, 2100), None, False, ("e",)),
    ]


def test_a_location_overrules_pixels_unless_it_is_unknown(make_module: Maker) -> None:
    stacks = "".join(
        f'<{STACK} name="s" useGridLocation="true" location="{where}" x="1" y="2">{_slot("a")}'
        f"</{STACK}>"
        for where in ("0302", "9999", "")
    )
    table = initial_placements(open_module(_module(make_module, stacks)))
    assert [(p.x, p.y) for p in table.placements] == [(70, 50), (1, 2), (1, 2)]
    assert [p.code for p in table.problems] == ["setup-location-unknown"]


@pytest.mark.parametrize(
    ("shown", "named"), [("$name$", "Kiev"), ("$name$: $gridLocation$", "Ukraine: Kiev")]
)
def test_a_region_is_found_by_the_name_that_its_zone_shows_or_its_own(
    make_module: Maker, shown: str, named: str
) -> None:
    region = f'<{BOARDS}.board.Region name="Kiev" originx="30" originy="40"/>'
    zone = (
        f'<{BOARDS}.board.mapgrid.Zone name="Ukraine" path="0,0;90,0;90,90;0,90" '
        f'locationFormat="{shown}">{_grid("RegionGrid", "", region)}'
        f"</{BOARDS}.board.mapgrid.Zone>"
    )
    board = f'<{BOARDS}.Board name="A">{_grid("ZonedGrid", "", zone)}</{BOARDS}.Board>'
    stack = f'<{STACK} useGridLocation="true" location="{named}">{_slot("a")}</{STACK}>'
    table = initial_placements(open_module(_module(make_module, stack, board)))
    assert [(p.x, p.y) for p in table.placements] == [(30, 40)]
    assert table.problems == ()


def test_pieces_that_do_not_stack_stand_alone(make_module: Maker) -> None:
    stack = (
        f'<{STACK} x="5" y="6">{_slot("a")}{_slot("hill", "immob;;V&#9;", "&#9;")}'
        f"{_slot('b')}</{STACK}>"
    )
    table = initial_placements(open_module(_module(make_module, stack)))
    assert [_ours(p) for p in table.placements] == [
        ("piece", ("M", 5, 6), None, False, ("hill",)),
        ("stack", ("M", 5, 6), None, False, ("a", "b")),
    ]


@pytest.mark.parametrize(
    ("kind", "alone"),
    [
        ("piece;;;;x", False),
        ("immob;;N\tpiece;;;;x", True),
        ("immob;;N;L;\tpiece;;;;x", False),
        ("mark;A\tmat;Ship;\\\tpiece;;;;x", True),
        # the outermost trait that knows answers
        ("immob;;N;L;\tmat;Ship;\\\tpiece;;;;x", False),
    ],
)
def test_which_pieces_do_not_stack(kind: str, alone: bool) -> None:
    assert does_not_stack(kind) is alone


@pytest.mark.parametrize(
    ("face_down", "expected"),
    [
        ('faceDown="Always"', True),
        ('faceDown="Never"', False),
        ('faceDown="Via right-click Menu"', True),
        ('faceDown="MenuDefaultUp"', False),
        ("", True),
    ],
)
def test_decks_begin_face_down_or_up(face_down: str, expected: bool, make_module: Maker) -> None:
    pile = f"{V}.module.map.DrawPile"
    module = open_module(
        _module(make_module, f'<{pile} name="D" x="1" y="2" {face_down}>{_slot("c")}</{pile}>')
    )
    (placement,) = initial_placements(module).placements
    assert (placement.kind, placement.name, placement.face_down) == ("deck", "D", expected)
    assert MapLayout(module.maps[0]).location_name(1, 2) == "D"


def test_boards_lie_beside_and_below_each_other(make_module: Maker) -> None:
    boards = "".join(
        f'<{BOARDS}.Board name="{name}" width="{w}" height="{h}" reversible="{r}">{GRID}'
        f"</{BOARDS}.Board>"
        for name, w, h, r in (("A", 100, 200, "true"), ("B", 150, 120, "false"))
    )
    a_map = open_module(_module(make_module, "", boards, 'edgeWidth="7" edgeHeight="9"')).maps[0]
    layout = MapLayout(
        a_map,
        [
            BoardChoice("A", 0, 0),
            BoardChoice("B", 1, 0, reversed=True),
            BoardChoice("A", 1, 1, reversed=True),
            BoardChoice("no such board", 2, 0),
        ],
    )
    assert [(b.name, b.x, b.y, b.reversed) for b in layout.boards] == [
        ("A", 7, 9, False),
        ("B", 107, 9, False),
        # nothing is in the cell to its left, so nothing keeps it from the edge
        ("A", 7, 129, True),
    ]
    assert layout.size == (7 + 250 + 7, 9 + 320 + 9)
    assert layout.location_name(6, 9) == "offboard"


def test_a_reversed_board_is_named_from_its_far_corner(make_module: Maker) -> None:
    board = f'<{BOARDS}.Board name="A" width="100" height="200" reversible="true">{GRID}'
    path = _module(make_module, "", board + f"</{BOARDS}.Board>", 'edgeWidth="7" edgeHeight="9"')
    layout = MapLayout(open_module(path).maps[0], [BoardChoice("A", reversed=True)])
    assert layout.location_name(7 + 90, 9 + 190) == "0000"
    assert layout.location_name(7 + 70, 9 + 190) == "0100"
    assert layout.snap(7 + 85, 9 + 195) == (97, 199)


def test_a_piece_snapped_one_pixel_off_the_board_is_pulled_back(make_module: Maker) -> None:
    grid = _grid("SquareGrid", 'x0="-1" y0="0" dx="20" dy="20"')
    board = f'<{BOARDS}.Board name="A" width="39" height="40">{grid}</{BOARDS}.Board>'
    layout = MapLayout(open_module(_module(make_module, "", board)).maps[0])
    assert layout.snap(2, 38) == (0, 39)
    assert layout.snap(37, 2) == (38, 0)


def test_cells_are_found_from_pixels_and_across_boards(make_module: Maker) -> None:
    board = f'<{BOARDS}.Board name="A" width="40" height="40">{GRID}</{BOARDS}.Board>'
    layout = MapLayout(
        open_module(_module(make_module, "", board)).maps[0],
        [BoardChoice("A", 0, 0), BoardChoice("A", 1, 0)],
    )
    corner = layout.place(35, 5)
    assert corner is not None
    assert (corner.board, corner.column, corner.row) == (0, 1, 0)
    assert layout.centre(corner) == (30, 10)
    beside = {(p.board, p.column, p.row) for p in layout.neighbours(corner)}
    assert beside == {(0, 0, 0), (0, 0, 1), (0, 1, 1), (1, 0, 0), (1, 0, 1)}
    there = layout.place(45, 5)
    assert there is not None
    assert layout.place(500, 500) is None


def test_private_maps_show_the_boards_they_borrow(make_module: Maker) -> None:
    picker = f"{V}.module.map.BoardPicker"
    board = f'<{BOARDS}.Board name="A" width="40" height="40"/>'
    path = make_module(
        f'<{V}.module.Map mapName="M" edgeWidth="5"><{picker}>{board}</{picker}></{V}.module.Map>'
        f'<{V}.module.PrivateMap mapName="P" useBoards="M" edgeWidth="50"/>'
    )
    laid = lay_out(open_module(path).maps)
    assert [(b.name, b.x) for b in laid["Map1"].boards] == [("A", 5)]
    assert laid["Map1"].size == laid["Map0"].size == (50, 40)


def test_a_forged_board_size_does_not_eat_the_machine(make_module: Maker) -> None:
    grid = _grid("SquareGrid", 'dx="2" dy="2"', NUMBERS)
    board = f'<{BOARDS}.Board name="A" width="900000" height="900000">{grid}</{BOARDS}.Board>'
    layout = MapLayout(open_module(_module(make_module, "", board)).maps[0])
    assert layout.location_name(48, 24) == "1200"
    few = open_module(_module(make_module, "", board), limits=Limits(places=1000))
    with pytest.raises(Unreadable, match="more than 1,000 named places"):
        Gazetteer(MapLayout(few.maps[0]))


def test_a_board_that_nobody_asks_for_may_be_large(make_module: Maker) -> None:
    grid = _grid("SquareGrid", 'dx="10" dy="10"', NUMBERS)
    sizes = {"A": 40, "Large": 9000}
    boards = "".join(
        f'<{BOARDS}.Board name="{name}" width="{size}" height="{size}">{grid}</{BOARDS}.Board>'
        for name, size in sizes.items()
    )
    a_map = open_module(_module(make_module, "", boards), limits=Limits(places=1000)).maps[0]
    layout = MapLayout(a_map, [BoardChoice("A", 0, 0), BoardChoice("Large", 1, 0)])
    alone = MapLayout(a_map, [BoardChoice("A", 0, 0)])
    assert [p.name for p in named_places(layout, "A")] == [p.name for p in named_places(alone)]
    with pytest.raises(Unreadable, match="more than 1,000 named places"):
        list(named_places(layout, "Large"))


# -- Saves without ``SETUP_STACK``: the module's stacks and decks are set up, as the engine does ---
# ``kept.newgame.json`` holds what lay on the table of VASSAL 3.8.0-SNAPSHOT after it opened each of these
# files, and after each step: map, pixel, names from the bottom up, name of a deck (null: no stack).


DATA = Path(__file__).parent / "data"
GUEST = [
    AddPiece("11", "piece;;;;Guest", "Main Map;100;100;900;0"),
    AddPiece("12", "stack", "Main Map;100;100;11"),
]
CHOSEN, MARK = "Main MapBoardPicker\tB1\t0\t0", "SETUP_STACK\t"
STEPS = [
    [MovePiece("11", "Main Map", 300, 100, None, "Main Map", 100, 100, None, "x")],
    [MovePiece("12", "Main Map", 800, 600, None, "Main Map", 300, 100, None, "x")],
]
GAMES: dict[str, tuple[Sequence[Any], Sequence[Any]]] = {
    "bare": ([CHOSEN], []),
    "guest": ([*GUEST, CHOSEN], []),
    "marked": ([*GUEST, CHOSEN, MARK], []),
    "moved": ([*GUEST, CHOSEN], STEPS),
}


def replay(folder: Path, name: str) -> LogReplay:
    path = folder / "game.vlog"
    write_save(path, encode_stream(*GAMES[name]))
    return LogReplay(read_save(path), open_module(DATA / "kept.vmod"))


def lying(table: Table) -> list[list[Any]]:
    holders = [*table.stacks.values(), *table.decks.values()]
    held = [
        [h.spot.map, h.spot.x, h.spot.y, [table.pieces[m].name for m in h.members],
         h.name if isinstance(h, Deck) else ""]
        for h in holders
    ]  # fmt: skip
    loose = [
        [p.spot.map, p.spot.x, p.spot.y, [p.name], None]
        for p in table.pieces.values()
        if not p.holder
    ]
    return sorted(held, key=str) + sorted(loose, key=str)


@pytest.mark.parametrize("name", GAMES)
def test_the_table_is_the_engines(tmp_path: Path, name: str) -> None:
    expected = json.loads((DATA / "kept.newgame.json").read_text("utf-8"))[name]
    game = replay(tmp_path, name)
    found = [lying(game.table()), *(lying(game.table()) for _ in game.steps())]
    assert found == expected


def test_it_is_said(tmp_path: Path) -> None:
    codes = {name: [p.code for p in replay(tmp_path, name).problems()] for name in GAMES}
    assert {name for name, found in codes.items() if "set-up-at-start" in found} == {
        "bare", "guest", "moved",
    }  # fmt: skip


def test_ids_are_the_same_every_time_and_nobody_elses(tmp_path: Path) -> None:
    path = tmp_path / "game.vsav"
    taken = AddPiece("at-start-1", "piece;;;;Guest", "Main Map;1;1;900;0")
    write_save(path, encode_stream([taken, CHOSEN]))
    tables = [LogReplay(read_save(path), open_module(DATA / "kept.vmod")).table() for _ in range(2)]
    assert list(tables[0].pieces) == list(tables[1].pieces)
    assert tables[0].pieces["at-start-1"].name == "Guest"
    assert len(tables[0].pieces) == 26


def test_without_a_module_nothing_is_set_up(tmp_path: Path) -> None:
    path = tmp_path / "game.vsav"
    write_save(path, encode_stream([*GUEST, CHOSEN]))
    assert list(LogReplay(read_save(path)).table().pieces) == ["11"]
