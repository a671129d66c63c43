"""What entering a hex costs by its terrain: the dearest terrain in it counts, nubs included (6.1a, 6.2d)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property

from ....model.board import Board, Hex
from ...concepts.charts import terrain_cost
from ...concepts.hex_entries import CostItem, about_hex
from ...cost_interval import CostInterval, union_all
from .tables import NUB, Tables


@dataclass(frozen=True, eq=False)
class HexTerrain:
    """The cost items of the hexes of a board for a mover of one of ``classes``. ``scale``: parts of an MP.
    ``who``: the mover in words."""

    board: Board
    tables: Tables
    classes: tuple[str, ...]
    scale: int
    who: str
    _cost_items: dict[object, CostItem] = field(default_factory=dict)
    """By :func:`kind_of_hex`: few of the many hexes differ."""

    @cached_property
    def _charted(self) -> frozenset[str]:
        terrain = self.tables.terrain
        return frozenset((*terrain, *(name + NUB for name in terrain)))

    def cost_item(self, target: Hex) -> CostItem:
        """The cost of entering a hex by its terrain. If the hex is not fully known: the union over all
        terrain and features it may have."""
        if self.board.hex_known(target.name):
            return self.known_cost_item(target)
        names = self.tables.charts.names("terrain", self._charted)
        found = [self.known_cost_item(one) for one in self.board.completions(target.name, names)]
        if len(found) == 1 and self.board.maybe_in(target.name) is not None:
            return found[0]
        cost = union_all(cost_item.cost for cost_item in found)
        return found[0]._replace(cost=cost, about=about_hex(self.board, target.name))

    def known_cost_item(self, target: Hex) -> CostItem:
        """The cost item of a hex whose terrain and features are all that it holds; cached."""
        kind = kind_of_hex(target)
        found = self._cost_items.get(kind)
        if found is None:
            found = self._cost_items[kind] = self._cost_item(target)
        return found

    def _cost_item(self, target: Hex) -> CostItem:
        """The cost of the terrains and features in a hex. Where there are several, the dearest counts
        (6.2d)."""
        charts = self.tables.terrain
        terrain = None if target.terrain is None else self.counted(target.terrain)
        if terrain == ():  # nubs alone: each is all there is
            terrain = tuple(name.removesuffix(NUB) for name in target.terrain or ())
        features = tuple(f for f in self.counted(target.features) if f in charts)
        whole = self.tables.charts.has("terrain")
        mix = "dearest" if self.tables.applies("6.2d-a") else "cheapest"
        cost = union_all(
            terrain_cost(charts, c, terrain, features, self.scale, mix, whole=whole)  # type: ignore[arg-type]
            for c in self.classes
        )
        strange = [f for f in self.counted(target.features) if f not in charts and not whole]
        if strange:  # what they cost nobody has typed in yet
            cost = cost._replace(hi=None, barred=cost.barred or None)
        names = (*(terrain or ()), *features)
        what = " and ".join(names) if names else "a hex of unknown terrain"
        about: tuple[str, ...] = ("terrain cost", *self._doubtful((*names, *strange)))
        if not terrain:
            about = ("terrain", target.name)
        clause = "OCS-6.2d-a" if len(names) > 1 else "OCS-6.1a-a"
        text = f"enters {what}, prohibited to {self.who}"
        if self._rests_on_nubs(target, cost):
            clause, what = "OCS-6.2d-b", f"{what}, a nub counted"
            text += " (nubs count, OCS-6.2d-b)"
        elif len(names) > 1:
            text += " (the dearest counts, OCS-6.2d-a)"
        return CostItem(cost, clause, what, "OCS-6.2c-a", text, about)

    def counted(self, names: tuple[str, ...]) -> tuple[str, ...]:
        """Those of the terrains in a hex that count, without the suffix " nub" (6.2d). A nub counts unless
        the tables ignore it."""
        tables, found = self.tables, dict[str, None]()
        for name in names:
            whole = name.removesuffix(NUB)
            ignored = whole in tables.ignored_nubs and tables.applies("6.2d-c")
            if name == whole or (tables.applies("6.2d-b") and not ignored):
                found[whole] = None
        return tuple(found)

    def _rests_on_nubs(self, target: Hex, cost: CostInterval) -> bool:
        """Whether a hex would cost something else without its nubs (6.2d)."""
        names = (*(target.terrain or ()), *target.features)
        if not any(name.endswith(NUB) for name in names):
            return False
        terrain = tuple(n for n in target.terrain or () if not n.endswith(NUB))
        features = tuple(n for n in target.features if not n.endswith(NUB))
        return (
            self.known_cost_item(replace(target, terrain=terrain, features=features)).cost != cost
        )

    def _doubtful(self, names: tuple[str, ...]) -> Iterator[str]:
        for name in names:
            costs = self.tables.terrain.get(name)
            if costs is None or any(costs[c].kind == "unknown" for c in self.classes):
                yield name


def kind_of_hex(place: Hex) -> object:
    """Key of all that the cost of a hex depends on. The hex's name if its terrain is not known, because the
    question then names the hex."""
    return place.name if place.terrain is None else (place.terrain, place.features)
