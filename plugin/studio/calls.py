"""What the page may ask of the studio: one :class:`Call` for each question or order."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from .session import Studio


@dataclass(frozen=True, slots=True)
class Bytes:
    """A reply that is no JSON: a picture, drawn anew by this program."""

    media_type: str
    data: bytes


Reply = Any
"""A plain JSON value, or :class:`Bytes`."""

Run = Callable[["Studio", Mapping[str, Any]], Reply]


@dataclass(frozen=True, slots=True)
class Call:
    """``run`` answers ``method`` on ``path``; parts of the path in braces (``/api/tile/{sheet}``) and what is
    asked behind ``?`` come to it as texts, the JSON of a POST as it is. ``writes``: it changes files, and is
    refused to a page that only reads. Errors for the user are :class:`.UmpireError`."""

    method: Literal["GET", "POST"]
    path: str
    run: Run
    writes: bool = False
