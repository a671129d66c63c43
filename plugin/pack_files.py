"""A pack's folder as an output: all its files or none, and none over what somebody else wrote."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from ..importers.pack.load import FILES, PACK_FILE
from ..importers.vassal.atomic import part_beside
from ..model.problem import UmpireError
from .output import Output, WouldOverwrite, check_folder, output_to
from .seal import BLANK, sealed


@dataclass(frozen=True, slots=True)
class PackOutput:
    """Where a pack goes, once that has been found fit to be written. ``files``: the output that each of its
    files is, by name; none if the folder is not there yet."""

    named: Path
    target: Path
    files: Mapping[str, Output]

    def refuse(self, inputs: Iterable[Path]) -> None:
        """As :meth:`.output.Output.refuse`, for each file."""
        kept = tuple(inputs)
        for file in self.files.values():
            file.refuse(kept)

    def write(self, texts: Mapping[str, str]) -> None:
        """Write the files by name, ``pack.toml`` last: without it the folder is no pack."""
        data = {name: f"{text}# {BLANK}\n".encode() for name, text in texts.items()}
        names = sorted(data, key=lambda name: name == PACK_FILE)
        if self.files:
            for name in names:
                self.files[name].write(data[name])
            return
        part = part_beside(self.target)
        try:
            part.mkdir()
            for name in names:
                (part / name).write_bytes(sealed(data[name]))
            part.rename(self.target)
        except OSError as error:
            what = error.strerror or str(error)
            raise UmpireError(f"cannot be written: {what}", where=str(self.named)) from None
        finally:
            shutil.rmtree(part, ignore_errors=True)


def pack_output(named: Path, inputs: Iterable[Path], *, force: bool = False) -> PackOutput:
    """The folder ``named`` for a new pack; :class:`WouldOverwrite` if a file of a pack lies in it that is
    not ours, or that somebody has worked on since. ``force``: those that are written anew are replaced all
    the same."""
    kept = tuple(inputs)
    try:
        target = Path(os.path.realpath(named))
        if target.exists() and not target.is_dir():
            raise WouldOverwrite("is a file", where=str(named), expected="the name of a folder")
        if not target.exists() and not target.parent.is_dir():
            raise WouldOverwrite(
                "its folder does not exist", where=str(named), hint="make it first"
            )
        check_folder(target if target.exists() else target.parent, str(named))
        if not target.exists():
            return PackOutput(named, target, {})
        files = {name: output_to(target / name, kept, force=force) for name in FILES}
    except ValueError:
        raise WouldOverwrite(
            "holds a zero byte", where=str(named), expected="the name of a folder"
        ) from None
    except OSError as error:
        what = error.strerror or str(error)
        raise WouldOverwrite(f"cannot be written: {what}", where=str(named)) from None
    return PackOutput(named, target, files)
