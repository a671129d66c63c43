"""The calls of the Units view: counters by kind with their pictures, and the columns of units.csv."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...importers.pack.load import load_pack
from ...importers.pack.pack import Pack
from ...model.problem import UmpireError
from ...validators.allowed_facts import Allowed
from ..registry import rulesets
from ..ruleset_needs import allowed_by
from . import unit_sheets
from .calls import Bytes, Call
from .counter_kinds import Kind, kinds_of, to_adopt
from .effects import effect_of_edits
from .pictures import PNG
from .session import Studio
from .unit_columns import columns_of
from .unit_rows import fault_in, kind_id, rows_of, units_json

MOST_NAME, MOST_REFUSED = 200, 1_000
"""Maximum length of the name of a guess, and number of refused guesses remembered."""
MOST_TRIED = 5
"""Maximum number of pieces of a kind whose pictures are tried."""


def units(studio: Studio, body: Mapping[str, Any]) -> Any:
    """The kinds of counters, their groups, and the columns; ``same`` if the page already has them
    (``have``)."""
    passed = len(studio.keepsake.units.passed)
    stamp = f"{studio.pack.sha256}/{len(sides_of(studio))}/{passed}"
    if body.get("have") == stamp:
        return {"same": True}
    pack = pack_as_typed(studio)
    stamp = f"{pack.sha256}/{len(sides_of(studio))}/{passed}"
    kinds, allowed, sides = kinds_in(studio), _allowed(studio, pack), sides_of(studio)
    told = units_json(pack, kinds, allowed, sides)
    desk = unit_sheets.desk_of(studio)
    columns = columns_of(pack, allowed, sides)
    suggested = unit_sheets.suggested_for(
        kinds, told["kinds"], columns, sides, studio.keepsake.units.passed
    )
    return {
        "stamp": stamp,
        **told,
        "suggested": unit_sheets.suggestions_plain(desk, suggested),
        "adopt": to_adopt(pack, kinds),
        "refused": list(studio.keepsake.refused),
    }


def sheet(studio: Studio, body: Mapping[str, Any]) -> Any:
    """The sheet of a suggested ``value`` of a ``column``; before a blind check, the sheet to type blind."""
    desk, column, value = (
        unit_sheets.desk_of(studio),
        body.get("column"),
        str(body.get("value", "")),
    )
    told, found = _suggested(studio)
    if column not in found:
        raise UmpireError("nothing is suggested there now")
    shown = unit_sheets.sheet_of(desk, found[str(column)], value)
    names = {one["id"]: one["name"] for one in told}
    blind = shown.what != "kind"
    cells = [
        {"cell": kind, "name": names[kind]} | ({} if blind else {"why": one.why})
        for kind, one in shown.of.items()
    ]
    suggested = found[str(column)]
    checked = desk.checked_of(suggested)
    of_value = (
        sum(one.value == value for one in suggested.of.values()) if value else len(suggested.rest)
    )
    return {
        "id": shown.id,
        "what": shown.what,
        "column": shown.column,
        "value": value,
        "all": len(cells) if shown.what == "blind" else of_value,
        "kinds": list(suggested.kinds),
        "cells": cells,
        "differ": [
            {"cell": kind, "name": names[kind], "said": said, "suggested": was}
            for kind, said, was in (() if checked is None else checked.differ)
            if kind in names
        ],
    }


def look(studio: Studio, body: Mapping[str, Any]) -> Any:
    """Record a look at a sheet; see :func:`.unit_sheets.look`."""
    pack = pack_as_typed(studio)
    allowed, sides = _allowed(studio, pack), sides_of(studio)

    def fault(column: str, text: str) -> str:
        return fault_in(pack, allowed, sides, column, text)

    return unit_sheets.look(studio, body, _suggested(studio)[1], fault)


def _suggested(
    studio: Studio,
) -> tuple[list[dict[str, Any]], Mapping[str, unit_sheets.Suggested]]:
    """The kinds, and the suggestions by column."""
    pack, kinds, sides = pack_as_typed(studio), kinds_in(studio), sides_of(studio)
    columns = columns_of(pack, _allowed(studio, pack), sides)
    told = rows_of(pack, kinds, columns)
    passed = studio.keepsake.units.passed
    found = unit_sheets.suggested_for(kinds, told, columns, sides, passed)
    return told, {one.column: one for one in found}


def effect(studio: Studio, body: Mapping[str, Any]) -> Any:
    """The effect of edits of counters and of where they are read, see :func:`.effect_of_edits`."""
    edits = body.get("edits")
    of = [
        one
        for one in (edits if isinstance(edits, list) else ())
        if isinstance(one, Mapping) and one.get("kind") in ("unit", "toml")
    ]
    return effect_of_edits(studio, of)


def check(studio: Studio, body: Mapping[str, Any]) -> Any:
    """Whether a text is allowed in a cell of a column."""
    pack, column, text = pack_as_typed(studio), str(body.get("column")), str(body.get("text", ""))
    return {"error": fault_in(pack, _allowed(studio, pack), sides_of(studio), column, text)}


def picture(studio: Studio, body: Mapping[str, Any]) -> Bytes:
    """The picture of a kind; an empty one if it cannot be shown, for example an SVG."""
    wanted = str(body["kind"])
    for kind in kinds_in(studio):
        if kind_id(kind.census.name, kind.census.image) == wanted:
            faces = dict.fromkeys(piece.image for piece in kind.pieces[:MOST_TRIED])
            for face in faces:
                found = studio.pictures.counter(face) if face else None
                if found is not None:
                    return found
            return Bytes(PNG, b"")
    raise UmpireError("there are no such counters")


def pack_as_typed(studio: Studio) -> Pack:
    """The pack by its own files, without what the facts add; as last read if the files cannot be read now."""
    try:
        return load_pack(studio.folder)
    except UmpireError:
        return studio.pack


def sides_of(studio: Studio) -> tuple[str, ...]:
    """The sides of the game."""
    if studio.opened is not None:
        return studio.opened.game.sides
    return studio.pack.sides or studio.evidence.module.sides


def _allowed(studio: Studio, pack: Pack) -> Mapping[str, Allowed]:
    ruleset = rulesets().parts.get(pack.ruleset)
    if ruleset is None:
        return {}
    try:
        return allowed_by(ruleset, pack.tables, sides_of(studio))
    except (
        UmpireError
    ):  # tables that are not right yet: the attributes of the pack are shown all the same
        return {}


def kinds_in(studio: Studio) -> tuple[Kind, ...]:
    """The shown counters, by kind."""
    evidence = studio.evidence
    sheets = frozenset(sheet.map for sheet in studio.pack.sheets)
    return studio.kept(
        "kinds",
        lambda: kinds_of(evidence.module, evidence.history, sheets, studio.viewer),
        key=(sheets, studio.viewer),
    )


def refused(studio: Studio, body: Mapping[str, Any]) -> Any:
    """Hide a guess from now on, by the name that the page gives it."""
    name = str(body.get("guess", ""))[:MOST_NAME]
    with studio.lock:
        kept = studio.keepsake.refused
        if name and name not in kept and len(kept) < MOST_REFUSED:
            kept.append(name)
    return {}


CALLS: tuple[Call, ...] = (
    Call("POST", "/api/units/refuse", refused, writes=True),
    Call("GET", "/api/units", units),
    Call("POST", "/api/units/check", check),
    Call("POST", "/api/units/effect", effect),
    Call("GET", "/api/units/sheet", sheet),
    Call("POST", "/api/units/look", look, writes=True),
    Call("GET", "/api/units/picture/{kind}", picture),
)
