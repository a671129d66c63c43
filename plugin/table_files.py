"""Tables as files: Parquet, CSV or JSON Lines, one file for each table, or all tables in one SQLite file.

``umpire convert`` and ``umpire batch`` write by these. Rows are taken one by one, so that no table need be in
memory as a whole. Arrow tables, which pandas, polars and DuckDB take as they are, need pyarrow (the extra
``[frames]``), which is loaded when it is first asked for.
"""

from __future__ import annotations

import csv
import json
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, ExitStack, closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, get_args

from ..importers.analysis.columns import (
    INDEXES,
    KEYS,
    TABLES,
    VERSION,
    VIEWS,
    Column,
    Kind,
)
from ..model.problem import UmpireError
from .installed import install_command
from .json_text import clean
from .printable import cell as spreadsheet_cell

if TYPE_CHECKING:
    import pyarrow


Row = Mapping[str, Any]
"""A row of a table by column name; missing columns are null."""


def arrow() -> Any:
    """The module pyarrow. Raises :class:`UmpireError` if it is not installed."""
    try:
        import pyarrow
    except ImportError:
        raise UmpireError(
            "Arrow tables need pyarrow, which is not installed",
            hint=f"install it with: {install_command(['pyarrow'])}",
        ) from None
    return pyarrow


def schema(columns: Iterable[Column]) -> pyarrow.Schema:
    """The Arrow schema of a table with these columns; each field's metadata has its ``about``."""
    pa = arrow()
    types: Mapping[Kind, Any] = {
        "text": pa.string(),
        "texts": pa.list_(pa.string()),
        "whole": pa.int64(),
        "wholes": pa.list_(pa.int64()),
        "number": pa.float64(),
        "yes-no": pa.bool_(),
    }
    return pa.schema(
        [pa.field(c.name, types[c.kind], metadata={"about": c.about}) for c in columns]
    )


def frame(columns: Iterable[Column], rows: Iterable[Row]) -> pyarrow.Table:
    """An Arrow table with these columns of these rows; other values are left out. Numbers too large for 64
    bits become null."""
    pa = arrow()
    columns = tuple(columns)
    values: dict[str, list[Any]] = {column.name: [] for column in columns}
    for row in rows:
        for column in columns:
            values[column.name].append(_fitting(row.get(column.name), column.kind))
    return pa.table(values, schema=schema(columns))


def _fitting(value: Any, kind: Kind) -> Any:
    """``value`` in the type of the column."""
    if kind == "whole" and value is not None:
        return int(value) if -(2**63) <= value < 2**63 else None
    return clean(value) if kind in ("text", "texts") else value


FileForm = Literal["parquet", "csv", "jsonl"]
FILE_FORMS: tuple[FileForm, ...] = get_args(FileForm)
"""The formats with a file for each table, called ``TABLE.FORM``."""

Put = Callable[[Row], object]

_AT_ONCE = 10_000
"""Rows in a group of a Parquet file."""

_SQL_TYPES: Mapping[Kind, str] = {
    "text": "TEXT",
    "texts": "TEXT",
    "whole": "INTEGER",
    "wholes": "TEXT",
    "number": "REAL",
    "yes-no": "INTEGER",
}


def writer(form: FileForm, columns: tuple[Column, ...], path: Path) -> AbstractContextManager[Put]:
    """Makes a file for one table and writes its rows. Raises ``OSError`` if it cannot be written."""
    return _WRITERS[form](columns, path)


def write_files(form: FileForm, rows: Iterable[tuple[str, Row]], folder: Path) -> tuple[Path, ...]:
    """Write each table of a conversion into a file in an existing folder; returns the files. Raises
    ``OSError`` if one cannot be written."""
    files = {name: folder / f"{name}.{form}" for name in TABLES}
    with ExitStack() as held:
        put = {
            name: held.enter_context(writer(form, columns, files[name]))
            for name, columns in TABLES.items()
        }
        for table, row in rows:
            put[table](row)
    return tuple(files.values())


@contextmanager
def _parquet(columns: tuple[Column, ...], path: Path) -> Iterator[Put]:
    arrow()
    from pyarrow import parquet

    waiting: list[Row] = []
    with parquet.ParquetWriter(path, schema(columns), compression="zstd") as file:

        def put(row: Row) -> None:
            waiting.append(row)
            if len(waiting) == _AT_ONCE:
                file.write_table(frame(columns, waiting))
                waiting.clear()

        yield put
        if waiting:
            file.write_table(frame(columns, waiting))


@contextmanager
def _csv(columns: tuple[Column, ...], path: Path) -> Iterator[Put]:
    with path.open("w", encoding="utf-8-sig", newline="") as file:
        table = csv.writer(file)
        table.writerow(column.name for column in columns)
        yield lambda row: table.writerow(_csv_cell(row.get(c.name), c.kind) for c in columns)


def _csv_cell(value: Any, kind: Kind) -> str:
    """A value as a spreadsheet takes it: nothing for null, lists as JSON, text that begins no formula."""
    if value is None:
        return ""
    if kind == "yes-no":
        return "true" if value else "false"
    if kind in ("texts", "wholes"):
        value = json.dumps(value, ensure_ascii=False)
    return spreadsheet_cell(str(clean(value))) if kind in ("text", "texts") else str(value)


@contextmanager
def _jsonl(columns: tuple[Column, ...], path: Path) -> Iterator[Put]:
    with path.open("w", encoding="utf-8", newline="\n") as file:

        def put(row: Row) -> None:
            shown = {c.name: row[c.name] for c in columns if row.get(c.name) is not None}
            text = json.dumps(clean(shown), ensure_ascii=False, separators=(",", ":"))
            file.write(f"{text}\n")

        yield put


_WRITERS: Mapping[FileForm, Callable[..., AbstractContextManager[Put]]] = {
    "parquet": _parquet,
    "csv": _csv,
    "jsonl": _jsonl,
}


# -- SQLite ----------------------------------------------------------------------------------------


def write_sqlite(path: Path, rows: Iterable[tuple[str, Row]], about: Mapping[str, str]) -> None:
    """Write all tables of a conversion into a new or empty SQLite file, after a table ``about`` it. Raises
    ``OSError`` if that fails, and leaves an incomplete file."""
    try:
        with closing(sqlite3.connect(path)) as base:
            base.execute("PRAGMA journal_mode = OFF")  # a new file needs none
            base.execute("PRAGMA synchronous = OFF")
            base.execute(f"PRAGMA user_version = {VERSION}")
            base.execute("CREATE TABLE about (name TEXT PRIMARY KEY, value TEXT)")
            base.executemany("INSERT INTO about VALUES (?, ?)", about.items())
            for name, columns in TABLES.items():
                base.execute(table_sql(name, columns, KEYS.get(name, ())))
            inserts = {name: insert_sql(name, columns) for name, columns in TABLES.items()}
            for table, row in rows:
                cells = [sql_cell(row.get(c.name), c.kind) for c in TABLES[table]]
                base.execute(inserts[table], cells)
            for name, by in INDEXES.items():
                base.execute(index_sql(name, by))
            for name, query in VIEWS.items():
                base.execute(f"CREATE VIEW {name} AS {query.format(game='')}")
            base.commit()
    except sqlite3.Error as error:
        raise OSError(None, str(error)) from None


def table_sql(name: str, columns: Iterable[Column], key: tuple[str, ...] = ()) -> str:
    """The SQL statement that creates a table. ``key``: columns that identify a row."""
    told = [f"{column.name} {_SQL_TYPES[column.kind]}" for column in columns]
    told += [f"PRIMARY KEY ({', '.join(key)})"] if key else []
    return f"CREATE TABLE IF NOT EXISTS {name} ({', '.join(told)})"


def index_sql(name: str, by: tuple[str, ...]) -> str:
    """The SQL statement that creates the index of a table."""
    return f"CREATE INDEX IF NOT EXISTS {name}_index ON {name} ({', '.join(by)})"


def insert_sql(name: str, columns: tuple[Column, ...]) -> str:
    """The SQL statement that inserts a row, with cells in the order of columns."""
    return f"INSERT INTO {name} VALUES ({', '.join('?' * len(columns))})"  # noqa: S608 - our names


def sql_cell(value: Any, kind: Kind) -> Any:
    """A value for SQLite: lists as JSON. A number too large for 64 bits is null in a number column, else
    text."""
    if isinstance(value, list | dict):
        return clean(json.dumps(value, ensure_ascii=False))
    if isinstance(value, int) and not -(2**63) <= value < 2**63:
        return None if kind == "whole" else str(value)
    return clean(value) if isinstance(value, str) else value


def sql_value(cell: Any, kind: Kind) -> Any:
    """The value behind a cell."""
    if cell is None:
        return None
    if kind in ("texts", "wholes"):
        return json.loads(cell)
    return bool(cell) if kind == "yes-no" else cell
