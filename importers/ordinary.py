"""Opening the files that a user names."""

from __future__ import annotations

import os
import stat
from io import BufferedReader
from pathlib import Path

from ..model.problem import Unreadable


def open_ordinary(path: Path) -> BufferedReader:
    """An ordinary file, opened to be read. Raises :class:`Unreadable` for a pipe, a device or ``-``, which
    can be read only once and have no module or pack beside them; ``OSError`` if it cannot be opened."""
    try:
        mode = path.stat().st_mode
    except FileNotFoundError:
        if path != Path("-"):
            raise
        mode = stat.S_IFIFO
    except ValueError:
        raise Unreadable("is not a file name", where=str(path)) from None
    if not stat.S_ISREG(mode) and not stat.S_ISDIR(mode):
        raise Unreadable(
            "is not an ordinary file",
            where=str(path),
            hint="what comes from a pipe or a device: save it first, and name that file",
        )
    return path.open("rb")


def is_there(file: Path) -> bool:
    """Whether an ordinary file is there. Raises :class:`Unreadable` for anything else of that name (a folder,
    a pipe, a broken link), as its intended content would otherwise count as absent."""
    if file.is_file():
        return True
    if os.path.lexists(file):
        expected = "an ordinary file, or nothing of that name"
        raise Unreadable("is not an ordinary file", where=file.name, expected=expected)
    return False
