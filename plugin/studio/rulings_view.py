"""Rulings on the offences of a game that is kept in a folder."""

from __future__ import annotations

import datetime
import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ...importers.game_folder.folder import DECISIONS, GAME_FILE, RULING, GameFolder, Ruling
from ...model.finding import Audit
from ...model.game import Game
from ...model.problem import UmpireError
from ...model.viewer import Viewer
from ..desk.ruling import offence_named
from ..desk.status import (
    RuledOn,
    Status,
    is_hidden,
    sentences,
    standings,
    status_of,
    what_was_found,
)
from .calls import Call
from .findings_view import audit_stamp, sheet_of
from .game_desk import CHANGED, GameDesk
from .session import Studio

MOST_REASON = 2_000


@dataclass(frozen=True)
class _Shown:
    """What is on show, all of one moment: the game, the viewer's part of the audit, and the whole audit."""

    game: Game
    audit: Audit
    whole: Audit


def rulings(studio: Studio, body: Mapping[str, Any]) -> Any:
    """Every offence that the viewer may see, with its standing and its ruling. ``game`` is None if the studio
    was opened without a game's folder. ``same`` if the page already has all this (``have``)."""
    desk = studio.game
    if desk is None:
        return {"game": None}
    fault, folder = "", desk.opened
    try:
        folder = desk.now()
        fault = desk.outdated(folder)
    except UmpireError as error:
        fault = str(error)
    audit = audit_stamp(studio)
    stamp = _digest([audit, _digest([folder.data.hex(), fault])])
    if body.get("have") == stamp:
        return {"same": True}
    told: dict[str, Any] = {
        "stamp": stamp,
        "audit": audit,
        "game": folder.title,
        "fault": fault,
        "decisions": DECISIONS,
    }
    shown = _shown(studio)
    if shown is None:
        return {**told, "offences": [], "gone": []}
    try:
        until = sentences(standings(folder, shown.game, shown.audit, studio.viewer))
    except (UmpireError, OSError) as error:
        until, told["fault"] = {}, fault or str(error)
    status = _status(folder, shown, studio.viewer)
    sheet = sheet_of(studio)
    numbers = {} if sheet is None else {id(row.finding): row.number for row in sheet.findings}
    return {
        **told,
        "offences": [
            {
                "id": one.offence.id,
                "names": ", ".join(one.offence.names),
                "findings": [
                    numbers[id(finding)]
                    for finding in one.offence.findings
                    if id(finding) in numbers
                ],
                "standing": until.get(one.offence.id, ""),
                "ruling": _ruling(one.ruling, again=one.changed),
                "stamp": _seen(one),
            }
            for one in status.offences
        ],
        "gone": [{"id": one.offence, **(_ruling(one) or {})} for one in status.gone],
    }


def rule(studio: Studio, body: Mapping[str, Any]) -> Any:
    """Write a ruling into ``game.toml``: the offence's ``id``, the ``decision``, the reason (``because``),
    and the ``stamp`` of the offence as the page shows it."""
    desk = studio.game
    if desk is None:
        raise UmpireError("there is no game to rule on", hint="umpire studio GAME_FOLDER opens one")
    who = studio.who
    if not who:
        raise UmpireError("nobody has given a name", hint="type your name at the top of the page")
    because = body.get("because")
    if not isinstance(because, str) or len(because) > MOST_REASON:
        raise UmpireError("expected a reason", expected=f"at most {MOST_REASON:,} characters")
    studio.read_up()
    if studio.state()["judging"] is not None:
        raise UmpireError("the moves are still being judged: wait until the numbers above settle")
    shown = _shown(studio)
    if shown is None:
        raise UmpireError("the moves have not been judged yet")
    folder = _as_shown(desk)
    seen = offence_named(str(body.get("id", "")), shown.audit)
    one = next(
        one for one in _status(folder, shown, studio.viewer).offences if one.offence.id == seen.id
    )
    if body.get("stamp") != _seen(one):
        raise UmpireError(CHANGED, where=GAME_FILE)
    found = offence_named(seen.id, shown.whole)
    signed = who if studio.by == "person" else f"{who} (a program)"
    hidden = is_hidden(found, shown.audit)
    ruling = desk.rule(folder, found, str(body.get("decision", "")), because, signed, hidden=hidden)
    studio.changed()
    return {"ruling": _ruling(ruling)}


def _as_shown(desk: GameDesk) -> GameFolder:
    """The game by the present ``game.toml``. Raises :class:`UmpireError` if the studio shows another
    state."""
    folder = desk.now()
    if fault := desk.outdated(folder):
        raise UmpireError(fault)
    return folder


def _shown(studio: Studio) -> _Shown | None:
    with studio.lock:
        opened, audit, whole = studio.opened, studio.audit, studio.whole_audit
    if opened is None or audit is None or whole is None:
        return None
    return _Shown(opened.game, audit, whole)


def _status(folder: GameFolder, shown: _Shown, viewer: Viewer) -> Status:
    return status_of(folder, shown.game, shown.audit, shown.whole, datetime.date.today(), viewer)


def _seen(one: RuledOn) -> str:
    """A stamp that changes with the findings or the ruling of an offence."""
    ruling = None if one.ruling is None else RULING.write(one.ruling)
    return _digest([what_was_found(one.offence), ruling])


def _ruling(ruling: Ruling | None, *, again: bool = False) -> dict[str, Any] | None:
    """A ruling without its findings, which may be hidden from the viewer."""
    if ruling is None:
        return None
    return {
        "decision": ruling.decision,
        "because": ruling.because,
        "who": ruling.who,
        "when": ruling.when,
        "again": again,
    }


def _digest(value: Any) -> str:
    return hashlib.sha256(json.dumps(value).encode("ascii")).hexdigest()[:24]


CALLS: tuple[Call, ...] = (
    Call("GET", "/api/rulings", rulings),
    Call("POST", "/api/rule", rule, writes=True),
)
