"""``provenance.csv``: the records that say who vouches for which cell; and what a pack has
without a record.
"""

from __future__ import annotations

import contextlib
import csv
import io
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from fractions import Fraction
from functools import lru_cache
from pathlib import Path
from typing import Any

from ...model.problem import Problem
from ...model.provenance import (
    BY_EYE,
    LAYERS,
    LOOKERS,
    OF_THE_WHOLE,
    STATUSES,
    Key,
    Layer,
    Method,
    Record,
    Status,
    fault_of,
    in_order,
)
from .spreadsheet import MOST_ROWS, delimiter_of, read_sheet, text_of
from .toml_text import read_bytes

FILE = "provenance.csv"
LARGEST = 64 * 1024 * 1024
"""Bytes of such a file; more is refused. A board of 7,500 hexes with all its sides has 10 million."""

COLUMNS = (
    "cell", "layer", "name", "value", "status", "who", "when", "method", "confidence", "picture",
    "before",
)  # fmt: skip
_WHEN = re.compile(r"\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d)?(Z|[+-]\d\d:\d\d)?)?")
_CONFIDENCE = re.compile(r"\d(\.\d{1,9})?")
_PICTURE = re.compile(r"[0-9a-f]{64}")
_LAYERS: Mapping[str, Layer] = {layer: layer for layer in LAYERS}
_STATUSES: Mapping[str, Status] = {status: status for status in STATUSES}


def read_provenance(
    path: Path, data: bytes | None = None
) -> tuple[tuple[Record, ...], tuple[Problem, ...]]:
    """The records of a file, and each fault with its line. ``data``: its content, if it has been read
    already. Raises :class:`Unreadable` if it is not text."""
    if data is None:
        data = read_bytes(path, LARGEST)
    known = _by_line(path, text_of(path.name, data))
    return _row_by_row(path, data) if known is None else (known, ())


def _by_line(path: Path, text: str) -> tuple[Record, ...] | None:
    """The records of a file without faults in which every row is one line. Lines that have been read before
    are not read again. None if it is not such a file, so that it has to be read row by row."""
    header, *lines = text.split("\n")
    if text.count("\r") != text.count("\r\n") or len(lines) > MOST_ROWS:
        return None
    if not header.strip() or header.lstrip().startswith(("#", "\ufeff")) or '"' in header:
        return None
    known = _lines_under(header)
    new = [line for line in lines if line not in known]
    if len(known) + len(new) > 2 * MOST_ROWS:
        known.clear()
        new = lines
    delimiter = delimiter_of(header)
    _, problems = read_sheet(
        path, required=COLUMNS[:8], allowed=COLUMNS, data=f"{header}\n".encode()
    )
    rows = None if problems else _one_row_each(new, delimiter)
    if rows is None:
        return None
    columns = [name.strip().lower() for name in next(csv.reader([header], delimiter=delimiter))]
    places = [columns.index(name) if name in columns else len(columns) for name in COLUMNS]
    empty = [""] * (len(columns) + 1)
    for line, row in zip(new, rows, strict=True):
        cells = [cell.strip() for cell in row]
        if not any(cells) or cells[0].startswith("#"):
            continue
        if any(cells[len(columns) :]):
            return None
        cells += empty[len(cells) :]
        record, fault = _read_record(tuple([cells[place] for place in places]))
        if fault or record is None:
            return None
        known[line] = record
    # A line that is not known now is empty, or a comment.
    records = [record for line in lines if (record := known.get(line)) is not None]
    return tuple(records) if len({record.key for record in records}) == len(records) else None


def _one_row_each(lines: Iterable[str], delimiter: str) -> list[list[str]] | None:
    """The rows of ``lines``, one each. None: quotes join several lines, so a row does not end with its
    line."""
    text = "".join(f"{line}\n" for line in (*lines, "end"))
    with contextlib.suppress(csv.Error):
        rows = list(csv.reader(io.StringIO(text, newline=""), delimiter=delimiter))
        if rows[-1] == ["end"] and len(rows) == text.count("\n"):
            return rows[:-1]
    return None


@lru_cache(maxsize=4)
def _lines_under(header: str) -> dict[str, Record]:
    """A cache of the records of lines below a ``header``: after every edit, a file with one changed line is
    read again."""
    return {}


def _row_by_row(path: Path, data: bytes) -> tuple[tuple[Record, ...], tuple[Problem, ...]]:
    sheet, problems = read_sheet(path, required=COLUMNS[:8], allowed=COLUMNS, data=data)
    found: dict[Key, Record] = {}
    faults = list(problems)
    if problems:
        return (), tuple(faults)
    for row in sheet.rows:
        record, fault = record_of_cells(row.cells)
        if record is not None and not fault and record.key in found:
            fault = f"expected one record for each fact; found {_said(record.key)} again"
        if fault or record is None:
            faults.append(Problem("provenance", fault, sheet.where(row), "error"))
        else:
            found[record.key] = record
    return tuple(found.values()), tuple(faults)


def _said(key: Key) -> str:
    return " ".join(part for part in key if part)


def record_of_cells(cells: Mapping[str, str]) -> tuple[Record | None, str]:
    """The record of a row, from its cells that are not empty, or its fault."""
    return _record(tuple(cells.get(column, "") for column in COLUMNS))


@lru_cache(maxsize=MOST_ROWS)  # a file of which one row is other is read again after every edit
def _record(cells: tuple[str, ...]) -> tuple[Record | None, str]:
    return _read_record(cells)


def _read_record(cells: tuple[str, ...]) -> tuple[Record | None, str]:
    cell, wanted, name, value, told, names, when, looked, confidence, picture, before = cells
    if not (cell and wanted and value and told and names and when and looked):
        column = next(c for c, text in zip(COLUMNS, cells, strict=True) if not text and c != "name")
        return None, f"expected something in the column {column}; found nothing"
    layer = _LAYERS.get(wanted)
    if layer is None:
        return None, f"expected one of {', '.join(LAYERS)} in the column layer; found {wanted}"
    status = _STATUSES.get(told)
    if status is None:
        return None, f"expected one of {', '.join(STATUSES)} in the column status; found {told}"
    if not _is_date(when):
        return None, f"expected a date such as 2026-11-22 in the column when; found {when}"
    method = _method(looked)
    if method is None:
        return None, f'expected "person: …" or "program: …" in the column method; found {looked}'
    if confidence and not _CONFIDENCE.fullmatch(confidence):
        return None, f"expected a confidence such as 0.93; found {confidence}"
    if picture and not _PICTURE.fullmatch(picture):
        return None, f"expected the SHA-256 of the picture (64 characters 0-9a-f); found {picture}"
    if name and value != "yes":
        return None, f"expected the value yes in a row with a name; found {value}"
    key = Key(in_order(cell, layer), layer, name)
    sure = Fraction(confidence) if confidence else None
    record = Record(key, value, status, _who(names), when, method, sure, picture, before=before)
    return record, fault_of(record)


@lru_cache(maxsize=1_024)  # the same few dates, methods and names stand in thousands of records
def _is_date(text: str) -> bool:
    return _WHEN.fullmatch(text) is not None


@lru_cache(maxsize=1_024)
def _method(text: str) -> Method | None:
    looked, colon, how = (part.strip() for part in text.partition(":"))
    by = next((known for known in LOOKERS if known == looked), None)
    return None if by is None or not colon or not how else Method(by, how)


@lru_cache(maxsize=1_024)
def _who(text: str) -> tuple[str, ...]:
    return tuple(name.strip() for name in text.split("+") if name.strip())


def void_records(values: Mapping[Key, str], records: Iterable[Record]) -> tuple[Problem, ...]:
    """A note of the records that are void because a cell has another value now, if there are any."""
    lost = [record for record in records if values.get(record.key) != record.value]
    if not lost:
        return ()
    shown = "; ".join(f"{_said(r.key)} is no longer {r.value}" for r in lost[:3])
    more = " …" if len(lost) > 3 else ""
    message = f"{len(lost):,} records are void because their cells were changed ({shown}{more})"
    return (Problem("provenance", message, FILE, "note"),)


def program_looks(values: Mapping[Key, str], records: Iterable[Record]) -> tuple[Problem, ...]:
    """A note of the cells that count as known because a program has looked at them, if there are any."""
    by_program = (r for r in records if r.status in BY_EYE and r.method.by == "program")
    looked = [r for r in by_program if r.is_known and values.get(r.key) == r.value]
    if not looked:
        return ()
    who = ", ".join(sorted({name for record in looked for name in record.who}))
    message = (
        f"{len(looked):,} facts of the board were looked at by a program ({who}), and by no person; they "
        "may clear a move, but accuse nobody"
    )
    return (Problem("provenance", message, FILE, "note"),)


def provenance_csv(records: Iterable[Record]) -> str:
    """Records as the text of a file, in an order that depends on them alone."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    every = tuple(records)
    columns = COLUMNS if any(record.before for record in every) else COLUMNS[:-1]
    writer.writerow(columns)
    for record in sorted(every, key=lambda r: (r.key.cell, LAYERS.index(r.key.layer), r.key.name)):
        wrong = fault_of(record)
        if wrong:
            raise ValueError(f"{_said(record.key)}: {wrong}")
        writer.writerow(record_cells(record)[: len(columns)])
    return out.getvalue()


def moment() -> str:
    """Now, as records have it: ``2026-08-01T12:30:00Z``."""
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def record_cells(record: Record) -> tuple[str, ...]:
    """The cells of a record, in the order of :data:`COLUMNS`."""
    confidence = "" if record.confidence is None else _decimal(record.confidence)
    who, method = " + ".join(record.who), str(record.method)
    told = (record.value, record.status, who, record.when, method, confidence, record.picture)
    return (*record.key, *told, record.before)


def _decimal(number: Fraction) -> str:
    """A number from 0 to 1 with at most nine digits, exact if it was read."""
    scaled = round(number * 10**9)
    whole, rest = divmod(scaled, 10**9)
    return f"{whole}.{rest:09}".rstrip("0").rstrip(".")


MAKER = "the pack's maker"
VOUCHES, FOUND = (Method("person", name) for name in OF_THE_WHOLE)
FOUND_BY_PROGRAM = Method("program", "found in the pack's files")


@dataclass(frozen=True, slots=True)
class Unrecorded:
    """Makes records for facts that have none. ``vouched_by``: the person who vouches for the whole pack
    (``typed``). If it names nobody: ``program``, which found the fact in the pack without a person
    (``imported``), or else the pack's unnamed author (``typed``). ``when``: ISO 8601."""

    vouched_by: str
    when: str
    program: str = ""

    def record(self, key: Key, value: str) -> Record:
        """The record of a fact."""
        if self.vouched_by:
            return Record(key, value, "typed", (self.vouched_by,), self.when, VOUCHES)
        if self.program:
            return Record(key, value, "imported", (self.program,), self.when, FOUND_BY_PROGRAM)
        return Record(key, value, "typed", (MAKER,), self.when, FOUND)


def vouched_by(pack: Mapping[str, Any]) -> str:
    """Who vouches for a pack by ``pack.toml``; '': not stated."""
    head = pack.get("pack")
    name = head.get("vouched_by", "") if isinstance(head, Mapping) else ""
    return name if isinstance(name, str) else ""
