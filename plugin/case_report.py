"""A case that failed, for a person: the board drawn, what was moved, the bill, the clause."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ..importers.cases.case import Case
from ..model.finding import Clause
from ..model.hexgrid import to_offset
from .conformance import Difference, Outcome
from .reports.routes import route, unit_names
from .reports.text import bill_table
from .text_writer import TextWriter

EMPTY = "-"
ON_PATH = "*"
LONGEST_NAME = 3
"""Signs of a unit's id that stand on the board."""


def show_case(
    writer: TextWriter,
    case: Case,
    outcome: Outcome,
    differing: Sequence[Difference],
    clauses: Mapping[str, Clause],
) -> None:
    """Write one case down: failed where it differs, else passed."""
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
    _legend(writer, case)
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
    """Whether hexes follow in the same line, so that a gap must show."""
    return any(r == row and c > column and c % 2 == column % 2 for c, r in cells)


def _legend(writer: TextWriter, case: Case) -> None:
    parts = [f"{letter} {what}" for letter, what in case.written.legend.items()]
    parts += ["* the path found"]
    writer.line("; ".join(parts), indent=4, hang=2)


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
