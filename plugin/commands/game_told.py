"""``umpire game told``: an offence was reported outside the logs."""

from __future__ import annotations

import datetime
from pathlib import Path

import click

from ...importers.game_folder.folder import read_game_folder
from ...importers.vassal.limits import Limits
from ..desk.audits import GameAudits
from ..desk.ruling import note, offence_named
from ..options import day, limit_options
from ..printable import printable
from ..progress import progress

EPILOG = """\b
Examples:
  umpire game told wren-rook 4f0c12 --by Rook
  umpire game told wren-rook 4f0c12 --date 2026-11-20
"""


@click.command("told", epilog=EPILOG, short_help="Note that an offence was reported by e-mail.")
@click.argument("folder", metavar="DIR", type=click.Path(path_type=Path))
@click.argument("offence", metavar="ID")
@click.option("--date", callback=day, metavar="DATE", help="When; else today.")
@click.option("--by", default="", help="Who reported it.")
@limit_options
def command(folder: Path, offence: str, date: str, by: str, limits: Limits) -> None:
    """Note that the offence ID was reported before the event that seals it, outside the logs (by e-mail)."""
    game = read_game_folder(folder)
    with progress() as told, GameAudits(game, limits, told) as audits:
        audited = audits.whole()[1]
    found = offence_named(offence, audited)
    on = date or datetime.date.today().isoformat()
    note(game, "told", {"offence": found.id, "date": on, **({"by": by} if by else {})})
    click.echo(printable(f"{found.id}  reported on {on}"))
