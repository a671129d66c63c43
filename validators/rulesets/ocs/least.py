"""The least that any step can cost on a board: what the search for a path goes by."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction

from ....model.board import Board
from ....model.fact import Fact
from ...engine.rules import Rules
from .terms import BRIDGE, LAND, NUB


def least(rules: Rules, cls: str, known: Mapping[str, Fact]) -> Fraction:
    """The least MPs that a step costs a class: that of the cheapest terrain or road on the board; 0 if a road
    or a bridge may cost anything, or a house rule makes hexes free."""
    if not rules.applies("6.1a-a"):
        return Fraction(0)
    board = rules.game.board
    hexes, roads = terrains(rules, board), kinds_of_road(rules, board)
    if not hexes <= rules.charts["terrain"].keys() or not roads <= rules.charts["roads"].keys():
        return Fraction(0)
    cells = [rules.cell("terrain", name, cls) for name in hexes]
    closed = any(cell is None or cell.kind in ("prohibited", "unknown") for cell in cells)
    if closed and (may_be_bridged(rules, board) or not rules.applies("6.2c-a")):
        return Fraction(0)
    cells += [rules.cell("roads", name, cls) for name in roads]
    open_ = [cell for cell in cells if cell is not None and cell.kind != "prohibited"]
    return min(
        (c.amount if c.kind == "number" else Fraction(0) for c in open_), default=Fraction(0)
    )


def terrains(rules: Rules, board: Board) -> set[str]:
    """The terrains that may count in the hexes of a board; one that no chart has stands for any other."""
    hexes = board.hexes.values()
    found = {name.removesuffix(NUB) for one in hexes for name in one.terrain or ()}
    charted = rules.charts["terrain"]
    if not rules.applies("6.2d-a"):
        found.update(charted)
    if any(board.maybe_in(one.name) is None for one in hexes):
        found.update(charted if rules.complete.has("terrain") else (*charted, ""))
    return found


def kinds_of_road(rules: Rules, board: Board) -> set[str]:
    """The kinds of road that may be on a board; one that no chart has stands for any other."""
    if not rules.applies("6.2a-b"):
        return set()
    charted = rules.charts["roads"]
    if board.all_lines_known and rules.applies("6.2a-a"):
        return set(board.line_kinds)
    whole: Iterable[str] = charted if rules.complete.has("roads") else (*charted, "")
    return {*board.line_kinds, *whole}


def may_be_bridged(rules: Rules, board: Board) -> bool:
    """Whether a bridge may lie on a hexside, or what may serve as one."""
    plain = {LAND, *rules.charts["hexsides"]}
    names = {name.removesuffix(NUB) for side in board.sides.values() for name in side}
    return not board.all_sides_known or BRIDGE in names or not names <= plain
