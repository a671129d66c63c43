"""Conformance cases, run: what an audit says of a case, and where that is not what is expected."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from fractions import Fraction

from ..importers.cases.case import Case, CaseVerdict, Expectation
from ..model.bill import Amount
from ..model.finding import Audit, Finding, JudgedMove
from ..model.game import Game
from ..validators.audit import audit
from ..validators.ruleset import Ruleset

ACCUSING = ("illegal-move", "overstack", "missed-mp-cost")
"""Kinds of finding that hold something against somebody."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What an audit said of a case, in the terms of an :class:`Expectation`. ``move``: the one that
    cost, allowance and the like are about; None if there is none. ``failures``: checks of this program
    that broke down."""

    audit: Audit
    verdict: CaseVerdict
    verdicts: tuple[CaseVerdict, ...]
    codes: frozenset[str]
    notes: frozenset[str]
    unknowns: frozenset[str]
    move: JudgedMove | None
    failures: tuple[str, ...] = ()

    @property
    def cost(self) -> Amount | None:
        bill = self.move.bill if self.move is not None else None
        return bill.total if bill is not None else None

    @property
    def allowance(self) -> Amount | None:
        bill = self.move.bill if self.move is not None else None
        return bill.allowance if bill is not None else None

    @property
    def short(self) -> Fraction | None:
        bill = self.move.bill if self.move is not None else None
        return bill.shortfall if bill is not None else None

    @property
    def form(self) -> str | None:
        return self.move.form if self.move is not None else None

    @property
    def cited(self) -> frozenset[str]:
        """Every clause that a finding or a charge names."""
        found = {name for f in self.audit.findings for name in (f.code, f.clause)}
        bills = [m.bill for m in self.audit.moves] + [f.bill for f in self.audit.findings]
        charges = {c.clause for b in bills if b is not None for c in (*b.charges, b.credit) if c}
        return frozenset(found | charges)


@dataclass(frozen=True, slots=True)
class Difference:
    """One thing that came out otherwise than expected."""

    what: str
    expected: str
    found: str


def run_case(case: Case, ruleset: Ruleset, off: Iterable[str] = ()) -> Outcome:
    """Audit the game of ``case``; ``off``: clauses switched off besides.

    Raises :class:`~vassal_umpire.model.problem.WrongPack` if its tables do not fit the ruleset.
    """
    result = audit(_without(case.game, off), ruleset)
    accusing = [f for f in result.findings if f.kind in ACCUSING]
    open_ones = [f for f in result.findings if f.kind == "unverifiable"]
    verdicts = tuple(_verdict(m) for m in result.moves)
    verdict = _overall(verdicts, accusing, open_ones)
    told = open_ones if verdict == "unverifiable" else accusing
    unknowns = {u.key for m in result.moves for u in m.unknowns}
    unknowns |= {u.key for f in open_ones for u in f.unknowns}
    return Outcome(
        audit=result,
        verdict=verdict,
        verdicts=verdicts,
        codes=frozenset(f.code for f in told),
        notes=frozenset(f.code for f in result.findings if f.kind == "note"),
        unknowns=frozenset(unknowns),
        move=_move(result.moves, case.expectation.move),
        failures=tuple(str(p) for p in result.problems if p.severity == "error"),
    )


def _without(game: Game, off: Iterable[str]) -> Game:
    more = tuple(off)
    if not more:
        return game
    return replace(game, rules=replace(game.rules, off=(*game.rules.off, *more)))


def _verdict(judged: JudgedMove) -> CaseVerdict:
    return judged.verdict if judged.judged else "not-judged"


def _overall(
    verdicts: tuple[CaseVerdict, ...], accusing: list[Finding], open_ones: list[Finding]
) -> CaseVerdict:
    if accusing or "illegal" in verdicts:
        return "illegal"
    if open_ones or "unverifiable" in verdicts:
        return "unverifiable"
    return "legal" if "legal" in verdicts or not verdicts else "not-judged"


def _move(moves: tuple[JudgedMove, ...], number: int | None) -> JudgedMove | None:
    if number is not None:
        return moves[number - 1] if number <= len(moves) else None
    judged = [m for m in moves if m.judged]
    return judged[-1] if judged else None


def differences(expected: Expectation, found: Outcome) -> tuple[Difference, ...]:
    """Everything that came out otherwise than expected; what is not said of, is not compared."""
    told: list[Difference] = [Difference("audit", "no failed check", f) for f in found.failures]

    def compare(what: str, wanted: object, got: object) -> None:
        if wanted is not None and wanted != got:
            told.append(Difference(what, shown(wanted), shown(got)))

    compare("verdict", expected.verdict, found.verdict)
    compare("verdicts", expected.verdicts, found.verdicts)
    compare("codes", expected.codes, found.codes)
    if expected.codes is None and expected.verdict == "legal":
        compare("codes", frozenset(), found.codes)
    compare("notes", expected.notes, found.notes)
    compare("cost", expected.cost, found.cost)
    compare("allowance", expected.allowance, found.allowance)
    compare("short", expected.short, found.short)
    compare("form", expected.form, found.form)
    compare("unknowns", expected.unknowns, found.unknowns)
    return tuple(told)


def shown(value: object) -> str:
    """A value of an expectation as people write it."""
    if value is None or value == "":
        return "none"
    if isinstance(value, frozenset):
        return ", ".join(sorted(map(str, value))) or "none"
    if isinstance(value, tuple):
        return ", ".join(map(str, value)) or "none"
    if isinstance(value, Amount):
        if value.is_exact:
            return str(value.lo)
        return f"{value.lo}.." + ("" if value.hi is None else str(value.hi))
    return str(value)
