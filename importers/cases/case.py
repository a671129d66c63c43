"""A conformance case: a small game and the expected result of its audit."""

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
    """The expected result of a case; None: not checked.

    ``verdict``: on the case as a whole: ``illegal`` if there is an accusation, else ``unverifiable`` if
    anything cannot be decided, else ``legal``. ``verdicts``: on every move, in order. ``codes``: of the
    accusations (if the verdict is ``unverifiable``: of the findings that cannot be decided). ``cost``,
    ``allowance``, ``short`` (the MPs that are lacking) and ``form`` are those of move number ``move``, from
    1; if that is None, of the last judged move. ``unknowns``: the keys of the deciding facts.
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
    """The texts of a case as written, to print them again. ``cells``: hex → the letters it is drawn with;
    ``legend``: letter → its meaning, only for letters that the board uses."""

    cells: Mapping[str, str]
    legend: Mapping[str, str]
    lines: tuple[str, ...]
    units: tuple[str, ...]
    facts: tuple[str, ...]
    moves: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Case:
    """One case. ``file`` and ``line``: where it is written. ``ignore``: why it is not run; empty if it is.
    ``note``: how its cost is calculated."""

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
        """The name of the ruleset that the case is for."""
        return self.game.rules.name

    @property
    def where(self) -> str:
        """File and line, as text for a person."""
        return f"{self.file} line {self.line}"
