"""What ``umpire check --format json`` prints (``umpire schema check``)."""

from __future__ import annotations

from typing import Any

from ... import __version__
from ...model.finding import Audit, Finding, JudgedMove
from ...model.offence import Offence
from ...model.procedure import Standing
from ...validators.stack_size import Stack
from ..json_text import picked, plain
from ..reports.json import coverage_plain, standing_plain
from .check import Check, Part, Reason, to_correct
from .midway import Midway, Went

FORMAT = "vassal-umpire check"
VERSION = 1


def check_document(check: Check, audit: Audit, eyes: str) -> dict[str, Any]:
    """A check as plain JSON values. ``audit``: the part of the audit that its viewer, ``eyes``, may see."""
    parts = [_part(check, part) for part in (check.own, *check.others)]
    return {
        **_head(audit.title, "logs", eyes),
        "side": check.side,
        "procedure": picked(check.procedure, "name title sources movement combat"),
        "parts": parts,
        "of_no_known_side": check.nobodys,
        "coverage": coverage_plain(audit.coverage),
        "not_looked_at": list(audit.unlooked),
    }


def midway_document(seen: Midway, title: str, eyes: str) -> dict[str, Any]:
    """A look at a save as plain JSON values."""
    return {
        **_head(title, "save", eyes),
        "units": [_went(one) for one in seen.moved],
        "others": seen.others,
        "stacks": [_stack(one) for one in seen.stacks],
        "not_looked_at": list(seen.unlooked),
    }


def _head(title: str, checked: str, eyes: str) -> dict[str, Any]:
    return {
        "format": FORMAT,
        "version": VERSION,
        "umpire": __version__,
        "title": title,
        "checked": checked,
        "eyes": eyes,
    }


def _part(check: Check, part: Part) -> dict[str, Any]:
    return {
        "side": part.side,
        "own": part.side == check.side,
        **picked(part, "since rolled_by=roller"),
        "moves": {"all": len(part.moves), "checked": part.decided},
        "cannot_be_checked": [_reason(part.audit, one) for one in part.reasons],
        "not_movement": [_reason(part.audit, one) for one in part.others],
        "offences": [_offence(one, standing) for one, standing in part.found],
        "to_correct": to_correct(check, part),
        "perhaps": [_finding(one) for one in part.perhaps],
    }


def _reason(audit: Audit, reason: Reason) -> dict[str, Any]:
    return {"why": reason.why, "moves": [_move(audit, one) for one in reason.moves]}


def _move(audit: Audit, judged: JudgedMove) -> dict[str, Any]:
    move = judged.move
    return {
        **plain(move.steps[0]),
        "units": [{"id": unit, "name": audit.names.get(unit, "")} for unit in move.units],
        "from": str(move.origin),
        "to": str(move.target),
    }


def _offence(one: Offence, standing: Standing) -> dict[str, Any]:
    found = one.finding
    return {
        **plain(one.at),
        "id": one.id,
        "kind": found.kind,
        "units": [
            {"id": unit, "name": name} for unit, name in zip(one.units, one.names, strict=False)
        ],
        **_finding(found),
        "follows": list(dict.fromkeys(further.clause for further in one.findings[1:])),
        "standing": standing_plain(standing),
    }


def _finding(one: Finding) -> dict[str, Any]:
    return {
        "clause": one.clause,
        "text": one.explanation,
        "asks": [unknown.question for unknown in one.unknowns],
    }


def _went(one: Went) -> dict[str, Any]:
    return {
        **picked(one, "name side"),
        "from": str(one.origin),
        "to": str(one.target),
        **picked(one, "verdict why"),
        "findings": [_finding(found) for found in one.findings],
    }


def _stack(one: Stack) -> dict[str, Any]:
    return {
        **picked(one, "hex side measure"),
        "value": str(one.least),
        "allowed": str(one.bound),
        "clause": one.clause,
        "asks": [unknown.question for unknown in one.missing],
    }
