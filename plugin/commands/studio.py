"""``umpire studio``: work on an audit pack in the browser."""

from __future__ import annotations

import sys
from importlib.util import find_spec
from pathlib import Path

import click

from ...importers.game_folder.folder import GAME_FILE
from ...importers.pack.load import PACK_FILE
from ...importers.vassal.limits import Limits
from ...model.problem import UmpireError
from ...model.viewer import Viewer
from ..installed import install_command
from ..options import LIMITED, MODULE, VIEWER, argument, declared, facts_option, option
from ..printable import printable
from ..progress import progress

EPILOG = """\b
Examples:
  umpire studio                       choose files in the browser
  umpire studio game.vmod             begin a pack in the folder game-pack
  umpire studio turn-1.vlog turn-2.vlog
  umpire studio game-pack turn-1.vlog turn-2.vlog
  umpire studio wren-rook             a game's folder, with rulings
"""
NEEDED = ("starlette", "uvicorn", "anyio", "numpy")


@declared("studio", epilog=EPILOG, short_help="Work on an audit pack in the browser.")
def command(
    ctx: click.Context,
    files: tuple[Path, ...] = argument(required=False),
    module: Path | None = MODULE,
    facts: Path | None = facts_option(
        "Facts of this game; by default facts.toml in the pack's folder."
    ),
    ruleset: str = option("The ruleset of a new pack.", metavar="NAME", default="generic"),
    port: int = option(
        "The port; by default any free one.", type=click.IntRange(0, 65535), default=0
    ),
    no_browser: bool = option("Open no browser; only print the link."),
    start_page: bool = option("Begin with the start page, whatever this folder holds."),
    viewer: Viewer = VIEWER,
    limits: Limits = LIMITED,
) -> None:
    """Look at games and work on audit packs in the browser. FILES: a pack's folder or a module, then the logs
    of a game; or only the folder of a game ('umpire game new'); none: the pack or game in this folder, else a
    start page on which files are chosen.

    Logs without a pack are shown first: what was done in them. A button then begins a pack, as 'umpire pack
    new' does, in a new folder named after the module; a module alone begins one at once. An existing pack is
    continued. Every edit is saved at once into the pack's own files. The page is served by this computer only
    to itself; nothing is sent anywhere.

    Only what every player may see is shown, unless --as or --director say otherwise.
    """
    missing = [name for name in NEEDED if find_spec(name) is None]
    if missing:
        raise UmpireError(
            f"the studio needs {' and '.join(missing)}, not installed here",
            hint=f"install them with: {install_command(missing)}",
        )
    from ..studio.entry import Entry
    from ..studio.launch import serve
    from ..studio.opening import Asked, open_asked

    opened = None
    here = any(Path(name).is_file() for name in (PACK_FILE, GAME_FILE))
    if files or module is not None or (here and not start_page):
        asked = Asked(files or (Path(),), module, facts, ruleset, viewer, limits)
        with progress() as told:
            opened = open_asked(asked, _say, told)
    debug = bool(ctx.find_root().params.get("debug"))
    entry = Entry(opened, viewer, limits, _say)
    terminal = sys.stdin is not None and sys.stdin.isatty()
    serve(entry, port, _say, browser=not no_browser, alone=start_page and not terminal, debug=debug)


def _say(line: str) -> None:
    click.echo(printable(line))
