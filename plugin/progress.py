"""Progress on a terminal, or for a listener; nothing in a pipe."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from .reading import Told, silent

LISTENER: ContextVar[Told | None] = ContextVar("LISTENER", default=None)
"""Gets the progress in place of a terminal: the page in the browser; None: nobody."""


@contextmanager
def progress() -> Iterator[Told]:
    """A progress callback: ``LISTENER``, else one that draws on stderr and cleans up at the end."""
    listener = LISTENER.get()
    if listener is not None or not sys.stderr.isatty():
        yield listener or silent
        return
    from rich.console import Console  # takes long to load, and in a pipe nobody needs it
    from rich.progress import BarColumn, Progress, TaskID, TextColumn, TimeElapsedColumn

    columns = (TextColumn("{task.description}"), BarColumn(), TimeElapsedColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as drawn:
        tasks: dict[str, TaskID] = {}

        def told(what: str, done: int, of: int) -> None:
            if what not in tasks:
                tasks[what] = drawn.add_task(what, total=of or None)
            drawn.update(tasks[what], completed=done, total=of or None)

        yield told
