"""Squads in vehicles: boarding and getting out, who has room, what a squad does that only rides; and getting
out while the phase goes on: where there is no room, and before the vehicle has finished.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from ....model.bill import Amount, written
from ....model.fact import UNKNOWN, Fact
from ....model.game import NOWHERE
from ....model.unit import Unit
from ...checks import names_of
from ...engine.activation import Rides, over, places
from ...engine.clauses import Broken, check
from ...engine.phases import UnitInPhase
from ...engine.riding import NO
from ...lives import DEAD, is_alive
from .conduct import not_fresh
from .readings import activated_again, is_refreshed, may_be_refreshed
from .terms import ACTIONS, ADVANCE, SQUAD, VEHICLES, spelt
from .units import reckoned


def judged(unit: UnitInPhase) -> bool:
    """Whether the phase is over: until then players may correct their counters."""
    return unit.phase.over and unit.phase_went_on


def boardings(unit: UnitInPhase) -> Iterator[tuple[int, Unit]]:
    """Each event by which the unit boarded a vehicle in which it stays, and the vehicle. Dead counters board
    nothing, and nothing boards them."""
    did, history, game = unit.acts.did, unit.history, unit.rules.game
    for before, at, now in did.changes("aboard") if judged(unit) else ():
        if now.value in (None, NO, before.value):
            continue
        vehicle = history.vehicle(now.value or NO, unit.unit.id, at)
        if vehicle is None or vehicle == unit.unit.id or vehicle not in game.units:
            continue
        then = unit.at(at)
        alive = then.alive and then.other(vehicle).alive and not unit.dies_unseen(at)
        stays = alive and is_aboard(unit, unit.unit.id, vehicle, did.end)
        if stays and (before.is_known or unit.doubted("aboard")):
            yield at, game.units[vehicle]


def is_aboard(unit: UnitInPhase, rider: str, vehicle: str, at: int) -> bool:
    """Whether a unit rides in a vehicle at an event. No if ``aboard`` has no value at all: accusations of
    others must not depend on such a unit."""
    said = unit.history.value(rider, "aboard", at).value
    return said not in (None, NO) and unit.history.vehicle(said or NO, rider, at) == vehicle


def named(unit: UnitInPhase, other: Unit) -> str:
    return names_of(unit.rules.game, (other.id,))[0]


@check("TR-a")
def carries_squads(unit: UnitInPhase) -> Broken | None:
    """Only vehicles with the trait Transport carry squads."""
    for at, carrier in boardings(unit):
        if unit.at(at).other(carrier.id).most("transport", 0):
            text = f"boards {named(unit, carrier)}, which carries no squads"
            return Broken(text, (unit.unit.id,), (at,), others=(carrier.id,))
    return None


@check("TR-b")
def has_room(unit: UnitInPhase) -> Broken | None:
    """A vehicle carries as many squads as its Transport number says."""
    for at, carrier in boardings(unit):
        room = unit.at(at).other(carrier.id).fact("transport")
        if room.low is None or (unit.rule("TR-a") and room.must_be(Fraction(0))):
            continue
        riders = riding(unit, carrier, at)
        sure = [one for one, certain in riders if certain]
        if not riders or len(riders) < room.low:
            continue
        asked = [(one, "aboard") for one, certain in riders if not certain]
        if room.low != room.high:
            asked.insert(0, (carrier, "transport"))
        full = room.high is not None and len(sure) >= room.high
        if (full or asked) and unit.depends(full, asked):
            squads = "squad" if room.low == 1 else "squads"
            text = f"boards {named(unit, carrier)}, which carries {room.low} {squads}"
            text = f"{text} and already holds {len(riders)}"
            others = (carrier.id, *(rider.id for rider, _ in riders))
            return Broken(text, (unit.unit.id,), (at,), others=others)
    return None


def riding(unit: UnitInPhase, carrier: Unit, at: int) -> list[tuple[Unit, bool]]:
    """The other units that ride in a vehicle when a unit boards it and when the phase ends, or may; and
    whether they certainly do: their counters are by it, or a facts file says so."""
    history, end, found = unit.history, unit.phase.end, list[tuple[Unit, bool]]()
    for other in unit.rules.game.units.values():
        friend = unit.rules.game.relation(carrier.side, other.side) == "friend"
        if other.kind != "unit" or other.id == unit.unit.id or not friend:
            continue
        inside = all(is_aboard(unit, other.id, carrier.id, moment) for moment in (at, end))
        if not inside or (history.place(other.id, end) or NOWHERE).kind == "nowhere":
            continue
        alive = all(is_alive(other, history.value(other.id, DEAD, moment)) for moment in (at, end))
        by_it = history.declared(history.value(other.id, "aboard", at)) or any(
            history.place(other.id, moment) == history.place(carrier.id, moment)
            for moment in (at, end)
        )
        found.append((other, bool(alive and by_it)))
    return found


@check("SB-1")
def in_one_hex(unit: UnitInPhase) -> Broken | None:
    """A squad boards a vehicle that is in its own hex."""
    for at, carrier in boardings(unit):
        start, end = unit.phase.first, unit.phase.end
        own, its = (
            set(places(unit.history, name, start, end)) for name in (unit.unit.id, carrier.id)
        )
        if all(place.kind == "hex" for place in own | its) and not own & its:
            text = f"boards {named(unit, carrier)}, which was never in its hex in this phase"
            return Broken(text, (unit.unit.id,), (at,), others=(carrier.id,))
    return None


@check("TR-a")
def of_its_own_side(unit: UnitInPhase) -> Broken | None:
    """A squad rides in vehicles of its own side."""
    for at, carrier in boardings(unit):
        known = unit.rules.game.relation(unit.unit.side, carrier.side)
        if known in (None, "enemy") and not unit.friend(carrier):
            text = f"boards {named(unit, carrier)}, a vehicle of the other side"
            return Broken(text, (unit.unit.id,), (at,), others=(carrier.id,))
    return None


# -- getting out -----------------------------------------------------------------------------------


@check("EE-e")
def only_if_activated(unit: UnitInPhase) -> Broken | None:
    """Only an activated squad gets out. Of one that moved by itself its move is judged."""
    did = unit.acts.did
    if not judged(unit) or did.walked:
        return None
    for before, at, now in did.changes("aboard"):
        if not now.may_be(NO) or not may_ride(unit, before, at):
            continue
        vehicle = unit.history.vehicle(before.value or NO, unit.unit.id, at)
        sure = now.is_known and before.is_known and not lost(unit, vehicle)
        if not sure and (before.is_known or not unit.doubted("aboard")):
            continue
        said = unit.word("action", action_at(unit, at))
        if said not in ACTIONS:
            text = f"gets out of its vehicle, though its action is {said}"
            return Broken(text, (unit.unit.id,), (at,))
    return None


def action_at(unit: UnitInPhase, at: int) -> Fact:
    """The action by which a unit was activated: as an attribute from an event on, else as a condition."""
    history = unit.history
    said = over(history, unit.unit.id, "action", at, unit.phase.end, ACTIONS)
    if said != UNKNOWN:
        return said
    step = history.timeline.step_of(at)
    return spelt(history.timeline.condition("action", step, unit.unit.id))


def may_ride(unit: UnitInPhase, before: Fact, at: int) -> bool:
    """Whether the unit was, or may have been, in a vehicle; if nothing is said: whether one of its side is in
    its hex."""
    if before.is_known:
        return not before.must_be(NO)
    history, here = unit.history, unit.history.place(unit.unit.id, at)
    return (
        here is not None
        and here.kind == "hex"
        and any(
            other.kind == "unit"
            and other.id != unit.unit.id
            and unit.rules.game.relation(unit.unit.side, other.side) != "enemy"
            and history.place(other.id, at) == here
            and unit.at(at).other(other.id).possibly("class", *VEHICLES)
            for other in unit.rules.game.units.values()
        )
    )


def lost(unit: UnitInPhase, vehicle: str | None) -> bool:
    """Whether the vehicle or the unit is or may be out of play when the phase ends."""
    history, end = unit.history, unit.phase.end
    for name in (unit.unit.id, vehicle):
        place = history.place(name, end) if name else None
        if name is None or place is None or place.kind != "hex":
            return True
        damage = history.value(name, "damage", end)
        whole = {"none", "light"}.issuperset(map(str, damage.options or ("none",)))
        known = unit.rules.game.units.get(name)
        if not whole or not is_alive(known, history.value(name, DEAD, end)):
            return True
    return False


# -- squads that only rode -------------------------------------------------------------------------


def only_rode(unit: UnitInPhase) -> Rides | None:
    """How often a squad that did not move by itself boarded and got out; None if it did neither."""
    did = unit.acts.did
    if not judged(unit) or did.walked or not told(unit):
        return None
    sure, most = did.rides("favourable"), did.rides("adverse", meant=True)
    if not most.boarded + most.left or not unit.is_("class", SQUAD):
        return None
    return most if sure == most or unit.doubted("aboard") else sure


def told(unit: UnitInPhase) -> bool:
    """Whether the phase has a word on where the unit rode or was dug in."""
    first, end, name = unit.phase.first, unit.phase.end, unit.unit.id
    return any(unit.history.changes(name, about, first, end) for about in ("aboard", "works"))


def doing(rides: Rides) -> str:
    return "gets out of a vehicle" if rides.left else "boards a vehicle"


@check("IM-a")
def carried_off(unit: UnitInPhase) -> Broken | None:
    """A squad that is pinned or disrupted all the time is not carried out of its hex."""
    did = unit.acts.did
    if not did.legs or did.legs[0].origin == did.legs[-1].target or did.walked:
        return None
    if not did.rides("favourable").boarded or only_rode(unit) is None:
        return None
    left = did.legs[0].origin
    for about in ("pinned", "disrupted"):
        if all(fact.must_be(True) for _, fact in did.series(about, did.start, did.end)):
            text = f"boards a vehicle and is carried from {left} though it is {about}"
            return Broken(text, (unit.unit.id,), (did.start,))
    return None


@check("X-AP-a")
def fresh_to_ride(unit: UnitInPhase) -> Broken | None:
    """Only a fresh squad boards or gets out."""
    rides = only_rode(unit)
    changed = [at for _, at, _ in unit.acts.did.changes("aboard")]
    if rides is None or not changed or not rides.boarded + rides.left:
        return None
    text = not_fresh(unit.acts, changed[0], f"{doing(rides)} though it is {{}}")
    return Broken(str(text), (unit.unit.id,), (unit.phase.first,)) if text else None


@check("EE-d")
def does_no_more(unit: UnitInPhase) -> Broken | None:
    """A squad that has boarded does nothing more, unless it was activated again."""
    rides, did = only_rode(unit), unit.acts.did
    if rides is None or not rides.acted_on or is_refreshed(did, did.start, did.end):
        return None
    if may_be_refreshed(did, did.start, did.end) and not unit.doubted("token"):
        return None
    return Broken("does more after it boarded a vehicle", (unit.unit.id,), (unit.phase.first,))


@check("MV-f")
def can_pay(unit: UnitInPhase) -> Broken | None:
    """Boarding and getting out cost 2 MPs each (EE-b, EE-e), which a squad must have."""
    rides = only_rode(unit)
    if rides is None:
        return None
    did, acts = unit.acts.did, unit.acts
    said = action_at(unit, did.start)
    sure = said.options is not None and all(option in ACTIONS for option in said.options)
    mp = reckoned(unit, acts, SQUAD, unit.word("action", said) if sure else ADVANCE)
    spent = price(unit, rides)
    assert mp.amount is not None
    least = mp.amount.lo if sure else mp.amount.hi
    if least is None or not unit.exceeds(spent, Amount(least, mp.amount.hi)):
        return None
    clause = "EE-e" if rides.left else "EE-b"
    than = f"of {mp.amount.written} that it has"
    if mp.amount.hi is not None and spent > mp.amount.hi:
        than = f"{written(spent - mp.amount.hi)} more than its {written(mp.amount.hi)}"
    text = f"gets into and out of vehicles for {written(spent)} MP, {than}"
    return Broken(text, (unit.unit.id,), (unit.phase.first,), clause, "missed-mp-cost")


def price(unit: UnitInPhase, rides: Rides) -> Fraction:
    """What boarding and getting out so often costs, in MPs."""
    expenses = unit.tables["expenses"]
    spent = rides.left * Fraction(expenses["leave_vehicle"]) if unit.rule("EE-e") else Fraction(0)
    return spent + (rides.boarded * Fraction(expenses["board"]) if unit.rule("EE-b") else 0)


@check("X-EN-a")
def holds_no_vehicle(unit: UnitInPhase) -> Broken | None:
    """An entrenchment holds no vehicle."""
    for before, at, now in unit.acts.did.changes("works") if judged(unit) else ():
        if now.value != "entrenchment" or not unit.is_("class", *VEHICLES):
            continue
        if not before.may_be("entrenchment") or unit.doubted("works"):
            text = "is said to be in an entrenchment, which holds no vehicle"
            return Broken(text, (unit.unit.id,), (at,))
    return None


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
            if not is_aboard(unit, other.id, vehicle, before[-1]):
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
