"""Facts and exact numbers as plain JSON values, and back.

People write this form by hand, too: a bare value is known, ``null`` is not known,
``{"one_of": […]}`` is one of several, ``{"from": 1, "to": "7/2"}`` lies between. Numbers are whole
numbers or exact fractions as text, never floats. A text that only looks like a fraction is written
``{"text": "1/2"}``.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from .fact import UNKNOWN, Fact, Value

FRACTION = re.compile(r"-?[0-9]{1,400}/[1-9][0-9]{0,400}")
"""The form of a text that is read as a fraction."""


BACKWARDS = "that ends no lower than it begins"
"""The expected form of a range, for error messages."""


def plain_number(number: Fraction) -> int | str:
    """``number`` as a whole number or as a text such as ``7/2``."""
    return number.numerator if number.denominator == 1 else str(number)


def number_of(plain: object) -> Fraction | None:
    """The number that a plain value stands for; None if it is not a number."""
    if isinstance(plain, int) and not isinstance(plain, bool):
        return Fraction(plain)
    if isinstance(plain, str) and FRACTION.fullmatch(plain):
        return Fraction(plain)
    return None


def plain_value(value: Value) -> Any:
    """A known value as a plain one."""
    if isinstance(value, Fraction):
        return plain_number(value)
    if isinstance(value, str) and FRACTION.fullmatch(value):
        return {"text": value}
    return value


def value_of(plain: Any) -> Value:
    """The value that a plain value stands for."""
    if isinstance(plain, dict):
        return str(plain["text"])
    if isinstance(plain, bool):
        return plain
    number = number_of(plain)
    return number if number is not None else str(plain)


def plain_fact(fact: Fact) -> Any:
    """``fact`` in its shortest plain form."""
    bare = not fact.source and fact.lo is None and fact.hi is None
    if bare and fact.options is None:
        return None
    if bare and fact.options is not None and len(fact.options) == 1:
        return plain_value(fact.options[0])
    result: dict[str, Any] = {}
    if fact.options is not None and len(fact.options) == 1:
        result["is"] = plain_value(fact.options[0])
    elif fact.options is not None:
        result["one_of"] = [plain_value(option) for option in fact.options]
    if fact.lo is not None:
        result["from"] = plain_number(fact.lo)
    if fact.hi is not None:
        result["to"] = plain_number(fact.hi)
    if fact.source:
        result["source"] = fact.source
    return result


def is_backwards(plain: Any) -> bool:
    """Whether a plain fact is a range that ends before it begins."""
    if not isinstance(plain, dict):
        return False
    lo, hi = number_of(plain.get("from")), number_of(plain.get("to"))
    return lo is not None and hi is not None and hi < lo


def fact_of(plain: Any, source: str = "") -> Fact:
    """The fact that a plain form stands for; ``source`` is used if the form names none."""
    if plain is None:
        return Fact(source=source) if source else UNKNOWN
    if not isinstance(plain, dict) or "text" in plain:
        return Fact((value_of(plain),), source=source)
    options: tuple[Value, ...] | None = None
    if "is" in plain:
        options = (value_of(plain["is"]),)
    elif "one_of" in plain:
        options = tuple(value_of(option) for option in plain["one_of"])
    lo, hi = number_of(plain.get("from")), number_of(plain.get("to"))
    return Fact(options, lo, hi, plain.get("source", source))


def merged(ours: Mapping[str, Any], theirs: Mapping[str, Any]) -> dict[str, Any]:
    """``ours`` with ``theirs`` written over it; tables are merged key by key, all else is replaced."""
    found = dict(ours)
    for key, value in theirs.items():
        held = found.get(key)
        both = isinstance(held, Mapping) and isinstance(value, Mapping)
        found[key] = merged(held, value) if both else value  # type: ignore[arg-type]
    return found
