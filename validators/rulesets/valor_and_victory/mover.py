"""The mover of this ruleset, and the data about one unit on one move from which movers are made."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from ....model.finding import Move
from ....model.unit import Unit
from ...concepts.free import FreeMovementGraph
from ...ruleset import Breach, Budget, Circumstances, MovementGraph, WeightedFact, World
from .markers import MarkerState


@dataclass(frozen=True, slots=True, eq=False)
class VvMover:
    """See :class:`~vassal_umpire.validators.ruleset.Mover`."""

    form: str
    budget: Budget
    barred: tuple[Breach, ...]
    perhaps_barred: tuple[WeightedFact, ...]
    make: Callable[[World], MovementGraph]
    graphs: dict[World, MovementGraph] = field(init=False, default_factory=dict, repr=False)

    def graph(self, world: World) -> MovementGraph:
        """The movement graph in one world. It is made once, because a route and its cost breakdown must come
        from the same graph."""
        found = self.graphs.get(world)
        if found is None:
            found = self.graphs[world] = self.make(world)
        return found


@dataclass(frozen=True, slots=True)
class UnitMove:
    """One move of one unit. ``advance``: it is an advance (5.35), not movement. ``marker_state``: its markers
    when it moved. ``alone``: judge it as if no leader had gone along."""

    unit: Unit
    move: Move
    circumstances: Circumstances
    advance: bool
    marker_state: MarkerState
    alone: bool


def passenger(circumstances: Circumstances) -> VvMover:
    """The mover of a unit that was carried: it may go through the hexes of the move for nothing."""
    move = circumstances.move
    places = move.waypoints if move is not None else ()
    shown = tuple(dict.fromkeys(place.name for place in places if place.kind == "hex"))

    def graph(world: World) -> FreeMovementGraph:
        return FreeMovementGraph(shown)

    return VvMover(circumstances.forms[0], Budget(None, ""), (), (), graph)
