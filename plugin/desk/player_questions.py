"""Open questions, addressed to the players who can answer them."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

from ...model.finding import Audit
from ..reports.phrases import counted, player_text, when
from ..reports.question_groups import (
    BOTH,
    FEW,
    KEEPER,
    OpenQuestion,
    QuestionGroup,
    QuestionGroups,
    subject_of,
    units_of,
)
from ..reports.routes import route, unit_names
from .cutout import CounterShown, Cutout

FEW_EXAMPLES = 3
MOST_COUNTERS = 6
"""Maximum number of counter pictures under one offence or question."""

_SUBJECTS = {"hex": "hexes", "hexside": "hexsides", "phase": "parts of logs"}
"""What a question is about, by the first word of its key."""


@dataclass(frozen=True)
class Asked:
    """A question as a sentence. ``cutout``: the part of the map to look at, as SVG (:meth:`.Cutout.look`);
    "": no look is needed, or the place is not known. ``counters``: the counters that it is about. ``place``:
    the part of the map with the first hex or hexside that it is about, as SVG; "": none. ``every``: all that
    it is about, if the text names only the first of them."""

    text: str
    cutout: str = ""
    counters: tuple[CounterShown, ...] = ()
    place: str = ""
    every: tuple[str, tuple[str, ...]] | None = None


@dataclass(frozen=True)
class PlayerQuestions:
    """Questions, and who can answer them (``to``)."""

    to: str
    questions: tuple[Asked, ...]


def questions_by_player(
    audited: Audit,
    groups: Sequence[QuestionGroup],
    players: Mapping[str, str],
    first: str | None,
    cutouts: Cutout | None = None,
) -> Iterator[PlayerQuestions]:
    """Questions grouped by who can answer them; those to the side ``first`` come first. ``players``: side →
    player. ``cutouts``: draws the map; None: no drawings."""
    found: dict[str, list[Asked]] = {}
    for one in groups:
        looks = [asked.unknown.look for asked in one.questions if asked.unknown.look]
        drawn = cutouts.look(looks[0]) if looks and cutouts is not None else ""
        place = "" if drawn or cutouts is None else cutouts.place(one.questions[0].unknown.key)
        shown = () if cutouts is None else tuple(_counters(one, cutouts))
        found.setdefault(one.to, []).append(
            Asked(_question(audited, one), drawn, shown, place, _every(audited, one))
        )
    ranks = {first: 0, BOTH: 2, KEEPER: 3}
    for to in sorted(found, key=lambda to: (ranks.get(to, 1), to)):
        yield PlayerQuestions(player_of(players, to), tuple(found[to]))


def askable(groups: QuestionGroups, side: str | None) -> Collection[str]:
    """Who is asked on a page: on a side's page its player and everybody together; on the page for all
    (``side`` None) everybody. Questions about the rulebook are for the pack's keeper and on no page."""
    everybody = {one.to for one in groups.groups if one.to != KEEPER}
    return everybody if side is None else everybody & {side, BOTH}


def player_of(players: Mapping[str, str], side: str) -> str:
    """A side and its player, as a letter names them."""
    return player_text(players.get(side, ""), side)


def _every(audited: Audit, group: QuestionGroup) -> tuple[str, tuple[str, ...]] | None:
    first = group.questions[0].unknown
    every = tuple(dict.fromkeys(_subject(audited, one) for one in group.questions))
    if len(every) <= FEW or group.topic[0] == "cost":  # the text names all classes
        return None
    if first.key.startswith("stop in "):  # some are asked twice: on the way to two places
        return "Which stops: whose, where and when", every
    what = "counters" if units_of(first) else _SUBJECTS.get(first.key.split()[0], "cases")
    return f"The {len(every):,} {what} it is about", every


def _subject(audited: Audit, one: OpenQuestion) -> str:
    """What a question is about; for a stop whose key names no counter also whose it was, and when."""
    about, moved = subject_of(one.unknown, audited.names), one.moves[:1]
    if not one.unknown.key.startswith("stop in ") or not moved:
        return about
    steps = when(audited, moved[0].move.steps)
    return f"{unit_names(audited, moved[0])}: {about}{f' ({steps})' if steps else ''}"


def _counters(group: QuestionGroup, cutouts: Cutout) -> Iterator[CounterShown]:
    """The counters that a group's questions are about, each picture once."""
    pictures: set[str] = set()
    for one in group.questions:
        at = max((m.move.steps[0] for m in one.moves if m.move.steps), default=None)
        for shown in cutouts.counters(units_of(one.unknown), at):
            if shown.picture not in pictures and len(pictures) < MOST_COUNTERS:
                pictures.add(shown.picture)
                yield shown


def _question(audited: Audit, one: QuestionGroup) -> str:
    moves = [
        f"{unit_names(audited, judged)} {route(judged, path=False)}"
        + (f" ({judged.move.steps[0].said})" if judged.move.steps else "")
        for judged in one.moves
    ]
    others = [found.explanation for found in one.others]
    if not moves:
        return f"{one.text} It decides {_some(others)}." if others else one.text
    besides = f"; and {counted(len(others), 'finding')} besides" if others else ""
    return f"{one.text} It {one.decides}: {_some(moves)}{besides}."


def _some(texts: list[str]) -> str:
    more = len(texts) - FEW_EXAMPLES
    return "; ".join(texts[:FEW_EXAMPLES]) + (f"; and {more:,} more" if more > 0 else "")
