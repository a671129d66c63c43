"""The readings in force in a game, for rules that can be read in more than one way."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from ..model.finding import Clause
from ..model.game import Rules

TABLES = "rules."
"""Prefix of the options that a pack sets in its ``[rules]``."""


def readings_in_force(
    clauses: Mapping[str, Clause], rules: Rules, told: Mapping[str, str]
) -> dict[str, str]:
    """The value of each option, for all readings of clauses that are not switched off: the ruleset's own
    (``told``), else the pack's, else the default."""
    found: dict[str, str] = {}
    for key, clause in clauses.items():
        if key not in rules.off:
            for reading in clause.readings:
                for option, value in _settled(reading.option, rules):
                    found[option] = _text(reading.default if value is None else value)
    return {**found, **told}


def _settled(option: str, rules: Rules) -> Iterator[tuple[str, Any]]:
    """``option`` with the pack's value for it; None if the pack gives none. A ``*`` in its name stands for
    every name in that table, and each gives an option of its own."""
    if option in rules.options or not option.startswith(TABLES):
        yield option, rules.options.get(option)
        return
    paths: list[tuple[list[str], Any]] = [([], rules.tables)]
    for part in option.removeprefix(TABLES).split("."):
        paths = [
            ([*path, name], here.get(name) if isinstance(here, Mapping) else None)
            for path, here in paths
            for name in (_names(here) if part == "*" else [part])
        ]
    for path, value in paths:
        yield TABLES + ".".join(path), value


def _names(table: Any) -> list[str]:
    return [str(name) for name in table] if isinstance(table, Mapping) else []


def _text(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
