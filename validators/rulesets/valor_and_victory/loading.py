"""Loading and unloading (section 8): when and where, movement before and after it, and how much a carrier
takes."""

from __future__ import annotations

from fractions import Fraction

from ...engine.carried import Loading
from ...engine.clauses import Broken, check
from ...engine.phases import UnitInPhase
from .terms import DRIVEN, FOOT, HEAVY, LEADERS


def verb(loading: Loading) -> str:
    return "is unloaded" if loading.off else "is loaded"


@check("8.3-a", phase="movement")
def once(unit: UnitInPhase) -> Broken | None:
    """A unit is loaded or unloaded once in a turn, where its carrier is in its hex."""
    found = unit.loadings()
    if len(found) > 1:
        return Broken(
            "is loaded and unloaded in one turn", (unit.unit.id,), tuple(one.index for one in found)
        )
    for one in found:
        if one.carrier in unit.rules.game.units and never_together(unit, one):
            who = (unit.unit.id, one.carrier)
            return Broken(f"{verb(one)}, and its carrier was not in its hex", who, (one.index,))
    return None


def never_together(unit: UnitInPhase, one: Loading) -> bool:
    """Whether unit and carrier were in no hex both, before or after any drag of the phase."""
    places = []
    for name in (unit.unit.id, one.carrier):
        drags = unit.history.in_phase(name, unit.phase.first)
        here = [
            unit.history.place(name, unit.phase.first),
            *(unit.history.drag(d).target for d in drags),
        ]
        if any(place is None or place.kind != "hex" for place in here):
            return False
        places.append({place.name for place in here if place is not None})
    return not places[0] & places[1]


@check("8.3-a", phase="advance")
def not_in_advance(unit: UnitInPhase) -> Broken | None:
    """Units are loaded and unloaded in the Movement Phase. A marker alone may be a late correction: only a
    drag after it, carried or on foot, shows that it was done now."""
    for one in unit.loadings()[:1]:
        if (
            not unit.history.seen(since_movement(unit), one.index, unit.unit.side)
            or not unit.phase_went_on
        ):
            continue
        drivers = unit.rules.may_be("class", DRIVEN)
        shown = [
            d
            for d in unit.drags
            if d > one.index and unit.history.carried(unit.unit, d, drivers) is not None
        ]
        if shown:
            return Broken(
                f"{verb(one)} outside the Movement Phase", (unit.unit.id,), (one.index, shown[0])
            )
    return None


def since_movement(unit: UnitInPhase) -> int:
    """The last event of the Movement Phase before this one; else the first of this one."""
    kinds, history = unit.rules.phase_kinds, unit.history
    for first, end in reversed(history.phases()):
        if first < unit.phase.first and kinds.get(history.view(first).phase or "") == "movement":
            return end - 1
    return unit.phase.first


def single(unit: UnitInPhase) -> Loading | None:
    """The one loading of a unit in the phase, if there is one and it broke nothing else."""
    found = unit.loadings()
    one = found[0] if len(found) == 1 else None
    if one is None or one.carrier not in unit.rules.game.units:
        return None
    return None if unit.rule("8.3-a") and never_together(unit, one) else one


@check("8.3-b", phase="movement")
def passengers(unit: UnitInPhase) -> Broken | None:
    """A passenger does not move before it is loaded nor after it is unloaded, but one hex where there are too
    many."""
    one = single(unit)
    events = walked(unit) if one else ()
    if one is None or not events:
        return None
    return Broken(
        f"{verb(one)}, and has moved by itself as well", (unit.unit.id,), (*events, one.index)
    )


def walked(unit: UnitInPhase) -> tuple[int, ...]:
    """The drags by which it moved by itself for certain."""
    rode = {
        d: unit.history.carried(unit.unit, d, unit.rules.may_be("class", DRIVEN))
        for d in unit.drags
    }
    own = [d for d, carried in rode.items() if carried is False]
    if None in rode.values() or not own or unit.put_back():
        return ()
    start, goal = unit.history.drag(own[0]).origin, unit.history.drag(own[-1]).target
    if start.kind != "hex" or goal.kind != "hex":
        return ()
    hexes = unit.rules.game.board.distance(start.name, goal.name)
    return tuple(own) if hexes and (hexes > 1 or roomy(unit, own[0])) else ()


def roomy(unit: UnitInPhase, index: int) -> bool:
    """Whether the hex of a unit was certainly within the stacking limits."""
    history, board, n = unit.history, unit.rules.game.board, unit.tables["stacking"]
    here = history.place(unit.unit.id, index)
    works = unit.tables["works"]["fortifications"]
    if (
        here is None
        or here.kind != "hex"
        or board.has(here.name, works) is not False
        or not board.hex_told(here.name)
    ):
        return False
    there = [
        other
        for other in unit.rules.game.units.values()
        if other.kind == "unit"
        and history.place(other.id, index) == here
        and unit.at(index).other(other.id).alive
    ]
    heavy = sum(unit.rules.may_be_one(other, HEAVY) for other in there)
    foot = sum(unit.rules.may_be_one(other, FOOT) for other in there)
    mixed = n["mixed"]
    most = ((0, n["infantry"]), (mixed["vehicles"], mixed["infantry"]), (n["vehicles"], 0))
    return any(heavy <= a and foot <= b for a, b in most)


@check("8.5-a", phase="movement")
def pinned_carrier(unit: UnitInPhase) -> Broken | None:
    """Passengers of a pinned vehicle are pinned with it, and do not get off."""
    one = single(unit)
    if one is None or not one.off or (unit.rule("8.3-b") and walked(unit)):
        return None
    carrier = unit.at(one.index).other(one.carrier)
    if not carrier.fact("class").must_be("vehicle"):
        return None
    if not carrier.marked_by_then("pinned", unit.unit.side):
        return None
    text = "is unloaded, though its carrier is pinned, and it with that"
    return Broken(text, (unit.unit.id, one.carrier), (one.index,))


@check("8.3-c", phase="movement")
def carriers(unit: UnitInPhase) -> Broken | None:
    """A carrier moves before it loads or unloads, or after, not both."""
    one = single(unit)
    if one is None or not stands_together(unit, one) or (unit.rule("8.3-b") and walked(unit)):
        return None
    history, here = unit.history, unit.history.place(one.carrier, one.index)
    drags, came = (
        history.in_phase(one.carrier, one.index),
        history.place(one.carrier, unit.phase.first),
    )
    before, after = [d for d in drags if d < one.index], [d for d in drags if d > one.index]
    if not before or not after or came is None or came.kind != "hex" or came == here:
        return None
    if history.drag(after[-1]).target == here or any(history.put_back(one.carrier, drags)):
        return None
    text = f"moved before and after {unit.unit.name} was {'un' * one.off}loaded"
    return Broken(text, (one.carrier, unit.unit.id), (before[-1], after[0], one.index))


def stands_together(unit: UnitInPhase, one: Loading) -> bool:
    """Whether unit and carrier were in one hex at the loading, and the marker was not laid too early or
    late: the unit did not go along with the carrier before it was loaded, or after it was unloaded."""
    history, here = unit.history, unit.history.place(one.carrier, one.index)
    floats = any(
        history.goes_along(one.carrier, d) for d in unit.drags if (d > one.index) == one.off
    )
    return (
        here is not None
        and here.kind == "hex"
        and here == history.place(unit.unit.id, one.index)
        and not floats
    )


@check("8.3-a", phase="movement")
def carrier_once(unit: UnitInPhase) -> Broken | None:
    """A carrier loads or unloads once in a turn, and in one hex; several units there are one action."""
    found = []
    for other in unit.history.changing("aboard"):
        view = unit.of(other)
        of_it = view.loadings()
        if len(of_it) == 1 and of_it[0].carrier == unit.unit.id and stands_together(view, of_it[0]):
            found.append((other.id, of_it[0]))
    both = len({one.off for _, one in found}) > 1
    if not both and len({unit.history.place(unit.unit.id, one.index) for _, one in found}) < 2:
        return None
    text = "loads and unloads in one turn" if both else "loads or unloads twice in one turn"
    who = (unit.unit.id, *dict.fromkeys(name for name, _ in found))
    return Broken(text, who, tuple(one.index for _, one in found))


@check("8.2-a", phase="movement")
def capacity(unit: UnitInPhase) -> Broken | None:
    """A carrier of class n takes n squads (or twice as many half squads), n leaders and n weapons; TH a
    half squad, a leader and a weapon, and no large gun; only one marked so tows."""
    found = unit.loadings()
    if len(found) != 1 or found[0].off or found[0].carrier not in unit.rules.game.units:
        return None
    index = found[0].index
    carrier = unit.at(index + 1).other(found[0].carrier)
    history, here = unit.history, unit.history.place(carrier.unit.id, index + 1)
    load = [
        carrier.other(u.id)
        for u in unit.rules.game.units.values()
        if u.kind == "unit"
        and history.carrier(u.id, index + 1) == carrier.unit.id
        and history.place(u.id, index + 1) == here
        and not history.gone(u, index + 1)
        and carrier.friend(u)
    ]
    if not carrier.tells("transport"):
        return None
    said = carrier.word("transport").upper()
    half, n = said == "TH", int(said[1:]) if said[1:].isdigit() else 0
    squads = sum(u.is_("class", "squad") + Fraction(u.is_("class", "half-squad"), 2) for u in load)
    guns = [u for u in load if u.is_("class", "gun")]
    if squads > (Fraction(1, 2) if half else n):
        text = "more squads than it has room for"
    elif sum(u.is_("class", *LEADERS) for u in load) > (1 if half else n):
        text = "more leaders than it has room for"
    elif sum(u.is_("weapon", "light", "heavy") for u in load) > (1 if half else n):
        text = "more support weapons than it has room for"
    elif guns and not carrier.is_("tow", "true", "yes"):
        text = "a gun, and may not tow"
    elif len(guns) > 1 or (half and any(gun.most("mp", 0) for gun in guns)):
        text = "more than one gun" if len(guns) > 1 else "a large gun"
    else:
        return None
    who = (carrier.unit.id, *(u.unit.id for u in load))
    return Broken(f"of transport class {said} carries {text}", who, (index,))
