"""What was hidden or masked in a game, for a report after it has ended."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from .game import StepRef


@dataclass(frozen=True, slots=True)
class Concealed:
    """A unit that was concealed from some sides from step ``first`` to ``last`` (None: to the last step).

    ``hidden``: they could not know that it was there; ``masked``: they could, but not what it was.
    ``by_name``: the name they saw; empty: none. ``seen``: where they last saw it before; empty: nowhere.
    ``places``: where it really was, each place with its first step. ``again``: where it was when they could
    know it again; empty: they never could, or it had left the game. ``moves``: ids of its moves meanwhile.
    """

    unit: str
    name: str
    side: str | None
    kind: Literal["hidden", "masked"]
    to: tuple[str, ...]
    by_name: str
    first: StepRef
    last: StepRef | None
    seen: str
    places: tuple[tuple[StepRef, str], ...]
    again: str = ""
    moves: tuple[int, ...] = ()

    @property
    def differs(self) -> bool:
        """Whether its real place differed from what the others saw."""
        return self.kind == "hidden" and any(place != self.seen for _, place in self.places)


@dataclass(frozen=True, slots=True)
class Announced:
    """A chat line that names a concealed unit together with hexes, none of which it was in. ``hexes``: the
    named hexes; ``place``: where it was."""

    at: StepRef
    unit: str
    name: str
    player: str
    line: str
    hexes: tuple[str, ...]
    place: str


@dataclass(frozen=True, slots=True)
class Revealed:
    """Everything that was concealed, in the order of the game."""

    concealed: tuple[Concealed, ...] = ()
    announced: tuple[Announced, ...] = ()
