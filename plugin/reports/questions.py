"""The questions a report asks: each once, with all that waits for its answer."""

from __future__ import annotations

from dataclasses import dataclass

from ...model.fact import MissingFact
from ...model.finding import Audit, Finding, JudgedMove
from ...model.stanza import BLANK
from .json import unknowns_of

HOW_TO_LOOK = (
    "To settle it, a person compares this part of the map with the pack: the studio shows both."
)


OF_RULES = (
    "To settle it, write what the game has into [rules] of pack.toml: the studio has a form for it."
)


def how_to_settle(unknown: MissingFact) -> str:
    """A sentence on how a question is answered that no stanza answers; '': its stanza does. Nobody pastes
    that a chart, or a part of the map, is complete: he looks at it."""
    if unknown.look:
        return HOW_TO_LOOK
    return OF_RULES if unknown.key.startswith("chart ") else ""


def to_write(unknown: MissingFact) -> str:
    """What stands before the stanza that answers a question; begins with a small letter."""
    into = f" into {unknown.file}" if unknown.file else ""
    may_be_none = unknown.key.startswith("hexside ") and unknown.stanza.endswith(f'["{BLANK}"]')
    return f"to settle it, write{into}{' ([] if there is nothing)' if may_be_none else ''}:"


@dataclass(frozen=True, slots=True)
class OpenQuestion:
    """A fact that would decide something: the unverifiable moves that wait for it, and the other
    findings that do (a stack that may be too big)."""

    unknown: MissingFact
    moves: tuple[JudgedMove, ...]
    others: tuple[Finding, ...]

    @property
    def waiting(self) -> int:
        """How much waits for it."""
        return len(self.moves) + len(self.others)


def open_questions(audit: Audit) -> list[OpenQuestion]:
    """Every question, the one for which most moves wait first."""
    open_moves = _open_moves(audit)
    others = [f for f in audit.findings if _is_more_than_its_move(f, open_moves)]
    asked = [
        OpenQuestion(
            unknown,
            tuple(open_moves[number] for number in moves if number in open_moves),
            tuple(f for f in others if any(u.key == unknown.key for u in f.unknowns)),
        )
        for unknown, moves in unknowns_of(audit).values()
    ]
    return sorted(asked, key=lambda one: (-len(one.moves), -len(one.others), one.unknown.key))


def without_question(audit: Audit) -> list[Finding]:
    """What is unverifiable and no single fact is known that would decide it."""
    return [f for f in audit.findings if f.kind == "unverifiable" and not f.unknowns]


def _open_moves(audit: Audit) -> dict[int, JudgedMove]:
    return {m.move.id: m for m in audit.moves if m.verdict == "unverifiable" and m.judged}


def _is_more_than_its_move(finding: Finding, open_moves: dict[int, JudgedMove]) -> bool:
    """Whether an open finding says more than that a move is unverifiable, which the move says itself."""
    if finding.kind != "unverifiable":
        return False
    if len(finding.moves) != 1 or finding.moves[0] not in open_moves:
        return True
    return not finding.explanation.endswith(open_moves[finding.moves[0]].remark or "\0")
