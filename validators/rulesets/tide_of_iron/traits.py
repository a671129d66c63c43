"""What of a unit bears on its way, and what of its move was no walking of its own."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from ....model.fact import Fact
from ....model.unit import Unit
from ...concepts.hex_entries import CostItem


@dataclass(frozen=True, slots=True)
class Traits:
    """What of a unit bears on its way.

    ``start``: where it began to go by itself ('' if it did not), ``end``: where it was left. ``stalled``:
    where a roll stopped it ('' nowhere), None: that is not told. ``assaults``: an assault is declared.
    ``goes_on``: it is, or may be, moved on in the phase, or was stopped where it is; ``ended``: whether it
    ended its movement there all the same, None if nobody says. ``card``: what is
    known of any unit's attribute.
    """

    unit: Unit
    classes: tuple[str, ...]
    tank: bool | None
    engineer: bool | None
    start: str
    end: str
    stalled: str | None
    assaults: bool
    goes_on: bool
    ended: bool | None
    card: Callable[[str, str], Fact]

    def of(self, *classes: str) -> bool | None:
        """Whether it is of one of these classes."""
        answers = {c in classes if c else None for c in self.classes}
        return answers.pop() if len(answers) == 1 else None


@dataclass(frozen=True, slots=True)
class Itinerary:
    """What of a move is not the unit's own walking. ``hops``: from where to where it was carried, in
    order; ``walks``: whether it went by itself before each of them, and after the last. ``surcharges``: what
    it paid for besides, wherever it went."""

    hops: tuple[tuple[str, str], ...] = ()
    walks: tuple[bool, ...] = (True,)
    surcharges: tuple[tuple[str, CostItem], ...] = ()

    @property
    def plain(self) -> bool:
        """Whether it simply walked."""
        return not self.hops and not self.surcharges
