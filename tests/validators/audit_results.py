"""What tests compare of an audit: the verdicts of its moves and the codes of its findings."""

from __future__ import annotations


def verdicts(audit):
    return {m.move.id: m.verdict if m.judged else f"({m.verdict})" for m in audit.moves}


def codes(audit, *kinds):
    return [f.code for f in audit.findings if not kinds or f.kind in kinds]
