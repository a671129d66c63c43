"""TOML files of wargamers: read whole, checked against a schema, every fault with its line. How
many words, keys and lists a text holds is counted before it is read.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any

from ...model.patterns import NEVER, Effort, Pattern, PatternError, compile_pattern
from ...model.problem import Problem, Unreadable, WrongPack
from ...model.schemas import Fault, faults
from ..ordinary import open_ordinary

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
        if bare.count(".") >= MOST_PARTS and _dotted(bare) > MOST_PARTS:
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


def _dotted(bare: str) -> int:
    """The most names that dots join on a line."""
    most = joined = 0
    for part in bare.split("."):
        words = part.split()
        joined = joined + 1 if len(words) == 1 and not set(part) & set("=,[]{}") else 1
        most = max(most, joined)
    return most


LARGEST = 2 * 1024 * 1024
"""Bytes of a TOML file; more is refused. The largest known to us has 74 kB."""

Path_ = tuple[str | int, ...]

_HEADER = re.compile(r"\s*+(\[\[?)([^\[\]]++)\]\]?\s*+$")
_NAME = r"""(?:[A-Za-z0-9_-]++|"(?:\\.|[^"\\])*+"|'[^']*+')"""
_KEY = re.compile(rf"\s*+({_NAME}(?:\s*+\.\s*+{_NAME})*+)\s*+=")
_PART = re.compile(r"""[A-Za-z0-9_-]+|"[^"]*"|'[^']*'""")
_STRING = re.compile(r""""(?:\\.|[^"\\])*+"|'[^']*+'""")
_PATH_EXPECTED = "paths with / instead of \\, or in 'single quotes'"
_AT_LINE = re.compile(r" \(at line (\d+), column \d+\)$")


def read_bytes(path: Path, largest: int = LARGEST) -> bytes:
    """The bytes of a small file; :class:`Unreadable` if it is missing or larger than ``largest``."""
    try:
        with open_ordinary(path) as file:
            data = file.read(largest + 1)
    except OSError as error:
        raise Unreadable(
            f"cannot be read ({error.strerror or 'unknown error'})", where=path.name
        ) from error
    if len(data) > largest:
        raise Unreadable(
            "is too large", where=path.name, expected=f"at most {largest // 1024 // 1024} MiB"
        )
    return data


def parse_toml(data: bytes, file: str) -> tuple[dict[str, Any], dict[Path_, int]]:
    """The values of a TOML text, and the line (from 1) where each key or table stands.

    Decimal numbers come exact: whole ones as ints, others as texts such as ``7/2``. Raises
    :class:`WrongPack` where the text is no TOML.
    """
    try:
        text = data.decode("utf-8-sig").replace("\r\n", "\n")
        plain = flat(text)
        too_much = past_bounds(plain)
        if too_much is not None:
            raise _wrong(file, *too_much)
        values = tomllib.loads(text, parse_float=exact)
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        raise _wrong(file, line, "is not UTF-8 text", "a file saved as UTF-8") from error
    except (tomllib.TOMLDecodeError, RecursionError, ValueError) as error:
        what = str(error) or "is nested too deeply"
        at = _AT_LINE.search(what)
        what = _AT_LINE.sub("", what)
        expected = _PATH_EXPECTED if what.startswith("Unescaped '\\'") else "valid TOML"
        raise _wrong(file, int(at[1]) if at else 0, what, expected) from error
    return values, _lines(plain)


def _wrong(file: str, line: int, what: str, expected: str) -> WrongPack:
    where = f"{file} line {line}" if line else file
    problem = Problem("not-toml", f"{what}; expected {expected}", where, "error")
    return WrongPack(what, (problem,), where=where, expected=expected)


def exact(text: str) -> int | str:
    """A decimal number without loss. ``inf`` and ``nan`` stay texts, which no schema takes for numbers."""
    try:
        number = Fraction(text.replace("_", ""))
    except ValueError:
        return text
    return number.numerator if number.denominator == 1 else str(number)


def check(name: str, values: object, file: str, lines: dict[Path_, int]) -> tuple[Problem, ...]:
    """One problem for each place where ``values`` do not fit the schema ``name``."""
    return tuple(problem_of(fault, file, lines) for fault in faults(name, values))


def problem_of(fault: Fault, file: str, lines: dict[Path_, int]) -> Problem:
    """A fault as one line: file, line or key, expected, found."""
    line = line_of(fault.path, lines)
    where = f"{file} line {line}" if line else file
    return Problem("schema", str(fault), where, "error")


def line_of(path: Path_, lines: dict[Path_, int]) -> int | None:
    """The line of the nearest key or table on the way to ``path``; None if there is none."""
    while path:
        if path in lines:
            return lines[path]
        path = path[:-1]
    return None


def _lines(flat_text: str) -> dict[Path_, int]:
    lines: dict[Path_, int] = {}
    counts: dict[Path_, int] = {}
    here: Path_ = ()
    depth = 0
    for number, line in enumerate(flat_text.split("\n"), 1):
        if depth == 0:
            header = _HEADER.match(line)
            if header:
                here = _table(header, counts)
                lines.setdefault(here, number)
                continue
            key = _KEY.match(line)
            if key:
                _note_key(here, _parts(key[1]), number, lines)
        bare = _STRING.sub("", line)
        depth += bare.count("[") + bare.count("{") - bare.count("]") - bare.count("}")
        depth = max(depth, 0)
    return lines


def _table(header: re.Match[str], counts: dict[Path_, int]) -> Path_:
    """The path of a ``[table]`` or ``[[list of tables]]``, with the indices of the lists it is in."""
    names = _parts(header[2])
    path: Path_ = ()
    for index, name in enumerate(names):
        path = (*path, name)
        last = index == len(names) - 1
        if last and header[1] == "[[":
            counts[path] = counts.get(path, -1) + 1
            path = (*path, counts[path])
        elif path in counts:
            path = (*path, counts[path])
    return path


def _note_key(here: Path_, parts: list[str], number: int, lines: dict[Path_, int]) -> None:
    path = here
    for part in parts:
        path = (*path, part)
        lines.setdefault(path, number)


def _parts(text: str) -> list[str]:
    return [p[1:-1] if p[0] in "\"'" else p for p in _PART.findall(text)]


class TomlFile:
    """What is needed to say where in ``pack.toml`` something is wrong."""

    def __init__(self, file: str, lines: dict[Path_, int]) -> None:
        self.file, self.lines = file, lines
        self.problems: list[Problem] = []
        self.effort = Effort()

    def fault(self, path: Path_, message: str) -> None:
        line = line_of(path, self.lines)
        where = f"{self.file} line {line}" if line else self.file
        self.problems.append(Problem("pack", message, where, "error"))

    def compiled(self, plain: Mapping[str, Any], path: Path_, *keys: str) -> dict[str, Any]:
        """A table in which the values of ``keys`` are patterns."""
        patterns = {key: self.pattern(plain[key], (*path, key)) for key in keys if key in plain}
        return {**plain, **patterns}

    def pattern(self, text: str | None, path: Path_) -> Pattern | None:
        if text is None:
            return None
        try:
            return compile_pattern(text, self.effort)
        except PatternError as error:
            shown = text if len(text) <= 100 else text[:99] + "…"
            self.fault(path, f"expected a pattern (regular expression); found {shown!r} ({error})")
            return NEVER
