"""What the moves say of numbers that the charts lack, worked out in the background when somebody asks."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...importers.pack.edit.change import toml_edit
from ...importers.pack.provenance import moment
from ...model.problem import UmpireError
from ..auditing import Opened
from ..chart_from_moves import CAUSES, asked_of, plain
from ..reading import Told
from .calls import Call
from .rules_view import forms_of, path_told
from .session import Studio

JOB = "chart"
"""The work; a studio remembers under this name the game that was asked last, and what its moves say; None:
they are being asked, or somebody stopped it, or they could not be asked."""


def chart(studio: Studio, body: Mapping[str, Any]) -> Any:
    """What the moves said when they were asked last: ``asked`` is null before that. ``working``: they are
    being asked. ``changed``: the pack has been changed since."""
    of, said = studio.memory.get(JOB, (studio.opened, None))
    working, changed = studio.jobs.is_doing(JOB), of is not studio.opened
    return {"asked": said, "working": working, "changed": changed, "causes": CAUSES}


def ask(studio: Studio, body: Mapping[str, Any]) -> Any:
    """Begin to ask the moves. Raises :class:`UmpireError` while the pack cannot be read."""
    opened = studio.opened
    if opened is None:
        raise UmpireError(
            "the moves can be asked once the pack can be read: see the lines at the top"
        )
    studio.jobs.begin(JOB, lambda told: _ask(studio, opened, told))
    return chart(studio, body)


def _ask(studio: Studio, opened: Opened, told: Told) -> None:
    studio.memory[JOB] = (opened, None)
    studio.memory[JOB] = (opened, plain(asked_of(opened, told)))


def confirm(studio: Studio, body: Mapping[str, Any]) -> Any:
    """What typing the cost that a person has ``said`` to stand in the rulebook would change, of a number
    that the moves pinned: ``edits``, which also record that it was proposed from moves, if it is the same; or
    an ``error``, also where the chart has one by now."""
    _, said = studio.memory.get(JOB, (None, None))
    asked = said or {"classes": (), "class_names": ()}
    path, cls = path_told(body.get("path")), str(body.get("class"))
    number = next(
        (
            one
            for of in asked["classes"]
            for one in of["numbers"]
            if of["class"] == cls and tuple(one["path"]) == path and one["status"] == "pinned"
        ),
        None,
    )
    if number is None:
        raise UmpireError("the moves do not pin this number: ask them again")
    if not studio.who:
        raise UmpireError("say your name first; it stands beside what you confirm")
    column = cls if len(asked["class_names"]) > 1 else None
    forms, said = forms_of(studio), " ".join(str(body.get("said", "")).split())
    if not said:
        raise UmpireError("say first what the rulebook says of it")
    if forms.change(path, "", column).edits:
        error = "the chart has something there by now, which stays: compare it with the rulebook"
        return {"edits": [], "error": error}
    changed = forms.change(path, said, column).plain()
    if not changed["error"] and said == number["value"]:
        name = " ".join((number["chart"], number["row"], *((column,) if column else ())))
        entry = {
            "path": list(path),
            **({"class": column} if column else {}),
            "value": number["value"],
            "who": studio.who,
            "when": moment(),
            "evidence": number["evidence"],
        }
        was = studio.pack.values.get("from_moves", {}).get(name)
        changed["edits"].append(toml_edit(("from_moves", name), was, entry))
    return changed


CALLS = (
    Call("GET", "/api/chart", chart),
    Call("POST", "/api/chart/ask", ask),
    Call("POST", "/api/chart/confirm", confirm),
)
