"""The open questions as a section: those that decide most moves, what waits for them, and how to answer."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace

from ...model.finding import Audit, Finding, JudgedMove
from .phrases import counted, when
from .question_groups import (
    FIRST,
    OpenQuestion,
    QuestionGroup,
    as_sentence,
    how_to_settle,
    question_groups,
    to_write,
    without_question,
)
from .routes import route, unit_names
from .sections import Group, Line, Section

HEADING = "Open questions, and what would settle them"
MEANING = "First come the questions that decide most moves together."
FEW_EXAMPLES = 4
FEW_REASONS = 12


def questions_section(audit: Audit, *, verbose: bool) -> Section | None:
    """What is not known and would decide something; None if there is no such thing. ``verbose``: every
    question with everything that waits for it; otherwise the first groups."""
    found, bare = question_groups(audit), without_question(audit)
    if not found.groups and not bare:
        return None
    number = len(found.groups)
    groups = [
        part
        for group in found.by_worth[: number if verbose else FIRST]
        for part in (_each(audit, group) if verbose else [_in_short(audit, group)])
    ]
    left = 0 if verbose else number - len(groups)
    if left:
        more = f"{counted(left, 'more question')} with fewer moves each: see --verbose or the JSON report."
        groups.append(Group("", ((("", more),),)))
    reasons = Counter(finding.explanation for finding in bare)
    if reasons:
        most = reasons.most_common(None if verbose else FEW_REASONS)
        groups.append(Group("", (tuple((f"{number} ×", text) for text, number in most),)))
    heading = f"{HEADING} ({number:,})" if number else HEADING
    return Section(heading, MEANING if number > 1 else "", tuple(groups))


def _in_short(audit: Audit, group: QuestionGroup) -> Group:
    """A group with some of what waits for it, and one answer: to all of it, or to its first question."""
    moves = group.moves[:FEW_EXAMPLES]
    waiting = _waiting(audit, moves, group.others[: FEW_EXAMPLES - len(moves)])
    more = len(group.moves) + len(group.others) - len(waiting)
    return _answered(group, Group(group.said, (waiting,), more), group.questions[0])


def _each(audit: Audit, group: QuestionGroup) -> Iterator[Group]:
    """A group with everything that waits for it: question by question if it has several."""
    if len(group.questions) == 1:
        waiting = _waiting(audit, group.moves, group.others)
        yield _answered(group, Group(group.said, (waiting,)), group.questions[0])
        return
    at_once = Group(group.said, ())
    settled = group.how or group.whole
    yield _answered(group, at_once, group.questions[0]) if settled else at_once
    for one in group.questions:
        title = as_sentence(one.unknown.question)
        alone = replace(group, questions=(one,), whole=None)
        yield _answered(alone, Group(title, (_waiting(audit, one.moves, one.others),)), one)


def _answered(group: QuestionGroup, shown: Group, one: OpenQuestion) -> Group:
    """``shown`` with how to answer ``one``, a question of ``group``, or all of them."""
    asked = group.whole or one.unknown
    how = group.how or how_to_settle(asked)
    if how or not asked.stanza:
        return replace(shown, answer=how)
    what = f"To settle {'the first' if len(group.questions) > 1 else 'it'}"
    return replace(shown, answer=group.at_once or to_write(asked, what), stanza=asked.stanza)


def _waiting(
    audit: Audit, moves: Iterable[JudgedMove], others: Iterable[Finding]
) -> tuple[Line, ...]:
    """A line for each move and each other finding."""
    lines = [
        ("", f"{unit_names(audit, one)}  {route(one, path=False)}  ({when(audit, one.move.steps)})")
        for one in moves
    ]
    for finding in others:
        steps = when(audit, finding.steps)
        lines.append(("", f"{finding.explanation}{f'  ({steps})' if steps else ''}"))
    return tuple(lines)
