"""A stretch of the map to be looked at, and where the next one is."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...model.problem import UmpireError
from ...model.provenance import Key
from ..looking import cutouts
from .calls import Bytes
from .session import Studio
from .suggest_arguments import number_of
from .suggest_cells import Shown, cell_plain
from .suggest_desk import LAYERS, Desk, desk_of

SMALLEST_VIEW = 40.0
"""Pixels from hex to hex below which nobody vouches for a stretch of the map."""
NEXT = "next"
"""Named as a cell: the stretch with most that is asked for and not looked at."""


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
        waiting = set(desk.waiting(layers)) - _shown_in(desk, body.get("besides"))
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


def _shown_in(desk: Desk, name: object) -> set[Key]:
    return {cell.key for cell in desk.shown(name).cells} if name else set()


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
    return Bytes("image/png", cutouts.png(cutouts.cut(shown.plan, shown.box, shown.size)))
