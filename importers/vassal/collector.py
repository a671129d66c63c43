"""Python's cycle collector, held back while a table is built."""

from __future__ import annotations

import gc
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock

_ROOM = 3_000_000
_AT_LAST = [0]
"""How many objects there were after the last search of :func:`collect_if_grown`."""


def collect_if_grown() -> None:
    """Search all objects for garbage if there are half as many again, and 3 million more, as after the last
    such search. A game that was judged leaves rings that the frequent searches pass over; without this, a
    process that judges one game after another holds several of them."""
    now, last = sys.getallocatedblocks(), _AT_LAST[0]
    if last and now > last * 3 // 2 + _ROOM:
        gc.collect()
        now = sys.getallocatedblocks()
        _AT_LAST[0] = now
    else:
        _AT_LAST[0] = min(now, last) if last else now


_FROZEN = [False]
"""Whether :func:`freeze` was called last. To ask the collector takes long: it counts all that is frozen."""


def freeze() -> None:
    """Leave all objects there are out of every search, until :func:`unfreeze`."""
    _FROZEN[0] = True
    gc.freeze()


def unfreeze() -> None:
    """Search through all objects again."""
    _FROZEN[0] = False
    gc.unfreeze()


@contextmanager
def collector_paused() -> Iterator[None]:
    """No search for garbage meanwhile.

    A replay makes hundreds of thousands of objects that all stay: looking through them again and again
    for cycles to free was two fifths of its time. What was made counts as old afterwards, and the frequent
    searches pass it over. Nothing is lost: the next search through all there is finds what is free.
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
                gc.unfreeze()  # both together: everything is now of the oldest generation
            gc.enable()


_SELDOM = (50_000, 20, 20)
_LOCK = Lock()
_BEFORE: list[tuple[int, int, int]] = []
"""For each that is at it, how often was searched when it began."""


@contextmanager
def collector_seldom() -> Iterator[None]:
    """Fewer searches for garbage meanwhile.

    Judging a long game keeps much and leaves few cycles: looking through what is kept was a quarter of its
    time. What may wait to be freed is bounded.
    """
    with _LOCK:
        _BEFORE.append(gc.get_threshold())
        gc.set_threshold(*_SELDOM)
    try:
        yield
    finally:
        with _LOCK:
            before = _BEFORE.pop()
            if not _BEFORE:  # no other thread is at it
                gc.set_threshold(*before)
