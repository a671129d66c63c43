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
from ...model.integrity import Integrity
from ..pages import environment, shown
from ..printable import printable
from ..seal import in_markup
from . import done, suspects
from .drawing import number, outline, polyline
from .groups import (
    FEW_MOVES,
    FEW_QUESTIONS,
    FEW_ROWS,
    finding_groups,
    move_groups,
    note_groups,
    question_rows,
    reasons,
)
from .how_to_read import as_markup
from .integrity import dice_lines, groups, how_played, opening_text, roll_lines, test_lines
from .json import summary
from .map_scene import MapScene
from .overdrawn import overdrawn_section
from .phrases import (
    KIND_NAMES,
    charge_amount,
    counted,
    due_text,
    headline,
    of_many_logs,
    problems_told,
    readings_told,
    title_of,
    viewer_text,
    vouching,
)
from .question_groups import how_to_settle
from .report import VERDICTS, Report, ReportOptions
from .routes import told_apart
from .ruled import GONE, gone_lines, in_sentences
from .sheet import VIOLATIONS, Sheet, page_data
from .suspected import HEADING, MEANING, cells_of, lines_of, would_be

_FOLDER = "page"


@cache
def _file(name: str) -> str:
    return resources.files(__package__).joinpath(_FOLDER, name).read_text("utf-8")


def _environment() -> Environment:
    return environment(
        n=number,
        outline=outline,
        polyline=polyline,
        verbatim=_verbatim,
        due=due_text,
        priced=charge_amount,
    )


def _verbatim(text: str) -> Markup:
    """Lines to copy."""
    return Markup("\n").join(printable(line) for line in text.split("\n"))


def _render(audit: Audit, options: ReportOptions) -> str:
    audit = told_apart(audit)
    sheet = Sheet(audit, options.scene or MapScene((), (), ()), many_logs=of_many_logs(audit))
    style, script = _file("page.css"), _file("page.js")
    (questions, fewer), bare = question_rows(sheet), reasons(sheet)
    asked_for = [one for group in (*questions, *fewer) for one in group.rows]
    found, notes = finding_groups(sheet), note_groups(sheet)
    listed = [row.number for group in (*found, *notes) for row in group.rows]
    listed += {row.number for asked in asked_for for row in asked.others}
    data = page_data(sheet, sorted(listed))
    told = json.dumps(shown(data), ensure_ascii=True, separators=(",", ":"))
    numbers = summary(audit)
    values: dict[str, Any] = {
        "audit": audit,
        "sheet": sheet,
        "atlas": sheet.atlas,
        "summary": numbers,
        "sentence": headline(audit),
        "kinds": [kind for kind in (*VIOLATIONS, "note") if numbers["findings"][kind]],
        "kind_names": KIND_NAMES,
        "verdicts": VERDICTS,
        "counted": counted,
        "found": found,
        "few_rows": FEW_ROWS,
        "questions": questions,
        "fewer": fewer,
        "facts_asked": len(asked_for),
        "few_questions": len(asked_for) <= FEW_QUESTIONS,
        "bare": bare,
        "moved": move_groups(sheet),
        "few_moves": len(sheet.moves) <= FEW_MOVES,
        "no_unit": done.NO_UNIT,
        "decides": bool(audit.coverage.decided),
        "notes": notes,
        "noted": sum(len(group.rows) + len(group.told) for group in notes),
        "readings": readings_told(audit),
        "how": as_markup(),
        "suspicions": [_suspicion(audit, one) for one in audit.suspicions],
        "suspects": list(suspects.suspect_lines(audit)),
        "changed": [suspects.heading(suspects.changed_text(one)) for one in audit.changed],
        "look_first": suspects.HEADING,
        "overdrawn": overdrawn_section(audit) if options.overdrawn else None,
        **_how_played(audit, sheet.scene),
        "how_to_settle": how_to_settle,
        "why_look": suspects.MEANING,
        "not_findings": HEADING,
        "meaning": MEANING,
        "rulings": in_sentences(audit),
        "gone": gone_lines(audit),
        "no_longer": GONE,
        "title": title_of(audit),
        "problems": list(problems_told(audit.problems)),
        "chat": list(done.chat(audit)),
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
        "lines": list(lines_of(audit, one)),
        "cells": cells_of(one, verbose=True),
    }


def _how_played(audit: Audit, scene: MapScene) -> dict[str, Any]:
    """The sections on how the game was played, the first without its dice, and what they say of dice."""
    many, found = of_many_logs(audit), audit.integrity or Integrity()
    return {
        "integrity": list(how_played(audit, verbose=True)),
        "traces": list(groups(audit, many_logs=many, verbose=True)),
        "on_the_map": _openings(scene),
        "ledger": list(dice_lines(found)),
        "tests": list(test_lines(found)),
        "rolls": list(roll_lines(found, many_logs=many)),
    }


def _openings(scene: MapScene) -> dict[str, str]:
    """Openings of logs at which the map shows what was moved between logs: their names, and the anchors."""
    logs = dict.fromkeys(moved.at.log for moved in scene.between)
    return {opening_text(log): f"step-{log}-0" for log in logs}


def script_hash() -> str:
    """How a policy names the script of a report, to let it run."""
    return _digest(_file("page.js"))


def _digest(script: str) -> str:
    """How a page's policy names the one script it lets run."""
    return base64.b64encode(hashlib.sha256(script.encode("utf-8")).digest()).decode("ascii")


REPORT = Report("html", ".html", _render, pictured=True, with_blank=in_markup)
