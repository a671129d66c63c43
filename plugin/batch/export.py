"""The tables of a batch as files, written from its journal a few rows at a time."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Literal, get_args

from ...importers.vassal.atomic import known, whole_file
from ...model.problem import UmpireError
from ..output import WouldOverwrite
from ..table_files import FILE_FORMS, arrow, writer
from .journal import Journal

Form = Literal["parquet", "csv", "jsonl", "sqlite"]
FORMS: tuple[Form, ...] = get_args(Form)


def check_form(form: Form) -> None:
    """:class:`UmpireError` where what the form needs is not installed: now, not after the work."""
    if form == "parquet":
        try:
            arrow()
        except UmpireError as error:
            raise UmpireError(
                error.what, hint=f"{error.hint}; or take --to csv, jsonl or sqlite"
            ) from None


def export(journal: Journal, form: Form) -> tuple[Path, ...]:
    """Write the tables of the journal into files beside it, then anew those that were written before in
    another form; answers the files of this one. Raises :class:`WouldOverwrite` where one of them was changed
    by somebody else, and :class:`UmpireError` where what another form needs is not installed."""
    folder, before = journal.path.parent, journal.written()
    wanted = [one for one in FILE_FORMS if one == form or _names(journal, one)[0] in before]
    for one in sorted(wanted, key=lambda one: one != form):
        for table, columns in journal.tables.items():
            path = folder / f"{table}.{one}"
            _check(path, before.get(path.name))
            try:
                with whole_file(path, known(path)) as part:
                    with writer(one, columns, part) as put:
                        for row in journal.rows(table):
                            put(row)
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
