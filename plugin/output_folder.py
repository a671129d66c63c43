"""A folder as an output: written whole, and only where nothing of others lies.

:func:`place_for` and :func:`new_folder` are for any folder; :class:`Folder` is one of tables,
:func:`pack_output` a pack's.
``about.json`` in it names its files with their digests, and is sealed. So a folder is known for ours as long
as nobody has added, changed or removed anything in it.
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
from ..importers.vassal.atomic import take_name
from ..model.problem import UmpireError
from .json_text import document_text
from .output import Output, WouldOverwrite, alone_in, check_folder, descriptor_of, output_to
from .seal import BLANK, is_sealed, sealed

ABOUT = "about.json"
FORMAT = "vassal-umpire tables"
_DROPPED = {".DS_Store", "Thumbs.db", "desktop.ini"}
"""What desktops put into every folder they show."""


def place_for(named: Path) -> Path:
    """Where a folder ``named`` leads, links followed, if files can be put there: it is there already, or can
    be made. Else :class:`WouldOverwrite`."""
    if "\0" in str(named):
        raise WouldOverwrite("holds a zero byte", where=str(named), expected="the name of a folder")
    with _told(named, WouldOverwrite):
        target = Path(os.path.realpath(named))
        if not target.is_dir() and (target.exists() or descriptor_of(named) is not None):
            what = "is a file" if target.is_file() else "is no folder"
            raise WouldOverwrite(what, where=str(named), expected="the name of a folder")
        if not target.exists() and not target.parent.is_dir():
            raise WouldOverwrite(
                "its folder does not exist", where=str(named), hint="make it first"
            )
        check_folder(target if target.exists() else target.parent, str(named))
        return target


def empty_place(named: Path) -> Path:
    """As :func:`place_for`, for a folder in which nothing lies yet."""
    target = place_for(named)
    if target.exists() and any(target.iterdir()):
        raise WouldOverwrite("is not empty", where=str(named), expected="a new folder")
    return target


@contextmanager
def new_folder(target: Path, named: Path) -> Iterator[Path]:
    """A new folder beside ``target`` to put files into, which takes that name in the end; nothing is left of
    it if anything goes wrong."""
    with _told(named, UmpireError), part_in(target.parent) as part:
        part.mkdir()
        yield part
        part.rename(target)


@contextmanager
def _told(named: Path, kind: type[UmpireError]) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        what = error.strerror or str(error)
        raise kind(f"cannot be written: {what}", where=str(named)) from None


@dataclass(frozen=True, slots=True)
class _Place:
    """Where a folder goes, once that has been found fit to be written. ``files``: the output that each file
    it may hold is, by name; none if the folder is not there yet."""

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
        """Have a new folder filled, which answers its files; they take their places when all are there.
        Others of its files that this program wrote, and nobody has changed, go."""
        if not self.files:
            with new_folder(self.target, self.named) as part:
                (part / ABOUT).write_bytes(_about(list(fill(part))))
            return
        with _told(self.named, UmpireError), part_in(self.target) as part:
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
    """The folder ``named``, for files with some of these ``names``; :class:`WouldOverwrite` if it holds
    anything that is not ours. With ``force`` files of these names are replaced; others stay even then."""
    kept = tuple(inputs)
    target = place_for(named)
    with _told(named, WouldOverwrite):
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
    """The files in ``folder`` that are ours, but for the one that names them."""
    listed = _listed(folder / ABOUT)
    return [p for p in folder.iterdir() if p.is_file() and listed.get(p.name) == _digest(p)]


def _other(folder: Path) -> str | None:
    """The name of something in ``folder`` that is not ours; None: there is nothing."""
    ours = _own(folder)
    for path in sorted(folder.iterdir()):
        if path.name in _DROPPED or is_left(path.name) or (path.name == ABOUT and _listed(path)):
            continue
        if path not in ours:
            return path.name
    return None


def _listed(about: Path) -> dict[str, str]:
    """The files that a sealed ``about.json`` names, with their digests; none if it is not ours."""
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
        """Write the files by name, ``pack.toml`` last: without it the folder is no pack."""
        self.write_as_they_are(
            {name: f"{text}# {BLANK}\n".encode() for name, text in texts.items()}
        )

    def write_as_they_are(self, files: Mapping[str, bytes]) -> None:
        """As :meth:`write`, with nothing added: only where ``files`` have a blank they get their seal."""
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
    """The folder ``named`` for a new pack; :class:`WouldOverwrite` if a file of a pack lies in it that is
    not ours, or that somebody has worked on since. ``force``: those that are written anew are replaced all
    the same."""
    kept, target = tuple(inputs), place_for(named)
    if not target.exists():
        return PackOutput(named, target, {})
    files = {name: output_to(target / name, kept, force=force) for name in FILES}
    return PackOutput(named, target, files)
