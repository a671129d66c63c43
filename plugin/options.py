"""Options that several commands share."""

from __future__ import annotations

import functools
import os
import re
import sys
from collections.abc import Callable, Iterable
from dataclasses import fields, replace
from datetime import datetime
from pathlib import Path
from typing import Any, TypeVar

import click

from ..importers.vassal.limits import BYTES_AN_ELEMENT, DEFAULT_LIMITS, Limits
from ..model.problem import UmpireError
from ..model.viewer import Viewer

Function = TypeVar("Function", bound=Callable[..., Any])

_UNITS = {"": 1, "K": 1024, "M": 1024**2, "G": 1024**3}


def day(_ctx: click.Context, _param: click.Parameter, value: str | None) -> str:
    """A day such as ``2026-11-20``; "" where none is named."""
    if not value:
        return ""
    try:
        return datetime.strptime(value, "%Y-%m-%d").date().isoformat()
    except ValueError:
        told = f"{value!r} is no day; expected year, month and day, such as 2026-11-20"
        raise click.BadParameter(told) from None


def size(_ctx: click.Context, _param: click.Parameter, value: str | None) -> int | None:
    """A number of bytes: ``500M``, ``2G``, ``1000000``."""
    if value is None:
        return None
    found = re.fullmatch(r"([0-9]{1,15})\s*([KMG]?)(?:i?B)?", value.strip(), re.IGNORECASE)
    if found is None or int(found[1]) == 0:
        raise click.BadParameter(f"{value!r} is no size; expected a number of bytes: 500M, 2G")
    return int(found[1]) * _UNITS[found[2].upper()]


LIMITS = ("size", "entries", "ratio", "depth", "commands", "values")
"""The limits that ``--max-LIMIT`` raises."""


def limit_options(function: Function) -> Function:
    """Adds the safety limits; the command gets them as ``limits``."""

    @click.option(
        "--max-size",
        callback=size,
        metavar="SIZE",
        help="Read files that unpack to as much as this (2G, 500M).",
    )
    @click.option(
        "--max-entries",
        type=click.IntRange(1),
        metavar="N",
        help="Read archives with so many entries.",
    )
    @click.option(
        "--max-ratio",
        type=click.IntRange(1),
        metavar="N",
        help="Read entries that unpack to so many times their size.",
    )
    @click.option(
        "--max-depth",
        type=click.IntRange(1, 100_000),
        metavar="N",
        help="Read XML and commands nested so deep.",
    )
    @click.option(
        "--max-commands",
        type=click.IntRange(1),
        metavar="N",
        help="Read saves and logs of so many commands and steps.",
    )
    @click.option(
        "--max-values",
        type=click.IntRange(1),
        metavar="N",
        help="Read documents of so many values, maps of so many named places.",
    )
    @functools.wraps(function)
    def with_limits(
        *args: Any,
        max_size: int | None,
        max_entries: int | None,
        max_ratio: int | None,
        max_depth: int | None,
        max_commands: int | None,
        max_values: int | None,
        **rest: Any,
    ) -> Any:
        limits = limits_from(max_size, max_entries, max_ratio, max_depth, max_commands, max_values)
        return function(*args, limits=limits, **rest)

    return with_limits  # type: ignore[return-value]  # click's decorators keep no signature


def limits_from(
    size: int | None = None,
    entries: int | None = None,
    ratio: int | None = None,
    depth: int | None = None,
    commands: int | None = None,
    values: int | None = None,
) -> Limits:
    """The default limits, with those replaced that are given. ``size`` holds for one entry and for
    all that is read of a file, ``depth`` for XML elements and for sub-commands."""
    changes: dict[str, int] = {}
    if size is not None:
        changes.update(entry_size=size, total_size=size, document=size, text=size, command=size)
        changes.update(xml_size=size)
        elements = size // BYTES_AN_ELEMENT
        changes.update(xml_elements=max(DEFAULT_LIMITS.xml_elements, elements))
    if entries is not None:
        changes.update(entries=entries)
    if ratio is not None:
        changes.update(ratio=ratio)
    if depth is not None:
        changes.update(xml_depth=depth, nesting=depth)
    if commands is not None:
        changes.update(commands=commands, pieces=commands, steps=commands)
    if values is not None:
        changes.update(values=values, places=max(DEFAULT_LIMITS.places, values))
    return replace(DEFAULT_LIMITS, **changes)


def limits_named(hint: str) -> list[str]:
    """The limits that a hint says to raise: ``size``, ``entries`` and so on."""
    return [one for one in LIMITS if re.search(rf"limits? on\b.*\b{one}\b", hint)]


def limit_fields(limit: str) -> list[str]:
    """The fields of :class:`Limits` that this one stands for."""
    raised = limits_from(**{limit: sys.maxsize})
    names = (field.name for field in fields(Limits))
    return [name for name in names if getattr(raised, name) != getattr(DEFAULT_LIMITS, name)]


def viewer_options(function: Function) -> Function:
    """Adds ``--as`` and ``--director``; the command gets ``viewer``."""

    @click.option("--as", "side", metavar="SIDE", help="Show what this side may see, too.")
    @click.option("--director", is_flag=True, help="Show everything, whoever may see it.")
    @functools.wraps(function)
    def with_viewer(*args: Any, side: str | None, director: bool, **rest: Any) -> Any:
        if side is not None and director:
            raise click.UsageError("--as and --director exclude each other")
        return function(*args, viewer=Viewer(side, director), **rest)

    return with_viewer  # type: ignore[return-value]  # click's decorators keep no signature


def facts_option(what: str) -> Callable[[Function], Function]:
    """Adds ``--facts``; the command gets ``facts``, None where none are named or the null device is."""
    return click.option("--facts", type=click.Path(path_type=Path), callback=_no_null, help=what)


def pack_and_game(function: Function) -> Function:
    """Adds a pack and the logs of a game, ``--module``, ``--facts`` and ``--format``; the command gets
    ``pack``, ``logs`` (none: empty), ``module`` and ``facts`` (None: not named) and ``form``."""
    decorators: tuple[Callable[[Function], Function], ...] = (
        click.argument("pack", type=click.Path(path_type=Path)),
        click.argument("logs", nargs=-1, type=click.Path(path_type=Path)),
        click.option("--module", type=click.Path(path_type=Path), help="The module (.vmod)."),
        facts_option("Facts of this game (facts.toml)."),
        click.option(
            "--format",
            "form",
            type=click.Choice(["text", "json"]),
            default="text",
            show_default=True,
        ),
    )
    for decorate in reversed(decorators):
        function = decorate(function)
    return function


def _no_null(_ctx: click.Context, _param: click.Parameter, value: Path | None) -> Path | None:
    """A file named, unless it is the null device, which stands for none."""
    try:
        null = value is not None and os.path.samefile(value, os.devnull)
    except (OSError, ValueError):  # whoever reads it says what is wrong
        null = False
    return None if null else value


def output_options(what: str, *, required: bool = False) -> Callable[[Function], Function]:
    """Adds ``-o`` and ``--force``; the command gets ``output`` and ``force``, for :func:`.output_to`."""

    def with_output(function: Function) -> Function:
        named = click.option(
            "-o", "--output", type=OutputPath(), required=required, metavar="PATH", help=what
        )
        forced = click.option(
            "--force", is_flag=True, help="Replace it even if umpire did not write it."
        )
        return named(forced(function))

    return with_output


class OutputPath(click.ParamType):  # type: ignore[type-arg]  # generic only in later versions of click
    """The name of an output. One that ends in a slash is a folder's, which has to be there."""

    name = "path"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Path:
        path = Path(value)
        if str(value).endswith(("/", os.sep)) and not os.path.isdir(path):
            raise UmpireError(
                "is to be a folder, and is not there", where=str(value), hint="make it first"
            )
        return path


class PackPath(click.Path):
    """An audit pack: a folder, a zip, or the name of one that is known (``umpire packs``)."""

    def __init__(self) -> None:
        super().__init__(path_type=Path)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Path:
        path = Path(os.fsdecode(super().convert(value, param, ctx)))
        if path.name != str(value) or os.path.lexists(path):
            return path
        from .known_packs import known_packs  # here, as few need it

        return next((one.folder for one in known_packs() if one.name == path.name), path)


def check_side(viewer: Viewer, sides: Iterable[str]) -> None:
    """Refuse a side that nobody plays: with a typing error too little would be shown."""
    known = sorted({side for side in sides if side})
    if viewer.side is not None and viewer.side not in known:
        raise UmpireError(
            f"there is no side {viewer.side!r}",
            expected=f"one of {', '.join(known)}" if known else "",
            hint="" if known else "no side is known for these files",
        )
