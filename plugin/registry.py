"""Rulesets and reports: the built-in ones, and those of other packages (entry points)."""

from __future__ import annotations

import sys
import tomllib
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from typing import Any, Generic, TypeVar

from ..model.problem import Problem, UmpireError
from ..validators.ruleset import Ruleset
from .reports.report import Report

Part = TypeVar("Part")

DISTRIBUTION = "vassal-umpire"
REPORTS = "vassal_umpire.reports"
RULESETS = "vassal_umpire.rulesets"
_ROOT = __name__.partition(".")[0]

_PYPROJECT = Path(__file__).resolve().parent.parent / "pyproject.toml"
"""The file in a checkout that names the parts that ship: metadata of an editable install may be old, and
there is none if the program runs from the checkout. An installed program has no such file."""


@dataclass(frozen=True, slots=True)
class Registry(Generic[Part]):
    """The parts of one kind, by name. ``problems``: parts that could not be loaded."""

    kind: str
    parts: dict[str, Part]
    problems: tuple[Problem, ...] = ()

    def get(self, name: str) -> Part:
        """The part called ``name``. Raises :class:`UmpireError`, with the available names, if there is
        none."""
        try:
            return self.parts[name]
        except KeyError:
            failed = [p.message for p in self.problems if p.where.endswith(f" {name}")]
            raise UmpireError(
                f"there is no {self.kind} {name!r}",
                expected=f"one of {', '.join(sorted(self.parts))}",
                hint="; ".join(failed),
            ) from None


def reports() -> Registry[Report]:
    """All reports."""
    return _kept("report", REPORTS, "render")


def rulesets() -> Registry[Ruleset]:
    """All rulesets."""
    return _kept("ruleset", RULESETS, "name")


_FOUND: dict[tuple[object, ...], Registry[Any]] = {}


def _kept(kind: str, group: str, attribute: str) -> Registry[Any]:
    """The previous result for the same places, if everything loaded: searching all distributions takes a
    tenth of the audit of a small game."""
    key = (kind, entry_points, *sys.path)
    if key not in _FOUND or _FOUND[key].problems:
        _FOUND[key] = _collect(kind, group, attribute)
    return _FOUND[key]


def _collect(kind: str, group: str, attribute: str) -> Registry[Any]:
    parts: dict[str, Any] = {}
    problems = []
    for point in _points(group):
        part, problem = _load(kind, point, attribute)
        if problem is not None:
            problems.append(problem)
        else:
            parts[point.name] = part
    return Registry(kind, parts, tuple(problems))


def _points(group: str) -> Iterable[EntryPoint]:
    """The entry points of a group, one for each name; those that ship take precedence."""
    installed = sorted(entry_points(group=group), key=lambda p: (p.name, p.value))
    own = (point for point in installed if point.value.startswith(f"{_ROOT}."))
    return {point.name: point for point in (*reversed(installed), *own, *shipped(group))}.values()


def distributions(group: str) -> dict[str, str]:
    """The distribution of each part of a group, by the part's name."""
    return {
        point.name: point.dist.name if point.dist is not None else DISTRIBUTION
        for point in _points(group)
    }


@cache
def shipped(group: str) -> tuple[EntryPoint, ...]:
    """The parts in the checkout that the program runs from."""
    if not _PYPROJECT.is_file():
        return ()
    settings = tomllib.loads(_PYPROJECT.read_text("utf-8"))
    named = settings["project"]["entry-points"][group]
    return tuple(EntryPoint(name, value, group) for name, value in named.items())


def _load(kind: str, point: EntryPoint, attribute: str) -> tuple[Any, Problem | None]:
    """Load a plugin. It is somebody else's code, so anything it raises is a problem of that plugin alone."""
    where = f"{kind} {point.name}"
    try:
        part = point.load()
    except Exception as error:  # noqa: BLE001 - see above
        message = f"{point.value} cannot be loaded ({type(error).__name__}: {error})"
        return None, Problem("plugin-failed", message, where)
    if not hasattr(part, attribute):
        message = f"{point.value} is no {kind}: it has no {attribute!r}"
        return None, Problem("plugin-failed", message, where)
    return part, None
