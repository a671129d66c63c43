"""Findings for the page: a row for each, and for one its bill and a drawing of its hexes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ...model.bill import Bill
from ...model.finding import ACCUSING, Audit, Clause
from ..json_text import picked
from ..reports.atlas import Crop
from ..reports.drawing import Stroke, outline, polyline, terrain_colour
from ..reports.map_scene import Cell
from ..reports.phrases import KIND_NAMES, charge_amount, due_text, measured
from ..reports.sheet import FindingRow, MoveRow, Sheet

MOST_ROWS = 2_000
"""Maximum number of findings listed; the rest is counted."""


def findings_json(sheet: Sheet) -> dict[str, Any]:
    """All findings in short; violations first, by kind and player."""
    rows = sorted(sheet.findings, key=lambda row: (not row.violation, row.number))
    counts: dict[str, int] = {}
    for row in rows:
        counts[row.finding.kind] = counts.get(row.finding.kind, 0) + 1
    return {
        "findings": [_short(row) for row in rows[:MOST_ROWS]],
        "more": max(0, len(rows) - MOST_ROWS),
        "kinds": [
            {"kind": kind, "name": KIND_NAMES.get(kind, kind), "number": number}
            for kind, number in counts.items()
        ],
        "players": sheet.players,
        "problems": [
            str(problem) for problem in sheet.audit.problems if problem.severity != "note"
        ],
    }


def _short(row: FindingRow) -> dict[str, Any]:
    found = row.finding
    return {
        "number": row.number,
        "kind": found.kind,
        "name": KIND_NAMES.get(found.kind, found.kind),
        "violation": row.violation,
        "code": found.code,
        "units": row.names,
        "faces": list(found.units),
        "routes": list(row.routes),
        "hexes": list(found.hexes),
        "who": row.who,
        "phase": row.phase,
        "steps": row.steps,
        "short": ""
        if found.bill is None
        else f"{measured(found.bill.total, found.bill.unit)} {due_text(found.bill)}",
    }


def finding_json(sheet: Sheet, number: int) -> dict[str, Any] | None:
    """All details of a finding, by its number; None if there is none."""
    row = next((one for one in sheet.findings if one.number == number), None)
    if row is None:
        return None
    found = row.finding
    return {
        **_short(row),
        **picked(found, "verdict explanation remedy"),
        "rule": _rule(row.clause),
        "open": [unknown.question for unknown in found.unknowns],
        "bill": _bill(found.bill, sheet.audit.clauses),
        "moves": [
            {
                "number": move.number,
                "units": move.names,
                "route": move.route,
                "verdict": move.verdict,
                "path": list(move.judged.path),
                "bill": None
                if move.judged.bill is found.bill
                else _bill(move.judged.bill, sheet.audit.clauses),
            }
            for move in row.moves
        ],
        "follows": found.follows_from,
        "picture": _picture(sheet, row) if row.violation else None,
    }


def _rule(clause: Clause | None) -> dict[str, str] | None:
    return None if clause is None else picked(clause, "id title text")


def _bill(bill: Bill | None, clauses: Mapping[str, Clause]) -> dict[str, Any] | None:
    if bill is None:
        return None
    return {
        "unit": bill.unit,
        "charges": [
            {
                "hex": charge.hex,
                "from": charge.origin,
                "amount": charge_amount(charge),
                "reason": charge.reason,
                "clause": charge.clause,
                "title": clauses[charge.clause].title if charge.clause in clauses else "",
            }
            for charge in bill.charges
        ],
        "total": measured(bill.total, bill.unit),
        "due": due_text(bill),
    }


# -- the hexes around ------------------------------------------------------------------------------


def _picture(sheet: Sheet, row: FindingRow) -> dict[str, Any] | None:
    """The drawing of a finding in pixels of the map; None if its hexes are on none. Plain names, no
    markup."""
    crop = sheet.crop(row)
    if crop is None:
        return None
    return {**picture_of(sheet, crop), "paths": list(_paths(sheet, row.moves, crop.map))}


def picture_of(sheet: Sheet, crop: Crop) -> dict[str, Any]:
    """The drawing of a part of the map, without a path."""
    atlas = sheet.atlas
    a_map = sheet.scene.maps[crop.map]
    reach = atlas.reach(a_map)
    return {
        "map": a_map.name,
        "box": [round(number, 1) for number in crop.box],
        "reach": round(reach, 1),
        "cells": [*map(_cell, crop.cells)],
        "lines": [
            {"d": polyline(points), **_stroke(stroke, reach)}
            for stroke, points, _ in (*atlas.ways(a_map, crop), *atlas.hexsides(a_map, crop))
        ],
        "counters": [
            {
                "id": drawn.counter.unit,
                "name": drawn.counter.name,
                "side": drawn.counter.side or "",
                "x": round(drawn.x, 1),
                "y": round(drawn.y, 1),
                "colour": atlas.colour(drawn.counter),
            }
            for drawn in crop.counters
        ],
        "paths": [],
    }


def _paths(sheet: Sheet, moves: Sequence[MoveRow], on: int) -> Iterator[dict[str, Any]]:
    for move in moves:
        drawn = sheet.paths[move.number]
        if drawn is None or drawn[0] != on:
            continue
        paid = []
        for one in move.paid:
            cell = sheet.scene.cell(one.hex)
            if cell is not None:
                at = {"x": round(cell.x, 1), "y": round(cell.y, 1)}
                paid.append({"hex": one.hex, "amount": one.amount, "for": list(one.charges), **at})
        yield {"verdict": move.verdict, "d": polyline(drawn[1]), "paid": paid}


def _cell(cell: Cell) -> dict[str, Any]:
    return {
        "name": cell.name,
        "x": round(cell.x, 1),
        "y": round(cell.y, 1),
        "d": outline([cell]),
        "colour": terrain_colour(cell),
        "told": cell.told,
    }


def _stroke(stroke: Stroke, reach: float) -> dict[str, Any]:
    width = round(stroke.width * reach / 40, 1)
    return {"colour": stroke.colour, "width": width, "dashes": stroke.dashes}


def violations(audit: Audit) -> int:
    """The number of violations."""
    return sum(finding.kind in ACCUSING for finding in audit.findings)
