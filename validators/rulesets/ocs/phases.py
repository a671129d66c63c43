"""What holds in a whole phase: one unit after the other (6.1f, 6.1g), and no stack too big at its end."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction

from ....model.finding import Finding
from ...engine.rules import Rules
from ...engine.whole_phases import order_in_phases, stacks_after_phases
from ...moves import Track
from ...ruleset import Measure, OrderRule, Requirement, StackingLimit, StackingRule


def phases(rules: Rules, tracks: Sequence[Track]) -> Iterator[Finding]:
    """The findings about order and stacks. At the end of the phase of reinforcements a stack may be too big;
    for a phase that is no segment of movement the facts say whether it is that one."""
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
    return StackingRule(
        "OCS-X-STK", (measure,), (StackingLimit(((Fraction(most),),)),), "phase-end", missing
    )


def of(names: Sequence[str]) -> tuple[str, ...]:
    return tuple(name.lower() for name in names)
