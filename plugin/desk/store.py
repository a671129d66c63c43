"""What was read and judged of a game, kept in one SQLite file beside it.

The key of a value is a digest of everything it depends on, including the program's files, so another pack,
log or program has other keys. Values are JSON (:mod:`...model.frozen_values`), never code. Each is signed
with a secret of this user; values that somebody else stored or changed are ignored. A damaged file is
deleted, and everything is read and judged again. Values not used in twenty consecutive runs that stored
something are deleted.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import random
import sqlite3
import zlib
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, Self

from ...importers.game_folder.folder import GameLog
from ...importers.vassal.module import Module
from ...model.frozen_values import Damaged, FrozenValues
from ...model.table import LogHistory, Spot
from ..printable import say
from ..program_digest import program_digest
from ..user_folder import own_secret
from .joining import Lying, Position, position_of

FOLDER = ".umpire"
"""The folder beside ``game.toml``. It may be deleted at any time."""
FILE = "kept.sqlite"
EVERY = 50
"""One in this many values taken from the store is made again and compared."""

_TABLE = (
    "CREATE TABLE kept (key TEXT PRIMARY KEY, run INTEGER NOT NULL, data BLOB NOT NULL)"
    " WITHOUT ROWID"
)
_LARGEST = 256 * 1024 * 1024
"""Largest size of a value, unpacked, in bytes."""
_RUNS = 20
_MARK = 32
"""Length of a signature in bytes."""
_POSITIONS = FrozenValues((Spot, Lying))


class Store:
    """The store of the game in the folder ``root``, as a context manager. Values are kept however it ends,
    also with Ctrl-C. If no file can be written, nothing is kept or found."""

    def __init__(self, root: Path) -> None:
        self._file = root / FOLDER / FILE
        self._base: sqlite3.Connection | None = None
        self._run = self._log = 0
        self._put = self._closed = False
        self._used: set[str] = set()
        self._secret = b""

    # -- values -----------------------------------------------------------------------------------------

    def get(self, key: str) -> bytes | None:
        """The value kept under ``key``; None if there is none."""
        if self._base is None:
            return None
        try:
            query = "SELECT CAST(data AS BLOB) FROM kept WHERE key = ?"
            row = self._base.execute(query, (key,)).fetchone()
            if row is None:
                return None
            data = _unpacked(self._unmarked(key, row[0]))
        except sqlite3.OperationalError:  # another process keeps it locked
            self._close()
            return None
        except (sqlite3.DatabaseError, zlib.error, TypeError, Damaged):
            self.throw_away("is damaged, or was made by somebody else")
            return None
        self._used.add(key)
        return data

    def put(self, key: str, data: bytes, log: int = 0) -> None:
        """Keep ``data``. A change of ``log`` begins a new transaction."""
        if self._base is None and not self._closed:
            self._open()
        if log != self._log:
            self.commit()
            self._log = log
        if self._base is None:
            return
        try:
            if not self._base.in_transaction:
                self._base.execute("BEGIN IMMEDIATE")
            self._put = True
            packed = zlib.compress(data, 1)
            marked = self._mark(key, packed) + packed
            self._base.execute(
                "INSERT OR REPLACE INTO kept VALUES (?, ?, ?)", (key, self._run, marked)
            )
        except sqlite3.OperationalError:  # a full disk, or another process keeps it locked
            self._close()
        except sqlite3.DatabaseError:
            self.throw_away("is damaged")

    def is_due(self) -> bool:
        """Whether the last value taken is to be made again and compared."""
        return random.randrange(EVERY) == 0  # noqa: S311 - a sample, no secret

    def commit(self) -> None:
        """Commit what was put so far, if the file can be written."""
        if self._base is not None and self._base.in_transaction:
            try:
                self._base.execute("COMMIT")
            except sqlite3.Error:  # as in put
                self._close()

    def throw_away(self, why: str) -> None:
        """Delete the file and report it. Nothing more is found or kept."""
        self._close()
        with suppress(OSError):
            if not self._file.is_symlink():
                self._file.unlink(missing_ok=True)
        say(f"{FOLDER}/{FILE}: {why}; it is thrown away, and everything is judged again")

    def _mark(self, key: str, data: bytes) -> bytes:
        return hmac.digest(self._secret, key.encode() + data, "sha256")

    def _unmarked(self, key: str, data: bytes) -> bytes:
        """The data behind its signature. Raises :class:`Damaged` if this user did not keep it under
        ``key``."""
        mark, rest = data[:_MARK], data[_MARK:]
        if not hmac.compare_digest(mark, self._mark(key, rest)):
            raise Damaged("was not kept here")
        return rest

    # -- the file ---------------------------------------------------------------------------------------

    def __enter__(self) -> Self:
        self._secret = own_secret()
        self._closed = self._file.is_symlink() or not self._secret
        if not self._closed and self._file.is_file():
            self._open()
        return self

    def __exit__(self, *_: object) -> None:
        self._end()

    def _open(self) -> None:
        folder = self._file.parent
        try:
            folder.mkdir(exist_ok=True)
            with suppress(FileExistsError), (folder / ".gitignore").open("x") as file:
                file.write("*\n")
        except OSError:
            self._closed = True
            return
        for again in (False, True):
            try:
                self._base = sqlite3.connect(self._file, isolation_level=None, timeout=1)
                self._base.execute("PRAGMA trusted_schema = OFF")
                self._set_up(self._base)
                return
            except sqlite3.OperationalError:
                self._close()
                return
            except sqlite3.DatabaseError:
                self.throw_away("is damaged, or was not made by this program")
                self._closed = again

    def _set_up(self, base: sqlite3.Connection) -> None:
        made = [sql for (sql,) in base.execute("SELECT sql FROM sqlite_master WHERE sql <> ''")]
        if not made:
            base.execute(_TABLE)
        elif made != [_TABLE]:
            raise sqlite3.DatabaseError
        self._run = int(base.execute("PRAGMA user_version").fetchone()[0])

    def _end(self) -> None:
        base = self._base
        if base is None:
            return
        if not self._put:
            self._close()
            return
        with suppress(sqlite3.Error):
            if not base.in_transaction:
                base.execute("BEGIN IMMEDIATE")
            run = self._run + 1
            base.executemany(
                "UPDATE kept SET run = ? WHERE key = ?", ((run, k) for k in self._used)
            )
            base.execute("DELETE FROM kept WHERE run < ?", (run - _RUNS,))
            base.execute(f"PRAGMA user_version = {run}")
            base.execute("COMMIT")
        self._close()

    def _close(self) -> None:
        if self._base is not None:
            with suppress(sqlite3.Error):
                self._base.close()
        self._base, self._closed = None, True


End = Literal["opening", "end"]


@dataclass(frozen=True, slots=True)
class KeptPositions:
    """The positions at the beginnings and ends of logs, by the logs' SHA-256, as read with a ``module`` and
    its extensions."""

    store: Store
    module: Module

    def get(self, what: End, log: str) -> Position | None:
        """The position at which a log begins or ends; None if it is not kept."""
        data = self.store.get(self._key(what, log))
        if data is None:
            return None
        try:
            found: Position = _POSITIONS.read(data)
        except Damaged:
            self.store.throw_away("is damaged")
            return None
        return found

    def put(self, what: End, log: str, position: Position) -> None:
        """Keep the position at which a log begins or ends."""
        self.store.put(self._key(what, log), _POSITIONS.write(dict(position)))

    def ends_of(
        self, logs: Sequence[GameLog], read: Callable[[GameLog], LogHistory]
    ) -> dict[str, Position]:
        """The final positions of ``logs`` by SHA-256: as kept, else read and then kept."""
        found: dict[str, Position] = {}
        for log in logs:
            position = self.get("end", log.sha256)
            if position is None:
                position = position_of(read(log).end)
                self.put("end", log.sha256, position)
            found[log.sha256] = position
        return found

    def _key(self, what: End, log: str) -> str:
        extensions = sorted(one.sha256 for one in self.module.extensions)
        return key_of(what, log, self.module.sha256, *extensions)


def key_of(*parts: str) -> str:
    """The key of a value that depends on ``parts`` and on this program."""
    return hashlib.sha256(json.dumps([program_digest(), *parts]).encode()).hexdigest()


def _unpacked(data: bytes) -> bytes:
    unpacker = zlib.decompressobj()
    found = unpacker.decompress(data, _LARGEST)
    if not unpacker.eof:
        raise Damaged("is too large, or cut off")
    return found
