"""Make text from untrusted files safe for a terminal and a spreadsheet; and messages to the user on
stderr."""

from __future__ import annotations

import codecs
import re
import sys
import unicodedata
from collections.abc import Iterable

import click

from ..model.entities import resolved
from ..model.problem import Problem
from ..model.unsafe import UNSAFE
from .reports.phrases import counted

_NAMED = {"\n": "\\n", "\r": "\\r", "\t": "\\t"}


def _escape(match: re.Match[str]) -> str:
    char = match.group()
    code = ord(char)
    if char in _NAMED:
        return _NAMED[char]
    return (
        f"\\x{code:02x}"
        if code < 0x100
        else f"\\u{code:04x}"
        if code < 0x10000
        else f"\\U{code:08x}"
    )


def printable(text: str, limit: int | None = None) -> str:
    """``text`` on one line, with every unsafe character spelt out (``\\x07``, ``\\u202e``).

    Longer than ``limit`` characters: cut, with a note of how much is left out.
    """
    left_out = 0
    if limit is not None and len(text) > limit:
        left_out = len(text) - limit
        text = text[:limit]
    shown = UNSAFE.sub(_escape, text)
    return f"{shown} … ({left_out:,} more characters)" if left_out else shown


def say(line: str) -> None:
    """One line to the user, on stderr."""
    click.echo(f"umpire: {printable(line)}", err=True)


def readable_chat(text: str) -> str:
    """A chat line as players read it, with entities (``&lt;``) resolved. It must still be made printable."""
    return resolved(text)


def markdown(text: str) -> str:
    """``text``, already printable, with Markdown's markup characters escaped."""
    return re.sub(r"([\\`*_{}\[\]<>#|~])", r"\\\1", text)


_PLAIN = {"→": "->", "–": "-", "×": "x", "…": "...", "“": '"', "”": '"', "’": "'"}


def _plainer(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    text, places = error.object, range(error.start, error.end)
    return "".join(_in_ascii(text[at], text[:at]) for at in places), error.end


def _in_ascii(char: str, before: str) -> str:
    """``1/2`` for ``½``, with a blank behind the digits ``before`` it; for others what looks most like it."""
    part = unicodedata.normalize("NFKC", char)
    if "\N{FRACTION SLASH}" not in part:
        return _PLAIN.get(char, "?")
    gap = " " if before[-1:].isdigit() else ""
    return gap + part.replace("\N{FRACTION SLASH}", "/")


def never_fail_to_print() -> None:
    """Make consoles and pipes that lack a character (Windows code pages) print a plainer one."""
    codecs.register_error("umpire-plainer", _plainer)
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="umpire-plainer")


_SEPARATORS = re.compile(r"([;|])")
"""Characters at which some spreadsheets split a line, also within a quoted cell; tabs are spelt out."""

_NUMBER = re.compile(r"[+-]?(?:[0-9]+(?:[.,][0-9]+)?(?:/[0-9]+)?)?")


def cell(text: str) -> str:
    """``text`` on one line, with ``'`` before whatever a spreadsheet could take for a formula, at its
    beginning and after each separator. A number (``-1``, ``+3``, ``-7/3``) stays as it is; not so after a
    separator, for there the next cells of the line may join it."""
    shown = printable(text)
    first, *rest = _SEPARATORS.split(shown)
    begins = _begins(shown) and not _NUMBER.fullmatch(shown.strip())
    marked = (f"'{part}" if _begins(part) else part for part in rest)
    return ("'" if begins else "") + first + "".join(marked)


def _begins(part: str) -> bool:
    """Whether it begins like a formula, in letters of any width, also after blanks and quotes."""
    plain = unicodedata.normalize("NFKC", part).lstrip("\"' ")
    return plain.startswith(("=", "+", "-", "@"))


MOST_SAID = 20
"""Maximum number of lines printed; the rest is counted."""

_RANK = {"error": 0, "warning": 1, "note": 2}


def say_problems(problems: Iterable[Problem]) -> None:
    """Each problem once, a line each, the worst first."""
    found = sorted(dict.fromkeys(problems), key=lambda problem: _RANK[problem.severity])
    for problem in found[:MOST_SAID]:
        say_problem(problem)
    if len(found) > MOST_SAID:
        say(f"and {counted(len(found) - MOST_SAID, 'more problem')}; the output holds them all")


def say_problem(problem: Problem) -> None:
    """One problem, on one line."""
    say(f"{problem.severity}: {problem}")
