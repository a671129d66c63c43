"""``umpire game``: a game kept in a folder, log by log."""

from __future__ import annotations

from importlib import import_module

import click

COMMANDS = (
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
)
"""Sub-commands; each is the object ``command`` in the file ``game_NAME.py``."""

EPILOG = """\b
Examples:
  umpire game new wren-rook --module crossroads.vmod --pack pack
  umpire game add wren-rook turn-1.vlog
  umpire game status wren-rook
  umpire game rule wren-rook 4f0c… upheld --because "agreed by mail"
"""


class Games(click.Group):
    """A group whose commands are loaded when they are wanted."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        found = import_module(f".game_{cmd_name}", __package__).command
        assert isinstance(found, click.Command)
        return found


@click.group("game", cls=Games, epilog=EPILOG, short_help="Keep a game log by log, and rule on it.")
def command() -> None:
    """Keep a game in one folder: logs as they arrive, what was found, rulings (docs/tournament.md)."""
