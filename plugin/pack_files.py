"""A pack's folder as an output: all its files or none, and none over what somebody else wrote."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from ..importers.pack.load import FILES, PACK_FILE
from .output import Output, alone_in, output_to
from .output_folder import new_folder, place_for
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
