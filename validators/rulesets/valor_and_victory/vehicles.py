"""AFVs, vehicles and guns (6.32, 6.5, 7.2, 7.3, 18.6, 19, 1.15): turning, reverse, overruns, printed MPs."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from ....model.bill import Amount
from ....model.fact import Fact
from ....model.unit import Unit
from ...cost_interval import CostInterval, total
from ...engine.allowance import Mp
from ...engine.clauses import actions, allowance, cost, forbid, forbid_move, must_stop
from ...engine.due import Choice
from ...engine.history import History
from ...engine.mover_facts import MoverFacts
from ...engine.mover_view import MoverView
from ...engine.questions import HERE
from ...engine.step import Step
from .terms import CLASSES, DRIVEN

OVERRUN = ("overrun", "backing")


class Drive(NamedTuple):
    """The state of a vehicle on its way. ``facing`` None: any, before it came onto the map. ``turned``: the
    turn in this hex is used up. ``stage``: "overrun" (or "backing", in reverse) in the hex that it
    overruns, "through" in the one behind it. ``started``: it has left its first hex."""

    facing: int | None
    turned: bool = False
    stage: str = ""
    started: bool = True


def start(facts: MoverFacts) -> Drive:
    said = facts.known["facing"].value
    return Drive(None if said == "any" else int(str(said)), True, "", False)


def unfinished(state: Drive, facts: MoverFacts) -> bool:
    """Whether a move cannot end so: in the hex that is overrun, if nothing follows."""
    return state.stage in OVERRUN and not facts.goes_on


@actions("drive", classes=DRIVEN)
def drive(step: Step) -> Iterator[Choice]:
    """A vehicle turns in its hex, or goes into a neighbouring one: ahead, in reverse, or over enemies."""
    at: Drive = step.tag
    for facing in range(6) if at.facing is None else (at.facing,):
        yield from drive_facing(step, at._replace(facing=facing))


def drive_facing(step: Step, at: Drive) -> Iterator[Choice]:
    shown = None if at.started else step.shown
    overrunning = at.stage in OVERRUN
    for facing in range(6):
        if facing != at.facing and (at.started or facing == shown or not on_the_spot(step)):
            yield Choice(HERE, at._replace(facing=facing, turned=not overrunning))
    for to in step.around:
        ahead, back = faces(to, at)
        if overrunning:
            held = step.rule("19.4-a")
            yield Choice(to.place, at._replace(turned=held, stage="through" if held else ""))
            continue
        if not ahead and not back and shown is not None:
            continue  # the log shows that it turned first; that breach explains the move
        after = Drive(at.facing)
        if not is_run_over(to):
            yield Choice(to.place, after)
            if at.facing is not None and not at.started and step.rule("6.5-b"):
                for side in (1, 5):  # a minimum move is one step with its free turn
                    turned = after._replace(facing=(at.facing + side) % 6, turned=True)
                    yield Choice(to.place, turned)
        if step.phase == "movement" and not at.stage and to.into.enemies():
            if ahead or not back:
                yield Choice(to.place, after._replace(turned=True, stage="overrun"))
            else:  # the rules do not say whether it may
                yield Choice(to.place, after._replace(turned=True, stage="backing"), sure=False)


def is_run_over(step: Step) -> bool:
    """Whether a hex certainly has enemies and the move does not end there, so that it can only be overrun."""
    barred = step.phase == "movement" and step.rule("6.8-a") and step.rule("20.3-b")
    return barred and step.into.surely_enemies() and not step.ends_here


def on_the_spot(step: Step) -> bool:
    return step.rule("7.3-b" if step.phase == "advance" else "7.3-a")


def faces(step: Step, at: Drive) -> tuple[bool, bool]:
    """Whether the hex entered lies ahead, and whether it lies behind. Across a link of the board: both."""
    way = step.way
    return way in (at.facing, None), way is None or at.facing is None or way == (at.facing + 3) % 6


def ahead_or_back(step: Step) -> tuple[bool, bool]:
    """As :func:`faces`, for the step, with the facing before a free turn in its hex."""
    facing = step.after.facing
    if step.after.turned and not step.after.stage and not step.tag.started:
        facing = facing if step.tag.facing is None else step.tag.facing
    return faces(step, step.tag._replace(facing=facing))


def sides(step: Step) -> int:
    """By how many hexsides the step turns."""
    if step.tag is None or step.enters or step.tag.facing is None:
        return 0
    turn = int(step.tag.facing) - int(step.after.facing)
    return min(turn % 6, -turn % 6)


@forbid("7.2-b", "leaves a hex neither ahead nor in reverse", classes=DRIVEN)
def sideways(step: Step) -> bool:
    """A vehicle moves into the hex in front of it, or backs into the one behind it."""
    return step.enters and step.tag.stage not in OVERRUN and not any(ahead_or_back(step))


@forbid("6.5-a", "turns more than once in {step.here}", classes=DRIVEN)
def one_turn(step: Step) -> bool:
    """In each hex it enters a moving vehicle may turn once."""
    return not step.enters and step.tag.started and step.tag.turned and not step.tag.stage


@forbid("7.3-a", "turns in its hex and moves all the same", classes=DRIVEN, phase="movement")
def turns_first(step: Step) -> bool:
    """A vehicle may turn where it stands, as the only thing it does."""
    return not step.enters and not step.tag.started


def turned_too_far(step: Step) -> str:
    if step.tag.started:
        return "turns by more than one hexside in its advance"
    return "turns in its hex and moves all the same"


@forbid("7.3-b", turned_too_far, classes=DRIVEN, phase="advance")
def turns_in_advance(step: Step) -> bool:
    """In an advance it may turn by one hexside, after it or instead of it."""
    return not step.enters and (not step.tag.started or sides(step) > 1)


@cost("6.5-c", lambda step: f"turns {sides(step)} hexsides", classes=DRIVEN, phase="movement")
def turning(step: Step) -> int:
    """The first hexside of a turn is free (6.5-b), each further one costs 1 MP."""
    return max(0, sides(step) - step.rule("6.5-b"))


@cost("7.2-c", "in reverse", classes=DRIVEN, phase="movement")
def reverse(step: Step) -> CostInterval | int:
    """Backing costs double; whether hexside and rise are doubled as well is open."""
    if (
        not step.enters
        or ahead_or_back(step)[0]
        or not ahead_or_back(step)[1]
        or step.tag.stage == "overrun"
    ):
        return 0
    every = total(cost for cost in step.before.values())
    return (
        every
        if step.reading("reverse_doubles_hexside")
        else step.before.get("6.2-a", CostInterval())
    )


@cost("19.3-b", "overrun", classes=DRIVEN, phase="movement")
def overrun_costs(step: Step) -> int:
    """An overrun costs 2 MPs besides every hex entered."""
    return step.tables["overrun"]["cost"] if is_overrun(step) else 0


def is_overrun(step: Step) -> bool:
    return step.enters and step.after.stage in OVERRUN


@forbid("19.1-a", "overruns where it may not", classes=DRIVEN)
def who_overruns(step: Step) -> bool:
    """Only AFVs overrun, not with a gun in tow, and not through a building, a bunker or an enemy AFV."""
    if not is_overrun(step):
        return False
    shut = ("building", *step.tables["works"]["bunkers"])
    return (
        step.cls != "afv"
        or step.into.has(shut)
        or step.into.enemies(**{"class": "afv"})
        or tows_gun(step.mover)
    )


def tows_gun(mover: MoverView) -> bool:
    """Whether a friendly gun in its hex is marked as on it."""
    history, here = mover.history, mover.history.place(mover.unit.id, mover.index)
    for name in mover.rules.may_be("class", ("gun",)):
        gun = mover.other(name)
        if name == mover.unit.id or history.place(name, mover.index) != here:
            continue
        if gun.is_on(mover.unit.id) and gun.is_("class", "gun") and mover.friend(gun.unit):
            return True
    return False


def not_straight(step: Step) -> str:
    if step.tag.stage not in OVERRUN:
        return "stays in the hex it overruns"
    how = "leaves the hex it overran otherwise than straight ahead"
    return how if step.enters else "turns in the hex it overruns"


@forbid("19.3-a", not_straight, classes=DRIVEN)
def straight_through(step: Step) -> bool:
    """An overrun leads straight through the target hex into the one opposite."""
    if step.tag.stage in OVERRUN:
        return not step.enters or not faces(step, step.tag)[step.tag.stage == "backing"]
    if not is_overrun(step) or not step.ends_here or not step.goes_on:
        return False
    text = "did the AFV stay in hex {}, which it overran, neither going on nor lost in it (19.2, 19.3)?"
    return step.told_of_hex("stays in hex {}", text)


@must_stop("19.4-a", "goes on or turns after an overrun", classes=DRIVEN)
def after_overrun(step: Step) -> bool:
    """The AFV stops in the exit hex and does not turn there."""
    return step.enters and step.after.stage == "through"


# -- how far, and whether at all -------------------------------------------------------------------


@allowance("6.32-a", classes=DRIVEN, phase="movement")
def printed(mover: MoverView) -> Mp:
    """The MPs of AFVs and vehicles are printed on their counters."""
    return Mp(mover.amount("mp"), "6.32-a", minimum="6.6-a")


@allowance("6.32-b", classes=("gun",), phase="movement")
def guns(mover: MoverView) -> Mp:
    """A gun with 1 MP may be moved one hex; of guns with more the rules say nothing."""
    one = one_hex(mover, "6.32-b")
    if one.amount is None or not mover.rule("6.32-b") or mover.most("mp", 1):
        return one
    text = "may {}, a gun with more than one movement point, move more than one hex in a turn?"
    several = mover.told("several hexes", text.format(mover.unit.name), mover.unit)
    return Mp(None, "6.32-b", unit="hexes") if several else one


@allowance("5.35-a", classes=CLASSES, phase="advance")
def advance(mover: MoverView) -> Mp:
    """In the Advance and Assault Phase any unit may go one hex."""
    return one_hex(mover, "5.35-a")


def one_hex(mover: MoverView, clause: str) -> Mp:
    """One hex. If the unit lies again where it was, its move may have been taken back: then it is not known
    how far it went."""
    one, origin = Mp(Amount.exactly(1), clause, unit="hexes"), mover.move.origin
    if origin != mover.move.target or not mover.rule(clause):
        return one
    text = f"was the move of {mover.unit.name} from {origin.name} taken back, after others had seen it?"
    back = mover.told(f"taken back to {origin.name}", text, mover.unit)
    return one._replace(amount=None) if back else one


@forbid_move("18.6-a", "is immobilized", classes=("afv",))
def immobilized(mover: MoverView) -> bool:
    """An immobilized AFV neither moves nor turns."""
    return mover.marked("immobile")


@forbid_move("7.2-b", classes=DRIVEN)
def faces_somewhere(mover: MoverView) -> bool:
    """Where its facing at the end is not known, no way is certain."""
    return mover.faces_nowhere()


@forbid_move("1.15-a", "is a large gun, and moves only in tow", classes=("gun",))
def large_gun(mover: MoverView) -> bool:
    """A gun with 0 MPs moves only in tow; whether it may advance is open."""
    return mover.most("mp", 0) and not (
        mover.phase == "advance" and mover.reading("large_guns_advance")
    )


@forbid_move("10.4-a", "brings a large gun into a building", classes=("gun",), phase="advance")
def large_gun_in_building(mover: MoverView) -> str | bool:
    """Large guns may not be in buildings. A hex with a road may count as a road hex."""
    into = mover.last_step().into
    if not into.may_be_only("building") or not mover.most("mp", 0):
        return False
    if "building" not in into.terrains or into.line("road"):
        return False
    return f"brings a large gun into a building at {mover.move.target.name}"


def facing(history: History, unit: Unit, drags: list[int]) -> Fact:
    """The facing when the phase began; any for a vehicle that came onto the map."""
    if history.came_in(unit.id, drags[0]):
        return Fact(("any",))
    return history.value(unit.id, "facing", history.phase(drags[0])[0])
