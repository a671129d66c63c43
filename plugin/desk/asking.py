"""Open questions, put to the players whose moves wait for the answers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from ...model.finding import Audit
from ..reports.phrases import counted
from ..reports.questions import OpenQuestion
from ..reports.routes import route, unit_names

FEW_EXAMPLES = 3
BOTH = "all players"


@dataclass(frozen=True)
class Asked:
    """Questions ``to`` those whose moves wait for the answers, as sentences."""

    to: str
    questions: tuple[str, ...]


def asked_of(
    audited: Audit, questions: Iterable[OpenQuestion], players: Mapping[str, str], first: str | None
) -> Iterator[Asked]:
    """Questions by whom they concern, those to the side ``first`` before the others. ``players``: side →
    player."""
    found: dict[str, list[str]] = {}
    for one in questions:
        found.setdefault(_concerned(one), []).append(_question(audited, one))
    for side in sorted(found, key=lambda side: (side != first, side == "", side)):
        yield Asked(player_of(players, side) if side else BOTH, tuple(found[side]))


def player_of(players: Mapping[str, str], side: str) -> str:
    """The player of a side as a letter calls him."""
    name = players.get(side, "")
    return f"{side} ({name})" if name and name != side else side


def as_sentence(text: str) -> str:
    """A text that begins and ends as a sentence does."""
    text = text.strip()
    end = "" if text.endswith((".", "?", "!")) or not text else "."
    return f"{text[:1].upper()}{text[1:]}{end}"


def _concerned(one: OpenQuestion) -> str:
    """The side all of whose moves, or stacks, wait for it; "": those of several, or nobody knows whose."""
    sides = {judged.move.actor for judged in one.moves} | {found.side for found in one.others}
    return (sides.pop() if len(sides) == 1 else "") or ""


def _question(audited: Audit, one: OpenQuestion) -> str:
    waiting = [
        f"{unit_names(audited, judged)} {route(judged, path=False)} ({judged.move.steps[0].said})"
        for judged in one.moves
        if judged.move.steps
    ]
    waiting += [found.explanation for found in one.others]
    asked = as_sentence(one.unknown.question)
    if not waiting:
        return asked
    more = len(waiting) - FEW_EXAMPLES
    shown = "; ".join(waiting[:FEW_EXAMPLES]) + (f"; and {more:,} more" if more > 0 else "")
    number = f"{counted(len(one.moves), 'move')}: " if one.moves else ""
    return f"{asked} It decides {number}{shown}."
