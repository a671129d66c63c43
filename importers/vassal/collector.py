"""Python's cycle collector, held back while much is made that stays.

What is read and judged leaves no reference cycles, so nothing waits for the collector.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager

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
    time. Afterwards the new objects count as old, and frequent searches skip them.
    """
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            if not _FROZEN[0] and not gc.get_freeze_count():
                gc.freeze()
                gc.unfreeze()  # freeze and unfreeze move all objects to the oldest generation
            gc.enable()
