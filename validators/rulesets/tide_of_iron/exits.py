"""Getting out of a vehicle while the phase goes on: where there is no room, and before the vehicle has
finished."""

from __future__ import annotations

from collections.abc import Iterator

from ...engine.clauses import check
from ...engine.phases import Broken, UnitInPhase
from ...engine.riding import NO
from .readings import activated_again, may_be_refreshed
from .transport import judged, named


def exits(unit: UnitInPhase) -> Iterator[tuple[str, int]]:
    """The vehicles that a unit certainly left in the phase, where both were in one hex, and the events by
    which it did."""
    history = unit.history
    for before, at, now in unit.acts.did.changes("aboard") if judged(unit) else ():
        if not now.must_be(NO) or not before.is_known or before.must_be(NO):
            continue
        vehicle = history.vehicle(before.value or NO, unit.unit.id, at)
        here = history.place(unit.unit.id, at)
        if vehicle is None or here is None or here.kind != "hex":
            continue
        if history.place(vehicle, at) == here:
            yield vehicle, at


@check("SB-8b")
def out_into_a_full_hex(unit: UnitInPhase) -> Broken | None:
    """A squad does not get out where the hex would then hold too much, whatever leaves it afterwards. Of a
    hex that holds too much when the phase ends, that is said."""
    history, game = unit.history, unit.rules.game
    for _, at in exits(unit):
        here = history.place(unit.unit.id, at)
        there = [
            other.id
            for other in game.units.values()
            if other.kind == "unit"
            and other.side == unit.unit.side
            and history.place(other.id, at) == here
            and (other.id == unit.unit.id or stands(unit.of(other), at))
        ]
        stay = [name for name in there if history.place(name, unit.phase.end) == here]
        if here is None or len(stay) == len(there):
            continue
        held = unit.too_many(there, here.name, at + 1, at + 2)
        if held and not unit.surely_too_many(stay, here.name, unit.phase.end - 1):
            text = f"gets out in {here.name}, which then holds {held}"
            return Broken(text, (unit.unit.id,), (at,), others=tuple(there))
    return None


def stands(unit: UnitInPhase, at: int) -> bool:
    """Whether a unit certainly was on foot in the hex of an event, or in it as a vehicle: others saw it come
    before, and leave only afterwards."""
    history, side = unit.history, unit.unit.side
    drags = history.in_phase(unit.unit.id, at)
    before, after = [d for d in drags if d < at], [d for d in drags if d > at]
    came = not before or history.in_turn((before[-1], at), side)
    left = not after or history.in_turn((at, after[0]), side)
    return came and left and not history.lost_soon(unit.unit, at)


@check("X-AP-b")
def goes_on_without_its_rider(unit: UnitInPhase) -> Broken | None:
    """A unit finishes before the next is activated: a vehicle that brought a squad along does not go on once
    that squad has got out, for it was active then."""
    history, did = unit.history, unit.acts.did
    drags = [leg.at for leg in did.legs if leg.carried is False]
    for other in history.changing("aboard") if len(drags) > 1 and judged(unit) else ():
        for vehicle, at in exits(unit.of(other)):
            before, after = [d for d in drags if d < at], [d for d in drags if d > at]
            if vehicle != unit.unit.id or not before or not after:
                continue
            if not brought(unit.of(other), before[-1], vehicle):
                continue
            if not history.in_turn((before[-1], at, after[0]), unit.unit.side):
                continue
            if put_back(unit, before, after[0]) or came_back(unit.of(other), at, after[0]):
                continue
            if may_be_refreshed(did, before[0], after[0]) and unit.told(
                "activated again", activated_again(unit.unit), unit.unit
            ):
                continue
            start, name = history.drag(after[0]).origin, named(unit, other)
            text = f"moved on from {start.name} after {name} had got out of it there"
            events = (before[-1], at, after[0])
            return Broken(text, (unit.unit.id,), events, others=(other.id,))
    return None


def brought(rider: UnitInPhase, index: int, vehicle: str) -> bool:
    """Whether a unit certainly was aboard a vehicle that was dragged."""
    said = rider.history.value(rider.unit.id, "aboard", index)
    if not said.is_known or said.must_be(NO):
        return False
    return rider.history.vehicle(said.value or NO, rider.unit.id, index) == vehicle


def put_back(unit: UnitInPhase, before: list[int], index: int) -> bool:
    """Whether a drag may only have put the vehicle back where it had been, or off the map."""
    drag, been = unit.history.drag(index), [unit.history.drag(d).origin for d in before]
    hit = unit.at(index).possibly("damage", "heavy")
    return drag.target.kind != "hex" or drag.target in been or hit


def came_back(rider: UnitInPhase, at: int, index: int) -> bool:
    """Whether a unit that got out was aboard again, or lost, before the vehicle went on."""
    history = rider.history
    again = history.changes(rider.unit.id, "aboard", at + 1, index)
    return bool(again) or history.lost_soon(rider.unit, index)
