"""The report for forums and e-mail: Markdown that also reads well as plain text."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from ... import __version__
from ...model.finding import Audit, Finding
from ..printable import markdown, printable
from ..seal import in_markup
from . import done
from .integrity import how_played, told_as_trace
from .json import summary
from .overdrawn import overdrawn_section
from .phrases import (
    KIND_NAMES,
    bill_rows,
    capital,
    compact_bill,
    findings_by_player,
    headline,
    moves_counted,
    player_text,
    problems_told,
    readings_told,
    title_of,
    viewer_text,
    vouching,
    when,
)
from .questions_section import questions_section
from .report import Report, ReportOptions
from .routes import route, routes, told_apart, unit_names
from .ruled import finding_rows, gone_section, in_sentences
from .sections import Section, section_markdown
from .suspects import NOT_COUNTED, NOT_FINDINGS, cells_of, lines_of, suspects_section, would_be
from .text import FEW_MOVES


def _render(audit: Audit, options: ReportOptions) -> str:
    audit = told_apart(audit)
    decides = audit.coverage.decided
    parts = [
        *(_head(audit, options) if audit.is_ruled else _head_without_rules(audit, options)),
        *_sections(suspects_section(audit)),
        *_findings(audit),
        *_sections(gone_section(audit)),
        *_sections(questions_section(audit, verbose=options.verbose)),
        *_suspected(audit, verbose=options.verbose),
        *_sections(overdrawn_section(audit) if options.overdrawn else None),
        *(() if decides else _done(audit)),
        *_sections(*how_played(audit, verbose=options.verbose)),
        *_legal(audit, verbose=options.verbose),
        *_notes(audit, verbose=options.verbose),
        *_rests_on(audit),
    ]
    return "\n\n".join(parts) + "\n"


def _head_without_rules(audit: Audit, options: ReportOptions) -> Iterator[str]:
    title = title_of(audit)
    yield f"# What was done in {_plain(title)}" if title else "# What was done"
    yield f"**{_plain(headline(audit))}**"
    yield f"Told by vassal-umpire {__version__}; shows {_plain(viewer_text(options.viewer))}."
    for label, text in vouching(audit):
        yield f"**{label}**: {_plain(text)}"


def _done(audit: Audit) -> Iterator[str]:
    """Who moved what and when, and the chat, if nothing is decided."""
    if audit.moves:
        yield f"## Moves ({len(audit.moves):,})"
    for phase, rows in done.phases(audit):
        if phase:
            yield f"### {_plain(phase)}"
        yield _table(done.COLUMNS, rows)
    yield from _sections(done.chat_section(audit))


def _head(audit: Audit, options: ReportOptions) -> Iterator[str]:
    numbers = summary(audit)
    title = title_of(audit)
    yield f"# Audit of {_plain(title)}" if title else "# Audit"
    yield (
        f"Ruleset **{_plain(audit.ruleset)}** {_plain(audit.ruleset_version)}, applied by vassal-umpire"
        f" {__version__}; shows {_plain(viewer_text(options.viewer))}."
    )
    for label, text in vouching(audit):
        yield f"**{label}**: {_plain(text)}."
    moves, verdicts = moves_counted(numbers)
    yield f"**{moves}**: {verdicts}"
    if audit.findings:
        head, rows, _ = findings_by_player(numbers)
        yield _table(head, rows, right=1)
    yield _plain(headline(audit))
    if audit.rulings is not None:
        yield "\n".join(_plain(line) for line in in_sentences(audit))


def _sections(*sections: Section | None) -> Iterator[str]:
    for section in filter(None, sections):
        yield from section_markdown(section, _plain)


def _findings(audit: Audit) -> Iterator[str]:
    shown = [f for f in audit.findings if f.kind not in ("unverifiable", "note")]
    if shown:
        yield "## Findings"
    told = finding_rows(audit)
    phase = None
    for number, finding in enumerate(shown, 1):
        if str(finding.phase) != phase:
            phase = str(finding.phase)
            yield f"### {_plain(capital(phase))}"
        yield from _finding(audit, finding, number, told[id(finding)])


def _finding(
    audit: Audit, finding: Finding, number: int, told: Iterable[tuple[str, str]]
) -> Iterator[str]:
    clause = audit.clauses.get(finding.clause)
    title = f" {_plain(clause.title)}" if clause is not None and clause.title else ""
    names, code = _plain(", ".join(finding.names)), printable(finding.code).replace("`", "'")
    yield f"#### {number}. {KIND_NAMES[finding.kind]}: {names} (`{code}`{title})"
    rows = []
    by_id = {m.move.id: m for m in audit.moves}
    moved = routes(audit, [by_id[one] for one in finding.moves if one in by_id])
    rows += [("moved", text) for text in moved] or [("hex", ", ".join(finding.hexes))]
    by = player_text(finding.player, finding.side)
    rows.append(("when", when(audit, finding.steps) + (f", by {by}" if by else "")))
    lines = (f"- {label}: {_plain(text)}" for label, text in (*rows, *told) if text)
    yield "\n".join(lines)
    if finding.bill is not None:
        head = ("hex", finding.bill.unit, "for", "rule")
        yield _table(head, bill_rows(finding.bill), right=1, only=1)


def _suspected(audit: Audit, *, verbose: bool) -> Iterator[str]:
    if not audit.suspicions:
        return
    yield f"## {NOT_FINDINGS}"
    yield NOT_COUNTED
    for one in audit.suspicions:
        said = [f"- **{_plain(', '.join(one.finding.names))}** {_plain(would_be(one))}"]
        said += [f"  - {_plain(line)}" for line in lines_of(audit, one)]
        said.append(f"  - cells: {_plain('; '.join(cells_of(one, verbose=verbose)))}")
        yield "\n".join(said)


def _legal(audit: Audit, *, verbose: bool) -> Iterator[str]:
    legal = [m for m in audit.moves if m.verdict == "legal" and m.judged]
    if not legal or (len(legal) > FEW_MOVES and not verbose):
        return
    yield f"## Legal moves ({len(legal):,})"
    rows = [
        [
            unit_names(audit, m),
            route(m),
            compact_bill(m.bill) if m.bill is not None else "",
            when(audit, m.move.steps),
        ]
        for m in legal
    ]
    yield _table(["unit", "move", "bill", "step"], rows)


def _notes(audit: Audit, *, verbose: bool) -> Iterator[str]:
    notes = [f for f in audit.findings if f.kind == "note" and not told_as_trace(audit, f)]
    if notes:
        yield f"## Notes ({len(notes):,})"
        shown = notes if verbose else notes[:FEW_MOVES]
        yield "\n".join(
            f"- {when(audit, note.steps)}: {_plain(note.explanation)}" for note in shown
        )
        if len(shown) < len(notes):
            yield f"and {len(notes) - len(shown)} more (`--verbose`)."


def _rests_on(audit: Audit) -> Iterator[str]:
    yield "## What this rests on"
    yield _table(
        ["read", "file", "version", "SHA-256"],
        [[s.kind, s.file, s.version, s.sha256] for s in audit.sources],
    )
    if audit.readings:
        yield "Options and open readings in force:"
        yield "\n".join(f"- {_plain(k)} {_plain(v)}" for k, v in readings_told(audit))
    if audit.problems:
        yield "Problems met while reading:"
        yield "\n".join(f"- {_plain(line)}" for line in problems_told(audit.problems))


def _table(
    columns: Sequence[str], rows: Iterable[Sequence[str]], *, right: int = 99, only: int = 0
) -> str:
    """A table. Columns from ``right`` on (``only``: this many of them) hold numbers."""
    last = right + only if only else len(columns)
    rules = ["--:" if right <= i < last else "---" for i in range(len(columns))]
    lines = [list(columns), rules, *([_plain(cell) for cell in row] for row in rows)]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _plain(text: str) -> str:
    """Text from input files on one line, without markup."""
    return markdown(printable(text).replace("\n", " "))


REPORT = Report("markdown", ".md", _render, with_blank=in_markup)
