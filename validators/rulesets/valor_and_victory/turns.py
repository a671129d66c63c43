"""Checks of a phase: order, stacks that parted, counters turned without a move, units that come onto the
map. And what else a drag may have been: then the unit went where the log shows it, and no clause on movement
applies.
"""

from __future__ import annotations

from collections.abc import Iterable

from ....model.finding import Finding
from ....model.game import StateChange
from ...answers import moved_on_after
from ...engine.carried import carrier_in
from ...engine.clauses import Broken, check, interpretation
from ...engine.event_index import SOMETHING
from ...engine.mover_view import MoverView
from ...engine.phases import UnitInPhase
from .terms import DRIVEN, FOOT, HEAVY, LEADERS


@check("6.1-e")
def one_after_the_other(unit: UnitInPhase) -> Finding | None:
    """A unit or stack is finished before the next begins. One that may have been carried, or put back after
    fire, proves nothing."""
    found = unit.moved_on
    if found is None or unit.put_back():
        return None
    drivers = unit.rules.may_be("class", DRIVEN)
    for drag in unit.drags:
        rode = unit.history.carried(unit.unit, drag, drivers)
        if rode or (
            rode is None
            and (
                unit.history.carrier(unit.unit.id, drag)
                or unit.history.any_along(SOMETHING, drag, drivers)
            )
        ):
            return None
    other, in_turn = unit.moved_between(found)
    if in_turn:
        return found
    asked = moved_on_after(unit.unit, other)
    return found if unit.told(asked.topic, asked.text, unit.unit) else None


@check("6.1-c", phase="movement")
def stacks_stay_together(unit: UnitInPhase) -> Broken | None:
    """Units that move as a stack end together: a leader does not go on from a squad that came so far only
    with his bonus, unless it was pinned or lost."""
    if not unit.drags or not unit.is_("class", "squad", "half-squad"):
        return None
    for track in unit.tracks():
        drags = unit.history.of_move(unit.unit.id, track.move)
        if drags != unit.drags:
            continue
        leader = left_by(unit, drags)
        if leader and not unit.gets_there(track, without="alone"):
            text = f"moved on from {track.move.target} without {unit.unit.name}"
            text += ", which needed its leader's bonus"
            return Broken(text, (leader[0], unit.unit.id), (drags[-1], leader[1]))
    return None


def left_by(unit: UnitInPhase, drags: list[int]) -> tuple[str, int] | None:
    """The leader who came along all the way and went on, and his next drag; None if another one stayed."""
    history, found = unit.history, None
    target, move = history.drag(drags[-1]).target, next(unit.tracks()).move
    for name in unit.rules.may_be("class", LEADERS):
        other = unit.rules.game.units[name]
        along, _ = history.with_it(unit.unit, other, drags, move)
        if (
            name == unit.unit.id
            or along is False
            or not unit.other(name).is_("class", *LEADERS)
            or not unit.friend(other)
        ):
            continue
        if along is None:
            text = f"did {unit.unit.name} move together with {other.name}?"
            if unit.told(f"with {name}", text, unit.unit):
                return None
            continue
        his = history.on_map(name, drags[0])
        later = [
            d
            for d in his
            if history.drag(d).at > history.drag(drags[-1]).at
            and history.drag(d).target.kind == "hex"
        ]
        if not his or history.drag(his[-1]).target == target or not later:
            return None
        if not any(history.put_back(name, his)) and stood(unit, later[0]):
            found = found or (name, later[0])
    if found is None or carrier_in(history.value(unit.unit.id, "aboard", drags[0])) == SOMETHING:
        return None
    return found


def stood(unit: UnitInPhase, index: int) -> bool:
    """Whether the unit could certainly have gone on at an event: alive, on the map, and not pinned until
    the end of the phase."""
    later = unit.history.changes(unit.unit.id, "pinned", index, unit.phase.end)
    pinned = [unit.history.value(unit.unit.id, "pinned", index), *(fact for _, fact in later)]
    return not unit.history.gone(unit.unit, index) and all(fact.must_be(False) for fact in pinned)


# -- turned without a move -------------------------------------------------------------------------


def turned(unit: UnitInPhase) -> tuple[int, int, int] | None:
    """The facings before and after the phase, and the event by which a vehicle or gun was turned that did
    not move; None if it was not, may not turn by a rule, or was turned by another's player."""
    history, phase, name = unit.history, unit.phase, unit.unit.id
    changes = history.changes(name, "facing", phase.first, phase.end)
    if (
        not changes
        or unit.drags
        or unit.moved
        or not unit.active
        or not phase.over
        or not unit.phase_went_on
    ):
        return None
    events = (unit.rules.game.events[at] for at, _ in changes)
    hands = {event.actor for event in events if isinstance(event, StateChange)} - {
        None,
        unit.unit.side,
    }
    if hands or not unit.is_("class", *HEAVY) or (unit.is_("class", "gun") and in_tow(unit)):
        return None
    before, after = unit.at(phase.first).facing, unit.at(phase.end).facing
    for at, fact in history.changes(name, "facing", phase.end, len(unit.rules.game.events)):
        if history.seen(phase.end - 1, at, unit.unit.side):
            break
        if before == unit.rules.heading(fact):
            return None  # turned back before anyone saw it
        if unit.rules.heading(fact) is None and unit.doubted("facing"):
            return None
    return None if before == after else (before, after, changes[0][0])


def in_tow(unit: UnitInPhase) -> bool:
    """Whether a gun may have been in tow in the phase: no rule says how it then faces."""
    said = [
        fact
        for _, fact in unit.history.changes(
            unit.unit.id, "aboard", unit.phase.first, unit.phase.end
        )
    ]
    return any(carrier_in(fact) != "" for fact in (unit.fact("aboard"), *said))


@check("14.7-a")
def turned_pinned(unit: UnitInPhase) -> Broken | None:
    """A pinned unit does nothing. On an AFV the marker may mean that it is immobilized (14.1)."""
    found = turned(unit)
    if found is None:
        return None
    at, afv = unit.at(found[2]), unit.is_("class", "afv")
    if afv and (at.fact("pinned").must_be(False) or unit.history.declared(at.fact("immobile"))):
        return None
    if not at.marked_by_then("pinned", unit.unit.side) or (afv and not unit.doubted("immobile")):
        return None
    return Broken("turned, being pinned", (unit.unit.id,), found[2:])


@check("18.6-a")
def turned_immobile(unit: UnitInPhase) -> Broken | None:
    """An immobilized AFV neither moves nor turns."""
    return turned_marked(unit, "immobile", "turned, being immobilized", "afv")


@check("5.33-a", phase="movement")
def turned_after_fire(unit: UnitInPhase) -> Broken | None:
    """A unit marked as having fired does not move."""
    return turned_marked(unit, "fired", "turned after it had fired")


@check("5.33-b", phase="movement")
def turned_after_move(unit: UnitInPhase) -> Broken | None:
    """A unit marked as having moved does not move again in the phase."""
    return turned_marked(unit, "moved", "turned after it had moved")


def turned_marked(unit: UnitInPhase, mark: str, text: str, of: str = "") -> Broken | None:
    """A unit (of this class alone) that turned and bore this marker by then."""
    found = turned(unit)
    if found is None or (of and not unit.is_("class", of)):
        return None
    if not unit.at(found[2]).marked_by_then(mark, unit.unit.side):
        return None
    return Broken(text, (unit.unit.id,), found[2:])


@check("7.3-b", phase="advance")
def turned_in_advance(unit: UnitInPhase) -> Broken | None:
    """Instead of an advance a unit may turn by one hexside."""
    found = turned(unit)
    sides = min((found[0] - found[1]) % 6, (found[1] - found[0]) % 6) if found else 0
    if found is None or sides < 2:
        return None
    return Broken(
        "turned by more than one hexside instead of advancing",
        (unit.unit.id,),
        found[2:],
    )


# -- onto the map and off it -----------------------------------------------------------------------


@check("6.10-b")
def comes_back(unit: UnitInPhase) -> Broken | None:
    """A unit that has left the map does not come back."""
    boxes, history, left = set(unit.tables["boxes"]["exit"]), unit.history, None
    for index in history.drags.get(unit.unit.id, ()) if boxes else ():
        drag = history.drag(index)
        if drag.at.step == 0 or drag.cause in ("undo", "reseated"):
            left = None
        elif drag.target.kind == "box" and drag.target.name in boxes:
            view = history.view(index)
            own = (
                unit.rules.game.relation(view.active, unit.unit.side) == "friend"
                and view.phase in unit.rules.phase_kinds
            )
            left = index if drag.origin.kind == "hex" and own else left
        elif left is not None and drag.origin.name in boxes and drag.target.kind == "hex":
            if index in unit.drags and history.seen(left, index, unit.unit.side):
                return Broken(
                    f"came back to {drag.target}, having left the map",
                    (unit.unit.id,),
                    (left, index),
                )
            left = None
    return None


@check("6.10-b", phase="movement")
def leaves(unit: UnitInPhase) -> Broken | None:
    """A unit that leaves the map goes to its edge first, hex by hex. Where there were dice before it, or an
    act of others, it may have been eliminated then. One that is put back next has not left."""
    history, last = unit.history, unit.drags[-1] if unit.drags else None
    if last is None or history.drag(last).target.name not in unit.tables["boxes"]["exit"]:
        return None
    away = history.drag(last).target.kind == "box" and unit.active and unit.at(last).alive
    carriers = unit.rules.may_be("class", DRIVEN)
    to_follow = bool(carriers) and not unit.phase.over
    with_carrier = to_follow or history.any_along(SOMETHING, last, carriers)
    told = history.declared(history.value(unit.unit.id, "aboard", last))
    if not away or unit.put_back() or (with_carrier and not told and unit.doubted("aboard")):
        return None
    later = [drag for drag in history.drags[unit.unit.id] if drag > last]
    if later and history.drag(later[0]).target == history.drag(last).origin:
        return None
    broken = unit.departure()
    if broken is None or not history.seen(0, last, unit.unit.side):
        return broken
    text = f"did {unit.unit.name} leave the map by itself (no: it was eliminated, or taken off)?"
    return broken if unit.told("left the map", text, unit.unit) else None


@check("6.10-a", phase="movement")
def arrives(unit: UnitInPhase) -> Broken | None:
    """The hex on the edge by which a unit enters is the first of its move: it gets no farther, and into no
    hex that is closed to it."""
    entry = unit.tables["boxes"]["entry"]
    if (
        not unit.drags
        or unit.history.drag(unit.drags[0]).origin.name not in entry
        or unit.unit.side is None
    ):
        return None
    return unit.arrival("came onto the map")


@interpretation("carried")
def carried(mover: MoverView) -> bool:
    """It was carried: by a unit that the log shows going the same way."""
    unit, history = mover.unit, mover.history
    rode = {
        history.carried(unit, drag, mover.rules.may_be("class", DRIVEN)) for drag in mover.drags
    }
    if len(rode) == 1 and None not in rode:
        return bool(rode.pop())
    target = mover.move.target.name
    if history.carrier(unit.id, mover.drags[0]) not in (None, ""):
        return mover.told(
            f"carried to {target}", f"was {unit.name} carried in its move to {target}?", unit
        )
    return mover.doubted("aboard")


@interpretation("borne")
def borne(mover: MoverView) -> bool:
    """It is a support weapon's counter, which goes with whoever carries it."""
    if not mover.known["class"].must_be("weapon"):
        return False
    bearers = [
        u for u in mover.rules.may_be("class", FOOT) if mover.rules.may_be_friends(mover.unit, u)
    ]
    return all(any(mover.history.goes_along(u, drag) for u in bearers) for drag in mover.drags)


@interpretation("put back")
def put_back(mover: MoverView) -> bool:
    """Opportunity Fire stopped it in a hex on its way, and its counter was put back there (13.8)."""
    return mover.phase != "advance" and was_put_back(mover)


def was_put_back(mover: MoverView) -> bool:
    name, unit = mover.unit.name, mover.unit
    hexes = mover.history.put_back(unit.id, mover.drags)
    text = "was {} stopped in {} by Opportunity Fire (13.8), and put back there?"
    return ask(mover, "stopped in", ((h, text.format(name, h)) for h in hexes))


@interpretation("failed assault")
def failed_assault(mover: MoverView) -> bool:
    """It was put into an enemy hex only to show its close assault, which failed (15)."""
    if mover.phase == "movement" or mover.known["class"].value not in FOOT:
        return False
    hexes = mover.history.shown_and_back(mover.unit, mover.drags)
    text = "was {} put in {} for a close assault (15) that failed?"
    return ask(mover, "assaulting", ((h, text.format(mover.unit.name, h)) for h in hexes))


@interpretation("entered elsewhere")
def entered_elsewhere(mover: MoverView) -> bool:
    """It entered the map by a hex on its edge, and had only been put down in another first."""
    hexes = mover.history.entered_anew(mover.unit, mover.drags)
    text = "did {} enter the map by {}, and was only put down elsewhere before?"
    return ask(mover, "entering by", ((h, text.format(mover.unit.name, h)) for h in hexes))


def ask(mover: MoverView, topic: str, hexes: Iterable[tuple[str, str]]) -> bool:
    """Whether it was so in any of these hexes."""
    return any(mover.told(f"{topic} {name}", text, mover.unit) for name, text in hexes)
