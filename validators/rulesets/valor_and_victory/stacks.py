"""Stacking: the three alternatives of 6.9, and the limits of fortifications (20.4, 20.5)."""

from __future__ import annotations

from fractions import Fraction

from ...engine.clauses import Broken, check
from ...engine.event_index import ON_FOOT
from ...engine.phases import UnitInPhase
from ...engine.rules import Rules
from ...moves import Track
from ...ruleset import Measure, Requirement, StackingLimit, StackingRule
from .terms import DRIVEN, LEADERS, SQUADS, leaders_with


def stacking(rules: Rules) -> StackingRule:
    """Two AFVs, vehicles or guns; or four infantry units; or one and two. A carried unit does not count."""
    exempt = (
        (Requirement("aboard", (*ON_FOOT, False), negated=True),) if rules.applies("6.9-f") else ()
    )
    leaders = rules.options["leader_counts_stacking"]
    infantry = (*SQUADS, *LEADERS) if leaders == "yes" else SQUADS
    infantry = infantry if rules.applies("6.9-s") else (*infantry, "weapon")
    going = tuple(Requirement(mark, (True,), negated=True) for mark in ("immobile", "pinned"))

    def measure(name: str, *classes: str, also: tuple[Requirement, ...] = ()) -> Measure:
        return Measure(name, "", (Requirement("class", classes), *also), exempt)

    open_ = leaders == "open"
    foot = Measure(
        "infantry units", "", (Requirement("class", infantry),), exempt,
        (Requirement("class", LEADERS),) if open_ else (),
        rules.reading_question("leader_counts_stacking") if open_ else None,
    )  # fmt: skip
    heavy = measure("AFVs, vehicles and guns", "afv", "vehicle", "gun")
    driven = measure("AFVs and vehicles", "afv", "vehicle", also=going)
    return StackingRule("VV-6.9-b", (heavy, foot, driven, measure("guns", "gun")), limits(rules))


def limits(rules: Rules) -> tuple[StackingLimit, ...]:
    """The limits of a hex, by the features in it; of alternatives exceeded alike the first is cited."""
    works, n = rules.tables["works"], rules.tables["stacking"]
    on = rules.applies
    heavy, foot = n["vehicles"] if on("6.9-a") else None, n["infantry"] if on("6.9-b") else None
    one, two = (n["mixed"]["vehicles"], n["mixed"]["infantry"])
    found = []
    if on("20.5-a"):
        bunker = (
            bounds(None, 0, 0, n["bunker"]["guns"]),
            bounds(None, n["bunker"]["infantry"], 0, 0),
        )
        found.append(StackingLimit(bunker, tuple(works["bunkers"]), ("VV-20.5-a",) * 2))
    if on("20.4-a"):
        found.append(
            StackingLimit(
                (bounds(None, foot, 0, 0),), tuple(works["infantry_only"]), ("VV-20.4-a",)
            )
        )
        held = (bounds(one, two, 0, None), bounds(heavy, 0, 0, None), bounds(0, foot, 0, None))
        found.append(
            StackingLimit(held, tuple(works["no_vehicles"]), ("VV-20.4-a", "VV-6.9-a", "VV-6.9-b"))
        )
    mixed = bounds(one, two, None, None) if on("6.9-c") else bounds(*(None,) * 4)
    any_hex = (mixed, bounds(heavy, 0, None, None), bounds(0, foot, None, None))
    return (*found, StackingLimit(any_hex, (), ("VV-6.9-c", "VV-6.9-a", "VV-6.9-b")))


def bounds(*numbers: int | None) -> tuple[Fraction | None, ...]:
    return tuple(None if number is None else Fraction(number) for number in numbers)


# -- stacks in the course of a phase ---------------------------------------------------------------


@check("6.7-b", phase="movement")
def ends_in_a_full_hex(unit: UnitInPhase) -> Broken | None:
    """A move may not end where the unit makes the stack too big, even if others leave the hex afterwards. Of
    a stack that is too big when the phase ends, that is said."""
    crowd = unit.crowd()
    if crowd is None or unit.surely_too_many(crowd.stay, crowd.hex, crowd.left):
        return None
    came = [unit.rules.game.units[one] for one in crowd.came]
    others = set(crowd.units) - set(crowd.stay)
    if any(unit.history.value(one, "moved", crowd.left).must_be(True) for one in others):
        return None  # its move may have been made before
    held = unit.too_many(crowd.units, crowd.hex, crowd.left)
    if not held or any(excused(unit.of(one), crowd.hex) for one in came):
        return None
    text = f"ended its move in {crowd.hex}: until others left, that held {held}"
    return Broken(text, crowd.came[::-1], (crowd.last, crowd.left))


def excused(unit: UnitInPhase, name: str) -> bool:
    """Whether a unit may have ended its move in a hex that was full."""
    return stopped(unit, name) or comes_to_load(unit, name)


def comes_to_load(unit: UnitInPhase, name: str) -> bool:
    """Whether a vehicle entered a hex in order to load there (8.4)."""
    takes_none = unit.surely("transport", "none") and unit.fact("tow").must_be(False)
    if takes_none or not unit.is_("class", *DRIVEN):
        return False
    text = f"did {unit.unit.name} enter {name} in order to load units that were there (8.4)?"
    return unit.told(f"loads in {name}", text, unit.unit)


def stopped(unit: UnitInPhase, name: str) -> bool:
    """Whether fire stopped a unit in the hex in which it ended its move (13.8)."""
    marks = [
        fact
        for mark in ("pinned", "immobile")
        for fact in (
            unit.history.value(unit.unit.id, mark, unit.drags[-1] + 1),
            *(
                f
                for _, f in unit.history.changes(unit.unit.id, mark, unit.drags[-1], unit.phase.end)
            ),
        )
    ]
    put_back = name in unit.history.put_back(unit.unit.id, unit.drags)
    if not put_back and all(fact.must_be(False) for fact in marks):
        return False
    text = f"was {unit.unit.name} stopped in {name} by Opportunity Fire (13.8)?"
    return unit.told(f"stopped in {name}", text, unit.unit)


@check("6.1-b", phase="movement")
def together_up_to_the_limit(unit: UnitInPhase) -> Broken | None:
    """Units move together only up to the stacking limits: those that came so far only with one leader moved
    in one stack with him."""
    every = (unit.of(unit.rules.game.units[name]) for name in unit.rules.may_be("class", SQUADS))
    led = [
        one for one in every if one.unit.id != unit.unit.id and unit.drags and follows(one, unit)
    ]
    if len(led) < unit.tables["stacking"]["infantry"] or not unit.is_("class", *LEADERS):
        return None
    led = [one for one in led if needs(one, unit)]
    names, drags = [unit.unit.id, *(one.unit.id for one in led)], unit.history.on_map
    first = min(drags(name, unit.phase.first)[0] for name in names)
    last = max(drags(name, unit.phase.first)[-1] for name in names)
    held, end = unit.too_many(names, "", first, last + 1), unit.history.drag(last).target
    stay = [name for name in names if unit.history.place(name, unit.phase.end) == end]
    if not held or unit.surely_too_many(stay, end.name, unit.phase.end - 1):
        return None
    text = f"moved in one stack with too many: {held}; only its bonus brought them so far"
    return Broken(text, tuple(names), (first, last))


def follows(squad: UnitInPhase, leader: UnitInPhase) -> bool:
    """Whether a squad may have made its whole move with a leader."""
    move = whole_move(squad)
    if move is None or not leader.rules.may_be_friends(leader.unit, squad.unit.id):
        return False
    drags = squad.history.on_map(squad.unit.id, squad.phase.first)
    return squad.history.with_it(squad.unit, leader.unit, drags, move.move)[0] is not False


def whole_move(unit: UnitInPhase) -> Track | None:
    """The move that is all a unit did in the phase, but for leaving the map after others had seen it."""
    history = unit.history
    drags = history.on_map(unit.unit.id, unit.phase.first)
    gone = unit.drags[len(drags) :]
    if gone and not history.in_turn((drags[-1], gone[0]), unit.unit.side):
        return None
    return next((t for t in unit.tracks() if history.of_move(unit.unit.id, t.move) == drags), None)


def needs(squad: UnitInPhase, leader: UnitInPhase) -> bool:
    """Whether a squad, going with a leader, came as far as it did by no other leader and not alone."""
    track = whole_move(squad)
    if track is None or not squad.is_("class", *SQUADS) or squad.put_back():
        return False
    history, carriers = squad.history, squad.rules.may_be("class", DRIVEN)
    drags = history.on_map(squad.unit.id, squad.phase.first)
    if not history.on_its_own(squad.unit, drags, carriers) or squad.dies_unseen(drags[-1]):
        return False
    led_by = {name for name, along, _ in leaders_with(squad, drags, track.move) if along}
    return led_by == {leader.unit.id} and not squad.gets_there(track, without="alone")
