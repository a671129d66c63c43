"""Who rides in a vehicle, or may."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from ....model.fact import Fact, Value
from ....model.unit import Unit
from ...concepts.sides import is_friend
from .allowance import Riders
from .unit_actions import NO, UnitActions


def riders_of(vehicle: Unit, unit_actions: UnitActions, aboard: Callable[[str], Fact]) -> Riders:
    """The units that ride in ``vehicle`` during its actions, or may. ``aboard``: a function unit → the value
    of that attribute in the situation that is judged.

    A unit of which this is not known may ride only if it is off the map, or in a hex from which the vehicle
    went on. One of no known side may be an enemy, who does not ride with it."""
    unit_history, start, end = unit_actions.unit_history, unit_actions.start, unit_actions.span[1]
    stops = {leg.origin for leg in unit_actions.legs}
    found: list[tuple[Unit, bool]] = []
    for name, unit in unit_history.game.units.items():
        friend = is_friend(unit_history.game, vehicle.side, unit.side)
        if unit.kind != "unit" or name == vehicle.id or friend is False:
            continue
        facts = [aboard(name), *(f for _, f in unit_history.series(name, "aboard", start, end))]
        answers = {answer for fact in facts for answer in _ride(fact, unit, vehicle, unit_actions)}
        places = (unit_history.place(name, start), *unit_history.targets(name, start, end))
        if answers == {True}:
            found.append((unit, friend is True))
        elif answers != {False} and any(p.kind != "hex" or p.name in stops for p in places):
            found.append((unit, False))
    return tuple(found)


def _ride(
    aboard: Fact, unit: Unit, vehicle: Unit, unit_actions: UnitActions
) -> Iterator[bool | None]:
    """Whether ``unit`` rides in ``vehicle``, for each value that ``aboard`` may have; None: not known."""
    options: tuple[Value | None, ...] = aboard.options or (None,)
    for told in options:
        if told is None or told == NO:
            yield None if told is None else False
            continue
        found = unit_actions.unit_history.vehicle(told, unit.id, unit_actions.start)
        yield None if found is None else found == vehicle.id
