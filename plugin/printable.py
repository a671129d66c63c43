"""Text from strangers' files, made safe to print on a terminal."""

from __future__ import annotations

import codecs
import re
import sys

import click

from ..model.entities import resolved
from ..model.unsafe import UNSAFE

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
    """A chat line as players read it: entities (``&lt;``) resolved. Still to be made printable."""
    return resolved(text)


def markdown(text: str) -> str:
    """``text``, already printable, with what Markdown would take for markup escaped."""
    return re.sub(r"([\\`*_{}\[\]<>#|~])", r"\\\1", text)


_PLAIN = {"→": "->", "–": "-", "×": "x", "…": "...", "½": "1/2", "“": '"', "”": '"', "’": "'"}


def _plainer(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    text = error.object[error.start : error.end]
    return "".join(_PLAIN.get(char, "?") for char in text), error.end


def never_fail_to_print() -> None:
    """On a console or pipe that lacks a character (Windows code pages) a plainer one is printed."""
    codecs.register_error("umpire-plainer", _plainer)
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="umpire-plainer")
