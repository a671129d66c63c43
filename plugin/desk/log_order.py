"""Whether logs that were named in order are one line of one game, as far as positions tell."""

from __future__ import annotations

from collections.abc import Iterator

from ...importers.vassal.continuity import gaps
from ...model.problem import Unreadable
from ...model.table import LogHistory, Table, TableHistory

IN_ORDER = "the logs in the order in which they were played"


def refuse_disorder(history: TableHistory) -> None:
    """Raise :class:`Unreadable` where a log ends with the very position that one before it begins with, and
    where two begin with the same: each only if it does not go on from the log before it, piece by piece."""
    for number, later in _astray(history):
        for earlier in history.logs[:number]:
            if not later.steps and _same(later.opening, earlier.opening):
                raise Unreadable(
                    f"is the position with which {earlier.source} begins, so it was saved before it",
                    where=later.source,
                    expected="a save from the turn that follows the logs",
                )
            if _same(later.opening, earlier.opening):
                raise Unreadable(
                    f"begins where {earlier.source} began: only one of them is part of the game",
                    where=later.source,
                    expected=IN_ORDER,
                )
        for place, earlier in enumerate(history.logs[:number]):
            begins = place == 0 or bool(history.gaps[place - 1])
            if begins and _same(later.end, earlier.opening):
                raise Unreadable(
                    f"ends where {earlier.source} begins, so it was played before it",
                    where=later.source,
                    expected=IN_ORDER,
                )


def _astray(history: TableHistory) -> Iterator[tuple[int, LogHistory]]:
    """The logs that do not go on from the one before them, with their places from 0."""
    for number, gap in enumerate(history.gaps, 1):
        if gap:
            yield number, history.logs[number]


def _same(one: Table, other: Table) -> bool:
    """Whether two positions are the same, piece by piece, and there is something on the table."""
    return bool(one.pieces) and next(iter(gaps(one, other)), None) is None
