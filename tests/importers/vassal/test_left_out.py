"""What a module or save names and cannot be used is told in a line each, and no more than some dozens."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from vassal_umpire.importers.vassal.buildfile import open_module
from vassal_umpire.importers.vassal.module import Module
from vassal_umpire.importers.vassal.obfuscation import encode
from vassal_umpire.importers.vassal.replay import replay_log
from vassal_umpire.importers.vassal.savefile import read_save
from vassal_umpire.importers.vassal.writer import zip_bytes
from vassal_umpire.model.problem import Problem

Maker = Callable[..., Path]
V = "VASSAL.build.module"
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
