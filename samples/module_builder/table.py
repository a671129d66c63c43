"""What a scenario's script may do at the table, in the players' words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from vassal_umpire.importers.vassal.commands import Player
from vassal_umpire.importers.vassal.sequence import join

from .scribe import Scribe


@dataclass
class Table:
    """A scribe that knows counters, sides and phases by name.

    ``levels``: status → its levels, in order. ``now``: turn, side and phase the tracker shows.
    """

    scribe: Scribe
    players: Mapping[str, Player]
    ids: Mapping[str, str]
    levels: Mapping[str, Sequence[str]]
    phases: tuple[str, ...]
    now: tuple[int, str, str] = (1, "", "")

    def open(self, turn: int, side: str, phase: str) -> None:
        """A log begins; ``side`` acts."""
        self.now = turn, side, phase
        self.scribe.turn = self._state(turn, side, phase)
        self.scribe.begin()
        self.act(side)

    def act(self, side: str) -> None:
        """Whose hand does what follows."""
        self.scribe.player = self.players[side]

    def phase(self, phase: str, side: str = "", turn: int = 0) -> None:
        """The turn tracker goes on to a phase; ``side`` and ``turn`` stay if they are not told."""
        before = self._shown()
        self.now = turn or self.now[0], side or self.now[1], phase
        self.scribe.advance(self._state(*self.now), before, self._shown())

    def move(self, unit: str, *hexes: str) -> None:
        """Drag one counter from hex to hex, one drag each."""
        for name in hexes:
            self.scribe.drag(self.ids[unit], name)

    def stack(self, unit: str, *hexes: str) -> None:
        """Drag the whole stack a counter is in, to hexes that are empty."""
        for name in hexes:
            self.scribe.drag_stack(self.ids[unit], name)

    def mark(self, unit: str, status: str, level: str | int) -> None:
        """Set a status by the name of its level; other states (``Spent``, ``Facing``) by number."""
        known = self.levels.get(status)
        state = str(known.index(str(level)) + 1) if known is not None else str(level)
        self.scribe.change(self.ids[unit], status, state)

    def undo(self) -> None:
        """Press the undo button right after a drag."""
        self.scribe.undo()

    def say(self, words: str) -> None:
        """Write into the chat."""
        self.scribe.say(words)

    def roll(self, dice: str, *faces: int) -> None:
        """Throw dice that fall as told."""
        self.scribe.roll(dice, faces)

    def clear_marks(self) -> None:
        """Press the button that takes the moved marks off."""
        self.scribe.mark_all_unmoved()

    def _shown(self) -> str:
        turn, side, phase = self.now
        return f"Turn {turn}, {side} {phase}"

    def _state(self, turn: int, side: str, phase: str) -> str:
        """The state of the turn tracker: which turn, which side, which phase, by number."""
        at = self.phases.index(phase)
        shown = f"{at};0;0;{','.join(['true'] * len(self.phases))}"
        number = list(self.players).index(side)
        on = ",".join(["true"] * len(self.players))
        sides = join([str(number), "0", "0", on, shown], ";")
        return join(["0", join([str(turn), "0", "false", "-1", sides], ";")], "|")
