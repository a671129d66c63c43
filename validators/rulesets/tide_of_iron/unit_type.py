"""The type of a unit: the values printed on its counter, by the unit itself or by its type in the tables, and
the classes it may be of."""

from __future__ import annotations

from ....model.fact import UNKNOWN, Fact
from ...concepts.charts import NO_CLASS
from .tables import CLASSES, DEPTHS, Tables

NOT_ACTIVATED = "none"
"""The value of ``action`` of a unit that was not activated."""


def on_card(told: Fact, kind: Fact, attribute: str, tables: Tables) -> Fact:
    """``told``, the unit's own value of an attribute; if it is not known, the value of its type ``kind`` in
    the tables. ``UNKNOWN`` if neither is known."""
    if told.options is not None or told.lo is not None or told.hi is not None:
        return told
    row = tables.types.get(str(kind.value).lower()) if kind.is_known else None
    return row.get(attribute, UNKNOWN) if row is not None else UNKNOWN


def classes_of(fact: Fact) -> tuple[str, ...]:
    """The classes that a unit may be of; a word that is no class counts as ``NO_CLASS``."""
    if fact.options is None:
        return CLASSES
    return tuple(dict.fromkeys(o if o in CLASSES else NO_CLASS for o in map(str, fact.options)))


def depths_of(fact: Fact) -> tuple[str, ...]:
    """The depths that the streams may have: all of them if ``fact`` is not known or names another word."""
    named = tuple(map(str, fact.options or ()))
    return named if named and set(named) <= set(DEPTHS) else DEPTHS
