"""The table ``entering``: what units pay for coming onto the map, and whether they may move on there."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from ....model.bill import Amount
from ....model.fact import Fact, either
from ....model.game import Displacement, StateChange
from ...concepts.charts import Costs, class_cost, road_cost
from ...cost_interval import FREE, CostInterval, total, union, union_all
from ...engine.arrivals import Newcomer
from ...engine.clauses import forbid_move
from ...engine.enemies import EnemyZones
from ...engine.mover_view import MoverView
from ...ruleset import Circumstances
from ...situation import Situation
from . import enemy_hex, zoc
from .steps import StepRule
from .terms import MOVE_ON, OFF_ROAD, Reading, RulesOfTables, rules_of
from .terrain import entering as of_terrain

CLAUSE = "GEN-ENTERING"
_WORDS: Mapping[str, Literal["entered", "terrain"]] = {
    "as entered": "entered",
    "terrain": "terrain",
}


@dataclass(frozen=True, slots=True)
class Entering:
    """What a unit pays for coming onto the map.

    ``hex``: what it pays for the hex it comes to: ``terrain`` is its terrain cost; ``entered`` is its terrain
    cost or less along a road; None: only ``cost``, by class.
    """

    hex: Literal["entered", "terrain"] | None
    cost: Costs | None = None


def read(reading: Reading) -> Entering | None:
    """The table; None: the cost of coming onto the map is not known."""
    if CLAUSE in reading.off:
        return Entering(None, reading.costs(0, CLAUSE))
    spent = reading.plain.get("entering", {}).get("spent", "unknown")
    if spent == "unknown":
        return None
    word = _WORDS.get(spent) if isinstance(spent, str) else None
    return Entering(word, None if word else reading.costs(spent, CLAUSE, CLAUSE))


class Arrived:
    """A unit that came onto the map in ``name``; ``zones``: the enemies just before it did."""

    def __init__(self, rules: RulesOfTables, unit: str, came: int) -> None:
        event = rules.game.events[came]
        assert isinstance(event, Displacement)
        self.rules, self.unit, self.name = rules, rules.game.units[unit], event.target.name
        self.situation = Situation(rules.game, rules.history.timeline)
        self.situation.advance_before(rules.history.timeline.step_of(came))
        circumstances = Circumstances(self.situation, (unit,))
        self.zones = EnemyZones(circumstances, rules, self.unit.side)

    def may_have_to_stop(self) -> bool:
        """Whether a unit that enters the hex must stop, or may have to."""
        tables = self.rules.typed
        zones = (n for n, one in enumerate(tables.zocs) if one.stop)
        return (
            any(self.zones.by_rule(n).at(self.name).zoc is not False for n in zones)
            or any(rule.stop and may_be_about(rule, self) for rule in tables.steps)
            or any(clause.kind == "stop" for clause in self.rules.own)
        )


def may_be_about(rule: StepRule, arrived: Arrived) -> bool:
    """Whether a rule about certain steps may be about a step from off the map into a hex."""
    board = arrived.rules.game.board
    return not rule.into or board.has(arrived.name, rule.into) is not False


def arrived(rules: RulesOfTables, unit: str, event: int) -> Arrived | None:
    """How a unit came onto the map in the phase, before the event with that index; None if it did not, or if
    it did anything else in the phase but move from hex to hex."""
    history, events = rules.history, rules.game.events
    if rules.typed.entering is None or event >= len(events):
        return None
    number = history.timeline.phase_number(history.timeline.step_of(event))
    came: int | None = None
    for index in range(event - 1, -1, -1):
        drag = events[index]
        if history.timeline.phase_number(history.timeline.step_of(index)) != number:
            break
        if not isinstance(drag, Displacement) or drag.unit != unit:
            continue
        if drag.target.kind != "hex" or came is not None:
            return None
        if drag.origin.kind in ("box", "nowhere"):
            came = index
        elif drag.origin.kind != "hex":
            return None
    return None if came is None else Arrived(rules, unit, came)


@forbid_move(
    CLAUSE,
    lambda mover: (
        f"moves on from {came_to(mover)}, where it came onto the map and had to stop, as is said"
    ),
)
def moves_on(mover: MoverView) -> bool:
    """A unit that had to stop where it came onto the map does not move on. Whether it had to, the rules of
    the game say."""
    found = arrival_of(mover)
    if found is None:
        return False
    topic, at = f"{MOVE_ON} {found.name}", mover.move.steps[0]
    text = (
        f"may {mover.unit.name} move on from {found.name}, where it came onto the map in this phase? "
        "Units that enter the hex must stop there, or may have to"
    )
    asked = mover.is_told(topic, at) or found.may_have_to_stop()
    return asked and not mover.told(topic, text, mover.unit, at)


def came_to(mover: MoverView) -> str:
    found = arrival_of(mover)
    return "" if found is None else found.name


def arrival_of(mover: MoverView) -> Arrived | None:
    """How the unit came onto the map in the phase of its move; None if it did not."""
    if mover.last_drag is None:
        return None
    rules = rules_of(mover)
    return arrived(rules, mover.unit.id, rules.history.timeline.first_event(mover.move.steps[0]))


# -- what it has spent -----------------------------------------------------------------------------


def entered(rules: RulesOfTables, unit: str, event: int) -> Amount | None:
    """What a unit had spent on coming onto the map, in MP (1 if hexes are counted), before the event with
    that index; None: not known."""
    tables, found = rules.typed, arrived(rules, unit, event)
    if tables.entering is None or found is None:
        return None
    if tables.allowance.hexes and tables.entering.hex is not None:
        return Amount.exactly(1)
    cost = spent(rules, found, of_classes(rules, unit, found))
    if cost.barred is not False or cost.whole is not False:
        return None
    complete = tables.complete
    if tables.entering.hex == "entered":
        if not (complete.has("steps") and complete.has("surcharges")):
            # A rule about steps that is not told may lift all charges; a surcharge only adds.
            cost = CostInterval(cost.lo if complete.has("steps") else 0, None)
        if any(clause.kind == "cost" for clause in rules.own) and not tables.allowance.hexes:
            cost = cost._replace(hi=None)
    high = None if cost.hi is None else Fraction(cost.hi, tables.scale)
    return Amount(Fraction(cost.lo, tables.scale), high)


def of_classes(rules: RulesOfTables, unit: str, found: Arrived) -> dict[str, Fact]:
    """What is told of the unit then; of its class, all that it ever was."""
    facts = rules.gathered(unit, found.situation)
    about = rules.typed.class_attribute
    if about:
        changes = (
            e.after
            for e in rules.game.events
            if isinstance(e, StateChange) and e.unit == unit and e.attribute == about
        )
        facts[about] = either((rules.game.units[unit].fact(about), *changes))
    return facts


def spent(rules: RulesOfTables, found: Arrived, facts: dict[str, Fact]) -> CostInterval:
    """What coming to the hex may cost. As a hex that is entered, surcharges, roads and rules about certain
    steps may or may not have applied: the cost covers both."""
    tables, classes = rules.typed, rules.classes(rules.class_from(facts))
    assert tables.entering is not None
    if tables.entering.hex is None:
        return class_cost(tables.entering.cost or {}, classes, tables.scale)
    board = rules.game.board
    every = board.completions(found.name, tables.complete.names("terrain", tables.terrain.costs))
    cost = union_all(of_terrain(rules, classes, one.terrain or (), one.features) for one in every)
    if tables.entering.hex == "terrain":
        return cost
    steps = [rule for rule in tables.steps if may_be_about(rule, found)]
    more = [rule.cost for rule in steps if rule.cost is not None]
    more += [surcharge.cost for surcharge in tables.surcharges]
    cost = union_all((cost, *roads_to(rules, classes, found.name)))
    cost = union(FREE, cost) if any(rule.instead_of for rule in steps) else cost
    extras = [class_cost(extra, classes, tables.scale) for extra in more]
    if tables.enemy is not None or tables.zocs:
        known = rules.as_held(facts, rules.class_from(facts))
        newcomer = Newcomer(rules, rules.class_from(facts), found.unit, known, found.zones)
        by_enemies = (*enemy_hex.clauses_of(rules), *zoc.clauses_of(rules))
        extras.append(newcomer.due(by_enemies, "", found.name, OFF_ROAD))
    return total((cost, *(union(FREE, extra) for extra in extras)))


def roads_to(rules: RulesOfTables, classes: tuple[str, ...], name: str) -> Iterator[CostInterval]:
    """What entering the hex may cost along the roads that run, or may run, through it: any of them may lead
    on beyond the map. A kind of line that the chart of roads may lack is perhaps a road."""
    tables, board = rules.typed, rules.game.board
    here = rules.lines_in(name)
    for kind, road in tables.roads.items():
        cost = road_cost(road.cost, classes, tables.scale)
        if (
            "terrain" in road.cancels
            and cost.barred is not True
            and (kind in here or not board.all_lines_known)
        ):
            yield cost._replace(barred=False)
    charted = tables.complete.has("roads") or "GEN-ROAD" in tables.off
    if not charted and not (board.all_lines_known and here <= tables.roads.keys()):
        yield CostInterval(0, None)
