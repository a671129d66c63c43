"""Reads ``clauses.toml`` of a ruleset.

It has one table for each clause::

    [GEN-STACKING]
    title = "Stacking"
    text = "No more units of a side than the limit may be in a hex when it is checked."   # in our own words
    kind = "stacking"
    status = "enforced"             # the default; or declared, not-observable, definition
    reason = "…"                    # why the status is not "enforced"
    needs = ["where every unit is", "the stacking limits"]    # what must be known to check it
    unverifiable = ["how big a counter is, is not known"]     # what leaves it open

    [[GEN-STACKING.readings]]       # for each way in which the text is ambiguous
    option = "stacking.checked"
    question = "When is a stack looked at?"
    choices = ["move-end", "phase-end"]
    default = "move-end"

In a ruleset that builds on another, ``base = ["GEN-STACKING"]`` names the clauses of the other ruleset that a
clause replaces. Reports then cite the clause instead of those.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from importlib.resources.abc import Traversable
from types import MappingProxyType
from typing import Any

from ..model.finding import Clause, Reading

BASE = "base"


def read_bases(file: Traversable) -> Mapping[str, tuple[str, ...]]:
    """Id of a clause → ids of the clauses of the other ruleset that it replaces. Clauses that replace none
    are left out."""
    rows = tomllib.loads(file.read_text(encoding="utf-8"))
    return {name: tuple(row[BASE]) for name, row in rows.items() if BASE in row}


def read_clauses(file: Traversable) -> Mapping[str, Clause]:
    """Every clause by id, in the order of the file. A fault in the file is a bug of the ruleset, so errors
    are plain: TypeError for a key that does not exist, or if ``title`` or ``text`` is missing; KeyError if a
    reading lacks a key."""
    rows = tomllib.loads(file.read_text(encoding="utf-8"))
    return MappingProxyType({name: _clause(name, row) for name, row in rows.items()})


def _clause(name: str, row: dict[str, Any]) -> Clause:
    rest = {key: value for key, value in row.items() if key != BASE}
    readings = tuple(
        Reading(r["option"], r["question"], tuple(r["choices"]), r["default"])
        for r in rest.pop("readings", ())
    )
    needs, unverifiable = (tuple(rest.pop(key, ())) for key in ("needs", "unverifiable"))
    return Clause(name, needs=needs, unverifiable=unverifiable, readings=readings, **rest)
