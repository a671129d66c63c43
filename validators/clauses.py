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
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from importlib.resources.abc import Traversable
from types import MappingProxyType
from typing import Any

from ..model.finding import Clause, Reading


def read_clauses(file: Traversable) -> Mapping[str, Clause]:
    """Every clause by id, in the order of the file. A file that ships with a ruleset is right or a
    fault of that ruleset: TypeError for keys there are none of, KeyError for those that lack."""
    rows = tomllib.loads(file.read_text(encoding="utf-8"))
    return MappingProxyType({name: _clause(name, row) for name, row in rows.items()})


def _clause(name: str, row: dict[str, Any]) -> Clause:
    rest = dict(row)
    readings = tuple(
        Reading(r["option"], r["question"], tuple(r["choices"]), r["default"])
        for r in rest.pop("readings", ())
    )
    needs, unverifiable = (tuple(rest.pop(key, ())) for key in ("needs", "unverifiable"))
    return Clause(name, needs=needs, unverifiable=unverifiable, readings=readings, **rest)
