"""The report as one self-contained page: map, paths, findings, and the game step by step.

Rows are in foldable groups: by phase, by question, by kind of note. The same audit and scene give the same
bytes. The page never uses the network (its own policy forbids it), and the template escapes all text from
files.
"""

from __future__ import annotations

import base64
import hashlib
import json
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any, Generic, TypeVar

from jinja2 import Environment
from markupsafe import Markup

from ... import __version__
from ...model.fact import MissingFact
from ...model.finding import ACCUSING, Audit, Suspicion
from ...model.integrity import Integrity
from ..pages import environment, shown
from ..printable import printable
from ..seal import in_markup
from . import done, suspects
from .drawing import number, outline, polyline, terrain_colour
from .how_to_read import as_markup
from .integrity import (
    dice_lines,
    groups,
    how_played,
    opening_text,
    roll_lines,
    test_lines,
    told_as_trace,
)
from .json import summary
from .map_scene import MapScene
from .overdrawn import overdrawn_section
from .phrases import (
    KIND_NAMES,
    SEVERAL,
    capital,
    charge_amount,
    counted,
    due_text,
    headline,
    of_many_logs,
    problems_told,
    readings_told,
    title_of,
    viewer_text,
    vouching,
)
from .question_groups import (
    FIRST,
    QuestionGroup,
    how_to_settle,
    question_groups,
    without_question,
)
from .report import VERDICTS, Report, ReportOptions
from .routes import told_apart
from .ruled import GONE, gone_lines, in_sentences
from .sheet import FindingRow, MoveRow, Sheet, page_data
from .suspects import NOT_COUNTED, NOT_FINDINGS, cells_of, lines_of, would_be

_FOLDER = "page"


@cache
def _file(name: str) -> str:
    return resources.files(__package__).joinpath(_FOLDER, name).read_text("utf-8")


def _environment() -> Environment:
    return environment(
        n=number,
        outline=outline,
        tint=terrain_colour,
        polyline=polyline,
        verbatim=_verbatim,
        due=due_text,
        priced=charge_amount,
    )


def _verbatim(text: str) -> Markup:
    """Lines to copy as they are."""
    return Markup("\n").join(printable(line) for line in text.split("\n"))


def _render(audit: Audit, options: ReportOptions) -> str:
    audit = told_apart(audit)
    sheet = Sheet(audit, options.scene or MapScene((), (), ()), many_logs=of_many_logs(audit))
    style, script = _file("page.css"), _file("page.js")
    (questions, fewer), bare = question_rows(sheet), reasons(sheet)
    asked_for = [one for group in (*questions, *fewer) for one in group.rows]
    found, notes = finding_groups(sheet), note_groups(sheet)
    listed = [row.number for group in (*found, *notes) for row in group.rows]
    listed += {row.number for asked in asked_for for row in asked.others}
    data = page_data(sheet, sorted(listed))
    told = json.dumps(shown(data), ensure_ascii=True, separators=(",", ":"))
    numbers = summary(audit)
    values: dict[str, Any] = {
        "audit": audit,
        "sheet": sheet,
        "atlas": sheet.atlas,
        "summary": numbers,
        "sentence": headline(audit),
        "kinds": [kind for kind in (*ACCUSING, "note") if numbers["findings"][kind]],
        "kind_names": KIND_NAMES,
        "verdicts": VERDICTS,
        "counted": counted,
        "found": found,
        "few_rows": FEW_ROWS,
        "questions": questions,
        "fewer": fewer,
        "facts_asked": len(asked_for),
        "few_questions": len(asked_for) <= FEW_QUESTIONS,
        "bare": bare,
        "moved": move_groups(sheet),
        "few_moves": len(sheet.moves) <= FEW_MOVES,
        "no_unit": done.NO_UNIT,
        "decides": bool(audit.coverage.decided),
        "notes": notes,
        "noted": sum(len(group.rows) + len(group.told) for group in notes),
        "readings": readings_told(audit),
        "how": as_markup(),
        "suspicions": [_suspicion(audit, one) for one in audit.suspicions],
        "suspects": list(suspects.suspect_lines(audit)),
        "changed": [capital(suspects.changed_text(one)) for one in audit.changed],
        "look_first": suspects.HEADING,
        "overdrawn": overdrawn_section(audit) if options.overdrawn else None,
        **_how_played(audit, sheet.scene),
        "how_to_settle": how_to_settle,
        "why_look": suspects.MEANING,
        "not_findings": NOT_FINDINGS,
        "meaning": NOT_COUNTED,
        "rulings": in_sentences(audit),
        "gone": gone_lines(audit),
        "no_longer": GONE,
        "title": title_of(audit),
        "problems": list(problems_told(audit.problems)),
        "chat": list(done.chat(audit)),
        "version": __version__,
        "vouching": vouching(audit),
        "seen": viewer_text(options.viewer),
        "style": Markup(style),  # noqa: S704 - our own files
        "script": Markup(script),  # noqa: S704
        "hash": script_hash(),
        # `<` must not end the script element that the data lie in
        "told": Markup(told.replace("<", "\\u003c").replace("&", "\\u0026")),  # noqa: S704
    }
    return _environment().from_string(_file("page.html")).render(values)


def _suspicion(audit: Audit, one: Suspicion) -> dict[str, Any]:
    return {
        "names": ", ".join(one.finding.names),
        "would_be": would_be(one),
        "lines": list(lines_of(audit, one)),
        "cells": cells_of(one, verbose=True),
    }


def _how_played(audit: Audit, scene: MapScene) -> dict[str, Any]:
    """The sections on how the game was played, the first without its dice; and the lines about dice."""
    many, found = of_many_logs(audit), audit.integrity or Integrity()
    return {
        "integrity": list(how_played(audit, verbose=True)),
        "traces": list(groups(audit, many_logs=many, verbose=True)),
        "on_the_map": _openings(scene),
        "ledger": list(dice_lines(found)),
        "tests": list(test_lines(found)),
        "rolls": list(roll_lines(found, many_logs=many)),
    }


def _openings(scene: MapScene) -> dict[str, str]:
    """Openings of logs before which counters were moved: their names, and their anchors on the page."""
    logs = dict.fromkeys(moved.at.log for moved in scene.between)
    return {opening_text(log): f"step-{log}-0" for log in logs}


def script_hash() -> str:
    """The hash by which a policy allows the script of a report to run."""
    digest = hashlib.sha256(_file("page.js").encode("utf-8")).digest()
    return base64.b64encode(digest).decode("ascii")


REPORT = Report("html", ".html", _render, pictured=True, with_blank=in_markup)


Row = TypeVar("Row", FindingRow, MoveRow)

FEW_FINDINGS = 12
"""Findings that are unfolded at first."""

FEW_ROWS = 40
"""Rows of a list of findings; further rows are folded."""

FEW_MOVES = 60
FEW_NOTES = 10
FEW_QUESTIONS = 5
"""Lists up to this length are not folded."""


@dataclass(frozen=True, slots=True)
class Group(Generic[Row]):
    """Rows under one heading. ``counts``: the numbers in words. ``who``: the player of all rows; "" if there
    are several. ``unfolded``: at first, with the ``first`` rows shown. ``told``: moves whose own rows say the
    same as a row left out here."""

    title: str
    who: str
    counts: str
    rows: tuple[Row, ...]
    unfolded: bool
    first: int = 0
    told: tuple[MoveRow, ...] = ()


@dataclass(frozen=True, slots=True)
class QuestionRow:
    """A question, with the moves and the other findings that wait for its answer."""

    unknown: MissingFact
    moves: tuple[MoveRow, ...]
    others: tuple[FindingRow, ...]


@dataclass(frozen=True, slots=True)
class QuestionGroupRow:
    """A group of questions for the page."""

    group: QuestionGroup
    rows: tuple[QuestionRow, ...]


def finding_groups(sheet: Sheet) -> list[Group[FindingRow]]:
    """Violations by phase."""
    found, shown = [], 0
    for title, rows in _by_phase(row for row in sheet.findings if row.violation):
        counts = _counted(Counter(row.finding.kind for row in rows))
        left = FEW_FINDINGS - shown
        shown += len(rows)
        found.append(Group(title, _whose(rows), counts, rows, left > 0, max(left, 0)))
    return found


def move_groups(sheet: Sheet) -> list[Group[MoveRow]]:
    """Every move, by phase."""
    few = len(sheet.moves) <= FEW_MOVES
    found = []
    for title, rows in _by_phase(sheet.moves):
        verdicts = Counter(row.verdict for row in rows)
        order = (*VERDICTS, "not judged")
        counts = ", ".join(f"{verdicts[v]:,} {v}" for v in order if verdicts[v])
        found.append(Group(title, _whose(rows), counts, rows, few))
    return found


def note_groups(sheet: Sheet) -> list[Group[FindingRow]]:
    """Notes by rule, without those shown among the traces of integrity."""
    notes = [
        row
        for row in sheet.findings
        if row.finding.kind == "note" and not told_as_trace(sheet.audit, row.finding)
    ]
    found = []
    for code in dict.fromkeys(row.finding.code for row in notes):
        alike = [row for row in notes if row.finding.code == code]
        told = [row for row in alike if len(alike) > FEW_NOTES and is_told_by_its_move(row)]
        rows = tuple(row for row in alike if row not in told)
        clause = alike[0].clause
        title = f"{code}  {clause.title}" if clause is not None and clause.title else code
        unfolded = len(notes) <= FEW_NOTES
        moves = tuple(row.moves[0] for row in told)
        number = f"{len(alike):,}"
        found.append(Group(title, _whose(alike), number, rows, unfolded, told=moves))
    return found


def is_told_by_its_move(row: FindingRow) -> bool:
    """Whether a note only repeats the remark on its move, for example that the move was taken back."""
    remark = row.moves[0].judged.remark if len(row.moves) == 1 else ""
    return bool(remark) and row.finding.explanation.endswith(remark)


def question_rows(sheet: Sheet) -> tuple[list[QuestionGroupRow], list[QuestionGroupRow]]:
    """All questions: first the groups that together decide most moves, then the others."""
    moves = {row.number: row for row in sheet.moves}
    rows = {id(row.finding): row for row in sheet.findings}

    def row(group: QuestionGroup) -> QuestionGroupRow:
        asked = tuple(
            QuestionRow(
                one.unknown,
                tuple(moves[judged.move.id] for judged in one.moves),
                tuple(rows[id(finding)] for finding in one.others),
            )
            for one in group.questions
        )
        return QuestionGroupRow(group, asked)

    found = question_groups(sheet.audit)
    every = [row(one) for one in found.by_worth]
    return every[:FIRST], every[FIRST:]


def reasons(sheet: Sheet) -> list[tuple[str, tuple[FindingRow, ...]]]:
    """Open findings that no single fact would decide, by reason."""
    rows = {id(row.finding): row for row in sheet.findings}
    bare = [rows[id(finding)] for finding in without_question(sheet.audit)]
    texts = dict.fromkeys(row.finding.explanation for row in bare)
    return [(t, tuple(row for row in bare if row.finding.explanation == t)) for t in texts]


def _by_phase(rows: Iterable[Row]) -> Iterator[tuple[str, tuple[Row, ...]]]:
    """Rows by phase, in the order of the game; by log if the phase is not known."""
    found: dict[str, list[Row]] = {}
    for row in rows:
        found.setdefault(row.phase or f"phase not known{_in_log(row)}", []).append(row)
    for title, of_it in found.items():
        yield title, tuple(of_it)


def _whose(rows: Sequence[FindingRow | MoveRow]) -> str:
    who = {row.who for row in rows}
    return who.pop() if len(who) == 1 else ""


def _in_log(row: FindingRow | MoveRow) -> str:
    steps = row.finding.steps if isinstance(row, FindingRow) else row.judged.move.steps
    return f", log {min(steps).log}" if steps else ""


def _counted(kinds: Counter[str]) -> str:
    return ", ".join(
        f"{number:,} {KIND_NAMES[kind] if number == 1 else SEVERAL[kind]}"
        for kind, number in kinds.items()
    )
