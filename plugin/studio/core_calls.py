"""The calls that every view needs: state, edits, undo, who writes, and pictures."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import partial
from typing import Any

from ...model.problem import UmpireError
from ...model.provenance import LOOKERS
from ...model.visibility import look
from .calls import Bytes, Call, whole
from .keepsake import keep_name
from .session import Studio

WAIT = 20.0
"""Seconds that a request for the state waits while nothing changes."""
MOST_NAME = 60
TAB = "(tab)"
"""The parameter that names the calling page."""


def state(studio: Studio, body: Mapping[str, Any]) -> Any:
    """The state, as soon as it is newer than the page's."""
    tab = str(body.get(TAB, ""))
    studio.tabs.heard(tab)
    after = whole(body.get("after", ""), 15)
    if after is not None:
        studio.wait(after, WAIT)  # the page may be gone by then: it is not heard again
    if studio.closed:
        raise UmpireError("the studio is being closed")
    return studio.state(tab)


def edit(studio: Studio, body: Mapping[str, Any]) -> Any:
    """Edits of the pack's files."""
    edits = body.get("edits")
    if not isinstance(edits, list) or not all(isinstance(one, dict) for one in edits):
        raise UmpireError("is not a list of edits", where="edits")
    return edited(studio, edits, str(body.get("label", "")))


def edited(studio: Studio, edits: Iterable[Mapping[str, Any]], label: str) -> Any:
    """The result of edits, for a page."""
    refused = studio.edit(edits, label).refused
    return {"revision": studio.revision, "refused": list(refused)}


def read(studio: Studio, body: Mapping[str, Any]) -> Any:
    """An empty answer, as soon as the files are read in their last version."""
    studio.read_up()
    return {"revision": studio.revision}


def turned(studio: Studio, body: Mapping[str, Any], forth: bool) -> Any:
    """Undo the last edit, or redo it."""
    told = studio.turn(forth=forth, overwrite=body.get("overwrite") is True)
    return {**told, "revision": studio.revision}


def take_over(studio: Studio, body: Mapping[str, Any]) -> Any:
    """Make this page the one that writes."""
    studio.tabs.take_over(str(body.get(TAB, "")))
    return {"revision": studio.revision}


def leave(studio: Studio, body: Mapping[str, Any]) -> Any:
    """Note that this page is being closed."""
    studio.tabs.leave(str(body.get(TAB, "")))
    return {}


def who(studio: Studio, body: Mapping[str, Any]) -> Any:
    """Set the name of whoever works at the screen, and whether that is a person or a program (``by``)."""
    name = " ".join(str(body.get("who", "")).split())[:MOST_NAME]
    if not name or "+" in name:
        raise UmpireError("expected a name, without a plus sign")
    by = next((known for known in LOOKERS if known == body.get("by", "person")), None)
    if by is None:
        raise UmpireError("expected person or program", where="by")
    studio.who, studio.by = name, by
    if by == "person" and not studio.note:
        keep_name(name)
    studio.changed()
    return {"who": name, "by": by}


def cancel(studio: Studio, body: Mapping[str, Any]) -> Any:
    """Stop a background job."""
    studio.jobs.cancel(str(body.get("name", "")))
    return {}


def tile(studio: Studio, body: Mapping[str, Any]) -> Bytes:
    """A tile of a map. ``sheet``: index among the maps of the pack's sheets, see :func:`maps_of`."""
    sheet, z, x, y = (whole(body[key], 6) for key in ("sheet", "z", "x", "y"))
    if sheet is None or z is None or x is None or y is None:
        raise UmpireError("there is no such tile")
    maps = maps_of(studio)
    if sheet >= len(maps):
        raise UmpireError("there is no such sheet")
    return studio.pictures.tile(maps[sheet], z, x, y)


def maps_of(studio: Studio) -> tuple[str, ...]:
    """The maps that the pack's sheets lie on, each once."""
    return tuple(dict.fromkeys(sheet.map for sheet in studio.pack.sheets))


def counter(studio: Studio, body: Mapping[str, Any]) -> Bytes:
    """The picture of a counter by its id, as this viewer first saw it."""
    wanted = str(body["id"])
    for log in studio.evidence.history.logs:
        piece = log.opening.pieces.get(wanted)
        seen = [piece] if piece is not None else []
        seen += [
            change.after
            for step in (log.steps if piece is None else ())
            for change in step.changes
            if change.after is not None and change.after.id == wanted
        ]
        for one in seen:
            if look(one, studio.viewer).known:
                found = studio.pictures.counter(one.image)
                if found is not None:
                    return found
    raise UmpireError("there is no picture of this counter")


CALLS: tuple[Call, ...] = (
    Call("GET", "/api/state", state),
    Call("POST", "/api/edit", edit, writes=True),
    Call("GET", "/api/read", read),
    Call("POST", "/api/undo", partial(turned, forth=False), writes=True),
    Call("POST", "/api/redo", partial(turned, forth=True), writes=True),
    Call("POST", "/api/take-over", take_over),
    Call("POST", "/api/leave", leave),
    Call("POST", "/api/who", who),
    Call("POST", "/api/cancel", cancel),
    Call("GET", "/api/tile/{sheet}/{z}/{x}/{y}", tile),
    Call("GET", "/api/counter/{id}", counter),
)
