"""Movement classes of counters that the charts do not have yet, and the edit that adds them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...importers.pack.attributes import Reader
from ...importers.pack.pack import Pack
from ..ruleset_needs import PLACEHOLDER
from .counter_kinds import Kind
from .form_changes import toml_edit

RULES, CLASSES, NAMES = "rules", "classes", "names"
MOST_READ = 20
"""Pieces of one kind that are looked at for the class that is read of them."""


def to_adopt(pack: Pack, kinds: Sequence[Kind]) -> dict[str, Any] | None:
    """The ``names`` of classes that units have and the charts do not, and the ``edits`` that add them; None:
    there are none, or the ruleset's charts know no classes by name."""
    rules = pack.values.get(RULES, {})
    chart = rules.get(CLASSES) if isinstance(rules, dict) else None
    if not isinstance(chart, dict) or not isinstance(chart.get(NAMES), list):
        return None
    held = [str(name) for name in chart[NAMES] if name != PLACEHOLDER]
    new = [
        name
        for name in classes_of(pack, str(chart.get("attribute", "class")), kinds)
        if name not in held
    ]
    if not new:
        return None
    edit = toml_edit((RULES, CLASSES, NAMES), chart[NAMES], [*held, *new])
    return {"names": new, "edits": [edit]}


def classes_of(pack: Pack, attribute: str, kinds: Sequence[Kind]) -> tuple[str, ...]:
    """The classes that units are said to have for certain, in order."""
    looks = pack.units.attributes.get(attribute, ())
    if not looks:
        return ()
    reader = Reader(pack)
    found: set[str] = set()
    for kind in kinds:
        for piece in kind.pieces[:MOST_READ]:
            if reader.kind(piece) == "unit":
                found.update(
                    o for o in reader.fact(looks, piece).options or () if isinstance(o, str)
                )
    return tuple(sorted(found))
