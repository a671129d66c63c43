"""``umpire pack adopt``: vouch for a pack that somebody else made."""

from __future__ import annotations

from pathlib import Path

from ...importers.pack.edit.toml import with_value
from ...importers.pack.files import PACK_FILE, pack_files
from ...importers.pack.load import load_pack
from ...model.problem import UmpireError
from ..options import OutputPath, PackPath, argument, declared, option
from ..output import WouldOverwrite
from ..output_folder import pack_output
from ..printable import say

EPILOG = """\b
Examples:
  umpire pack adopt crossroads.zip --name Wren -o my-crossroads
"""


@declared("adopt", epilog=EPILOG, short_help="Vouch for a pack that somebody else made.")
def command(
    pack: Path = argument(type=PackPath()),
    name: str = option("Whoever vouches for the pack from now on.", required=True),
    output: Path = option(
        "A new folder for it.", "-o", "--output", type=OutputPath(), required=True, metavar="DIR"
    ),
) -> None:
    """Write PACK, a folder or a zip, into a new folder, with another name of who vouches for it.

    Nothing else is changed: who looked at which cell stays as it is told. Look through a pack before you
    vouch for it; every report names you in its first lines.
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
