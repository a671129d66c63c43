"""What the pack is suspected of, worked out in the background for the verdicts that are shown."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from weakref import WeakKeyDictionary

from ...model.finding import Audit
from ...model.problem import UmpireError
from ...validators.judgement_cache import JudgementCache
from ..auditing import audit_game
from ..reading import Told, silent
from ..reports.suspects import changed_text, heading, number_lines, suspect_text
from ..suspecting import with_suspects
from .calls import Call
from .session import Studio

JOB = "suspects"
_FOUND: WeakKeyDictionary[Studio, tuple[Audit, Audit | None]] = WeakKeyDictionary()
"""For each studio verdicts that were shown, and the same with what the pack is suspected of; None: somebody
stopped the search for it."""


def suspects(studio: Studio, body: Mapping[str, Any]) -> Any:
    """Facts that findings rest on, the most telling first. ``working``: they are still looked for, of these
    verdicts; those told then are of the verdicts before. ``numbers``: what the moves say of the charts."""
    shown, opened = studio.audit, studio.opened
    if shown is None or opened is None:
        return {"suspects": [], "changed": [], "numbers": [], "working": False}
    held = _FOUND.get(studio)
    if held is None or held[0] is not shown:
        studio.jobs.begin(JOB, lambda told: _look(studio, shown, told))
    found = held[1] if held is not None else None
    working = found is None or held is None or held[0] is not shown
    return {
        "suspects": [
            {**one.plain(), "text": f"{heading(str(one.fact))}: {suspect_text(one)}"}
            for one in (found.suspects if found is not None else ())
        ],
        "changed": [
            {**one.plain(), "text": heading(changed_text(one))}
            for one in (found.changed if found is not None else ())
        ],
        "numbers": [*number_lines(found)] if found is not None else [],
        "working": working,
    }


def with_suspicions(studio: Studio, shown: Audit) -> Audit:
    """The verdicts that are shown, with what the pack is suspected of: worked out now unless it has been."""
    held = _FOUND.get(studio)
    if held is None or held[0] is not shown or held[1] is None:
        _look(studio, shown, silent)
        held = _FOUND.get(studio)
    if held is None or held[0] is not shown or held[1] is None:
        raise UmpireError("the pack has been changed meanwhile: try again")
    return held[1]


def _look(studio: Studio, shown: Audit, told: Told) -> None:
    opened = studio.opened
    if opened is None:
        return
    _FOUND[studio] = (shown, None)
    kept = JudgementCache()
    found = with_suspects(opened, None, audit_game(opened, None, told, kept), kept, told)
    _FOUND[studio] = (shown, found)


CALLS = (Call("GET", "/api/suspects", suspects),)
