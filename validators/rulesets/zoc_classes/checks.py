"""What holds in a whole phase: one unit after the other, turned units, stacks (6.A, 6.A.5, ST)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction

from ....model.finding import Finding
from ...engine.rules import Rules
from ...engine.told_unit import InOrder, ToldUnit
from ...engine.whole_phases import moved_on_unless, out_of_order
from ...moves import Track
from ...ruleset import Measure, OrderRule, StackingLimit, StackingRule

ONE_BY_ONE = OrderRule("ZC-6.A-d", resume=False)


def stacking(rules: Rules) -> StackingRule | None:
    """At most so many size points are in a hex at the end of a phase, if a pack gives a limit (ZC-ST)."""
    limit = rules.tables["stacking"].get("limit")
    if limit is None or not rules.applies("ST"):
        return None
    measure = Measure("size points", "size")
    missing = rules.complete.questions("stacking")
    return StackingRule(
        "ZC-ST", (measure,), (StackingLimit(((Fraction(limit),),)),), "phase-end", missing
    )


def whole(rules: Rules, tracks: Sequence[Track]) -> Iterator[Finding]:
    """The findings for units that moved on after others had moved: those that had been turned, and others
    unless they had paused."""
    told = set()
    if rules.applies("6.A.5-b"):
        for found in out_of_order(rules, tracks, turned):
            if found.verdict == "illegal":
                told.add((found.units[0], rules.history.timeline.phase_number(found.steps[0])))
            yield found
    if rules.applies("6.A-d"):
        for found in moved_on_unless(rules, tracks, ONE_BY_ONE, paused):
            number = rules.history.timeline.phase_number(found.steps[0])
            if (found.units[0], number) not in told:
                yield found


def paused(unit: ToldUnit) -> bool:
    """Whether a unit had paused for an overrun or an engineering function (6.A-e)."""
    return unit.rule("6.A-e") and unit.is_("pause", "true", "yes")


def turned(unit: InOrder) -> Finding | None:
    """A unit that was turned to show that it had moved has finished: neither a pause nor a stack explains it
    if it moves on after another has moved (6.A.5-b)."""
    return moved_on(unit) or stayed(unit)


def is_turned(unit: ToldUnit) -> bool:
    return unit.is_("turned", "true", "yes")


def moved_on(unit: InOrder) -> Finding | None:
    """It was dragged, turned, and dragged on after another unit had been dragged."""
    first, *later = unit.own
    text = "{} had been turned to show that it had moved, and moved on after {others} had moved"
    for second in later:
        for other in unit.between(first.event, second.event):
            there, then = unit.at(other.event), unit.at(second.event)
            if is_turned(unit.at_opening()) or not is_turned(there) or not is_turned(then):
                continue
            if not unit.by_hand(other, second.event):
                return unit.accused("6.A.5-b", text, (first.track, other.track, second.track))
    return None


def stayed(unit: InOrder) -> Finding | None:
    """It was turned in the hex where it began the phase, so that its movement was over, and was dragged after
    another unit had been dragged and seen."""
    first = unit.own[0]
    text = "{} had been turned to show that it stayed, and moved after {others} had moved"
    if not unit.at_opening().surely("turned", "false", "no"):
        return None
    for other in unit.between(-1, first.event):
        events = (other.event, first.event)
        shown = all(unit.at(event).surely("turned", "true", "yes") for event in events)
        if shown and unit.surely_between(other, first.event):
            return unit.accused("6.A.5-b", text, (other.track, first.track))
    return None
