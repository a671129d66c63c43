"""Arguments of the Python interface (files, viewer), and errors in the words of Python."""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from ...model.problem import Problem, UmpireError
from ...model.viewer import EVERYONE, Viewer
from ..options import limit_fields, limits_named

FilePath = str | os.PathLike[str]
"""The path of a file or folder."""


def path_of(file: FilePath) -> Path:
    """The path of a file."""
    return Path(file)


def path_if(file: FilePath | None) -> Path | None:
    """The path of a file; None if none is named."""
    return None if file is None else path_of(file)


def paths_of(files: FilePath | Iterable[FilePath]) -> tuple[Path, ...]:
    """The paths of files; a single one may be passed by itself. Raises :class:`UmpireError` if there is
    none."""
    named = (files,) if isinstance(files, str | os.PathLike) else tuple(files)
    if not named:
        raise UmpireError("no file is named", expected="at least one")
    return tuple(map(path_of, named))


def viewer_of(viewer: str | Viewer | None) -> Viewer:
    """The viewer: the side with this name; None: everyone."""
    if viewer is None:
        return EVERYONE
    return Viewer(viewer) if isinstance(viewer, str) else viewer


@contextmanager
def one_line() -> Iterator[None]:
    """A block whose errors are one line, in the words of Python: errors of the operating system become
    :class:`UmpireError`, as on the command line, and arguments stand for options."""
    try:
        yield
    except UmpireError as error:
        told = {part: in_python(getattr(error, part)) for part in ("expected", "hint")}
        UmpireError.__init__(error, in_python(error.what), where=error.where, **told)
        raise
    except OSError as error:
        what = error.strerror or str(error) or type(error).__name__
        raise UmpireError(what, where=str(error.filename or "")) from error


def in_python(text: str) -> str:
    """A line that names options of the command line (``--pack packs/mine``), with the same arguments in
    Python (``pack="packs/mine"``)."""
    for option, argument in _ARGUMENTS:
        text = option.sub(argument, text)
    fields = [name for flag in limits_named(text) for name in limit_fields(flag)]
    told = f" (in limits: {', '.join(fields)})"
    return f"{text}{told}" if fields and not text.endswith(told) else text


def problems_in_python(problems: Iterable[Problem]) -> tuple[Problem, ...]:
    """Problems with messages in the words of Python."""
    return tuple(replace(one, message=in_python(one.message)) for one in problems)


_ARGUMENTS = (
    (
        re.compile(r"(?<=: )--(module|pack) (.+?)(?=; |$)"),
        lambda told: f"{told[1]}={_path(told[2])!r}",
    ),
    (re.compile(r"'umpire pack new' begins one \((.+?)\)"), r"\1 says how to begin one"),
    (re.compile(r"--(module|pack|facts|ruleset)\b"), r"\1="),
    (re.compile(r"--force\b"), "force=True"),
    (re.compile(r"--director\b"), "viewer=DIRECTOR"),
    (re.compile(r"--as\b"), "viewer="),
)


def _path(word: str) -> str:
    """A path, unquoted if it was quoted for a shell."""
    return "".join(shlex.split(word))
