"""Writing results: whole files or none, never over an input."""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from ..importers.pack.load import PACK_FILE
from ..model.problem import UmpireError

STDOUT = Path("-")
PACK_FILES = (PACK_FILE, "hexes.csv", "lines.csv", "units.csv")


class WouldOverwrite(UmpireError):
    """An output was named that is also an input (exit code 2)."""


_SAVED = (b"PK\x03\x04", b"!VCSK", b"VOBS")
"""How modules, saves and logs begin."""


def check_output(output: Path, inputs: Iterable[Path]) -> None:
    """Refuse an output that is one of the inputs, or a folder, or in no folder; or that is an older
    file which no command of ours wrote: a device, a file of VASSAL (the module may have been found
    beside the log and not named), a file of a pack."""
    if output == STDOUT:
        return
    if output.is_dir():
        raise WouldOverwrite("is a folder", where=str(output), expected="the name of a file")
    if not output.absolute().parent.is_dir():
        raise WouldOverwrite("its folder does not exist", where=str(output), hint="make it first")
    for path in inputs:
        same = output.resolve() == path.resolve()
        if not same and output.exists() and path.exists():
            same = output.samefile(path)
        if same:
            raise WouldOverwrite(
                "is an input, and inputs are never written to",
                where=str(output),
                hint="name another output",
            )
    _check_older(output)


def _check_older(output: Path) -> None:
    if not output.exists():
        return
    if not output.is_file():
        raise WouldOverwrite("is no ordinary file", where=str(output), hint="- is standard output")
    of_pack = output.resolve().name in PACK_FILES and output.resolve().with_name(PACK_FILE).exists()
    with output.open("rb") as file:
        of_vassal = file.read(5).startswith(_SAVED)
    if of_pack or of_vassal:
        what = "a file of an audit pack" if of_pack else "a module, save or log"
        raise WouldOverwrite(
            f"is {what}, which is never written over", where=str(output), hint="name another output"
        )


@contextmanager
def whole_file(output: Path) -> Iterator[Path]:
    """A new file beside ``output`` to write to; it takes that name only if all went well.

    Interrupted or failed, nothing is left, and an older ``output`` stays as it was.
    """
    output = output.resolve()  # of a link, what it leads to
    handle, name = tempfile.mkstemp(prefix=".umpire-", suffix=".part", dir=output.absolute().parent)
    os.close(handle)
    part = Path(name)
    try:
        yield part
        part.chmod(0o666 & ~_umask())
        part.replace(output)
    except BaseException:
        part.unlink(missing_ok=True)
        raise


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


def write_text(output: Path | None, pieces: Iterable[str]) -> None:
    """Write ``pieces`` as UTF-8 to ``output`` (whole or not at all), or to stdout (None or ``-``).

    Raises :class:`UmpireError` if ``output`` cannot be written.
    """
    if output is None or output == STDOUT:
        for piece in pieces:
            sys.stdout.write(piece)
        return
    try:
        with whole_file(output) as part, part.open("w", encoding="utf-8", newline="\n") as file:
            for piece in pieces:
                file.write(piece)
    except OSError as error:  # its own file name is that of the part
        what = error.strerror or str(error)
        raise UmpireError(f"cannot be written: {what}", where=str(output)) from None
