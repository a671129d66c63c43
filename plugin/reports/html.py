"""The report as one page that needs nothing else: map, paths, findings, and a game to step through.

The same audit and scene give the same bytes. The page asks nothing of any network (its own policy
forbids it), and whatever comes from files is escaped by the template.
"""

from __future__ import annotations

import base64
import hashlib
import json
from functools import cache
from importlib import resources
from typing import Any

from jinja2 import Environment
from markupsafe import Markup

from ... import __version__
from ...model.finding import Audit, Suspicion
from ..pages import environment, shown
from ..printable import printable
from ..seal import in_markup
from . import suspects
from .drawing import number, outline, polyline
from .integrity import told_as_trace
from .integrity_html import integrity_html
from .json import summary
from .map_scene import MapScene
from .phrases import (
    KIND_NAMES,
    charge_amount,
    counted,
    due_text,
    readings_told,
    several,
    viewer_text,
    vouching,
)
from .report import FINDING_KINDS, VERDICTS, Report, ReportOptions
from .sheet import Sheet
from .suspected import HEADING, MEANING, cells_of, lines_of, would_be
from .told_apart import told_apart

_FOLDER = "page"

MANY_ROWS = 300
"""Rows from which on a table is laid out row by row."""


@cache
def _file(name: str) -> str:
    return resources.files(__package__).joinpath(_FOLDER, name).read_text("utf-8")


@cache
def _environment() -> Environment:
    made = environment()
    made.filters.update(
        n=number,
        outline=outline,
        polyline=polyline,
        several=several,
        verbatim=_verbatim,
        due=due_text,
        priced=charge_amount,
        many=lambda rows: " many" if len(rows) > MANY_ROWS else "",
    )
    return made


def _verbatim(text: str) -> Markup:
    """Lines to copy."""
    return Markup("\n").join(printable(line) for line in text.split("\n"))


def _render(audit: Audit, options: ReportOptions) -> str:
    audit = told_apart(audit)
    sheet = Sheet(audit, options.scene or MapScene((), (), ()), many_logs=_logs(audit) > 1)
    style, script = _file("page.css"), _file("page.js")
    told = json.dumps(shown(sheet.data()), ensure_ascii=True, separators=(",", ":"))
    values: dict[str, Any] = {
        "audit": audit,
        "sheet": sheet,
        "atlas": sheet.atlas,
        "summary": summary(audit),
        "kinds": FINDING_KINDS,
        "kind_names": KIND_NAMES,
        "verdicts": VERDICTS,
        "counted": counted,
        "readings": readings_told(audit),
        "suspicions": [_suspicion(audit, one) for one in audit.suspicions],
        "suspects": list(suspects.suspect_lines(audit)),
        "changed": [suspects.heading(suspects.changed_text(one)) for one in audit.changed],
        "look_first": suspects.HEADING,
        "told_as_trace": lambda finding: told_as_trace(audit, finding),
        "integrity": integrity_html(_environment(), audit, many_logs=_logs(audit) > 1),
        "why_look": suspects.MEANING,
        "not_findings": HEADING,
        "meaning": MEANING,
        "version": __version__,
        "vouching": vouching(audit),
        "seen": viewer_text(options.viewer),
        "style": Markup(style),  # noqa: S704 - our own files
        "script": Markup(script),  # noqa: S704
        "hash": _digest(script),
        # `<` must not end the script element that the data lie in
        "told": Markup(told.replace("<", "\\u003c").replace("&", "\\u0026")),  # noqa: S704
    }
    return _environment().from_string(_file("page.html")).render(values)


def _suspicion(audit: Audit, one: Suspicion) -> dict[str, Any]:
    return {
        "names": ", ".join(one.finding.names),
        "would_be": would_be(one),
        "lines": list(lines_of(audit, one, many_logs=_logs(audit) > 1)),
        "cells": cells_of(one, verbose=True),
    }


def _logs(audit: Audit) -> int:
    return sum(source.kind == "log" for source in audit.sources)


def _digest(script: str) -> str:
    """How a page's policy names the one script it lets run."""
    return base64.b64encode(hashlib.sha256(script.encode("utf-8")).digest()).decode("ascii")


REPORT = Report("html", ".html", _render, pictured=True, with_blank=in_markup)
