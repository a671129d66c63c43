"""``umpire pack``: begin an audit pack, see what one knows and lacks, make one file of it."""

from __future__ import annotations

from importlib import import_module

import click

COMMANDS = ("new", "suggest", "suggest-chart", "check", "import", "zip", "adopt")
"""Sub-commands; each is the object ``command`` in the file ``pack_NAME.py``, with ``_`` for
``-``."""

EPILOG = """\b
Examples:
  umpire pack new game.vmod turn-1.vlog -o my-pack
  umpire pack check my-pack turn-1.vlog
  umpire pack zip my-pack
  umpire pack adopt crossroads.zip --name Wren -o my-crossroads
"""


class Packs(click.Group):
    """A group whose commands are loaded when they are wanted."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        found = import_module(f".pack_{cmd_name.replace('-', '_')}", __package__).command
        assert isinstance(found, click.Command)
        return found


@click.group(
    "pack",
    cls=Packs,
    epilog=EPILOG,
    short_help="Begin an audit pack, and see what is missing in one.",
)
def command() -> None:
    """Make audit packs: what a module's counters, places and turns mean to the rules (docs/packs.md)."""
