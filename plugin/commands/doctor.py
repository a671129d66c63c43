"""``umpire doctor``: what is installed, what is missing, and how to get it."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import click

from ..installed import SYMBOLS, Extra, Installed, Part, look_around
from ..json_text import document_text, picked
from ..options import declared, form_option
from ..printable import say
from ..user_folder import games_folder, own_folder

if TYPE_CHECKING:
    from ..text_writer import TextWriter

EPILOG = """\b
Examples:
  umpire doctor
  umpire doctor --format json         the same for a program

\b
Exit codes: 0 umpire works here; 1 something that it needs is missing or
cannot be loaded. An extra that is not installed is not a fault.
"""

_ORIGINS = {
    "one folder": "the one-folder build",
    "pipx": "installed with pipx",
    "uv": "installed with uv",
    "checkout": "run from a copy of the project",
    "pip": "installed with pip",
}


@declared("doctor", epilog=EPILOG, short_help="Say what is installed and what is missing.")
def command(
    ctx: click.Context,
    form: str = form_option("json: for a program."),
) -> None:
    """Show what is installed: the program, Python, rulesets and reports with the distribution that brings
    them, and extras. For what is missing, show what it is for and the command that installs it.

    Nothing is changed, nothing is started and nothing is fetched.
    """
    found = look_around()
    if form == "json":
        click.echo(document_text(_plain(found)), nl=False)
    elif any(one.version is None for one in found.libraries):  # a sheet needs them
        for problem in found.problems:
            say(problem)
    else:
        click.echo(_sheet(found), nl=False)
    ctx.exit(1 if found.problems else 0)


def _sheet(found: Installed) -> str:
    from ..text_writer import TextWriter, terminal_width, wants_colour

    writer = TextWriter(terminal_width(), colour=wants_colour())
    writer.title(f"umpire {found.version}")
    writer.labelled("program", f"{found.program} ({_ORIGINS[found.method]})")
    writer.labelled("Python", f"{found.python}, {found.executable}")
    writer.labelled("system", found.system)
    needed = [f"{one.name} {one.version or '(missing)'}" for one in found.libraries]
    writer.labelled("libraries", ", ".join(needed))
    _list_parts(writer, "Rulesets", found.rulesets)
    _list_parts(writer, "Reports", found.reports)
    writer.heading("Extras")
    for extra in found.extras:
        _tell_extra(writer, extra)
    writer.heading("Around it")
    _tell_surroundings(writer, found)
    writer.heading("Where things are")
    writer.line(
        "Packs, games and reports are where you put them. What was read of a game's logs is in the folder"
        " .umpire beside its game.toml; you may delete it.",
        indent=2,
    )
    writer.line(f"Packs that you add, and what the studio remembers: {own_folder()}", indent=2)
    writer.line(f"Games begun from the studio's start page: {games_folder()}", indent=2)
    writer.heading("What to do" if found.problems else "umpire works here.")
    for problem in found.problems:
        writer.line(f"- {problem}", indent=2, hang=2)
    return writer.text()


def _list_parts(writer: TextWriter, title: str, parts: tuple[Part, ...]) -> None:
    """A line for each distribution with the parts that it brings."""
    writer.heading(title)
    for owner in dict.fromkeys(part.distribution for part in parts):
        own = [f"{p.name} {p.version}".rstrip() for p in parts if p.distribution == owner]
        writer.line(f"from {owner}: {', '.join(own)}", indent=2, hang=2)
    if not parts:
        writer.line("none could be looked for", indent=2)


def _tell_extra(writer: TextWriter, extra: Extra) -> None:
    state = "incomplete" if extra.missing else "complete"
    writer.line(f"{extra.name}, {state}: {extra.purpose}".rstrip(": "), indent=2, hang=2)
    if extra.missing:
        writer.line(f"missing: {', '.join(extra.missing)}; install with", indent=4, hang=2)
        writer.verbatim(extra.install, indent=6)


def _tell_surroundings(writer: TextWriter, found: Installed) -> None:
    browser = (
        "there" if found.browser else "none found: open reports and the studio's link yourself"
    )
    writer.labelled("browser", browser, indent=2)
    writer.labelled("Java", found.java or "not found; only VASSAL needs it, not umpire", indent=2)
    engine = found.engine or "not found; only to look at an annotated log, or for umpire's tests"
    writer.labelled("VASSAL", engine, indent=2)
    if found.shows_symbols:
        told = f"{found.encoding}: shows {SYMBOLS}"
    else:
        told = (
            f"{found.encoding}: cannot show every character of a report; plainer ones are printed"
        )
        if sys.platform == "win32":
            told += " (for all of them type first: chcp 65001; $env:PYTHONUTF8 = 1)"
    writer.labelled("terminal", told, indent=2)


def _plain(found: Installed) -> dict[str, Any]:
    return {
        "version": found.version,
        "program": str(found.program),
        "installed_by": found.method,
        "python": {"version": found.python, "executable": found.executable},
        "system": found.system,
        "libraries": {one.name: one.version for one in found.libraries},
        "extras": {
            extra.name: {
                "purpose": extra.purpose,
                "libraries": {one.name: one.version for one in extra.libraries},
                "missing": list(extra.missing),
                "install": extra.install or None,
            }
            for extra in found.extras
        },
        "rulesets": [picked(one, "name version distribution") for one in found.rulesets],
        "reports": [picked(one, "name distribution") for one in found.reports],
        **picked(found, "browser java engine"),
        "terminal": picked(found, "encoding shows_symbols"),
        "problems": list(found.problems),
    }
