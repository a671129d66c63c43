"""The record of a game in which nothing is decided: the same rows in all reports."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby

from ...model.finding import Audit, JudgedMove, PhaseView
from ..printable import printable
from .phrases import when, who
from .routes import route, unit_names
from .sections import Group, Section

COLUMNS = ("step", "by", "what", "from and to")
NO_UNIT = "no unit by the pack"
"""The remark on the move of a piece that is not a unit by the pack."""
LONGEST = 400
"""Maximum number of characters shown of a chat line."""


Row = tuple[str, str, str, str]


def phases(audit: Audit) -> Iterator[tuple[str, list[Row]]]:
    """Who moved what, when, from where to where (see :data:`COLUMNS`), by the phase shown at the time; "" if
    none was."""
    for phase, moves in groupby(audit.moves, key=lambda one: one.move.phase):
        yield "" if phase == PhaseView() else str(phase), list(_rows(audit, moves))


def _rows(audit: Audit, moves: Iterable[JudgedMove]) -> Iterator[Row]:
    for one in moves:
        told = one.remark not in ("", NO_UNIT) and not one.judged
        why = f" ({one.remark})" if told else ""
        yield (
            when(audit, one.move.steps).removeprefix("step ").removeprefix("steps "),
            who(one.move.player, one.move.actor),
            unit_names(audit, one),
            f"{route(one, path=False)}{why}",
        )


def chat(audit: Audit) -> Iterator[tuple[str, str]]:
    """Chat lines: the step, the player and the text."""
    for line in audit.chat:
        said = f"{line.player}: {line.text}" if line.player else line.text
        yield when(audit, (line.at,)), printable(said, LONGEST)


def chat_section(audit: Audit) -> Section | None:
    """The same as a section; None if there is nothing."""
    lines = tuple(chat(audit))
    return Section(f"Chat ({len(lines):,})", "", (Group("", (lines,)),)) if lines else None
