"""The command ``umpire``: finds its sub-commands, and turns every error into one line."""

from __future__ import annotations

import errno
import os
import sys
import traceback
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from .. import __version__
from ..model.problem import Problem, UmpireError, WrongPack
from .options import LateGroup, limits_named
from .printable import MOST_SAID, never_fail_to_print, printable, say

COMMANDS = (
    "inspect",
    "show",
    "convert",
    "audit",
    "check",
    "batch",
    "pack",
    "packs",
    "studio",
    "game",
    "desk",
    "annotate",
    "extension",
    "rules",
    "check-cases",
    "schema",
    "doctor",
    "completion",
)
INTERRUPTED = 130
CLOSED_PIPE = 141
INTERNAL_ERROR = 70


EPILOG = """\b
Examples:
  umpire inspect game.vmod            what a module, save or log holds
  umpire show turn-1.vlog             who moved what, step by step
  umpire audit turn-1.vlog            which moves cannot be legal, and why
  umpire turn-1.vlog                  the same
  umpire studio                       all of it in the browser ('umpire-studio',
                                      started by a double click, does the same)

\b
Exit codes: 0 nothing found, 1 findings (audit), 2 wrong usage or an input
that cannot be read, 3 an audit is not possible (no pack or ruleset fits) or
decides nothing.
"""


class Umpire(LateGroup):
    """The command group; its errors are one line."""

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """As in click; a file in place of a command is audited."""
        ctx.obj = tuple(args)  # what was typed, from the command on
        if args and args[0] not in COMMANDS and (Path(args[0]).is_file() or Path(args[0]).suffix):
            args = ["audit", *args]  # which says so where no such file is there
        return super().resolve_command(ctx, args)

    def make_context(self, *args: Any, **extra: Any) -> click.Context:
        try:
            return super().make_context(*args, **extra)
        except KeyboardInterrupt:  # the help of all commands loads all of them
            raise click.exceptions.Exit(interrupted()) from None

    def invoke(self, ctx: click.Context) -> Any:
        try:
            result = super().invoke(ctx)
            sys.stdout.flush()
            return result
        except (click.exceptions.Exit, click.ClickException, click.Abort):
            raise
        except UmpireError as error:
            ctx.exit(tell(error))
        except KeyboardInterrupt:
            ctx.exit(interrupted())
        except OSError as error:
            ctx.exit(tell_os_error(error))
        except Exception as error:  # noqa: BLE001 - the last resort of the program
            ctx.exit(tell_bug(error, debug=bool(ctx.params.get("debug"))))


def interrupted() -> int:
    """Report a Ctrl-C; returns the exit code."""
    say("interrupted; nothing half done was left behind")
    return INTERRUPTED


def tell(error: UmpireError) -> int:
    """Print an error meant for the user; returns the exit code."""
    if isinstance(error, WrongPack) and len(error.problems) > 1:
        where = f"{error.where}: " if error.where else ""
        hint = f"; {error.hint}" if error.hint else ""
        say(f"{where}{len(error.problems):,} problems{hint}")
        _tell_first(error.problems)
    else:
        say(f"{error}{_flags(error.hint)}")
    return error.exit_code


def _tell_first(problems: Sequence[Problem]) -> None:
    """A line for each of the first problems of every kind, and the number of further ones."""
    seen: Counter[str] = Counter()
    for problem in problems:
        seen[problem.code] += 1
        if seen[problem.code] <= MOST_SAID:
            click.echo(f"  {printable(str(problem))}", err=True)
    left = sum(max(0, count - MOST_SAID) for count in seen.values())
    if left:
        click.echo(f"  and {left:,} more", err=True)


def _flags(hint: str) -> str:
    """The flags that raise the limits a hint names, in brackets; "" if it names none."""
    named = [f"--max-{flag}" for flag in limits_named(hint)]
    return f" ({', '.join(named)})" if named else ""


def tell_os_error(error: OSError) -> int:
    """Print an error of the operating system; a closed pipe (``| head``) is not an error."""
    closed = error.errno == errno.EPIPE or (
        sys.platform == "win32" and error.errno == errno.EINVAL and error.filename is None
    )
    if closed:
        # What is still in the buffer has nowhere to go; without this Python complains at exit.
        sys.stdout = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115
        return CLOSED_PIPE
    what = error.strerror or str(error) or type(error).__name__
    say(f"{error.filename}: {what}" if error.filename else what)
    return 2


def tell_bug(error: Exception, *, debug: bool) -> int:
    """Report a bug of this program. The traceback is printed only on request, because it may quote the
    input."""
    if debug:
        traceback.print_exception(error)
    where = traceback.extract_tb(error.__traceback__)[-1:]
    place = f" in {os.path.basename(where[0].filename)} line {where[0].lineno}" if where else ""
    hint = "" if debug else "; 'umpire --debug …' shows where it came from"
    say(f"this is a bug in umpire, not in your files ({type(error).__name__}{place}){hint}")
    return INTERNAL_ERROR


@click.group(
    cls=Umpire,
    late=COMMANDS,
    epilog=EPILOG,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 80},
)
@click.version_option(__version__, prog_name="umpire")
@click.option(
    "--debug",
    is_flag=True,
    envvar="UMPIRE_DEBUG",
    help="Show the traceback of an internal error (also: UMPIRE_DEBUG=1).",
)
def main(debug: bool) -> None:
    """Audit games played in VASSAL.

    Reads modules, saved games and logs (.vmod, .vsav, .vlog), replays every move against a movement
    ruleset, and reports, with the rule cited, which moves cannot be legal.
    """
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:  # closed by whoever called: nobody wants to read it
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: SIM115
    never_fail_to_print()
