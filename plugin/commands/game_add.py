"""``umpire game add``: a log of the game has arrived."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

import click

from ...importers.game_folder.folder import GameFolder, read_game_folder, shell_word
from ...importers.vassal.limits import Limits
from ...model.problem import UmpireError
from ...model.viewer import EVERYONE
from ...validators.sealing import offences
from ..desk.adding import Added, add_logs
from ..desk.audits import GameAudits
from ..desk.opening import digest_of
from ..desk.phases import offer_of
from ..desk.record import Record, news, read_record, record_of, write_record
from ..desk.text import added_lines, coverage_lines, hidden_lines, news_lines, offer_lines
from ..options import DIRECTOR_TOO, GAME, LIMITED, argument, declared, option
from ..printable import say
from ..progress import progress
from ..reading import Told
from ..reports.phrases import counted

EPILOG = """\b
Examples:
  umpire game add wren-rook turn-2.vlog
  umpire game add wren-rook turn-*.vlog      several, in this order
"""


WRITE_PHASES = "Write these phases into the facts of the game?"


@declared("add", epilog=EPILOG, short_help="Add logs to a game, and show what is new.")
def command(
    folder: Path = GAME,
    logs: tuple[Path, ...] = argument(),
    other_players: bool = option(
        "Also accept a log from the same setup by players whom no log of the game knows."
    ),
    confirm_phases: bool = option(
        "Write the phases that the chat announces into the facts without asking."
    ),
    director: bool = DIRECTOR_TOO,
    limits: Limits = LIMITED,
) -> None:
    """Add LOGS, in order, to the game in DIR: each is copied there. Shows where each goes on from, who made
    it and with what, what was moved between the logs, and what is new in the audit, as far as everyone may
    know. Phases that players announce in the chat are shown, and written into the facts of the game if you
    confirm them."""
    game = read_game_folder(folder)
    if _not_told_of(game, logs) == {*logs}:
        say(
            "in the game already; what is new was not shown, because the command was stopped before"
        )
        logs = ()
    with progress() as told:
        game, found = add_logs(game, logs, limits, told, other_players=other_players)
    for line in (line for one in found for line in added_lines(game, one, director=director)):
        click.echo(line)
    offer_phases(game, found, limits, confirm=confirm_phases)
    del found  # all that was read of the logs, before the audit reads the game
    with progress() as told:
        tell_news(game, limits, told, director=director)


def _not_told_of(game: GameFolder, files: Sequence[Path]) -> set[Path]:
    """Those of ``files`` that are on the game's line but in no audit whose news was printed."""
    record = read_record(game.root)
    told = record.logs if record is not None else ()
    waiting = {log.sha256 for log in game.line} - {*told} if game.pack else set[str]()
    return {file for file in files if waiting and file.is_file() and digest_of(file) in waiting}


def offer_phases(
    game: GameFolder, added: Sequence[Added], limits: Limits, *, confirm: bool = False
) -> None:
    """Print the phases that the chat of logs announces, and write them into the facts if that is confirmed:
    on a terminal, or by ``confirm``. Problems with pack or facts are left to the audit."""
    try:
        offer = offer_of(game, limits, added)
        if offer is None:
            return
        for line in offer_lines(offer, game):
            click.echo(line)
        asked = sys.stdin is not None and sys.stdin.isatty() and sys.stdout.isatty()
        if offer.phases and (confirm or (asked and click.confirm(WRITE_PHASES))):
            offer.write()
            say(f"{counted(len(offer.phases), 'phase')} written into {offer.file.name}")
        elif offer.phases:
            where = f"the studio's Phases view: umpire studio {shell_word(game.root)}"
            say(f"{counted(len(offer.phases), 'phase')} not written; confirm in {where}")
    except UmpireError as error:
        say(f"the phases were not written: {error}")


def tell_news(game: GameFolder, limits: Limits, told: Told, *, director: bool) -> None:
    """Audit the game and print what is new for everyone, or one line on why it cannot be audited.
    ``director``: also print the number of hidden offences."""
    before = read_record(game.root)
    try:
        with GameAudits(game, limits, told) as audits:
            audited, shown = audits.whole()[1], audits.seen_by(EVERYONE)[1]
    except UmpireError as error:
        say(f"added, but not audited: {error}")
        return
    now = record_of(shown)
    for line in news_lines(news(before or Record(), now), before, now):
        click.echo(line)
    for line in coverage_lines(shown.coverage):
        click.echo(line)
    if director:
        for line in hidden_lines(len(offences(audited)) - len(offences(shown))):
            click.echo(line)
    write_record(game.root, now)
