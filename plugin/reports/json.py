"""The JSON report (``umpire schema report`` is its schema): the same audit gives the same bytes."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import Any

from ... import __version__
from ...model.bill import Amount, Bill
from ...model.coverage import Coverage
from ...model.fact import MissingFact
from ...model.finding import Audit, Finding, JudgedMove, PhaseView
from ...model.game import Place, StepRef
from ..json_text import document_text
from ..seal import in_json
from .integrity_json import integrity_document
from .phrases import headline, pack_of
from .report import FINDING_KINDS, VERDICTS, Report, ReportOptions
from .revealed import revealed_document
from .ruled import rulings_document

FORMAT = "vassal-umpire report"
VERSION = 1


def document(audit: Audit, options: ReportOptions) -> dict[str, Any]:
    """The report as plain JSON values."""
    return {
        "format": FORMAT,
        "version": VERSION,
        "umpire": __version__,
        "title": audit.title,
        "ruleset": {"name": audit.ruleset, "version": audit.ruleset_version},
        "pack": _pack(audit),
        **_suspected(audit),
        **_as_suggested(audit),
        "eyes": options.viewer,
        "sources": [
            {"file": s.file, "kind": s.kind, "sha256": s.sha256, "version": s.version}
            for s in audit.sources
        ],
        "readings": dict(sorted(audit.readings.items())),
        "summary": summary(audit),
        "coverage": {"said": headline(audit), **coverage_plain(audit.coverage)},
        "moves": [_move(m, audit) for m in audit.moves if m.judged],
        "not_judged": [_move(m, audit) for m in audit.moves if not m.judged],
        "findings": [_finding(f, audit) for f in audit.findings],
        **_done(audit),
        **integrity_document(audit),
        **revealed_document(audit),
        **rulings_document(audit),
        "unknowns": _unknowns(audit),
        "clauses": _clauses(audit),
        "problems": [
            {
                "code": p.code,
                "severity": p.severity,
                "where": p.where,
                "message": p.message,
                "count": p.count,
            }
            for p in audit.problems
        ],
    }


def _done(audit: Audit) -> dict[str, Any]:
    """What is told where no rules were applied."""
    if audit.is_ruled:
        return {}
    chat = [{"step": str(c.at), "player": c.player, "text": c.text} for c in audit.chat]
    return {"chat": chat, "next_step": audit.next_step}


def _pack(audit: Audit) -> dict[str, Any]:
    """Who vouches for the pack, and what it switches off."""
    pack = pack_of(audit)
    name = None if pack is None else pack.version or pack.file
    vouched_by = None if pack is None else pack.vouched_by or None
    assumes = [] if pack is None else list(pack.assumes)
    return {"name": name, "vouched_by": vouched_by, "assumes": assumes, "off": list(audit.off)}


def _as_suggested(audit: Audit) -> dict[str, Any]:
    """What would be found as suggested, if there is any: apart from the findings."""
    if not audit.suspicions:
        return {}
    return {
        "as_suggested": [
            {
                "would_be": _finding(one.finding, audit),
                **({"look": list(one.look)} if one.look else {}),
                "cells": [
                    {
                        "cell": cell.key.cell,
                        "layer": cell.key.layer,
                        "name": cell.key.name,
                        "value": cell.value,
                        "status": cell.status,
                    }
                    for cell in one.cells
                ],
            }
            for one in audit.suspicions
        ]
    }


def _suspected(audit: Audit) -> dict[str, Any]:
    """What the pack is suspected of, and what was changed, if anything: apart from the findings."""
    found = {
        "suspects": [one.plain() for one in audit.suspects],
        "changed": [one.plain() for one in audit.changed],
    }
    return {name: told for name, told in found.items() if told}


def summary(audit: Audit) -> dict[str, Any]:
    """Numbers of judged moves by verdict and of findings by kind, the latter also by player."""
    verdicts: list[str] = [m.verdict for m in audit.moves if m.judged]
    players = sorted(
        {(f.player, f.side or "", f.side) for f in audit.findings}, key=lambda p: p[:2]
    )
    return {
        "moves": len(verdicts),
        "not_judged": len(audit.moves) - len(verdicts),
        "verdicts": {name: verdicts.count(name) for name in VERDICTS},
        "findings": count_kinds(audit.findings),
        "players": [
            {
                "player": player,
                "side": side,
                "findings": count_kinds(
                    f for f in audit.findings if (f.player, f.side) == (player, side)
                ),
            }
            for player, _, side in players
        ],
    }


def coverage_plain(found: Coverage) -> dict[str, Any]:
    """A coverage as plain JSON values."""
    return {
        "drags": found.drags,
        "legal": found.legal,
        "illegal": found.illegal,
        "open": found.open,
        "not_decided": dict(found.reasons),
        "not_movement": found.passed,
    }


def count_kinds(findings: Iterable[Finding]) -> dict[str, int]:
    """Findings by kind, every kind named."""
    kinds: list[str] = [f.kind for f in findings]
    return {kind: kinds.count(kind) for kind in FINDING_KINDS}


def unknowns_of(audit: Audit) -> dict[str, tuple[MissingFact, list[int]]]:
    """The facts that would decide something, by key, each with the moves that wait for it."""
    found: dict[str, tuple[MissingFact, list[int]]] = {}

    def note(unknowns: tuple[MissingFact, ...], moves: Iterable[int]) -> None:
        for unknown in unknowns:
            waiting = found.setdefault(unknown.key, (unknown, []))[1]
            waiting.extend(move for move in moves if move not in waiting)

    for judged in audit.moves:
        note(judged.unknowns, (judged.move.id,))
    for finding in audit.findings:
        note(finding.unknowns, finding.moves)
    return found


def _move(judged: JudgedMove, audit: Audit) -> dict[str, Any]:
    move = judged.move
    return {
        "id": move.id,
        "units": [{"id": unit, "name": audit.names.get(unit, "")} for unit in move.units],
        "from": _place(move.origin),
        "to": _place(move.target),
        "waypoints": [
            {"place": _place(place), "binding": binding}
            for place, binding in zip(move.waypoints, move.binding, strict=False)
        ],
        "steps": _steps(move.steps),
        "phase": _phase(move.phase),
        "player": move.player,
        "side": move.actor,
        "verdict": judged.verdict if judged.judged else None,
        "form": judged.form,
        "path": list(judged.path),
        "bill": _bill(judged.bill),
        "unknowns": [u.key for u in judged.unknowns],
        "remark": judged.remark,
        "taken_back": _step(move.taken_back) if move.taken_back is not None else None,
        "resumed": move.resumed,
    }


def _finding(finding: Finding, audit: Audit) -> dict[str, Any]:
    given = dict(zip(finding.units, finding.names, strict=False))
    return {
        "code": finding.code,
        "clause": finding.clause,
        "kind": finding.kind,
        "verdict": finding.verdict,
        "units": [
            {"id": unit, "name": given.get(unit) or audit.names.get(unit, "")}
            for unit in finding.units
        ],
        "hexes": list(finding.hexes),
        "steps": _steps(finding.steps),
        "phase": _phase(finding.phase),
        "player": finding.player,
        "side": finding.side,
        "explanation": finding.explanation,
        "remedy": finding.remedy,
        **({"looked": list(finding.looked)} if finding.looked else {}),
        "bill": _bill(finding.bill),
        "unknowns": [u.key for u in finding.unknowns],
        "moves": list(finding.moves),
        "follows_from": finding.follows_from,
    }


def _unknowns(audit: Audit) -> dict[str, Any]:
    return {
        key: {
            "question": u.question,
            "file": u.file,
            "stanza": u.stanza,
            **({"look": list(u.look)} if u.look else {}),
            "moves": moves,
        }
        for key, (u, moves) in sorted(unknowns_of(audit).items())
    }


def _clauses(audit: Audit) -> dict[str, Any]:
    """Only those that are cited: a ruleset has many."""
    bills = [m.bill for m in audit.moves] + [f.bill for f in audit.findings]
    cited = {
        c.clause for bill in bills if bill is not None for c in (*bill.charges, bill.credit) if c
    }
    cited.update(name for f in audit.findings for name in (f.clause, f.code))
    return {
        key: {"title": c.title, "text": c.text, "kind": c.kind, "status": c.status}
        for key, c in sorted(audit.clauses.items())
        if key in cited
    }


def _exact(value: Fraction) -> int | str:
    return value.numerator if value.denominator == 1 else str(value)


def _amount(amount: Amount | None) -> dict[str, Any] | None:
    if amount is None:
        return None
    return {"lo": _exact(amount.lo), "hi": None if amount.hi is None else _exact(amount.hi)}


def _bill(bill: Bill | None) -> dict[str, Any] | None:
    if bill is None:
        return None
    credit = bill.credit
    owed = {"amount": _amount(credit.amount), "clause": credit.clause} if credit else None
    return {
        "charges": [
            {
                "hex": c.hex,
                "origin": c.origin,
                "amount": _amount(c.amount),
                "clause": c.clause,
                "reason": c.reason,
            }
            for c in bill.charges
        ],
        "total": _amount(bill.total),
        "allowance": _amount(bill.allowance),
        "shortfall": _exact(bill.shortfall),
        "unit": bill.unit,
        "declared": _amount(bill.declared),
        **({"credit": owed} if owed else {}),
    }


def _place(place: Place) -> dict[str, str]:
    return {"kind": place.kind, "name": place.name}


def _step(step: StepRef) -> dict[str, int]:
    return {"log": step.log, "step": step.step}


def _steps(steps: tuple[StepRef, ...]) -> list[dict[str, int]]:
    return [_step(step) for step in steps]


def _phase(phase: PhaseView) -> dict[str, str | None]:
    return {"turn": phase.turn, "phase": phase.phase, "active": phase.active}


def _render(audit: Audit, options: ReportOptions) -> str:
    return document_text(document(audit, options))


REPORT = Report("json", ".json", _render, with_blank=in_json)
