"""What was done in a game to which no rules were applied: the same rows in all reports."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby

from ...model.finding import Audit, JudgedMove, PhaseView
from ..printable import printable
from .phrases import when, who
from .routes import route, unit_names

COLUMNS = ("step", "by", "what", "from and to")
LONGEST = 400
"""Characters of a line of chat that are shown."""


Row = tuple[str, str, str, str]


def phases(audit: Audit) -> Iterator[tuple[str, list[Row]]]:
    """Who moved what, when, from where to where, as :data:`COLUMNS`, by the phase that was shown; "" where
    none was."""
    for phase, moves in groupby(audit.moves, key=lambda one: one.move.phase):
        yield "" if phase == PhaseView() else str(phase), list(_rows(audit, moves))


def _rows(audit: Audit, moves: Iterable[JudgedMove]) -> Iterator[Row]:
    for one in moves:
        yield (
            when(audit, one.move.steps).removeprefix("step ").removeprefix("steps "),
            who(one.move.player, one.move.actor),
            unit_names(audit, one),
            route(one),
        )


def chat(audit: Audit) -> Iterator[tuple[str, str]]:
    """What players typed: the step, and who said what."""
    for line in audit.chat:
        said = f"{line.player}: {line.text}" if line.player else line.text
        yield when(audit, (line.at,)), printable(said, LONGEST)
