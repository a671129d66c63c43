"""Boards by the thousand are placed and found as few are, in time that hardly grows with the square."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path

import pytest
from bounded import run
from vassal_umpire.importers.vassal.board_finder import BoardFinder, Box
from vassal_umpire.importers.vassal.buildfile import open_module
from vassal_umpire.importers.vassal.commands import BoardChoice as KindBoard
from vassal_umpire.importers.vassal.commands import Boards
from vassal_umpire.importers.vassal.layout import MapLayout
from vassal_umpire.importers.vassal.module import BoardChoice, MapDefinition, Module
from vassal_umpire.importers.vassal.obfuscation import encode
from vassal_umpire.importers.vassal.replay import replay_log
from vassal_umpire.importers.vassal.savefile import read_save
from vassal_umpire.importers.vassal.table_maps import Layouts
from vassal_umpire.importers.vassal.writer import zip_bytes
from vassal_umpire.model.problem import Problem

V = "VASSAL.build.module"


def _first(boxes: list[Box], x: int, y: int) -> int | None:
    """As the engine looks: one after the other."""
    return next(
        (n for n, b in enumerate(boxes) if b[0] <= x < b[2] and b[1] <= y < b[3]),
        None,
    )


def test_of_rectangles_that_overlap_the_first_is_found() -> None:
    rng = random.Random(7)
    for count in (0, 1, 8, 9, 60, 300):
        boxes = []
        for _ in range(count):
            left, top = rng.randrange(-20, 60), rng.randrange(-20, 60)
            boxes.append((left, top, left + rng.randrange(25), top + rng.randrange(25)))
        finder = BoardFinder(boxes)
        for x in range(-25, 90, 3):
            for y in range(-25, 90, 3):
                assert finder.first_at(x, y) == _first(boxes, x, y)


def _map(make_module: object) -> MapDefinition:
    boards = "".join(
        f'<{V}.map.boardPicker.Board name="B{n}" width="{30 + n}" height="{50 - n}"/>'
        for n in range(5)
    )
    picker = f"<{V}.map.BoardPicker>{boards}</{V}.map.BoardPicker>"
    path = make_module(f'<{V}.Map mapName="Main">{picker}</{V}.Map>')  # type: ignore[operator]
    assert isinstance(path, Path)
    return open_module(path).maps[0]


def test_boards_lie_as_far_in_as_those_before_them(make_module: object) -> None:
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


def test_only_maps_with_other_boards_are_laid_out_anew(make_module: object) -> None:
    windows = "".join(
        f'<{V}.Map mapName="{name}"{more}><{V}.map.BoardPicker>'
        f'<{V}.map.boardPicker.Board name="B"/></{V}.map.BoardPicker></{V}.Map>'
        for name, more in (("A", ""), ("B", ""), ("Shows A", ' useBoards="A"'))
    )
    module = open_module(make_module(windows))  # type: ignore[operator]
    before = Layouts(module, {})
    for name, same in (("A", {"Map1"}), ("B", {"Map0", "Map2"}), ("Shows A", {"Map0", "Map1"})):
        boards = (KindBoard("B", False, 0, 0), KindBoard("B", False, 1, 0))
        after = before.changed([Boards(name, boards)])
        assert {n for n, laid in after.by_id.items() if laid is before.by_id[n]} == same
        assert after.by_id["Map2"].boards == after.by_id["Map0"].boards


@pytest.mark.ci
def test_a_save_that_names_boards_by_the_ten_thousand_is_read(
    tmp_path: Path, make_module: object
) -> None:
    path = make_module(  # type: ignore[operator]
        f'<{V}.Map mapName="Main"><{V}.map.BoardPicker><{V}.map.boardPicker.Board name="B" width="50"'
        f' height="50"/></{V}.map.BoardPicker></{V}.Map>'
    )
    boards = "\t".join(f"B\t{n % 250}\t{n // 250}" for n in range(50_000))
    rng = random.Random(3)
    pieces = [
        f"+/p{n}/piece;;;;{n}/Main;{rng.randrange(12_500)};{rng.randrange(10_000)};;0"
        for n in range(5_000)
    ]
    text = "\x1b".join(["begin_save", *pieces, f"MainBoardPicker\t{boards}", "end_save"])
    save = tmp_path / "game.vsav"
    save.write_bytes(zip_bytes({"savedGame": encode(text, "vcsk", 7)}))
    ended = run("convert", save, path, "-o", tmp_path / "out.json", memory=1024)
    assert ended.code == 0, ended.text[-300:]


# -- What a module or save names and cannot be used is told in a line each, and no more than some dozens --

Maker = Callable[..., Path]
BOARD = f"{V}.map.boardPicker.Board"
SLOT = "VASSAL.build.widget.PieceSlot"


def _module(make_module: Maker, in_board: str = "", in_picker: str = "", more: str = "") -> Module:
    board = f'<{BOARD} name="Plain">{in_board}</{BOARD}>'
    picker = f"<{V}.map.BoardPicker>{in_picker}{board}</{V}.map.BoardPicker>"
    return open_module(make_module(f'<{V}.Map mapName="Main">{picker}</{V}.Map>{more}'))


def _told(problems: tuple[Problem, ...], code: str) -> list[str]:
    return [problem.message for problem in problems if problem.code == code]


def _zoned(*paths: str) -> str:
    zones = "".join(f'<{V}.map.boardPicker.board.mapgrid.Zone name="Z" path="{p}"/>' for p in paths)
    grid = f"{V}.map.boardPicker.board.ZonedGrid"
    return f"<{grid}>{zones}</{grid}>"


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
    slots = f'<{SLOT} entryName="Odd">D/1/2</{SLOT}><{SLOT} entryName="Empty"/>'
    (told,) = _told(_module(make_module, more=slots).problems, "slot-unreadable")
    assert "'Odd'" in told


def _save(folder: Path, *commands: str) -> Path:
    file = folder / "game.vsav"
    text = "\x1b".join(["begin_save", *commands, "end_save"])
    file.write_bytes(zip_bytes({"savedGame": encode(text, "vcsk", 7)}))
    return file


def test_boards_and_maps_that_a_save_names_and_the_module_lacks_are_told(
    make_module: Maker, tmp_path: Path
) -> None:
    module = _module(make_module)
    boards = (
        "MainBoardPicker\tPlain\t0\t0\tGone\t1\t0\tGone\t2\t0",
        "NoneBoardPicker\tPlain\t0\t0",
    )
    problems = replay_log(read_save(_save(tmp_path, *boards)), module).problems
    (board,) = _told(problems, "unknown-board")
    assert "'Main'" in board
    assert "'Gone'" in board
    (a_map,) = _told(problems, "unknown-map")
    assert "'None'" in a_map


def test_of_boards_a_save_names_no_more_than_some_dozens_are_told(
    make_module: Maker, tmp_path: Path
) -> None:
    boards = "\t".join(f"Gone {n}\t{n}\t0" for n in range(1_000))
    save = read_save(_save(tmp_path, f"MainBoardPicker\t{boards}"))
    assert len(_told(replay_log(save, _module(make_module)).problems, "unknown-board")) <= 50
