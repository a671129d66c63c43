"""The tables of a batch as files, written from its journal a few rows at a time."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import islice
from pathlib import Path
from typing import Literal, get_args

from ...importers.vassal.atomic import known, whole_file
from ...model.problem import UmpireError
from ..frames import arrow, frame, schema
from ..game_columns import Column
from ..game_tables import Row
from ..output import WouldOverwrite
from .journal import Journal

Form = Literal["parquet", "jsonl", "sqlite"]
FORMS: tuple[Form, ...] = get_args(Form)

_AT_ONCE = 10_000
"""Rows that are turned into a group of a Parquet file at a time."""


def check_form(form: Form) -> None:
    """:class:`UmpireError` where what the form needs is not installed: now, not after the work."""
    if form == "parquet":
        try:
            arrow()
        except UmpireError as error:
            raise UmpireError(
                error.what, hint=f"{error.hint}; or take --to jsonl or --to sqlite"
            ) from None


def export(journal: Journal, form: Form) -> tuple[Path, ...]:
    """Write the tables of the journal into files beside it, then anew those that were written before in
    another form; answers the files of this one. Raises :class:`WouldOverwrite` where one of them was changed
    by somebody else, and :class:`UmpireError` where what another form needs is not installed."""
    folder, before = journal.path.parent, journal.written()
    others = (one for one in _WRITERS if one != form and f"{_names(journal, one)[0]}" in before)
    for one in (form, *others):
        if one == "sqlite":
            continue
        for table, columns in journal.tables.items():
            path = folder / f"{table}.{one}"
            _check(path, before.get(path.name))
            try:
                with whole_file(path, known(path)) as part:
                    _WRITERS[one](columns, journal.rows(table), part)
                    digest = _digest(part)
            except OSError as error:
                what = error.strerror or str(error)
                raise UmpireError(f"cannot be written: {what}", where=str(path)) from None
            journal.note_written(path.name, digest)
    if form == "sqlite":
        return (journal.path,)
    return tuple(folder / name for name in _names(journal, form))


def _names(journal: Journal, form: str) -> list[str]:
    return [f"{table}.{form}" for table in journal.tables]


def _check(path: Path, written: str | None) -> None:
    if path.exists() and (not path.is_file() or _digest(path) != written):
        raise WouldOverwrite(
            "is kept: umpire did not write it, or it was changed since",
            where=str(path),
            hint="move it away; the same command then writes it anew",
        )


def _digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _parquet(columns: tuple[Column, ...], rows: Iterable[Row], path: Path) -> None:
    arrow()
    from pyarrow import parquet

    with parquet.ParquetWriter(path, schema(columns), compression="zstd") as writer:
        for some in _groups(rows):
            writer.write_table(frame(columns, some))


def _groups(rows: Iterable[Row]) -> Iterator[list[Row]]:
    waiting = iter(rows)
    while some := list(islice(waiting, _AT_ONCE)):
        yield some


def _jsonl(_columns: tuple[Column, ...], rows: Iterable[Row], path: Path) -> None:
    with path.open("w", encoding="utf-8", newline="\n") as file:
        for row in rows:
            shown = {name: value for name, value in row.items() if value is not None}
            file.write(json.dumps(shown, ensure_ascii=False, separators=(",", ":")) + "\n")


_WRITERS: Mapping[str, Callable[[tuple[Column, ...], Iterable[Row], Path], None]] = {
    "parquet": _parquet,
    "jsonl": _jsonl,
}
