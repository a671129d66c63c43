"""Which page of the studio writes: one at a time, and the others read."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

AWAY = 45.0
"""Seconds without a sign of life after which the page that writes is taken for closed."""


class Tabs:
    """The pages that are open, each by a name of its own. ``changed`` is called whenever another one
    writes."""

    def __init__(self, lock: threading.RLock, changed: Callable[[], None]) -> None:
        self._lock, self._changed = lock, changed
        self._writer, self._heard = "", 0.0

    def heard(self, tab: str) -> None:
        """A page gave a sign of life. The first one writes; another may once that one is gone."""
        with self._lock:
            now = time.monotonic()
            if tab and self._writer != tab and (not self._writer or now - self._heard > AWAY):
                self._writer = tab
                self._changed()
            if tab == self._writer:
                self._heard = now

    def is_reader(self, tab: str) -> bool:
        """Whether this page may only read. Waits for nobody: the server asks between two requests."""
        return self._writer != tab

    def others_write(self, tab: str) -> bool:
        """Whether there is a page that writes, and it is another one."""
        return self._writer not in ("", tab)

    def take_over(self, tab: str) -> None:
        """This page writes from now on."""
        with self._lock:
            self._writer, self._heard = tab, time.monotonic()
            self._changed()

    def leave(self, tab: str) -> None:
        """A page was closed."""
        with self._lock:
            if tab == self._writer:
                self._writer = ""
                self._changed()
