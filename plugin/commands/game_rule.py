"""``umpire game rule``: a ruling on an offence; ``umpire game told``: it was reported outside the logs."""

from __future__ import annotations

import datetime
from pathlib import Path

import click

from ...importers.game_folder.folder import DECISIONS, read_game_folder
from ...importers.vassal.limits import Limits
from ...model.viewer import EVERYONE
from ..desk.audits import GameAudits
from ..desk.ruling import note, offence_named, rule_on
from ..desk.status import is_hidden
from ..options import GAME, LIMITED, argument, day, declared, option
from ..printable import printable
from ..progress import progress

EPILOG = """\b
Examples:
  umpire game rule wren-rook 4f0c12 upheld --because "the river"
  umpire game rule wren-rook 4f0c12 waived --because "both agree" --who Kite

The first digits of an id will do, as long as no other offence begins with them.
"""


@declared("rule", epilog=EPILOG, short_help="Rule on an offence.")
def command(
    folder: Path = GAME,
    offence: str = argument(metavar="ID"),
    decision: str = argument(type=click.Choice(DECISIONS)),
    because: str = option("The reason, in a sentence.", required=True),
    who: str = option("Who ruled.", default=""),
    when: str = option("When; else today.", callback=day, default="", metavar="DATE"),
    limits: Limits = LIMITED,
) -> None:
    """Record the decision on the offence ID (shown by 'umpire game status'): upheld, waived, corrected or
    agreed. It is kept in game.toml whatever later audits say."""
    game = read_game_folder(folder)
    with progress() as told, GameAudits(game, limits, told) as audits:
        audited, public = audits.whole()[1], audits.seen_by(EVERYONE)[1]
    found = offence_named(offence, audited)
    hidden = is_hidden(found, public)
    rule_on(game, found, decision, because, who, when, hidden=hidden)
    names = ", ".join(found.names)
    click.echo(printable(f"{found.id}  {names}, {found.at.said}: {decision}"))


TOLD_EPILOG = """\b
Examples:
  umpire game told wren-rook 4f0c12 --by Rook
  umpire game told wren-rook 4f0c12 --date 2026-11-20
"""


@declared("told", epilog=TOLD_EPILOG, short_help="Note that an offence was reported by e-mail.")
def told_command(
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
