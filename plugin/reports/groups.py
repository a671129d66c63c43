"""The rows of the page in groups that can be folded: by phase, by question, by kind of note."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from ...model.fact import MissingFact
from .integrity import told_as_trace
from .phrases import KIND_NAMES, several
from .question_groups import QuestionGroup, question_groups, without_question
from .report import VERDICTS
from .sheet import FindingRow, MoveRow, Sheet

Row = TypeVar("Row", FindingRow, MoveRow)

FEW_FINDINGS = 12
"""Findings that are told in full to begin with."""

FEW_ROWS = 40
"""Rows of a list of findings; the others are folded behind them."""

FEW_MOVES = 60
FEW_NOTES = 10
FEW_QUESTIONS = 5
"""Up to so many are not folded at all."""


@dataclass(frozen=True, slots=True)
class Group(Generic[Row]):
    """Rows under one heading. ``counts``: how many of what. ``who``: whose they all are; '' if they are of
    several players. ``unfolded``: to begin with; of those ``first`` so many rows. ``told``: moves of whose
    rows each says what a row here would say again."""

    title: str
    who: str
    counts: str
    rows: tuple[Row, ...]
    unfolded: bool
    first: int = 0
    told: tuple[MoveRow, ...] = ()


@dataclass(frozen=True, slots=True)
class QuestionRow:
    """A question once: the moves that wait for it, and the other findings that do."""

    unknown: MissingFact
    moves: tuple[MoveRow, ...]
    others: tuple[FindingRow, ...]


@dataclass(frozen=True, slots=True)
class QuestionGroupRow:
    """Questions that are answered in one go; ``decides``: how many moves that decides, in words. ``stanza``:
    what answers all of them; "": each has its own."""

    text: str
    decides: str
    stanza: str
    rows: tuple[QuestionRow, ...]


def finding_groups(sheet: Sheet) -> list[Group[FindingRow]]:
    """What was done wrong, by phase."""
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
    """The notes, by rule; not those that are told among the traces of integrity."""
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
    """Whether a note says no more than the remark on its move, as of one that was taken back."""
    remark = row.moves[0].judged.remark if len(row.moves) == 1 else ""
    return bool(remark) and row.finding.explanation.endswith(remark)


def question_rows(sheet: Sheet) -> tuple[list[QuestionGroupRow], list[QuestionGroupRow]]:
    """All questions: those that decide most moves together, and the others."""
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
        return QuestionGroupRow(group.text, group.decides, group.stanza, asked)

    found = question_groups(sheet.audit)
    first = found.first()
    topics = {one.topic for one in first}
    others = (one for one in found.groups if one.topic not in topics)
    return [row(one) for one in first], [row(one) for one in others]


def reasons(sheet: Sheet) -> list[tuple[str, tuple[FindingRow, ...]]]:
    """What is open and no single fact would decide, by the reason given."""
    rows = {id(row.finding): row for row in sheet.findings}
    bare = [rows[id(finding)] for finding in without_question(sheet.audit)]
    texts = dict.fromkeys(row.finding.explanation for row in bare)
    return [(t, tuple(row for row in bare if row.finding.explanation == t)) for t in texts]


def _by_phase(rows: Iterable[Row]) -> Iterator[tuple[str, tuple[Row, ...]]]:
    """Rows by their phase, in the order of the game; where it is not known, by log."""
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
        f"{number:,} {KIND_NAMES[kind] if number == 1 else several(kind)}"
        for kind, number in kinds.items()
    )
