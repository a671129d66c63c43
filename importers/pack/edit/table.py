"""A spreadsheet, row by row, in which single cells can be changed.

Everything else stays byte for byte: comments, empty rows, quotes, the order of columns, unknown columns,
separators, encoding, line ends.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from ....model.problem import UmpireError, Unreadable
from ..spreadsheet import MOST_ROWS, delimiter_of, text_of

BOM = b"\xef\xbb\xbf"
_DIGITS = re.compile(r"(\d+)")
_HALF = re.compile("[\udc80-\udcff]")
_NO_TEXT = re.compile("[\0\ud800-\udfff]")


class EditRefused(UmpireError):
    """An edit that cannot be made; the text says why, and what to do."""


@dataclass(slots=True, eq=False)
class Entry:
    """One row: ``raw``, as it stands in the file with its line end; ``cells``, without blanks around them.
    ``cells`` None: a comment or an empty row."""

    raw: str
    cells: list[str] | None
    key: Any = None
    """Data that a table of one kind has derived from the row."""


class Table:
    """The rows of a spreadsheet. ``file``: its name; ``data``: what is in it, empty: it begins with
    ``columns``. Raises :class:`Unreadable` where it is not a spreadsheet."""

    def __init__(self, file: str, data: bytes, columns: Iterable[str] = ()) -> None:
        self.file = file
        self._bom = data.startswith(BOM)
        text = text_of(file, data)
        self._encoding = "utf-8"
        try:
            data.decode("utf-8-sig")
        except UnicodeDecodeError:
            self._encoding = "cp1252"
            text = data.decode("cp1252", "surrogateescape")  # bytes that stand for nothing stay
        self._delimiter = delimiter_of(text)
        self._line_end = _line_end(text)
        self.entries: list[Entry] = []
        self.columns: list[str] = []
        self._header: Entry | None = None
        self._read(text)
        if self._header is None:
            self.columns = list(columns)
            self._header = self.append(dict(zip(self.columns, self.columns, strict=True)))

    def _read(self, text: str) -> None:
        lines = list(io.StringIO(text, newline=""))
        reader = csv.reader(iter(lines), delimiter=self._delimiter)
        last = 0
        try:
            for row in reader:
                raw, last = "".join(lines[last : reader.line_num]), reader.line_num
                cells = [cell.strip() for cell in row]
                if not any(cells) or cells[0].startswith("#"):
                    self.entries.append(Entry(raw, None))
                elif self._header is None:
                    self._header = Entry(raw, None)
                    self.columns = [name.lower() for name in cells]
                    self.entries.append(self._header)
                else:
                    self.entries.append(Entry(raw, cells))
        except csv.Error as error:
            where = f"{self.file} line {last + 1}"
            raise Unreadable(f"is not a spreadsheet: {error}", where=where) from error
        if self.entries and len(self._parsed(f"{self.entries[-1].raw}\n.")):
            raise Unreadable(
                "opens a quote that nothing closes",
                where=self.where(self.entries[-1]),
                hint='put a " behind the cell, or take the first one away',
            )
        if len(self.entries) > MOST_ROWS + 1_000:
            raise Unreadable(
                "has too many rows", where=self.file, expected=f"at most {MOST_ROWS:,}"
            )

    # -- reading ---------------------------------------------------------------------------------

    @property
    def rows(self) -> Iterable[Entry]:
        """The rows that are neither comments nor empty."""
        return (entry for entry in self.entries if entry.cells is not None)

    def get(self, entry: Entry, column: str) -> str:
        """The text of a cell; "": empty."""
        at = self._at(column)
        cells = entry.cells or []
        return cells[at] if 0 <= at < len(cells) else ""

    def says_more(self, entry: Entry, columns: Iterable[str]) -> bool:
        """Whether a row says anything in other columns, notes as well."""
        places = {self._at(column) for column in columns}
        return any(cell for i, cell in enumerate(entry.cells or []) if i not in places)

    def where(self, entry: Entry) -> str:
        """The place of a row, for messages."""
        line = 1
        for other in self.entries:
            if other is entry:
                break
            line += len(list(io.StringIO(other.raw, newline="")))
        return f"{self.file} line {line}"

    def _at(self, column: str) -> int:
        try:
            return self.columns.index(column)
        except ValueError:
            return -1

    # -- writing ---------------------------------------------------------------------------------

    def data(self) -> bytes:
        """The current content of the file."""
        text = "".join(entry.raw for entry in self.entries)
        if self._encoding == "cp1252":
            try:
                data = text.encode("cp1252", "surrogateescape")
                data.decode("utf-8-sig")  # it would be taken for UTF-8
            except UnicodeDecodeError:
                return data
            except UnicodeEncodeError:
                pass
            else:
                if text.isascii():
                    return data
            self._encoding, self._bom = "utf-8", True  # a mark tells spreadsheet programs
            for entry in self.entries:
                entry.raw = _HALF.sub("\ufffd", entry.raw)
            return self.data()
        return (BOM if self._bom else b"") + text.encode("utf-8")

    def set(self, entry: Entry, column: str, value: str) -> None:
        """Write a cell. A column that is not there yet becomes the last one."""
        if self.get(entry, column) == value:
            return
        at = self._at(column)
        if at < 0:
            at = self._add_column(column)
        cells = [] if entry.cells is None else entry.cells
        raw, end = _without_end(entry.raw)
        parts = _split(raw, self._delimiter)
        if [cell.strip() for cell in self._parsed(raw)] != cells or len(parts) != len(cells):
            parts = [self._quoted(cell) for cell in cells]
        new = [*cells, *[""] * (at + 1 - len(cells))]
        parts += [""] * (at + 1 - len(parts))
        new[at] = value
        parts[at] = self._like(parts[at], value)
        raw = self._delimiter.join(parts)
        if (
            [cell.strip() for cell in self._parsed(raw)] != new
            or self._parsed(f"{raw}\n.")  # it would go on into the next row
            or new[0].startswith("#")  # it would be a comment
            or not self._is_text(value)
        ):
            raise EditRefused(f"cannot be written into a spreadsheet: {value!r}", where=self.file)
        entry.raw, entry.cells = raw + end, new

    def new(self, values: Mapping[str, str]) -> Entry:
        """A row that is not in the table yet; :meth:`insert` puts it there."""
        for column in values:
            if values[column] and self._at(column) < 0:
                self._add_column(column)
        cells = [values.get(column, "") for column in self.columns]
        raw = self._delimiter.join(self._quoted(cell) for cell in cells)
        if self._header is not None and (
            self._parsed(raw) != cells
            or not any(cells)
            or cells[0].startswith("#")
            or not all(map(self._is_text, cells))
        ):
            shown = ", ".join(value for value in values.values() if value)
            raise EditRefused(f"cannot be written into a spreadsheet: {shown!r}", where=self.file)
        return Entry(raw + self._line_end, cells)

    def append(self, values: Mapping[str, str]) -> Entry:
        """A new row below the last one that is not a comment."""
        entry = self.new(values)
        if self._header is None:
            entry.cells = None
            self._put(len(self.entries), entry)
        else:
            self.insert([entry], lambda _: None, len(self.entries))
        return entry

    def insert(
        self, new: Iterable[Entry], key: Callable[[Entry], Any], start: int = 0, stop: int = -1
    ) -> None:
        """Put new rows among those from number ``start`` to before ``stop`` (-1: to the end): each before
        the first one whose key is greater, else below the last one that is not a comment. ``key`` None:
        nothing goes before this row."""
        waiting = sorted(new, key=lambda entry: (key(entry) is not None, key(entry)))[::-1]
        if not waiting:
            return
        stop = len(self.entries) if stop < 0 else stop
        tail = self.entries[start:]
        self.entries = self.entries[:start]
        remarks: list[Entry] = []  # comments go with the row below them
        for entry in tail[: stop - start]:
            if self._is_remark(entry):
                remarks.append(entry)
                continue
            at = None if entry is self._header else key(entry)
            while at is not None and waiting and key(waiting[-1]) < at:
                self._put(len(self.entries), waiting.pop())
            self.entries += [*remarks, entry]
            remarks = []
        late: list[Entry] = []  # comments above the place, where it has no row
        while self.entries and self._is_remark(self.entries[-1]):
            late.insert(0, self.entries.pop())
        while waiting:
            self._put(len(self.entries), waiting.pop())
        self.entries += [*late, *remarks, *tail[stop - start :]]

    def _is_remark(self, entry: Entry) -> bool:
        return entry.cells is None and entry is not self._header

    def _put(self, at: int, entry: Entry) -> None:
        if at and not self.entries[at - 1].raw.endswith(("\n", "\r")):
            self.entries[at - 1].raw += self._line_end
        self.entries.insert(at, entry)

    def copy_below(self, entry: Entry) -> Entry:
        """A second row like ``entry``, right below it."""
        at = self.entries.index(entry)
        copy = Entry(_without_end(entry.raw)[0] + self._line_end, list(entry.cells or ()))
        self._put(at + 1, copy)
        return copy

    def remove(self, entry: Entry) -> None:
        """Take a row out."""
        self.entries.remove(entry)

    def _add_column(self, column: str) -> int:
        assert self._header is not None
        for entry in self.rows:
            if any((entry.cells or [])[len(self.columns) :]):
                raise EditRefused(
                    f"has more cells than there are columns, and {column} would be a new one",
                    where=self.where(entry),
                )
        raw, end = _without_end(self._header.raw)
        raw = f"{raw}{self._delimiter}{self._quoted(column)}"
        above = self.entries[: self.entries.index(self._header)]
        read = [name.strip().lower() for name in self._parsed(raw)]
        first = delimiter_of("".join(entry.raw for entry in above) + raw)
        if (
            read != [*self.columns, column]
            or first != self._delimiter
            or not self._is_text(column)
            or len(column.splitlines()) > 1
        ):
            raise EditRefused(f"cannot be the name of a column: {column!r}", where=self.file)
        self._header.raw = raw + end
        self.columns.append(column)
        return len(self.columns) - 1

    def _parsed(self, raw: str) -> list[str]:
        rows = list(csv.reader(io.StringIO(raw, newline=""), delimiter=self._delimiter))
        return rows[0] if len(rows) == 1 else []

    def _is_text(self, value: str) -> bool:
        """Whether a cell can be read again from the bytes it becomes."""
        found = set(_NO_TEXT.findall(value))
        return not found or (self._encoding == "cp1252" and all(map(_HALF.match, found)))

    def _quoted(self, text: str) -> str:
        plain = text == text.strip() and not set(text) & {'"', "\n", "\r", self._delimiter}
        return text if plain else '"' + text.replace('"', '""') + '"'

    def _like(self, old: str, value: str) -> str:
        """A cell in the place of another: quoted if that is, padded as that is."""
        if old.startswith('"'):
            return '"' + value.replace('"', '""') + '"'
        new = self._quoted(value)
        if new.startswith('"'):
            return new
        lead = old[: len(old) - len(old.lstrip())] if old.strip() else ""
        return (lead + new).ljust(len(old)) if old != old.rstrip() else lead + new


def _line_end(text: str) -> str:
    first = next(iter(io.StringIO(text, newline="")), "")
    return _without_end(first)[1] or "\n"


def _without_end(raw: str) -> tuple[str, str]:
    bare = raw.removesuffix("\n").removesuffix("\r")
    return bare, raw[len(bare) :]


def _split(raw: str, delimiter: str) -> list[str]:
    """The cells of a row as they stand in it, quotes and blanks included."""
    parts, start, inside, quoted = [], 0, False, False
    for at, char in enumerate(raw):
        quoted = char == '"' if at == start else quoted
        if char == '"' and quoted:
            inside = not inside  # two of them: out and in again
        elif char == delimiter and not inside:
            parts.append(raw[start:at])
            start = at + 1
    parts.append(raw[start:])
    return parts


def natural(text: str) -> tuple[tuple[int, int | str], ...]:
    """``text`` for sorting, numbers in it by their size."""
    return tuple(
        (0, int(part)) if part.isdecimal() else (1, part) for part in _DIGITS.split(text) if part
    )
