"""Values of the model as plain values, and JSON as this program prints it: ASCII, so that nothing in it can
disturb a terminal or a pipe."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from fractions import Fraction
from typing import Any

from ..model.plain import plain_number

_LONE = re.compile("[\ud800-\udfff]")
_ESCAPED = re.compile(r"\\ud[89a-f]")


def plain(value: Any) -> Any:
    """A value of the model as plain JSON values: numbers exact, tuples as lists, dataclasses and named tuples
    by the names of their fields."""
    if isinstance(value, Fraction):
        return plain_number(value)
    if isinstance(value, Mapping):
        return {key: plain(item) for key, item in value.items()}
    if is_dataclass(value):
        return {one.name: plain(getattr(value, one.name)) for one in fields(value)}
    if isinstance(value, list | tuple):
        named = getattr(value, "_fields", None)
        every = [plain(item) for item in value]
        return every if named is None else dict(zip(named, every, strict=True))
    return value


def picked(value: object, names: str) -> dict[str, Any]:
    """The attributes of ``value`` that are named, in this order, as :func:`plain` has them. ``key=attribute``
    where the key is not the attribute's name."""
    pairs = (name.partition("=") for name in names.split())
    return {key: plain(getattr(value, attribute or key)) for key, _, attribute in pairs}


def clean(value: Any) -> Any:
    """Plain JSON values with what no UTF-8 can hold (halves of surrogate pairs) replaced."""
    if isinstance(value, str):
        return _LONE.sub("\ufffd", value)
    if isinstance(value, Mapping):
        return {clean(key): clean(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [clean(item) for item in value]
    return value


def document_text(value: Any) -> str:
    """A document, indented, ending in a newline."""
    return _dumped(value, indent=2) + "\n"


def line_text(value: Any) -> str:
    """A line of JSON Lines, ending in a newline."""
    return _dumped(value, separators=(",", ":")) + "\n"


def _dumped(value: Any, **how: Any) -> str:
    text = json.dumps(value, allow_nan=False, **how)
    # Cleaning takes as long as writing; few texts need it.
    return json.dumps(clean(value), allow_nan=False, **how) if _ESCAPED.search(text) else text
