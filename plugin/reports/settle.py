"""The part of the report on what is unverifiable: which facts would settle it, most useful first."""

from __future__ import annotations

from collections import Counter

from ...model.fact import MissingFact
from ...model.finding import Audit, JudgedMove
from ..text_writer import TextWriter
from .json import said_without_moves, unknowns_of
from .phrases import counted, steps_text

FEW_FACTS = 12
FEW_EXAMPLES = 4


def settle(writer: TextWriter, audit: Audit, *, many_logs: bool, verbose: bool) -> None:
    """Group what is unverifiable by deciding fact; each stanza to write down is printed once."""
    open_moves = {m.move.id: m for m in audit.moves if m.verdict == "unverifiable" and m.judged}
    facts = sorted(
        (
            (unknown, [open_moves[i] for i in moves if i in open_moves])
            for unknown, moves in unknowns_of(audit).values()
        ),
        key=lambda item: (-len(item[1]), item[0].key),
    )
    if not facts and not any(f.kind == "unverifiable" for f in audit.findings):
        return
    writer.heading("Unverifiable, and what would settle it")
    shown = facts if verbose else facts[:FEW_FACTS]
    for unknown, moves in shown:
        writer.blank()
        _fact(writer, audit, unknown, moves, many_logs=many_logs, verbose=verbose)
    if len(shown) < len(facts):
        writer.blank()
        writer.line(
            f"{counted(len(facts) - len(shown), 'more fact')} with fewer moves each:"
            " see --verbose or the JSON report.",
            indent=2,
        )
    _without_fact(writer, audit, verbose=verbose)


def _fact(
    writer: TextWriter,
    audit: Audit,
    unknown: MissingFact,
    moves: list[JudgedMove],
    *,
    many_logs: bool,
    verbose: bool,
) -> None:
    number = f"{counted(len(moves), 'move')}: " if moves else ""
    writer.spans((number, "bold yellow"), (unknown.question, ""), indent=2, hang=2)
    shown = moves if verbose else moves[:FEW_EXAMPLES]
    for judged in shown:
        names = ", ".join(audit.names.get(u) or f"piece {u}" for u in judged.move.units)
        steps = steps_text(judged.move.steps, many_logs=many_logs)
        route = f"{judged.move.origin} → {judged.move.target}"
        writer.line(f"{names}  {route}  ({steps})", indent=4, hang=4)
    if len(shown) < len(moves):
        writer.line(f"and {len(moves) - len(shown)} more", indent=4)
    for said in said_without_moves(audit, unknown)[: None if verbose else FEW_EXAMPLES]:
        writer.line(said, indent=4, hang=4)
    if unknown.stanza:
        into = (
            f"to settle it, write into {unknown.file}:" if unknown.file else "to settle it, write:"
        )
        writer.line(into, indent=4, style="dim")
        writer.verbatim(unknown.stanza, indent=8)


def _without_fact(writer: TextWriter, audit: Audit, *, verbose: bool) -> None:
    """Findings for which no single fact is known that would decide them."""
    bare = [f for f in audit.findings if f.kind == "unverifiable" and not f.unknowns]
    if not bare:
        return
    writer.blank()
    reasons = Counter(f.explanation for f in bare).most_common(None if verbose else FEW_FACTS)
    for reason, number in reasons:
        writer.spans((f"{number} × ", "bold yellow"), (reason, ""), indent=2, hang=4)
