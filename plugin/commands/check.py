"""``umpire check``: what a player checks before he sends his turn or rolls."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import NoReturn

import click
from click.core import ParameterSource

from ...importers.vassal.limits import Limits
from ...model.problem import UmpireError
from ...model.viewer import EVERYONE, Viewer
from ..auditing import Opened, audit_game, open_game, ruleset_for
from ..desk.check import check_game, last_to_act
from ..desk.check_json import check_document, midway_document
from ..desk.check_text import check_text, midway_text, nothing_decided
from ..desk.joining import refuse_disorder
from ..desk.midway import look_midway
from ..desk.opening import named_by
from ..desk.procedures import DEFAULT, procedure_named, procedures
from ..json_text import document_text
from ..options import (
    FACTS,
    LIMITED,
    MODULE,
    PACK,
    argument,
    check_side,
    declared,
    form_option,
    option,
)
from ..output import print_text
from ..printable import say, say_problems
from ..progress import progress
from ..reports.phrases import OTHER_VERSION, PACK_FOUND, WRONG_MODULE, judged_share
from ..reports.report import ReportOptions
from ..text_writer import terminal_width, wants_colour
from .audit import NOTHING_DECIDED

NAMES = ", ".join(one.name for one in procedures())

EPILOG = """\b
Examples:
  umpire check turn-1.vlog                        before you send it
  umpire check turn-1.vlog turn-2.vlog --as Blue  before you roll
  umpire check turn-1.vlog --procedure bitter-woods
  umpire check wren-rook                          a game in a folder
  umpire check midway.vsav --after turn-1.vlog    a turn not yet done
  umpire check turn-1.vlog --format json          for other programs

\b
Exit codes: 0 no offence found, 1 one was found and is not corrected,
2 wrong usage or unreadable input, 3 a check is not possible, or none of
the moves could be decided.
"""


@declared("check", epilog=EPILOG, short_help="Check a turn before you send it, or roll.")
def command(
    ctx: click.Context,
    logs: tuple[Path, ...] = argument(),
    side: str | None = option("Your side; also show what it may see.", "--as", metavar="SIDE"),
    earlier: tuple[Path, ...] = option(
        "Check a save in the middle of a turn against the log it goes on from.",
        "--after",
        metavar="LOG",
    ),
    how: str = option(
        f"Until when errors can be corrected: {NAMES}, or a .toml file.",
        "--procedure",
        metavar="NAME",
        default=DEFAULT,
        show_default=True,
    ),
    pack: Path | None = PACK,
    module: Path | None = MODULE,
    facts: Path | None = FACTS,
    verbose: bool = option("Every move and reason.", "-v", "--verbose"),
    form: str = form_option(),
    limits: Limits = LIMITED,
) -> None:
    """Check the last turn in LOGS, all of one game in order, or the folder of a game ('umpire game').

    Looks only at what no roll has sealed yet: what your side did since an opponent's last roll, and what the
    other sides did since the last roll against them. Shows how many of the moves could be checked and why the
    others could not, which are against the rules, and until when each can be corrected. Without --as the side
    is the one that made the last steps, and only what every player may see is shown.
    """
    named, game = named_by(logs, module, pack, facts, limits)
    if game is not None and ctx.get_parameter_source("how") is ParameterSource.DEFAULT:
        procedure = procedure_named(game.procedure, game.root)
    else:
        procedure = procedure_named(how)
    viewer = EVERYONE if side is None else Viewer(side)
    if earlier and (len(named.logs) > 1 or game is not None):
        raise click.UsageError("--after needs exactly one save")
    named = replace(named, logs=(*earlier, *named.logs))
    options = ReportOptions(
        viewer=str(viewer), width=terminal_width(), colour=wants_colour(), verbose=verbose
    )
    with progress() as told:
        opened = open_game(named, viewer, limits, told)
        heads = (WRONG_MODULE, OTHER_VERSION, PACK_FOUND)
        say_problems(one for one in opened.problems if one.code in heads)
        check_side(viewer, opened.game.sides)
        if opened.backdrop is not None:
            refuse_disorder(opened.backdrop.evidence.history)
        positions_alone(opened, wanted=bool(earlier))
        if earlier:
            seen = look_midway(opened.game, ruleset_for(opened.game, None)[0], opened.truth)
        else:
            mine = side if side is not None else last_to_act(opened.game)
            shown = audit_game(opened, None, told, suspicions=False)
    if earlier:
        title = f"{opened.game.title}: {named.logs[-1].name} after {earlier[-1].name}"
        if form == "json":
            print_text([document_text(midway_document(seen, title, options.viewer))])
        else:
            click.echo(midway_text(seen, title, options), nl=False)
        _leave(ctx, found=seen.found, nothing=nothing_decided(seen))
    checked = check_game(opened.game, shown, mine, procedure, viewer)
    if form == "json":
        print_text([document_text(check_document(checked, shown, options.viewer))])
    else:
        click.echo(check_text(checked, shown, options), nl=False)
    nothing = "" if checked.decided else judged_share(checked.coverage)
    _leave(ctx, found=checked.found, nothing=nothing)


def _leave(ctx: click.Context, *, found: bool, nothing: str) -> NoReturn:
    """Exit. ``nothing``: why nothing could be decided, and what to do next; "": something could."""
    if nothing and not found:
        say(nothing)
    ctx.exit(1 if found else NOTHING_DECIDED if nothing else 0)


def positions_alone(opened: Opened, *, wanted: bool) -> None:
    """Refuse a log if a save is ``wanted``, a save if it is not, and a save of another game than the log
    before it."""
    history = opened.backdrop.evidence.history if opened.backdrop is not None else None
    if history is None:
        if wanted:
            raise UmpireError("--after does not go with an analysis document", hint="name a save")
        return
    last = history.logs[-1]
    if wanted and last.steps:
        raise UmpireError(
            "is a log, not a save", where=last.source, hint="check it without --after"
        )
    if not wanted and not last.steps:
        raise UmpireError(
            "holds positions, not steps",
            where=last.source,
            hint="name the log it goes on from: --after LOG",
        )
    if wanted:
        before, now = history.logs[-2].end.pieces, last.opening.pieces
        if 2 * len(before.keys() & now.keys()) < min(len(before), len(now)):
            raise UmpireError(
                f"does not go on from {history.logs[-2].source}",
                where=last.source,
                expected="a save of the same game",
            )
