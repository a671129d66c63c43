"""``umpire game appeal``: everything an audit depends on except the logs, in one zip; ``umpire game rerun``:
run an appeal again."""

from __future__ import annotations

from pathlib import Path

import click

from ... import __version__
from ...importers.game_folder.folder import read_game_folder
from ...importers.pack.files import zip_of
from ...importers.vassal.limits import Limits
from ...model.viewer import EVERYONE
from ...validators.sealing import offences
from ..auditing import audit_game, open_game
from ..desk.appeal import appeal_files, in_order, read_appeal, refuse_other_extensions, unpacked
from ..desk.audits import GameAudits
from ..desk.opening import own_files
from ..desk.text import counts_text
from ..options import GAME, LIMITED, argument, declared, option, output_options
from ..output import output_to
from ..printable import printable, say
from ..progress import progress
from ..reports.phrases import counted
from ..reports.shares import verdict_counts

EPILOG = """\b
Examples:
  umpire game appeal wren-rook -o appeal.zip
  umpire game rerun appeal.zip turn-1.vlog turn-2.vlog --module game.vmod
"""


@declared("appeal", epilog=EPILOG, short_help="Write what an audit rests on, without the logs.")
def command(
    folder: Path = GAME,
    output: Path | None = output_options(
        "The zip; by default the folder's name with -appeal.zip, in the working folder."
    ),
    force: bool = False,
    limits: Limits = LIMITED,
) -> None:
    """Write one zip with the pack, the facts, the SHA-256 of logs and module, and the ids of the public
    findings. With it and his own logs the other player runs the same audit: umpire game rerun. The facts are
    copied unchanged: check that they hold nothing he may not know."""
    game = read_game_folder(folder)
    named = output if output is not None else Path(f"{game.root.resolve().name}-appeal.zip")
    with progress() as told, GameAudits(game, limits, told) as audits:
        read, (opened, _) = audits.named, audits.whole()
        public = audits.seen_by(EVERYONE)[1]
    target = output_to(named, (*opened.files, *read.inputs, *own_files(game)), force=force)
    files = appeal_files(game, read, public)
    target.write_zip(zip_of(files, "appeal"))
    say(f"{counted(len(files), 'file')} in {named}")


RERUN_EPILOG = """\b
Examples:
  umpire game rerun appeal.zip turn-1.vlog turn-2.vlog --module game.vmod

\b
Exit codes: 0 the same is found, 1 it differs, 2 other files or wrong usage.
"""


@declared("rerun", epilog=RERUN_EPILOG, short_help="Run an appeal again with your own logs.")
def rerun_command(
    ctx: click.Context,
    appeal: Path = argument(),
    logs: tuple[Path, ...] = argument(),
    module: Path = option("The module (.vmod).", required=True),
    limits: Limits = LIMITED,
) -> None:
    """Audit your own LOGS, in any order, with pack and facts of APPEAL; show whether the findings are the
    same."""
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
    here, there = verdict_counts(shown.moves), wanted.verdicts
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
