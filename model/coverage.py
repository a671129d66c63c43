"""How many drags an audit judged. Every "nothing was found" is stated with these numbers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

NOT_UNITS = "of counters that the pack does not call units"
NO_PLACE = "to or from places that the pack calls neither hexes nor boxes"
NO_PHASE = "in no known phase"
WAITS = "waiting for an answer"
NO_SIDE = "of a side that is not known"
NO_MOVEMENT = ("combat", "other", "no movement")
"""Forms that are not movement: two that facts and phases use, and one that a pack may name."""


@dataclass(frozen=True, slots=True)
class Coverage:
    """How many drags on a map there were, and how many were judged. A drag is one piece, put down once.

    ``legal``, ``illegal``, ``open``: drags by the verdict on their move. ``phaseless``: the open ones in no
    known phase. ``unjudged``: by reason, drags on the map to which no rule was applied. ``passed``: drags
    that are not movement on a map (pieces put on the map or taken off it, combat, drags taken back); no
    total counts them. ``unlooked``: other things that were not checked because their limits are not known.
    """

    legal: int = 0
    illegal: int = 0
    open: int = 0
    phaseless: int = 0
    unjudged: Mapping[str, int] = field(default_factory=lambda: MappingProxyType({}))
    passed: int = 0
    unlooked: tuple[str, ...] = ()

    @property
    def drags(self) -> int:
        """All drags on a map."""
        return self.decided + self.open + sum(self.unjudged.values())

    @property
    def decided(self) -> int:
        """Drags that are legal or illegal."""
        return self.legal + self.illegal

    @property
    def is_undecided(self) -> bool:
        """Whether there were drags and none is decided."""
        return bool(self.drags) and not self.decided

    @property
    def is_whole(self) -> bool:
        """Whether every drag on a map is decided."""
        return self.decided == self.drags

    @property
    def percent(self) -> float:
        """The share of drags that are decided; 100 where there are none."""
        return 100 * self.decided / self.drags if self.drags else 100.0

    @property
    def reasons(self) -> Mapping[str, int]:
        """How many drags are not decided, by reason."""
        found = {
            NO_PHASE: self.phaseless,
            WAITS: self.open - self.phaseless,
            **self.unjudged,
        }
        return {why: number for why, number in found.items() if number}


NOTHING_MOVED = Coverage()
