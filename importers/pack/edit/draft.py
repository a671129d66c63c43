"""The files of a pack and a facts file under edits: bytes in, bytes out."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeVar

from ....model.board import Board
from ..facts import FACTS_FILE
from ..files import PACK_FILE
from ..provenance import FILE as RECORDS_FILE
from .change import (
    Change,
    FileOf,
    HexCell,
    RecordOf,
    SidesComplete,
    Stanza,
    TomlValue,
    UnitCell,
    What,
)
from .hexes import FILE as HEXES_FILE
from .hexes import HexTable
from .lines import FILE as LINES_FILE
from .lines import LineTable, Step
from .records import RecordTable
from .table import EditRefused
from .toml import find, plain, same, value_at, values_of, with_stanza, with_value
from .units import FILE as UNITS_FILE
from .units import UnitTable

FACTS_RECORDS = "facts.provenance.csv"
"""A name for the file beside the facts, which may have any name."""
FILES = (PACK_FILE, RECORDS_FILE, HEXES_FILE, LINES_FILE, UNITS_FILE, FACTS_FILE, FACTS_RECORDS)
"""The files in the order of writing, so that a fact that waits for a look never counts as known meanwhile."""
T = TypeVar("T", HexTable, LineTable, UnitTable, RecordTable)


class Draft:
    """Files by the names of :data:`FILES`, empty where there is none. ``board``: its hexes and which lie
    next to each other; None: it is not known yet, and its cells cannot be edited."""

    def __init__(self, files: Mapping[str, bytes], board: Board | None) -> None:
        self._files = {name: files.get(name, b"") for name in FILES}
        self._tables: dict[str, HexTable | LineTable | UnitTable | RecordTable] = {}
        self._touched: set[str] = set()
        self._values: dict[str, tuple[bytes, dict[str, Any]]] = {}
        self._board = board

    # -- the files -------------------------------------------------------------------------------

    def files(self) -> dict[str, bytes]:
        """The current content of the files."""
        for name in self._touched:
            self._files[name] = self._tables[name].data()
        self._touched.clear()
        return dict(self._files)

    def set_file(self, name: str, data: bytes) -> None:
        """Replace a file with content from elsewhere."""
        self._files[name] = data
        self._tables.pop(name, None)
        self._touched.discard(name)

    def set_board(self, board: Board | None) -> None:
        """Replace the board, if it differs."""
        if not _same_places(self._board, board):
            self.files()
            for name in (HEXES_FILE, LINES_FILE):
                self._tables.pop(name, None)
            self._board = board

    @property
    def board(self) -> Board:
        """The board; :class:`EditRefused` where it is not known."""
        if self._board is None:
            raise EditRefused(
                "the board is not read yet", hint="wait a moment, or see to pack.toml"
            )
        return self._board

    def values(self, file: FileOf) -> dict[str, Any]:
        """``pack.toml`` or the facts, as plain values."""
        name = _toml(file)
        held = self._values.get(name)
        if held is None or held[0] is not self._files[name]:
            held = self._values[name] = (self._files[name], values_of(self._files[name], name))
        return held[1]

    # -- tables ----------------------------------------------------------------------------------

    @property
    def hexes(self) -> HexTable:
        """``hexes.csv``."""
        return self._table(HEXES_FILE, lambda data: HexTable(data, self.board))

    @property
    def lines(self) -> LineTable:
        """``lines.csv``."""
        return self._table(LINES_FILE, lambda data: LineTable(data, self.board))

    @property
    def units(self) -> UnitTable:
        """``units.csv``."""
        return self._table(UNITS_FILE, UnitTable)

    @property
    def records(self) -> RecordTable:
        """``provenance.csv``."""
        return self._table(RECORDS_FILE, RecordTable)

    @property
    def phase_records(self) -> RecordTable:
        """The file of records beside the facts."""
        return self._table(FACTS_RECORDS, RecordTable)

    def _table(self, name: str, make: Callable[[bytes], T]) -> T:
        if name not in self._tables:
            self._tables[name] = make(self._files[name])
        return self._tables[name]  # type: ignore[return-value]  # each name has its kind

    # -- changes ---------------------------------------------------------------------------------

    def get(self, what: What) -> Any:
        """The value in the files; see the kinds of :data:`What`."""
        if isinstance(what, HexCell):
            return self.hexes.value(what.hex, what.layer)
        if isinstance(what, SidesComplete):
            return self.hexes.told(what.hex)
        if isinstance(what, Step):
            return self.lines.value(what)
        if isinstance(what, RecordOf):
            return self._records_of(what).get(what.key)
        if isinstance(what, UnitCell):
            row = dict(what.row)
            if not what.column:
                return "yes" if self.units.there(row) else ""
            return self.units.value(row, what.column)
        if isinstance(what, Stanza):
            return None  # many say the same: see says()
        return value_at(self.values(what.file), what.path)

    def says(self, what: What, value: Any) -> bool:
        """Whether the files have exactly this value."""
        if isinstance(what, Stanza):
            return value is None or find(self.values(what.file), what.table, value) is not None
        if isinstance(what, TomlValue):
            return same(self.get(what), plain(value))
        return bool(self.get(what) == value)

    def put(self, change: Change) -> None:
        """Make a change. Raises :class:`EditRefused` if it cannot be made."""
        what, now = change.what, change.after
        name = file_of(what)
        if isinstance(what, TomlValue | Stanza):
            data = self._files[name]
            if isinstance(what, TomlValue):
                self._files[name] = with_value(data, what.path, now, name)
            else:
                self._files[name] = with_stanza(data, what.table, change.before, now, name)
            return
        if isinstance(what, HexCell):
            self.hexes.set(what.hex, what.layer, now)
        elif isinstance(what, SidesComplete):
            self.hexes.set_told(what.hex, now)
        elif isinstance(what, Step):
            self.lines.set(what, now)
        elif isinstance(what, RecordOf):
            self._records_of(what).set(what.key, now)
        else:
            self._put_unit(what, now)
        self._touched.add(name)

    def _put_unit(self, what: UnitCell, now: str) -> None:
        row = dict(what.row)
        if what.column:
            self.units.set(row, what.column, now)
        elif now:
            self.units.add(row)
        else:
            self.units.drop(row)

    def _records_of(self, what: RecordOf) -> RecordTable:
        return self.phase_records if what.key.layer == "phase" else self.records

    def put_all(self, changes: Iterable[Change]) -> tuple[Change, ...]:
        """Make changes. Returns those that changed something, with the old value."""
        made: list[Change] = []
        for change in changes:
            what = change.what
            if isinstance(what, Stanza):
                self.put(change)
                made.append(change)
            elif not self.says(what, change.after):
                if isinstance(what, TomlValue):
                    what = self._first_missing(what)
                before = self.get(what)
                self.put(change)
                made.append(Change(what, before, self.get(what)))
        return tuple(made)

    def _first_missing(self, what: TomlValue) -> TomlValue:
        """The outermost missing table on the path; it is removed again together with its key."""
        values = self.values(what.file)
        for length in range(1, len(what.path)):
            if value_at(values, what.path[:length]) is None:
                return TomlValue(what.file, what.path[:length])
        return what


def file_of(what: What) -> str:
    """The file that a change is in, by its name in :data:`FILES`."""
    if isinstance(what, HexCell | SidesComplete):
        return HEXES_FILE
    if isinstance(what, Step):
        return LINES_FILE
    if isinstance(what, RecordOf):
        return FACTS_RECORDS if what.key.layer == "phase" else RECORDS_FILE
    return UNITS_FILE if isinstance(what, UnitCell) else _toml(what.file)


def _toml(file: FileOf) -> str:
    return PACK_FILE if file == "pack" else FACTS_FILE


def _same_places(one: Board | None, other: Board | None) -> bool:
    if one is None or other is None:
        return one is other
    return (one.links, one.barriers) == (other.links, other.barriers) and (
        {n: (h.sheet, h.at) for n, h in one.hexes.items()}
        == {n: (h.sheet, h.at) for n, h in other.hexes.items()}
    )
