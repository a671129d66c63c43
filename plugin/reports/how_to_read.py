"""How to read a report, for readers who do not know the program: as Markdown, and as markup for a page.

``page/how-to-read.md`` is the source; ``docs/how-to-read-a-report.md`` is a copy made by ``docs/build.py``.
"""

from __future__ import annotations

import re
from functools import cache
from importlib import resources

from markupsafe import Markup, escape

IN_SHORT = (
    ("legal", "a path keeps the rules, whatever the unknown facts turn out to be"),
    ("illegal", "no path does, whatever they turn out to be"),
    (
        "unverifiable",
        "neither is certain; nobody is accused; the report asks what would decide it",
    ),
    ("moved", "the hexes where the counter was put down; in brackets the cheapest path found"),
    ("bill", "what that path costs, hex by hex; a dash: that step is not allowed"),
)
"""The most important words, for reports without room for the whole text."""

WHERE = "docs/how-to-read-a-report.md of vassal-umpire, and the head of the HTML report"

_MARKS = (
    (re.compile(r"\*\*(.+?)\*\*"), r"<b>\1</b>"),
    (re.compile(r"\*(.+?)\*"), r"<i>\1</i>"),
    (re.compile(r"`(.+?)`"), r"<code>\1</code>"),
)


@cache
def how_to_read() -> str:
    """The text, in Markdown."""
    return resources.files(__package__).joinpath("page", "how-to-read.md").read_text("utf-8")


@cache
def as_markup() -> Markup:
    """The text for a page, without its title."""
    blocks = how_to_read().strip().split("\n\n")[1:]
    return Markup("\n").join(map(_block, blocks))


def _block(text: str) -> Markup:
    if text.startswith("## "):
        return Markup("<h3>{}</h3>").format(text[3:])
    if text.startswith("- "):
        items = re.split(r"\n- ", text[2:])
        return Markup("<ul>{}</ul>").format(
            Markup("").join(Markup("<li>{}</li>").format(_marked(item)) for item in items)
        )
    return Markup("<p>{}</p>").format(_marked(text))


def _marked(text: str) -> Markup:
    """Our own Markdown as HTML elements."""
    shown = str(escape(" ".join(text.split())))
    for mark, element in _MARKS:
        shown = mark.sub(element, shown)
    return Markup(shown)  # noqa: S704 - our own file, escaped
