"""A check on units that enter the map: can they have reached the hex where they were first seen (6.10)?

The first hex that such a unit enters is on the edge of the map. The check only asks whether there is a path
from any hex on the edge to the hex where the unit was first seen, for the most MPs that it may have.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from heapq import heappop, heappush
from itertools import pairwise

from ....model.fact import MissingFact
from ....model.finding import Finding
from ....model.unit import Unit
from ...answers import answer
from ...concepts.sides import is_friend
from ...ruleset import Circumstances
from ...search import watch
from ...situation import Situation
from ...verdicts import left_open
from .company import may_follow, questions
from .movers import MoverFactory
from .phase_findings import accused, judged_phase
from .ruleset_facts import together
from .tables import AFV, DRIVEN, FOOT, GUN, INFANTRY, LEADERS
from .terrain_graph import VvTerrainGraph
from .unit_history import UnitHistory

SIX = 6
"""The number of neighbours of a hex that is not on the edge of the map."""


def arrivals(mover_factory: MoverFactory) -> Iterator[Finding]:
    """Findings for units that entered the map farther than they could, or into hexes that are closed to
    them."""
    unit_history = mover_factory.unit_history
    for first, end in unit_history.phases():
        over = unit_history.timeline.is_over(unit_history.timeline.step_of(first))
        name = judged_phase(unit_history, first) or ""
        if mover_factory.tables.phases.get(name) != "movement" or not _is_movement_alone(
            mover_factory, name
        ):
            continue
        for unit in mover_factory.game.units.values():
            drags = unit_history.in_phase(unit.id, first) if unit.kind == "unit" else []
            came = (
                bool(drags)
                and unit_history.drag(drags[0]).origin.name in mover_factory.tables.entry
            )
            if came and unit.side is not None:
                now = mover_factory.before(drags[0], drags[-1])
                yield from _arrived(now, unit, drags, end if over else None)


def _is_movement_alone(mover_factory: MoverFactory, phase: str) -> bool:
    """Whether all movement forms of a phase are judged by these rules."""
    forms = mover_factory.game.forms
    return all(
        name in forms and forms[name].judged for name in mover_factory.game.phases[phase].forms
    )


def _arrived(
    mover_factory: MoverFactory, unit: Unit, drags: list[int], end: int | None
) -> Iterator[Finding]:
    """The finding about the hex where a unit was first seen on the map, if any. ``drags``: its drags in the
    phase; ``end``: the event with which the phase is over, None if the logs end before."""
    unit_history, tables = mover_factory.unit_history, mover_factory.tables
    seen = _first_seen(unit, drags, end, unit_history)
    if seen is None or unit_history.drag(seen).target.kind != "hex":
        return
    if any(
        unit_history.carrier(unit.id, at) != ""
        for at in (*drags, seen + 1, *([end] if end else []))
    ):
        return  # it was carried, or may have been
    name, fact = unit_history.drag(seen).target.name, unit_history.fact(unit.id, "class", drags[0])
    column = INFANTRY if fact.value in FOOT else str(fact.value)
    if column not in (INFANTRY, GUN, *DRIVEN):
        return
    terrain_graph = mover_factory.terrain_graph(column, "VV-6.32-b" if column == GUN else "", True)
    held = _held(mover_factory, unit, drags[0], seen) if column != AFV else frozenset[str]()
    closed = terrain_graph.entering(mover_factory.game.board.hexes[name])
    if closed.cost.barred is True:
        text = f"came onto the map and {closed.text.replace('enters', 'entered', 1)}, in {name}"
        yield accused(unit_history, closed.bar_clause, (unit.id,), drags[:1], text)
    elif name in held and tables.applies("6.8-a"):
        text = f"came onto the map into {name}, where enemies were"
        yield accused(unit_history, "VV-6.8-a", (unit.id,), drags[:1], text)
    elif tables.applies("6.10-a"):
        most = _most(mover_factory, unit, drags[0], column)
        if most is not None and not _reaches(terrain_graph, name, most * tables.scale, held):
            text = f"came onto the map to {name}, which no way from its edge reaches for {most} MP"
            if column == GUN:
                text = f"came onto the map to {name}, which is not on its edge"
            found = accused(unit_history, "VV-6.10-a", (unit.id,), drags[:1], text)
            following = _following(mover_factory, unit, drags[0]) if column == INFANTRY else []
            led = tables.rates["led"] * tables.scale
            if not following or not _reaches(terrain_graph, name, Fraction(led), held):
                yield found
            elif all(following):
                yield left_open(found, *(asked for each in following for asked in each))


def _following(mover_factory: MoverFactory, unit: Unit, index: int) -> list[Sequence[MissingFact]]:
    """The possible leaders that may still follow a squad which entered the map in the phase of event
    ``index``: for each the facts that decide whether it does, none if it does."""
    game, unit_history = mover_factory.game, mover_factory.unit_history
    if str(unit_history.fact(unit.id, "class", index).value) in LEADERS:
        return []
    leaders = (
        (other, answer(game, together(unit, other)))
        for other in unit_history.may_be(LEADERS)
        if other.id != unit.id
        and is_friend(game, unit.side, other.side) is not False
        and may_follow(unit, other, index, unit_history)
    )
    return [
        questions(unit, other, said, index, unit_history)
        for other, said in leaders
        if said is not False
    ]


def _first_seen(
    unit: Unit, drags: list[int], end: int | None, unit_history: UnitHistory
) -> int | None:
    """The drag that brought a unit to the first hex in which others saw it, else to the hex where it was at
    the end of the phase. None if the logs end before."""
    for before, after in pairwise(drags):
        if unit_history.seen(before, after, unit.side):
            return before
    return drags[-1] if end is not None else None


def _held(mover_factory: MoverFactory, unit: Unit, first: int, last: int) -> frozenset[str]:
    """The hexes that certainly held enemies all the time between two events, hidden units left out."""
    timeline = mover_factory.unit_history.timeline
    situation = Situation(mover_factory.game, timeline)
    situation.advance_before(timeline.step_of(first))
    span = situation.over(timeline.step_of(last))
    zones = mover_factory.zones(Circumstances(span, (unit.id,)), unit.side)
    near = mover_factory.game.board.hexes if zones.others is None else zones.others
    return frozenset(name for name in near if zones.at(name).enemy is True)


def _most(mover_factory: MoverFactory, unit: Unit, index: int, column: str) -> Fraction | None:
    """The most MPs that a unit may have (for a gun: hexes); None if there is no known limit."""
    unit_history, rates = mover_factory.unit_history, mover_factory.tables.rates
    if column in DRIVEN:
        return unit_history.fact(unit.id, "mp", index).high
    if column == GUN:
        printed = unit_history.fact(unit.id, "mp", index).high
        return Fraction(1) if printed is not None and printed <= 1 else None
    cls = str(unit_history.fact(unit.id, "class", index).value)
    alone = Fraction(rates["leader" if cls in LEADERS else cls])
    first, _ = unit_history.phase(index)
    led = any(
        other.id != unit.id
        and unit_history.in_phase(other.id, first)
        and is_friend(mover_factory.game, unit.side, other.side) is not False
        for other in unit_history.may_be(LEADERS)
    )
    return max(alone, Fraction(rates["led"])) if led else alone


def _reaches(
    terrain_graph: VvTerrainGraph, target: str, most: Fraction, held: frozenset[str]
) -> bool:
    """Whether some path from the edge of the map may reach ``target`` for at most ``most`` (1/scale MP), with
    everything that is not known in the unit's favour. A hex on the edge may always be entered (6.6).
    ``held``: hexes that may not be entered."""
    board = terrain_graph.board
    queue: list[tuple[int, str]] = []
    best: dict[str, int] = {}
    watch(board.hexes)  # the result depends on the whole edge
    for name in board.hexes:
        if len(board.neighbours(name)) < SIX and name not in held:
            cost = terrain_graph.into(name)
            if cost.barred is not True:
                if name == target:
                    return True
                heappush(queue, (cost.lo, name))
    while queue:
        spent, here = heappop(queue)
        if spent > most or best.get(here, spent + 1) <= spent:
            continue
        if here == target:
            return True
        best[here] = spent
        for entry in terrain_graph.entries(here):
            takes_all = (
                entry.cost.whole is True and spent > 0
            )  # it cannot follow another hex (10.7)
            if entry.cost.barred is not True and not takes_all and entry.to not in held:
                heappush(queue, (spent + entry.cost.lo, entry.to))
    return False
