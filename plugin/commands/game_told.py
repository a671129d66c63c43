"""``umpire game told``: an offence was reported outside the logs."""

from __future__ import annotations

import datetime
from pathlib import Path

import click

from ...importers.game_folder.folder import read_game_folder
from ...importers.vassal.limits import Limits
from ..desk.audits import GameAudits
from ..desk.ruling import note, offence_named
from ..options import GAME, LIMITED, argument, day, declared, option
from ..printable import printable
from ..progress import progress

EPILOG = """\b
Examples:
  umpire game told wren-rook 4f0c12 --by Rook
  umpire game told wren-rook 4f0c12 --date 2026-11-20
"""


@declared("told", epilog=EPILOG, short_help="Note that an offence was reported by e-mail.")
def command(
    folder: Path = GAME,
    offence: str = argument(metavar="ID"),
    date: str = option("When; else today.", callback=day, metavar="DATE"),
    by: str = option("Who reported it.", default=""),
    limits: Limits = LIMITED,
) -> None:
    """Note that the offence ID was reported before the event that seals it, outside the logs (by e-mail)."""
    game = read_game_folder(folder)
    with progress() as told, GameAudits(game, limits, told) as audits:
        audited = audits.whole()[1]
    found = offence_named(offence, audited)
    on = date or datetime.date.today().isoformat()
    note(game, "told", {"offence": found.id, "date": on, **({"by": by} if by else {})})
    click.echo(printable(f"{found.id}  reported on {on}"))
