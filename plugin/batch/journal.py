"""The progress of a batch: a SQLite file with the tables themselves, one transaction for each game.

Besides the tables it holds ``batch_about`` (the settings of the tables), ``batch_done`` (the games in them,
each with its key and the number of the run that last named it) and ``batch_files`` (the files written from
it, with their digests).
"""

from __future__ import annotations

import hashlib
import json
import os
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, Literal, get_args

from ...importers.analysis.columns import VERSION, Tables
from ...importers.vassal.atomic import known, reporting_errors, whole_file
from ...model.problem import UmpireError
from ..desk.opening import digest_of
from ..output import WouldOverwrite
from ..table_files import (
    FILE_FORMS,
    Row,
    arrow,
    index_sql,
    insert_sql,
    sql_cell,
    sql_value,
    table_sql,
    writer,
)
from .tables import FAILED, Do, Rows, indexes_of, keys_of, tables_of, views_of

JOURNAL = "batch.sqlite"
FORMAT = "vassal-umpire batch 1"
"""The name of the journal's format; another format has another name."""

Cells = Mapping[str, list[tuple[Any, ...]]]
"""The rows of each table as SQLite keeps them, cells in column order."""

_OURS = 0x756D7072  # "umpr", where SQLite keeps whose file it is
_OWN = {
    "batch_about": "name TEXT PRIMARY KEY, value TEXT NOT NULL",
    "batch_done": "game TEXT PRIMARY KEY, key TEXT NOT NULL, run INTEGER NOT NULL",
    "batch_files": "name TEXT PRIMARY KEY, sha256 TEXT NOT NULL",
}
_AT_ONCE = 2000
"""Rows that are read at a time."""
_DROPPED = frozenset({".DS_Store", "Thumbs.db", "desktop.ini"})


class Journal:
    """An open journal. ``run``: the number of this run among all that wrote to it."""

    def __init__(self, path: Path, base: sqlite3.Connection, tables: Tables, run: int) -> None:
        self.path, self.tables, self.run = path, tables, run
        self._base = base
        self._inserts = {name: insert_sql(name, columns) for name, columns in tables.items()}
        self._deletes = {name: f'DELETE FROM "{name}" WHERE game = ?' for name in tables}  # noqa: S608

    def key(self, game: str) -> str | None:
        """The key under which a game was done; "": it must be done again; None: it was not done yet."""
        row = self._base.execute("SELECT key FROM batch_done WHERE game = ?", (game,)).fetchone()
        return None if row is None else str(row[0])

    def record(self, game: str, key: str, cells: Cells) -> None:
        """Replace the rows of a game, all or none. An empty ``key``: the next run must do the game again."""
        with self._transaction():
            if self.key(game) is not None:
                for table in self.tables:
                    self._base.execute(self._deletes[table], (game,))
            for table, lines in cells.items():
                self._base.executemany(self._inserts[table], lines)
            values = (game, key, self.run)
            self._base.execute("INSERT OR REPLACE INTO batch_done VALUES (?, ?, ?)", values)

    def name_again(self, games: list[str]) -> None:
        """Note that this run named games that were done already."""
        with self._transaction():
            query = "UPDATE batch_done SET run = ? WHERE game = ?"
            self._base.executemany(query, ((self.run, game) for game in games))

    def not_named(self) -> int:
        """The number of games in it that this run did not name."""
        return self._number("SELECT count(*) FROM batch_done WHERE run <> ?", self.run)

    def failed(self) -> int:
        """The number of games named by this run that failed."""
        query = (
            "SELECT count(*) FROM games JOIN batch_done USING (game) WHERE run = ? AND status = ?"
        )
        return self._number(query, self.run, FAILED)

    def _number(self, query: str, *values: Any) -> int:
        return int(self._base.execute(query, values).fetchone()[0])

    def rows(self, table: str) -> Iterator[Row]:
        """All rows of a table, game by game in the order of the games' names."""
        columns = self.tables[table]
        names = ", ".join(f'"{column.name}"' for column in columns)
        query = f'SELECT {names} FROM "{table}" ORDER BY game, rowid'  # noqa: S608 - our names
        cursor = self._base.execute(query)
        while found := cursor.fetchmany(_AT_ONCE):
            for line in found:
                values = zip(columns, line, strict=True)
                yield {column.name: sql_value(cell, column.kind) for column, cell in values}

    def written(self) -> dict[str, str]:
        """The files written from it, with their SHA-256."""
        return dict(self._base.execute("SELECT name, sha256 FROM batch_files"))

    def note_written(self, name: str, sha256: str) -> None:
        """Note that a file was written from it."""
        with self._transaction():
            self._base.execute("INSERT OR REPLACE INTO batch_files VALUES (?, ?)", (name, sha256))

    def close(self) -> None:
        """Close it so that a single file remains."""
        with suppress(sqlite3.Error):  # it is whole all the same: SQLite reads what lies beside it
            self._base.execute("PRAGMA journal_mode = DELETE")
        self._base.close()

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        try:
            self._base.execute("BEGIN")
            yield
            self._base.execute("COMMIT")
        except BaseException as error:
            with suppress(sqlite3.Error):
                self._base.execute("ROLLBACK")
            if not isinstance(error, sqlite3.Error):
                raise
            raise UmpireError(
                f"cannot be written: {error}",
                where=str(self.path),
                hint="what is in it is whole; the same command goes on from there",
            ) from None


@contextmanager
def open_journal(folder: Path, do: Do, about: Mapping[str, str]) -> Iterator[Journal]:
    """The journal in ``folder``; created if it does not exist. ``about``: the settings of its tables.

    Raises :class:`WouldOverwrite` if the folder holds other files, or tables with other settings, and
    :class:`UmpireError` if another run is writing to it.
    """
    path = folder / JOURNAL
    fresh = not path.exists()
    if fresh and folder.exists():
        _check_empty(folder)
    folder.mkdir(exist_ok=True)
    base = sqlite3.connect(path, isolation_level=None, timeout=0)
    try:
        about = {"format": FORMAT, **about, "columns": _columns_digest(tables_of(do))}
        run = _begun(path, base, do, about, fresh)
    except BaseException:
        base.close()
        raise
    journal = Journal(path, base, tables_of(do), run)
    try:
        yield journal
    finally:
        journal.close()


def _check_empty(folder: Path) -> None:
    others = sorted(name for name in os.listdir(folder) if name not in _DROPPED)
    if others:
        raise WouldOverwrite(
            f"is kept: it holds {others[0]}, and no {JOURNAL} of umpire",
            where=str(folder),
            hint="name a new folder",
        )


def _begun(
    path: Path, base: sqlite3.Connection, do: Do, about: Mapping[str, str], fresh: bool
) -> int:
    """Check and lock the journal; returns the number of this run."""
    try:
        base.execute("PRAGMA locking_mode = EXCLUSIVE")
        if not fresh and base.execute("PRAGMA application_id").fetchone()[0] != _OURS:
            raise WouldOverwrite(
                "is kept: umpire did not write it", where=str(path), hint="name a new folder"
            )
        base.execute(f"PRAGMA application_id = {_OURS}")
        base.execute("PRAGMA journal_mode = WAL")
        base.execute("PRAGMA synchronous = FULL")  # a game that was recorded survives a power cut
        base.execute("BEGIN EXCLUSIVE")
        for name, columns in _OWN.items():
            base.execute(f"CREATE TABLE IF NOT EXISTS {name} ({columns})")
        told = dict(base.execute("SELECT name, value FROM batch_about"))
        _check_about(told, about, path.parent)
        _set_up(base, do)
        run = int(told.get("runs", "0")) + 1
        values = {**about, "runs": str(run)}
        base.executemany("INSERT OR REPLACE INTO batch_about VALUES (?, ?)", values.items())
        base.execute("COMMIT")
    except sqlite3.OperationalError as error:
        if "locked" in str(error):
            raise UmpireError(
                "another run is writing to it", where=str(path), hint="wait for it to end"
            ) from None
        raise UmpireError(f"cannot be written: {error}", where=str(path)) from None
    except sqlite3.DatabaseError:
        raise WouldOverwrite(
            "is kept: it is no SQLite file, or is damaged",
            where=str(path),
            hint="name a new folder",
        ) from None
    return run


def _check_about(told: Mapping[str, str], wanted: Mapping[str, str], folder: Path) -> None:
    for name, value in wanted.items():
        if told.get(name, value) != value:
            what = f"are of another batch ({name}: {told[name]}, not {value})"
            if name in ("format", "columns"):
                what = "have the columns of another version of umpire"
            raise WouldOverwrite(
                f"is kept: its tables {what}",
                where=str(folder),
                hint="name a new folder",
            )


def _columns_digest(tables: Tables) -> str:
    """A digest of the columns of the tables."""
    told = [[name, *([c.name, c.kind] for c in columns)] for name, columns in tables.items()]
    return hashlib.sha256(json.dumps(told).encode()).hexdigest()[:16]


def _set_up(base: sqlite3.Connection, do: Do) -> None:
    base.execute(f"PRAGMA user_version = {VERSION}")
    keys = keys_of(do)
    for name, columns in tables_of(do).items():
        base.execute(table_sql(name, columns, keys.get(name, ())))
    for name, by in indexes_of(do).items():
        base.execute(index_sql(name, by))
    for name, query in views_of(do).items():
        base.execute(f"CREATE VIEW IF NOT EXISTS {name} AS {query}")


def cells_of(game: str, tables: Tables, rows: Rows) -> Cells:
    """The rows of a game as the journal keeps them. Made by workers, because only one process writes the
    journal."""
    return {
        table: [
            (game, *(sql_cell(row.get(column.name), column.kind) for column in tables[table][1:]))
            for row in found
        ]
        for table, found in rows.items()
    }


Form = Literal["parquet", "csv", "jsonl", "sqlite"]
FORMS: tuple[Form, ...] = get_args(Form)


def check_form(form: Form) -> None:
    """Raise :class:`UmpireError` if a package for the format is missing, before the work rather than after
    it."""
    if form == "parquet":
        try:
            arrow()
        except UmpireError as error:
            raise UmpireError(
                error.what, hint=f"{error.hint}; or take --to csv, jsonl or sqlite"
            ) from None


def export(journal: Journal, form: Form) -> tuple[Path, ...]:
    """Write the tables of the journal to files beside it, and update files written earlier in another format;
    returns the files of this format. Raises :class:`WouldOverwrite` if one was changed by somebody else, and
    :class:`UmpireError` if a package for another format is missing."""
    folder, before = journal.path.parent, journal.written()
    wanted = [one for one in FILE_FORMS if one == form or _names(journal, one)[0] in before]
    for one in sorted(wanted, key=lambda one: one != form):
        for table, columns in journal.tables.items():
            path = folder / f"{table}.{one}"
            _check(path, before.get(path.name))
            with reporting_errors(path), whole_file(path, known(path)) as part:
                with writer(one, columns, part) as put:
                    for row in journal.rows(table):
                        put(row)
                digest = digest_of(part)
            journal.note_written(path.name, digest)
    if form == "sqlite":
        return (journal.path,)
    return tuple(folder / name for name in _names(journal, form))


def _names(journal: Journal, form: str) -> list[str]:
    return [f"{table}.{form}" for table in journal.tables]


def _check(path: Path, written: str | None) -> None:
    if path.exists() and (not path.is_file() or digest_of(path) != written):
        raise WouldOverwrite(
            "is kept: umpire did not write it, or it was changed since",
            where=str(path),
            hint="move it away; the same command then writes it anew",
        )
