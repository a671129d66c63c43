"""Record what somebody said about cells he looked at, with who, when and on which picture."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from ... import __version__
from ...importers.pack.edit.hexes import FILE as HEXES
from ...importers.pack.edit.hexes import HexTable
from ...importers.pack.provenance import moment
from ...model.problem import UmpireError
from ...model.provenance import BY_EYE, KNOWN, Looker, Method, Record
from ...model.vouching import NOTHING
from ..looking.blind import MANY, compared
from ..looking.decisions import Decision, Vouching, edits_for
from ..looking.pack_board import side_layer
from ..looking.shown_file import value_fault, value_of
from ..suggest.confidence import Confidence
from .board_cells import bytes_of
from .keepsake import Checked
from .session import Studio
from .suggest_cells import Cell, Shown, layer_of, who_in, yes_in
from .suggest_desk import PROGRAM, Desk, desk_of, same_name

BY_PROGRAM = Method("program", f"umpire {__version__}, the studio's suggestions")
HOW = {
    "kind": "the studio's contact sheet",
    "nothing": "the studio's contact sheet",
    "ends": "the studio's cut-outs",
    "offer": "the studio's cut-outs",
    "blind": "the studio's cut-outs, typed blind",
    "double": "the studio's cut-outs, typed blind",
    "area": "the studio's view of the map, overlay off and on",
}


def look(studio: Studio, body: Mapping[str, Any]) -> Any:
    """Record a look at the cells of a sheet. ``said``: by place on it, a value, or null (not known).
    ``rest``, for the other cells: confirm (they are as shown; empty sides of an area have nothing, those held
    open with ``?`` stay so), none (there is nothing), or leave. ``seen``: the places of an area that were
    wholly on the screen, or those of a sheet that were not left out; other cells get no record."""
    desk, who = desk_of(studio), who_in(studio)
    with desk.lock:
        shown = desk.shown(body.get("sheet"))
        if shown.done:
            raise UmpireError("this sheet has been confirmed already: open the next one")
        if shown.what == "area" and body.get("switched") is not True:
            raise UmpireError(
                "switch the overlay off and on again before you say that the view is right"
            )
        said = _said(shown, body.get("said"))
        rest = body.get("rest")
        if rest == "confirm" and shown.what in ("blind", "double"):
            raise UmpireError("cells that are typed blind are typed one by one")
        values: dict[int, str | None] = dict(said)
        if rest in ("confirm", "none"):
            seen = _seen(shown, body.get("seen"))
            for number, cell in enumerate(shown.cells):
                if number not in seen or cell.open:
                    continue
                value = cell.value
                if cell.key.layer != "terrain" and (rest == "none" or (not value and shown.plan)):
                    value = NOTHING
                if number not in values and value is not None:
                    values[number] = value
            if shown.what == "nothing":
                out = set(range(len(shown.cells))) - seen
                desk.checks.passed.update(shown.cells[number].key for number in out)
            if shown.what == "area":
                desk.checks.passed.update(
                    shown.cells[number].key for number in seen if values.get(number) is None
                )
        answer = _double(studio, desk, shown, values, who) if shown.what == "double" else None
        if answer is None:
            answer = _vouch(studio, desk, shown, values, frozenset(said), who)
        if shown.what == "blind":
            answer["blind"] = _blind(studio, desk, shown, values, who)
        shown.done = True
        answer["revision"] = studio.revision
    studio.keep()
    return answer


def _vouch(
    studio: Studio,
    desk: Desk,
    shown: Shown,
    values: Mapping[int, str | None],
    said: frozenset[int],
    who: str,
) -> dict[str, Any]:
    """Write a look. Different entries made by others meanwhile stay, and so do the names of those who saw the
    same before; a person replaces a program. Features of a side that were not shown stay as well, unless
    something was ``said`` about the side."""
    decisions, kept, before = [], 0, 0
    table = _hexes(studio, desk)
    for number, value in sorted(values.items()):
        key = shown.cells[number].key
        now = desk.as_it_stands(key)
        known = now.status in KNOWN and now.value is not None
        if known and now.value != shown.cells[number].value and now.value != value:
            kept += 1
            continue
        if key.layer == "terrain":  # the files may say more than was read of them
            written = table.value(key.cell, "terrain")
            read = desk.pack_board.drawn_terrain(key.cell)
            if written not in ("", "?", read, shown.cells[number].value, value):
                kept += 1
                continue
        if number not in said and _loses(desk, shown.cells[number], value):
            kept += 1
            continue
        held = desk.pack_board.records.get(key)
        if known and now.value == value and held is not None and _stays(held, studio.by):
            before += 1
            continue
        decisions.append(Decision(key, value, desk.picture_of(key.cell)))
    by = Vouching("looked-at", (who,), moment(), Method(studio.by, HOW[shown.what]))
    label = f"a look at {len(decisions)} cells ({shown.layer})"
    refused = _write(studio, desk, decisions, by, label)
    return {
        "looked": sum(one.value is not None for one in decisions),
        "not_known": sum(one.value is None for one in decisions),
        "before": before,
        "kept": kept,
        "refused": refused,
    }


def _loses(desk: Desk, cell: Cell, value: str | None) -> bool:
    """Whether ``value`` removes something from a hexside that was not shown."""
    on = side_layer(cell.key.layer)
    if on is None:
        return False
    left = {*(cell.value or "").split("+"), *(value or "").split("+")}
    return not left.issuperset(desk.pack_board.drawn_names(desk.pack_board.edge(cell.key.cell), on))


def _stays(held: Record, by: Looker) -> bool:
    """Whether the record of a value stays when somebody sees the same."""
    if held.method.by == by:
        return held.status in BY_EYE
    return held.method.by == "person"


def _double(
    studio: Studio, desk: Desk, shown: Shown, values: Mapping[int, str | None], who: str
) -> dict[str, Any]:
    """Compare what a second person typed blind with what the first one said."""
    same: dict[tuple[tuple[str, ...], Looker], list[Decision]] = {}
    other: list[Decision] = []
    differ: list[dict[str, Any]] = []
    for number, value in sorted(values.items()):
        key = shown.cells[number].key
        record = desk.pack_board.records.get(key)
        if value is None or record is None or record.status != "looked-at":
            continue
        if same_name(who) in map(same_name, record.who):
            raise UmpireError("a second person has to type these: you have looked at them yourself")
        if record.value == value:
            looker: Looker = "person" if "person" in (record.method.by, studio.by) else "program"
            both = ((*record.who, who), looker)
            same.setdefault(both, []).append(Decision(key, value, desk.picture_of(key.cell)))
        else:
            other.append(Decision(key, None, ""))
            differ.append(
                {
                    "cell": key.cell,
                    "first": record.value,
                    "by": " + ".join(record.who),
                    "now": value,
                }
            )
    refused = 0
    for (names, looker), decisions in same.items():
        by = Vouching("double", names, moment(), Method(looker, HOW["double"]))
        refused += _write(studio, desk, decisions, by, f"{len(decisions)} cells entered twice")
    by = Vouching("looked-at", (who,), moment(), Method(studio.by, HOW["double"]))
    refused += _write(studio, desk, other, by, f"{len(other)} cells that two saw differently")
    return {
        "double": sum(len(each) for each in same.values()),
        "differ": differ,
        "looked": 0,
        "not_known": len(other),
        "kept": 0,
        "refused": refused,
    }


def _blind(
    studio: Studio, desk: Desk, shown: Shown, values: Mapping[int, str | None], who: str
) -> dict[str, Any]:
    """Keep the result of a blind check, with the pack and with the present suggestions."""
    suggested = {cell.key: cell.value for cell in shown.cells if cell.value is not None}
    typed = {cell.key: values.get(number) for number, cell in enumerate(shown.cells)}
    blind = compared(typed, suggested)
    if blind.typed < min(MANY, len(shown.cells)) / 2:
        raise UmpireError("type at least half of the cells, or nothing can be said about the rest")
    desk.checks.checked[shown.layer] = Checked(blind, frozenset(desk.suggested(shown.layer)))
    kept = blind.kept("board", "layer", shown.layer, who, len(shown.cells))
    studio.edit([kept], "the blind check")
    return {**blind.plain(), "suggested": dict(Counter(suggested.values()))}


def accept(studio: Studio, body: Mapping[str, Any]) -> Any:
    """Enter the suggestions for one layer, with nobody vouching for them. Many at once only after a check."""
    desk, layer = desk_of(studio), layer_of(body.get("layer"))
    wanted = {Confidence.SURE, Confidence.UNSURE} if yes_in(body, "unsure") else {Confidence.SURE}
    kind = body.get("kind")
    with desk.lock:
        found = [
            one
            for one in desk.open_proposals(layer)
            if one.confidence in wanted and (kind is None or one.value == kind)
        ]
        if len(found) > MANY and desk.checked_of(layer) is None:
            return {"needs": "blind", "cells": len(found), "accepted": 0}
        decisions = [Decision(one.key, one.value, one.picture, one.chance) for one in found]
        by = Vouching("suggested", (PROGRAM,), moment(), BY_PROGRAM)
        refused = _write(studio, desk, decisions, by, f"{len(found)} suggestions")
    return {"accepted": len(found), "refused": refused}


def _write(
    studio: Studio, desk: Desk, decisions: Iterable[Decision], by: Vouching, label: str
) -> int:
    """Write decisions through the store; returns how many edits were refused."""
    every = list(decisions)
    if not every:
        return 0
    edits = list(edits_for(desk.pack_board, _hexes(studio, desk), every, by))
    return len(studio.edit(edits, label).refused)


def _hexes(studio: Studio, desk: Desk) -> HexTable:
    return HexTable(bytes_of(studio.folder / HEXES), desk.pack_board.drawn)


def _said(shown: Shown, said: object) -> dict[int, str | None]:
    """The values said of cells, by place on the sheet."""
    if said is None:
        return {}
    if not isinstance(said, Mapping):
        raise UmpireError("expected what is said of each cell", where="said")
    found: dict[int, str | None] = {}
    for place, value in said.items():
        number = int(place) if str(place).isdecimal() else -1
        if not 0 <= number < len(shown.cells):
            raise UmpireError("is not a cell of the sheet", where=str(place)[:20])
        if value is None:
            found[number] = None
            continue
        layer = shown.cells[number].key.layer
        fault = value_fault(layer, value)
        if fault:
            raise UmpireError(fault)
        found[number] = value_of(layer, value)
    return found


def _seen(shown: Shown, seen: object) -> set[int]:
    """The places of cells that were on the screen and not left out. The page must send them for an area;
    without them a sheet of cut-outs counts as seen whole."""
    if seen is None and shown.what != "area":
        return set(range(len(shown.cells)))
    if (
        not isinstance(seen, Sequence)
        or isinstance(seen, str)
        or not all(isinstance(place, int) for place in seen)
    ):
        raise UmpireError("expected the places of cells", where="seen")
    return set(range(len(shown.cells))).intersection(seen)
