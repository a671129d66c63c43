"""``umpire desk``: many games on one table."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from textwrap import wrap

import click

from ...importers.game_folder.folder import read_game_folder
from ...importers.vassal.limits import Limits
from ...model.problem import UmpireError
from ...model.viewer import Viewer
from ..cli import tell
from ..desk.adding import add_logs
from ..desk.games import Row, game_of, game_roots, rows
from ..desk.text import WIDTH, added_lines
from ..options import DIRECTOR_TOO, LIMITED, VIEWER, argument, declared
from ..printable import printable, say
from ..progress import progress
from .game_add import tell_news

EPILOG = """\b
Examples:
  umpire desk round-1                    a row for each game in the folder
  umpire desk add round-1 inbox/*.vlog   each log to the game it goes on from
"""


class Desk(click.Group):
    """A command group in which a folder alone means ``show``."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        if args and not args[0].startswith("-") and args[0] not in self.commands:
            args = ["show", *args]
        return super().parse_args(ctx, args)


@click.group("desk", cls=Desk, epilog=EPILOG, short_help="See many games at once.")
def command() -> None:
    """Show all games in a folder at once, or add logs to the games that they go on from."""


@declared("show", short_help="One row for each game.", group=command)
def show(
    root: Path = argument(),
    viewer: Viewer = VIEWER,
    limits: Limits = LIMITED,
) -> None:
    """One row for each game in the folder ROOT: its own folder and title, its logs, the side of its last
    known phase, how many of the drags are decided, offences without a ruling, open questions, and whether the
    next log is past due. Below, game by game: verdicts on earlier moves that changed since logs were added or
    mail was written, for example because the pack changed."""
    found = game_roots(root)
    with progress() as told:
        every = list(rows(found, viewer, limits, told))
    click.echo(
        f"{'game':<20} {'logs':>4}  {'last log':<12} {'side':<6} {'known':>5} {'new':>3} {'open':>4}  due"
    )
    for row in every:
        for line in _lines(row):
            click.echo(line)
    for row in every:
        if row.changed and row.folder is not None:
            click.echo()
            click.echo(printable(f"{row.name}, since it was added to or mailed last"))
            for line in row.changed:
                click.echo(line)


@declared("add", short_help="Add logs to the games they go on from.", group=command)
def add(
    ctx: click.Context,
    root: Path = argument(),
    logs: tuple[Path, ...] = argument(),
    director: bool = DIRECTOR_TOO,
    limits: Limits = LIMITED,
) -> None:
    """Add each of LOGS to the game in the folder ROOT whose last position it begins with exactly. A log that
    goes on from no game, or from several, is reported, and the others are added."""
    roots = game_roots(root)
    code = 0
    for log in logs:
        try:
            game = read_game_folder(game_of(log, roots, limits))
            game, found = add_logs(game, (log,), limits)
        except UmpireError as error:
            code = max(code, tell(error))
            continue
        say(f"{log.name}: added to {game.root}")
        for added in found:
            for line in added_lines(game, added, director=director):
                click.echo(line)
        with progress() as told:
            tell_news(game, limits, told, director=director)
    ctx.exit(code)


def _lines(row: Row) -> Iterator[str]:
    name = printable(row.name)
    name = f"{name if len(name) <= 20 else f'{name[:19]}…':<20}"
    if row.folder is None or row.status is None:
        yield from wrap(
            f"{name} {printable(row.trouble)}",
            WIDTH,
            subsequent_indent=" " * 21,
            break_on_hyphens=False,
        )
        return
    line = row.folder.line
    new = sum(one.ruling is None or one.changed for one in row.status.offences)
    due = f"{row.folder.due}{' (past)' if row.overdue else ''}"
    coverage = row.status.coverage
    judged = f"{coverage.percent:.0f}%" if coverage.drags else "-"
    yield printable(
        f"{name} {len(line):>4}  {line[-1].name[:12]:<12}"
        f" {(row.status.phase.active or '?')[:6]:<6} {judged:>5} {new:>3}"
        f" {len(row.status.questions):>4}  {due}"
    ).rstrip()
