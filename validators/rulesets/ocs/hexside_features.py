"""What crossing a hexside costs by its features (6.2b, 6.2d), and over a bridge."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from ....model.board import NONE, Board, Edge, Names, may_be
from ...concepts.charts import cheapest, class_cost
from ...concepts.hex_entries import CostItem, about_side
from ...cost_interval import ANYTHING, FREE, CostInterval, total, union
from .tables import BRIDGE, LAND, NUB, Hexside, Tables

_PERHAPS = CostInterval(0, None, None)


@dataclass(frozen=True, eq=False)
class HexsideFeatures:
    """The cost items of the hexsides of a board for a mover of one of ``classes``. ``bridging``: whether
    engineers bridge rivers for it (6.2b-c); None: not known. ``scale``: parts of an MP. ``who``: the mover in
    words."""

    board: Board
    tables: Tables
    classes: tuple[str, ...]
    bridging: bool | None
    scale: int
    who: str
    _cached: dict[object, tuple[CostItem, ...]] = field(default_factory=dict)
    """By the features of a hexside: few of the many hexsides differ."""

    def cost_items(self, side: Edge) -> tuple[CostItem, ...]:
        """The cost items of the features of a hexside (6.2b, 6.2d)."""
        if not self.board.sides_known(side):  # each names its hexside
            return tuple(self._cost_items_across(side))
        features = self.board.sides.get(side, ())
        found = self._cached.get(features)
        if found is None:
            found = self._cached[features] = tuple(self._cost_items_across(side))
        return found

    def _cost_items_across(self, side: Edge) -> Iterator[CostItem]:
        """As :meth:`cost_items`, not cached. Of several water features the cheapest counts, and of water
        beside land rivers alone do (6.2d)."""
        tables, features, maybe = self.tables, self._features(side), self._maybe(side)
        charted = {name: tables.hexsides[name] for name in features if name in tables.hexsides}
        for name, feature in charted.items():
            if not feature.water:
                yield self._cost_item(name, self._own(feature), side)
        for name in features:
            if name not in charted and name not in (LAND, BRIDGE):
                yield self._cost_item(name, ANYTHING, side)
        water = {n: f for n, f in charted.items() if f.water and self._counts(f, features)}
        costs = {name: self._water(feature) for name, feature in water.items()}
        if len(water) > 1 and tables.applies("6.2d-w2"):
            costs = {" or ".join(water): cheapest(costs.values())}
        others = {n: f for n, f in tables.hexsides.items() if n not in charted and may_be(n, maybe)}
        # A shore beside it, or other water, may make it count for less.
        less = may_be(LAND, maybe) or any(feature.water for feature in others.values())
        bridgeable = self.bridging is not False and any(f.river for f in water.values())
        for name, cost in costs.items():
            cost_item = self._cost_item(name, union(FREE, cost) if less else cost, side)
            if LAND in features and tables.applies(
                "6.2d-w1"
            ):  # of water on a shore rivers alone count
                cost_item = cost_item._replace(
                    clause="OCS-6.2d-w3",
                    reason=f"{name}, which fills its hexside",
                    text=f"{cost_item.text} (rivers fill their hexsides, OCS-6.2d-w3)",
                )
            yield (
                cost_item._replace(about=("bridging", *cost_item.about))
                if bridgeable
                else cost_item
            )
        if maybe != NONE:
            own = [union(FREE, self._own(feature)) for feature in others.values()]
            untyped = maybe is None and not tables.charts.has("hexsides")
            cost = total((*own, *(ANYTHING for _ in self._strange(maybe or ()))))
            cost = union(FREE, ANYTHING) if untyped else cost
            yield CostItem(cost, "OCS-6.2b-a", "hexside", about=about_side(side))

    def _strange(self, names: Iterable[str]) -> list[str]:
        """Those of ``names`` that the chart of hexsides does not have, such as a ferry or a causeway."""
        known = {LAND, BRIDGE, *self.tables.hexsides}
        return [name for name in names if name not in known]

    def _maybe(self, side: Edge) -> Names:
        """What may lie on a hexside besides its known features; None: anything. A river's nub does not count
        as a feature (6.2d-w3)."""
        maybe = self.board.maybe_on(side)
        if not maybe:
            return maybe
        if self.tables.applies("6.2d-w3"):
            return frozenset(f for f in maybe if not f.endswith(NUB))
        return frozenset(f.removesuffix(NUB) for f in maybe)

    def _features(self, side: Edge) -> tuple[str, ...]:
        """The known features of a hexside. A river's nub does not count as one (6.2d-w3)."""
        features = self.board.sides.get(side, ())
        if self.tables.applies("6.2d-w3"):
            return tuple(dict.fromkeys(f for f in features if not f.endswith(NUB)))
        return tuple(dict.fromkeys(f.removesuffix(NUB) for f in features))

    def _counts(self, feature: Hexside, features: tuple[str, ...]) -> bool:
        """Whether a water feature counts. Where part of the hexside is land, only rivers count: they fill
        their hexside (6.2d)."""
        if LAND not in features or not self.tables.applies("6.2d-w1"):
            return True
        return feature.river and self.tables.applies("6.2d-w3")

    def _own(self, feature: Hexside) -> CostInterval:
        return class_cost(feature.cost, self.classes, self.scale)

    def _water(self, feature: Hexside) -> CostInterval:
        """The cost of a water feature. A river that engineers bridge costs less (6.2b-c)."""
        own = self._own(feature)
        if not feature.river or self.bridging is False:
            return own
        lowered = class_cost(feature.bridged, self.classes, self.scale)
        if lowered == ANYTHING:
            lowered = CostInterval(
                0, None if own.barred is not False else own.hi, own.barred and None
            )
        return lowered if self.bridging else union(own, lowered)

    def _cost_item(self, name: str, cost: CostInterval, side: Edge) -> CostItem:
        known = self.board.sides_known(side)
        about = ("hexside cost", *name.split(" or ")) if known else about_side(side)
        text = f"crosses a {name}, prohibited to {self.who}"
        return CostItem(cost, "OCS-6.2b-a", name, "OCS-6.2c-a", text, about)

    def has_bridge(self, side: Edge) -> bool | None:
        """Whether there is a bridge over a hexside; None: perhaps, because not all features are known, or
        because a feature that the chart does not have (a ferry, a causeway) may serve as one."""
        features = self._features(side)
        if BRIDGE in features:
            return True
        maybe = self._maybe(side)
        if maybe is None or BRIDGE in maybe or self._strange((*features, *maybe)):
            return None
        return False

    def cost_items_by_bridge(self, side: Edge) -> Iterator[CostItem]:
        """The cost items of crossing a hexside over a bridge: as the chart has it; where the chart does not
        say, from 0 to the cost of the water."""
        features, maybe = self._features(side), self._maybe(side)
        for name in features:
            feature = self.tables.hexsides.get(name)
            if feature is not None and feature.water:
                own = self._own(feature)
                cost = class_cost(feature.bridge, self.classes, self.scale)
                if cost == ANYTHING:
                    cost = CostInterval(0, own.hi if own.barred is False else None)
                cost_item = self._cost_item(f"{name} with a bridge", cost, side)
                yield cost_item._replace(about=("bridge cost", name))
            elif name not in (LAND, BRIDGE):
                own = ANYTHING if feature is None else self._own(feature)
                yield self._cost_item(name, union(FREE, own), side)
        more = any(n not in features and may_be(n, maybe) for n in self.tables.hexsides)
        if more or (maybe != NONE and not self.has_bridge(side)):
            yield CostItem(_PERHAPS, "OCS-6.2b-a", "bridge", about=about_side(side))
