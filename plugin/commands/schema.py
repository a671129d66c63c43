"""``umpire schema``: print a published schema."""

from __future__ import annotations

from importlib.resources import files

import click

from ...model.problem import UmpireError

EPILOG = """\b
Examples:
  umpire schema                       the names there are
  umpire schema report                what 'audit --format json' prints
  umpire schema analysis > analysis.schema.json
"""


@click.command("schema", epilog=EPILOG, short_help="Print a published JSON Schema.")
@click.argument("name", required=False)
def command(name: str | None) -> None:
    """Print the JSON Schema called NAME, or list the schemas there are."""
    names = schema_names()
    if name is None:
        for one in names:
            click.echo(one)
        return
    wanted = name.removesuffix(".json")
    if wanted not in names:
        raise UmpireError(f"there is no schema {name!r}", expected=f"one of {', '.join(names)}")
    click.echo(schema_text(wanted), nl=False)


def schema_names() -> list[str]:
    """The schemas that ship with the program, by name."""
    folder = files(f"{_ROOT}.model.schemas")
    found = (entry.name for entry in folder.iterdir())
    return sorted(name.removesuffix(".json") for name in found if name.endswith(".json"))


def schema_text(name: str) -> str:
    """The text of a schema, as published."""
    return (files(f"{_ROOT}.model.schemas") / f"{name}.json").read_text("utf-8")


_ROOT = __name__.split(".", 1)[0]
