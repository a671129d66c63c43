"""Small files of VASSAL: parts of build files, saves and logs of a few commands; golden files."""

from __future__ import annotations

import gzip
import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from math import ceil
from pathlib import Path
from typing import Any

from vassal_umpire.importers.vassal import sequence
from vassal_umpire.importers.vassal.archive import open_archive
from vassal_umpire.importers.vassal.commands import Command, encode_stream
from vassal_umpire.importers.vassal.grids import BoardGrid
from vassal_umpire.importers.vassal.layout import MapLayout
from vassal_umpire.importers.vassal.limits import DEFAULT_LIMITS
from vassal_umpire.importers.vassal.module import (
    BoardChoice,
    BoardDefinition,
    MapDefinition,
    Module,
)
from vassal_umpire.importers.vassal.replay import replay_log
from vassal_umpire.importers.vassal.savefile import SaveFile, read_save
from vassal_umpire.importers.vassal.terrain_map import LETTERS, TerrainRecord
from vassal_umpire.importers.vassal.writer import saved_game_bytes
from vassal_umpire.model.table import LogHistory

V = "VASSAL.build"
MAP = f"{V}.module.Map"
PICKER = f"{V}.module.map.BoardPicker"
BOARDS = f"{V}.module.map.boardPicker"
BOARD = f"{BOARDS}.Board"
GRIDS = f"{BOARDS}.board"
ZONE = f"{GRIDS}.mapgrid.Zone"
SLOT = f"{V}.widget.PieceSlot"
SETUP_STACK = f"{V}.module.map.SetupStack"


def element(kind: str, inside: str = "", **attributes: object) -> str:
    """A component of a build file."""
    given = "".join(f' {name}="{value}"' for name, value in attributes.items())
    return f"<{kind}{given}>{inside}</{kind}>"


def a_board(name: str, inside: str = "", **attributes: object) -> str:
    return element(BOARD, inside, name=name, **attributes)


def a_map(
    name: str, boards: str = "", more: str = "", kind: str = MAP, **attributes: object
) -> str:
    """A window with ``boards`` in its picker and ``more`` beside it."""
    return element(kind, element(PICKER, boards) + more, mapName=name, **attributes)


def laid_out(
    boards: Mapping[str, BoardGrid],
    size: tuple[int, int] = (300, 300),
    turned: Collection[str] = (),
) -> MapLayout:
    """The window Main with boards side by side."""
    held = tuple(BoardDefinition(n, *size, "", True, 1.0, grid) for n, grid in boards.items())
    chosen = tuple(BoardChoice(name, n, 0, name in turned) for n, name in enumerate(boards))
    return MapLayout(MapDefinition("Map0", "Main", "Map", held, chosen, 0, 0, True))


def with_sizes(window: MapDefinition, sizes: Mapping[str, tuple[int, int]]) -> MapDefinition:
    """The map with these sizes of boards, in pixels; a board that has none keeps its own."""
    return replace(
        window,
        boards=tuple(
            _sized(board, *sizes[board.name]) if board.name in sizes else board
            for board in window.boards
        ),
    )


def _sized(board: BoardDefinition, width: int, height: int) -> BoardDefinition:
    scale = board.magnification
    return replace(board, width=ceil(width / scale), height=ceil(height / scale))


Commands = Sequence[Command | str]


def save_of(opening: Commands, *steps: Commands) -> SaveFile:
    """A save, or a log of these steps, as it is read."""
    data = saved_game_bytes(encode_stream(opening, steps))
    with open_archive(data, DEFAULT_LIMITS, "game.vlog") as archive:
        return read_save(archive)


def replayed(
    opening: Commands, *steps: Commands, module: Module | None = None, **more: Any
) -> LogHistory:
    return replay_log(save_of(opening, *steps), module, **more)


def terrain_records(records: Iterable[TerrainRecord]) -> str:
    """The text of a file of ``terrainMaps`` that holds ``records``, as VASSAL's classes write it."""
    lines = []
    for record in records:
        letter = next(letter for letter, kind in LETTERS.items() if kind == record.kind)
        cells = record.cell if record.kind == "hexside" else (record.at, *filter(None, [record.to]))
        fields = [letter, *(str(number) for cell in cells for number in cell), record.name]
        value = [record.value] if record.kind == "attribute" else []
        lines.append(sequence.join([*fields, *value], ","))
    return "".join(f"{line}\n" for line in lines)


def golden_rows(path: Path) -> list[dict[str, Any]]:
    """What the engine answered: a file of JSON Lines."""
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]
