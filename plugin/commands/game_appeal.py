"""``umpire game appeal``: all that an audit rests on but the logs, in one zip."""

from __future__ import annotations

from pathlib import Path

from ...importers.game_folder.folder import read_game_folder
from ...importers.pack.files import zip_of
from ...importers.vassal.limits import Limits
from ...model.viewer import EVERYONE
from ..desk.appeal import appeal_files
from ..desk.audits import GameAudits
from ..desk.opening import own_files
from ..options import GAME, LIMITED, declared, output_options
from ..output import output_to
from ..printable import say
from ..progress import progress
from ..reports.phrases import counted
from ..seal import in_zip

EPILOG = """\b
Examples:
  umpire game appeal wren-rook -o appeal.zip
  umpire game rerun appeal.zip turn-1.vlog turn-2.vlog --module game.vmod
"""


@declared("appeal", epilog=EPILOG, short_help="Write what an audit rests on, without the logs.")
def command(
    folder: Path = GAME,
    output: Path | None = output_options(
        "The zip; by default the folder's name with -appeal.zip, in the working folder."
    ),
    force: bool = False,
    limits: Limits = LIMITED,
) -> None:
    """Write one zip with the pack, the facts, the SHA-256 of logs and module, and the ids of what everyone
    may see was found. With it and his own logs the other player runs the same audit: umpire game rerun.
    The facts go with it as they are: look whether one of them tells what he may not know."""
    game = read_game_folder(folder)
    named = output if output is not None else Path(f"{game.root.resolve().name}-appeal.zip")
    with progress() as told, GameAudits(game, limits, told) as audits:
        read, (opened, _) = audits.named, audits.whole()
        public = audits.seen_by(EVERYONE)[1]
    target = output_to(named, (*opened.files, *read.inputs, *own_files(game)), force=force)
    files = appeal_files(game, read, public)
    zipped = zip_of(files, "appeal")
    target.write(in_zip(zipped) if target.is_file else zipped)
    say(f"{counted(len(files), 'file')} in {named}")
