"""The report of the game as a page that can be kept and handed on."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from ...model.problem import UmpireError
from ..auditing import scene_of
from ..integrity import with_integrity
from ..registry import reports
from ..reports.report import ReportOptions
from .calls import Call
from .session import Studio
from .suspects_view import with_suspicions


def report(studio: Studio, body: Mapping[str, Any]) -> Any:
    """The report as ``umpire audit -o report.html`` writes it, with a name for its file."""
    studio.read_up()
    opened, audit = studio.opened, studio.audit
    if opened is None or audit is None or studio.state()["judging"] is not None:
        raise UmpireError("the moves are still being judged: wait until the numbers above stand")
    if not studio.logs:
        raise UmpireError("there is no game to report on: start the studio with its logs")
    found = with_integrity(opened, with_suspicions(studio, audit), studio.viewer)
    scene = scene_of(opened, studio.viewer, studio.limits)
    found = replace(found, problems=(*found.problems, *scene.problems))
    options = ReportOptions(viewer=str(studio.viewer), scene=scene)
    text = reports().get("html").render(found, options)
    return {"name": f"{studio.pack.name}-report.html", "text": text}


CALLS = (Call("GET", "/api/report", report),)
