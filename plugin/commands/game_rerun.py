"""``umpire game rerun``: an appeal run again."""

from __future__ import annotations

from pathlib import Path

import click

from ... import __version__
from ...importers.vassal.limits import Limits
from ...model.viewer import EVERYONE
from ...validators.sealing import offences
from ..auditing import audit_game, open_game
from ..desk.appeal import in_order, read_appeal, refuse_other_extensions, unpacked
from ..desk.status import verdict_counts
from ..desk.text import counts_text
from ..options import LIMITED, argument, declared, option
from ..printable import printable
from ..progress import progress
from ..reports.phrases import counted

EPILOG = """\b
Examples:
  umpire game rerun appeal.zip turn-1.vlog turn-2.vlog --module game.vmod

\b
Exit codes: 0 the same is found, 1 it differs, 2 other files or wrong usage.
"""


@declared("rerun", epilog=EPILOG, short_help="Run an appeal again with one's own logs.")
def command(
    ctx: click.Context,
    appeal: Path = argument(),
    logs: tuple[Path, ...] = argument(),
    module: Path = option("The module (.vmod).", required=True),
    limits: Limits = LIMITED,
) -> None:
    """Audit your own LOGS, in any order, with pack and facts of APPEAL; tell whether the same is found."""
    wanted = read_appeal(appeal)
    logs = in_order(wanted, logs, module)
    with unpacked(wanted, logs, module) as named, progress() as told:
        opened = open_game(named, EVERYONE, limits, told)
        refuse_other_extensions(wanted, opened.game.sources)
        shown = audit_game(opened, None, told, suspicions=False)
    found = {
        one.former if one.former in wanted.offences else one.id: one.finding.explanation
        for one in offences(shown)
    }
    same = found.keys() & wanted.offences.keys()
    click.echo(printable(f"{wanted.title}: {counted(len(same), 'offence')} found in both audits"))
    here, there = verdict_counts(shown), wanted.verdicts
    if here == there:
        click.echo(f"  moves in both: {counts_text(here)}")
    else:
        click.echo(f"  moves here: {counts_text(here)}; in the appeal: {counts_text(there)}")
    for name in sorted(wanted.offences.keys() - found.keys()):
        click.echo(printable(f"  {name}  only in the appeal: {wanted.offences[name]}"))
    for name in sorted(found.keys() - wanted.offences.keys()):
        click.echo(printable(f"  {name}  only here: {found[name]}"))
    if wanted.program != __version__:
        click.echo(printable(f"  made by version {wanted.program}; this is {__version__}"))
    ctx.exit(int(found.keys() != wanted.offences.keys() or here != there))
