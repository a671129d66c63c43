"""``clauses.toml`` of a ruleset, read.

One table a clause::

    [GEN-STACKING]
    title = "Stacking"
    text = "No more units of a side than the limit may be in a hex when it is checked."   # our own words
    kind = "stacking"
    status = "enforced"             # the default; or declared, not-observable, definition
    reason = "…"                    # why it is less than enforced
    needs = ["where every unit is", "the stacking limits"]
    unverifiable = ["how big a counter is, is not known"]

    [[GEN-STACKING.readings]]       # where the text can be read in more than one way
    option = "stacking.checked"
    question = "When is a stack looked at?"
    choices = ["move-end", "phase-end"]
    default = "move-end"

A ruleset that builds on another says besides for which clauses of that one a clause of its own stands; they
are cited by its id then (``base = ["GEN-STACKING"]``).
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
    """By the id of a clause those of the other ruleset that it stands for."""
    rows = tomllib.loads(file.read_text(encoding="utf-8"))
    return {name: tuple(row[BASE]) for name, row in rows.items() if BASE in row}


def read_clauses(file: Traversable) -> Mapping[str, Clause]:
    """Every clause by id, in the order of the file. A file that ships with a ruleset is right or a
    fault of that ruleset: TypeError for keys there are none of, KeyError for those that lack."""
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
