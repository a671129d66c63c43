"""The mail as Markdown, for forums and plain e-mail."""

from __future__ import annotations

from collections.abc import Iterator

from ..printable import markdown, printable
from ..reports import suspects
from .letter import ANSWER, HOW_TO_READ, ON_PAGE, PLAYED, Letter, OffenceTold
from .player_questions import Asked


def as_markdown(letter: Letter) -> str:
    """The mail as Markdown that reads well as plain text, too. It has no seal: forums show comments."""
    return "\n\n".join(_parts(letter)) + "\n"


def _parts(letter: Letter) -> Iterator[str]:
    yield f"# {_plain(letter.title)}"
    yield f"*{_plain(letter.to)}*"
    yield "\n".join(_plain(line) for line in letter.summary)
    if letter.suspects:
        yield f"## {suspects.HEADING}"
        yield suspects.MEANING
        yield "\n".join(f"- {_plain(line)}" for line in letter.suspects)
    if letter.offences:
        yield "## Offences"
    for one in letter.offences:
        yield from _offence(one)
    if letter.more:
        yield "The others, in a line each:"
        yield "\n".join(f"- {_plain(line)}" for line in letter.more)
    if letter.gone:
        yield "## Rulings on what is no longer found"
        yield "\n".join(f"- {_plain(line)}" for line in letter.gone)
    if letter.questions:
        yield "## Open questions"
        yield ANSWER
    for part in letter.questions:
        yield f"To {_plain(part.to)}:"
        yield "\n".join(f"{n}. {_asked(one)}" for n, one in enumerate(part.questions, 1))
    if letter.questions_left:
        yield f"{letter.questions_left} more, with fewer moves each."
    yield "## How to read this"
    yield HOW_TO_READ
    if letter.played:
        yield "## How the game was played"
        yield PLAYED
        yield "\n".join(
            line
            for title, told in letter.played
            for line in (f"- {_plain(title)}", *(f"  - {_plain(one)}" for one in told))
        )
    yield "## The rest"
    yield "\n".join(f"- {_plain(label)}: {_plain(text)}" for label, text in letter.rest)


def _offence(one: OffenceTold) -> Iterator[str]:
    yield f"### {_plain(one.heading)} (`{one.id}`)"
    rows = [("when", one.when), *(("moved", line) for line in one.moved)]
    rows += [("found", line) for line in one.found]
    rows += [
        ("rule", one.rule),
        ("remedy", one.remedy),
        ("standing", one.standing),
        ("ruling", one.ruling),
        *(("map", line) for line in one.looked),
    ]
    yield "\n".join(f"- {label}: {_plain(text)}" for label, text in rows if text)
    if one.bill:
        head = f"| hex | {_plain(one.unit)} | for | rule |\n|---|---:|---|---|"
        yield "\n".join([head, *("| " + " | ".join(map(_plain, row)) + " |" for row in one.bill)])


def _asked(one: Asked) -> str:
    return _plain(f"{one.text} {ON_PAGE}" if one.cutout else one.text)


def _plain(text: str) -> str:
    return markdown(printable(text))
