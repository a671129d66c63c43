"""What was read of logs, kept beside a game: where everything lies at their beginnings and ends.

A file holds the key that it is kept under, which names all that it was read from, and a digest of itself: one
that was damaged, changed, or comes from another game is passed over and made again. Nothing that is judged is
kept.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ... import __version__
from ...importers.vassal.module import Module
from ...model.problem import UmpireError
from ...model.table import Spot
from ..output import output_to
from ..seal import BLANK, is_sealed
from .position import Lying, Position

FOLDER = ".umpire"
"""The folder beside ``game.toml``. It may be deleted at any time."""

_FORM = 3
"""Counts the forms that these files have had, and the ways in which a position was read."""
_LARGEST = 64 * 1024 * 1024
_OURS = re.compile(r"[0-9a-f]{24}\.json")


@dataclass(frozen=True, slots=True)
class Kept:
    """The positions kept in a game's folder ``root``, as they are read with a module and its extensions by
    this version of the program."""

    root: Path
    module: Module

    def end(self, log: str) -> Position | None:
        """The position that the log of this SHA-256 ends with; None: it is not kept, or not by us."""
        return self._read(self._key(log, "end"))

    def opening(self, log: str) -> Position | None:
        """The position that it begins with; None as above."""
        return self._read(self._key(log, "opening"))

    def keep_end(self, log: str, position: Position) -> None:
        """Keep a final position. Where it cannot be written it is read anew next time."""
        self._write(self._key(log, "end"), position)

    def keep_opening(self, log: str, position: Position) -> None:
        """Keep a position that a log begins with."""
        self._write(self._key(log, "opening"), position)

    def tidy(self, logs: Iterable[str]) -> None:
        """Take away what is kept of other logs than these, or was read with other files, or otherwise."""
        wanted = {self._file(self._key(log, what)).name for log in logs for what in _WHAT}
        with suppress(OSError):
            for file in sorted(self._folder.iterdir()):
                if _OURS.fullmatch(file.name) and file.name not in wanted and is_sealed(file):
                    file.unlink()

    @property
    def _folder(self) -> Path:
        return self.root / FOLDER

    def _key(self, log: str, what: str) -> list[str]:
        """All that a position depends on."""
        extensions = sorted(one.sha256 for one in self.module.extensions)
        return [f"{__version__} {_FORM}", what, log, self.module.sha256, *extensions]

    def _file(self, key: list[str]) -> Path:
        return self._folder / f"{hashlib.sha256(json.dumps(key).encode()).hexdigest()[:24]}.json"

    def _read(self, key: list[str]) -> Position | None:
        file = self._file(key)
        try:
            if not file.is_file() or file.stat().st_size > _LARGEST or not is_sealed(file):
                return None
            plain = json.loads(file.read_bytes())
            return _position(plain["pieces"]) if plain["key"] == key else None
        except _UNREADABLE:
            return None

    def _write(self, key: list[str], position: Position) -> None:
        plain = {
            "seal": BLANK,
            "key": key,
            "pieces": {
                name: [
                    one.spot.map,
                    one.spot.x,
                    one.spot.y,
                    one.state,
                    one.name,
                    one.location,
                    one.masked,
                ]
                for name, one in position.items()
            },
        }
        data = json.dumps(plain).encode()
        if len(data) > _LARGEST:
            return
        with suppress(OSError, UmpireError):
            self._folder.mkdir(exist_ok=True)
            with suppress(FileExistsError), (self._folder / ".gitignore").open("x") as file:
                file.write("*\n")
            output_to(self._file(key), ()).write(data)


_WHAT = ("end", "opening")
_UNREADABLE = (
    OSError, ValueError, KeyError, TypeError, AttributeError, ArithmeticError, RecursionError,
)  # fmt: skip


def _position(plain: Any) -> Position:
    return {
        str(name): Lying(
            Spot(None if where is None else str(where), int(x), int(y)),
            str(state),
            None if called is None else str(called),
            str(location),
            bool(masked),
        )
        for name, (where, x, y, state, called, location, masked) in plain.items()
    }
