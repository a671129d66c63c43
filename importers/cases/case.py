"""A conformance case: a small game, and what an audit of it must say."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from ...model.bill import Amount
from ...model.game import Game

CaseKind = Literal["worked-example", "legal", "illegal", "boundary", "interaction", "unverifiable"]
CaseVerdict = Literal["legal", "illegal", "unverifiable", "not-judged"]


@dataclass(frozen=True, slots=True)
class Expectation:
    """What is expected; None: nothing is said of it.

    ``verdict``: on the case as a whole: ``illegal`` if anything is held against anyone, else
    ``unverifiable`` if anything is left open, else ``legal``. ``verdicts``: on every move, in order.
    ``codes``: of what is held against the moves (of what is left open, where the verdict is
    ``unverifiable``). ``cost``, ``allowance``, ``short`` (by how much it lacks) and ``form`` are those
    of the move numbered ``move`` from 1; None: the last that was judged. ``unknowns``: the keys of the
    deciding facts.
    """

    verdict: CaseVerdict
    verdicts: tuple[CaseVerdict, ...] | None = None
    codes: frozenset[str] | None = None
    notes: frozenset[str] | None = None
    cost: Amount | None = None
    allowance: Amount | None = None
    short: Fraction | None = None
    form: str | None = None
    unknowns: frozenset[str] | None = None
    move: int | None = None


@dataclass(frozen=True, slots=True)
class Written:
    """What a case looks like on paper, to show it again. ``cells``: hex → the letters it is drawn
    with; ``legend``: letter → what it stands for, as far as the board uses it."""

    cells: Mapping[str, str]
    legend: Mapping[str, str]
    lines: tuple[str, ...]
    units: tuple[str, ...]
    facts: tuple[str, ...]
    moves: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Case:
    """One case. ``file`` and ``line``: where it is written. ``ignore``: why it is not run, empty if it
    is. ``note``: how its cost is worked out."""

    id: str
    clauses: tuple[str, ...]
    kind: CaseKind
    game: Game
    expectation: Expectation
    written: Written
    file: str
    line: int
    title: str = ""
    source: str = ""
    note: str = ""
    ignore: str = ""

    @property
    def ruleset(self) -> str:
        """The name of the ruleset it is a case of."""
        return self.game.rules.name

    @property
    def where(self) -> str:
        """File and line, for a person."""
        return f"{self.file} line {self.line}"
