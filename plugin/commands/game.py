"""``umpire game``: a game kept in a folder, log by log."""

from __future__ import annotations

import click

from ..options import LateGroup

EPILOG = """\b
Examples:
  umpire game new wren-rook --module crossroads.vmod --pack pack
  umpire game add wren-rook turn-1.vlog
  umpire game status wren-rook
  umpire game rule wren-rook 4f0c… upheld --because "agreed by mail"
"""


@click.group(
    "game",
    cls=LateGroup,
    late=(
        "new",
        "add",
        "status",
        "rule",
        "told",
        "report",
        "mail",
        "appeal",
        "rerun",
        "procedures",
    ),
    prefix="game_",
    beside={"told": "rule", "mail": "report", "rerun": "appeal", "procedures": "new"},
    epilog=EPILOG,
    short_help="Keep a game log by log, and rule on it.",
)
def command() -> None:
    """Keep a game in one folder: logs as they arrive, what was found, rulings (docs/tournament.md)."""
