"""Text of others as cells of a spreadsheet that works nothing out of them."""

from __future__ import annotations

import re
import unicodedata

from .printable import printable

_SEPARATORS = re.compile(r"([;|])")
"""Where spreadsheets of other countries cut a line, within a quoted cell, too; tabs are spelt out."""

_NUMBER = re.compile(r"[+-]?(?:[0-9]+(?:[.,][0-9]+)?(?:/[0-9]+)?)?")


def cell(text: str) -> str:
    """``text`` on one line, with ``'`` before whatever a spreadsheet could take for a formula, at its
    beginning and after each separator. A number (``-1``, ``+3``, ``-7/3``) stays as it is; not so after a
    separator, for there the next cells of the line may join it."""
    shown = printable(text)
    first, *rest = _SEPARATORS.split(shown)
    begins = _begins(shown) and not _NUMBER.fullmatch(shown.strip())
    marked = (f"'{part}" if _begins(part) else part for part in rest)
    return ("'" if begins else "") + first + "".join(marked)


def _begins(part: str) -> bool:
    """Whether it begins like a formula, in letters of any width, behind blanks and quotes or not."""
    plain = unicodedata.normalize("NFKC", part).lstrip("\"' ")
    return plain.startswith(("=", "+", "-", "@"))
