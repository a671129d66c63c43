"""One look at one cut-out of the map: what the pack has there, and the records that a person's look makes."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from ...importers.pack.provenance import COLUMNS, record_cells
from ...model.fact import MissingFact
from ...model.problem import UmpireError
from ...model.provenance import Method, Record
from ...model.seen import cells_of_look
from ...model.vouching import values_of
from .calls import Call
from .core_calls import maps_of
from .findings_rows import picture_of
from .findings_view import sheet_of
from .questions import waiting_of
from .session import Studio
from .suggest_arguments import who_in

HOW = "the studio's cut-out of a move, overlay off and on"


def cut_out(studio: Studio, body: Mapping[str, Any]) -> Any:
    """The part of the map that a question asks to look at, as a drawing; null: its hexes are on no map."""
    asked, sheet = _asked(studio, body), sheet_of(studio)
    crop = None if sheet is None else sheet.atlas.crop(asked.look, 0)
    if sheet is None or crop is None:
        return {"picture": None}
    picture = picture_of(sheet, crop)
    maps = maps_of(studio)
    if picture["map"] in maps:
        tiling = studio.pictures.tiling(picture["map"])
        picture["tiles"] = tiling.plain(f"/api/tile/{maps.index(picture['map'])}")
    return {"picture": {**picture, "look": list(asked.look), "counters": []}}


def looked(studio: Studio, body: Mapping[str, Any]) -> Any:
    """Record that everything in a cut-out is as the pack has it: what is there, and what is not."""
    asked, who, opened = _asked(studio, body), who_in(studio), studio.opened
    if body.get("switched") is not True:
        raise UmpireError("switch the overlay off and on again before you say that it is right")
    if opened is None:
        raise UmpireError("no game is open")
    cells = cells_of_look(opened.game.board, asked.look)
    held = {record.key: record for record in studio.pack.records}
    seen = opened.game.seen or frozenset()
    when, method = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ"), Method(studio.by, HOW)
    edits = []
    for key, value in values_of(opened.game.board).items():
        if key.cell not in cells or key in seen:
            continue
        old, now = held.get(key), Record(key, value, "looked-at", (who,), when, method)
        edits.append(
            {
                "kind": "record",
                "cell": key.cell,
                "layer": key.layer,
                "name": key.name,
                "was": None if old is None else _plain(old),
                "now": _plain(now),
            }
        )
    refused = len(studio.edit(edits, f"a look at {len(asked.look)} hexes").refused) if edits else 0
    return {"looked": len(edits) - refused, "refused": refused}


def _plain(record: Record) -> dict[str, str]:
    cells = dict(zip(COLUMNS, record_cells(record), strict=True))
    return {name: cells[name] for name in COLUMNS[3:]}


def _asked(studio: Studio, body: Mapping[str, Any]) -> MissingFact:
    waiting = [] if studio.audit is None else waiting_of(studio.audit)
    found = next((one.unknown for one in waiting if one.unknown.key == body.get("key")), None)
    if found is None or not found.look:
        raise UmpireError("this is no open question any more")
    return found


CALLS: tuple[Call, ...] = (
    Call("GET", "/api/look", cut_out),
    Call("POST", "/api/look", looked, writes=True),
)
