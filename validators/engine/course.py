"""Where the log shows a unit that faces a hexside, and how it faced there when others saw it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..ruleset import World
from .event_index import FACING

if TYPE_CHECKING:
    from .mover_view import MoverFacts
    from .rules import Rules

Sighting = tuple[str, tuple[int, ...]]
"""A hex in which the counter was put down, and the facings (0 to 5) with which it was seen there, in order.
"""


def course(rules: Rules, facts: MoverFacts, world: World) -> tuple[Sighting, ...]:
    """What a move shows in one world: all stops in the adverse one, those that bind in the favourable one."""
    history, unit, move, drags = rules.history, facts.unit, facts.move, facts.drags
    first, end = history.phase(drags[0])
    side = move.actor or unit.side

    def seen(a: int, b: int) -> list[int]:
        every = (rules.heading(fact) for fact in history.seen_values(unit.id, FACING, a, b, side))
        return [facing for facing in every if facing is not None]

    came = history.came_in(unit.id, drags[0])
    start = [] if came else seen(first, drags[0])
    if start and start[0] == rules.heading(history.value(unit.id, FACING, first)):
        start = start[1:]
    later = [d for d in history.in_phase(unit.id, drags[0]) if d > drags[-1]]
    stops: list[tuple[str, list[int]]] = [(move.origin.name, start)]
    last = len(move.waypoints) - 1
    for index in range(1, last + 1):
        place, binds = move.waypoints[index], move.binding[index]
        if place.kind != "hex" or not (index == last or binds or world == "adverse"):
            continue
        facings = seen(
            drags[index - 1], drags[index] if index < last else later[0] if later else end
        )
        at_end = rules.heading(history.value(unit.id, FACING, end))
        if index == last and not later and at_end is not None:
            facings.append(at_end)
        if stops[-1][0] == place.name:
            stops[-1][1].extend(facings)
        else:
            stops.append((place.name, facings))
    return tuple(
        (name, _runs(facings))
        for name, facings in stops
        if facings or name != move.origin.name or len(stops) == 1
    )


def _runs(facings: list[int]) -> tuple[int, ...]:
    return tuple(f for i, f in enumerate(facings) if i == 0 or facings[i - 1] != f)
