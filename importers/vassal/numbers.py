"""Whole numbers as they stand in VASSAL's texts."""

from __future__ import annotations

Number = int | str
"""A whole number, or the text in its place if that is not the canonical decimal form of an integer the
engine can hold (``""``, ``NaN``, ``007``, an expression). Writing it gives the same text again, and damaged
numbers stay recognisable."""


def number(text: str) -> Number:
    """``int`` when ``text`` is the canonical form of a 32-bit integer, else the text itself."""
    if len(text) < 12 and (text.isdigit() or text[1:].isdigit()) and text.isascii():
        value = int(text) if text[0] in "-0123456789" else None
        if value is not None and str(value) == text and -0x80000000 <= value <= 0x7FFFFFFF:
            return value
    return text


def long_number(text: str) -> Number:
    """Like :func:`number` for 64 bits: times in milliseconds."""
    digits = text.removeprefix("-")
    if len(digits) < 20 and digits.isascii() and digits.isdigit():
        value = int(text)
        if str(value) == text and -(2**63) <= value < 2**63:
            return value
    return text
