"""``umpire batch``: many games into tables."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

import click
from rich.console import Console
from rich.progress import BarColumn, TextColumn
from rich.progress import Progress as Drawn

from ...importers.vassal.limits import Limits
from ...model.viewer import Viewer
from ..batch.journal import FORMS, Form
from ..batch.pools import MOST_PROCESSES, cluster_pool, process_pool, processors
from ..batch.run import Progress, Summary, Told, run_batch
from ..batch.tables import DOES, Do
from ..batch.tasks import Settings
from ..cli import INTERRUPTED
from ..options import LIMITED, RULESET, VIEWER, PackPath, argument, declared, facts_option, option
from ..printable import say
from ..reports.phrases import counted

EPILOG = """\b
Examples:
  umpire batch archive -o results
  umpire batch 'archive/**/*.vlog' -o results --do inspect --to jsonl
  umpire batch games.txt -o results --module game.vmod --pack packs/mine
  umpire batch tournament -o results --whole --facts facts.toml
  umpire batch archive -o results --cluster tcp://10.0.0.1:8786

\b
Exit codes: 0 every game is in the tables; 1 every game is in the tables, but
some could not be read or audited: their problems are in the tables; 2 wrong
usage.
"""


@declared("batch", epilog=EPILOG, short_help="Turn thousands of games into tables.")
def command(
    ctx: click.Context,
    games: tuple[str, ...] = argument(),
    output: Path = option(
        "The folder for the tables: a new one, or one that umpire batch has begun.",
        "-o",
        "--output",
        required=True,
        metavar="FOLDER",
    ),
    do: Do = option("What to do with each game.", default="audit", choices=DOES),
    form: Form = option(
        "The form of the tables; sqlite: one file with all.",
        "--to",
        default="parquet",
        choices=FORMS,
    ),
    module: Path | None = option("The module of all games (.vmod)."),
    pack: Path | None = option("The audit pack of all games.", type=PackPath()),
    facts: Path | None = facts_option(
        "The facts of all games (facts.toml); each log uses those that name it."
    ),
    ruleset: str | None = RULESET,
    whole: bool = option("The logs in one folder are one game, in the order of their names."),
    seconds: float | None = option(
        "Give up a game that takes longer; it is a row with its problem.",
        "--time-limit",
        type=click.FloatRange(0, min_open=True),
        metavar="SECONDS",
    ),
    workers: int | None = option(
        "How many processes work at once; by default one for each processor.",
        type=click.IntRange(1, MOST_PROCESSES),
        metavar="N",
    ),
    cluster: str | None = option(
        "Use the workers of a Dask cluster: its scheduler's address, or scheduler file.",
        metavar="ADDRESS",
    ),
    viewer: Viewer = VIEWER,
    limits: Limits = LIMITED,
) -> None:
    """Inspect, convert or audit many GAMES: a folder, a glob in quotes, or a text file that names a log on
    each line. Writes tables for other programs with one row for each game, move, finding and problem.

    Module and pack are found beside each game, or named for all. A file that cannot be read becomes a row
    with its problem. Finished games are not done again: the same command goes on where it was stopped. Only
    what every player may see is written, unless --as or --director say otherwise.
    """
    if workers is not None and cluster is not None:
        raise click.UsageError("--workers and --cluster exclude each other")
    if do != "audit" and any(one is not None for one in (pack, facts, ruleset)):
        raise click.UsageError("--pack, --facts and --ruleset go with --do audit")
    pool = (
        partial(cluster_pool, cluster)
        if cluster is not None
        else partial(process_pool, workers or min(processors(), MOST_PROCESSES))
    )
    settings = Settings(
        do,
        viewer,
        limits,
        module=_absolute(module),
        pack=_absolute(pack),
        ruleset=ruleset,
        facts=_absolute(facts),
        whole=whole,
        seconds=seconds,
    )
    seen = Progress()
    try:
        with _progress(seen) as told:
            summary = run_batch(games, output, settings, form, pool, told)
    except KeyboardInterrupt:
        done = f"{seen.kept + seen.done:,} of {counted(seen.total, 'game')} done"
        say(f"interrupted; {done}; the same command goes on from there")
        ctx.exit(INTERRUPTED)
    _tell(summary, output)
    ctx.exit(1 if summary.failed else 0)


def _absolute(path: Path | None) -> Path | None:
    """The absolute path, which is the same for every worker."""
    return None if path is None else path.absolute()


@contextmanager
def _progress(seen: Progress) -> Iterator[Told]:
    """A progress callback: keeps its values in ``seen``, and draws them on a terminal."""

    def keep(now: Progress) -> None:
        seen.total, seen.kept, seen.done, seen.failed = now.total, now.kept, now.done, now.failed

    if not sys.stderr.isatty():
        yield keep
        return
    columns = (BarColumn(), TextColumn("{task.description}"))
    with Drawn(*columns, console=Console(stderr=True), transient=True) as drawn:
        bar = drawn.add_task("looking for games", total=None)
        begun = time.monotonic()

        def told(now: Progress) -> None:
            keep(now)
            done = now.kept + now.done
            text = f"{done:,} of {counted(now.total, 'game')}"
            if now.failed:
                text += f", {now.failed:,} failed"
            rest = time_left(now.done, now.total - done, time.monotonic() - begun)
            text += f", {rest}" if rest else ""
            drawn.update(bar, total=now.total, completed=done, description=text)

        yield told


def _tell(summary: Summary, output: Path) -> None:
    """Print the outcome in a line or two on stderr."""
    now = summary.progress
    kept = f", {now.kept:,} of them in an earlier run" if now.kept else ""
    say(f"{counted(now.total, 'game')} in {output}{kept}")
    if summary.failed:
        say(
            f"{counted(summary.failed, 'game')} could not be read or judged: see trouble in the table"
            " games, and the table problems"
        )
    if summary.others:
        say(f"{counted(summary.others, 'game')} of earlier runs stay in the tables")


_FEWEST = 5
"""Games to finish before an estimate is given."""


def time_left(done: int, to_do: int, seconds: float) -> str:
    """The time for ``to_do`` games if ``done`` took so many seconds; "" while too few are done."""
    if done < _FEWEST or not to_do:
        return ""
    whole = seconds / done * to_do
    for size, unit in ((86_400, "d"), (3600, "h"), (60, "min")):
        if whole >= 1.5 * size:
            return f"about {round(whole / size)} {unit} left"
    return f"about {max(1, round(whole))} s left"
