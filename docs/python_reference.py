"""The reference in docs/python.md, from the signatures and docstrings of the public names; docs/build.py
writes it."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterable, Iterator
from dataclasses import fields, is_dataclass
from functools import cached_property
from typing import Any

import vassal_umpire as vu
from vassal_umpire.importers.analysis import columns
from vassal_umpire.importers.analysis.columns import Column
from vassal_umpire.plugin.game_columns import TABLES

GROUPS = {
    "Functions": ("open_module", "open_log", "open_logs", "open_pack", "audit", "convert"),
    "What a log holds": (
        "Log", "Step", "Table", "Piece", "Stack", "Deck", "Member", "Displacement", "PieceChange",
        "ChatLine", "DieRoll", "GlobalChange", "TurnChange", "Participant", "Spot",
    ),
    "What an audit says": (
        "Audit", "JudgedMove", "Move", "Finding", "Bill", "Charge", "Amount", "Clause", "MissingFact",
        "PhaseView", "Place", "StepRef", "Source", "Integrity", "Roll", "Tally", "Trace",
    ),
    "Modules and packs": ("Module", "Pack"),
    "Whose knowledge, limits, errors": (
        "Viewer", "EVERYONE", "DIRECTOR", "Limits", "DEFAULT_LIMITS", "Problem", "UmpireError",
        "Unreadable", "WrongPack", "CannotAudit",
    ),
}  # fmt: skip
CONSTANTS = {
    "EVERYONE": "The viewer who sees what every player may see: what `viewer=None` stands for.",
    "DIRECTOR": "The viewer who sees everything.",
    "DEFAULT_LIMITS": "The limits of everything that is read, unless others are named.",
}
WIDTH = 80
ROLE = re.compile(r":\w+:`[~.]?([^`]+)`")
KINDS = {
    "text": "string",
    "texts": "list of strings",
    "whole": "int64",
    "wholes": "list of int64",
    "number": "float64",
    "yes-no": "bool",
}


def reference() -> str:
    """The section, without its heading."""
    parts = []
    for group, names in GROUPS.items():
        parts.append(f"### {group}")
        parts += [section(name) for name in names]
    parts.append("### Tables")
    parts += [f"#### The table {name}\n\n{table(found)}" for name, found in TABLES.items()]
    return "\n\n".join(parts) + "\n"


def tables() -> str:
    """The tables of modules and logs, for docs/analysis-format.md."""
    told = columns.TABLES.items()
    parts = (f"### {name}\n\n{columns.ABOUT[name]}\n\n{table(found)}\n" for name, found in told)
    return "\n".join(parts)


def section(name: str) -> str:
    """All there is to say of one public name."""
    value = getattr(vu, name)
    if inspect.isclass(value):
        told = [prose(value), *members(value)]
        return "\n\n".join((f"#### {name}", code(class_text(value)), *told))
    if callable(value):
        return "\n\n".join((f"#### {name}", code(f"{name}{signature(value)}"), prose(value)))
    return f"#### {name}\n\n{CONSTANTS[name]}"


def code(text: str) -> str:
    return f"```text\n{text}\n```"


def class_text(of: type) -> str:
    """A class with its fields, as code."""
    bases = [base.__name__ for base in of.__bases__ if base is not object]
    named = [base for base in bases if base in vu.__all__]
    if bases == ["Exception"]:
        named = bases
    head = f"class {of.__name__}{f'({chr(44).join(named)})' if named else ''}"
    if issubclass(of, tuple):
        told = [f"{key}: {kind}" for key, kind in of.__annotations__.items()]
    elif is_dataclass(of):
        told = [field_text(one) for one in fields(of) if not one.name.startswith("_")]
    else:
        told = []
    return "\n".join((head, *(f"    {line}" for line in told)))


def field_text(one: Any) -> str:
    return f"{one.name}: {one.type}"


def members(of: type) -> Iterator[str]:
    """The properties and methods of a class that stand in it or in what it is made of here."""
    lines = []
    for name, value in vars(of).items():
        if name.startswith("_"):
            continue
        made = value.__func__ if isinstance(value, classmethod) else value
        if isinstance(made, property | cached_property):
            getter = made.fget if isinstance(made, property) else made.func
            kind = inspect.signature(getter).return_annotation
            lines.append(f"- `{name}: {kind}`{dash(getter)}")
        elif inspect.isfunction(made):
            lines.append(f"- `{name}{signature(made)}`{dash(made)}")
    if lines:
        yield "\n".join(lines)


def dash(of: Any) -> str:
    text = prose(of)
    return f": {text}" if text else ""


def signature(of: Any) -> str:
    """The signature of a function as it stands in the code; a long one with a line for each parameter."""
    found = inspect.signature(of)
    kept = [_plain(p) for p in found.parameters.values() if p.name not in ("self", "cls")]
    given = str(inspect.Signature(kept))
    line = f"{given} -> {found.return_annotation}"
    if len(line) <= WIDTH:
        return line
    told = "".join(f"\n    {part}," for part in _parts(kept))
    return f"({told}\n) -> {found.return_annotation}"


def _parts(kept: list[inspect.Parameter]) -> Iterator[str]:
    """The parameters as text, with the star before the first that goes by its name alone."""
    starred = False
    for one in kept:
        if one.kind is one.KEYWORD_ONLY and not starred:
            starred = True
            yield "*"
        yield str(one)


def _plain(one: inspect.Parameter) -> inspect.Parameter:
    """A parameter that is shown as it was written: its annotation without quotes, a constant by its name."""
    if one.default is vu.DEFAULT_LIMITS:
        one = one.replace(default=_Named("DEFAULT_LIMITS"))
    if one.annotation is inspect.Parameter.empty:
        return one
    return one.replace(annotation=_Named(one.annotation))


class _Named:
    """Something that is shown by a name."""

    def __init__(self, name: str) -> None:
        self.name = name

    def __repr__(self) -> str:
        return self.name


def prose(of: Any) -> str:
    """A docstring as Markdown, its paragraphs on one line each."""
    text = ROLE.sub(r"``\1``", inspect.getdoc(of) or "")
    if is_dataclass(of) and text.startswith(f"{of.__name__}("):
        return ""
    paragraphs = [" ".join(part.split()) for part in text.split("\n\n")]
    return "\n\n".join(paragraphs).replace("``", "`")


def table(found: Iterable[Column]) -> str:
    """The columns of a table of to_frames, in Markdown."""
    rows = ["| column | type | what it holds |", "|---|---|---|"]
    rows += [f"| `{c.name}` | {KINDS[c.kind]} | {c.about} |" for c in found]
    return "\n".join(rows)
