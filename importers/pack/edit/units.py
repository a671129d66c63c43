"""Edits of ``units.csv``: the cells of the rows that are about a kind of counter."""

from __future__ import annotations

from collections.abc import Mapping

from ..load import MATCH_COLUMNS
from .table import EditRefused, Entry, Table

FILE = "units.csv"
COLUMNS = ("name",)


class UnitTable:
    """The rows of ``units.csv``. ``data``: the file; empty if there is none.

    A row is named by its cells ``id``, ``gpid``, ``image`` and ``name``, just as they stand; those left out
    are empty. Of several rows so named all must say the same.
    """

    def __init__(self, data: bytes) -> None:
        self._table = Table(FILE, data, COLUMNS)
        self._rows: dict[tuple[str, ...], list[Entry]] = {}
        for entry in self._table.rows:
            key = tuple(self._table.get(entry, column) for column in MATCH_COLUMNS)
            self._rows.setdefault(key, []).append(entry)

    def there(self, row: Mapping[str, str]) -> bool:
        """Whether there is such a row."""
        return bool(self._rows.get(_key(row)))

    def value(self, row: Mapping[str, str], column: str) -> str:
        """The text of a cell; "" if it is empty or there is no such row."""
        said = {self._table.get(entry, column.lower()) for entry in self._rows.get(_key(row), ())}
        if len(said) > 1:
            where = " and ".join(self._table.where(entry) for entry in self._rows[_key(row)])
            raise EditRefused(
                f"several rows are about one counter, and differ in {column}; keep one", where=where
            )
        return said.pop() if said else ""

    def set(self, row: Mapping[str, str], column: str, now: str) -> None:
        """Write a cell, in a new row if there is none."""
        column, now = column.strip().lower(), now.strip()
        if not column or column in MATCH_COLUMNS:
            raise EditRefused(
                f"expected a column with facts about counters; found {column or 'none'}"
            )
        if self.value(row, column) == now:
            return
        self.add(row)
        for entry in self._rows[_key(row)]:
            self._table.set(entry, column, now)

    def add(self, row: Mapping[str, str]) -> None:
        """Have a row about such counters."""
        key = _key(row)
        if not self._rows.get(key):
            named = {c: text for c, text in zip(MATCH_COLUMNS, key, strict=True) if text}
            self._rows[key] = [self._table.append(named)]

    def drop(self, row: Mapping[str, str]) -> None:
        """Remove the rows about such counters if their other cells are empty."""
        for entry in tuple(self._rows.get(_key(row), ())):
            if not self._table.says_more(entry, MATCH_COLUMNS):
                self._rows[_key(row)].remove(entry)
                self._table.remove(entry)

    def data(self) -> bytes:
        """The file as it is to be now."""
        return self._table.data()


def _key(row: Mapping[str, str]) -> tuple[str, ...]:
    odd = [column for column in row if column not in MATCH_COLUMNS]
    key = tuple(row.get(column, "").strip() for column in MATCH_COLUMNS)
    if odd or not any(key):
        found = ", ".join(odd) or "nothing"
        raise EditRefused(f"expected a row named by {', '.join(MATCH_COLUMNS)}; found {found}")
    return key
