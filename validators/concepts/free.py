"""The movement graph of a mover whose way these rules do not judge: every way is open and costs nothing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ..ruleset import CostBreakdown, Step, Tag


@dataclass(frozen=True, slots=True)
class FreeMovementGraph:
    """See :class:`~..ruleset.MovementGraph`. ``shown``: the hexes where the log shows the mover. Which way it
    went between them does not matter, so that one step leads from each to each."""

    shown: tuple[str, ...]
    least: int = 0

    def steps(self, hex_name: str, tag: Tag, /) -> Sequence[Step]:
        """A step into every hex where it is shown."""
        return [Step(to, 0) for to in self.shown if to != hex_name]

    def edges_with_violations(self, hex_name: str, tag: Tag, /) -> Sequence[Step]:
        """The same."""
        return self.steps(hex_name, tag)

    def cost_breakdown(self, hex_name: str, tag: Tag, step: Step, /) -> CostBreakdown:
        """Nothing is due."""
        return CostBreakdown(())
