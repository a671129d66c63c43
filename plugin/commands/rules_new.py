"""``umpire rules new``: a ruleset of one's own, begun."""

from __future__ import annotations

from pathlib import Path

import click

from ... import __version__
from ..options import OutputPath, argument, declared, option
from ..output import WouldOverwrite
from ..output_folder import new_folder, place_for
from ..printable import printable
from ..registry import rulesets
from ..skeleton import names_of, skeleton

EPILOG = """\b
Examples:
  umpire rules new my-game
  umpire rules new my-game -o ~/rulesets/my-game
"""


@declared("new", epilog=EPILOG, short_help="Begin a ruleset of one's own.")
def command(
    name: str = argument(),
    output: Path | None = option(
        "The folder, a new one; else NAME.", "-o", "--output", type=OutputPath(), metavar="DIR"
    ),
) -> None:
    """Write a small distribution with a ruleset called NAME: its manifest, one clause, cases, a page.

    It installs as it is (pip install -e DIR), and its cases pass. Nothing is written over.
    """
    names = names_of(name, frozenset(rulesets().parts))
    folder = output or Path(name)
    target = place_for(folder)
    if target.exists() and any(target.iterdir()):
        raise WouldOverwrite("is not empty", where=str(folder), expected="a new folder")
    with new_folder(target, folder) as part:
        for path, text in skeleton(names, __version__).items():
            file = part / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text, encoding="utf-8")
    for line in (
        f"{folder}: the ruleset {name}, begun",
        f"  pip install -e {folder}",
        f"  umpire check-cases --ruleset {name}",
    ):
        click.echo(printable(line))
