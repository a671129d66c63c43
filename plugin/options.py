"""Declaration of commands (each option is the default of its parameter), groups that load their commands
late, and shared options."""

from __future__ import annotations

import functools
import inspect
import os
import re
import sys
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, fields, replace
from datetime import datetime
from importlib import import_module
from pathlib import Path
from types import MappingProxyType
from typing import Any, TypeVar

import click

from ..importers.vassal.limits import BYTES_AN_ELEMENT, DEFAULT_LIMITS, Limits
from ..model.problem import UmpireError
from ..model.viewer import Viewer

Function = TypeVar("Function", bound=Callable[..., Any])

FORMS = ("text", "json")
_UNITS = {"": 1, "K": 1024, "M": 1024**2, "G": 1024**3}


def day(_ctx: click.Context, _param: click.Parameter, value: str | None) -> str:
    """A day such as ``2026-11-20``; "" for none."""
    if not value:
        return ""
    try:
        return datetime.strptime(value, "%Y-%m-%d").date().isoformat()
    except ValueError:
        told = f"{value!r} is not a day; expected year, month and day, such as 2026-11-20"
        raise click.BadParameter(told) from None


def size(_ctx: click.Context, _param: click.Parameter, value: str | None) -> int | None:
    """A number of bytes: ``500M``, ``2G``, ``1000000``."""
    if value is None:
        return None
    found = re.fullmatch(r"([0-9]{1,15})\s*([KMG]?)(?:i?B)?", value.strip(), re.IGNORECASE)
    if found is None or int(found[1]) == 0:
        raise click.BadParameter(f"{value!r} is not a size; expected a number of bytes: 500M, 2G")
    return int(found[1]) * _UNITS[found[2].upper()]


_NUMBER = click.IntRange(1)
LIMITS: dict[str, dict[str, Any]] = {
    "size": {
        "callback": size,
        "metavar": "SIZE",
        "help": "Read files that unpack to as much as this (2G, 500M).",
    },
    "entries": {"type": _NUMBER, "help": "Read archives with so many entries."},
    "ratio": {"type": _NUMBER, "help": "Read entries that unpack to so many times their size."},
    "depth": {"type": click.IntRange(1, 100_000), "help": "Read XML and commands nested so deep."},
    "commands": {"type": _NUMBER, "help": "Read saves and logs of so many commands and steps."},
    "values": {
        "type": _NUMBER,
        "help": "Read documents of so many values, maps of so many named places.",
    },
}
"""The limits that ``--max-LIMIT`` raises, each with its option."""


def _limit_options(function: Function) -> Function:
    """The safety limits; the command gets them as ``limits``."""

    @functools.wraps(function)
    def with_limits(*args: Any, **given: Any) -> Any:
        limits = limits_from(**{name: given.pop(f"max_{name}") for name in LIMITS})
        return function(*args, limits=limits, **given)

    found: Any = with_limits
    for name, how in reversed(LIMITS.items()):
        found = click.option(f"--max-{name}", **{"metavar": "N", **how})(found)
    return found  # type: ignore[no-any-return]  # click's decorators keep no signature


_RAISED = {
    "size": ("entry_size", "total_size", "document", "text", "command", "xml_size"),
    "entries": ("entries",),
    "ratio": ("ratio",),
    "depth": ("xml_depth", "nesting"),
    "commands": ("commands", "pieces", "steps"),
    "values": ("values",),
}
"""The fields of :class:`Limits` that each of :data:`LIMITS` sets."""


def limits_from(**given: int | None) -> Limits:
    """The default limits with the given values of :data:`LIMITS`. ``size`` applies to one entry and to
    everything read from a file, ``depth`` to XML elements and to sub-commands."""
    changes = {
        field: value
        for name, value in given.items()
        if value is not None
        for field in _RAISED[name]
    }
    least = {
        "xml_elements": (given.get("size") or 0) // BYTES_AN_ELEMENT,
        "places": given.get("values") or 0,
    }
    changes |= {name: max(value, getattr(DEFAULT_LIMITS, name)) for name, value in least.items()}
    return replace(DEFAULT_LIMITS, **changes)


def limits_named(hint: str) -> list[str]:
    """The limits that a hint advises raising: ``size``, ``entries`` and so on."""
    return [one for one in LIMITS if re.search(rf"limits? on\b.*\b{one}\b", hint)]


def limit_fields(limit: str) -> list[str]:
    """The fields of :class:`Limits` that this one sets."""
    raised = limits_from(**{limit: sys.maxsize})
    names = (field.name for field in fields(Limits))
    return [name for name in names if getattr(raised, name) != getattr(DEFAULT_LIMITS, name)]


def _viewer_options(function: Function) -> Function:
    """``--as`` and ``--director``; the command gets ``viewer``."""

    @click.option("--as", "side", metavar="SIDE", help="Also show what this side may see.")
    @click.option("--director", is_flag=True, help="Show everything, whoever may see it.")
    @functools.wraps(function)
    def with_viewer(*args: Any, side: str | None, director: bool, **rest: Any) -> Any:
        if side is not None and director:
            raise click.UsageError("--as and --director exclude each other")
        return function(*args, viewer=Viewer(side, director), **rest)

    return with_viewer  # type: ignore[return-value]  # click's decorators keep no signature


@dataclass(frozen=True)
class Declared:
    """The default of a command's parameter: its place on the command line. ``how`` adds that to the function,
    given the parameter."""

    how: Callable[[inspect.Parameter, Any], Any]


def declared(
    name: str, group: click.Group | None = None, **how: Any
) -> Callable[[Any], click.Command]:
    """Makes a command of a function. Each parameter has its option or argument as its default, and its type
    as annotation; ``ctx`` is the context."""

    def made(function: Any) -> click.Command:
        parameters = inspect.signature(function).parameters
        if "ctx" in parameters:
            function = click.pass_context(function)
        for parameter in reversed([*parameters.values()]):
            if isinstance(parameter.default, Declared):
                function = parameter.default.how(parameter, function)
        make: Any = click.command if group is None else group.command
        command: click.Command = make(name, **how)(function)
        return command

    return made


def option(told: str | None = None, *names: str, choices: Iterable[str] = (), **how: Any) -> Any:
    """An option, named like its parameter unless it has ``names``. ``told``: its help. The first of
    ``choices`` is the default."""
    offered = list(choices)

    def added(parameter: inspect.Parameter, function: Any) -> Any:
        typed = _typed(parameter, multiple=True)
        if parameter.annotation == "bool":
            typed["is_flag"] = True
        if offered:
            typed["type"] = click.Choice(offered)
        if offered and "multiple" not in typed:
            typed |= {"default": offered[0], "show_default": True}
        flags = names or (f"--{parameter.name.replace('_', '-')}",)
        return click.option(*flags, parameter.name, help=told, **(typed | how))(function)

    return Declared(added)


def argument(**how: Any) -> Any:
    """An argument; several are required unless ``how`` says otherwise."""

    def added(parameter: inspect.Parameter, function: Any) -> Any:
        typed = _typed(parameter, nargs=-1, required=True)
        return click.argument(parameter.name, **(typed | how))(function)

    return Declared(added)


def _typed(parameter: inspect.Parameter, **several: Any) -> dict[str, Any]:
    """The click settings for a parameter, by its annotation; with ``several`` if it takes several values."""
    said = str(parameter.annotation)
    typed = {"type": click.Path(path_type=Path)} if "Path" in said else {}
    return {**typed, **several} if said.startswith("tuple[") else typed


def form_option(told: str | None = None, choices: Iterable[str] = FORMS) -> Any:
    """``--format``: the format of the output."""
    return option(told, "--format", choices=choices)


def facts_option(told: str) -> Any:
    """The facts of a game; None if none are named or the null device is."""
    return option(told, callback=_no_null)


def _no_null(_ctx: click.Context, _param: click.Parameter, value: Path | None) -> Path | None:
    """The named file; None for the null device."""
    try:
        null = value is not None and os.path.samefile(value, os.devnull)
    except (OSError, ValueError):  # whoever reads it says what is wrong
        null = False
    return None if null else value


def output_options(told: str, *, required: bool = False) -> Any:
    """``-o`` and ``--force``; the command gets ``output`` and ``force``, for :func:`.output_to`."""

    def added(_parameter: inspect.Parameter, function: Any) -> Any:
        forced = click.option(
            "--force", is_flag=True, help="Replace it even if umpire did not write it."
        )
        return click.option(
            "-o", "--output", type=OutputPath(), required=required, metavar="PATH", help=told
        )(forced(function))

    return Declared(added)


class LateGroup(click.Group):
    """A group that loads its commands when they are needed. Each of ``late`` is the object ``command`` in the
    file of its name in ``commands`` (with ``prefix``, and ``_`` for ``-``); or ``NAME_command`` in another
    file, which ``beside`` names."""

    def __init__(
        self,
        *args: Any,
        late: Iterable[str] = (),
        prefix: str = "",
        beside: Mapping[str, str] = MappingProxyType({}),
        **how: Any,
    ) -> None:
        super().__init__(*args, **how)
        self._late, self._prefix, self._beside = tuple(late), prefix, beside

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(self._late)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in self._late:
            return None
        name, beside = cmd_name.replace("-", "_"), self._beside.get(cmd_name)
        module = import_module(f".commands.{self._prefix}{beside or name}", __package__)
        found = getattr(module, f"{name}_command" if beside else "command")
        assert isinstance(found, click.Command)
        return found


class OutputPath(click.ParamType):  # type: ignore[type-arg]  # generic only in later versions of click
    """The name of an output. One that ends in a slash is a folder, which must exist."""

    name = "path"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Path:
        path = Path(value)
        if str(value).endswith(("/", os.sep)) and not os.path.isdir(path):
            raise UmpireError(
                "must be a folder, and does not exist", where=str(value), hint="make it first"
            )
        return path


class PackPath(click.Path):
    """An audit pack: a folder, a zip, or the name of a known pack (``umpire packs``)."""

    def __init__(self) -> None:
        super().__init__(path_type=Path)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Path:
        from .known_packs import pack_path  # here, as few need it

        return pack_path(os.fsdecode(super().convert(value, param, ctx)))


def check_side(viewer: Viewer, sides: Iterable[str]) -> None:
    """Refuse a side that nobody plays: a typing error would otherwise hide too much."""
    known = sorted({side for side in sides if side})
    if viewer.side is not None and viewer.side not in known:
        raise UmpireError(
            f"there is no side {viewer.side!r}",
            expected=f"one of {', '.join(known)}" if known else "",
            hint="" if known else "no side is known for these files",
        )


GAME = argument(metavar="DIR")
MODULE = option("The module (.vmod).")
PACK = option("The audit pack, a folder or a zip.", type=PackPath())
FACTS = facts_option("Facts of this game (facts.toml).")
RULESET = option("The ruleset; by default the pack's.", metavar="NAME")
DIRECTOR_TOO = option(
    "Also say how many pieces and offences there are that some players may not know of.",
    "--director",
)
VIEWER: Any = Declared(lambda _parameter, function: _viewer_options(function))
LIMITED: Any = Declared(lambda _parameter, function: _limit_options(function))
