"""What terrain costs in ocs (6.1, 6.2), as one player reads it."""

from __future__ import annotations

from collections.abc import Iterator

from vassal_umpire.model.board import Board, edge

from .kit import (
    Fraction,
)
from .ocs_tables import BRIDGE, BRIDGED, HEXES, ONE, ROADS, SIDES


class TerrainCosts:
    """The costs of terrain for one mobility class, as one player believes it to be."""

    def __init__(self, board: Board, column: int, bridging: bool, forgotten: str) -> None:
        self.board, self.column, self.bridging, self.forgotten = board, column, bridging, forgotten
        self.known: dict[tuple[str, str], list[tuple[Fraction, bool]]] = {}
        self.roads_in: dict[str, set[str]] = {}
        for line in board.lines:
            for name in line.hexes:
                self.roads_in.setdefault(name, set()).add(line.kind)

    def hex_cost(self, name: str) -> Fraction | None:
        """6.2d: the dearest terrain in the hex, nubs too, but not those of a city."""
        costs: list[int | None] = []
        for terrain in self.board.hexes[name].terrain or ():
            whole = terrain.removesuffix(" nub")
            if whole == terrain or (whole != "city" and self.forgotten != "OCS-6.2d-b"):
                costs.append(HEXES[whole][self.column])
        if None in costs:
            if self.forgotten == "OCS-6.2c-a":
                return ONE
            if self.forgotten != "OCS-6.2d-a" or all(cost is None for cost in costs):
                return None
        pick = min if self.forgotten == "OCS-6.2d-a" else max
        cost = pick(cost for cost in costs if cost is not None)
        if self.forgotten == "OCS-6.1a-a" and len(costs) == 1:
            return min(ONE, Fraction(cost))  # every hex the same
        return Fraction(cost)

    def side_cost(self, a: str, b: str) -> Fraction | None:
        """6.2b, 6.2d: what lies on a hexside; along a shore water does not count, but for rivers."""
        features = self.board.sides.get(edge(a, b), ())
        total = Fraction(SIDES["stream"][self.column] or 0) if "stream" in features else Fraction(0)
        shore = "land" in features
        waters: list[int | None] = []
        if "river" in features and not (shore and self.forgotten == "OCS-6.2d-w3"):
            options = [SIDES["river"][self.column]]
            options += [BRIDGED["river"][self.column]] if self.bridging else []
            waters.append(options[-1])
        if "lake" in features and not shore:
            waters.append(SIDES["lake"][self.column])
        if waters:
            passable = [water for water in waters if water is not None]
            if not passable and self.forgotten != "OCS-6.2c-a":
                return None
            total += min(passable, default=1)
        return Fraction(0) if self.forgotten == "OCS-6.2b-a" else total

    def across(self, a: str, b: str) -> list[tuple[Fraction, bool]]:
        """Every way from a hex to its neighbour: (cost, whether by road or bridge)."""
        found = self.known.get((a, b))
        if found is None:
            found = self.known[a, b] = list(self._across(a, b))
        return found

    def _across(self, a: str, b: str) -> Iterator[tuple[Fraction, bool]]:
        lines = {line.kind for line in self.board.lines_by_edge.get(edge(a, b), ())}
        if self.forgotten == "OCS-6.2a-a":
            lines |= self.roads_in.get(a, set()) & self.roads_in.get(b, set())
        for kind in lines:
            yield (
                (Fraction(0) if self.forgotten == "OCS-6.2a-b" else ROADS[kind][self.column]),
                True,
            )
        there, back, side = self.hex_cost(b), self.hex_cost(a), self.side_cost(a, b)
        if self.forgotten == "OCS-6.1d-a":
            back = ONE
        if there is None or back is None:
            return
        if side is not None:
            yield there + side, False
        features = self.board.sides.get(edge(a, b), ())
        if "bridge" in features and self.forgotten != "OCS-6.2b-a":
            stream = SIDES["stream"][self.column] if "stream" in features else 0
            cost = sum(BRIDGE[name][self.column] for name in ("river", "lake") if name in features)
            yield there + (stream or 0) + cost, True
