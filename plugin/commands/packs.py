"""``umpire packs``: the packs that an audit finds without --pack."""

from __future__ import annotations

from pathlib import Path

import click

from ...importers.vassal.limits import Limits
from ..known_packs import KnownPack, add_pack, known_packs, named_pack, remove_pack
from ..options import LIMITED, argument, declared, option
from ..printable import printable, say
from ..text_writer import TextWriter, terminal_width, wants_colour

EPILOG = """\b
Examples:
  umpire packs                        the packs there are
  umpire packs show kassala           one of them, and where it lies
  umpire packs add crossroads.zip --module crossroads.vmod
  umpire packs remove crossroads
"""


@click.group(
    "packs",
    epilog=EPILOG,
    invoke_without_command=True,
    short_help="List the packs that audits find without being told; add your own.",
)
@click.pass_context
def command(ctx: click.Context) -> None:
    """List the audit packs that come with the program, and those that you added. --pack takes their names.

    An audit without --pack uses one of them only if it was made for exactly the module of the game (same
    name, version and build file) and no other pack was. With any difference it is offered, not used.
    """
    if ctx.invoked_subcommand is not None:
        return
    writer = _writer()
    rows = [(one.name, one.told(), _module(one), _whose(one)) for one in known_packs()]
    writer.table(("name", "pack", "made for the module", "from"), rows)
    click.echo(writer.text())


@declared("show", short_help="Show one of them.", group=command)
def show(
    name: str = argument(),
) -> None:
    """Show the pack called NAME, and the folder it is in."""
    one, writer = named_pack(name), _writer()
    writer.title(one.name)
    writer.labelled("pack", one.told())
    writer.labelled("module", _module(one))
    writer.labelled(
        "build", f"{one.build} (SHA-256 of the build file)" if one.build else "not known"
    )
    writer.labelled("from", _whose(one))
    writer.verbatim(f"folder     {one.folder}")
    click.echo(writer.text())


@declared("add", short_help="Add a pack of your own, or somebody else's.", group=command)
def add(
    pack: Path = argument(),
    module: Path | None = option(
        "The module (.vmod) that it was made for; by default the one beside it."
    ),
    name: str | None = option(
        "Its name; by default that of its folder or zip, or, if that is 'pack', the name in pack.toml.",
        metavar="NAME",
    ),
    limits: Limits = LIMITED,
) -> None:
    """Copy PACK, a folder or a zip, to your packs. Audits find it there, wherever the log is.

    A pack added without its module is only offered, never used by itself. Look through a pack made by
    somebody else before you add it: reports say who vouches for it.
    """
    one = add_pack(pack, module, name, limits)
    say(f"added as {one.name}: {one.told()}")
    alike = (one.module, one.version, one.build)
    same = (o.name for o in known_packs() if (o.module, o.version, o.build) == alike)
    others = ", ".join(name for name in same if name != one.name)
    if one.build and others:
        say(
            f"not used without asking, because {others} was made for this very copy of the module too"
        )
    elif one.build:
        say(f"used without asking for {_module(one)}, this very copy of the module")
    else:
        say(
            "its module is not known: the pack is only offered; to use it without asking, add it with"
            " --module"
        )


@declared("remove", short_help="Take one of your packs away.", group=command)
def remove(
    name: str = argument(),
) -> None:
    """Remove the pack NAME from your packs. The folder or zip that it was copied from stays."""
    say(f"removed: {remove_pack(name).name}")


def _writer() -> TextWriter:
    return TextWriter(terminal_width(), colour=wants_colour())


def _module(one: KnownPack) -> str:
    return printable(f"{one.module} {one.version}".rstrip(), 100) or "not known"


def _whose(one: KnownPack) -> str:
    return "you" if one.is_own else "the program"
