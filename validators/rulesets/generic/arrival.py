"""Units that came onto the map in the phase: what they have spent on it, and whether they may move on."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TYPE_CHECKING

from ....model.bill import Amount
from ....model.board import Board
from ....model.fact import Fact
from ....model.game import Displacement, Game, StateChange, StepRef
from ....model.unit import Unit
from ...answers import Question, answer
from ...concepts.charts import road_cost
from ...concepts.hex_entries import OFF_ROAD, HexEntry
from ...concepts.zones import NO_ENEMY
from ...cost_interval import FREE, CostInterval, optional, total, union_all
from ...ruleset import Breach, Situation, WeightedFact
from ...timeline import Timeline
from .entering import CLAUSE, MOVE_ON, Entering
from .step_rules import StepRule, concerned
from .terrain_graph import TableTerrainGraph

if TYPE_CHECKING:
    from .movement_graph import TableMovementGraph
    from .movers import GenericMover
    from .zones import TableZones


def spent_entering(
    rule: Entering, terrain_graph: TableTerrainGraph, name: str, enemies: CostInterval
) -> Amount | None:
    """What a mover has spent, in MP, that came onto the map in hex ``name``; None: not known. Its classes are
    those of ``terrain_graph``. ``enemies``: what it paid for enemies, if coming is entering the hex.

    With ``rule.hex`` "entered", surcharges and rules about certain steps may or may not have applied: the
    amount covers both. Where their charts are not whole, it has no upper bound, or none at all.
    """
    complete, board = terrain_graph.complete, terrain_graph.board
    if rule.hex is None:
        cost = terrain_graph.by_class(rule.cost or {})
    else:
        cost = terrain_graph.entering(board.hexes[name]).cost
        if rule.hex == "entered":
            rules = [r for r in terrain_graph.tables.steps if _may_be_about(r, board, name)]
            costs = [r.cost for r in rules if r.cost is not None]
            costs += [s.cost for s in terrain_graph.tables.surcharges]
            cost = union_all((cost, *_roads_to(terrain_graph, name)))
            cost = optional(cost, None) if any(r.instead_of for r in rules) else cost
            extras = [terrain_graph.by_class(extra) for extra in costs]
            cost = total((cost, *(optional(extra, None) for extra in (*extras, enemies))))
    if cost.barred is not False or cost.whole is not False:
        return None
    if rule.hex == "entered" and not (complete.has("steps") and complete.has("surcharges")):
        # A rule about steps that is not told may lift all charges; a surcharge only adds.
        cost = CostInterval(cost.lo if complete.has("steps") else 0, None)
    high = None if cost.hi is None else Fraction(cost.hi, terrain_graph.scale)
    return Amount(Fraction(cost.lo, terrain_graph.scale), high)


def _may_be_about(rule: StepRule, board: Board, name: str) -> bool:
    """Whether a rule about certain steps may be about a step from off the map into a hex."""
    return not rule.into or board.has(name, rule.into) is not False


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


@dataclass(frozen=True, slots=True)
class Arrival:
    """That ``unit`` came onto the map in hex ``name`` and moves on in the same phase at step ``at``.

    ``situation``: the game just before it came; ``zones``: the enemies then. ``may_stop``: it may have to
    stop there by other rules than those of the tables. Whether coming onto the map is entering the hex, the
    rules of the game say.
    """

    unit: Unit
    name: str
    at: StepRef
    situation: Situation
    zones: TableZones
    may_stop: bool = False

    def cost_of_enemies(self, mover: GenericMover) -> CostInterval:
        """What ``mover`` pays for enemies if coming onto the map is entering the hex."""
        entry = HexEntry(self.name, "", (), FREE, None, OFF_ROAD)
        return self._graph(mover).added(NO_ENEMY, self.zones.at(self.name), entry)

    def moving_on(self, mover: GenericMover) -> GenericMover:
        """``mover`` as it moves on: perhaps barred if a unit that enters the hex must stop or may have to,
        until the facts tell. What they tell holds whatever is known of the hex."""
        question = _may_move_on(self.name, self.unit, self.at)
        may = answer(self.situation.game, question)
        if may is None and self._may_have_to_stop(mover):
            asked = WeightedFact(question.unknown())
            return replace(mover, perhaps_barred=(*mover.perhaps_barred, asked))
        if may is not False:
            return mover
        text = f"moves on from {self.name}, where it came onto the map and had to stop, as is said"
        breach = Breach(mover.terrain_graph.tables.citations.of(CLAUSE), text, "")
        return replace(mover, barred=(*mover.barred, breach))

    def _may_have_to_stop(self, mover: GenericMover) -> bool:
        """Whether a unit that enters the hex must stop, or may have to."""
        board = self.situation.game.board
        rules = (rule for rule, _ in mover.terrain_graph.applied if rule.stop)
        stops = self._graph(mover).required_stops(self.zones.at(self.name)) or self.may_stop
        return stops or any(
            concerned(rule, mover.terrain_graph.classes) is not False
            for rule in rules
            if _may_be_about(rule, board, self.name)
        )

    def _graph(self, mover: GenericMover) -> TableMovementGraph:
        return replace(mover, zones=self.zones).graph("adverse")


def _may_move_on(name: str, unit: Unit, at: StepRef) -> Question:
    """The question whether a unit may move on where it came onto the map and others would have to stop."""
    text = (
        f"may {unit.name} move on from {name}, where it came onto the map in this phase? "
        "Units that enter the hex must stop there, or may have to"
    )
    return Question(f"{MOVE_ON} {name}", text, unit.id, at)


def coming(game: Game, timeline: Timeline, unit: str, event: int) -> int | None:
    """The index of the event by which ``unit`` came onto the map, before the event with that index and in its
    phase.

    None if it did not come onto the map, if it did anything else in the phase but move from hex to hex, or if
    the game has no such event.
    """
    if event >= len(game.events):
        return None
    number = timeline.phase_number(timeline.step_of(event))
    came: int | None = None
    for index in range(event - 1, -1, -1):
        drag = game.events[index]
        if timeline.phase_number(timeline.step_of(index)) != number:
            break
        if not isinstance(drag, Displacement) or drag.unit != unit:
            continue
        if drag.target.kind != "hex" or came is not None:
            return None
        if drag.origin.kind in ("box", "nowhere"):
            came = index
        elif drag.origin.kind != "hex":
            return None
    return came


def hex_of(game: Game, event: int) -> str:
    """The hex to which the event with that index dragged a unit."""
    found = game.events[event]
    assert isinstance(found, Displacement)
    return found.target.name


def ever(game: Game, unit: str, attribute: str) -> tuple[Fact, ...]:
    """The values of an attribute of ``unit`` over the whole game: the first, then each after a change."""
    changes = (
        e.after
        for e in game.events
        if isinstance(e, StateChange) and e.unit == unit and e.attribute == attribute
    )
    return (game.units[unit].fact(attribute), *changes)
