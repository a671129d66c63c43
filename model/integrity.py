"""What a game's logs tell of how it was played, besides its moves: traces, dice, and a test of the dice.

Nothing of it is a finding, and nothing is held against anybody: most of what stands here is agreed among
players. Players are called by their names or labels; their ids are passwords and have no place here.
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
    """Something done in ``steps``. ``player`` empty: not known. ``sure``: whether the log itself says who did
    it, or only the steps around it do. ``finding``: the place, from 0, of the finding of the audit that says
    the same; None: there is none."""

    kind: TraceKind
    steps: tuple[StepRef, ...]
    text: str
    player: str = ""
    side: str | None = None
    sure: bool = True
    finding: int | None = None


@dataclass(frozen=True, slots=True, repr=False)
class Roll(Short):
    """Dice that a player rolled. ``dice``: the name of the button; ``results``: what they showed, as it was
    told. ``kind``: what each result is a result of (``d6``); ``sides``: the sides that came up, or their sum;
    both are empty where the result was not read. ``said``: what the player typed last before it, with
    nothing moved since; empty: nothing. ``undone``: the step in which it was taken back."""

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
    """How often each result of one kind of dice came for one player. ``chances``: how often it comes among
    all that are equally likely; ``names``: what stands on the sides, where these are no plain numbers."""

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
        """What the average of many results comes to."""
        every = sum(chance for _, chance in self.chances)
        return Fraction(sum(side * chance for side, chance in self.chances), every)


@dataclass(frozen=True, slots=True)
class DiceTest:
    """One test of all dice of a player against fair ones (chi-square). ``rolls``: that it counts;
    ``kinds``: their dice. ``p``: how likely fair dice differ as much or more; ``adjusted``: the same,
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
    """``from_logs``: whether it was read from logs; else only what the game itself tells is known.
    ``unread``: how many rolls of each player there are whose results were not read. ``tests``: None where
    the reader may not see them."""

    from_logs: bool = True
    traces: tuple[Trace, ...] = ()
    rolls: tuple[Roll, ...] = ()
    tallies: tuple[Tally, ...] = ()
    unread: tuple[tuple[str, int], ...] = ()
    tests: tuple[DiceTest, ...] | None = None
