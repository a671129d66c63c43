"""The enemy in ocs, as one unit finds it (3b, 4.5, 8.1)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .kit import (
    Fraction,
    Table,
)
from .ocs_tables import SURCHARGE, UNSTACKED
from .ocs_terrain import TerrainCosts

if TYPE_CHECKING:
    from .ocs import Ocs


class Enemies:
    """The enemy as one unit finds it (3b, 4.5, 8.1)."""

    def __init__(self, table: Table, unit: str, forgotten: str, kit: Ocs, favourable: bool) -> None:
        self.table, self.unit, self.forgotten, self.kit, self.favourable = (
            table,
            unit,
            forgotten,
            kit,
            favourable,
        )
        self.side = table.side(unit)
        self.enemies = [(u, table.where[u]) for u in table.on_map(table.other(self.side))]
        self.zones: dict[str, bool] = {}

    def occupied(self, name: str) -> bool:
        return any(at == name for _, at in self.enemies)

    def near(self, name: str) -> bool:
        """X-5.S: next to an attack-capable enemy."""
        around = self.table.board.neighbours(name)
        return any(at in around and self._able(u) for u, at in self.enemies)

    def _able(self, enemy: str) -> bool:
        """Attack-capable; what DG and the modes do to that is in 5, and of a counter that is no fighting unit
        the text says nothing."""
        facts = self.table.facts[enemy]
        odd = facts["dg"] is True or facts["type"] in UNSTACKED
        odd = odd or facts["mode"] in ("move", "strat", "reserve")
        return facts["attack"] is True and not (self.favourable and odd)

    def zone(self, name: str) -> bool:
        """4.5: a zone of control over the hex, not negated by a friend."""
        if name not in self.zones:
            friends = [u for u in self.table.within(name, self.side) if u != self.unit]
            self.zones[name] = not friends and any(
                self._exerts(u, at, name) for u, at in self.enemies
            )
        return self.zones[name]

    def _exerts(self, enemy: str, at: str, name: str) -> bool:
        facts = self.table.facts[enemy]
        if at not in self.table.board.neighbours(name):
            return False
        if not (self._able(enemy) and facts["supplied"] and facts["mode"] == "combat"):
            return False
        if not self.favourable:
            return True
        steps = self.kit.terrain_costs(self.table, enemy, bridging=False).across(at, name)
        return any(not easy for _, easy in steps)

    def extra(
        self, here: str, to: str, easy: bool, overrun: bool, costs: TerrainCosts
    ) -> Fraction | None:
        """6.3b-b, 8.1: what entering a hex with enemies costs besides; None: it may not."""
        if not self.occupied(to):
            return Fraction(0)
        capable = any(at == to and self._able(u) for u, at in self.enemies)
        if not overrun:
            open_to = self.forgotten == "OCS-6.3b-b" or (self.favourable and not capable)
            return Fraction(0) if open_to else None
        if easy and self.forgotten != "OCS-X-8.1c":
            return None
        dear = costs.hex_cost(to)
        side = costs.side_cost(here, to)
        if dear is None or self.forgotten == "OCS-X-8.x":
            return Fraction(SURCHARGE[costs.column])
        most = dear if self.favourable or side is None else dear + side
        return Fraction(SURCHARGE[costs.column]) if most < 4 else None
