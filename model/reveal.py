"""What was hidden or masked in a game, told when nothing need be kept from anybody any more."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from .game import StepRef


@dataclass(frozen=True, slots=True)
class Concealed:
    """A unit that some sides could not know, from ``first`` to ``last`` (None: to the end of the logs).

    ``hidden``: they could not know that it was there; ``masked``: they could, but not what it was.
    ``by_name``: what they were shown of it, empty: nothing. ``seen``: where they saw it last before; empty:
    nowhere. ``places``: where it lay in truth, each with the step from which it did. ``again``: where it was
    when they could know it again; empty: they could not, or it was out of the game. ``moves``: ids of its
    moves meanwhile.
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
        """Whether it lay elsewhere than the others had to believe."""
        return self.kind == "hidden" and any(place != self.seen for _, place in self.places)


@dataclass(frozen=True, slots=True)
class Announced:
    """A line of the chat that names a concealed unit with hexes in none of which it lay. ``hexes``: those
    named; ``place``: where it lay."""

    at: StepRef
    unit: str
    name: str
    player: str
    line: str
    hexes: tuple[str, ...]
    place: str


@dataclass(frozen=True, slots=True)
class Revealed:
    """All of it, in the order of the game."""

    concealed: tuple[Concealed, ...] = ()
    announced: tuple[Announced, ...] = ()
