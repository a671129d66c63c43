"""Edits of ``provenance.csv``: who vouches for which cell."""

from __future__ import annotations

from collections.abc import Iterable

from ....model.provenance import LAYERS, Key, Record, fault_of
from ..provenance import COLUMNS, FILE, record_cells, record_of_cells
from .table import EditRefused, Entry, Table, natural


class RecordTable:
    """The records of a file. ``data``: the file; empty if there is none. Rows with a fault stay as they
    are, and are about nothing."""

    def __init__(self, data: bytes, file: str = FILE) -> None:
        self._table = Table(file, data, COLUMNS[:-1])
        self._rows: dict[Key, Entry] = {}
        self._known: dict[Key, Record] = {}
        self._of_cell: dict[str, dict[Key, None]] = {}
        self._new: list[Entry] = []
        for entry in self._table.rows:
            cells = {c: text for c in COLUMNS if (text := self._table.get(entry, c))}
            record, fault = record_of_cells(cells)
            if record is not None and not fault:
                self._rows[record.key], self._known[record.key] = entry, record
                self._of_cell.setdefault(record.key.cell, {})[record.key] = None
                entry.key = _place(record.key)

    def get(self, key: Key) -> Record | None:
        """The record of a fact; None: it has none."""
        return self._known.get(key)

    def all(self) -> Iterable[Record]:
        """All records."""
        return self._known.values()

    def of_cell(self, cell: str) -> list[Record]:
        """The records of a hex or a hexside."""
        return [self._known[key] for key in self._of_cell.get(cell, ())]

    def set(self, key: Key, now: Record | None) -> None:
        """Give a fact a record; None: take it out."""
        if now == self._known.get(key):
            return
        entry = self._rows.get(key)
        if now is None:
            if entry is not None:
                del self._rows[key], self._known[key], self._of_cell[key.cell][key]
                if entry in self._new:
                    self._new.remove(entry)
                else:
                    self._table.remove(entry)
            return
        fault = fault_of(now)
        cells = dict(zip(COLUMNS, record_cells(now), strict=True))
        if not fault:
            read, fault = record_of_cells({c: text for c, text in cells.items() if text})
            fault = fault or ("" if read == now else "it could not be read again")
        if fault or now.key != key:
            raise EditRefused(f"the record of {' '.join(k for k in key if k)}: {fault}")
        if entry is None:
            entry = self._rows[key] = self._table.new(cells)
            entry.key = _place(key)
            self._new.append(entry)
        else:
            for column, text in cells.items():
                self._table.set(entry, column, text)
        self._known[key] = now
        self._of_cell.setdefault(key.cell, {})[key] = None

    def data(self) -> bytes:
        """The current content of the file."""
        self._table.insert(self._new, lambda entry: entry.key)
        self._new = []
        return self._table.data()


def _place(key: Key) -> object:
    return natural(key.cell), LAYERS.index(key.layer), natural(key.name)
