"""``umpire game rule``: a ruling on an offence."""

from __future__ import annotations

from pathlib import Path

import click

from ...importers.game_folder.folder import DECISIONS, read_game_folder
from ...importers.vassal.limits import Limits
from ...model.viewer import EVERYONE
from ..desk.audits import GameAudits
from ..desk.ruling import offence_named, rule_on
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
    """Write down what was decided on the offence ID ('umpire game status' tells it): upheld, waived,
    corrected or agreed. It is kept in game.toml whatever later audits say."""
    game = read_game_folder(folder)
    with progress() as told, GameAudits(game, limits, told) as audits:
        audited, public = audits.whole()[1], audits.seen_by(EVERYONE)[1]
    found = offence_named(offence, audited)
    hidden = is_hidden(found, public)
    rule_on(game, found, decision, because, who, when, hidden=hidden)
    names = ", ".join(found.names)
    click.echo(printable(f"{found.id}  {names}, {found.at.said}: {decision}"))
