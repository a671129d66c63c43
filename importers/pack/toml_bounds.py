"""What a TOML text may hold, told before it is read: words, keys and lists that no table of a game needs."""

from __future__ import annotations

import re
from collections.abc import Iterator

LONGEST_WORD = 1_000
"""Characters of a key or number that stands without quotes."""

MOST_DIGITS = 100
"""Digits of a number."""

MOST_PARTS = 32
"""Names in a dotted key (``a.b.c``)."""

DEEPEST = 64
"""Lists and inline tables within each other."""

# Texts and comments; a text of several lines goes on to the end of the file where nothing ends it.
_TOKEN = re.compile(
    r'''"""(?:[^"\\]|\\.|"(?!""))*+(?:"{3,5}|\Z)'''
    r"""|'''(?:[^']|'(?!''))*+(?:'{3,5}|\Z)"""
    r"""|"(?:[^"\\\n]|\\[^\n])*+"?|'[^'\n]*+'?|\#[^\n]*+""",
    re.DOTALL,
)
_WORD = re.compile(r"[^\s=,\[\]{}\"']+")
_NUMBER = re.compile(r"[+-]?(?:[0-9_]+|0x[0-9A-Fa-f_]+|0o[0-7_]+|0b[01_]+)", re.ASCII)
_POWER = re.compile(r"[+-]?[0-9_.]++[eE][+-]?([0-9_]++)(?![ \t]*+=)", re.ASCII)


def flat(text: str) -> str:
    """The text without comments, and with an empty text of one line, then as many ends of lines as it had,
    for each text of several."""

    def shown(token: re.Match[str]) -> str:
        found = token[0]
        if found[0] == "#":
            return ""
        return '""' + "\n" * found.count("\n") if found[:3] in ('"""', "'''") else found

    return _TOKEN.sub(shown, text)


def past_bounds(flat_text: str) -> tuple[int, str, str] | None:
    """What a text, :func:`flat` already, holds too much of: line, what was found, what was expected."""
    return next(_faults(flat_text), None)


def _faults(text: str) -> Iterator[tuple[int, str, str]]:
    depth = 0
    for number, line in enumerate(text.split("\n"), 1):
        bare = _TOKEN.sub('""', line)
        for letter in re.findall(r"[\[\]{}]", bare):
            depth += 1 if letter in "[{" else -1
            if depth > DEEPEST:
                yield number, "lists and tables are nested too deeply", f"at most {DEEPEST} levels"
        if bare.count(".") >= MOST_PARTS and _parts(bare) > MOST_PARTS:
            yield number, "a dotted key of too many names", f"at most {MOST_PARTS}"
        for word in _WORD.finditer(bare):
            size = word.end() - word.start()
            if size > LONGEST_WORD:
                expected = f"at most {LONGEST_WORD:,} characters without quotes"
                yield number, f"a word of {size:,} characters", expected
            elif size > MOST_DIGITS and _NUMBER.fullmatch(word[0]):
                yield number, f"a number of {size:,} digits", f"at most {MOST_DIGITS}"
            elif _power(bare, word) > MOST_DIGITS:
                shown = word[0] if size <= 30 else word[0][:29] + "…"
                yield number, f"the number {shown}", f"an exponent of at most {MOST_DIGITS}"


def _power(bare: str, word: re.Match[str]) -> int:
    """The exponent of the number that a word is; 0 if it is a key, or no number with one."""
    found = _POWER.match(bare, word.start())
    return int(found[1]) if found is not None and found.end() == word.end() else 0


def _parts(bare: str) -> int:
    """The most names that dots join on a line."""
    most = joined = 0
    for part in bare.split("."):
        words = part.split()
        joined = joined + 1 if len(words) == 1 and not set(part) & set("=,[]{}") else 1
        most = max(most, joined)
    return most
