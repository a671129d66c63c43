"""Files that appear whole or not at all."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from ...model.problem import UmpireError
from ..folder_lock import locked, part_in

Known = tuple[int, int, int, int] | None
"""Identity of a file and its content; it differs after a change. None: there is no file."""


def known(path: Path) -> Known:
    """Identity of the file at ``path`` now. Raises ``OSError`` if it cannot be read."""
    try:
        found = path.stat()
    except FileNotFoundError:
        return None
    return found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns


class ChangedMeanwhile(UmpireError):
    """A file appeared or was changed while its replacement was being written (exit code 2)."""

    def __init__(self, where: Path) -> None:
        super().__init__(
            "is kept: somebody else wrote it while this command ran",
            where=str(where),
            hint="look at it, then run the command again",
        )


@contextmanager
def whole_file(target: Path, before: Known) -> Iterator[Path]:
    """A new empty file beside ``target`` to write to. At the end it replaces ``target`` and takes over its
    permissions.

    If writing stops (Ctrl-C, a full disk), ``target`` is unchanged and no other file remains. ``before`` is
    the identity of ``target`` when the caller decided to replace it. Raises :class:`ChangedMeanwhile` if it
    has changed since, ``OSError`` if it cannot be written.
    """
    with part_in(target.parent) as part:
        part.open("xb").close()
        if before is not None:
            _like(part, target)
        yield part
        with part.open("rb+") as stream:
            os.fsync(stream.fileno())
        take_name(part, target, before)


def _like(part: Path, target: Path) -> None:
    """Copy owner and permissions of ``target``, as far as the system allows."""
    with suppress(OSError):
        old = target.stat()
        if hasattr(os, "chown"):
            with suppress(OSError):
                os.chown(part, old.st_uid, old.st_gid)
        part.chmod(stat.S_IMODE(old.st_mode) & 0o777 | stat.S_IWUSR)


def take_name(part: Path, target: Path, before: Known) -> None:
    """Replace ``target`` with ``part`` if it is unchanged since ``before``; see :func:`whole_file`."""
    with locked(target.parent):
        if before is not None:
            if known(target) not in (before, None):
                raise ChangedMeanwhile(target)
            part.replace(target)
            return
        try:
            if os.name == "nt":
                part.rename(target)  # here it replaces nothing
            else:
                os.link(part, target)  # nor does this, as a new name would
        except FileExistsError:
            raise ChangedMeanwhile(target) from None
        except (
            OSError,
            AttributeError,
        ):  # no hard links, or no os.link (Pyodide)
            if os.path.lexists(target):
                raise ChangedMeanwhile(target) from None
            part.rename(target)


@contextmanager
def reporting_errors(where: object, kind: type[UmpireError] = UmpireError) -> Iterator[None]:
    """Turns an ``OSError`` of the block into one of a ``kind`` that says why ``where`` cannot be written. A
    broken pipe passes: whoever read it has had enough."""
    try:
        yield
    except BrokenPipeError:
        raise
    except OSError as error:
        what = error.strerror or error
        raise kind(f"cannot be written: {what}", where=str(where)) from None


def write_whole(path: Path | str, data: bytes, *, inputs: Iterable[Path | str] = ()) -> None:
    """Write ``data`` to ``path`` whole or not at all (see :func:`whole_file`); an older file is replaced.

    ``inputs`` are files that must not be overwritten. Raises :class:`UmpireError` if ``path`` is
    one of them, or cannot be written.
    """
    target = Path(path)
    refuse_inputs(target, inputs)
    with reporting_errors(target), whole_file(target, known(target)) as part:
        part.write_bytes(data)


def refuse_inputs(target: Path, inputs: Iterable[Path | str]) -> None:
    """Raise :class:`UmpireError` if ``target`` is one of ``inputs``, by whatever name."""
    for source in inputs:
        if same_file(target, Path(source)):
            raise UmpireError(
                "the output would overwrite an input",
                where=str(target),
                hint="name another file",
            )


def same_file(left: Path, right: Path) -> bool:
    """Whether both lead to one file, by whatever names."""
    try:
        return left.samefile(right)
    except (OSError, ValueError):
        return left.absolute() == right.absolute()
