"""Hexes with enemies, and with wire, tank traps or mines."""

from __future__ import annotations

from ...cost_interval import FREE, CostInterval
from ...engine.clauses import CLOSED, cost, forbid, must_stop
from ...engine.other_unit import Enemy
from ...engine.step import Step
from .readings import stopped
from .terms import ASSAULTS, HEAVY, LIGHT, MINES, NO_CLASS, SQUAD, TRAP, TRUCK, VEHICLES, WIRE

TANKS = (LIGHT, HEAVY, NO_CLASS)
"""The classes that may have the abilities of a tank."""


def overruns(step: Step) -> bool:
    """Whether the mover can overrun enemies: it has the abilities of a tank (MV-d)."""
    return step.cls in TANKS and step.rule("MV-d") and step.is_so("tank")


@forbid("MV-c", "enters a hex with enemies")
def held(step: Step) -> bool:
    """No unit enters a hex with an enemy unit. Riders are not on the board, their vehicle is."""
    return step.into.enemies() and not overruns(step)


def on_the_board(enemy: Enemy) -> int:
    """1 for a unit that is on the board: no rider."""
    return int(enemy.surely("class", *VEHICLES) or enemy.is_("aboard", "no"))


@cost("X-OV-a", "overrun", classes=TANKS)
def overrun(step: Step) -> CostInterval | str:
    """A tank moves through enemies for 1 MP more for each of their units in the hex, riders apart."""
    if not step.into.enemies():
        return FREE
    if not overruns(step):
        return CLOSED if step.rule("MV-c") else FREE
    each = step.charge("expenses", "overrun", step.cls).lo
    every = step.into.tally(on_the_board, "out of")
    least, most = sum(one.lo for one in every), sum(one.hi or 0 for one in every)
    asked = (fact for one in every for fact in one.asked)
    return step.due(CostInterval(least * each, most * each), *asked)


@forbid("X-OV-b", "ends in a hex with enemies, which it may only overrun", classes=TANKS)
def ends_among_enemies(step: Step) -> bool:
    """A tank does not end its movement in a hex with enemies. Where it is not known whether the unit is one,
    it does not enter such a hex at all (MV-c)."""
    perhaps = step.cls in TANKS and step.rule("MV-d") and not step.fact("tank").must_be(False)
    if not perhaps or not step.ends_here or not step.into.enemies():
        return False
    if not overruns(step):
        return step.rule("MV-c")
    unit, name = step.mover.unit, step.there
    if not went_on(step):
        return True
    text = f"did {unit.name} end its movement in {name}, neither moved on, nor stopped nor destroyed there?"
    return step.mover.told(f"end in {name}", text, unit)


def went_on(step: Step) -> bool:
    """Whether the unit is or may be moved on, is taken off next, or may have had to stop."""
    acts = step.mover.acts
    gone = step.mover.history.taken_off(acts.unit.id, acts.did.end)
    return step.mover.move.goes_on or gone or stopped(acts, step.cls)


# -- wire, traps and mines -------------------------------------------------------------------------


@must_stop("X-RW-a", lambda step: f"goes on after it entered {WIRE} in {step.there}")
def wire(step: Step) -> bool:
    """Squads without engineers and light vehicles stop in a hex with razor wire."""
    if step.cls == HEAVY or not step.into.lies(WIRE):
        return False
    return step.of(TRUCK, LIGHT) or (step.of(SQUAD) and not step.is_so("engineer"))


@must_stop(
    "X-TT-b",
    lambda step: f"goes on after it entered {TRAP} in {step.there}",
    classes=(*VEHICLES, NO_CLASS),
)
def stopped_by_traps(step: Step) -> bool:
    """A vehicle stops in a hex with a tank trap."""
    return step.into.lies(TRAP) and step.of(*VEHICLES)


@forbid(
    "X-TT-a",
    "enters a hex with a tank trap, but did not start next to it",
    classes=(*VEHICLES, NO_CLASS),
)
def into_traps(step: Step) -> bool:
    """A vehicle enters a hex with a tank trap only if it began its movement next to it."""
    if not step.into.lies(TRAP) or not step.of(*VEHICLES) or not step.walked_from:
        return False
    return step.there not in step.rules.game.board.neighbours(step.walked_from)


def before_assault(step: Step) -> str:
    kind = next(kind for kind in (WIRE, MINES) if step.into.lies(kind))
    return f"enters a hex with {kind} before it assaults"


@forbid("X-AS-c", before_assault)
def then_assaults(step: Step) -> bool:
    """A squad that entered razor wire or a minefield does not assault in the same action."""
    if not step.fact(ASSAULTS).must_be(True):
        return False
    entered = step.into.lies(WIRE) or step.into.lies(MINES)
    return entered and bool(step.mover.acts.hex("assaults"))
