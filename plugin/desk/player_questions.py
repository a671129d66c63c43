"""Open questions, put to the players whose moves wait for the answers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from ...model.finding import Audit
from ..reports.phrases import counted
from ..reports.questions import OpenQuestion
from ..reports.routes import route, unit_names
from .cutout import Cutout

FEW_EXAMPLES = 3
BOTH = "all players"
KEEPER = "whoever keeps the pack (the rulebook tells)"

_OF_PACK = "[[pack]]"


@dataclass(frozen=True)
class Asked:
    """A question as a sentence. ``cutout``: the part of the map to look at, as SVG (:meth:`.Cutout.look`);
    "": it asks for no look, or nobody knows where that is."""

    text: str
    cutout: str = ""


@dataclass(frozen=True)
class PlayerQuestions:
    """Questions ``to`` those whose moves wait for the answers."""

    to: str
    questions: tuple[Asked, ...]


def questions_by_player(
    audited: Audit,
    questions: Iterable[OpenQuestion],
    players: Mapping[str, str],
    first: str | None,
    cutouts: Cutout | None = None,
) -> Iterator[PlayerQuestions]:
    """Questions by whom they concern, those to the side ``first`` before the others. ``players``: side →
    player. ``cutouts``: what draws the map, None: it is left out."""
    found: dict[str, list[Asked]] = {}
    for one in questions:
        look = one.unknown.look
        drawn = cutouts.look(look) if look and cutouts is not None else ""
        found.setdefault(_concerned(one), []).append(Asked(_question(audited, one), drawn))
    ranks = {first: 0, "": 2, KEEPER: 3}
    for side in sorted(found, key=lambda side: (ranks.get(side, 1), side)):
        yield PlayerQuestions(player_of(players, side) if side else BOTH, tuple(found[side]))


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
    """The side all of whose moves, or stacks, wait for it; "": those of several, or nobody knows whose;
    :data:`KEEPER` where the answer stands in the rulebook and belongs into the pack. A look at the map is
    asked of all."""
    missing = one.unknown
    if missing.look:
        return ""
    if missing.file == "pack.toml" or missing.stanza.startswith(_OF_PACK):
        return KEEPER
    sides = {judged.move.actor for judged in one.moves} | {found.side for found in one.others}
    return (sides.pop() if len(sides) == 1 else "") or ""


def _question(audited: Audit, one: OpenQuestion) -> str:
    asked = as_sentence(one.unknown.question)
    moves = [
        f"{unit_names(audited, judged)} {route(judged, path=False)}"
        + (f" ({judged.move.steps[0].said})" if judged.move.steps else "")
        for judged in one.moves
    ]
    others = [found.explanation for found in one.others]
    if not moves:
        return f"{asked} It decides {_some(others)}." if others else asked
    besides = f"; and {counted(len(others), 'finding')} besides" if others else ""
    return f"{asked} It decides {counted(len(moves), 'move')}: {_some(moves)}{besides}."


def _some(texts: list[str]) -> str:
    more = len(texts) - FEW_EXAMPLES
    return "; ".join(texts[:FEW_EXAMPLES]) + (f"; and {more:,} more" if more > 0 else "")
