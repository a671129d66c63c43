"""Files that appear whole or not at all."""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

from ...model.problem import UmpireError


def write_whole(path: Path | str, data: bytes, *, inputs: Iterable[Path | str] = ()) -> None:
    """Write ``data`` to ``path`` in one go: into a new file beside it, which then takes its name.

    Whatever stops the writing, Ctrl-C too, leaves ``path`` as it was and no other file behind.
    ``inputs`` are files that must not be overwritten. Raises :class:`UmpireError` if ``path`` is
    one of them, or cannot be written.
    """
    target = Path(path)
    refuse_inputs(target, inputs)
    part = target.with_name(f".{target.name}.{secrets.token_hex(4)}.part")
    try:
        try:
            with part.open("xb") as stream:
                stream.write(data)
                stream.flush()
                os.fsync(stream.fileno())
            part.replace(target)
        except BaseException:
            with suppress(OSError):
                part.unlink()
            raise
    except OSError as error:
        raise UmpireError(
            f"cannot be written: {error.strerror or error}", where=str(target)
        ) from None


def refuse_inputs(target: Path, inputs: Iterable[Path | str]) -> None:
    """Raise :class:`UmpireError` if ``target`` is one of ``inputs``, by whatever name."""
    for source in inputs:
        if _same_file(target, Path(source)):
            raise UmpireError(
                "the output would overwrite an input",
                where=str(target),
                hint="name another file",
            )


def _same_file(left: Path, right: Path) -> bool:
    try:
        return left.samefile(right)
    except OSError:
        return left.absolute() == right.absolute()
