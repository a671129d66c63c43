"""The rows of the tables of an audit, which :mod:`.game_columns` declares.

``to_frames`` of the Python interface (docs/python.md) makes Arrow tables of them (:mod:`.table_files`), and
``umpire batch`` writes the same rows for many games. The tables that ``umpire convert`` writes are others:
they hold what a log says, step by step (:mod:`..importers.analysis.tables`).

A row is a mapping from the names of columns to values; a column that is not in it holds nothing (null). No
table has a column for the game: whoever puts several games into one table adds :data:`GAME`. Fog of war is
not decided here: the functions take an audit that has been cut down to what its reader may see
(:func:`.auditing.audit_game`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction
from typing import Any

from .. import __version__
from ..model.bill import Amount, Bill
from ..model.coverage import Coverage
from ..model.fact import MissingFact
from ..model.finding import Audit, Finding, JudgedMove, PhaseView
from ..model.game import StepRef
from ..model.problem import Problem
from ..model.viewer import Viewer
from .game_columns import TABLES
from .reports.json import summary
from .reports.phrases import pack_of
from .table_files import Row


def audit_rows(audit: Audit, viewer: Viewer) -> dict[str, Iterator[Row]]:
    """The rows of all tables of an audit, which ``viewer`` may read."""
    return {
        "games": iter((game_row(audit, viewer),)),
        "coverage": coverage_rows(audit.coverage),
        "moves": move_rows(audit),
        "findings": finding_rows(audit),
        "charges": charge_rows(audit),
        "rolls": roll_rows(audit),
        "problems": problem_rows(audit.problems),
    }


def _row(table: str, *values: object, **own: Any) -> Row:
    """A row of a table: for each column its value in ``own``, else the attribute of the same name of the
    first of ``values`` that has it; null for an empty text."""
    found = dict(own)
    for name in (column.name for column in TABLES[table]):
        holder = next((value for value in values if hasattr(value, name)), None)
        if name not in own and holder is not None:
            told = getattr(holder, name)
            found[name] = list(told) if isinstance(told, tuple) else None if told == "" else told
    return found


def game_row(audit: Audit, viewer: Viewer) -> Row:
    """The row of ``games``."""
    told, pack = summary(audit), pack_of(audit)
    found, verdicts = told["findings"], told["verdicts"]
    logs = [s for s in audit.sources if s.kind in ("log", "save", "analysis")]
    module = next((s for s in audit.sources if s.kind == "module"), None)
    return {
        "title": audit.title,
        "logs": [s.file for s in logs],
        "sha256": [s.sha256 for s in logs],
        "module": module and module.file,
        "module_version": module and module.version,
        "ruleset": audit.ruleset,
        "ruleset_version": audit.ruleset_version,
        "pack": pack and (pack.version or pack.file),
        "vouched_by": pack and (pack.vouched_by or None),
        "viewer": str(viewer),
        "umpire": __version__,
        "moves": told["moves"],
        "not_judged": told["not_judged"],
        **verdicts,
        "drags": audit.coverage.drags,
        "drags_decided": audit.coverage.decided,
        "illegal_moves": found["illegal-move"],
        "overstacks": found["overstack"],
        "missed_mp_costs": found["missed-mp-cost"],
        "not_decided": found["unverifiable"],
        "notes": found["note"],
        "problems": len(audit.problems),
    }


def coverage_rows(coverage: Coverage) -> Iterator[Row]:
    """The rows of ``coverage``: the drags of each verdict, and those that are not decided by reason."""
    yield {"verdict": "legal", "drags": coverage.legal}
    yield {"verdict": "illegal", "drags": coverage.illegal}
    for why, drags in coverage.reasons.items():
        yield {"why": why, "drags": drags}


def move_rows(audit: Audit) -> Iterator[Row]:
    """The rows of ``moves``: one for each move, judged or not."""
    for judged in audit.moves:
        move = judged.move
        yield _row(
            "moves",
            judged,
            move,
            **_phase(move.phase),
            **_steps(move.steps),
            **_bill(judged.bill),
            move=move.id,
            verdict=judged.verdict if judged.judged else None,
            names=[audit.names.get(unit, "") for unit in move.units],
            origin=move.origin.name or None,
            target=move.target.name or None,
            waypoints=[place.name for place in move.waypoints],
            taken_back=move.taken_back is not None,
            unknowns=_questions(judged.unknowns),
        )


def finding_rows(audit: Audit) -> Iterator[Row]:
    """The rows of ``findings``: one for each finding, in the order of the reports."""
    for number, finding in enumerate(audit.findings, 1):
        clause = audit.clauses.get(finding.clause)
        yield _row(
            "findings",
            finding,
            **_phase(finding.phase),
            **_steps(finding.steps),
            **_bill(finding.bill),
            finding=number,
            rule=clause and clause.title,
            names=_names(finding, audit),
            unknowns=_questions(finding.unknowns),
        )


def charge_rows(audit: Audit) -> Iterator[Row]:
    """The rows of ``charges``: one for each item of the bills of the moves, then of those bills of findings
    that none of their moves has (so that nothing stands there twice)."""
    moves = {judged.move.id: judged for judged in audit.moves}
    for judged in audit.moves:
        yield from _charges({"move": judged.move.id}, judged.bill)
    for number, finding in enumerate(audit.findings, 1):
        if finding.bill not in [_bill_of(moves.get(move)) for move in finding.moves]:
            yield from _charges({"finding": number}, finding.bill)


def problem_rows(problems: Iterable[Problem]) -> Iterator[Row]:
    """The rows of ``problems``."""
    for problem in problems:
        yield _row("problems", problem, place=problem.where or None, times=problem.count)


def roll_rows(audit: Audit) -> Iterator[Row]:
    """The rows of ``rolls``: none where it was not read from logs."""
    for roll in audit.integrity.rolls if audit.integrity is not None else ():
        yield _row("rolls", roll, roll.at, undone=roll.undone is not None)


def _charges(head: Row, bill: Bill | None) -> Iterator[Row]:
    if bill is None:
        return
    lines = [(charge, False) for charge in bill.charges]
    if bill.credit is not None:
        lines.append((bill.credit, True))
    for line, (charge, credit) in enumerate(lines, 1):
        own = {**head, **_amount("amount", charge.amount), "unit": bill.unit, "line": line}
        yield _row("charges", charge, **own, credit=credit)


def _bill_of(judged: JudgedMove | None) -> Bill | None:
    return None if judged is None else judged.bill


def _bill(bill: Bill | None) -> Row:
    if bill is None:
        return {}
    short = Amount.exactly(bill.shortfall)
    return {
        "unit": bill.unit,
        **_amount("due", bill.total),
        **_amount("allowance", bill.allowance),
        **_amount("short", short),
        **_amount("declared", bill.declared),
    }


def _amount(name: str, amount: Amount | None) -> Row:
    """A number where there is exactly one, and the text that tells it exactly."""
    if amount is None:
        return {}
    return {name: _nearest(amount.lo) if amount.is_exact else None, f"{name}_text": str(amount)}


def _nearest(value: Fraction) -> float | None:
    """The nearest floating-point number, for sums and plots; None: there is none so large."""
    try:
        return float(value)
    except OverflowError:
        return None


def _names(finding: Finding, audit: Audit) -> list[str]:
    given = dict(zip(finding.units, finding.names, strict=False))
    return [given.get(unit) or audit.names.get(unit, "") for unit in finding.units]


def _phase(phase: PhaseView) -> Row:
    return {"turn": phase.turn, "phase": phase.phase, "active": phase.active}


def _steps(steps: tuple[StepRef, ...]) -> Row:
    if not steps:
        return {}
    first, last = min(steps), max(steps)
    return {
        "log": first.log,
        "step": first.step,
        "last_log": last.log,
        "last_step": last.step,
    }


def _questions(unknowns: tuple[MissingFact, ...]) -> list[str]:
    return [one.question for one in unknowns]
