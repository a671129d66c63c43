"""A unit with every attribute on which its movement depends set to one of its possible values."""

from __future__ import annotations

from dataclasses import dataclass

from ....model.unit import Unit
from .tables import Tables


@dataclass(frozen=True, slots=True)
class Kind:
    """A unit with every attribute on which its movement depends set to one of its possible values.
    ``mover``: the movement class printed on it."""

    unit: Unit
    mover: str
    type: str
    nation: str
    mode: str
    motor: bool
    traction: str = ""
    battery: str = ""
    calibre: str = ""
    deployed: str = "no"
    stays: bool = False
    """The facts say that it did not leave Maneuver Reserve for Exploit Mode in this phase."""

    def is_a(self, tables: Tables, *kinds: str) -> bool:
        """Whether its type is one that the tables list under one of ``kinds``."""
        return any(self.type in tables.types[kind] for kind in kinds)

    @property
    def words(self) -> tuple[str | bool, ...]:
        """All attribute values, as part of a cache key."""
        return (
            self.mover,
            self.type,
            self.nation,
            self.mode,
            self.motor,
            self.traction,
            self.battery,
            self.calibre,
            self.deployed,
            self.stays,
        )

    @property
    def is_allied(self) -> bool:
        return self.nation in ("us", "british")
