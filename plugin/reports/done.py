"""What was done in a game to which no rules were applied: the same rows in all reports."""

from __future__ import annotations

from collections.abc import Iterator

from ...model.finding import Audit
from ..printable import printable
from .phrases import steps_text, who
from .routes import route, unit_names

COLUMNS = ("step", "by", "what", "from and to")
LONGEST = 400
"""Characters of a line of chat that are shown."""


def rows(audit: Audit, *, many_logs: bool) -> list[tuple[str, str, str, str]]:
    """Who moved what, when, from where to where, as :data:`COLUMNS`."""
    return [
        (
            steps_text(one.move.steps, many_logs=many_logs)
            .removeprefix("step ")
            .removeprefix("steps "),
            who(one.move.player, one.move.actor),
            unit_names(audit, one),
            route(one),
        )
        for one in audit.moves
    ]


def chat(audit: Audit, *, many_logs: bool) -> Iterator[tuple[str, str]]:
    """What players typed: the step, and who said what."""
    for line in audit.chat:
        said = f"{line.player}: {line.text}" if line.player else line.text
        yield steps_text((line.at,), many_logs=many_logs), printable(said, LONGEST)
