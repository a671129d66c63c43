"""The terrain of a board of wacht-am-rhein as a walker sees it, and where he stands in it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from vassal_umpire.model.board import Board, edge

from .kit import Fraction

COVER = {"town", "city", "woods", "forest"}
WOODS = {"woods", "forest"}
FORTS = {"fortification", "west-wall"}
RIVERS = {"minor-river", "major-river"}
RESERVES = ("maneuver-reserve", "combat-reserve", "reserve")
RECON = ("recon", "hybrid-recon", "m5", "m8", "daimler", "humber")
ZERO, ONE, HALF = Fraction(0), Fraction(1), Fraction(1, 2)
TWO, FOUR = Fraction(2), Fraction(4)
ANY = -1
"""The lines by which a unit may leave a hex that it began in: all of them."""


@cache
def number(cell: str) -> Fraction:
    return Fraction(cell.removeprefix("+"))


class TerrainMap:
    """What a board says, hex by hex and hexside by hexside."""

    def __init__(self, board: Board) -> None:
        self.around = {name: tuple(board.neighbours(name)) for name in board.hexes}
        self.terrain = {name: tuple(here.terrain or ()) for name, here in board.hexes.items()}
        self.features = {name: set(here.features) for name, here in board.hexes.items()}
        self.at = {name: here.at for name, here in board.hexes.items()}
        self.sides = {pair: set(features) for pair, features in board.sides.items()}
        self.roads_in: dict[str, list[int]] = {}
        self.roads_over: dict[tuple[str, str], list[int]] = {}
        self.dashes: dict[str, list[tuple[str, str]]] = {}
        self.lines = board.lines
        for number, line in enumerate(board.lines):
            if line.kind == "dashed":
                before, middle, after = line.hexes
                self.dashes.setdefault(middle, []).append((before, after))
                continue
            for name in line.hexes:
                self.roads_in.setdefault(name, []).append(number)
            for pair in line.edges():
                self.roads_over.setdefault(pair, []).append(number)

    def side(self, a: str, b: str) -> set[str]:
        return self.sides.get(edge(a, b), set())

    def roads(self, a: str, b: str) -> list[int]:
        return self.roads_over.get(edge(a, b), [])

    def covering(self, name: str) -> bool:
        return bool(COVER & set(self.terrain[name]) or FORTS & self.features[name])

    def constricted(self, name: str) -> bool:
        return "constricted" in self.features[name]

    def lines_from(self, name: str, side: str) -> frozenset[int]:
        """The dashed lines of a hex that end on the hexside towards a neighbour."""
        lines = self.dashes.get(name, [])
        return frozenset(n for n, ends in enumerate(lines) if side in ends)

    def meet(self, name: str, one: int, other: int) -> bool:
        """Whether two roads meet in a hex."""
        if one == other:
            return True
        both = self.lines[one].junctions and self.lines[other].junctions
        return both and "no-junction" not in self.features[name]


@dataclass(frozen=True)
class At:
    """Where a unit is on its way. ``dashed``: the lines by which it may leave the hex; ``road``, ``last``:
    the road it is on, and the type of the last stretch; ``overrun``: hexes it has overrun."""

    name: str
    dashed: frozenset[int]
    fresh: bool = True
    road: int = -1
    last: str = ""
    overrun: frozenset[str] = frozenset()
    over: bool = False
    steps: int = 0
    hard: bool = False
