"""``umpire packs``: the packs that come with the program."""

from __future__ import annotations

import click

from ...model.problem import UmpireError
from ..shipped import Shipped, shipped_packs
from ..text_writer import TextWriter, terminal_width, wants_colour

EPILOG = """\b
Examples:
  umpire packs                        the packs there are
  umpire packs kassala                one of them, and where it lies
"""


@click.command("packs", epilog=EPILOG, short_help="List the packs that come with the program.")
@click.argument("name", required=False)
def command(name: str | None) -> None:
    """List the audit packs that come with the program, or show the one called NAME.

    An audit without --pack uses one of them by itself only where it was made for just the module of the
    game: the name, the version and the build file are the same. For another version, name its folder
    with --pack.
    """
    found = {one.name: one for one in shipped_packs()}
    if name is not None and name not in found:
        raise UmpireError(f"there is no pack {name!r}", expected=f"one of {', '.join(found)}")
    writer = TextWriter(terminal_width(), colour=wants_colour())
    if name is None:
        rows = [(one.name, one.told(), _module(one)) for one in found.values()]
        writer.table(("name", "pack", "made for the module"), rows)
    else:
        one = found[name]
        writer.title(one.pack.title or one.name)
        writer.labelled("pack", one.told())
        writer.labelled("module", _module(one))
        writer.labelled("build", f"{one.build} (SHA-256 of the build file)")
        writer.labelled("folder", str(one.folder))
    click.echo(writer.text())


def _module(one: Shipped) -> str:
    return f"{one.module} {one.version}"
