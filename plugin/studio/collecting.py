"""When Python searches for garbage (objects that only refer to each other) while the studio works.

Where the logs of a large game are open, one search through all objects takes as long as an edit.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager


class Collecting:
    """Keeps searches for garbage out of the way of edits. For one studio at a time."""

    def __init__(self) -> None:
        self._opened = False

    @contextmanager
    def around(self) -> Iterator[None]:
        """Read and judge inside. The first time searches are made as ever; what is there afterwards, the logs
        and all that was read of them, is left out of later ones. After that none is made inside."""
        if not self._opened:
            yield
            self._opened = True
            gc.freeze()
            return
        gc.disable()
        try:
            yield
        finally:
            gc.enable()

    def close(self) -> None:
        """Search through all objects again."""
        if self._opened:
            self._opened = False
            gc.unfreeze()
