"""Locks that allow one writer at a time in a folder and leave nothing unfinished in it.

Every file and folder that this program makes begins as a *part*: a hidden folder beside its place, locked as
long as its writer lives. A lock on the folder keeps two writers from changing files in it at once. The system
releases both locks when a process ends, even if it is killed.
"""

from __future__ import annotations

import os
import re
import secrets
import shutil
import sys
from collections.abc import Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager, nullcontext, suppress
from pathlib import Path

from ..model.problem import UmpireError

LOCK = ".umpire.lock"
WAIT = 10.0
"""How long a writer waits for another one, in seconds."""
_POLL = 0.005
_PART = re.compile(r"\.umpire-[0-9a-f]{12}\.part")
_HELD = "held"
"""File name of the lock in a part."""
_MADE = "made"


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Keeps other writers of this program out of ``folder``. The thread that has the lock may take it again.
    In a browser it does nothing, as each page has its own files.

    Raises :class:`UmpireError` if another writer does not end within :data:`WAIT` seconds, ``OSError`` if
    the folder cannot be written.
    """
    if sys.platform == "emscripten":
        yield
        return
    from filelock import FileLock, Timeout  # imported here, as it loads asyncio

    folder.stat()  # the library would create a missing folder
    file = Path(os.path.realpath(folder), LOCK)
    lock = FileLock(file, timeout=WAIT, poll_interval=_POLL, is_singleton=True)
    try:
        lock.acquire()
    except Timeout:
        raise UmpireError(
            f"is kept: another umpire command has been writing in its folder for {WAIT:.0f} seconds",
            where=str(folder),
            hint="run the command again once that one has ended",
        ) from None
    try:
        yield
    finally:
        if lock.lock_counter == 1:
            with suppress(OSError):  # Windows removes it on release
                file.unlink()
        lock.release()


def is_left(name: str) -> bool:
    """Whether a name is that of a lock or a part, not of a user's file."""
    return name == LOCK or _PART.fullmatch(name) is not None


@contextmanager
def part_in(folder: Path) -> Iterator[Path]:
    """A name in ``folder`` for a file or folder that is being made; the caller moves it to its place. If
    something still has that name at the end, it is removed. Parts of killed writers are removed first.

    Raises as :func:`locked`.
    """
    with ExitStack() as held:
        with locked(folder):
            _sweep(folder)
            part = folder / f".umpire-{secrets.token_hex(6)}.part"
            part.mkdir(0o700)
            held.callback(shutil.rmtree, part, ignore_errors=True)
            held.enter_context(_holding(part))
        yield part / _MADE


def _holding(part: Path) -> AbstractContextManager[object]:
    """Holds a part. Raises ``OSError`` if its writer still does."""
    if sys.platform == "emscripten":
        return nullcontext()
    from filelock import FileLock

    return FileLock(part / _HELD, timeout=0)


def _sweep(folder: Path) -> None:
    """Remove the unlocked parts in ``folder``, and the plain files that older versions used. The caller holds
    the folder's lock."""
    for name in os.listdir(folder):
        part = folder / name
        if not _PART.fullmatch(name) or part.is_symlink():
            continue
        with suppress(OSError):  # its writer lives, or it is another user's
            if part.is_file():
                part.unlink()
                continue
            with _holding(part):
                pass
            shutil.rmtree(part)
