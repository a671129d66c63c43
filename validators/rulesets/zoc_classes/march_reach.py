"""How far a forced march leads: its goal, its dearest step, and whether it may have been put back."""

from __future__ import annotations

from fractions import Fraction

from ....model.bill import Amount
from ...cost_interval import total
from ...ruleset import Circumstances
from .mover import ZcMover


def dearest_step(mover: ZcMover, circumstances: Circumstances, spent: Fraction) -> Fraction | None:
    """The most MPs that one step may cost out of any hex that the unit can have reached with ``spent`` MPs.
    None if there is no upper bound, or if the reach is not known: no starting hex, free steps, or links that
    bring hexes together. Screens are left out."""
    terrain_graph, move = mover.terrain_graph, circumstances.move
    start = None if move is None else move.origin.hex
    reach = terrain_graph.reach(Amount.exactly(spent)).most
    if start is None or reach is None:
        return None
    most = 0
    for here in terrain_graph.board.hexes:
        far = terrain_graph.board.distance(start, here)
        if far is not None and far > reach:
            continue
        for entry in terrain_graph.entries(here):
            due = total(
                t.cost
                for t in (
                    *entry.cost_items,
                    *mover.surcharges.cost_items(here, entry.to, False, False),
                )
            )
            if due.barred is not True:
                if due.hi is None:
                    return None
                most = max(most, due.hi)
    return Fraction(most, terrain_graph.scale)


def goal_of(circumstances: Circumstances) -> str:
    """The hex where the move ends; '' if there is none, or if the move was there before."""
    move = circumstances.move
    if move is None or move.target.hex is None or move.target in move.waypoints[:-1]:
        return ""
    return move.target.hex


def is_put_back(circumstances: Circumstances, reach: Fraction | None) -> bool:
    """Whether the last of several drags may have put a unit where it was lost in a forced march, within
    ``reach`` steps of where it began (None: no bound)."""
    move, board = circumstances.move, circumstances.situation.game.board
    if move is None or len(move.steps) < 2 or move.origin.hex is None or move.target.hex is None:
        return False
    far = board.distance(move.origin.hex, move.target.hex)
    return reach is None or far is None or far <= reach + 1
