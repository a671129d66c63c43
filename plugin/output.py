"""The one gate for everything that commands write.

A file is replaced only if this program wrote it and nobody has changed it since (:mod:`.seal`), or with
``--force``; an input or a write-protected file is never replaced. A device, a pipe, ``/dev/stdout`` or an
open file by its number is written to and never replaced. Edits of the user's own files go through
:func:`replace_own`, which replaces only what was read.
"""

from __future__ import annotations

import os
import stat
import sys
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

from ..importers.folder_lock import locked
from ..importers.vassal.atomic import (
    ChangedMeanwhile,
    Known,
    known,
    reporting_errors,
    same_file,
    whole_file,
)
from ..model.problem import UmpireError
from .seal import in_zip, is_sealed, seal_file, sealed

STDOUT = Path("-")


class WouldOverwrite(UmpireError):
    """The named output must not be written (exit code 2)."""


class NotWritten(UmpireError):
    """A file cannot be written now, because another program holds it or the disk is full."""


def replace_own(path: Path, read: bytes | None, data: bytes) -> None:
    """Replace a file of the user's own by ``data``, as an editor does. ``read``: the content that was read
    (None: there was no file).

    Raises :class:`ChangedMeanwhile` if the file has another content by now, :class:`WouldOverwrite` if it is
    a link, not an ordinary file, or write-protected, :class:`NotWritten` if it cannot be written now.
    """
    with _own(path, read) as before, whole_file(path, before) as part:
        part.write_bytes(data)


def remove_own(path: Path, read: bytes) -> None:
    """Delete a file of the user's own if it still holds what was ``read``. Raises as :func:`replace_own`."""
    with _own(path, read):
        path.unlink()


@contextmanager
def alone_in(folder: Path) -> Iterator[None]:
    """Keeps other writers of this program out of ``folder`` while several files in it are changed. Raises
    :class:`NotWritten` if the folder cannot be written to, and as :func:`.locked`."""
    with ExitStack() as held:
        with reporting_errors(folder, NotWritten):
            held.enter_context(locked(folder))
        yield


def refuse_link(path: Path) -> None:
    """Raise :class:`WouldOverwrite` if the file is a link."""
    if path.is_symlink():
        raise WouldOverwrite(
            "is a link, and links are not written to",
            where=path.name,
            hint="put the file itself in its place",
        )


def refuse_elsewhere(place: Path, led_to: str) -> None:
    """Raise :class:`WouldOverwrite` if a folder no longer leads where it led when the studio opened it."""
    if os.path.realpath(place) != led_to:
        raise WouldOverwrite(
            "leads elsewhere than when the studio opened it",
            where=str(place),
            expected=f"the folder {led_to}",
            hint="put it back, or open the studio again",
        )


@contextmanager
def _own(path: Path, read: bytes | None) -> Iterator[Known]:
    """A block that changes a file: yields the file's identity once it is known to be replaceable. Other
    writers of this program wait until the block ends; errors in it become clear messages."""
    where = path.name
    try:
        with locked(path.parent):
            refuse_link(path)
            before = known(path)
            if before is not None:
                mode = path.stat().st_mode
                if not stat.S_ISREG(mode):
                    raise WouldOverwrite("is not an ordinary file", where=where)
                if not mode & stat.S_IWUSR or not os.access(path, os.W_OK):
                    raise WouldOverwrite(
                        "is write-protected", where=where, hint="allow that it is written to"
                    )
            if (None if before is None else path.read_bytes()) != read:
                raise ChangedMeanwhile(path)
            yield before
    except PermissionError:
        raise NotWritten(
            "cannot be written: another program holds it, or its folder is write-protected",
            where=where,
            hint="close it there (a spreadsheet program?)",
        ) from None
    except OSError as error:
        what = error.strerror or str(error)
        raise NotWritten(f"cannot be written: {what}", where=where) from None


@dataclass(frozen=True, slots=True)
class Output:
    """A checked destination, as the user ``named`` it.

    ``target``: the path, links resolved. ``before``: what was there. ``descriptor``: the number of an open
    file; None: it is none. ``special``: not an ordinary file.
    """

    named: Path
    target: Path
    before: Known = None
    descriptor: int | None = None
    special: bool = False

    @property
    def is_file(self) -> bool:
        """Whether this makes a file, which is sealed, rather than passing data on."""
        return self.descriptor is None and not self.special

    def write(self, data: bytes) -> None:
        """Write a result, whole or not at all. A file gets its seal in the blank in ``data``."""
        with reporting_errors(self.named):
            self._spare_terminal(data)
            if self.descriptor is not None:
                _pour(data, self.descriptor)
            elif self.special:
                with self.target.open("wb", buffering=0) as stream:
                    _pour(data, stream.fileno())
            else:
                with whole_file(self.target, self.before) as part:
                    part.write_bytes(sealed(data))

    def write_zip(self, data: bytes) -> None:
        """As :meth:`write`, of a zip."""
        self.write(in_zip(data) if self.is_file else data)

    def _spare_terminal(self, data: bytes) -> None:
        """Refuse to write binary data to a terminal."""
        if self.is_file or b"\0" not in data:
            return
        if self.descriptor is not None and os.isatty(self.descriptor):
            raise UmpireError(
                "is a terminal, and the output is not text",
                where=str(self.named),
                hint="name a file",
            )

    @contextmanager
    def part(self) -> Iterator[Path]:
        """A new file to write to by name; it then becomes the output."""
        with reporting_errors(self.named):  # its own file name is that of the part
            if self.is_file:
                with whole_file(self.target, self.before) as part:
                    yield part
                    seal_file(part)
                return
            with tempfile.TemporaryDirectory(prefix="umpire-") as folder:
                part = Path(folder) / "part"
                yield part
                self.write(part.read_bytes())

    def refuse(self, inputs: Iterable[Path]) -> None:
        """Raise :class:`WouldOverwrite` if the output is one of the ``inputs``, which are never written to:
        evidence stays as it is, and nobody means to lose the game he is examining."""
        for path in inputs:
            if self.descriptor is not None:
                same = _open_on(self.descriptor, path)
            else:
                same = same_file(self.target, path)
            if same:
                raise WouldOverwrite(
                    "is an input, and inputs are never written to",
                    where=str(self.named),
                    hint="name another output",
                )


def output_to(named: Path, inputs: Iterable[Path], *, force: bool = False) -> Output:
    """The checked output ``named``. Raises :class:`WouldOverwrite` if it must not be written. ``force``: also
    replace files that this program did not write."""
    try:
        with reporting_errors(named, WouldOverwrite):
            output = _found(named)
            output.refuse(inputs)
            if output.descriptor is None:
                _check(output, force)
    except ValueError:
        raise WouldOverwrite(
            "holds a zero byte", where=str(named), expected="the name of a file"
        ) from None
    return output


def _found(named: Path) -> Output:
    number = 1 if named == STDOUT else descriptor_of(named)
    if number is not None:
        return Output(named, named, descriptor=number)
    target = Path(os.path.realpath(named))
    try:
        before = known(target)
    except NotADirectoryError:
        before = None
    special = before is not None and not stat.S_ISREG(target.stat().st_mode)
    return Output(named, target, before, special=special)


def _check(output: Output, force: bool) -> None:
    target, where = output.target, str(output.named)
    if output.before is None:
        if not target.parent.is_dir():
            raise WouldOverwrite("its folder does not exist", where=where, hint="make it first")
        check_folder(target.parent, where)
        return
    mode = target.stat().st_mode
    if stat.S_ISDIR(mode):
        raise WouldOverwrite("is a folder", where=where, expected="the name of a file")
    if stat.S_ISBLK(mode) and not force:
        raise WouldOverwrite(
            "is a disk", where=where, hint="--force writes to it, over whatever is there"
        )
    if output.special:
        return
    if not mode & stat.S_IWUSR or not os.access(target, os.W_OK):
        raise WouldOverwrite(
            "is write-protected", where=where, hint="make it writable, or name another"
        )
    check_folder(target.parent, where)
    if not force and target.stat().st_size and not is_sealed(target):
        raise WouldOverwrite(
            "is kept: umpire did not write it, or it was changed since",
            where=where,
            hint="name another file, or let it be replaced with --force",
        )


def check_folder(folder: Path, where: str) -> None:
    """Refuse a folder that cannot be written to, before the work rather than after it."""
    if not os.access(folder, os.W_OK | os.X_OK):
        raise WouldOverwrite(
            "cannot be written: nothing may be put into its folder",
            where=where,
            hint="name one in another folder",
        )


def descriptor_of(named: Path) -> int | None:
    """The number of the open file for a path like ``/dev/stdout`` or ``/dev/fd/3``, also through links; None
    if it is none."""
    numbered = {os.path.realpath(f) for f in ("/dev/fd", "/proc/self/fd", "/proc/thread-self/fd")}
    path = os.path.abspath(named)
    for _ in range(40):  # as many links as systems follow
        folder, name = os.path.split(path)
        if name.isascii() and name.isdigit() and os.path.realpath(folder) in numbered:
            return int(name)
        if not os.path.islink(path):
            return None
        path = os.path.join(folder, os.readlink(path))
    return None


def _open_on(descriptor: int, path: Path) -> bool:
    """Whether the open file is the one at ``path``."""
    try:
        return os.path.samestat(os.fstat(descriptor), path.stat())
    except OSError:
        return False


def _pour(data: bytes, descriptor: int) -> None:
    """Write all of ``data`` to an open file."""
    if descriptor == 1:
        binary = getattr(sys.stdout, "buffer", None)
        sys.stdout.flush()
        if binary is not None:  # in its order with what was printed, wherever that goes
            binary.write(data)
            binary.flush()
            return
    left = memoryview(data)
    while left:
        left = left[os.write(descriptor, left) :]


def print_text(pieces: Iterable[str]) -> None:
    """Write ``pieces`` to standard output."""
    for piece in pieces:
        sys.stdout.write(piece)
