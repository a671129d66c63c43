"""``umpire game report``: the whole report on a game."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from ...importers.game_folder.folder import read_game_folder
from ..desk.opening import named_of, own_files
from ..options import limit_options, output_options, viewer_options
from ..output import output_to
from . import audit

EPILOG = """\b
Examples:
  umpire game report wren-rook
  umpire game report wren-rook -o report.html
"""


@click.command("report", epilog=EPILOG, short_help="Write the whole report on a game.")
@click.argument("folder", metavar="DIR", type=click.Path(path_type=Path))
@click.option("--format", "form", metavar="NAME", help="As of 'umpire audit'.")
@output_options("Write the report here.")
@click.option("-v", "--verbose", is_flag=True, help="Every bill in full, every open fact.")
@viewer_options
@limit_options
@click.pass_context
def command(ctx: click.Context, /, folder: Path, **_options: Any) -> None:
    """Write the report that 'umpire audit' writes, on the logs of the game in DIR as it stands now."""
    game = read_game_folder(folder)
    named = named_of(game)
    if ctx.params["output"] is not None:
        output_to(ctx.params["output"], own_files(game), force=ctx.params["force"])
    same = {name: value for name, value in ctx.params.items() if name != "folder"}
    files = {"logs": named.logs, "module": named.module, "pack": named.pack, "facts": named.facts}
    ctx.invoke(audit.command, **files, **same, fail_on="never")
