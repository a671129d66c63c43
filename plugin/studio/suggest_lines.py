"""Where a line of the board stops short, by all that is said of the board, known or suggested."""

from __future__ import annotations

from ...model.board import Edge, edge
from ...model.provenance import KNOWN, Key, Layer
from ...model.vouching import NOTHING, cell_of
from ..looking.line_ends import led_to, stops_short
from .suggest_cells import Cell
from .suggest_desk import Desk


def line_ends(desk: Desk, kind: str) -> list[Cell]:
    """The hexsides across which a line of a kind may go on, as they stand. Those that somebody has looked at
    are left out."""
    board, steps = desk.base.bare, frozenset(_sides_with(desk, "lines", kind))
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


def _sides_with(desk: Desk, layer: Layer, kind: str) -> list[Edge]:
    return [side for side, names in _sides(desk, layer).items() if kind in names.split("+")]
