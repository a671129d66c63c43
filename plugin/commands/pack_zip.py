"""``umpire pack zip``: a pack in one file; ``umpire pack adopt``: vouch for somebody else's pack."""

from __future__ import annotations

from pathlib import Path

from ...importers.pack.edit.toml import with_value
from ...importers.pack.files import PACK_FILE, is_zip, pack_files, zip_of
from ...importers.pack.load import FILES, load_pack
from ...importers.pack.toml_text import read_bytes
from ...model.problem import UmpireError
from ..known_packs import safe_name
from ..options import OutputPath, PackPath, argument, declared, option, output_options
from ..output import WouldOverwrite, output_to
from ..output_folder import pack_output
from ..printable import say
from ..reports.phrases import counted

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
    """Make one file of the folder PACK to hand on: --pack takes it wherever it takes a folder.

    It holds only the files of the pack. A pack with an error is refused. The same files give the same zip.
    """
    if is_zip(pack):
        raise UmpireError("is a zip already", where=pack.name, expected="a pack's folder")
    found = load_pack(pack)
    folder = safe_name(found.folder)
    named = output if output is not None else Path(f"{folder}.zip")
    target = output_to(named, found.files, force=force)
    files = {file.name: read_bytes(file, LARGEST) for file in found.files if file.name in FILES}
    target.write_zip(zip_of(files, folder))
    say(f"{counted(len(files), 'file')} in {named}")


ADOPT_EPILOG = """\b
Examples:
  umpire pack adopt crossroads.zip --name Wren -o my-crossroads
"""


@declared("adopt", epilog=ADOPT_EPILOG, short_help="Vouch for a pack that somebody else made.")
def adopt_command(
    pack: Path = argument(type=PackPath()),
    name: str = option(
        "The name of the person who vouches for the pack from now on.", required=True
    ),
    output: Path = option(
        "A new folder for it.", "-o", "--output", type=OutputPath(), required=True, metavar="DIR"
    ),
) -> None:
    """Write PACK, a folder or a zip, into a new folder, with another name of who vouches for it.

    Nothing else is changed; the records of who looked at which cell stay. Look through a pack before you
    vouch for it: every report names you in its first lines.
    """
    name = " ".join(name.split())
    if not name or len(name) > 200 or not name.isprintable():
        raise UmpireError("expected the name of whoever vouches for the pack", where="--name")
    found = load_pack(pack)
    if output.exists():
        raise WouldOverwrite(
            "is there already", where=str(output), expected="the name of a new folder"
        )
    target = pack_output(output, found.files)
    _, files, _ = pack_files(pack)
    files[PACK_FILE] = with_value(files[PACK_FILE], ("pack", "vouched_by"), name, PACK_FILE)
    target.write_as_they_are(files)
    before = f" in place of {found.vouched_by}" if found.vouched_by else ""
    say(f"{name} vouches for {found.name} {found.version}{before}: {output}")
