"""What the page may ask of the studio: one :class:`Call` for each question or order."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal


@dataclass(frozen=True, slots=True)
class Bytes:
    """A reply that is no JSON: a picture, drawn anew by this program, or a page. ``policy``: the content
    security policy of a page that is shown in a frame; "": that of the studio's own page, which no other
    may show."""

    media_type: str
    data: bytes
    policy: str = ""


Reply = Any
"""A plain JSON value, or :class:`Bytes`."""

DATA = "(data)"


def whole(text: object, digits: int) -> int | None:
    """A whole number of at most so many digits that a page names; None for anything else."""
    told = str(text)
    return int(told) if told.isascii() and told.isdigit() and len(told) <= digits else None


Run = Callable[[Any, Mapping[str, Any]], Reply]
"""Of a :class:`.Studio`, or of the :class:`.Entry`."""


@dataclass(frozen=True, slots=True)
class Call:
    """``run`` answers ``method`` on ``path``; parts of the path in braces (``/api/tile/{sheet}``) and what is
    asked behind ``?`` come to it as texts, the JSON of a POST as it is. ``writes``: it changes files, and is
    refused to a page that only reads. ``of``: what it asks, the studio that is open or what the page shows
    as a whole. ``takes_bytes``: a POST brings bytes, which come under :data:`DATA`; what is asked stands
    behind ``?``. Errors for the user are :class:`.UmpireError`."""

    method: Literal["GET", "POST"]
    path: str
    run: Run
    writes: bool = False
    of: Literal["studio", "entry"] = "studio"
    takes_bytes: bool = False
