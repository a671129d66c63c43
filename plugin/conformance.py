"""Run conformance cases: the audit of a case, and its differences from what is expected; as text and as
JSON."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from ..importers.cases.case import Case, CaseVerdict, Expectation
from ..model.bill import Amount
from ..model.fact import MissingFact
from ..model.finding import ACCUSING, Audit, Clause, Finding, JudgedMove
from ..model.game import Game
from ..model.hexgrid import to_offset
from ..model.plain import plain_number
from ..validators.audit import audit
from ..validators.ruleset import Ruleset
from .json_text import picked
from .reports.json import cited_in
from .reports.routes import route, unit_names
from .reports.text import bill_table
from .text_writer import TextWriter


@dataclass(frozen=True, slots=True)
class Outcome:
    """The audit of a case in the terms of an :class:`Expectation`. ``move``: the one that cost, allowance and
    the like are about; None if there is none. ``failures``: checks of this program that failed to run."""

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
        return cited_in(self.audit)


@dataclass(frozen=True, slots=True)
class Difference:
    """One difference from what was expected."""

    what: str
    expected: str
    found: str


def run_case(case: Case, ruleset: Ruleset, off: Iterable[str] = ()) -> Outcome:
    """Audit the game of ``case``. ``off``: further clauses to switch off.

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
    """All differences from what was expected; only stated expectations are compared."""
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


EMPTY = "-"
ON_PATH = "*"
LONGEST_NAME = 3
"""Characters of a unit's id shown on the board."""


def show_case(
    writer: TextWriter,
    case: Case,
    outcome: Outcome,
    differing: Sequence[Difference],
    clauses: Mapping[str, Clause],
) -> None:
    """Print one case: failed if it has differences, else passed."""
    word, style = ("FAILED", "bold red") if differing else ("passed", "bold green")
    title = f"  {case.title}" if case.title else ""
    writer.blank()
    writer.spans((word, style), (f"  {case.id}", "bold"), (title, ""), hang=8)
    writer.labelled("written in", case.where, indent=2)
    if case.source:
        writer.labelled("source", case.source, indent=2)
    for name in case.clauses:
        clause = clauses.get(name)
        text = f"{clause.title}: {clause.text}" if clause is not None else "no such clause"
        writer.labelled("clause", f"{name}  {text}", indent=2)
    writer.blank()
    writer.verbatim(drawing(case, outcome), indent=4)
    legend = [f"{letter} {what}" for letter, what in case.written.legend.items()]
    writer.line("; ".join([*legend, "* the path found"]), indent=4, hang=2)
    writer.blank()
    _written(writer, case)
    _moves(writer, outcome)
    if case.note:
        writer.labelled("by hand", case.note, indent=2)
    if differing:
        writer.blank()
        rows = [(d.what, d.expected, d.found) for d in differing]
        writer.table(("", "expected", "found"), rows, indent=2)


def drawing(case: Case, outcome: Outcome | None = None) -> str:
    """The board of ``case``, staggered as it was written, with the numbers of columns and rows, the
    units where they began (``f:a``) and the path that was found (``f*``)."""
    board = case.game.board
    path = set(outcome.move.path) if outcome is not None and outcome.move is not None else set()
    inside: dict[str, list[str]] = {}
    for unit, place in case.game.opening.items():
        if place.kind == "hex":
            inside.setdefault(place.name, []).append(unit[:LONGEST_NAME])
    cells: dict[tuple[int, int], str] = {}
    for name, here in board.hexes.items():
        units = inside.get(name, ())
        text = case.written.cells.get(name, "?") + (ON_PATH if name in path else "")
        if units:
            text += f":{units[0]}" + ("+" if len(units) > 1 else "")
        cells[to_offset(here.at)] = text
    return _staggered(cells)


def _staggered(cells: Mapping[tuple[int, int], str]) -> str:
    if not cells:
        return ""
    columns, rows = max(c for c, _ in cells) + 1, max(r for _, r in cells) + 1
    width = max(3, max(map(len, cells.values())) + 1)
    head = "".join(f"{column + 1:02}".ljust(width) for column in range(columns))
    lines = [f"    {head}".rstrip()]
    for row in range(rows):
        for lower in (0, 1):
            row_cells = [
                cells.get((c, row), EMPTY if _inside(cells, c, row) else "")
                if c % 2 == lower
                else ""
                for c in range(columns)
            ]
            margin = "    " if lower else f"{row + 1:02}  "
            lines.append((margin + "".join(cell.ljust(width) for cell in row_cells)).rstrip())
    while lines and not lines[-1].strip():
        lines.pop()
    return "\n".join(lines)


def _inside(cells: Mapping[tuple[int, int], str], column: int, row: int) -> bool:
    """Whether further hexes follow in the line, so that a gap must be shown."""
    return any(r == row and c > column and c % 2 == column % 2 for c, r in cells)


def _written(writer: TextWriter, case: Case) -> None:
    written = case.written
    for label, rows in (
        ("lines", written.lines),
        ("units", written.units),
        ("facts", written.facts),
        ("moves", written.moves),
    ):
        for number, row in enumerate(rows):
            writer.labelled("" if number else label, row, indent=2)
    if case.game.rules.off:
        writer.labelled("off", ", ".join(case.game.rules.off), indent=2)


def _moves(writer: TextWriter, outcome: Outcome) -> None:
    for judged, verdict in zip(outcome.audit.moves, outcome.verdicts, strict=True):
        writer.blank()
        names = unit_names(outcome.audit, judged)
        writer.labelled("move", f"{names}  {route(judged)}: {verdict}", indent=2)
        if judged.path:
            writer.labelled("path", " ".join(judged.path), indent=2)
        if judged.remark:
            writer.labelled("remark", judged.remark, indent=2)
        if judged.bill is not None:
            writer.blank()
            bill_table(writer, judged.bill, indent=4)
    for finding in outcome.audit.findings:
        writer.blank()
        writer.labelled(finding.kind, f"{finding.code}: {finding.explanation}", indent=2, width=14)
        for unknown in finding.unknowns:
            writer.labelled("", f"{unknown.key}: {unknown.question}", indent=2, width=14)


FORMAT = "vassal-umpire cases"
VERSION = 1

Plain = dict[str, Any]


def plain_outcomes(
    results: Iterable[tuple[Case, Outcome, Sequence[Difference]]], ignored: Iterable[Case]
) -> Plain:
    """All cases that were run, in order, and those that were not."""
    cases = [_plain(*result) for result in results]
    passed = sum(case["passed"] for case in cases)
    return {
        "format": FORMAT,
        "version": VERSION,
        "passed": passed,
        "failed": len(cases) - passed,
        "cases": cases,
        "ignored": [{**_head(case), "why": case.ignore} for case in ignored],
    }


def _head(case: Case) -> Plain:
    return picked(case, "case=id ruleset file line")


def _plain(case: Case, outcome: Outcome, differing: Sequence[Difference]) -> Plain:
    return {
        **_head(case),
        "passed": not differing,
        "expected": _expected(case.expectation),
        "found": {
            **picked(outcome, "verdict verdicts"),
            "codes": sorted(outcome.codes),
            "notes": sorted(outcome.notes),
            "cost": _amount(outcome.cost),
            "allowance": _amount(outcome.allowance),
            "form": outcome.form,
            "questions": [picked(u, "key question file stanza") for u in _unknowns(outcome)],
            "failures": list(outcome.failures),
        },
        "differences": [picked(d, "what expected found") for d in differing],
    }


def _expected(expectation: Expectation) -> Plain:
    """The expectations that the case states."""
    plain: Plain = {"verdict": expectation.verdict}
    if expectation.verdicts is not None:
        plain["verdicts"] = list(expectation.verdicts)
    for name in ("codes", "notes", "unknowns"):
        names = getattr(expectation, name)
        if names is not None:
            plain[name] = sorted(names)
    for name in ("cost", "allowance"):
        amount = getattr(expectation, name)
        if amount is not None:
            plain[name] = _amount(amount)
    if expectation.short is not None:
        plain["short"] = plain_number(expectation.short)
    if expectation.form is not None:
        plain["form"] = expectation.form
    if expectation.move is not None:
        plain["move"] = expectation.move
    return plain


def _amount(amount: Amount | None) -> Any:
    """A number, ``{"from": …, "to": …}`` where it is not exact (``to`` left out: no bound), or None."""
    if amount is None:
        return None
    if amount.is_exact:
        return plain_number(amount.lo)
    bound = {} if amount.hi is None else {"to": plain_number(amount.hi)}
    return {"from": plain_number(amount.lo), **bound}


def _unknowns(outcome: Outcome) -> list[MissingFact]:
    found = {u.key: u for move in outcome.audit.moves for u in move.unknowns}
    found.update({u.key: u for finding in outcome.audit.findings for u in finding.unknowns})
    return [found[key] for key in sorted(found)]
