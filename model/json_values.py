"""JSON from strangers, read within limits of size, depth and number of values."""

from __future__ import annotations

import json
import re
from typing import Any

from .problem import Unreadable

DEEPEST = 64
"""Levels of nested lists and tables."""

MOST_VALUES = 5_000_000
"""Values, keys, lists and tables of a document."""

_TEXT = re.compile(rb'"(?:[^"\\]|\\.)*+(?:"|\Z)', re.DOTALL)
_BRACKET = re.compile(rb"[\[\]{}]")


def json_values(data: bytes, where: str, most: int = MOST_VALUES, *, decimals: bool = False) -> Any:
    """The values of a JSON text. Numbers must be whole; ``decimals``: others are allowed and become texts.

    Raises :class:`Unreadable`, which names ``where``, if the text is not JSON, nests deeper than
    ``DEEPEST``, holds more than ``most`` values, or has a key twice in one table.
    """
    _check(data, where, most)
    number = str if decimals else _no_float
    try:
        return json.loads(
            data.decode("utf-8-sig"),
            parse_float=number,
            parse_constant=number,
            object_pairs_hook=_no_key_twice,
        )
    except UnicodeDecodeError as error:
        raise Unreadable("is not UTF-8 text", where=where) from error
    except json.JSONDecodeError as error:
        what = f"is not JSON ({error.msg})"
        raise Unreadable(what, where=f"{where} line {error.lineno}") from error
    except RecursionError as error:
        raise Unreadable("is nested too deeply", where=where) from error
    except ValueError as error:
        what = f"{error}"
        if what.startswith("Exceeds the limit"):  # of Python, on the digits of a number
            what = "holds a number of thousands of digits"
        raise Unreadable(what, where=where) from error


def _check(data: bytes, where: str, most: int) -> None:
    """Check the limits of depth and number of values; brackets and commas inside strings do not count."""
    bare = _TEXT.sub(b"", data)
    values = sum(map(bare.count, (b",", b":", b"[", b"{")))
    if values > most:
        raise Unreadable(
            f"holds {values:,} values",
            where=where,
            expected=f"at most {most:,}",
            hint="raise the limit on values if the file is to be trusted",
        )
    depth = 0
    for bracket in _BRACKET.finditer(bare):
        depth += 1 if bracket[0] in b"[{" else -1
        if depth > DEEPEST:
            raise Unreadable(
                "is nested too deeply",
                where=where,
                expected=f"at most {DEEPEST} lists and tables deep",
            )


def _no_float(text: str) -> None:
    shown = text if len(text) <= 20 else text[:19] + "…"
    raise ValueError(f'holds the number {shown}; expected whole numbers or fractions such as "7/2"')


def _no_key_twice(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    result = dict(pairs)
    if len(result) != len(pairs):
        seen: set[str] = set()
        for key, _ in pairs:
            if key in seen:
                raise ValueError(f"holds the key {key[:60]!r} twice in one table")
            seen.add(key)
    return result
