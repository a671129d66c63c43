"""One unit on one move, and what the search is given of it."""

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
        """The board as it finds it in one world, made once: way and bill are asked of the same."""
        found = self.graphs.get(world)
        if found is None:
            found = self.graphs[world] = self.make(world)
        return found


@dataclass(frozen=True, slots=True)
class Job:
    """One move of one unit: ``advance``: by 5.35. ``marker_state``: what it bore when it moved. ``alone``:
    without a leader."""

    unit: Unit
    move: Move
    circumstances: Circumstances
    advance: bool
    marker_state: MarkerState
    alone: bool


def passenger(circumstances: Circumstances) -> VvMover:
    """A unit that its carrier took along."""
    move = circumstances.move
    places = move.waypoints if move is not None else ()
    shown = tuple(dict.fromkeys(place.name for place in places if place.kind == "hex"))

    def graph(world: World) -> FreeMovementGraph:
        return FreeMovementGraph(shown)

    return VvMover(circumstances.forms[0], Budget(None, ""), (), (), graph)
