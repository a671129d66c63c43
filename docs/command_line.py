"""The page docs/cli.md, from the commands themselves; docs/build.py writes it."""

from __future__ import annotations

import inspect
import re
import textwrap
from collections.abc import Iterator

import click
from vassal_umpire.plugin import cli
from vassal_umpire.plugin.commands import rules

HEAD = """\
# Command line

Every command there is, with its options, as `umpire COMMAND --help` tells them. [All
commands](commands.md) says in a line each what they are for.
"""

LIMITS = "Read files that are larger than the [limits](limits.md), if you trust them."


def page() -> str:
    """The whole page."""
    parts = [HEAD]
    for names, command in commands(("umpire",), cli.main):
        parts.append(section(names, command))
    return "\n".join(parts)


def commands(
    names: tuple[str, ...], command: click.Command
) -> Iterator[tuple[tuple[str, ...], click.Command]]:
    """A command with the words it is called by, then those below it."""
    yield names, command
    if isinstance(command, click.Group):
        context = click.Context(command)
        for name in command.list_commands(context):
            found = command.get_command(context, name)
            assert found is not None
            yield from commands((*names, name), found)
    if names[1:] == ("rules",):
        yield (*names, "new"), rules.new


def section(names: tuple[str, ...], command: click.Command) -> str:
    """A command: what it does, how it is typed, its options, its examples."""
    options = [one for one in command.params if isinstance(one, click.Option) and not one.hidden]
    parts = [f"## {' '.join(names)}\n", prose(command.help or "")]
    words = [*names, *(["[OPTIONS]"] if options else []), *map(typed, command.params)]
    if isinstance(command, click.Group):
        words.append("COMMAND …")
    parts.append(f"```text\n{' '.join(word for word in words if word)}\n```\n")
    if options:
        limits = [one for one in options if one.opts[0].startswith("--max-")]
        rows = [f"| {option_names(o)} | {explained(o)} |\n" for o in options if o not in limits]
        if limits:
            rows.append(f"| {', '.join(map(option_names, limits))} | {LIMITS} |\n")
        parts.append(f"| option | |\n|---|---|\n{''.join(rows)}")
    parts.append(prose(command.epilog or ""))
    return "\n".join(part for part in parts if part)


def typed(param: click.Parameter) -> str:
    """An argument as it stands in the line that is typed; '' for an option."""
    if not isinstance(param, click.Argument):
        return ""
    if param.metavar:
        return param.metavar
    name = str(param.name).upper() + ("…" if param.nargs != 1 else "")
    return name if param.required else f"[{name}]"


def option_names(option: click.Option) -> str:
    """``-o``, ``--output PATH``: each name, the last with what follows it."""
    names = [*option.opts, *option.secondary_opts]
    value = ""
    if not option.is_flag and not option.count:
        value = f" {option.metavar or value_of(option.type)}"
    return ", ".join(f"`{name}`" for name in names[:-1]) + (
        f"{', ' if names[1:] else ''}`{names[-1]}{value}`".replace("|", "\\|")
    )


def value_of(kind: click.ParamType) -> str:
    """What follows an option, where it has no name of its own."""
    if isinstance(kind, click.Choice):
        return "|".join(map(str, kind.choices))
    return "PATH" if isinstance(kind, click.Path) else "N" if "int" in kind.name else "TEXT"


def explained(option: click.Option) -> str:
    """What an option does, for a cell of a table."""
    parts = [(option.help or "").strip()]
    if option.required:
        parts.append("Needed.")
    if option.multiple:
        parts.append("May be given more than once.")
    if option.show_default and isinstance(option.default, str | int):
        parts.append(f"By default `{option.default}`.")
    return " ".join(part for part in parts if part).replace("|", "\\|").replace("<", "&lt;")


def prose(text: str) -> str:
    """Help as Markdown: paragraphs, and what click is told to leave as it is (a line ``\\b``) as code."""
    parts = []
    for part in inspect.cleandoc(text).split("\n\n"):
        kept = part.startswith("\b")
        lines = part.removeprefix("\b").strip("\n")
        head, _, rest = lines.partition("\n")
        if kept and head.endswith(":"):
            parts.append(f"{head}\n\n{code(rest)}")
        elif kept and "  " in lines.strip():
            parts.append(code(lines))
        elif lines:
            parts.append(" ".join(lines.split()).replace("<", "&lt;") + "\n")
    return re.sub(r"\bdocs/([\w-]+\.md)", r"[docs/\1](\1)", "\n".join(parts))


def code(text: str) -> str:
    """Lines as they are."""
    return f"```text\n{textwrap.dedent(text)}\n```\n"
