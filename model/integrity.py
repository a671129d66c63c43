"""How a game was played, besides its moves, as its logs show: traces, dice, and a test of the dice.

None of this is a finding or an accusation: players agree on most such things. Players are called by their
names or labels; their ids are passwords and never stand here.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar, Literal

from .game import StepRef
from .short_repr import Short

TraceKind = Literal[
    "undo-after-roll",
    "other-side",
    "out-of-phase",
    "came",
    "cloned",
    "left",
    "other-map",
    "does-not-follow",
    "deck",
    "uncovered",
    "other-module",
]


@dataclass(frozen=True, slots=True, repr=False)
class Trace(Short):
    """Something done in ``steps``. ``player`` empty: not known. ``sure``: the log itself says who did it;
    False: only the steps around it do. ``finding``: index of the audit's finding about the same thing; None:
    there is none."""

    kind: TraceKind
    steps: tuple[StepRef, ...]
    text: str
    player: str = ""
    side: str | None = None
    sure: bool = True
    finding: int | None = None


@dataclass(frozen=True, slots=True, repr=False)
class Roll(Short):
    """Dice that a player rolled. ``dice``: the name of the button; ``results``: as reported. ``kind``: what
    each result counts (``d6``); ``sides``: the sides that came up, or their sum; both are empty if the result
    was not read. ``said``: the last line that the player typed before it, if nothing was moved since; else
    empty. ``undone``: the step that took it back; None: none did."""

    shown: ClassVar = ("at", "dice", "results", "player", "side", "undone")

    at: StepRef
    player: str
    side: str | None
    dice: str
    results: tuple[str, ...]
    kind: str = ""
    sides: tuple[int, ...] = ()
    said: str = ""
    undone: StepRef | None = None


@dataclass(frozen=True, slots=True, repr=False)
class Tally(Short):
    """How often one player got each result of one kind of dice. ``chances``: relative frequencies of fair
    dice; ``names``: the names of the sides, if they are not plain numbers."""

    shown: ClassVar = ("player", "side", "kind", "rolls")

    player: str
    side: str | None
    kind: str
    rolls: int
    counts: tuple[tuple[int, int], ...]
    chances: tuple[tuple[int, int], ...]
    names: tuple[str, ...] = ()

    @property
    def results(self) -> int:
        """How many results there are."""
        return sum(count for _, count in self.counts)

    @property
    def mean(self) -> Fraction:
        """The average of the results."""
        return Fraction(sum(side * count for side, count in self.counts), self.results)

    @property
    def expected_mean(self) -> Fraction:
        """The average of fair dice."""
        every = sum(chance for _, chance in self.chances)
        return Fraction(sum(side * chance for side, chance in self.chances), every)


@dataclass(frozen=True, slots=True)
class DiceTest:
    """A chi-square test of all dice of a player against fair dice. ``rolls``: how many it counts;
    ``kinds``: their dice. ``p``: the probability that fair dice differ at least as much; ``adjusted``: ``p``
    corrected for ``tests``, the number of players tested (Holm)."""

    player: str
    side: str | None
    kinds: tuple[str, ...]
    rolls: int
    chi_square: float
    freedom: int
    p: float
    adjusted: float
    tests: int


@dataclass(frozen=True, slots=True, repr=False)
class Integrity(Short):
    """How a game was played. ``from_logs`` False: there were no logs, and only facts from the game are known.
    ``unread``: by player, how many rolls have results that were not read. ``tests``: None if the reader may
    not see them."""

    from_logs: bool = True
    traces: tuple[Trace, ...] = ()
    rolls: tuple[Roll, ...] = ()
    tallies: tuple[Tally, ...] = ()
    unread: tuple[tuple[str, int], ...] = ()
    tests: tuple[DiceTest, ...] | None = None
