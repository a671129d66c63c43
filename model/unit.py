"""Units: counters the rules know something about."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Literal

from .fact import UNKNOWN, Fact

NO_FACTS: Mapping[str, Fact] = MappingProxyType({})

Kind = Literal["unit", "marker"]
NAMELESS = "a counter without a name"
"""What a unit is called whose piece has neither a name nor a picture, and a marker whose piece has no name:
the file of its picture does not say for certain what it is."""


@dataclass(frozen=True, slots=True)
class Unit:
    """A counter that moves, or a status marker that lies with one.

    ``id`` is the VASSAL piece id; ``side`` None if not known. ``attributes``: what does not change in
    play, or its value at the opening; state changes in the game replace single values.
    ``seen_by``: the sides that may know it is there; None: everyone. ``name`` is what everyone may
    read; it is the mask's name where the counter is masked.
    """

    id: str
    name: str
    side: str | None = None
    kind: Kind = "unit"
    attributes: Mapping[str, Fact] = field(default_factory=lambda: NO_FACTS)
    seen_by: tuple[str, ...] | None = None

    def fact(self, name: str) -> Fact:
        """The attribute ``name``, unknown if nothing is said of it."""
        return self.attributes.get(name, UNKNOWN)
