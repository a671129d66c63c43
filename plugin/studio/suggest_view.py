"""The calls of the Suggest view: suggestions, sheets of cut-outs, stretches of the map, and what somebody
says of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

from ...model.problem import UmpireError
from ...model.provenance import BY_EYE, Key, Layer
from ...model.vouching import NOTHING
from ..looking import cutouts
from ..reading import Told as Progress
from .calls import Bytes, Call
from .pictures import PNG
from .session import Studio
from .suggest_cells import LAYERS, Shown, cell_plain, number_of, yes_in
from .suggest_desk import UNSEEN, Desk, desk_of
from .suggest_looks import accept, look
from .suggest_sheets import empty_sides, line_ends, sheet

JOB = "suggesting"
TOLD = ("title", "fits", "off", "mixed", "strange", "confused", "single", "silent")
"""What is told of the suggestions for a picture."""
SMALLEST_VIEW = 40.0
"""Pixels from hex to hex below which nobody vouches for a stretch of the map."""
NEXT = "next"
"""Named as a cell: the stretch with most that is asked for and not looked at."""


def overview(studio: Studio, body: Mapping[str, Any]) -> Any:
    """Where the work stands, by layer and kind."""
    studio.read_up()
    desk = desk_of(studio)
    with desk.lock:
        pack_board = desk.pack_board
        layers = [_layer_plain(desk, layer) for layer in LAYERS]
        checks = studio.pack.values.get("board", {}).get("checked", {})
        return {
            "pictures": [
                {
                    "title": plan.ground.title,
                    "hexes": len(plan.cells.names),
                    "sides": len(plan.cells.edges),
                }
                for plan in desk.plans
            ],
            "problems": [str(problem) for problem in desk.base.problems],
            "suggested": bool(desk.sheets),
            "sheets": [{name: getattr(sheet, name) for name in TOLD} for sheet in desk.sheets],
            "layers": layers,
            "empty": len({cell.key.cell for cell in empty_sides(desk)}),
            "touching": desk.has_open_moves(),
            "checks": [{"id": name, **dict(check)} for name, check in checks.items()],
            "doubles": sum(1 for _ in desk.to_double(studio.who)) if studio.who else 0,
            "who": studio.who,
            "required": pack_board.required,
        }


def _layer_plain(desk: Desk, layer: Layer) -> dict[str, Any]:
    status: Counter[tuple[str, str]] = Counter(
        (record.value, record.status)
        for key, record in desk.pack_board.records.items()
        if key.layer == layer and not key.name
    )
    known = desk.known_counts(layer)
    proposals = desk.open_proposals(layer)
    fresh = Counter((one.value, one.confidence.name.lower()) for one in proposals)
    kinds = {*known, *(kind for kind, _ in (*status, *fresh))}
    in_order = sorted(kinds, key=lambda kind: (kind == NOTHING, kind))
    named = [kind for kind in in_order if kind != NOTHING] if layer == "lines" else []
    blind = desk.checked_of(layer)
    return {
        "layer": layer,
        "kinds": [
            {
                "kind": kind,
                "known": known[kind],
                "looked": sum(status[kind, said] for said in BY_EYE),
                "unseen": sum(status[kind, said] for said in UNSEEN),
                **{word: fresh[kind, word] for word in ("sure", "unsure", "unlike")},
            }
            for kind in in_order
        ],
        "ends": {kind: number for kind in named if (number := len(line_ends(desk, kind)))},
        "checked": None if blind is None else blind.plain(),
    }


def run(studio: Studio, body: Mapping[str, Any]) -> Any:
    """Suggest anew, in the background."""
    desk = desk_of(studio)

    def work(progress: Progress) -> None:
        desk.suggest(progress)
        studio.changed()

    return {"started": studio.jobs.begin(JOB, work)}


# -- sheets of cut-outs ----------------------------------------------------------------------------


def sprites(studio: Studio, body: Mapping[str, Any]) -> Bytes:
    """The cut-outs of a sheet as one picture."""
    desk = desk_of(studio)
    side = number_of(body.get("side"), 96, cutouts.SMALLEST, cutouts.LARGEST)
    with desk.lock:
        shown, plans = desk.shown(body.get("sheet")), desk.plans
    cells = list(dict.fromkeys(cell.key.cell for cell in shown.cells))
    return Bytes(
        PNG, cutouts.png(cutouts.sheet_of(plans, cells, side, marks=yes_in(body, "marks")))
    )


def one(studio: Studio, body: Mapping[str, Any]) -> Bytes:
    """The cut-out of one cell."""
    desk, cell = desk_of(studio), str(body.get("cell", ""))
    side = number_of(body.get("side"), 160, cutouts.SMALLEST, cutouts.LARGEST)
    with desk.lock:
        plans = desk.plans
    if not any(cell in plan for plan in plans):
        raise UmpireError(f"no picture shows {cell}")
    image = cutouts.sheet_of(plans, [cell], side, marks=yes_in(body, "marks"))
    return Bytes(PNG, cutouts.png(image.crop((0, 0, side, side))))


# -- stretches of the map ---------------------------------------------------------------------------


def area(studio: Studio, body: Mapping[str, Any]) -> Any:
    """A stretch of the map round a cell, with what is said of each cell that lies in it whole. Round ``next``
    the one with most cells to look at; ``besides``: one that is being looked at, whose cells do not count;
    ``only``: the cells that the moves need which are soonest decided (``soonest``), or those that open
    moves ask for (``asked``); all where there are none."""
    studio.read_up()
    desk = desk_of(studio)
    pixels = float(number_of(body.get("pixels"), 64, int(SMALLEST_VIEW), 160))
    across = float(number_of(body.get("across"), 14, 2, 60))
    down = float(number_of(body.get("down"), 9, 2, 60))
    layers = [layer for layer in LAYERS if layer in str(body.get("layers", "terrain")).split(",")]
    with desk.lock:
        plans = desk.plans
        waiting = set(desk.waiting(layers))
        if besides := body.get("besides"):
            waiting -= {cell.key for cell in desk.shown(besides).cells}
        wanted = str(body.get("only", ""))
        only = desk.cells_only(wanted, layers)
        if only:
            waiting = {key for key in waiting if key.cell in only}
        cell = str(body.get("cell", "")) or plans[0].cells.names[0]
        if cell == NEXT:
            near = str(body.get("near", ""))
            cell = _fullest(desk, {key.cell for key in waiting}, across, down, near)
        plan = next((plan for plan in plans if cell in plan), None)
        if plan is None:
            raise UmpireError(f"no picture shows {cell}")
        box, scale = cutouts.frame(plan, cell, across, down, pixels)
        keys = [
            Key(name, layer)
            for name in cutouts.inside(plan, box)
            for layer in layers
            if (layer == "terrain") == (name in plan.cells.place) and (not only or name in only)
        ]
        shown = desk.show(
            "area", layers[0] if layers else "terrain", [desk.as_it_stands(k) for k in keys]
        )
        shown.plan, shown.box = plan, box
        shown.size = (round((box[2] - box[0]) * scale), round((box[3] - box[1]) * scale))
        return {
            "id": shown.id,
            "cell": cell,
            "title": plan.ground.title,
            "width": shown.size[0],
            "height": shown.size[1],
            "pixels": pixels,
            "kinds": {layer: desk.kinds(layer) for layer in layers},
            "near": cutouts.steps(plan, box),
            "cells": _cells_plain(shown, scale, waiting),
            "waiting": len(waiting),
            "only": wanted if only else "",
            "waiting_here": len(waiting.intersection(keys)),
        }


def _fullest(desk: Desk, cells: set[str], across: float, down: float, near: str) -> str:
    """The middle of the stretch with most of ``cells``, on the first picture that shows any."""
    for plan in desk.plans:
        found = cutouts.fullest(plan, sorted(cells), across, down, near)
        if found:
            return found
    return near or desk.plans[0].cells.names[0]


def _cells_plain(shown: Shown, scale: float, waiting: set[Key]) -> list[dict[str, Any]]:
    assert shown.plan is not None
    left, top, *_ = shown.box
    found = []
    for each in shown.cells:
        plain = cell_plain(each)
        plain["points"] = [
            [round((x - left) * scale, 1), round((y - top) * scale, 1)]
            for x, y in cutouts.shape(shown.plan, each.key.cell)
        ]
        plain["waits"] = each.key in waiting
        found.append(plain)
    return found


def area_picture(studio: Studio, body: Mapping[str, Any]) -> Bytes:
    """The picture of such a stretch."""
    desk = desk_of(studio)
    with desk.lock:
        shown = desk.shown(body.get("area"))
    if shown.plan is None:
        raise UmpireError("this is no stretch of the map")
    return Bytes(PNG, cutouts.png(cutouts.cut(shown.plan, shown.box, shown.size)))


CALLS = (
    Call("GET", "/api/suggest", overview),
    Call("POST", "/api/suggest/run", run),
    Call("GET", "/api/suggest/sheet", sheet),
    Call("GET", "/api/suggest/sprites/{sheet}", sprites),
    Call("GET", "/api/suggest/cutout", one),
    Call("GET", "/api/suggest/area", area),
    Call("GET", "/api/suggest/area/{area}", area_picture),
    Call("POST", "/api/suggest/look", look, writes=True),
    Call("POST", "/api/suggest/accept", accept, writes=True),
)
