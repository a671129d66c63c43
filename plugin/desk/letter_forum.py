"""The mail as text for forums and plain e-mail (Markdown or BBCode), and as a page that prints on A4 and
letter paper."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from importlib import resources

from markupsafe import Markup

from ..pages import environment
from ..printable import markdown, printable
from ..reports import overdrawn, suspects
from ..seal import in_markup
from .letter import (
    ANSWER,
    HOW_TO_LOOK,
    HOW_TO_READ,
    ON_PAGE,
    PLAYED,
    WHAT_TO_DO,
    Letter,
    OffenceTold,
)
from .player_questions import Asked

Rows = Iterable[tuple[str, ...]]


@dataclass(frozen=True)
class Forum:
    """How a forum writes things. ``suffix``: of the file's name. ``plain``: text of others without markup.
    ``heading``: of level 1 to 3. ``items``, ``numbered``: a list of lines. ``table``: a head and rows, the
    second column numbers."""

    suffix: str
    plain: Callable[[str], str]
    heading: Callable[[int, str], str]
    items: Callable[[Iterable[str]], str]
    numbered: Callable[[Iterable[str]], str]
    table: Callable[[tuple[str, ...], Rows], str]
    code: Callable[[str], str]
    inner: str = "  - "


def _plain_markdown(text: str) -> str:
    return markdown(printable(text))


def _plain_bbcode(text: str) -> str:
    return printable(text).replace("[", "(").replace("]", ")")


def _markdown_table(head: tuple[str, ...], rows: Rows) -> str:
    lines = [f"| {' | '.join(head)} |\n|---|---:{'|---' * (len(head) - 2)}|"]
    return "\n".join([*lines, *(f"| {' | '.join(row)} |" for row in rows)])


def _bbcode_table(head: tuple[str, ...], rows: Rows) -> str:
    every = [head, *rows]
    widths = [max(len(row[n]) for row in every) for n in range(len(head))]
    lines = ("  ".join(cell.ljust(w) for cell, w in zip(r, widths, strict=True)) for r in every)
    return "\n".join(("[code]", *(line.rstrip() for line in lines), "[/code]"))


MARKDOWN = Forum(
    "md",
    _plain_markdown,
    lambda level, text: f"{'#' * level} {text}",
    lambda lines: "\n".join(f"- {line}" for line in lines),
    lambda lines: "\n".join(f"{n}. {line}" for n, line in enumerate(lines, 1)),
    _markdown_table,
    lambda text: f"`{text}`",
)
BBCODE = Forum(
    "bbcode.txt",
    _plain_bbcode,
    lambda level, text: f"[size={160 - 20 * level}][b]{text}[/b][/size]",
    lambda lines: "\n".join(("[list]", *(f"[*]{line}" for line in lines), "[/list]")),
    lambda lines: "\n".join(("[list=1]", *(f"[*]{line}" for line in lines), "[/list]")),
    _bbcode_table,
    lambda text: f"[i]{text}[/i]",
    "– ",
)
FORUMS = {"markdown": MARKDOWN, "bbcode": BBCODE}


def as_forum_text(letter: Letter, forum: Forum) -> str:
    """The mail as text that reads well without the forum, too. It has no seal: forums show comments."""
    return "\n\n".join(_parts(letter, forum)) + "\n"


def _parts(letter: Letter, forum: Forum) -> Iterator[str]:
    plain, heading, items = forum.plain, forum.heading, forum.items
    yield heading(1, plain(letter.title))
    yield "\n".join(plain(line) for line in (letter.to, letter.players) if line)
    yield heading(2, WHAT_TO_DO)
    yield items(map(plain, letter.todo))
    yield "\n".join(plain(line) for line in letter.summary)
    if letter.suspects:
        yield heading(2, suspects.HEADING)
        yield suspects.MEANING
        yield items(map(plain, letter.suspects))
    if letter.offences:
        yield heading(2, "Offences")
    for one in letter.offences:
        yield from _offence(one, forum)
    if letter.more:
        yield "The others, in a line each:"
        yield items(map(plain, letter.more))
    if letter.gone:
        yield heading(2, "Rulings on what is no longer found")
        yield items(map(plain, letter.gone))
    if letter.overdrawn:
        yield heading(2, overdrawn.HEADING)
        yield overdrawn.MEANING
        yield items(map(plain, letter.overdrawn))
    if letter.questions:
        yield heading(2, "Open questions")
        yield ANSWER
    for part in letter.questions:
        yield f"To {plain(part.to)}:"
        yield forum.numbered(_question(one, forum) for one in part.questions)
    if letter.folded:
        yield f"{len(letter.folded)} more, which decide fewer moves."
    yield heading(2, "How to read this")
    yield HOW_TO_READ
    if letter.played:
        yield heading(2, "How the game was played")
        yield PLAYED
        yield items(
            "\n".join((plain(title), *(forum.inner + plain(one) for one in told)))
            for title, told in letter.played
        )
    yield heading(2, "The rest")
    yield items(f"{plain(label)}: {plain(text)}" for label, text in letter.rest)


def _offence(one: OffenceTold, forum: Forum) -> Iterator[str]:
    yield forum.heading(3, f"{forum.plain(one.heading)} ({forum.code(one.id)})")
    rows = [("when", one.when), *(("moved", line) for line in one.moved)]
    rows += [("found", line) for line in one.found]
    rows += [
        ("rule", one.rule),
        ("remedy", one.remedy),
        ("standing", one.standing),
        ("ruling", one.ruling),
        *(("map", line) for line in one.looked),
    ]
    yield forum.items(f"{label}: {forum.plain(text)}" for label, text in rows if text)
    if one.bill:
        head = ("hex", forum.plain(one.unit), "for", "rule")
        yield forum.table(head, [tuple(map(forum.plain, row)) for row in one.bill])


def _question(one: Asked, forum: Forum) -> str:
    return forum.plain(
        f"{one.text} {ON_PAGE}" if one.cutout or one.place or one.counters else one.text
    )


PAGE = "page/letter.html"


def as_html(letter: Letter) -> str:
    """The mail as one HTML file that needs no other, sealed once it is written."""
    text = resources.files(__package__).joinpath(PAGE).read_text("utf-8")
    template = environment().from_string(text)
    cutouts = [one.cutout for one in letter.offences]
    cutouts += [
        one for part in letter.questions for q in part.questions for one in (q.cutout, q.place)
    ]
    drawn = {one: Markup(one) for one in cutouts}  # noqa: S704  # escaped where it is made
    return in_markup(
        template.render(
            letter=letter,
            drawn=drawn,
            answer=ANSWER,
            how_to_look=HOW_TO_LOOK,
            how_to_read=HOW_TO_READ,
            played=PLAYED,
            suspects=suspects,
            overdrawn=overdrawn,
            todo=WHAT_TO_DO,
        )
    )
