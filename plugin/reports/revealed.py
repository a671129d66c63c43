"""What reports say of what was hidden in a game: the same sentences in all of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from ...model.finding import Audit
from ...model.game import StepRef
from ...model.reveal import Announced, Concealed
from ..printable import readable_chat
from .integrity import Group
from .phrases import steps_text

HEADING = "Revealed"
MEANING = (
    "What was hidden or masked, and what was so. Not findings: each move is judged among the others, with"
    " everything known."
)
NOTHING = "No unit was hidden or masked from another side."
_KINDS = (
    ("hidden", True, "Hidden, and elsewhere than it was seen last"),
    ("hidden", False, "Hidden where it was seen last"),
    ("masked", False, "Masked"),
)


def revealed_groups(audit: Audit, *, many_logs: bool) -> Iterator[Group]:
    """What there is to tell, by kind."""
    found = audit.revealed
    if found is None:
        return
    verdicts = {m.move.id: m.verdict if m.judged else "not judged" for m in audit.moves}
    for kind, differs, title in _KINDS:
        alike = [one for one in found.concealed if (one.kind, one.differs) == (kind, differs)]
        if alike:
            lines = [(_span(one, many_logs), _concealed(one, verdicts, many_logs)) for one in alike]
            yield f"{title} ({len(alike):,})", lines, 0
    if found.announced:
        title = "Named with hexes in which it did not lie"
        lines = [
            (steps_text((one.at,), many_logs=many_logs), _announced(one)) for one in found.announced
        ]
        yield f"{title} ({len(lines):,})", lines, 0


def _span(one: Concealed, many_logs: bool) -> str:
    first = _from(one.first, many_logs)
    if one.last is None:
        return f"{first} to the end"
    if one.last.log == one.first.log:
        return f"{first} to step {one.last.step}"
    return f"{first} to {_from(one.last, True)}"


def _from(at: StepRef, many_logs: bool) -> str:
    if at.step == 0:
        return f"opening of log {at.log}"
    return steps_text((at,), many_logs=many_logs)


def _concealed(one: Concealed, verdicts: dict[int, str], many_logs: bool) -> str:
    to = " and ".join(one.to)
    unit = f"{one.name} of {one.side}" if one.side else one.name
    if one.kind == "hidden":
        last = f"who saw it last in {one.seen}" if one.seen else "who had not seen it"
        said = f"{unit} was hidden from {to}, {last}"
    else:
        said = f"{unit} was masked from {to}, who saw it as {one.by_name or 'a counter'}"
    lay = [
        f"{place or 'out of the game'} (from {_from(at, many_logs)})" if number else place or "-"
        for number, (at, place) in enumerate(one.places)
    ]
    said += f"; it lay in {', '.join(lay)}"
    if one.again:
        said += f"; known again in {one.again}"
    counted = Counter(verdicts[move] for move in one.moves if move in verdicts)
    if counted:
        told = ", ".join(f"{number} {verdict}" for verdict, number in sorted(counted.items()))
        said += f"; its moves meanwhile: {told}"
    return said


def _announced(one: Announced) -> str:
    who = one.player or "the log"
    hexes = ", ".join(one.hexes)
    place = one.place or "out of the game"
    return (
        f'{who}: "{readable_chat(one.line)}": {one.name} is named with {hexes}, and lay in {place}'
    )
