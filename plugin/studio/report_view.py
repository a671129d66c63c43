"""The suspected facts of the pack, computed in the background for the verdicts on show; and the report of the
game as a page to keep and hand on."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from typing import Any

from ...model.finding import Audit
from ...model.problem import UmpireError
from ..auditing import scene_of
from ..lookers import with_lookers
from ..reading import Told, silent
from ..registry import reports
from ..reports.phrases import capital
from ..reports.report import ReportOptions
from ..reports.suspects import changed_text, number_lines, suspect_text
from ..shown import with_integrity, with_suspects
from ..unruled import or_what_was_done
from .calls import Call
from .jobs import Cancelled
from .session import Studio

JOB = "suspects"
"""The job. Under this name a studio remembers verdicts and the same with suspected facts; None: somebody
stopped the search, or the game has been judged otherwise since."""


def suspects(studio: Studio, body: Mapping[str, Any]) -> Any:
    """Facts that findings depend on, the most telling first. ``working``: they are being computed for these
    verdicts, and those returned are for the verdicts before. ``numbers``: what the moves show about the
    charts."""
    shown, opened = studio.audit, studio.opened
    if shown is None or opened is None:
        return {"suspects": [], "changed": [], "numbers": [], "working": False}
    of, found = _remembered(studio)
    if of is not shown and studio.work_left() is None:
        studio.jobs.begin(JOB, lambda told: _look(studio, shown, told))
    if found is None:
        return {"suspects": [], "changed": [], "numbers": [], "working": of is not shown}
    return {
        "suspects": [
            {**one.plain(), "text": f"{capital(str(one.fact))}: {suspect_text(one)}"}
            for one in found.suspects
        ],
        "changed": [{**one.plain(), "text": capital(changed_text(one))} for one in found.changed],
        "numbers": [*number_lines(found)],
        "working": of is not shown,
    }


def with_suspicions(studio: Studio, shown: Audit) -> Audit:
    """The verdicts on show, with the suspected facts of the pack; computed unless it has been done."""
    of, found = _remembered(studio)
    if of is not shown or found is None:
        with suppress(Cancelled):
            _look(studio, shown, silent)
        of, found = _remembered(studio)
    if of is not shown or found is None:
        raise UmpireError("the pack has been changed meanwhile: try again")
    return found


def _remembered(studio: Studio) -> tuple[Audit | None, Audit | None]:
    return studio.memory.get(JOB, (None, None))  # type: ignore[no-any-return]


def _look(studio: Studio, shown: Audit, told: Told) -> None:
    with studio.lock:
        opened = studio.opened
        kept = None if opened is None else studio.judged.judgements(opened.game)
        if shown is not studio.audit or studio.work_left() is not None:
            return  # it is asked for again once the moves are judged
    found = None

    def told_while_so(what: str, done: int, of: int) -> None:
        if studio.work_left() is not None:
            raise Cancelled
        told(what, done, of)

    try:
        if opened is not None and kept is not None:
            told_while_so("looking for facts that findings rest on", 0, 0)
            seen = with_lookers(opened, shown)
            found = with_suspects(opened, None, seen, lambda: kept, told_while_so)
    finally:
        if studio.work_left() is None:
            studio.memory[JOB] = (shown, found)


def report(studio: Studio, body: Mapping[str, Any]) -> Any:
    """The report as ``umpire audit -o report.html`` writes it, and a file name."""
    studio.read_up()
    opened, audit = studio.opened, studio.audit
    if opened is None or audit is None or studio.state()["judging"] is not None:
        raise UmpireError("the moves are still being judged: wait until the numbers above settle")
    if not studio.logs:
        raise UmpireError("there is no game to report on: start the studio with its logs")
    if studio.judged.judgements(opened.game) is None:
        raise UmpireError("the pack as it stands cannot be judged: mend it first")
    found = with_integrity(opened, with_suspicions(studio, audit), studio.viewer)
    drawn, found = or_what_was_done(opened, found, studio.viewer)
    scene = scene_of(drawn, studio.viewer, studio.limits)
    found = replace(found, problems=(*found.problems, *scene.problems))
    options = ReportOptions(viewer=str(studio.viewer), scene=scene)
    text = reports().get("html").render(found, options)
    return {"name": f"{studio.pack.name}-report.html", "text": text}


CALLS = (Call("GET", "/api/suspects", suspects), Call("GET", "/api/report", report))
