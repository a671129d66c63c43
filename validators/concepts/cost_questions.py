"""Questions about costs in the tables of a pack: what a row costs a class."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from ...model.fact import MissingFact
from ...model.stanza import BLANK, pack_stanza
from .charts import NO_CLASS, is_cell
from .completeness import Completeness

Place = tuple[str, ...]
"""Keys in ``[rules]`` of a pack. A whole number counts the entries of a list from 0."""


def of_cost(
    plain: Mapping[str, Any],
    complete: Completeness,
    place: Place,
    names: Iterable[str],
    classes: tuple[str, ...],
) -> MissingFact:
    """The question about the cost of ``names`` for units of one of ``classes``; which classes there are goes
    before what one that nobody named pays. ``plain``: the tables. ``place``: the path of the rows in them;
    ``{}`` stands for the name."""
    for unknown in complete.questions("classes") if NO_CLASS in classes else ():
        return unknown
    every = tuple(names)
    what, who = ", ".join(every), " or ".join(c or "an unknown class" for c in classes)
    rows: dict[str, Any] = {}
    known = [name for name in classes if name != NO_CLASS]
    for name in every if known else ():
        _put(rows, plain, tuple(key.format(name) for key in place), known)
    return MissingFact(
        f"cost of {what} for {who}",
        f"what does {what} cost {who}?",
        "facts.toml",
        pack_stanza("rules", entry=rows) if rows else "",
    )


def _put(into: dict[str, Any], plain: Any, place: Place, classes: list[str]) -> None:
    """Write a cost with a blank at ``place`` of ``into``. A list is written as a whole, as in ``plain``."""
    key, *rest = place
    held = plain.get(key) if isinstance(plain, Mapping) else None
    if isinstance(held, list):
        number, *inner = rest
        rows = [dict(row) for row in held]
        _put(rows[int(number)], held[int(number)], tuple(inner), classes)
        into[key] = rows
    elif rest:
        into.setdefault(key, {})
        _put(into[key], held, tuple(rest), classes)
    else:
        bounds = isinstance(held, Mapping) and is_cell(held)
        blank = BLANK if bounds else {**_others(held), **dict.fromkeys(classes, BLANK)}
        into[key] = blank


def _others(held: Any) -> Mapping[str, Any]:
    """The cells of a row by class. A row that is one cell for all classes gives it as ``others``."""
    if held is None or isinstance(held, Mapping):
        return held or {}
    return {"others": held}
