"""``umpire schema``: print a published schema."""

from __future__ import annotations

import json

import click

from ...model import schemas
from ...model.problem import UmpireError
from ...validators.ruleset import Tabled
from ..options import argument, declared
from ..registry import rulesets

EPILOG = """\b
Examples:
  umpire schema                       the names there are
  umpire schema report                what 'audit --format json' prints
  umpire schema analysis > analysis.schema.json
"""


@declared("schema", epilog=EPILOG, short_help="Print a published JSON Schema.")
def command(
    name: str | None = argument(required=False),
) -> None:
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
    """The schemas of documents and files, and of the tables of each ruleset, by name."""
    tabled = (name for name, one in rulesets().parts.items() if isinstance(one, Tabled))
    return sorted({*schemas.names(), *tabled})


def schema_text(name: str) -> str:
    """The text of a schema, as published."""
    if name in schemas.names():
        return schemas.text_of(name)
    ruleset = rulesets().get(name)
    assert isinstance(ruleset, Tabled)
    return json.dumps(ruleset.schema.plain, ensure_ascii=False, indent=2) + "\n"
