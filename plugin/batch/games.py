"""Find the games of a batch: in a folder, by a glob, or in a list of files."""

from __future__ import annotations

import glob
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from ...importers.game_folder.folder import as_utf8, is_game_folder
from ...importers.ordinary import open_ordinary
from ...model.names import natural_order
from ...model.problem import UmpireError

LOGS = (".vlog", ".log")
SUFFIXES = frozenset({".vlog", ".vsav", ".log", ".sav"})
"""Name patterns of logs and saves, also those of old versions of VASSAL."""
DOCUMENT = ".json"
"""Name pattern of an analysis document: taken if named, but not found in folders."""

_LONGEST_LINE = 32_768
_MAGIC = frozenset("*?[")


@dataclass(frozen=True, slots=True)
class Found:
    """A game: its ``name`` in the tables (a path with slashes); the ``path`` of its log, save or analysis
    document, of a folder with ``game.toml``, or of a folder whose logs are one game. ``trouble``: why it
    cannot be read; "": it can."""

    name: str
    path: Path
    trouble: str = ""


def games(named: Sequence[str], out: Path, *, whole: bool = False) -> Iterator[Found]:
    """The games ``named``: one folder, one glob, one list, or several files. ``whole``: the logs in one
    folder are one game. Files in the folder ``out`` are skipped. Raises :class:`UmpireError` if nothing is
    found."""
    inside = _Inside(out, whole)
    if len(named) > 1:
        yield from _files([Path(name) for name in named], inside)
        return
    (name,) = named
    path = Path(name)
    if "\0" in name:
        raise UmpireError("holds a zero byte", where=name, expected="the name of a folder or file")
    if path.is_dir():
        if is_game_folder(path):
            yield Found(text(path.absolute().name), path)
        else:
            yield from _folder(path, inside)
    elif path.is_file():
        kind = path.suffix.lower()
        if kind in SUFFIXES or kind == DOCUMENT:
            yield Found(text(path.name), path)
        else:
            yield from _listed(path, inside)
    elif _MAGIC & set(name):
        yield from _globbed(name, inside)
    else:
        raise UmpireError(
            "is not there", where=name, expected="a folder, a glob in quotes, or a list of files"
        )


def text(name: str) -> str:
    """A file's name as text; bytes that are not text are spelt out."""
    return name.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")


def logs_in(folder: Path) -> tuple[Path, ...]:
    """The logs directly in a folder, by name: ``turn-2`` before ``turn-10``."""
    found = (path for path in folder.iterdir() if path.suffix.lower() in LOGS)
    return tuple(sorted(found, key=lambda path: natural_order(path.name)))


class _Inside:
    """Whether a file lies in a folder, whatever names lead there; and what is a game: with ``whole`` also a
    folder of logs."""

    def __init__(self, folder: Path, whole: bool) -> None:
        self._folder = os.path.realpath(folder)
        self._real = lru_cache(1024)(os.path.realpath)
        self.whole = whole

    def is_game(self, path: Path) -> bool:
        if not path.is_dir():
            return path.is_file()
        return is_game_folder(path) or (self.whole and bool(logs_in(path)))

    def trouble(self, path: Path) -> str:
        """Why the named file is not a game; "": it is one."""
        if self.is_game(path):
            return ""
        if not path.is_dir():
            return "is not there"
        return "is a folder without logs" if self.whole else "is a folder without game.toml"

    def __call__(self, path: Path) -> bool:
        return self.folder(path.parent)

    def folder(self, path: Path | str) -> bool:
        real: str = self._real(os.fspath(path))
        return real == self._folder or real.startswith(self._folder + os.sep)


def _folder(root: Path, inside: _Inside) -> Iterator[Found]:
    """The logs and saves in a folder and below, by name. A folder with ``game.toml`` is one game; so are the
    logs of a folder, if each folder is one game. Folders that begin with a dot are skipped."""
    failed: list[OSError] = []
    for place, folders, files in os.walk(root, onerror=failed.append):
        while failed:
            yield _unread(failed.pop(), root)
        if inside.folder(place):
            folders.clear()
            continue
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        whole = [name for name in folders if is_game_folder(os.path.join(place, name))]
        folders[:] = [name for name in folders if name not in whole]
        logs = [name for name in files if os.path.splitext(name)[1].lower() in SUFFIXES]
        if inside.whole and logs_in(Path(place)):
            name = Path(place).relative_to(root).as_posix()
            yield Found(text(root.absolute().name if name == "." else name), Path(place))
            logs = []
        for name in sorted((*logs, *whole)):
            path = Path(place, name)
            if not inside.folder(path):
                yield Found(text(path.relative_to(root).as_posix()), path)
    while failed:
        yield _unread(failed.pop(), root)


def _unread(error: OSError, root: Path) -> Found:
    path = Path(os.fsdecode(error.filename)) if error.filename else root
    name = path.relative_to(root).as_posix() if path.is_relative_to(root) else path.name
    return Found(text(name), path, f"cannot be looked through: {error.strerror or error}")


def _globbed(pattern: str, inside: _Inside) -> Iterator[Found]:
    """The files that match a glob (``**`` matches folders below), named relative to the first folder with a
    wildcard."""
    parts = Path(pattern).parts
    fixed = next(number for number, part in enumerate(parts) if _MAGIC & set(part))
    root = Path(*parts[:fixed])
    seen = False
    for name in glob.iglob(pattern, recursive=True):
        path = Path(name)
        if not inside.is_game(path) or inside(path):
            continue
        seen = True
        yield Found(text(path.relative_to(root).as_posix()), path)
    if not seen:
        raise UmpireError("finds no file", where=pattern, expected="logs or saves of VASSAL")


def _files(paths: list[Path], inside: _Inside) -> Iterator[Found]:
    """Files named one by one, with names relative to their common folder."""
    try:
        root = os.path.commonpath([path.absolute().parent for path in paths])
    except ValueError:
        raise UmpireError(
            "the files lie on different drives",
            hint="name them in a list, or run one batch for each drive",
        ) from None
    seen: set[str] = set()
    for path in paths:
        name = text(Path(os.path.relpath(path.absolute(), root)).as_posix())
        if name in seen or inside(path):
            continue
        seen.add(name)
        yield Found(name, path, inside.trouble(path))


def _listed(path: Path, inside: _Inside) -> Iterator[Found]:
    """The files in a list, one a line, relative to the list's folder; ``#`` begins a comment."""
    seen: set[str] = set()
    with open_ordinary(path) as file:
        number = 0
        while line := file.readline(_LONGEST_LINE):
            number += 1
            if b"\0" in line or (len(line) == _LONGEST_LINE and not line.endswith(b"\n")):
                raise UmpireError(
                    "is not a list of files",
                    where=f"{path.name} line {number}",
                    expected="the path of a log, a save or a game's folder on each line",
                )
            try:
                told = as_utf8(line.removeprefix(b"\xef\xbb\xbf")).decode("utf-8").strip()
            except UnicodeDecodeError:
                raise UmpireError(
                    "is not text", where=f"{path.name} line {number}", expected="UTF-8 or cp1252"
                ) from None
            if not told or told.startswith("#"):
                continue
            target = path.parent / told
            if "\\" in told and not target.exists():
                target = path.parent / told.replace("\\", "/")
            name = told.replace("\\", "/")
            if name in seen or inside(target):
                continue
            seen.add(name)
            yield Found(name, target, inside.trouble(target))
