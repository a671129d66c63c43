"""The report for people: summary first, then each finding with its bill and its rule."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable

from ... import __version__
from ...model.bill import Bill
from ...model.finding import Audit, Finding
from ..printable import printable
from ..seal import in_text
from ..text_writer import TextWriter
from . import done
from .how_to_read import IN_SHORT, WHERE
from .integrity import how_played, told_as_trace
from .json import summary
from .overdrawn import overdrawn_section
from .phrases import (
    KIND_NAMES,
    bill_rows,
    capital,
    compact_bill,
    counted,
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
from .sections import Section, write_section
from .suspects import suspected, suspects_section

FEW_NOTES = 10
"""Notes of one kind shown without ``--verbose``."""

NOTE_LIMIT = 400
"""Characters of a note shown without ``--verbose``."""

FEW_MOVES = 40
"""Up to this many legal moves are listed without ``--verbose``."""

_STEP = re.compile(r" (at|in) step [0-9]+ of log [0-9]+")

KIND_STYLES = {
    "illegal-move": "bold red",
    "overstack": "bold red",
    "missed-mp-cost": "bold red",
    "unverifiable": "bold yellow",
    "note": "bold cyan",
}


def _render(audit: Audit, options: ReportOptions) -> str:
    audit = told_apart(audit)
    writer = TextWriter(options.width, colour=options.colour)
    _head(writer, audit, options)
    if audit.is_ruled:
        _summary(writer, audit)
    _sections(writer, suspects_section(audit))
    _findings(writer, audit)
    _sections(writer, gone_section(audit))
    _sections(writer, questions_section(audit, verbose=options.verbose))
    suspected(writer, audit, verbose=options.verbose)
    _sections(writer, overdrawn_section(audit) if options.overdrawn else None)
    if not audit.coverage.decided:
        _done(writer, audit)
    _sections(writer, *how_played(audit, verbose=options.verbose))
    _legal_moves(writer, audit, verbose=options.verbose)
    if audit.coverage.decided:
        _not_judged(writer, audit, verbose=options.verbose)
    _notes(writer, audit, verbose=options.verbose)
    _problems(writer, audit)
    _readings(writer, audit)
    if audit.is_ruled:
        _how_to_read(writer)
    _digests(writer, audit)
    return writer.text()


def _sections(writer: TextWriter, *sections: Section | None) -> None:
    for section in filter(None, sections):
        write_section(writer, section)


def _head(writer: TextWriter, audit: Audit, options: ReportOptions) -> None:
    title = title_of(audit)
    if audit.is_ruled:
        writer.title(f"Audit of {title}" if title else "Audit")
        version = f" {audit.ruleset_version}" if audit.ruleset_version else ""
        told = f"{audit.ruleset}{version}, applied by vassal-umpire {__version__}"
        writer.labelled("ruleset", told)
    else:
        writer.title(f"What was done in {title}" if title else "What was done")
        writer.line(headline(audit), indent=0)
        writer.blank()
        writer.labelled("told by", f"vassal-umpire {__version__}")
    for label, text in vouching(audit):
        writer.labelled(label, text)
    writer.labelled("shows", viewer_text(options.viewer))
    if audit.readings:
        number = counted(
            len(audit.readings), "option and open reading", "options and open readings"
        )
        writer.labelled("readings", f"{number} of the rules in force, listed at the end")
    writer.blank()
    numbers = iter(range(1, len(audit.sources) + 1))
    rows = [
        (f"log {next(numbers)}" if s.kind == "log" else s.kind, s.file, s.version, s.sha256[:16])
        for s in audit.sources
    ]
    if rows:
        writer.table(("read", "file", "version", "SHA-256 begins"), rows)


def _done(writer: TextWriter, audit: Audit) -> None:
    """Who moved what and when, and the chat, if nothing is decided."""
    if audit.moves:
        writer.heading(f"Moves ({len(audit.moves):,})")
    for number, (phase, rows) in enumerate(done.phases(audit)):
        if number:
            writer.blank()
        if phase:
            writer.line(phase, indent=2, style="bold")
        writer.table(done.COLUMNS, rows, indent=2)
    _sections(writer, done.chat_section(audit))


def _summary(writer: TextWriter, audit: Audit) -> None:
    numbers = summary(audit)
    writer.heading("Summary")
    writer.line(": ".join(moves_counted(numbers)), indent=2)
    writer.line(headline(audit), indent=2)
    if audit.findings:
        writer.line(f"{counted(len(audit.findings), 'finding')}:", indent=2)
        head, rows, foot = findings_by_player(numbers)
        numbered = range(1, len(head))
        writer.table(head, rows, indent=2, right=numbered, foot=foot if len(rows) > 1 else None)
    for line in in_sentences(audit):
        writer.line(line, indent=2)


def _findings(writer: TextWriter, audit: Audit) -> None:
    shown = [f for f in audit.findings if f.kind not in ("unverifiable", "note")]
    if not shown:
        return
    writer.heading("Findings")
    told = finding_rows(audit)
    phase = None
    for number, finding in enumerate(shown, 1):
        if str(finding.phase) != phase:
            phase = str(finding.phase)
            writer.heading(capital(phase), style="underline")
        writer.blank()
        _finding(writer, audit, finding, number, told[id(finding)])


def _finding(
    writer: TextWriter,
    audit: Audit,
    finding: Finding,
    number: int,
    told: Iterable[tuple[str, str]],
) -> None:
    clause = audit.clauses.get(finding.clause)
    title = f"  {clause.title}" if clause is not None and clause.title else ""
    writer.spans(
        (f"{number}. ", "bold"),
        (KIND_NAMES[finding.kind], KIND_STYLES[finding.kind]),
        (f"  {finding.code}", "bold"),
        (title, ""),
        hang=3,
    )
    for label, text in (*_who_and_where(audit, finding), *told):
        if text:
            writer.labelled(label, text, indent=3, width=9)
    if finding.bill is not None:
        writer.blank()
        bill_table(writer, finding.bill, indent=6)


def _who_and_where(audit: Audit, finding: Finding) -> Iterable[tuple[str, str]]:
    by_id = {m.move.id: m for m in audit.moves}
    yield "units", ", ".join(finding.names)
    moved = [by_id[one] for one in finding.moves if one in by_id]
    for line in routes(audit, moved):
        yield "moved", line
    if not moved:
        yield "hexes" if len(finding.hexes) > 1 else "hex", ", ".join(finding.hexes)
    yield "by", player_text(finding.player, finding.side)
    yield "in", when(audit, finding.steps)


def bill_table(writer: TextWriter, bill: Bill, *, indent: int) -> None:
    """The charges one by one, the sum, and the allowance."""
    *rows, foot = bill_rows(bill)
    writer.table(("hex", bill.unit, "for", "rule"), rows, indent=indent, right=(1,), foot=foot)


def _notes(writer: TextWriter, audit: Audit, *, verbose: bool) -> None:
    """Notes, which accuse nobody: one line each, by rule."""
    notes = [f for f in audit.findings if f.kind == "note" and not told_as_trace(audit, f)]
    if not notes:
        return
    writer.heading(f"Notes ({len(notes):,})")
    for code in dict.fromkeys(note.code for note in notes):
        clause = audit.clauses.get(code)
        title = f"  {clause.title}" if clause is not None and clause.title else ""
        writer.spans((code, "bold cyan"), (title, ""), indent=2, hang=2)
        alike = [note for note in notes if note.code == code]
        for note in alike if verbose else alike[:FEW_NOTES]:
            where = when(audit, note.steps)
            said = note.explanation if verbose else printable(note.explanation, NOTE_LIMIT)
            writer.line(f"{where}: {said}" if where else said, indent=4, hang=4)
        if len(alike) > FEW_NOTES and not verbose:
            writer.line(f"and {len(alike) - FEW_NOTES:,} more (--verbose)", indent=4)


def _legal_moves(writer: TextWriter, audit: Audit, *, verbose: bool) -> None:
    legal = [m for m in audit.moves if m.verdict == "legal" and m.judged]
    if not legal:
        return
    writer.heading(f"Legal moves ({len(legal):,})")
    if len(legal) > FEW_MOVES and not verbose:
        writer.line("Shown with --verbose, and in the JSON report.", indent=2)
        return
    for judged in legal:
        names = unit_names(audit, judged)
        where = when(audit, judged.move.steps)
        writer.spans((names, "bold"), (f"  {route(judged)}  ({where})", ""), indent=2, hang=4)
        if judged.bill is None:
            continue
        if verbose:
            bill_table(writer, judged.bill, indent=6)
        else:
            writer.line(compact_bill(judged.bill), indent=6, hang=2)


def _not_judged(writer: TextWriter, audit: Audit, *, verbose: bool) -> None:
    others = [m for m in audit.moves if not m.judged]
    if not others:
        return
    writer.heading(f"Not judged as movement ({len(others):,})")
    if verbose or len(others) <= FEW_MOVES // 4:
        for judged in others:
            where = when(audit, judged.move.steps)
            names = unit_names(audit, judged)
            writer.line(f"{names}  {route(judged)}  ({where}): {judged.remark}", indent=2, hang=4)
        return
    remarks = Counter(_STEP.sub("", m.remark) or "no reason given" for m in others)
    for remark, number in remarks.most_common(10):
        writer.line(f"{number:>5} × {remark}", indent=2, hang=8)


def _problems(writer: TextWriter, audit: Audit) -> None:
    if not audit.problems:
        return
    writer.heading("Problems met while reading")
    for line in problems_told(audit.problems):
        writer.line(line, indent=2, hang=2)


def _readings(writer: TextWriter, audit: Audit) -> None:
    """How open points of the rules were settled."""
    if not audit.readings:
        return
    writer.heading("Options and open readings in force")
    for option, value in readings_told(audit):
        writer.spans((f"{option} ", "dim"), (value, ""), indent=2, hang=2)


def _how_to_read(writer: TextWriter) -> None:
    """The most important words, and where to read more."""
    writer.heading("How to read this")
    for word, meaning in IN_SHORT:
        writer.labelled(word, meaning, indent=2, width=13)
    writer.line(f"More: {WHERE}.", indent=2, hang=2)


def _digests(writer: TextWriter, audit: Audit) -> None:
    """Full digests, one line each, in the format of ``sha256sum``."""
    if not audit.sources:
        return
    writer.heading("SHA-256 of what was read")
    for source in audit.sources:
        writer.verbatim(f"{source.sha256}  {source.file}")
    if any(source.kind == "pack" for source in audit.sources):
        writer.line(
            "A pack's is that of its pack.toml, hexes.csv, lines.csv and units.csv, those it has, one"
            " after the other.",
            style="dim",
        )


REPORT = Report("text", ".txt", _render, with_blank=in_text)
