"""``umpire pack zip``: a pack in one file."""

from __future__ import annotations

from pathlib import Path

from ...importers.pack.files import is_zip, zip_of
from ...importers.pack.load import FILES, load_pack
from ...importers.pack.toml_text import read_bytes
from ...model.problem import UmpireError
from ..known_packs import safe_name
from ..options import argument, declared, output_options
from ..output import output_to
from ..printable import say
from ..reports.phrases import counted
from ..seal import in_zip

EPILOG = """\b
Examples:
  umpire pack zip my-pack                      writes my-pack.zip
  umpire pack zip my-pack -o crossroads.zip
  umpire audit turn-1.vlog --pack crossroads.zip
"""
LARGEST = 64 * 1024 * 1024


@declared("zip", epilog=EPILOG, short_help="Make one file of a pack.")
def command(
    pack: Path = argument(),
    output: Path | None = output_options(
        "The zip; by default the folder's name with .zip, in the working folder."
    ),
    force: bool = False,
) -> None:
    """Make one file of the folder PACK, to be handed on: --pack takes it wherever it takes a folder.

    Only the files of the pack are in it. A pack with a fault is refused. The same files give the same zip.
    """
    if is_zip(pack):
        raise UmpireError("is a zip already", where=pack.name, expected="a pack's folder")
    found = load_pack(pack)
    folder = safe_name(found.folder)
    named = output if output is not None else Path(f"{folder}.zip")
    target = output_to(named, found.files, force=force)
    files = {file.name: read_bytes(file, LARGEST) for file in found.files if file.name in FILES}
    zipped = zip_of(files, folder)
    target.write(in_zip(zipped) if target.is_file else zipped)
    say(f"{counted(len(files), 'file')} in {named}")
