"""A plain-text page: headings, wrapped paragraphs, tables without frames.

All text is made printable first. The result has no trailing blanks and, without colour, no escape codes: it
is the same on a terminal, in a pipe and in a file.
"""

from __future__ import annotations

import os
import re
import shutil
import sys
from collections.abc import Iterable, Sequence
from io import StringIO

from rich.box import Box
from rich.console import Console
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from .printable import printable

MAX_WIDTH = 100
PIPE_WIDTH = 80

# Columns parted by blanks, a dashed line under the headings: nothing beyond ASCII.
# A line that could be taken for one of a stanza, copied into a file of facts and believed: a header, or
# the beginning of an entry. Codes for colour may stand before it.
_COLOUR = r"(?:\x1b\[[0-9;]*m|\s)*"
_NAME = r"""(?:"[^"]*"|'[^']*'|[\w-]+)"""
_LIKE_TOML = re.compile(
    rf"^({_COLOUR})(?=\[\[?[^\[\]]+\]\]?{_COLOUR}(?:\#|$)|{_NAME}(?:{_COLOUR}\.{_COLOUR}{_NAME})*{_COLOUR}=)"
)

_UNDERLINED = Box("    \n    \n -- \n    \n    \n -- \n    \n    \n", ascii=True)


class TextWriter:
    """Text of ``width`` columns."""

    def __init__(self, width: int = PIPE_WIDTH, *, colour: bool = False) -> None:
        self._text = StringIO()
        self._verbatim: set[int] = set()
        self._console = Console(
            file=self._text,
            width=width,
            force_terminal=colour,
            color_system="standard" if colour else None,
            no_color=not colour,
            legacy_windows=False,
            markup=False,
            highlight=False,
            emoji=False,
        )

    def blank(self) -> None:
        """An empty line, but never two."""
        if self._last_two() != "\n\n":
            self._console.print()

    def _last_two(self) -> str:
        end = self._text.tell()
        self._text.seek(max(0, end - 2))
        return self._text.read()

    def title(self, text: str) -> None:
        """The heading of the sheet, underlined."""
        shown = printable(text)
        self._console.print(Text(shown, style="bold"))
        self._console.print("=" * min(len(shown), self._console.width))

    def heading(self, text: str, style: str = "bold") -> None:
        """A heading, set off by an empty line."""
        self.blank()
        self._console.print(Text(printable(text), style=style))

    def line(self, text: str, *, indent: int = 0, style: str = "", hang: int = 0) -> None:
        """A paragraph, wrapped; lines after the first are indented by ``hang`` more."""
        self.spans((text, style), indent=indent, hang=hang)

    def spans(self, *spans: tuple[str, str], indent: int = 0, hang: int = 0) -> None:
        """A paragraph of differently styled parts: (text, style)."""
        for number, line in enumerate(self._wrap(spans, indent + hang)):
            self._console.print(Padding(line, (0, 0, 0, indent + (hang if number else 0))))

    def _wrap(self, spans: Iterable[tuple[str, str]], used: int) -> list[Text]:
        whole = Text()
        for text, style in spans:
            whole.append(printable(text), style=style)
        return list(whole.wrap(self._console, max(self._console.width - used, 20))) or [Text()]

    def verbatim(self, text: str, *, indent: int = 0) -> None:
        """Lines to copy: kept as they are, never wrapped."""
        for line in text.rstrip("\n").split("\n"):
            self._verbatim.add(self._text.tell())
            self._console.print(Text(" " * indent + printable(line)), soft_wrap=True)

    def labelled(self, label: str, text: str, *, indent: int = 0, width: int = 10) -> None:
        """A paragraph with its name before it."""
        first, *rest = self._wrap([(text, "")], indent + width + 1)
        start = Text(" " * indent).append(f"{printable(label):<{width}} ", style="dim")
        self._console.print(start.append(first))
        for line in rest:
            self._console.print(Padding(line, (0, 0, 0, indent + width + 1)))

    def table(
        self,
        columns: Sequence[str],
        rows: Iterable[Sequence[str]],
        *,
        indent: int = 0,
        right: Iterable[int] = (),
        foot: Sequence[str] | None = None,
    ) -> None:
        """A table; the columns with index in ``right`` are aligned right; ``foot`` is its sum."""
        table = Table(
            box=_UNDERLINED,
            show_edge=False,
            pad_edge=False,
            header_style="bold",
            show_footer=foot is not None,
            padding=(0, 1, 0, 0),
        )
        numbers = set(right)
        for index, name in enumerate(columns):
            table.add_column(
                printable(name),
                footer=Text(printable(foot[index])) if foot is not None else "",
                justify="right" if index in numbers else "left",
                overflow="fold",
            )
        for row in rows:
            table.add_row(*(Text(printable(cell)) for cell in row))
        self._console.print(Padding(table, (0, 0, 0, indent), expand=False))

    def text(self) -> str:
        """The text. If wrapping makes a line look like one to copy, it begins with an ellipsis: where lines
        break depends on names from input files."""
        lines: list[str] = []
        at = 0
        for line in self._text.getvalue().splitlines(keepends=True):
            lines.append(line if at in self._verbatim else _LIKE_TOML.sub(r"\1… ", line, count=1))
            at += len(line)
        return re.sub(r"[ \t]+$", "", "".join(lines), flags=re.MULTILINE)


def terminal_width() -> int:
    """The width to write for: that of the terminal, within limits; 80 in a pipe."""
    if not sys.stdout.isatty():
        return PIPE_WIDTH
    return max(40, min(shutil.get_terminal_size((PIPE_WIDTH, 24)).columns, MAX_WIDTH))


def wants_colour() -> bool:
    """Colour only on a terminal that has it, and not where ``NO_COLOR`` is set."""
    if os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb":
        return False
    return sys.stdout.isatty()
