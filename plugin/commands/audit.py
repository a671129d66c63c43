"""``umpire audit``: which moves cannot be legal, and why."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NoReturn

import click

from ...importers.pack.facts_logs import UNUSED
from ...importers.vassal.collector import collector_paused
from ...importers.vassal.limits import Limits
from ...model.finding import Audit
from ...model.viewer import DIRECTOR, Viewer
from ..auditing import Opened, open_game, scene_of
from ..options import (
    FACTS,
    LIMITED,
    MODULE,
    PACK,
    RULESET,
    VIEWER,
    argument,
    declared,
    option,
    output_options,
)
from ..output import STDOUT, output_to
from ..printable import say, say_problem
from ..progress import progress
from ..reading import Named, Told, named_files
from ..registry import reports
from ..reports.phrases import NO_RULES, counted, judged_share
from ..reports.report import Report, ReportOptions
from ..shown import audit_shown, with_revealed, with_true_names
from ..text_writer import PIPE_WIDTH, terminal_width, wants_colour
from ..unruled import nothing_judged, open_or_tell, or_what_was_done

EPILOG = """\b
Examples:
  umpire audit turn-1.vlog
  umpire audit turn-1.vlog turn-2.vlog --pack packs/crossroads
  umpire audit turn-1.vlog --facts facts.toml --format json -o report.json
  umpire audit turn-1.vlog -o report.html      the map, the paths, every step

\b
Exit codes: 0 nothing found at or above --fail-on, 1 something found, or less
decided than --least-decided, 2 wrong usage or unreadable input, 3 an audit is
not possible, or pieces were moved and not one move could be decided.
"""

SEVERITY = {
    "note": 1,
    "unverifiable": 2,
    "illegal-move": 3,
    "overstack": 3,
    "missed-mp-cost": 3,
}
FAIL_ON = {"note": 1, "unverifiable": 2, "finding": 3, "never": 4}
"""What ``--fail-on`` takes: the least severity that makes the exit code 1."""
NOTHING_DECIDED = 3
"""The exit code if pieces were moved but no move could be decided."""

More = Callable[[Opened, Audit], Audit]
"""Adds to the audit that is shown: takes the opened game and that audit."""


@declared("audit", epilog=EPILOG, short_help="Show which moves cannot be legal, and why.")
def command(
    ctx: click.Context,
    logs: tuple[Path, ...] = argument(),
    pack: Path | None = PACK,
    module: Path | None = MODULE,
    facts: Path | None = FACTS,
    ruleset: str | None = RULESET,
    form: str | None = option(
        "The report: text (default), html, markdown, csv or json.", "--format", metavar="NAME"
    ),
    output: Path | None = output_options("Write the report here."),
    force: bool = False,
    fail_on: str = option(
        "The least that makes the exit code 1.", default="finding", choices=FAIL_ON
    ),
    least_decided: float = option(
        "Also give exit code 1 if fewer of the drags on the map are decided.",
        type=click.FloatRange(0, 100),
        default=0,
        metavar="PERCENT",
    ),
    map_image: bool = option(
        "Whether the HTML report holds the module's picture of the map (default) or a drawn one.",
        "--map-image/--no-map-image",
        default=True,
    ),
    reveal: bool = option(
        "At the end of a game: show everything, and compare what was hidden with what was shown."
    ),
    verbose: bool = option("Every bill in full, every open fact.", "-v", "--verbose"),
    viewer: Viewer = VIEWER,
    limits: Limits = LIMITED,
) -> None:
    """Audit LOGS of one game, in order, or one analysis document.

    Replays the moves, judges each by the ruleset of the audit pack, and reports those that cannot be legal,
    with the rule. A move that cannot be decided is called unverifiable, with the fact that would decide it.
    Module and pack are found beside the log, or named, the module also among LOGS. Only what every player may
    see is shown, unless --as, --director or --reveal say otherwise.
    """
    if reveal and viewer.side is not None:
        raise click.UsageError("--as and --reveal exclude each other")
    viewer = DIRECTOR if reveal else viewer
    wanted = Wanted(
        ruleset,
        form,
        output,
        force,
        viewer,
        limits,
        map_image=map_image,
        reveal=reveal,
        verbose=verbose,
        or_unruled=True,
    )
    shown = write_report(named_files(logs, module, pack, facts, limits), wanted)
    if not shown.is_ruled:
        asked = {"--facts": facts, "--ruleset": ruleset, "--least-decided": least_decided}
        unused = [option for option, value in asked.items() if value]
        if unused:
            say(f"not used, since no rules were applied: {', '.join(unused)}")
    leave(ctx, shown, exit_code(shown, fail_on, least_decided))


@dataclass(frozen=True)
class Wanted:
    """The report that the options of the command ask for."""

    ruleset: str | None
    form: str | None
    output: Path | None
    force: bool
    viewer: Viewer
    limits: Limits
    map_image: bool = True
    reveal: bool = False
    verbose: bool = False
    overdrawn: bool = False
    or_unruled: bool = False
    """Whether to report what was done if no pack fits."""


@collector_paused()
def write_report(
    named: Named,
    wanted: Wanted,
    more: More = lambda _opened, shown: shown,
    known: Callable[[Told], tuple[Opened, Audit]] | None = None,
) -> Audit:
    """Audit the named files, write the report, and return the audit shown. ``more``: adds to it. ``known``:
    opens and audits in place of the files."""
    viewer, limits, output = wanted.viewer, wanted.limits, wanted.output
    report = report_for(wanted.form, output)
    to_file = None
    if output is not None and output != STDOUT:
        to_file = output_to(output, named.inputs, force=wanted.force)
    with progress() as told:
        next_step = ""
        found = None
        if known is not None:
            opened, found = known(told)
        elif wanted.or_unruled:
            opened, next_step = open_or_tell(named, viewer, limits, told)
        else:
            opened = open_game(named, viewer, limits, told)
        if wanted.reveal:
            opened = with_true_names(opened)
        if to_file is not None:
            to_file.refuse(opened.files)
        if next_step:
            shown = nothing_judged(opened, viewer, next_step)
        else:
            if found is None:
                found = audit_shown(opened, wanted.ruleset, viewer, told)
            shown = more(opened, found)
        if wanted.reveal:
            shown = with_revealed(opened, shown)
        drawn, shown = or_what_was_done(opened, shown, viewer, reveal=wanted.reveal)
        scene = None
        if report.pictured:
            scene = scene_of(drawn, viewer, limits, map_images=wanted.map_image, told=told)
    for problem in opened.problems:
        if (
            problem.code == UNUSED
        ):  # whoever wrote a fact is to learn of it, wherever the report goes
            say_problem(problem)
    if scene is not None:
        shown = replace(shown, problems=(*shown.problems, *scene.problems))
    options = ReportOptions(
        viewer=str(viewer),
        width=terminal_width() if to_file is None else PIPE_WIDTH,
        colour=wants_colour() and to_file is None,
        verbose=wanted.verbose,
        scene=scene,
        overdrawn=wanted.overdrawn,
    )
    text = report.render(shown, options)
    if to_file is not None:
        blank = report.with_blank if to_file.is_file else None
        to_file.write((blank(text) if blank is not None else text).encode("utf-8", "replace"))
        if sys.stderr.isatty():
            say(f"{counted(len(shown.findings), 'finding')}; the report is in {output}")
    else:
        click.echo(text, nl=False)
    return shown


def report_for(form: str | None, output: Path | None) -> Report:
    """The named report, else the one for the output's suffix, else text."""
    known = reports()
    if form is not None:
        return known.get(form)
    suffix = output.suffix.lower() if output is not None else ""
    return next((r for r in known.parts.values() if r.suffix == suffix), known.get("text"))


def exit_code(audit: Audit, fail_on: str, least_decided: float = 0) -> int:
    """1 if a finding is at or above ``fail_on``, or less than ``least_decided`` percent of the drags are
    decided; :data:`NOTHING_DECIDED` if none is."""
    if not audit.is_ruled:
        return 0 if fail_on == "never" else NOTHING_DECIDED
    if any(SEVERITY[finding.kind] >= FAIL_ON[fail_on] for finding in audit.findings):
        return 1
    coverage = audit.coverage
    if fail_on != "never" and coverage.is_undecided:
        return NOTHING_DECIDED
    return int(coverage.percent < least_decided)


def leave(ctx: click.Context, shown: Audit, code: int) -> NoReturn:
    """Exit with a code of :func:`exit_code`; if nothing could be decided, print what to do next."""
    if code == NOTHING_DECIDED:
        say(judged_share(shown.coverage) if shown.is_ruled else NO_RULES)
    ctx.exit(code)


def leave_unless_undecided(ctx: click.Context, shown: Audit) -> NoReturn:
    """Exit with 0, or with :data:`NOTHING_DECIDED`, from a command whose findings the director is still to
    rule on."""
    code = exit_code(shown, "finding")
    leave(ctx, shown, code if code == NOTHING_DECIDED else 0)
