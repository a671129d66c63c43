"""``umpire game procedures``: the error procedures there are."""

from __future__ import annotations

from textwrap import wrap

import click

from ..desk.procedures import procedures
from ..options import declared

EPILOG = """\b
Examples:
  umpire game procedures
"""


@declared("procedures", epilog=EPILOG, short_help="List the error procedures.")
def command() -> None:
    """List the error procedures: what seals an error, what correcting one means, and where the text is.
    They are told in our own words; the texts themselves decide."""
    for one in procedures():
        click.echo(f"{one.name}  {one.title}")
        for what, seal, means in (
            ("movement", one.movement, one.movement_correction),
            ("combat", one.combat, one.combat_correction),
        ):
            for line in wrap(f"{what}, until the opponent's next {seal}: {means}", 76):
                click.echo(f"    {line}")
        for line in wrap(one.note, 76):
            click.echo(f"    {line}")
        for source in one.sources:
            click.echo(f"    {source}")
