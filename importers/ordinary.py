"""Opening the files that a user names."""

from __future__ import annotations

import stat
from pathlib import Path
from typing import BinaryIO

from ..model.problem import Unreadable


def open_ordinary(path: Path) -> BinaryIO:
    """An ordinary file, opened to be read. :class:`Unreadable` if it is a pipe, a device or ``-``: what
    comes from there can be read once only, and has no module or pack beside it. Raises ``OSError`` where
    it cannot be opened."""
    try:
        mode = path.stat().st_mode
    except FileNotFoundError:
        if path != Path("-"):
            raise
        mode = stat.S_IFIFO
    except ValueError:
        raise Unreadable("is no name of a file", where=str(path)) from None
    if not stat.S_ISREG(mode) and not stat.S_ISDIR(mode):
        raise Unreadable(
            "is no ordinary file",
            where=str(path),
            hint="what comes from a pipe or a device: save it first, and name that file",
        )
    return path.open("rb")
