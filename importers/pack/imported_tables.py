"""Tables of other people and programs as facts of a board: spreadsheets, JSON of vsav-engine, HexMap.

A spreadsheet has a row for a hex (columns ``hex``, ``terrain``, ``level``, ``features``, and columns that
list the sides of the hex), for a hexside (``a`` and ``b``, or ``side``, and ``hexsides``, ``lines``), or for
a line as in ``lines.csv``. :class:`Reading` says what its columns and names are called.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from ...model.board import Board
from ...model.json_values import json_values
from ...model.problem import Unreadable
from ...model.provenance import Key
from .hexmap_json import read_hexmap_json
from .imported_table import MOST_NAMED, ImportedFact, ImportedTable, Reading, some
from .load import wrong
from .spreadsheet import LARGEST
from .terrain_json import read_terrain_json
from .terrain_spreadsheet import read_terrain_spreadsheet
from .toml_text import read_bytes


@dataclass(frozen=True, slots=True)
class TableRead:
    """The facts of one file. ``left_out``: a line for each kind of content that was not used."""

    facts: Mapping[Key, ImportedFact]
    left_out: tuple[str, ...] = ()


def read_table(path: Path, board: Board, reading: Reading, data: bytes | None = None) -> TableRead:
    """The facts about a board in a file. ``data``: its content, if it has been read already.
    Raises :class:`Unreadable` if it is no such table, :class:`WrongPack` with one problem for each fault."""
    data = read_bytes(path, LARGEST) if data is None else data
    table = ImportedTable(path.name, board, reading)
    if data.removeprefix(b"\xef\xbb\xbf").lstrip()[:1] in (b"{", b"["):
        told = json_values(data, path.name, decimals=True)
        hexmap = isinstance(told, dict) and "hexmap" in told
        (read_hexmap_json if hexmap else read_terrain_json)(table, told)
    elif path.suffix.lower() in (".yaml", ".yml"):
        raise Unreadable("is YAML", where=path.name, expected="JSON", hint="save the map as JSON")
    else:
        read_terrain_spreadsheet(table, path, data)
    found = table.close() if not table.faults else {}
    if table.faults:
        raise wrong(path.name, table.faults)
    if not found:
        raise Unreadable("says nothing about the board", where=path.name)
    most = None if reading.every else MOST_NAMED
    left_out = (f"{path.name}: {why}: {some(what, most)}" for why, what in table.left_out.items())
    return TableRead(found, tuple(left_out))


# -- several files ---------------------------------------------------------------------------------


def united(
    tables: Iterable[Mapping[Key, ImportedFact]],
) -> tuple[dict[Key, ImportedFact], list[str]]:
    """The facts of all tables together, and a line for each cell in which they differ. A layer of a cell in
    which they differ is left out."""
    every = list(tables)
    differ: dict[tuple[str, str], str] = {}
    for number, one in enumerate(every):
        for other in every[number + 1 :]:
            for key, mine in one.items():
                theirs = other.get(key)
                if theirs is not None and theirs.value != mine.value:
                    text = f"{mine.value} ({mine.where}), {theirs.value} ({theirs.where})"
                    differ.setdefault(key[:2], f"{key.cell} {key.layer}: {text}")
    found: dict[Key, ImportedFact] = {}
    for one in every:
        found.update((key, taken) for key, taken in one.items() if key[:2] not in differ)
    lost = {key[:2] for key, _ in _against_whole(found)}
    return {k: t for k, t in found.items() if k[:2] not in lost}, [
        *differ.values(),
        *(text for _, text in _against_whole(found)),
    ]


def _against_whole(found: Mapping[Key, ImportedFact]) -> list[tuple[Key, str]]:
    """The facts of one table where another table says that nothing else is there."""
    told = []
    for key, taken in found.items():
        whole = found.get(Key(key.cell, key.layer)) if key.name else None
        if whole is not None and key.name not in whole.value.split("+"):
            text = (
                f"{key.cell} {key.layer}: {key.name} ({taken.where}), {whole.value} ({whole.where})"
            )
            told.append((key, text))
    return told
