"""What overruns do to a unit that made one, or against which one was made: it has halted, or it was put back
rather than moved (5.0, 5.10.1, 5.10.4)."""

from __future__ import annotations

from collections import Counter

from ...engine.clauses import Broken, check, forbid_move, interpretation
from ...engine.mover_view import MoverView
from ...engine.phases import UnitInPhase
from ...engine.spells import Result
from .overruns import FAILED, OVERRUN
from .terms import EXPLOIT, EXPLOITATION, LEG, MANEUVER_RESERVE, MOVEMENT, fights, is_a

PUT_BACK = "put back by an overrun"
WAS_PUT_BACK = "was {} put back, or did it retreat, by an overrun (5.10)?"
HALTED = "moves after an overrun that failed"
DID_IT_FAIL = "did an overrun of {} fail before it was moved on? Tell from which step that holds"


def may_overrun(mover: MoverView) -> bool:
    """Whether the unit is of a kind, in a mode and in supply so that it may overrun."""
    if mover.is_("class", LEG) or is_a(mover, "artillery", "hq") or mover.surely("supply", "out"):
        return False
    return mover.is_("mode", EXPLOIT, MANEUVER_RESERVE)


def put_back_told(mover: MoverView) -> bool:
    """Whether the facts say that an overrun put the unit where it lies after its last drag."""
    text, unit = WAS_PUT_BACK.format(mover.unit.name), mover.unit
    return mover.told(PUT_BACK, text, unit, mover.move.steps[-1], f"retreat of {unit.id}")


# -- who overran before ----------------------------------------------------------------------------


@forbid_move(
    "5.10.1-d", lambda mover: f"overruns {twice(mover)} for the second time", phase=EXPLOITATION
)
def same_hex_twice(mover: MoverView) -> bool:
    """A unit does not overrun a hex twice in a phase: it lay among enemies twice while dice were rolled."""
    return bool(twice(mover))


def twice(mover: MoverView) -> str:
    """The hex with enemies in which the unit lay twice in the move while dice were rolled; empty: none."""
    held = {stop.hex for stop in mover.stops if stop.surely_held(fights)}
    stays = Counter(mover.history.stays_at_rolls(mover.drags))
    return next((name for name, times in stays.items() if times > 1 and name in held), "")


@forbid_move("5.10.4-a", HALTED)
def halted(mover: MoverView) -> bool:
    """A unit whose overrun failed halts for the rest of the exploitation phase. It may be put back, since it
    may not stay next to an enemy in the open."""
    if mover.phase == MOVEMENT:
        return False
    found = mover.history.results(OVERRUN, mover.unit.id, mover.drags[0])
    return any(may_have_failed(one) and goes_on_after(mover, one) for one in found)


def may_have_failed(result: Result) -> bool:
    return result.fact.may_be(FAILED)


def goes_on_after(mover: MoverView, result: Result) -> bool:
    """Whether a unit moved on after an overrun that failed."""
    first = first_after(mover, result)
    if first < 0 or overran_from(mover, first) == mover.stops[-1].hex:
        return False
    if result.since is None or not result.fact.is_known:
        steps = mover.move.steps
        at = steps[first - 1] if first else mover.history.step_before(steps[0])
        return mover.undecided_from(OVERRUN, DID_IT_FAIL, at)
    if not may_withdraw(mover) and not may_have_gone_back(mover, first):
        return True
    return not put_back_told(mover)


def first_after(mover: MoverView, result: Result) -> int:
    """The number of the first drag after an overrun, or that may have come after it; -1: there is none.

    If the result is not dated, it is the drag after the first one into a hex with enemies, or else the first
    one out of a hex next to enemies: only from there can a unit overrun."""
    drags, stops = mover.drags, mover.stops
    if result.since is not None:
        return next((n for n, drag in enumerate(drags) if drag >= result.since), -1)
    among = next((n for n, stop in enumerate(stops) if n and stop.perhaps_held(fights)), 0)
    if among:
        return among if among < len(drags) else -1
    return next((n for n, stop in enumerate(stops[:-1]) if stop.perhaps_beside(fights)), -1)


def overran_from(mover: MoverView, first: int) -> str:
    """The hex from which a unit overran before its drag ``first``: the last one that was not surely held by
    enemies."""
    stops = mover.stops[: first + 1]
    return next(
        (stop.hex for stop in reversed(stops) if not stop.surely_held(fights)), stops[0].hex
    )


def may_have_gone_back(mover: MoverView, first: int) -> bool:
    """Whether the unit may have overrun from the hex where the move ends: others did not see it in its stops
    after that."""
    stops, seen = mover.stops, mover.seen
    for number in range(first, -1, -1):
        if stops[number].surely_held(fights):
            continue
        if stops[number].hex == stops[-1].hex:
            return True
        if seen[number]:
            return False
    return False


def may_withdraw(mover: MoverView) -> bool:
    """Whether the move, in an exploitation phase, may be the withdrawal of a unit that failed to overrun."""
    return mover.phase == EXPLOITATION and leads_away(mover)


def may_withdraw_late(mover: MoverView) -> bool:
    """Whether the move may be such a withdrawal that was made up for when the next phase had begun, before
    others had seen the table: the facts say of the unit last that its overrun failed."""
    if mover.phase == MOVEMENT and mover.may_be_phasing():
        return False
    first = mover.drags[0]
    said = mover.history.last_result(OVERRUN, mover.unit.id, first)
    if said is None or not said.may_be(FAILED) or not leads_away(mover):
        return False
    return not mover.history.seen(mover.history.opening(first), first, mover.unit.side)


def leads_away(mover: MoverView) -> bool:
    """Whether a move leads out of a hex that may be next to an enemy, into one that is not surely next to
    one."""
    to = mover.stops[-1]
    if not to.hex:
        return False
    left = any(stop.perhaps_beside(fights) for stop in mover.stops[:-1])
    return left and not to.surely_held(fights) and not to.surely_beside(fights)


@check("5.10.4-b", phase=EXPLOITATION)
def stays_next_to_enemies(unit: UnitInPhase) -> Broken | None:
    """A unit whose overrun failed may not remain next to an enemy in a hex without cover for combat. That
    clear terrain is none is certain; what else is, another section says. Whether it must have withdrawn when
    the phase ends is open: it gets a "Retreat Possible" marker."""
    found = unit.history.results(OVERRUN, unit.unit.id, unit.phase.first) if unit.phase.over else []
    told = [one for one in found if one.since is not None]
    if not told or not told[-1].fact.must_be(FAILED) or not unit.ends_beside(fights):
        return None
    if unit.dragged_on_unseen or covers(unit) or not unit.reading("withdraws_at_once"):
        return None
    text = f"stays in {unit.end} next to enemies whom it failed to overrun"
    return Broken(text, (unit.unit.id,), (told[-1].since - 1,))  # type: ignore[operator]


def covers(unit: UnitInPhase) -> bool:
    """Whether the hex in which a unit ends the phase has cover for combat, as all do at night (5.10.1-f)."""
    if unit.rule("5.10.1-f") and unit.holds("night", "true", "yes"):
        return True
    text = f"does {unit.end} have cover for combat (5.10.4)?"
    open_ground = unit.ends_in(unit.tables["clear"])
    return not open_ground and unit.told(f"cover for combat in {unit.end}", text)


# -- put back rather than moved --------------------------------------------------------------------


@interpretation("taken out")
def taken_out(mover: MoverView) -> bool:
    """It lay among enemies that it had failed to overrun, and was put back to where it came from, in whatever
    phase."""
    if len(mover.drags) != 1 or not mover.stops[0].hex:
        return False
    every = (held(mover), came_from_there(mover), failed_last(mover))
    if not all(perhaps for _, perhaps in every):
        return False
    return all(surely for surely, _ in every) or put_back_told(mover)


def held(mover: MoverView) -> tuple[bool, bool]:
    """Whether enemies are certainly where it lay, and whether they may be."""
    return mover.stops[0].surely_held(fights), mover.stops[0].perhaps_held(fights)


def came_from_there(mover: MoverView) -> tuple[bool, bool]:
    """Whether the drag certainly leads to where it came from, and whether it may: nothing witnessed it in a
    hex on its way, or the log shows no earlier drag and the two hexes are neighbours."""
    origin, to = mover.stops[0], mover.stops[-1].hex
    came = [
        mover.history.drag(drag).origin.hex
        for drag in mover.history.came_by(mover.unit.id, mover.drags[0])
    ]
    if len(came) == 1:
        return came[0] == to, came[0] == to
    return False, to in origin.beside or to in came


def failed_last(mover: MoverView) -> tuple[bool, bool]:
    """Whether the overrun of the unit that is told of last certainly failed, and whether it may have: nobody
    may have told of one."""
    said = mover.history.last_result(OVERRUN, mover.unit.id, mover.drags[0])
    return (False, True) if said is None else (said.must_be(FAILED), said.may_be(FAILED))


@interpretation("put back", lifts=None)
def put_back(mover: MoverView) -> bool:
    """An overrun put it back: its own, which failed, or one of its enemies. A retreat is not movement
    (5.0)."""
    if not mover.stops[0].hex:
        return False
    if mover.phase != EXPLOITATION:
        return may_withdraw_late(mover) and put_back_told(mover)
    return mover.of_a_known_phase and may_be_put_back(mover) and put_back_told(mover)


def may_be_put_back(mover: MoverView) -> bool:
    """Whether an overrun may have put the unit back. Of those who do not exploit, units farther off may
    retreat too or make room for others, once dice were rolled."""
    if mover.may_be_phasing() and may_have_failed_to_overrun(mover):
        return True
    if mover.surely_phasing():
        return False
    origin = mover.stops[0]
    return (
        origin.perhaps_beside(fights)
        or origin.perhaps_held(fights)
        or mover.history.rolled(mover.drags[0])
    )


def may_have_failed_to_overrun(mover: MoverView) -> bool:
    """Whether the unit may have failed to overrun and then withdrawn: it lay next to enemies while dice were
    rolled, or where others saw it."""
    found = mover.history.results(OVERRUN, mover.unit.id, mover.drags[0])
    if found and not any(map(may_have_failed, found)):
        return False
    if not may_overrun(mover) or not may_withdraw(mover):
        return False
    seen = (mover.history.rolled(mover.drags[0]), *mover.seen[1:-1])
    return any(
        there and stop.perhaps_beside(fights)
        for stop, there in zip(mover.stops[:-1], seen, strict=True)
    )
