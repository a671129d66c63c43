"""Boards by the thousand are placed and found as few are, in time that hardly grows with the square."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from bounded import run
from vassal_umpire.importers.vassal.board_finder import BoardFinder, Box
from vassal_umpire.importers.vassal.buildfile import open_module
from vassal_umpire.importers.vassal.commands import BoardChoice as KindBoard
from vassal_umpire.importers.vassal.commands import Boards
from vassal_umpire.importers.vassal.layout import MapLayout
from vassal_umpire.importers.vassal.module import BoardChoice, MapDefinition
from vassal_umpire.importers.vassal.obfuscation import encode
from vassal_umpire.importers.vassal.table_maps import Layouts
from vassal_umpire.importers.vassal.writer import zip_bytes

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
