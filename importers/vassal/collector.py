"""Python's cycle collector, held back while a table is built."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock


@contextmanager
def collector_paused() -> Iterator[None]:
    """No search for garbage meanwhile.

    A replay makes hundreds of thousands of objects that all stay: looking through them again and again
    for cycles to free was two fifths of its time. What was made counts as old afterwards, and the frequent
    searches pass it over. Nothing is lost: the next search through all there is finds what is free.
    """
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
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
