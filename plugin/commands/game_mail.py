"""``umpire game mail``: what is sent to the players."""

from __future__ import annotations

from pathlib import Path

import click

from ...importers.game_folder.folder import read_game_folder
from ...importers.pack.files import zip_of
from ...importers.vassal.limits import Limits
from ...model.viewer import EVERYONE
from ..desk.audits import GameAudits
from ..desk.mail import FORUMS, Mailing, mail
from ..desk.opening import own_files
from ..desk.record import record_of, write_record
from ..desk.text import changed_since
from ..options import GAME, LIMITED, declared, form_option, option, output_options
from ..output import output_to
from ..printable import say
from ..progress import progress
from ..reports.phrases import counted
from ..seal import in_zip, sealed
from .audit import leave_unless_undecided

EPILOG = """\b
Examples:
  umpire game mail wren-rook                     writes wren-rook-mail.zip
  umpire game mail wren-rook -o round-1.zip

\b
Exit codes: 0 the zip was written, with or without offences, 2 wrong usage or
unreadable input, 3 an audit is not possible, or pieces were moved and not one
move could be decided: the zip says so.
"""


@declared("mail", epilog=EPILOG, short_help="Write what is mailed to the players.")
def command(
    ctx: click.Context,
    folder: Path = GAME,
    output: Path | None = output_options(
        "The zip; by default the folder's name with -mail.zip, in the working folder."
    ),
    force: bool = False,
    full: bool = option("Also the whole report, for all and for each side (report-….html)."),
    overdrawn: bool = option(
        "Also tell everybody which open moves go beyond an ordinary one (umpire game status lists them)."
    ),
    form: str = form_option("Of the texts for forums.", choices=FORUMS),
    limits: Limits = LIMITED,
) -> None:
    """Write one zip: a page for all (all.html, and all.md for forums), one for each side with what that side
    alone may see, and the last log with the umpire's remarks in it. Verdicts that are others than
    when the game was audited last, because of another pack or other facts, are listed.

    The annotated log holds whatever the log held, the players' ids (which are passwords) too: give it to
    nobody you would not give the log.
    """
    game = read_game_folder(folder)
    named = output if output is not None else Path(f"{game.root.resolve().name}-mail.zip")
    with progress() as told, GameAudits(game, limits, told) as audits:
        target = output_to(named, (*audits.files, *own_files(game)), force=force)
        files = mail(Mailing(game, audits, full, overdrawn, FORUMS[form]))
        audited, now = audits.whole()[1], record_of(audits.seen_by(EVERYONE)[1])
    for line in changed_since(game.root, now):
        click.echo(line)
    zipped = zip_of({name: sealed(data) for name, data in files.items()}, "mail")
    target.write(in_zip(zipped) if target.is_file else zipped)
    write_record(game.root, now)
    say(f"{counted(len(files), 'file')} in {named}")
    say("all.html is for everybody, every other page for its side alone: send nobody the whole zip")
    leave_unless_undecided(ctx, audited)
