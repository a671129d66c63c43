"""Boards by the thousand are placed and found as few are, in time that hardly grows with the square."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path

import pytest
from bounded import run
from vassal_files import GRIDS, SLOT, ZONE, a_board, a_map, element, replayed
from vassal_umpire.importers.vassal.buildfile import open_module
from vassal_umpire.importers.vassal.commands import BoardChoice as KindBoard
from vassal_umpire.importers.vassal.commands import Boards, encode_stream
from vassal_umpire.importers.vassal.layout import MapLayout
from vassal_umpire.importers.vassal.module import BoardChoice, MapDefinition, Module
from vassal_umpire.importers.vassal.table_maps import Layouts
from vassal_umpire.importers.vassal.writer import write_save
from vassal_umpire.model.problem import Problem

Maker = Callable[..., Path]


def _map(make_module: Maker) -> MapDefinition:
    boards = "".join(a_board(f"B{n}", width=30 + n, height=50 - n) for n in range(5))
    return open_module(make_module(a_map("Main", boards))).maps[0]


def test_boards_lie_as_far_in_as_those_before_them(make_module: Maker) -> None:
    """Of two in one place the last counts for others; columns and rows below 0 count for none; a board no
    module has is left out [BoardPicker, Map.setBoards]."""
    rng = random.Random(11)
    definition = _map(make_module)
    choices = [
        BoardChoice(f"B{rng.randrange(6)}", rng.randrange(-2, 9), rng.randrange(-2, 9))
        for _ in range(80)
    ]
    known = [c for c in choices if c.name != "B5"]
    size = {(c.column, c.row): (30 + int(c.name[1]), 50 - int(c.name[1])) for c in known}
    expected = [
        (
            sum(s[0] for (c, r), s in size.items() if r == one.row and 0 <= c < one.column),
            sum(s[1] for (c, r), s in size.items() if c == one.column and 0 <= r < one.row),
        )
        for one in known
    ]
    layout = MapLayout(definition, choices)
    assert [(board.x, board.y) for board in layout.boards] == expected
    for x in range(-5, 400, 7):
        for y in range(-5, 400, 7):
            first = next((b for b in layout.boards if b.contains(x, y)), None)
            assert layout.find_board(x, y) is first


def test_only_maps_with_other_boards_are_laid_out_anew(make_module: Maker) -> None:
    windows = "".join(a_map(name, a_board("B")) for name in "AB")
    windows += a_map("Shows A", a_board("B"), useBoards="A")
    module = open_module(make_module(windows))
    before = Layouts(module, {})
    for name, same in (("A", {"Map1"}), ("B", {"Map0", "Map2"}), ("Shows A", {"Map0", "Map1"})):
        boards = (KindBoard("B", False, 0, 0), KindBoard("B", False, 1, 0))
        after = before.changed([Boards(name, boards)])
        assert {n for n, laid in after.by_id.items() if laid is before.by_id[n]} == same
        assert after.by_id["Map2"].boards == after.by_id["Map0"].boards


@pytest.mark.ci
def test_a_save_that_names_boards_by_the_ten_thousand_is_read(
    tmp_path: Path, make_module: Maker
) -> None:
    path = make_module(a_map("Main", a_board("B", width=50, height=50)))
    boards = "\t".join(f"B\t{n % 250}\t{n // 250}" for n in range(50_000))
    rng = random.Random(3)
    pieces = [
        f"+/p{n}/piece;;;;{n}/Main;{rng.randrange(12_500)};{rng.randrange(10_000)};;0"
        for n in range(5_000)
    ]
    save = tmp_path / "game.vsav"
    write_save(save, encode_stream([*pieces, f"MainBoardPicker\t{boards}"]))
    ended = run("convert", save, path, "-o", tmp_path / "out.json", memory=1024)
    assert ended.code == 0, ended.text[-300:]


# -- What a module or save names and cannot be used is told in a line each, and no more than some dozens --


def _module(make_module: Maker, in_board: str = "", in_picker: str = "", more: str = "") -> Module:
    return open_module(make_module(a_map("Main", in_picker + a_board("Plain", in_board)) + more))


def _told(problems: tuple[Problem, ...], code: str) -> list[str]:
    return [problem.message for problem in problems if problem.code == code]


def _zoned(*paths: str) -> str:
    return element(f"{GRIDS}.ZonedGrid", "".join(element(ZONE, name="Z", path=p) for p in paths))


def test_points_of_a_zone_that_are_none_are_told(make_module: Maker) -> None:
    module = _module(make_module, _zoned("0,0;9,0;9,x;7;0,9", "0,0;5,0;5,5;"))
    (told,) = _told(module.problems, "bad-path")
    assert told.startswith("2 of the points of this zone's path, first '9,x',")


def test_many_of_a_kind_are_counted(make_module: Maker) -> None:
    told = _told(_module(make_module, _zoned(*["0,x"] * 70)).problems, "bad-path")
    assert len(told) == 51
    assert told[-1] == "there are 20 more zones with points that are left out"


def test_a_default_board_the_map_does_not_have_is_told(make_module: Maker) -> None:
    setup = "<setup>MainBoardPicker\tPlain\t0\t0\tGone\t1\t0</setup>"
    module = _module(make_module, in_picker=setup)
    (told,) = _told(module.problems, "unknown-board")
    assert "'Gone'" in told
    assert [choice.name for choice in module.maps[0].default_layout] == ["Plain"]


def test_a_slot_whose_text_is_no_piece_is_told(make_module: Maker) -> None:
    slots = element(SLOT, "D/1/2", entryName="Odd") + element(SLOT, entryName="Empty")
    (told,) = _told(_module(make_module, more=slots).problems, "slot-unreadable")
    assert "'Odd'" in told


def test_boards_and_maps_that_a_save_names_and_the_module_lacks_are_told(
    make_module: Maker,
) -> None:
    boards = (
        "MainBoardPicker\tPlain\t0\t0\tGone\t1\t0\tGone\t2\t0",
        "NoneBoardPicker\tPlain\t0\t0",
    )
    problems = replayed(boards, module=_module(make_module)).problems
    (board,) = _told(problems, "unknown-board")
    assert "'Main'" in board
    assert "'Gone'" in board
    (a_map,) = _told(problems, "unknown-map")
    assert "'None'" in a_map


def test_of_boards_a_save_names_no_more_than_some_dozens_are_told(make_module: Maker) -> None:
    boards = "\t".join(f"Gone {n}\t{n}\t0" for n in range(1_000))
    history = replayed([f"MainBoardPicker\t{boards}"], module=_module(make_module))
    assert len(_told(history.problems, "unknown-board")) <= 50
