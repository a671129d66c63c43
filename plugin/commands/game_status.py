"""``umpire game status``: how a game stands."""

from __future__ import annotations

import datetime
from pathlib import Path

import click

from ...importers.game_folder.folder import read_game_folder
from ...importers.vassal.limits import Limits
from ...model.viewer import EVERYONE, Viewer
from ..desk.audits import GameAudits
from ..desk.record import record_of
from ..desk.status import sentences, standings, status_of
from ..desk.text import changed_since, status_lines
from ..options import GAME, LIMITED, VIEWER, check_side, declared
from ..progress import progress
from .audit import leave_unless_undecided

EPILOG = """\b
Examples:
  umpire game status wren-rook
  umpire game status wren-rook --director     hidden units, too

\b
Exit codes: 0 with or without offences, 2 wrong usage or unreadable input, 3 an
audit is not possible, or pieces were moved and not one move could be decided.
"""


@declared("status", epilog=EPILOG, short_help="Show how a game stands.")
def command(
    ctx: click.Context,
    folder: Path = GAME,
    viewer: Viewer = VIEWER,
    limits: Limits = LIMITED,
) -> None:
    """Show how the game in DIR stands: its logs, the last known phase, the decided moves, the offences with
    their rulings, open moves that go beyond an ordinary one, the questions that decide most, and verdicts on
    earlier moves that changed since a log was added or mail was written."""
    game = read_game_folder(folder)
    with progress() as told, GameAudits(game, limits, told) as audits:
        opened, audited = audits.whole()
        check_side(viewer, opened.game.sides)
        seen, shown = audits.seen_by(viewer)
        public = audits.seen_by(EVERYONE)[1]
    status = status_of(game, seen.game, shown, audited, datetime.date.today(), viewer)
    until = sentences(standings(game, seen.game, shown, viewer))
    for line in status_lines(game, status, until, shown):
        click.echo(line)
    for line in changed_since(game.root, record_of(public)):
        click.echo(line)
    leave_unless_undecided(ctx, shown)
