"""JSON as this program prints it: ASCII, so that nothing in it can disturb a terminal or a pipe."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

_LONE = re.compile("[\ud800-\udfff]")
_ESCAPED = re.compile(r"\\ud[89a-f]")


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
