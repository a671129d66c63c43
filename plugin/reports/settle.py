"""The part of the report on what is unverifiable: which facts would settle it, most useful first."""

from __future__ import annotations

from collections import Counter

from ...model.finding import Audit
from ..text_writer import TextWriter
from .phrases import counted, when
from .question_groups import OpenQuestion, how_to_settle, open_questions, to_write, without_question
from .routes import route, unit_names

FEW_FACTS = 12
FEW_EXAMPLES = 4


def settle(writer: TextWriter, audit: Audit, *, verbose: bool) -> None:
    """Group what is unverifiable by deciding fact; each stanza to write down is printed once."""
    asked = open_questions(audit)
    if not asked and not without_question(audit):
        return
    writer.heading("Unverifiable, and what would settle it")
    shown = asked if verbose else asked[:FEW_FACTS]
    for question in shown:
        writer.blank()
        _question(writer, audit, question, verbose=verbose)
    if len(shown) < len(asked):
        writer.blank()
        writer.line(
            f"{counted(len(asked) - len(shown), 'more fact')} with fewer moves each:"
            " see --verbose or the JSON report.",
            indent=2,
        )
    _without_fact(writer, audit, verbose=verbose)


def _question(writer: TextWriter, audit: Audit, asked: OpenQuestion, *, verbose: bool) -> None:
    number = f"{counted(len(asked.moves), 'move')}: " if asked.moves else ""
    writer.spans((number, "bold yellow"), (asked.unknown.question, ""), indent=2, hang=2)
    shown = asked.moves if verbose else asked.moves[:FEW_EXAMPLES]
    for judged in shown:
        steps = when(audit, judged.move.steps)
        writer.line(
            f"{unit_names(audit, judged)}  {route(judged, path=False)}  ({steps})",
            indent=4,
            hang=4,
        )
    if len(shown) < len(asked.moves):
        writer.line(f"and {len(asked.moves) - len(shown)} more", indent=4)
    stacks = asked.others if verbose else asked.others[:FEW_EXAMPLES]
    for finding in stacks:
        steps = when(audit, finding.steps)
        writer.line(f"{finding.explanation}{f'  ({steps})' if steps else ''}", indent=4, hang=4)
    if len(stacks) < len(asked.others):
        writer.line(f"and {len(asked.others) - len(stacks)} more of the kind", indent=4)
    how = how_to_settle(asked.unknown)
    if how:
        writer.line(how, indent=4, hang=4, style="dim")
    elif asked.unknown.stanza:
        writer.line(to_write(asked.unknown), indent=4, style="dim")
        writer.verbatim(asked.unknown.stanza, indent=8)


def _without_fact(writer: TextWriter, audit: Audit, *, verbose: bool) -> None:
    """Findings for which no single fact is known that would decide them."""
    bare = without_question(audit)
    if not bare:
        return
    writer.blank()
    reasons = Counter(f.explanation for f in bare).most_common(None if verbose else FEW_FACTS)
    for reason, number in reasons:
        writer.spans((f"{number} × ", "bold yellow"), (reason, ""), indent=2, hang=4)
