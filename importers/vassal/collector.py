"""Python's cycle collector, held back while a table is built."""

from __future__ import annotations

import gc
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock

_ROOM = 3_000_000
_AT_LAST = [0]
"""The number of objects after the last search of :func:`collect_if_grown`."""


def collect_if_grown() -> None:
    """Search all objects for garbage if their number has grown by half, and by 3 million, since the last such
    search. A judged game leaves reference cycles that the frequent searches skip; without this, a process
    that judges many games keeps several of them in memory."""
    now, last = sys.getallocatedblocks(), _AT_LAST[0]
    if last and now > last * 3 // 2 + _ROOM:
        gc.collect()
        now = sys.getallocatedblocks()
        _AT_LAST[0] = now
    else:
        _AT_LAST[0] = min(now, last) if last else now


_FROZEN = [False]
"""Whether :func:`freeze` was called last. Asking the collector is slow: it counts all frozen objects."""


def freeze() -> None:
    """Exclude all present objects from every search, until :func:`unfreeze`."""
    _FROZEN[0] = True
    gc.freeze()


def unfreeze() -> None:
    """Include all objects in searches again."""
    _FROZEN[0] = False
    gc.unfreeze()


@contextmanager
def collector_paused() -> Iterator[None]:
    """Pause the cycle collector.

    A replay makes hundreds of thousands of objects that all stay; repeated searches took two fifths of its
    time. Afterwards the new objects count as old, and frequent searches skip them. The next full search
    still frees unused ones.
    """
    was_on = gc.isenabled()
    if was_on:
        collect_if_grown()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            if not _FROZEN[0] and not gc.get_freeze_count():
                gc.freeze()
                gc.unfreeze()  # freeze and unfreeze move all objects to the oldest generation
            gc.enable()


_SELDOM = (50_000, 20, 20)
_LOCK = Lock()
_BEFORE: list[tuple[int, int, int]] = []
"""For each active :func:`collector_seldom`, the thresholds when it began."""


@contextmanager
def collector_seldom() -> Iterator[None]:
    """Search for garbage less often.

    Judging a long game keeps many objects and leaves few cycles; searches took a quarter of its time. The
    memory that may wait to be freed is bounded.
    """
    with _LOCK:
        _BEFORE.append(gc.get_threshold())
        gc.set_threshold(*_SELDOM)
    try:
        yield
    finally:
        with _LOCK:
            before = _BEFORE.pop()
            if not _BEFORE:  # no other thread is inside
                gc.set_threshold(*before)
