"""TOML files of wargamers: read whole, checked against a schema, every fault with its line."""

from __future__ import annotations

import re
import tomllib
from fractions import Fraction
from pathlib import Path
from typing import Any

from ...model.problem import Problem, Unreadable, WrongPack
from ...model.schemas import Fault, faults
from ..ordinary import open_ordinary
from .toml_bounds import flat, past_bounds

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
    key = f"{fault.place}: " if fault.place else ""
    message = f"{key}expected {fault.expected}; found {fault.found}"
    return Problem("schema", message, where, "error")


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
