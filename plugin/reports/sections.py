"""Sections that reports for people share, and their text and Markdown forms."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from ..printable import printable
from ..text_writer import TextWriter

Line = tuple[str, str]
"""The beginning of a line, such as its steps, and its text; either may be empty."""


@dataclass(frozen=True, slots=True)
class Group:
    """Lists of lines under a ``title``; without one, the beginnings of the lines stand out. ``more``: how
    many lines are left out; ``instead``: what the text report says in place of a list that is left out;
    ``answer``: what to do about it; ``stanza``: what to write into a file for that."""

    title: str
    lists: tuple[tuple[Line, ...], ...]
    more: int = 0
    instead: str = ""
    answer: str = ""
    stanza: str = ""

    @property
    def lines(self) -> tuple[Line, ...]:
        """All of them."""
        return tuple(line for one in self.lists for line in one)


@dataclass(frozen=True, slots=True)
class Section:
    """A section with its introduction and its groups. ``quiet``: show the introduction dimmed."""

    heading: str
    meaning: str
    groups: tuple[Group, ...]
    quiet: bool = True


def in_one(line: Line) -> str:
    """A line as one text."""
    return ": ".join(filter(None, line))


def write_section(writer: TextWriter, section: Section) -> None:
    """A section in the text report."""
    writer.heading(section.heading)
    if section.meaning:
        writer.line(section.meaning, indent=2, style="dim" if section.quiet else "")
    for group in section.groups:
        indent = 4 if group.title else 2
        if group.title:
            writer.line(group.title, indent=2, style="bold cyan")
        for start, text in group.lines:
            first = (start, "bold" if text and not group.title else "")
            writer.spans(
                first, (f": {text}" if start and text else text, ""), indent=indent, hang=indent
            )
        if group.more:
            writer.line(f"and {group.more:,} more (--verbose)", indent=4)
        if group.instead:
            writer.line(group.instead, indent=4)
        if group.answer:
            writer.line(group.answer, indent=4, hang=4, style="dim")
        if group.stanza:
            writer.verbatim(group.stanza, indent=8)


def section_markdown(section: Section, plain: Callable[[str], str]) -> Iterator[str]:
    """The parts of a section in Markdown. ``plain`` removes markup from a text."""
    yield f"## {section.heading}"
    if section.meaning:
        yield section.meaning
    for group in section.groups:
        if group.title:
            yield f"**{plain(group.title)}**"
        for lines in group.lists:
            said = [f"- {_in_markdown(line, plain, bold=not group.title)}" for line in lines]
            yield "\n".join(
                [*said, f"- and {group.more:,} more (`--verbose`)"] if group.more else said
            )
        if group.answer:
            yield plain(group.answer)
        if group.stanza:
            yield "\n".join(f"    {printable(line)}" for line in group.stanza.split("\n"))


def _in_markdown(line: Line, plain: Callable[[str], str], *, bold: bool) -> str:
    start, text = line
    return f"**{plain(start)}**: {plain(text)}" if bold and start and text else plain(in_one(line))
