"""A folder as an output: written whole, and only if it holds no files of others.

:func:`place_for` and :func:`new_folder` are for any folder; :class:`Folder` is for tables,
:func:`pack_output` for a pack. ``about.json`` in a folder of tables names its files with their digests, and
is sealed. So the folder counts as ours as long as nobody has added, changed or removed anything in it.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .. import __version__
from ..importers.folder_lock import is_left, locked, part_in
from ..importers.pack.load import FILES, PACK_FILE
from ..importers.vassal.atomic import reporting_errors, take_name
from .json_text import document_text
from .output import Output, WouldOverwrite, alone_in, check_folder, descriptor_of, output_to
from .seal import BLANK, is_sealed, sealed

ABOUT = "about.json"
FORMAT = "vassal-umpire tables"
_DROPPED = {".DS_Store", "Thumbs.db", "desktop.ini"}
"""Files that desktops put into every folder they show."""


def place_for(named: Path) -> Path:
    """The path of a folder ``named``, links resolved, if it is a writable folder or can be made. Raises
    :class:`WouldOverwrite` otherwise."""
    if "\0" in str(named):
        raise WouldOverwrite("holds a zero byte", where=str(named), expected="the name of a folder")
    with reporting_errors(named, WouldOverwrite):
        target = Path(os.path.realpath(named))
        if not target.is_dir() and (target.exists() or descriptor_of(named) is not None):
            what = "is a file" if target.is_file() else "is not a folder"
            raise WouldOverwrite(what, where=str(named), expected="the name of a folder")
        if not target.exists() and not target.parent.is_dir():
            raise WouldOverwrite(
                "its folder does not exist", where=str(named), hint="make it first"
            )
        check_folder(target if target.exists() else target.parent, str(named))
        return target


def empty_place(named: Path) -> Path:
    """As :func:`place_for`, for a folder that must be empty."""
    target = place_for(named)
    if target.exists() and any(target.iterdir()):
        raise WouldOverwrite("is not empty", where=str(named), expected="a new folder")
    return target


@contextmanager
def new_folder(target: Path, named: Path) -> Iterator[Path]:
    """A new folder beside ``target``, which takes its name at the end of the block; on any error nothing is
    left of it."""
    with reporting_errors(named), part_in(target.parent) as part:
        part.mkdir()
        yield part
        part.rename(target)


@dataclass(frozen=True, slots=True)
class _Place:
    """A checked destination of a folder. ``files``: by name, the output for each file it may hold; empty if
    the folder does not exist yet."""

    named: Path
    target: Path
    files: Mapping[str, Output]

    def refuse(self, inputs: Iterable[Path]) -> None:
        """As :meth:`.output.Output.refuse`, for each file."""
        kept = tuple(inputs)
        for file in self.files.values():
            file.refuse(kept)


class Folder(_Place):
    """Where a folder of tables goes."""

    __slots__ = ()

    def write(self, fill: Callable[[Path], Iterable[Path]]) -> None:
        """Fill a new folder; the callback returns its files, which take their places once all are there.
        Other files in the folder that this program wrote, and nobody has changed, are deleted."""
        if not self.files:
            with new_folder(self.target, self.named) as part:
                (part / ABOUT).write_bytes(_about(list(fill(part))))
            return
        with reporting_errors(self.named), part_in(self.target) as part:
            part.mkdir()
            written = list(fill(part))
            (part / ABOUT).write_bytes(_about(written))
            with locked(self.target):
                ours = [path for path in _own(self.target) if path.name in self.files]
                for file in (*written, part / ABOUT):  # this last: till then the folder is nobody's
                    place = self.files[file.name]
                    take_name(file, place.target, place.before)
                for path in ours:
                    if path.name not in {file.name for file in written}:
                        path.unlink()


def folder_to(
    named: Path, names: Iterable[str], inputs: Iterable[Path], *, force: bool = False
) -> Folder:
    """The folder ``named``, for files with some of these ``names``. Raises :class:`WouldOverwrite` if it
    holds files that are not ours. With ``force`` files of these names are replaced; others stay even then."""
    kept = tuple(inputs)
    target = place_for(named)
    with reporting_errors(named, WouldOverwrite):
        other = None if force or not target.exists() else _other(target)
    if other is not None:
        raise WouldOverwrite(
            f"is kept: it holds {other}, which umpire did not write, or which was changed since",
            where=str(named),
            hint="name a new folder, or let the tables in it be replaced with --force",
        )
    # The folder as a whole has been looked at: its files only need to be no inputs, and writable.
    there = (*names, ABOUT) if target.exists() else ()
    files = {name: output_to(target / name, kept, force=True) for name in there}
    return Folder(named, target, files)


def _own(folder: Path) -> list[Path]:
    """Our files in ``folder``, except the one that lists them."""
    listed = _listed(folder / ABOUT)
    return [p for p in folder.iterdir() if p.is_file() and listed.get(p.name) == _digest(p)]


def _other(folder: Path) -> str | None:
    """The name of something in ``folder`` that is not ours; None if there is nothing."""
    ours = _own(folder)
    for path in sorted(folder.iterdir()):
        if path.name in _DROPPED or is_left(path.name) or (path.name == ABOUT and _listed(path)):
            continue
        if path not in ours:
            return path.name
    return None


def _listed(about: Path) -> dict[str, str]:
    """The files listed in a sealed ``about.json``, with their digests; empty if it is not ours."""
    if not about.is_file() or not is_sealed(about):
        return {}
    try:
        told: Any = json.loads(about.read_bytes())
        return dict(told["files"])
    except (ValueError, KeyError, TypeError, RecursionError):  # something else that we wrote
        return {}


def _about(files: Iterable[Path]) -> bytes:
    plain = {
        "format": FORMAT,
        "version": 1,
        "generator": f"vassal-umpire {__version__}",
        "files": {file.name: _digest(file) for file in files},
        "seal": BLANK,
    }
    return sealed(document_text(plain).encode())


def _digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


class PackOutput(_Place):
    """Where a pack goes."""

    __slots__ = ()

    def write(self, texts: Mapping[str, str]) -> None:
        """Write the files by name, ``pack.toml`` last: without it the folder is not a pack."""
        self.write_as_they_are(
            {name: f"{text}# {BLANK}\n".encode() for name, text in texts.items()}
        )

    def write_as_they_are(self, files: Mapping[str, bytes]) -> None:
        """As :meth:`write`, but only ``files`` that have a blank are sealed."""
        names = sorted(files, key=lambda name: name == PACK_FILE)
        if self.files:
            with alone_in(self.target):
                for name in names:
                    self.files[name].write(files[name])
            return
        with new_folder(self.target, self.named) as part:
            for name in names:
                (part / name).write_bytes(sealed(files[name]))


def pack_output(named: Path, inputs: Iterable[Path], *, force: bool = False) -> PackOutput:
    """The folder ``named`` for a new pack. Raises :class:`WouldOverwrite` if a pack's file in it is not ours,
    or somebody has changed it since. ``force``: replace those that are written anyway."""
    kept, target = tuple(inputs), place_for(named)
    if not target.exists():
        return PackOutput(named, target, {})
    files = {name: output_to(target / name, kept, force=force) for name in FILES}
    return PackOutput(named, target, files)
