"""The mail as Markdown, for forums and plain e-mail."""

from __future__ import annotations

from collections.abc import Iterator

from ..printable import markdown, printable
from ..seal import in_markup
from .letter import Letter, OffenceTold


def as_markdown(letter: Letter) -> str:
    """The mail as Markdown that reads well as plain text, too; sealed once it is written."""
    return in_markup("\n\n".join(_parts(letter)) + "\n")


def _parts(letter: Letter) -> Iterator[str]:
    yield f"# {_plain(letter.title)}"
    yield f"*{_plain(letter.to)}*"
    yield "\n".join(_plain(line) for line in letter.summary)
    if letter.offences:
        yield "## Offences"
    for one in letter.offences:
        yield from _offence(one)
    if letter.more:
        yield "\n".join(f"- {_plain(line)}" for line in letter.more)
    if letter.questions:
        yield "## Questions to the players"
        yield "\n".join(f"{n}. {_plain(line)}" for n, line in enumerate(letter.questions, 1))
    if letter.questions_left:
        yield f"{letter.questions_left} more, with fewer moves each."
    yield "## The rest"
    yield "\n".join(f"- {_plain(label)}: {_plain(text)}" for label, text in letter.rest)


def _offence(one: OffenceTold) -> Iterator[str]:
    yield f"### {_plain(one.heading)} (`{one.id}`)"
    rows = [("when", one.when), *(("moved", line) for line in one.moved)]
    rows += [("found", line) for line in one.found]
    rows += [
        ("rule", one.rule),
        ("remedy", one.remedy),
        ("until", one.standing),
        ("ruling", one.ruling),
    ]
    yield "\n".join(f"- {label}: {_plain(text)}" for label, text in rows if text)
    if one.bill:
        head = f"| hex | {_plain(one.unit)} | for | rule |\n|---|---:|---|---|"
        yield "\n".join([head, *("| " + " | ".join(map(_plain, row)) + " |" for row in one.bill)])


def _plain(text: str) -> str:
    return markdown(printable(text))
