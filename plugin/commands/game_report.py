"""``umpire game report``: the whole report on a game; ``umpire game mail``: what is sent to the players."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import click

from ...importers.game_folder.folder import read_game_folder
from ...importers.pack.files import zip_of
from ...importers.vassal.limits import Limits
from ...model.finding import Audit
from ...model.viewer import EVERYONE, Viewer
from ..auditing import Opened
from ..desk.audits import GameAudits
from ..desk.mail import FORUMS, Mailing, mail
from ..desk.opening import own_files
from ..desk.record import record_of, write_record
from ..desk.status import with_rulings
from ..desk.text import changed_since
from ..discovery import in_studio
from ..options import GAME, LIMITED, VIEWER, declared, form_option, option, output_options
from ..output import output_to
from ..printable import say
from ..progress import progress
from ..reading import Told
from ..reports.phrases import counted
from ..seal import sealed
from .audit import Wanted, leave_unless_undecided, write_report

EPILOG = """\b
Examples:
  umpire game report wren-rook
  umpire game report wren-rook -o report.html

\b
Exit codes: 0 the report was written, with or without offences, 2 wrong usage
or unreadable input, 3 an audit is not possible, or pieces were moved and not
one move could be decided.
"""


@declared("report", epilog=EPILOG, short_help="Write the whole report on a game.")
def command(
    ctx: click.Context,
    folder: Path = GAME,
    form: str | None = option("As for 'umpire audit'.", "--format", metavar="NAME"),
    output: Path | None = output_options("Write the report here."),
    force: bool = False,
    verbose: bool = option("Every bill in full, every open fact.", "-v", "--verbose"),
    viewer: Viewer = VIEWER,
    limits: Limits = LIMITED,
) -> None:
    """Write the report of 'umpire audit' on the logs of the game in DIR as it stands now, with the rulings,
    until when each offence can be corrected, and the open moves that go beyond an ordinary one: these accuse
    nobody."""
    game = read_game_folder(folder)
    if output is not None:
        output_to(output, own_files(game), force=force)

    wanted = Wanted(None, form, output, force, viewer, limits, verbose=verbose, overdrawn=True)
    with GameAudits(game, limits) as audits:

        def known(told: Told) -> tuple[Opened, Audit]:
            audits.told = told
            return audits.shown_to(viewer)

        def ruled(opened: Opened, shown: Audit) -> Audit:
            whole = shown if opened.truth is None else audits.whole()[1]
            shown = with_rulings(game, opened, shown, whole, viewer)
            if shown.coverage.is_undecided:
                next_step = f"to fill in what is missing: {in_studio(folder)}"
                shown = replace(shown, next_step=next_step)
            return shown

        found = write_report(audits.named, wanted, ruled, known)
    leave_unless_undecided(ctx, found)


MAIL_EPILOG = """\b
Examples:
  umpire game mail wren-rook                     writes wren-rook-mail.zip
  umpire game mail wren-rook -o round-1.zip

\b
Exit codes: 0 the zip was written, with or without offences, 2 wrong usage or
unreadable input, 3 an audit is not possible, or pieces were moved and not one
move could be decided: the zip says so.
"""


@declared("mail", epilog=MAIL_EPILOG, short_help="Write the mail to the players.")
def mail_command(
    ctx: click.Context,
    folder: Path = GAME,
    output: Path | None = output_options(
        "The zip; by default the folder's name with -mail.zip, in the working folder."
    ),
    force: bool = False,
    full: bool = option("Also the whole report, for all and for each side (report-….html)."),
    overdrawn: bool = option(
        "Also list, for everybody, the open moves beyond an ordinary one (as umpire game status does)."
    ),
    form: str = form_option("The form of the texts for forums.", choices=FORUMS),
    limits: Limits = LIMITED,
) -> None:
    """Write one zip: a page for all (all.html, and all.md for forums), one for each side with what only that
    side may see, and the last log with the umpire's remarks in it. Verdicts that changed since the last
    audit, because of another pack or other facts, are listed.

    The annotated log also holds the players' ids (which are passwords) if the log does: give it only to
    people to whom you would give the log.
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
    target.write_zip(zipped)
    write_record(game.root, now)
    say(f"{counted(len(files), 'file')} in {named}")
    say("all.html is for everybody, every other page for its side alone: send nobody the whole zip")
    leave_unless_undecided(ctx, audited)
