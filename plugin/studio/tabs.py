"""Which page of the studio writes: only one at a time; the others read."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

AWAY = 45.0
"""Seconds without a sign of life after which the writing page counts as closed."""


class Tabs:
    """The open pages by name. ``changed`` is called whenever another page becomes the writing one."""

    def __init__(self, lock: threading.RLock, changed: Callable[[], None]) -> None:
        self._lock, self._changed = lock, changed
        self._writer, self._heard = "", 0.0

    def heard(self, tab: str) -> None:
        """Note a sign of life of a page. The first page writes; another may once that one is gone."""
        with self._lock:
            now = time.monotonic()
            if tab and self._writer != tab and (not self._writer or now - self._heard > AWAY):
                self._writer = tab
                self._changed()
            if tab == self._writer:
                self._heard = now

    def others_write(self, tab: str) -> bool:
        """Whether another page writes. Never blocks: the server calls it between requests."""
        return self._writer not in ("", tab)

    def take_over(self, tab: str) -> None:
        """Make this page the writing one."""
        with self._lock:
            self._writer, self._heard = tab, time.monotonic()
            self._changed()

    def leave(self, tab: str) -> None:
        """Note that a page was closed."""
        with self._lock:
            if tab == self._writer:
                self._writer = ""
                self._changed()
