"""The unit, and the parts of its move, as the movement graph needs them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from ....model.fact import Fact
from ....model.unit import Unit
from ...concepts.hex_entries import CostItem


@dataclass(frozen=True, slots=True)
class Traits:
    """What the movement graph needs to know about a unit and its move.

    ``classes``: the classes that it may be of. ``tank``, ``engineer``: whether it has these abilities; None:
    not known. ``start``: the hex where it began to move by itself; empty if it was only carried. ``end``: the
    hex where its move ended; empty if it has no move. ``stalled``: the hex where a failed roll stopped it;
    empty: nowhere; None: not known. ``assaults``: an assault is declared. ``goes_on``: it is or may be moved
    on, is taken off the map next, or may have had to stop at ``end``; so it did not certainly choose to end
    its movement there. ``ended``: whether the facts say that its movement ended at ``end``; None: they do not
    say. ``card``: a function (unit, attribute) → the fact.
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
        """Whether it is of one of these classes; None: not known."""
        answers = {c in classes if c else None for c in self.classes}
        return answers.pop() if len(answers) == 1 else None


@dataclass(frozen=True, slots=True)
class MoveSegments:
    """The parts of a unit's move that are not its own steps.

    ``hops``: the legs on which it was carried, as (origin, target), in order. ``walks``: whether it moved by
    itself before each hop, and after the last; so it is one longer than ``hops``. ``surcharges``: what it
    paid besides its steps (boarding, getting out, wire cleared), with the hex of each."""

    hops: tuple[tuple[str, str], ...] = ()
    walks: tuple[bool, ...] = (True,)
    surcharges: tuple[tuple[str, CostItem], ...] = ()

    @property
    def plain(self) -> bool:
        """Whether it only moved by itself and paid nothing else."""
        return not self.hops and not self.surcharges
