"""Saves without ``SETUP_STACK``: the module's stacks and decks are set up, as the engine does.

``kept.newgame.json`` holds what lay on the table of VASSAL 3.8.0-SNAPSHOT after it opened each of these
files, and after each step: map, pixel, names from the bottom up, name of a deck (null: no stack).
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from vassal_umpire.importers.vassal.buildfile import open_module
from vassal_umpire.importers.vassal.commands import AddPiece, MovePiece
from vassal_umpire.importers.vassal.replay import LogReplay
from vassal_umpire.importers.vassal.savefile import read_save
from vassal_umpire.importers.vassal.writer import game_text, write_save
from vassal_umpire.model.table import Deck, Table

DATA = Path(__file__).parent / "data"
GUEST = [
    AddPiece("11", "piece;;;;Guest", "Main Map;100;100;900;0"),
    AddPiece("12", "stack", "Main Map;100;100;11"),
]
BOARDS, MARK = "Main MapBoardPicker\tB1\t0\t0", "SETUP_STACK\t"
STEPS = [
    [MovePiece("11", "Main Map", 300, 100, None, "Main Map", 100, 100, None, "x")],
    [MovePiece("12", "Main Map", 800, 600, None, "Main Map", 300, 100, None, "x")],
]
GAMES: dict[str, tuple[Sequence[Any], Sequence[Any]]] = {
    "bare": ([BOARDS], []),
    "guest": ([*GUEST, BOARDS], []),
    "marked": ([*GUEST, BOARDS, MARK], []),
    "moved": ([*GUEST, BOARDS], STEPS),
}


def replay(folder: Path, name: str) -> LogReplay:
    path = folder / "game.vlog"
    write_save(path, game_text(*GAMES[name]))
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
    write_save(path, game_text([taken, BOARDS]))
    tables = [LogReplay(read_save(path), open_module(DATA / "kept.vmod")).table() for _ in range(2)]
    assert list(tables[0].pieces) == list(tables[1].pieces)
    assert tables[0].pieces["at-start-1"].name == "Guest"
    assert len(tables[0].pieces) == 26


def test_without_a_module_nothing_is_set_up(tmp_path: Path) -> None:
    path = tmp_path / "game.vsav"
    write_save(path, game_text([*GUEST, BOARDS]))
    assert list(LogReplay(read_save(path)).table().pieces) == ["11"]
