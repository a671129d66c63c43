"""What holds in a whole phase: one unit after the other (6.1f, 6.1g), and no stack too big at its end. And
what else a drag may have been: an overrun, rail, air or sea, carried, put back by an overrun.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction

from ....model.finding import Finding
from ...engine.clauses import interpretation
from ...engine.declared import NO_MOVEMENT
from ...engine.mover_view import MoverView
from ...engine.phase_checks import order_in_phases, stacks_after_phases
from ...engine.rules import Rules
from ...moves import Track
from ...ruleset import Measure, OrderRule, Requirement, StackingLimit, StackingRule
from .terms import types


def phases(rules: Rules, tracks: Sequence[Track]) -> Iterator[Finding]:
    """The findings about order and stacks. At the end of the phase of reinforcements a stack may be too big;
    for a phase that is not a segment of movement the facts say whether it is that one."""
    yield from order_in_phases(rules, tracks, one_by_one(rules))
    topic, text = (
        "stacking in {}",
        "are stacks looked at when the phase {} ends (not that of reinforcements)?",
    )
    yield from stacks_after_phases(rules, tracks, limit(rules), topic, text)


def one_by_one(rules: Rules) -> OrderRule:
    """A unit does not move in part, wait, and move on (6.1g-a); one that its stack left behind is finished
    (6.1f-b). Supplies and the like are handled all the time; an air unit interrupts only by a mission."""
    types, applies = rules.tables["types"], rules.applies("6.1g-a")
    apart = (
        Requirement("type", of(types["unstacked"])),
        Requirement("mission", (True,), negated=True),
    )
    spared = (Requirement("type", of(types["exempt"])),)
    exempt = spared if rules.applies("6.1g-c") else ()
    dropped = "OCS-6.1f-b" if rules.applies("6.1f-b") else ""
    return OrderRule("OCS-6.1g-a" if applies else "", not applies, exempt, apart, dropped)


def limit(rules: Rules) -> StackingRule | None:
    """At most so many RE are in a hex at the end of a phase (X-STK); None: any number."""
    most, whole = rules.tables["stacking"]["limit"], rules.game.rules.complete
    unlimited = (
        whole is not None and "stacking" in whole and "stacking" not in rules.game.rules.tables
    )
    if not rules.applies("X-STK") or unlimited:
        return None
    exempt = (Requirement("type", of(rules.tables["types"]["unstacked"])),)
    missing = rules.complete.questions("stacking")
    measure = Measure("RE", "re", (), exempt)
    return StackingRule("OCS-X-STK", (measure,), (StackingLimit(((Fraction(most),),)),), missing)


def of(names: Sequence[str]) -> tuple[str, ...]:
    return tuple(name.lower() for name in names)


OWN = ("6.1b-a", "6.1c-e", "6.0-c", "6.3b-a", "X-5.S")
"""The clauses that bind a unit only where it moves by its own MPs."""


@interpretation("overrun", lifts=())
def overrun(mover: MoverView) -> bool:
    """It overran enemies who were where it was put down, or who left their hexes in the phase."""
    if not unnamed(mover) or not mover.rule("6.1-f") or not mover.may_have_met_enemies():
        return False
    return mover.told_now("overran", "was it an overrun by which {} went to the enemies' hex?")


@interpretation("rail", lifts=OWN)
def rail(mover: MoverView) -> bool:
    """It was carried by rail, to a hex at a railroad (13.3)."""
    if not unnamed(mover) or not mover.target.line_perhaps("rail", "roads"):
        return False
    anybody = "does anybody go by rail (13.3) in what these logs hold?"
    return mover.told("rail movement in the game", anybody) and mover.told_now(
        "moved by rail", "was {} carried by rail (13.3)?"
    )


@interpretation("lift", lifts=(*OWN, "6.1d-a", "6.2c-a"))
def lift(mover: MoverView) -> bool:
    """It was carried by air or sea, from air base to air base or from port to port."""
    if not unnamed(mover) or not bases(mover, mover.origin) & bases(mover, mover.target):
        return False
    anybody = "is anybody carried by air or sea in what these logs hold?"
    return mover.told("air or sea movement in the game", anybody) and mover.told_now(
        "moved by air or sea", "was {} carried by air or sea?"
    )


@interpretation("carried", lifts=(*OWN, "6.1d-a", "6.2c-a", "6.1b-c"))
def carried(mover: MoverView) -> bool:
    """It is supplies that transport points carried (13.2)."""
    if not mover.possibly("type", *types(mover, "carried")) or not mover.rule("6.1b-c"):
        return False
    return mover.told_now(
        "carried by transport points", "was {} carried by transport points (13.2)?"
    )


@interpretation("retreat", lifts=(*OWN, "6.1d-a", "6.3a-a", "6.3a-b", "X-ELIG", "6.3b-b"))
def retreat(mover: MoverView) -> bool:
    """An overrun put it back; or the phase is none of movement, in which it can only be put back."""
    if mover.phase == NO_MOVEMENT:
        return True
    named = mover.tables["overrun"]["form"] in mover.forms
    if not (unnamed(mover) or named) or not mover.rule("6.1-f"):
        return False
    if mover.target.surely_enemies or not mover.may_have_been_attacked():
        return False
    return mover.told_now("put back by an overrun", "was {} put back by an overrun?")


def unnamed(mover: MoverView) -> bool:
    """Whether the pack names no movement forms."""
    return mover.forms == ("",)


def bases(mover: MoverView, at: object) -> set[str]:
    """Which bases for transport a hex holds or may hold, as counters or on the map: ``air``, ``port``."""
    words = at.words_perhaps("type", ("airbase", "port"))  # type: ignore[attr-defined]
    return {key for key in ("air", "port") for w in words if w.startswith(key) and w != "air"}
