"""``umpire pack``: begin an audit pack, see what one knows and lacks, make one file of it."""

from __future__ import annotations

import click

from ..options import LateGroup

EPILOG = """\b
Examples:
  umpire pack new game.vmod turn-1.vlog -o my-pack
  umpire pack check my-pack turn-1.vlog
  umpire pack zip my-pack
  umpire pack adopt crossroads.zip --name Wren -o my-crossroads
"""


@click.group(
    "pack",
    cls=LateGroup,
    late=("new", "suggest", "suggest-chart", "check", "import", "zip", "adopt"),
    prefix="pack_",
    beside={"suggest-chart": "check", "adopt": "zip"},
    epilog=EPILOG,
    short_help="Begin an audit pack, and see what is missing in one.",
)
def command() -> None:
    """Make audit packs: what a module's counters, places and turns mean to the rules (docs/packs.md)."""
