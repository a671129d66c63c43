"""The outcomes of conformance cases as plain JSON values: ``umpire check-cases --format json``."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from ..importers.cases.case import Case, Expectation
from ..model.bill import Amount
from ..model.fact import MissingFact
from ..model.plain import plain_number
from .conformance import Difference, Outcome
from .json_text import picked

FORMAT = "vassal-umpire cases"
VERSION = 1

Plain = dict[str, Any]


def plain_outcomes(
    results: Iterable[tuple[Case, Outcome, Sequence[Difference]]], ignored: Iterable[Case]
) -> Plain:
    """All that was run, in order, and what was not."""
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
    """What the case says, and nothing else."""
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
