"""The movement graph of a mover whose path these rules do not judge: every step is open and costs nothing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ..ruleset import CostBreakdown, Step, Tag


@dataclass(frozen=True, slots=True)
class FreeMovementGraph:
    """See :class:`~..ruleset.MovementGraph`.

    ``shown``: the hexes where the log shows the mover. One step leads from each of them to each other, since
    its path between them does not matter.
    """

    shown: tuple[str, ...]
    least: int = 0

    def steps(self, hex_name: str, tag: Tag, /) -> Sequence[Step]:
        """A free step into every other hex where the mover is shown."""
        return [Step(to, 0) for to in self.shown if to != hex_name]

    def edges_with_violations(self, hex_name: str, tag: Tag, /) -> Sequence[Step]:
        """The same steps as :meth:`steps`: nothing can be broken."""
        return self.steps(hex_name, tag)

    def cost_breakdown(self, hex_name: str, tag: Tag, step: Step, /) -> CostBreakdown:
        """An empty breakdown."""
        return CostBreakdown(())
