"""Rulesets and reports, the built-in ones and those that other packages bring as entry points."""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from typing import Any, Generic, TypeVar

from ..model.problem import Problem, UmpireError
from ..validators.ruleset import Ruleset
from .reports.report import Report

Part = TypeVar("Part")

REPORTS = "vassal_umpire.reports"
RULESETS = "vassal_umpire.rulesets"

# Built-ins are named here too, so that they are found when the installed metadata is old (an editable
# install) or absent (run from the checkout).
_BUILT_IN = {
    REPORTS: {
        "text": (".reports.text", "REPORT"),
        "json": (".reports.json", "REPORT"),
        "html": (".reports.html", "REPORT"),
        "markdown": (".reports.markdown", "REPORT"),
        "csv": (".reports.csv", "REPORT"),
    },
    RULESETS: {
        "generic": ("..validators.rulesets.generic", "RULESET"),
        "ocs": ("..validators.rulesets.ocs", "RULESET"),
        "tide-of-iron": ("..validators.rulesets.tide_of_iron", "RULESET"),
        "zoc-classes": ("..validators.rulesets.zoc_classes", "RULESET"),
        "valor-and-victory": ("..validators.rulesets.valor_and_victory", "RULESET"),
        "wacht-am-rhein": ("..validators.rulesets.wacht_am_rhein", "RULESET"),
    },
}


@dataclass(frozen=True, slots=True)
class Registry(Generic[Part]):
    """The parts of one kind, by name; ``problems`` tells of those that could not be loaded."""

    kind: str
    parts: dict[str, Part]
    problems: tuple[Problem, ...] = ()

    def get(self, name: str) -> Part:
        """The part called ``name``; :class:`UmpireError` names those there are if there is none."""
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
    return _collect("report", REPORTS, "render")


def rulesets() -> Registry[Ruleset]:
    """All rulesets."""
    return _collect("ruleset", RULESETS, "name")


def _collect(kind: str, group: str, attribute: str) -> Registry[Any]:
    parts: dict[str, Any] = {
        name: getattr(import_module(module, __package__), symbol)
        for name, (module, symbol) in _BUILT_IN[group].items()
    }
    problems = []
    for point in sorted(entry_points(group=group), key=lambda p: (p.name, p.value)):
        if point.name in _BUILT_IN[group]:
            continue
        part, problem = _load(kind, point, attribute)
        if problem is not None:
            problems.append(problem)
        else:
            parts[point.name] = part
    return Registry(kind, parts, tuple(problems))


def _load(kind: str, point: EntryPoint, attribute: str) -> tuple[Any, Problem | None]:
    """A plugin is somebody else's code: whatever it raises is a problem of that plugin alone."""
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
