"""What the log shows of the path of a vehicle: the hexes where its counter was put down, and the facings with
which others saw it there."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from ....model.fact import Fact
from ....model.finding import Move
from ....model.unit import Unit
from ...ruleset import World
from .tables import Tables
from .unit_history import UnitHistory


class Sighting(NamedTuple):
    """A hex in which the counter was put down, and the facings (hexsides 0 to 5) with which it was seen
    there, in order."""

    hex: str
    facings: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Course:
    """What the log shows of a vehicle's move in one world.

    ``facing``: before the move, None if not known. ``sightings``: where it was seen, in order; the last is
    where it ends, the first may be the hex where it starts. ``shown``: the facing to which its counter was
    turned before the first drag; None if it was not turned then, or the vehicle came onto the map.
    """

    facing: int | None
    sightings: tuple[Sighting, ...]
    shown: int | None = None


def heading(fact: Fact, tables: Tables) -> int | None:
    """The hexside (0 to 5) that a counter faces; None if not known."""
    return tables.facings.get(str(fact.value)) if fact.is_known else None


def facings_known(unit: Unit, move: Move, unit_history: UnitHistory, tables: Tables) -> bool:
    """Whether the facings of a unit at the start and at the end of the phase are known."""
    drags = unit_history.of_move(unit.id, move)
    if not drags:
        return False
    first, end = unit_history.phase(drags[0])
    facts = [unit_history.fact(unit.id, "facing", end)]
    if not unit_history.came_in(unit.id, drags[0]):  # else it may face any way
        facts.append(unit_history.fact(unit.id, "facing", first))
    return all(heading(fact, tables) is not None for fact in facts)


def course(
    unit: Unit, move: Move, unit_history: UnitHistory, tables: Tables, world: World
) -> Course:
    """What ``move`` shows of ``unit`` in one world. A facing counts if it was seen by others, or if it is the
    last. In the adverse world all stops count, in the favourable one only those that bind."""
    drags = unit_history.of_move(unit.id, move)
    first, end = unit_history.phase(drags[0])
    side = move.actor or unit.side
    before = heading(unit_history.fact(unit.id, "facing", first), tables)
    came = unit_history.came_in(unit.id, drags[0])
    if came:
        before = None
    handed = heading(unit_history.fact(unit.id, "facing", drags[0]), tables)
    later = [d for d in unit_history.in_phase(unit.id, drags[0]) if d > drags[-1]]
    start = [] if came else _seen(unit, unit_history, tables, first, drags[0], side)
    if start and start[0] == before:
        start = start[1:]
    stops: list[tuple[str, list[int]]] = []
    last = len(move.waypoints) - 1
    for index in range(1, last + 1):
        place, binds = move.waypoints[index], move.binding[index]
        if place.kind != "hex" or not (index == last or binds or world == "adverse"):
            continue
        until = drags[index] if index < last else later[0] if later else end
        facings = _seen(unit, unit_history, tables, drags[index - 1], until, side)
        if index == last and not later:
            facings = [*facings, *_at_end(unit, unit_history, tables, end)]
        _add(stops, start, move.origin.name, place.name, facings)
    sightings = [Sighting(name, tuple(_runs(facings))) for name, facings in stops]
    if start:
        sightings.insert(0, Sighting(move.origin.name, tuple(_runs(start))))
    return Course(before, tuple(sightings), handed if handed != before and not came else None)


def _add(
    stops: list[tuple[str, list[int]]], start: list[int], origin: str, name: str, facings: list[int]
) -> None:
    """Add a stop and its facings. If it is in the hex of the stop before, the facings are added to that
    one."""
    if stops and stops[-1][0] == name:
        stops[-1][1].extend(facings)
    elif not stops and name == origin:
        start.extend(facings)
    else:
        stops.append((name, facings))


def _seen(
    unit: Unit, unit_history: UnitHistory, tables: Tables, first: int, end: int, side: str | None
) -> list[int]:
    """The known facings that were seen between two events."""
    facts, _ = unit_history.seen_values(unit.id, "facing", first, end, side)
    return [f for fact in facts if (f := heading(fact, tables)) is not None]


def _at_end(unit: Unit, unit_history: UnitHistory, tables: Tables, end: int) -> list[int]:
    """The facing before the event ``end``; empty if not known."""
    facing = heading(unit_history.fact(unit.id, "facing", end), tables)
    return [] if facing is None else [facing]


def _runs(facings: list[int]) -> list[int]:
    """``facings`` without repetitions of the one before."""
    return [f for i, f in enumerate(facings) if i == 0 or facings[i - 1] != f]
