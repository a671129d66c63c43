"""Values that wargamers write into a cell: numbers, alternatives, ranges, question marks."""

from __future__ import annotations

import re
from collections.abc import Mapping
from fractions import Fraction

from ...model.fact import Fact, Value, between

_NUMBER = re.compile(r"([+-]?)(\d{0,18})(?:\.(\d{1,18})|/([1-9]\d{0,17})|(½))?", re.ASCII)


def exact_number(text: str) -> Fraction | None:
    """The number a cell or property holds (``7``, ``3.5``, ``3,5``, ``7/2``, ``3½``); None if none."""
    found = _NUMBER.fullmatch(text.strip().replace(",", "."))
    if not found or not (found[2] or found[3] or found[5]):
        return None
    sign = -1 if found[1] == "-" else 1
    if found[4]:
        return sign * Fraction(int(found[2]), int(found[4])) if found[2] else None
    number = Fraction(int(found[2] or 0))
    if found[3]:
        number += Fraction(int(found[3]), 10 ** len(found[3]))
    if found[5]:
        number += Fraction(1, 2)
    return sign * number


def read_value(text: str, translate: Mapping[str, Value] | None, number: bool) -> Value | None:
    """The value of ``text``: translated, as a number if one is wanted; None: it has no value."""
    text = text.strip()
    if translate is not None:
        return translate.get(text)
    if number:
        return exact_number(text)
    return text or None


def cell_fact(
    cell: str, translate: Mapping[str, Value] | None, number: bool, source: str
) -> Fact | None:
    """A cell as a fact: ``6|8`` is one of several, ``6..8`` (a number) lies between, ``?`` is not known
    (a fact without a value); None: the cell is empty."""
    cell = cell.strip()
    if not cell:
        return None
    if cell == "?":
        return Fact(source=source)
    if number and ".." in cell:
        lo, hi = (exact_number(part) for part in cell.split("..", 1))
        there = lo is not None and hi is not None and lo <= hi
        return between(lo, hi, source) if there else None
    values = [read_value(part, translate, number) for part in cell.split("|")]
    if any(value is None for value in values):
        return None
    return Fact(tuple(dict.fromkeys(v for v in values if v is not None)), source=source)
