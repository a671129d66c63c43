"""HTML entities of chat lines, resolved as browsers do; any input is accepted."""

from __future__ import annotations

import html
import re

_ZEROS = re.compile(r"&#0+(?=[0-9])")
_TOO_LARGE = re.compile(r"&#[0-9]{8,};?")


def resolved(text: str) -> str:
    """``text`` with entities such as ``&lt;`` replaced by their characters; U+FFFD replaces an invalid
    number."""
    if "&#" in text:  # html.unescape fails on numbers of thousands of digits
        text = _TOO_LARGE.sub("\ufffd", _ZEROS.sub("&#", text))
    return html.unescape(text)
