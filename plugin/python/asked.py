"""What a caller asked for: files, whose knowledge it is limited to; and what he is told if it fails."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from ...model.problem import UmpireError
from ...model.viewer import EVERYONE, Viewer

FilePath = str | os.PathLike[str]
"""The path of a file or folder."""


def path_of(file: FilePath) -> Path:
    """The path of a file."""
    return Path(file)


def path_if(file: FilePath | None) -> Path | None:
    """The path of a file, if one is named."""
    return None if file is None else path_of(file)


def paths_of(files: FilePath | Iterable[FilePath]) -> tuple[Path, ...]:
    """The paths of files, of which one may be named by itself. Raises :class:`UmpireError` where there is
    none."""
    named = (files,) if isinstance(files, str | os.PathLike) else tuple(files)
    if not named:
        raise UmpireError("no file is named", expected="at least one")
    return tuple(map(path_of, named))


def viewer_of(viewer: str | Viewer | None) -> Viewer:
    """Who looks: the side of this name; None: everyone."""
    if viewer is None:
        return EVERYONE
    return Viewer(viewer) if isinstance(viewer, str) else viewer


@contextmanager
def one_line() -> Iterator[None]:
    """What the operating system refuses becomes an :class:`UmpireError`, as on the command line."""
    try:
        yield
    except OSError as error:
        what = error.strerror or str(error) or type(error).__name__
        raise UmpireError(what, where=str(error.filename or "")) from error
