"""Which cells each sheet of cut-outs shows, those to look at first at the beginning; among them where a line
of the board stops short."""

from __future__ import annotations

import random
from collections import deque
from collections.abc import Iterable, Mapping
from typing import Any

from ...model.board import Edge, edge
from ...model.problem import UmpireError
from ...model.provenance import KNOWN, Key, Layer
from ...model.vouching import NOTHING, cell_of
from ..looking import cutouts
from ..looking.blind import MANY
from ..looking.line_ends import led_to, stops_short
from ..looking.pack_board import SIDE_LAYERS
from ..looking.proposals import Proposal
from ..suggest.confidence import Confidence
from .session import Studio
from .suggest_cells import Cell, cell_plain, layer_of, who_in
from .suggest_desk import Desk, desk_of

MOST_ON_SHEET = 200
"""Cut-outs on one screen."""
MOST_EMPTY = 400
"""Cut-outs on a screen where all that is asked is whether they are empty."""
WEAK = 40
"""So many of the sixty examples that are asked for again are cells of which the suggestions know least."""


def sheet(studio: Studio, body: Mapping[str, Any]) -> Any:
    """A sheet to look at: ``what`` is kind, nothing, ends, offer, blind or double."""
    studio.read_up()
    desk, what, layer = desk_of(studio), str(body.get("what", "")), layer_of(body.get("layer"))
    with desk.lock:
        every = _cells(studio, desk, what, layer, str(body.get("kind", "")))
        lying = set(cutouts.known_cells(desk.plans, (cell.key for cell in every)))
        every = [cell for cell in every if cell.key in lying]
        most = MOST_EMPTY if what == "nothing" else MOST_ON_SHEET
        names = list(dict.fromkeys(cell.key.cell for cell in every))
        on_sheet = set(names[:most])
        shown = desk.show(what, layer, [cell for cell in every if cell.key.cell in on_sheet])
        blind = what in ("blind", "double")
        besides = {name: _besides(desk, name) for name in on_sheet} if what == "nothing" else {}
        kinds_of = {
            each: desk.kinds(each) for each in (SIDE_LAYERS if what == "nothing" else (layer,))
        }
        return {
            "id": shown.id,
            "what": what,
            "layer": layer,
            "all": len(names),
            "columns": cutouts.COLUMNS,
            "kinds": list(dict.fromkeys(kind for kinds in kinds_of.values() for kind in kinds)),
            "kinds_of": kinds_of,
            "besides": besides,
            "cells": [cell_plain(cell, blind=blind) for cell in shown.cells],
        }


def _cells(studio: Studio, desk: Desk, what: str, layer: Layer, kind: str) -> list[Cell]:
    if what == "kind":
        return sorted((cell for cell in desk.unseen(layer) if cell.value == kind), key=_urgent)
    if what == "nothing":
        return empty_sides(desk)
    if what == "ends":
        return line_ends(desk, kind)
    if what == "offer":
        return [Cell(key, None) for key in offered(desk, layer)]
    if what == "blind":
        sure = [p for p in desk.open_proposals(layer) if p.confidence is Confidence.SURE]
        drawn = random.SystemRandom().sample(sure, min(MANY, len(sure)))
        return [Cell(one.key, one.value) for one in drawn]
    if what == "double":
        found = desk.to_double(who_in(studio))
        return sorted(found, key=lambda c: (-c.rested, -c.could, c.key.cell))
    raise UmpireError(f"there is no sheet {what!r}")


def _urgent(cell: Cell) -> tuple[object, ...]:
    return -cell.rested, -cell.could, -cell.asked, cell.chance or 0.0, cell.key.cell


def empty_sides(desk: Desk) -> list[Cell]:
    """Hexsides that findings rest on or open moves wait for, and of which nothing is said but that they are
    empty: in each layer of which nobody has looked. The least certain come first. Those that were left out of
    a sheet come back only when nothing else is left."""
    found = []
    for name in desk.touched_sides():
        for layer in SIDE_LAYERS:
            cell = desk.as_it_stands(Key(name, layer))
            if not cell.open and cell.status not in KNOWN and cell.value in (None, NOTHING):
                found.append(cell)
    found = [cell for cell in found if cell.key not in desk.checks.passed] or found
    least = {cell.key.cell: 1.0 for cell in found}
    for cell in found:
        least[cell.key.cell] = min(least[cell.key.cell], cell.chance or 0.0)
    return sorted(found, key=lambda c: (least[c.key.cell], c.key))


def _besides(desk: Desk, name: str) -> str:
    """What is said to be on a hexside and across it, known or suggested."""
    values = (desk.as_it_stands(Key(name, layer)).value for layer in SIDE_LAYERS)
    return ", ".join(value.replace("+", ", ") for value in values if value not in (None, NOTHING))


def offered(desk: Desk, layer: Layer) -> list[Key]:
    """Cells to be named as examples: once there are suggestions first those of which they know least, of each
    kind in turn, then cells that differ as much as any."""
    weak = [one for one in desk.open_proposals(layer) if one.confidence is not Confidence.SURE]
    first = [one.key for one in _in_turn(weak)][:WEAK]
    return list(dict.fromkeys([*first, *desk.offered(layer)]))[:MANY]


def _in_turn(weak: Iterable[Proposal]) -> list[Proposal]:
    """The suggestions of each kind in turn, the least likely of each first."""
    kinds: dict[str, deque[Proposal]] = {}
    for one in sorted(weak, key=lambda p: (p.chance, p.key)):
        kinds.setdefault(one.value, deque()).append(one)
    found = []
    while kinds:
        for kind in list(kinds):
            found.append(kinds[kind].popleft())
            if not kinds[kind]:
                del kinds[kind]
    return found


def line_ends(desk: Desk, kind: str) -> list[Cell]:
    """The hexsides across which a line of a kind may go on, as they stand. Those that somebody has looked at
    are left out."""
    board, on = desk.base.bare, _sides(desk, "lines")
    steps = frozenset(side for side, names in on.items() if kind in names.split("+"))
    on_line = frozenset(name for step in steps for name in step)
    around = {name: tuple(board.neighbours(name)) for name in on_line}
    drawn = desk.pack_board.drawn.hexes
    goals = led_to(_terrain(desk), on_line) | {n for n in on_line if drawn[n].features}
    crossings = led_to(_sides(desk, "hexsides"), steps)
    sides = stops_short(around, steps, goals, crossings)
    cells = (desk.as_it_stands(Key(cell_of(edge(*side)), "lines")) for side in sides)
    return [cell for cell in cells if not cell.open and cell.status not in KNOWN]


def _terrain(desk: Desk) -> dict[str, str]:
    """The terrain of every hex of which one is drawn or suggested."""
    found = {key.cell: one.value for key, one in desk.found.items() if key.layer == "terrain"}
    drawn = {name: desk.pack_board.drawn_terrain(name) for name in desk.pack_board.drawn.hexes}
    return found | {name: terrain for name, terrain in drawn.items() if terrain is not None}


def _sides(desk: Desk, layer: Layer) -> dict[Edge, str]:
    """The hexsides on which something is drawn or suggested in a layer, and what, joined by ``+``."""
    pack_board = desk.pack_board
    found = {
        pack_board.edge(one.key.cell): one.value
        for one in desk.open_proposals(layer)
        if one.value != NOTHING
    }
    if layer == "lines":
        drawn = {s: [line.kind for line in on] for s, on in pack_board.drawn.lines_by_edge.items()}
    else:
        drawn = {side: list(names) for side, names in pack_board.drawn.sides.items()}
    return found | {side: "+".join(sorted(set(names))) for side, names in drawn.items() if names}
