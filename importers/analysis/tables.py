"""Modules and games as plain tables: one SQLite file, or a folder of JSON Lines.

Both hold the same tables and columns, described in ``docs/analysis-format.md``. Texts are NULL (left
out in JSON Lines) where nothing is known.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing
from pathlib import Path
from typing import Any

from ...model.table import LogHistory, TableHistory
from ...model.viewer import EVERYONE, Viewer
from ..vassal.module import Module
from .holdings import Holdings
from .records import (
    Layouts,
    Record,
    StepRecords,
    deck_records,
    hex_records,
    log_problems,
    log_record,
    map_records,
    piece_records,
    player_records,
    slot_records,
    terrain_records,
)

COLUMNS: Mapping[str, tuple[str, ...]] = {
    "maps": ("id", "name", "kind", "private_to"),
    "boards": ("map", "name", "width", "height", "image", "reversible", "grid"),
    "hexes": ("map", "board", "name", "x", "y"),
    "terrain": (
        "board", "kind", "column", "row", "hex", "to_column", "to_row", "to_hex", "name", "value",
    ),
    "slots": ("gpid", "entry", "component", "path"),
    "logs": ("log", "file", "sha256", "module", "module_version", "vassal_version"),
    "players": ("log", "player", "name", "side"),
    "pieces": (
        "log", "id", "name", "basic_name", "gpid", "map", "x", "y", "location", "holder",
        "holder_kind", "masked", "hidden", "stored_name", "position",
    ),
    "properties": (
        "log", "step", "piece", "name", "property", "value", "known", "stored_name",
    ),
    "stacks": (
        "log", "step", "id", "kind", "map", "x", "y", "cards", "position", "piece", "name",
        "stored_name",
    ),
    "decks": ("log", "id", "name", "map", "x", "y", "cards"),
    "steps": ("log", "step", "engine_step", "player", "side", "known_by", "undoes", "redo"),
    "displacements": (
        "log", "step", "piece", "name", "from_map", "from_x", "from_y", "origin",
        "to_map", "to_x", "to_y", "target", "by", "group", "why", "stored_name",
    ),
    "chat": ("log", "step", "kind", "author", "text"),
    "dice": ("log", "step", "dice", "results", "player", "text"),
    "globals": ("log", "step", "container", "name", "before", "after"),
    "turns": ("log", "step", "tracker", "before", "after"),
    "problems": ("log", "step", "problem"),
}  # fmt: skip
"""The columns of each table, in order. Step 0 is the opening of a log."""

WHOLE = frozenset(
    {
        "log", "step", "engine_step", "undoes", "redo", "group", "cards", "masked", "hidden",
        "x", "y", "from_x", "from_y", "to_x", "to_y", "width", "height", "reversible", "position", "known",
        "column", "row", "to_column", "to_row",
    }
)  # fmt: skip
"""Columns of whole numbers (0 and 1 for no and yes)."""

Row = tuple[str, Record]


def to_sqlite(
    history: TableHistory | None,
    module: Module | None,
    path: Path,
    *,
    layouts: Layouts | None = None,
    viewer: Viewer = EVERYONE,
    problems: Iterable[str] = (),
    about: Mapping[str, str] | None = None,
) -> None:
    """Write all tables into a new or empty SQLite file, and first of all a table of what there is to say
    ``about`` it. ``problems``: those of the module and of the game as a whole. Raises ``OSError`` where
    that cannot be done, and leaves a file that is not whole."""
    try:
        with closing(sqlite3.connect(path)) as base:
            base.execute("PRAGMA journal_mode = OFF")  # a new file needs none
            base.execute("PRAGMA synchronous = OFF")
            if about:
                base.execute("CREATE TABLE about (name TEXT, value TEXT)")
                base.executemany("INSERT INTO about VALUES (?, ?)", about.items())
            _fill(base, rows(history, module, layouts, viewer, problems))
    except sqlite3.Error as error:
        raise OSError(None, str(error)) from None


def _fill(base: sqlite3.Connection, found: Iterable[Row]) -> None:
    for table, columns in COLUMNS.items():
        typed = ", ".join(f'"{c}" {"INTEGER" if c in WHOLE else "TEXT"}' for c in columns)
        base.execute(f'CREATE TABLE "{table}" ({typed})')
    inserts = {
        table: f'INSERT INTO "{table}" VALUES ({", ".join("?" * len(columns))})'  # noqa: S608 - our names
        for table, columns in COLUMNS.items()
    }
    for table, record in found:
        values = [cell(record.get(column)) for column in COLUMNS[table]]
        base.execute(inserts[table], values)
    base.commit()


def cell(value: Any) -> Any:
    """A value as a cell of a table holds it: lists as JSON."""
    if isinstance(value, list | dict):
        return _clean(json.dumps(value, ensure_ascii=False))
    if isinstance(value, int) and not -(2**63) <= value < 2**63:
        return str(value)
    return _clean(value) if isinstance(value, str) else value


def _clean(text: str) -> str:
    """Bytes that were no text (lone surrogates) as replacement characters."""
    return text.encode("utf-8", "replace").decode("utf-8")


def to_jsonl(
    history: TableHistory | None,
    module: Module | None,
    folder: Path,
    *,
    layouts: Layouts | None = None,
    viewer: Viewer = EVERYONE,
    problems: Iterable[str] = (),
) -> tuple[Path, ...]:
    """Write each table into ``TABLE.jsonl`` in a folder, which is there; answers the files. Raises
    ``OSError`` where one cannot be written."""
    lines: dict[str, list[bytes]] = {table: [] for table in COLUMNS}
    for table, record in rows(history, module, layouts, viewer, problems):
        shown = {c: record[c] for c in COLUMNS[table] if record.get(c) is not None}
        text = json.dumps(shown, ensure_ascii=False, separators=(",", ":"))
        lines[table].append(text.encode("utf-8", "backslashreplace") + b"\n")
    files = {table: folder / f"{table}.jsonl" for table in COLUMNS}
    for table, written in lines.items():
        files[table].write_bytes(b"".join(written))
    return tuple(files.values())


def rows(
    history: TableHistory | None,
    module: Module | None,
    layouts: Layouts | None,
    viewer: Viewer,
    problems: Iterable[str] = (),
) -> Iterator[Row]:
    """All rows: table name and record."""
    yield from (("problems", {"problem": text}) for text in problems)
    if module is not None:
        yield from _module_rows(module)
        yield from (("terrain", record) for record in terrain_records(module, layouts))
    if layouts is not None:
        yield from (("hexes", record) for record in hex_records(layouts))
    for number, log in enumerate(history.logs if history is not None else (), 1):
        yield from log_rows(number, log, viewer)


def _module_rows(module: Module) -> Iterator[Row]:
    for a_map in map_records(module):
        boards = a_map.pop("boards")
        yield "maps", a_map
        name = a_map["name"] or a_map["id"]
        yield from (("boards", {"map": name, **board}) for board in boards)
    yield from (("slots", slot) for slot in slot_records(module))


def log_rows(number: int, log: LogHistory, viewer: Viewer) -> Iterator[Row]:
    """All rows of one log: table name and record."""
    head = {"log": number, "step": 0}
    yield "logs", log_record(number, log)
    yield from (("players", {"log": number, **player}) for player in player_records(log))
    for piece in piece_records(log, viewer):
        yield "pieces", {"log": number, **piece, **_spot("", piece["at"])}
        yield from _property_rows({**head, "piece": piece["id"], **_names(piece)}, piece)
    for held in Holdings(log, viewer).opening():
        yield from _stack_rows(head, held)
    for deck in deck_records(log.opening, viewer):
        yield "decks", {"log": number, **deck, **_spot("", deck["at"])}
    for (container, name), value in log.opening.globals.items():
        yield "globals", {**head, "container": container, "name": name, "after": value}
    for tracker, text in log.opening.turns.items():
        yield "turns", {**head, "tracker": tracker, "after": text}
    yield from (("problems", {"log": number, "problem": p}) for p in log_problems(log, viewer))
    for step in StepRecords(log, viewer):
        yield from _step_rows(number, step)


def _step_rows(number: int, step: Record) -> Iterator[Row]:
    head = {"log": number, "step": step["step"]}
    yield "steps", {**step, "log": number}
    for moved in step.get("displacements", ()):
        places = {**_spot("from_", moved["from"]), **_spot("to_", moved["to"])}
        yield "displacements", {**head, **moved, **places}
    for change in step.get("changes", ()):
        yield from _property_rows({**head, "piece": change["piece"], **_names(change)}, change)
    for held in step.get("stacks", ()):
        yield from _stack_rows(head, held)
    for table in ("chat", "dice", "globals", "turns"):
        yield from ((table, {**head, **record}) for record in step.get(table, ()))
    yield from (("problems", {**head, "problem": text}) for text in step.get("problems", ()))


def _property_rows(head: Record, record: Record) -> Iterator[Row]:
    """A value that is not known is NULL as one that is gone is; ``known`` tells them apart."""
    for name, value in record.get("properties", {}).items():
        yield "properties", {**head, "property": name, "value": value, "known": True}
    for name in record.get("unknown", ()):
        yield "properties", {**head, "property": name, "known": False}


def _stack_rows(head: Record, held: Record) -> Iterator[Row]:
    """One for each member; one without piece for what this viewer see nobody in (any more)."""
    about = {**head, **held, **_spot("", held["at"])}
    for position, member in enumerate(held["members"]):
        yield "stacks", {**about, "position": position, **member}
    if not held["members"]:
        yield "stacks", about


def _names(record: Record) -> Record:
    return {key: record[key] for key in ("name", "stored_name") if key in record}


def _spot(prefix: str, at: list[Any] | None) -> Record:
    on, x, y = at if at is not None else (None, None, None)
    if on is None:
        x = y = None
    return {f"{prefix}map": on, f"{prefix}x": x, f"{prefix}y": y}
