"""The calls of the studio's pages: one :class:`Call` for each question or command."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal


@dataclass(frozen=True, slots=True)
class Bytes:
    """A reply that is not JSON: a picture re-encoded by this program, or a page. ``policy``: the content
    security policy of a page shown in a frame; "": that of the studio's own page, which may not be framed."""

    media_type: str
    data: bytes
    policy: str = ""


Reply = Any
"""A plain JSON value, or :class:`Bytes`."""

DATA = "(data)"


def whole(text: object, digits: int) -> int | None:
    """A whole number of at most that many digits, sent by a page; None for anything else."""
    told = str(text)
    return int(told) if told.isascii() and told.isdigit() and len(told) <= digits else None


Run = Callable[[Any, Mapping[str, Any]], Reply]
"""Of a :class:`.Studio`, or of the :class:`.Entry`."""


@dataclass(frozen=True, slots=True)
class Call:
    """``run`` answers ``method`` on ``path``. It gets parts of the path in braces (``/api/tile/{sheet}``) and
    the query as texts, and the JSON of a POST as it is. ``writes``: it changes files, so a page that may only
    read is refused. ``of``: it concerns the open studio, or what the page shows as a whole. ``takes_bytes``:
    the body of a POST is bytes, passed under :data:`DATA`. Errors for the user are :class:`.UmpireError`."""

    method: Literal["GET", "POST"]
    path: str
    run: Run
    writes: bool = False
    of: Literal["studio", "entry"] = "studio"
    takes_bytes: bool = False
