"""How what a unit did with its move may be read: it got out on the way, retreated, was activated twice,
advanced after an assault, or was put back after an overrun."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from ....model.fact import UNKNOWN, Fact
from ....model.game import Place, StepRef
from ....model.unit import Unit
from ...engine.activation import Activation, Leg, over, places
from ...engine.acts_view import ActsView
from ...engine.declared import Doing
from ...engine.event_index import ABOARD
from ...engine.history import History
from ...engine.mover_view import MoverView
from ...engine.riding import NO, may_carry
from .terms import ACTIONS, ASSAULT, HEAVY, LIGHT, NO_CLASS, ON_FOOT, SPENT, spelt

FIRST = StepRef(1, 0)


def action(history: History, unit: Unit, its: list[int]) -> Fact:
    """The action by which a unit was activated: as an attribute in its phase, else as a condition."""
    timeline = history.timeline
    first = timeline.first_event(timeline.step_of(its[0]))
    said = over(history, unit.id, "action", first, history.phase(first)[1], ACTIONS)
    return said if said != UNKNOWN else spelt(history.condition("action", unit, its))


def doings(mover: MoverView) -> Iterator[Doing]:
    """The ways to read what a unit did, each with the question that decides whether it is the right one."""
    unit, did, name = mover.unit, mover.read, mover.unit.name
    yield Doing(did)
    did = did.riding(False)
    foot = mover.cls in ON_FOOT
    for out in got_out(did) if foot else ():
        to = next(leg for leg in out.legs if leg.carried).target
        text = f"did {name} ride to {to}, though its counter was left behind, and get out there?"
        yield Doing(out, f"got out in {to}", text)
    if foot and is_assaulted(mover, did):
        left = did.legs[0].origin
        text = f"did {name} retreat from {left}, which others had assaulted?"
        yield Doing(did.borne(0, len(did.legs)), f"retreat from {left}", text)
    again = twice(did)
    if again is not None:
        yield Doing(again, "activated again", activated_again(unit))
    if foot and mover.known["action"].may_be(ASSAULT) and mover.rule("MV-d"):
        into = mover.move.target.name
        text = f"did {name} go to {into} because its assault had emptied it?"
        for taken in advanced(mover, did):
            yield Doing(taken, f"advance into {into}", text, whole=did)
    for number, leg in enumerate(did.legs if mover.cls in (LIGHT, HEAVY, NO_CLASS) else ()):
        hit = number and did.value("damage", leg.at).may_be("heavy")
        if hit and mover.enemies_in(leg.origin):
            text = f"was {name} put back from {leg.origin}, heavily damaged in its overrun?"
            yield Doing(did.borne(number, number + 1), f"back from {leg.origin}", text)
            break


def activated_again(unit: Unit) -> str:
    return f"was {unit.name} fresh again when its token was taken off, and activated once more?"


def got_out(did: Activation) -> Iterator[Activation]:
    """What a squad did if its counter was not dragged along with its vehicle: it rode to where the vehicle
    is, got out there, and then moved by itself. One for each place of a vehicle in which it may have
    ridden."""
    if not did.walked:
        return
    first, history = did.walked[0], did.history
    for _, said in reversed(did.series(ABOARD, did.start, first.at)):
        there = {history.place(name, first.at): None for name in carriers(did, said, first)}
        # if the vehicle is off the map or its place is not known, it may have got out anywhere
        names = {
            at.name if at is not None and at.kind == "hex" else first.target: None
            for at in there
            if at is None or at.name != first.origin
        }
        for name in names:
            yield replace(did, legs=tuple(by_way_of(name, first, did.legs)))
        if names:
            return


def carriers(did: Activation, aboard: Fact, leg: Leg) -> Iterator[str]:
    """The vehicles that the unit may have been aboard before a leg. If it is not known which, every one that
    was ever in the hex where the leg begins."""
    history = did.history
    for option in aboard.options or ("?",):
        if option == NO:
            continue
        vehicle = history.vehicle(option, did.unit.id, leg.at) if aboard.options else None
        if vehicle is not None:
            yield vehicle
            continue
        for name in may_carry(history, did.unit, leg.at):
            there = places(history, name, 0, leg.at)
            if any(place.kind == "hex" and place.name == leg.origin for place in there):
                yield name


def by_way_of(name: str, first: Leg, legs: tuple[Leg, ...]) -> Iterator[Leg]:
    for leg in legs:
        if leg == first:
            yield replace(leg, target=name, carried=True)
            if name != leg.target:
                yield replace(leg, origin=name)
        else:
            yield leg


def is_assaulted(mover: MoverView, did: Activation) -> bool:
    """Whether a unit that may be an enemy is said to have assaulted the hex that this unit leaves. Then it
    may have lost the assault, and be retreating."""
    history, game = mover.history, mover.rules.game
    end = history.phase(did.start)[1]
    for other in game.units.values() if did.legs else ():
        if game.relation(mover.unit.side, other.side) not in (None, "enemy"):
            continue
        if not history.timeline.tells_of(other.id, "assaults"):
            continue
        said = history.value(other.id, "assaults", end)
        at = mover.move.steps[0]
        told = history.timeline.condition("assaults", at, other.id) if said == UNKNOWN else said
        if did.legs[0].origin in map(mover.board.hex_named, told.options or ()):
            return True
    return False


def twice(did: Activation) -> Activation | None:
    """What the unit did if it was activated twice: it lost, or may have lost, the token of a spent unit
    between two legs, or after the last one. The legs before that then cost nothing."""
    for number in range(len(did.legs) - 1, 0, -1):
        if may_be_refreshed(did, did.legs[number - 1].at, did.legs[number].at):
            return did.borne(0, number)
    if did.legs:
        rested = did.legs[-1].at
        for at, _ in did.series("token", rested, did.end)[1:]:
            if may_be_refreshed(did, rested, at + 1):
                return replace(did, end=at)
    return None


def may_be_refreshed(did: Activation, start: int, end: int) -> bool:
    """Whether it had, or may have had, a token of a spent unit between two events, and may have none at the
    second."""
    *before, (_, now) = did.series("token", start, end)
    return any(may_be_spent(fact) for _, fact in before) and not is_spent(now)


def is_refreshed(did: Activation, start: int, end: int) -> bool:
    """As :func:`may_be_refreshed`, for certain."""
    *before, (_, now) = did.series("token", start, end)
    return any(is_spent(fact) for _, fact in before) and not may_be_spent(now)


def is_spent(token: Fact) -> bool:
    return token.options is not None and all(option in SPENT for option in token.options)


def may_be_spent(token: Fact) -> bool:
    return token.options is None or any(option in SPENT for option in token.options)


def advanced(mover: MoverView, did: Activation) -> Iterator[Activation]:
    """What a squad did if its last step was the advance into the hex that its assault had emptied: that step
    costs nothing. If the last leg is longer than one hex, one for each hex next to its target."""
    if not did.walked or did.legs[-1].carried:
        return
    last, board = did.legs[-1], mover.board
    if not was_held(mover, did, last.target):
        return
    if last.origin in board.neighbours(last.target):
        yield did.borne(len(did.legs) - 1, len(did.legs))
        return
    for near in board.neighbours(last.target):
        step = replace(last, origin=near, carried=True)
        yield replace(did, legs=(*did.legs[:-1], replace(last, target=near), step))


def was_held(mover: MoverView, did: Activation, name: str) -> bool:
    """Whether a unit that may be an enemy was in a hex in the phase, before the unit's last drag."""
    game, here = mover.rules.game, Place("hex", name)
    until = did.legs[-1].at if did.legs else did.end
    return any(
        other.kind == "unit"
        and other.id != did.unit.id
        and game.relation(did.unit.side, other.side) in (None, "enemy")
        and here in places(mover.history, other.id, did.start, until)
        for other in game.units.values()
    )


def stopped(acts: ActsView, cls: str) -> bool:
    """Whether the unit was, or may have been, damaged after its last leg, so that it had to stay there or be
    put back. Light damage does not stop a heavy vehicle."""
    did = acts.did
    if not did.legs:
        return False
    last = did.legs[-1].at
    harmless = {"none", *(("light",) if cls == HEAVY else ())}
    before = did.value("damage", last)
    if before.is_known:  # if not, a value given later may be new damage
        harmless.add(str(before.value))
    said = did.history.changes(did.unit.id, "damage", last, did.end)
    return any(not harmless.issuperset(map(str, fact.options or ("?",))) for _, fact in said)


def cleared(mover: MoverView) -> frozenset[str]:
    """The hexes from which other units are said to have cleared wire before the end of the move; the text
    does not say whether a light tank that stops in wire and removes it must stay there."""
    timeline, found = mover.history.timeline, set[str]()
    for unit in mover.rules.clearers:
        if unit.id == mover.unit.id:
            if mover.cls == LIGHT:
                found.add(mover.acts.hex("clears"))
            continue
        last = timeline.step_of(max(0, mover.acts.did.span[1] - 1))
        said = [unit.fact("clears"), timeline.condition_between("clears", FIRST, last, unit.id)]
        said += timeline.changes(unit.id, "clears", 0, mover.acts.did.span[1])
        found.update(mover.board.hex_named(o) for fact in said for o in fact.options or ())
    return frozenset(found - {""})
