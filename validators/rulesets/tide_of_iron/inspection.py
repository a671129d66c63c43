"""Acts that are no moves: who boards what and where, who gets out, who digs in."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ....model.finding import Finding
from ....model.game import Game
from ...moves import Track
from ...ruleset import StackingRule
from ...timeline import Timeline
from .tables import Tables


class Inspection:
    """The acts of a game, looked at phase by phase."""

    def __init__(
        self,
        game: Game,
        tracks: Sequence[Track],
        timeline: Timeline,
        tables: Tables,
        stacking: StackingRule | None,
    ) -> None:
        self.game, self.tracks, self.timeline, self.tables = game, tracks, timeline, tables
        self.stacking = stacking

    def run(self) -> Iterator[Finding]:
        """All that is found."""
        yield from ()
