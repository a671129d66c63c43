"""Names that a game's files use and the tables of its ruleset should know: terrains, lines, classes.

An importer collects the names with their places (:class:`NameUsed`), a ruleset lists the names it knows
(:class:`Words`), and :func:`unknown_names` compares the two.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from difflib import get_close_matches

from .problem import Problem, Severity

PLACEHOLDER = "to be named"
"""Stands for a name in tables that must not be empty."""
CHART = "chart"
TERRAIN = "terrain"
HEXSIDE = "hexside feature"
LINE = "kind of line"
FORM = "movement form"


def value_of(attribute: str) -> str:
    """The kind of the values of an attribute of units, such as its class."""
    return f"value of the attribute {attribute}"


CLASS = value_of("class")


@dataclass(frozen=True, slots=True)
class NameUsed:
    """A name of one kind (:data:`TERRAIN`, :data:`LINE` …, :func:`value_of`) and its place: file, line.
    ``of_file``: the file; '': the part of the place before the line."""

    kind: str
    name: str
    where: str
    of_file: str = ""

    @property
    def file(self) -> str:
        """The file that uses it."""
        return self.of_file or self.where.partition(" line ")[0]


@dataclass(frozen=True, slots=True)
class Words:
    """The names of one kind that a ruleset's tables know. ``chart``: the chart that has them all if a pack
    calls it complete; '': there is no such chart. ``any_case``: case is ignored."""

    names: frozenset[str]
    chart: str = ""
    any_case: bool = False

    def know(self, name: str) -> bool:
        """Whether ``name`` is one of them."""
        if not self.any_case:
            return name in self.names
        return name.casefold() in {known.casefold() for known in self.names}


def unknown_names(
    used: Iterable[NameUsed], words: Mapping[str, Words], complete: frozenset[str] | None
) -> Iterator[Problem]:
    """A problem for each name that ``words`` do not know, once per file: an error if its chart is one of
    ``complete`` (None: all charts are) or if it should name a chart, else a warning."""
    told: dict[tuple[str, str, str], list[NameUsed]] = {}
    for use in used:
        known = words.get(use.kind)
        if known is not None and not known.know(use.name):
            told.setdefault((use.kind, use.name, use.file), []).append(use)
    for (kind, name, _), uses in told.items():
        known = words[kind]
        near = get_close_matches(name, known.names, n=1, cutoff=0.5)
        meant = f" (did you mean {near[0]}?)" if near else ""
        sure = kind == CHART or (known.chart and (complete is None or known.chart in complete))
        more = f", and {len(uses) - 1:,} more" if len(uses) > 1 else ""
        message = f"expected {_one_of(kind, known)}{meant}; found {name}{more}"
        if not sure:
            message += "; until the tables have it, moves that need it stay open"
        severity: Severity = "error" if sure else "warning"
        yield Problem("unknown-name", message, uses[0].where, severity)


def _one_of(kind: str, words: Words) -> str:
    listed = ", ".join(sorted(words.names - {PLACEHOLDER})[:12]) or "there is none yet"
    more = " …" if len(words.names) > 12 else ""
    return f"a {kind} that the ruleset's tables know ({listed}{more})"


def natural_order(name: str) -> list[tuple[int, str]]:
    """The key that sorts names as people do: ``turn-2`` before ``turn-10``."""
    return [(int(p), "") if p.isdecimal() else (-1, p) for p in re.split(r"(\d+)", name)]
