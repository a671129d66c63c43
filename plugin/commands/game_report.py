"""``umpire game report``: the whole report on a game."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import click

from ...importers.game_folder.folder import read_game_folder
from ...importers.vassal.limits import Limits
from ...model.finding import Audit
from ...model.viewer import Viewer
from ..auditing import Opened
from ..desk.audits import GameAudits
from ..desk.opening import own_files
from ..desk.status import with_rulings
from ..discovery import in_studio
from ..options import GAME, LIMITED, VIEWER, declared, option, output_options
from ..output import output_to
from ..reading import Told
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
    form: str | None = option("As of 'umpire audit'.", "--format", metavar="NAME"),
    output: Path | None = output_options("Write the report here."),
    force: bool = False,
    verbose: bool = option("Every bill in full, every open fact.", "-v", "--verbose"),
    viewer: Viewer = VIEWER,
    limits: Limits = LIMITED,
) -> None:
    """Write the report that 'umpire audit' writes, on the logs of the game in DIR as it stands now, with the
    rulings, until when each offence can be corrected, and the open moves that go beyond an ordinary one:
    these accuse nobody."""
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
                next_step = f"to tell what is missing: {in_studio(folder)}"
                shown = replace(shown, next_step=next_step)
            return shown

        found = write_report(audits.named, wanted, ruled, known)
    leave_unless_undecided(ctx, found)
