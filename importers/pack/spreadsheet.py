"""Spreadsheets as wargamers save them: CSV with commas, semicolons or tabs, UTF-8 or Windows-1252."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from ...model.problem import Problem, Unreadable
from .toml_text import read_bytes

LARGEST = 8 * 1024 * 1024
"""The most bytes of a spreadsheet; a larger one is refused."""

MOST_ROWS = 200_000
MOST_COLUMNS = 1_000


@dataclass(frozen=True, slots=True)
class Row:
    """One row: the cells that are not empty, by column name, and the ``line`` it starts on."""

    cells: Mapping[str, str]
    line: int

    def get(self, column: str) -> str:
        return self.cells.get(column, "")


@dataclass(frozen=True, slots=True)
class Sheet:
    """A spreadsheet: its ``file`` name, ``columns`` in order (lower case), rows."""

    file: str
    columns: tuple[str, ...]
    rows: tuple[Row, ...]

    def where(self, row: Row) -> str:
        """The place of a row, for errors."""
        return f"{self.file} line {row.line}"


def read_sheet(
    path: Path,
    *,
    required: tuple[str, ...] = (),
    allowed: tuple[str, ...] | None = None,
    data: bytes | None = None,
) -> tuple[Sheet, tuple[Problem, ...]]:
    """Read a spreadsheet; its first row names the columns, empty rows and ``#`` rows are skipped.

    A column named ``note`` or with an empty name is always allowed and ignored. ``allowed`` None:
    any column. ``data``: its content, if it has been read already. Faults are problems, one line each; a file
    that is not text raises :class:`Unreadable`.
    """
    text = text_of(path.name, read_bytes(path, LARGEST) if data is None else data)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter_of(text))
    problems: list[Problem] = []
    columns: list[str] | None = None
    rows: list[Row] = []
    last_line = 0
    try:
        for cells in reader:
            line, last_line = last_line + 1, reader.line_num
            stripped = [cell.strip() for cell in cells]
            if not any(stripped) or stripped[0].startswith("#"):
                continue
            if columns is None:
                if len(stripped) > MOST_COLUMNS:
                    raise Unreadable(
                        "has too many columns",
                        where=path.name,
                        expected=f"at most {MOST_COLUMNS:,}",
                    )
                columns = [name.lower() for name in stripped]
                problems.extend(_header_problems(path.name, line, columns, required, allowed))
                continue
            if len(rows) >= MOST_ROWS:
                raise Unreadable(
                    "has too many rows", where=path.name, expected=f"at most {MOST_ROWS:,}"
                )
            if any(stripped[len(columns) :]):
                problems.append(_too_long(path.name, line, len(columns), len(stripped)))
            rows.append(_row(columns, stripped, line))
    except csv.Error as error:
        problems.append(Problem("csv", f"{error}", f"{path.name} line {last_line + 1}", "error"))
    if columns is None and (rows or last_line):  # an empty file is a sheet without rows
        problems.append(
            Problem(
                "csv", "expected a first row with column names; found nothing", path.name, "error"
            )
        )
    kept = tuple(name for name in columns or () if name and name != "note")
    return Sheet(path.name, kept, tuple(rows)), tuple(problems)


def _row(columns: list[str], cells: list[str], line: int) -> Row:
    pairs = zip(columns, cells, strict=False)
    return Row({name: cell for name, cell in pairs if cell and name and name != "note"}, line)


def text_of(file: str, data: bytes) -> str:
    """The text of a spreadsheet. Raises :class:`Unreadable` if it is not text."""
    if data[:2] in (b"\xff\xfe", b"\xfe\xff") or b"\x00" in data:
        raise Unreadable(
            "is not a CSV text", where=file, hint="save the spreadsheet as CSV (UTF-8)"
        )
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return data.decode("cp1252", "replace")


def delimiter_of(text: str) -> str:
    """The separator of the cells of a spreadsheet: comma, semicolon or tab."""
    header = next((line for line in text.splitlines() if line.strip()), "")
    return max(",;\t", key=header.count)


def _too_long(file: str, line: int, expected: int, found: int) -> Problem:
    message = f"expected {expected:,} cells as in the first row; found {found:,}"
    return Problem("csv", message, f"{file} line {line}", "error")


def _header_problems(
    file: str,
    line: int,
    columns: list[str],
    required: tuple[str, ...],
    allowed: tuple[str, ...] | None,
) -> list[Problem]:
    where = f"{file} line {line}"
    problems = [
        Problem("csv", f"expected a column {name}; found {', '.join(columns)}", where, "error")
        for name in required
        if name not in columns
    ]
    for name in columns:
        if allowed is not None and name and name not in (*allowed, "note"):
            message = f"expected columns {', '.join(allowed)}; found the column {name}"
            problems.append(Problem("csv", message, where, "error"))
    doubled = sorted({name for name in columns if name and columns.count(name) > 1})
    problems.extend(
        Problem("csv", f"expected each column once; found {name} twice", where, "error")
        for name in doubled
    )
    return problems
