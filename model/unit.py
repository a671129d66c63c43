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
"""The name of a unit whose piece has neither name nor picture, and of a marker whose piece has no name (the
file name of a picture does not say for certain what a marker is)."""


@dataclass(frozen=True, slots=True)
class Unit:
    """A counter that moves, or a status marker that lies with one.

    ``id`` is the VASSAL piece id; ``side`` None: not known. ``attributes``: values at the opening; state
    changes in the game replace single values. ``seen_by``: the sides that may know it is there; None:
    everyone. ``name`` is what everyone may read; for a masked counter, the mask's name.
    """

    id: str
    name: str
    side: str | None = None
    kind: Kind = "unit"
    attributes: Mapping[str, Fact] = field(default_factory=lambda: NO_FACTS)
    seen_by: tuple[str, ...] | None = None

    def fact(self, name: str) -> Fact:
        """The attribute ``name``; unknown if it is not listed."""
        return self.attributes.get(name, UNKNOWN)
