"""A limit on the time that a thread may take, on every system and in every thread."""

from __future__ import annotations

import ctypes
import threading
from types import TracebackType

SOON = 10_000
"""Turns of a loop within which Python raises what waits to be raised in its thread."""


class TimeUp(BaseException):
    """The time is up. No :class:`Exception`, so that nothing on the way takes it for its own."""


class TimeLimit:
    """Raises :class:`TimeUp` in the thread that entered it after so many ``seconds``; None: never.

    It is raised between two steps of Python: one long call into a library ends first. Once the block is left,
    it is raised no more.
    """

    def __init__(self, seconds: float | None) -> None:
        self._lock, self._over, self._late = threading.Lock(), False, False
        self._thread = ctypes.c_ulong(threading.get_ident())
        self._timer = None if seconds is None else threading.Timer(seconds, self._end)

    def __enter__(self) -> None:
        if self._timer is not None:
            self._timer.daemon = True
            self._timer.start()

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        at: TracebackType | None,
    ) -> None:
        if self._timer is None:
            return
        self._timer.cancel()
        with self._lock:
            self._over = True
        if self._late and kind is not TimeUp:
            for _ in range(SOON):
                pass  # it is raised here

    def _end(self) -> None:
        with self._lock:
            if not self._over:
                self._late = True
                raise_in = ctypes.pythonapi.PyThreadState_SetAsyncExc
                raise_in(self._thread, ctypes.py_object(TimeUp))
