"""What a unit that came onto the map in the phase has spent on it."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from ....model.bill import Amount
from ....model.fact import Fact
from ....model.game import Displacement, Game, StateChange
from ...concepts.charts import road_cost
from ...cost_interval import CostInterval, optional, total, union_all
from ...timeline import Timeline
from .entering import Entering
from .step_rules import StepRule
from .terrain_graph import TableTerrainGraph


def spent_entering(rule: Entering, terrain_graph: TableTerrainGraph, name: str) -> Amount | None:
    """What a mover has spent, in MP, that came onto the map in hex ``name``; None: not known. Its classes are
    those of ``terrain_graph``.

    With ``rule.hex`` "entered", surcharges and rules about certain steps may or may not have applied: the
    amount covers both. Where their charts are not whole, it has no upper bound, or none at all.
    """
    complete = terrain_graph.complete
    if rule.hex is None:
        cost = terrain_graph.by_class(rule.cost or {})
    else:
        cost = terrain_graph.entering(terrain_graph.board.hexes[name]).cost
        if rule.hex == "entered":
            rules = [r for r in terrain_graph.tables.steps if _may_be_about(r, terrain_graph, name)]
            costs = [r.cost for r in rules if r.cost is not None]
            costs += [s.cost for s in terrain_graph.tables.surcharges]
            cost = union_all((cost, *_roads_to(terrain_graph, name)))
            cost = optional(cost, None) if any(r.instead_of for r in rules) else cost
            cost = total(
                (cost, *(optional(terrain_graph.by_class(extra), None) for extra in costs))
            )
    if cost.barred is not False or cost.whole is not False:
        return None
    if rule.hex == "entered" and not (complete.has("steps") and complete.has("surcharges")):
        # A rule about steps that is not told may lift all charges; a surcharge only adds.
        cost = CostInterval(cost.lo if complete.has("steps") else 0, None)
    high = None if cost.hi is None else Fraction(cost.hi, terrain_graph.scale)
    return Amount(Fraction(cost.lo, terrain_graph.scale), high)


def _may_be_about(rule: StepRule, terrain_graph: TableTerrainGraph, name: str) -> bool:
    """Whether a rule about certain steps may be about a step from off the map into a hex."""
    return not rule.into or terrain_graph.board.has(name, rule.into) is not False


def _roads_to(terrain_graph: TableTerrainGraph, name: str) -> Iterator[CostInterval]:
    """What entering the hex may cost along the roads that run, or may run, through it: any of them may lead
    on beyond the map. A kind of line that the chart of roads may lack is perhaps a road."""
    here = {line.kind for line in terrain_graph.board.lines if name in line.hexes}
    for kind, road in terrain_graph.tables.roads.items():
        cost = road_cost(road.cost, terrain_graph.classes, terrain_graph.scale)
        if (
            "terrain" in road.cancels
            and cost.barred is not True
            and (kind in here or not terrain_graph.whole_lines)
        ):
            yield cost._replace(barred=False)
    charted = terrain_graph.complete.has("roads") or "GEN-ROAD" in terrain_graph.tables.off
    if not charted and not (
        terrain_graph.whole_lines and here <= terrain_graph.tables.roads.keys()
    ):
        yield CostInterval(0, None)


def came_to(game: Game, timeline: Timeline, unit: str, event: int) -> str | None:
    """The hex to which ``unit`` came from off the map, before the event with that index and in its phase.

    None if it did not come onto the map, or if it did anything else in the phase but move from hex to hex.
    """
    number = timeline.phase_number(timeline.step_of(event))
    before = [
        e
        for index, e in enumerate(game.events[:event])
        if isinstance(e, Displacement)
        and e.unit == unit
        and timeline.phase_number(timeline.step_of(index)) == number
    ]
    if not before or before[0].origin.kind not in ("box", "nowhere"):
        return None
    if any(e.origin.kind != "hex" for e in before[1:]):
        return None
    return before[0].target.hex if all(e.target.kind == "hex" for e in before) else None


def ever(game: Game, unit: str, attribute: str) -> tuple[Fact, ...]:
    """The values of an attribute of ``unit`` over the whole game: the first, then each after a change."""
    changes = (
        e.after
        for e in game.events
        if isinstance(e, StateChange) and e.unit == unit and e.attribute == attribute
    )
    return (game.units[unit].fact(attribute), *changes)
