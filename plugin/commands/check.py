"""``umpire check``: what a player looks at before he sends his turn, or before he rolls."""

from __future__ import annotations

from pathlib import Path

import click

from ...importers.vassal.limits import Limits
from ...model.viewer import EVERYONE, Viewer
from ..auditing import audit_game, open_game, seen_by
from ..desk.check import check_game, last_to_act
from ..desk.check_text import check_text
from ..desk.procedures import DEFAULT, procedure_named, procedures
from ..options import check_side, facts_option, limit_options
from ..progress import progress
from ..reading import Named
from ..reports.report import ReportOptions
from ..text_writer import terminal_width, wants_colour

NAMES = ", ".join(one.name for one in procedures())

EPILOG = """\b
Examples:
  umpire check turn-1.vlog                        before you send it
  umpire check turn-1.vlog turn-2.vlog --as Blue  before you roll
  umpire check turn-1.vlog --procedure bitter-woods

\b
Exit codes: 0 no offence found, 1 one was found and is not corrected,
2 wrong usage or unreadable input, 3 a check is not possible.
"""


@click.command("check", epilog=EPILOG, short_help="Look at a turn before you send it, or roll.")
@click.argument("logs", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--as", "side", metavar="SIDE", help="Your side; show what it may see, too.")
@click.option(
    "--procedure",
    "how",
    metavar="NAME",
    default=DEFAULT,
    show_default=True,
    help=f"Until when errors can be corrected: {NAMES}, or a .toml file.",
)
@click.option("--pack", type=click.Path(path_type=Path), help="The audit pack, a folder or a zip.")
@click.option("--module", type=click.Path(path_type=Path), help="The module (.vmod).")
@facts_option("Facts of this game (facts.toml).")
@click.option("-v", "--verbose", is_flag=True, help="Every move and reason.")
@limit_options
@click.pass_context
def command(
    ctx: click.Context,
    logs: tuple[Path, ...],
    side: str | None,
    how: str,
    pack: Path | None,
    module: Path | None,
    facts: Path | None,
    verbose: bool,
    limits: Limits,
) -> None:
    """Check the last turn in LOGS, all of one game in order.

    Looks only at what no roll has sealed yet: what your side did since an opponent's last roll, and what the
    other sides did since the last roll against them. Tells how many of the moves could be checked and why
    the others could not, which are against the rules, and until when each can be corrected. Without --as the
    side is that of whoever made the last steps, and only what every player may see is shown.
    """
    procedure = procedure_named(how)
    viewer = EVERYONE if side is None else Viewer(side)
    named = Named(logs, module, pack, facts)
    with progress() as told:
        opened = open_game(named, viewer, limits, told)
        check_side(viewer, opened.game.sides)
        mine = side if side is not None else last_to_act(opened.game)
        audited = audit_game(opened, None, told)
    shown = seen_by(audited, viewer)
    checked = check_game(opened.game, shown, mine, procedure, viewer)
    options = ReportOptions(
        viewer=str(viewer), width=terminal_width(), colour=wants_colour(), verbose=verbose
    )
    click.echo(check_text(checked, shown, options), nl=False)
    ctx.exit(int(checked.found))
