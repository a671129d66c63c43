"""What lies on the table of a new game, and of a save without ``SETUP_STACK``, as the engine sets it up."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from vassal_files import (
    BOARDS,
    GRIDS,
    SETUP_STACK,
    SLOT,
    ZONE,
    V,
    a_board,
    a_map,
    element,
    golden_rows,
    laid_out,
    save_of,
)
from vassal_umpire.importers.vassal import sequence
from vassal_umpire.importers.vassal.buildfile import open_module
from vassal_umpire.importers.vassal.commands import AddPiece, MovePiece
from vassal_umpire.importers.vassal.grids import SquareGrid
from vassal_umpire.importers.vassal.layout import MapLayout, lay_out
from vassal_umpire.importers.vassal.limits import Limits
from vassal_umpire.importers.vassal.module import BoardChoice, Module
from vassal_umpire.importers.vassal.newgame import (
    InitialPlacement,
    does_not_stack,
    initial_placements,
)
from vassal_umpire.importers.vassal.places import Gazetteer, named_places
from vassal_umpire.importers.vassal.prototypes import take_apart
from vassal_umpire.importers.vassal.replay import LogReplay
from vassal_umpire.model.problem import Unreadable
from vassal_umpire.model.table import Deck, Table

Maker = Callable[..., Path]


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
def test_a_new_game_looks_as_the_engine_sets_it_up(name: str, count: int, corpus: Path) -> None:
    header, *rows = golden_rows(corpus / "golden" / f"{name}.newgame.state.jsonl.gz")
    module = open_module(corpus / name)
    # the engine, which asks for boards at the start, was given none where there is no default
    layouts = lay_out(module.maps)
    for told in header["maps"]:
        window = module.map(told["name"])
        assert window is not None
        assert [board["name"] for board in told["boards"]] == [
            board.name for board in layouts[window.id].boards
        ]
    table = initial_placements(module, layouts)
    assert Counter(_ours(placement) for placement in table.placements) == _told(rows)
    assert len(table.placements) == count


NUMBERS = element(f"{GRIDS}.mapgrid.SquareGridNumbering", hOff=0, vOff=0)
GRID = element(f"{GRIDS}.SquareGrid", NUMBERS, x0=10, y0=10, dx=20, dy=20)


def _module(make_module: Maker, stacks: str, boards: str = "", **edges: int) -> Module:
    given = boards or a_board("A", GRID, width=400, height=300)
    return open_module(make_module(a_map("M", given, stacks, **edges)))


def _slot(name: str, traits: str = "", states: str = "") -> str:
    return element(SLOT, f"+/null/{traits}piece;;;;{name}/{states}null;0;0;1", gpid=1)


def _stack(*slots: str, **attributes: object) -> str:
    return element(SETUP_STACK, "".join(slots), **attributes)


def test_stacks_without_a_board_stand_off_the_edge_buffer(make_module: Maker) -> None:
    stacks = (
        _stack(_slot("a"), _slot("b"), name="any", owningBoard="", x=3, y=4)
        + _stack(_slot("c"), name="own", owningBoard="A", x=3, y=4)
        + _stack(_slot("d"), name="gone", owningBoard="Not in use", x=3, y=4)
        + _stack(_slot("e"), name="default")
    )
    table = initial_placements(_module(make_module, stacks, edgeWidth=1000, edgeHeight=2000))
    assert [_ours(p) for p in table.placements] == [
        ("stack", ("M", 1003, 2004), None, False, ("a", "b")),
        ("stack", ("M", 1003, 2004), None, False, ("c",)),
        ("stack", ("M", 1100, 2100), None, False, ("e",)),
    ]


def test_a_location_overrules_pixels_unless_it_is_unknown(make_module: Maker) -> None:
    stacks = "".join(
        _stack(_slot("a"), name="s", useGridLocation="true", location=where, x=1, y=2)
        for where in ("0302", "9999", "")
    )
    table = initial_placements(_module(make_module, stacks))
    assert [(p.x, p.y) for p in table.placements] == [(70, 50), (1, 2), (1, 2)]
    assert [p.code for p in table.problems] == ["setup-location-unknown"]


@pytest.mark.parametrize(
    ("shown", "named"), [("$name$", "Kiev"), ("$name$: $gridLocation$", "Ukraine: Kiev")]
)
def test_a_region_is_found_by_the_name_that_its_zone_shows_or_its_own(
    make_module: Maker, shown: str, named: str
) -> None:
    region = element(f"{BOARDS}.board.Region", name="Kiev", originx=30, originy=40)
    regions = element(f"{GRIDS}.RegionGrid", region)
    path = "0,0;90,0;90,90;0,90"
    zone = element(ZONE, regions, name="Ukraine", path=path, locationFormat=shown)
    board = a_board("A", element(f"{GRIDS}.ZonedGrid", zone))
    stack = _stack(_slot("a"), useGridLocation="true", location=named)
    table = initial_placements(_module(make_module, stack, board))
    assert [(p.x, p.y) for p in table.placements] == [(30, 40)]
    assert table.problems == ()


def test_pieces_that_do_not_stack_stand_alone(make_module: Maker) -> None:
    slots = _slot("a"), _slot("hill", "immob;;V&#9;", "&#9;"), _slot("b")
    table = initial_placements(_module(make_module, _stack(*slots, x=5, y=6)))
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
        ({"faceDown": "Always"}, True),
        ({"faceDown": "Never"}, False),
        ({"faceDown": "Via right-click Menu"}, True),
        ({"faceDown": "MenuDefaultUp"}, False),
        ({}, True),
    ],
)
def test_decks_begin_face_down_or_up(
    face_down: dict[str, str], expected: bool, make_module: Maker
) -> None:
    pile = element(f"{V}.module.map.DrawPile", _slot("c"), name="D", x=1, y=2, **face_down)
    module = _module(make_module, pile)
    (placement,) = initial_placements(module).placements
    assert (placement.kind, placement.name, placement.face_down) == ("deck", "D", expected)
    assert MapLayout(module.maps[0]).location_name(1, 2) == "D"


def test_cells_are_found_from_pixels_and_across_boards(make_module: Maker) -> None:
    (window,) = _module(make_module, "", a_board("A", GRID, width=40, height=40)).maps
    layout = MapLayout(window, [BoardChoice("A", 0, 0), BoardChoice("A", 1, 0)])
    corner = layout.place(35, 5)
    assert corner is not None
    assert (corner.board, corner.column, corner.row) == (0, 1, 0)
    assert layout.centre(corner) == (30, 10)
    beside = {(p.board, p.column, p.row) for p in layout.neighbours(corner)}
    assert beside == {(0, 0, 0), (0, 0, 1), (0, 1, 1), (1, 0, 0), (1, 0, 1)}
    there = layout.place(45, 5)
    assert there is not None
    assert layout.place(500, 500) is None


def test_a_piece_that_lands_on_another_board_snaps_there_as_well() -> None:
    boards = {"West": SquareGrid(0, 0, 20, 20), "East": SquareGrid(8, 0, 20, 20)}
    assert laid_out(boards, (55, 40)).snap(52, 20) == (55 + 8, 20)  # West's grid says 60


def test_private_maps_show_the_boards_they_borrow(make_module: Maker) -> None:
    shown = a_map("M", a_board("A", width=40, height=40), edgeWidth=5, edgeHeight=3)
    private = element(f"{V}.module.PrivateMap", mapName="P", useBoards="M", edgeWidth=50)
    laid = lay_out(open_module(make_module(shown + private)).maps)
    assert [(b.name, b.x) for b in laid["Map1"].boards] == [("A", 5)]
    assert laid["Map1"].size == laid["Map0"].size == (50, 46)


def test_a_forged_board_size_does_not_eat_the_machine(make_module: Maker) -> None:
    """Nor is a large board anything to those who ask for another."""
    grid = element(f"{GRIDS}.SquareGrid", NUMBERS, dx=2, dy=2)
    sizes = {"A": 20, "Large": 900_000}
    boards = "".join(a_board(name, grid, width=n, height=n) for name, n in sizes.items())
    path = make_module(a_map("M", boards))
    (window,) = open_module(path, limits=Limits(places=1000)).maps
    layout = MapLayout(window, [BoardChoice("A", 0, 0), BoardChoice("Large", 1, 0)])
    assert layout.location_name(20 + 48, 24) == "1200"
    alone = MapLayout(window, [BoardChoice("A", 0, 0)])
    assert [p.name for p in named_places(layout, "A")] == [p.name for p in named_places(alone)]
    for ask in (Gazetteer, lambda laid: list(named_places(laid, "Large"))):
        with pytest.raises(Unreadable, match="more than 1,000 named places"):
            ask(layout)


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


def replay(opening: Sequence[Any], steps: Sequence[Any] = ()) -> LogReplay:
    return LogReplay(save_of(opening, *steps), open_module(DATA / "kept.vmod"))


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
def test_the_table_is_the_engines(name: str) -> None:
    expected = json.loads((DATA / "kept.newgame.json").read_text("utf-8"))[name]
    game = replay(*GAMES[name])
    found = [lying(game.table()), *(lying(game.table()) for _ in game.steps())]
    assert found == expected


def test_it_is_said() -> None:
    codes = {name: [p.code for p in replay(*game).problems()] for name, game in GAMES.items()}
    assert {name for name, found in codes.items() if "set-up-at-start" in found} == {
        "bare", "guest", "moved",
    }  # fmt: skip


def test_ids_are_the_same_every_time_and_nobody_elses() -> None:
    taken = AddPiece("at-start-1", "piece;;;;Guest", "Main Map;1;1;900;0")
    tables = [replay([taken, CHOSEN]).table() for _ in range(2)]
    assert list(tables[0].pieces) == list(tables[1].pieces)
    assert tables[0].pieces["at-start-1"].name == "Guest"
    assert len(tables[0].pieces) == 26


def test_without_a_module_nothing_is_set_up() -> None:
    assert list(LogReplay(save_of([*GUEST, CHOSEN])).table().pieces) == ["11"]
