"""What the moves say of numbers that the charts lack, worked out in the background when somebody asks."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from weakref import WeakKeyDictionary

from ...model.problem import UmpireError
from ..auditing import Opened
from ..chart_from_moves import CAUSES, asked_of, plain
from ..reading import Told
from .calls import Call
from .session import Studio

JOB = "chart"
_ASKED: WeakKeyDictionary[Studio, tuple[Opened, dict[str, Any] | None]] = WeakKeyDictionary()
"""For each studio the game that was asked last, and what its moves say; None: they are being asked, or
somebody stopped it, or they could not be asked."""


def chart(studio: Studio, body: Mapping[str, Any]) -> Any:
    """What the moves said when they were asked last: ``asked`` is null before that. ``working``: they are
    being asked. ``changed``: the pack has been changed since."""
    held = _ASKED.get(studio)
    return {
        "asked": held[1] if held is not None else None,
        "working": studio.is_doing(JOB),
        "changed": held is not None and held[0] is not studio.opened,
        "causes": CAUSES,
    }


def ask(studio: Studio, body: Mapping[str, Any]) -> Any:
    """Begin to ask the moves. Raises :class:`UmpireError` while the pack cannot be read."""
    opened = studio.opened
    if opened is None:
        raise UmpireError(
            "the moves can be asked once the pack can be read: see the lines at the top"
        )
    studio.job(JOB, lambda told: _ask(studio, opened, told))
    return chart(studio, body)


def _ask(studio: Studio, opened: Opened, told: Told) -> None:
    _ASKED[studio] = (opened, None)
    _ASKED[studio] = (opened, plain(asked_of(opened, told)))


CALLS = (Call("GET", "/api/chart", chart), Call("POST", "/api/chart/ask", ask))
