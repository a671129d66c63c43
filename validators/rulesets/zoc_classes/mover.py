"""One mover of a unit: a movement form with its budget, its prohibitions and its movement graphs."""

from __future__ import annotations

from dataclasses import dataclass

from ....model.unit import Unit
from ...ruleset import Breach, Budget, WeightedFact, World
from .enemy_surcharges import EnemySurcharges
from .enemy_zocs import EnemyZocs
from .movement_graph import Traits, ZcMovementGraph
from .terrain_graph import ZcTerrainGraph
from .zoc_screening import ZocScreening


@dataclass(frozen=True, slots=True, eq=False)
class ZcMover:
    """See :class:`~vassal_umpire.validators.ruleset.Mover`."""

    form: str
    budget: Budget
    barred: tuple[Breach, ...]
    perhaps_barred: tuple[WeightedFact, ...]
    terrain_graph: ZcTerrainGraph
    enemy_zocs: EnemyZocs
    surcharges: EnemySurcharges
    screening: ZocScreening
    traits: Traits
    unit: Unit
    graphs: dict[tuple[ZcTerrainGraph, World, Traits, str], ZcMovementGraph]
    """The movement graphs made so far under these circumstances; shared by all their movers."""

    def graph(self, world: World) -> ZcMovementGraph:
        """The movement graph in one world; cached."""
        key = (self.terrain_graph, world, self.traits, self.unit.id)
        found = self.graphs.get(key)
        if found is None:
            found = self.graphs[key] = ZcMovementGraph(
                self.terrain_graph,
                self.enemy_zocs,
                self.surcharges,
                self.screening,
                world,
                self.traits,
                self.unit,
            )
        return found
