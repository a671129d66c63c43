"""What holds in a whole phase: stacks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction

from ....model.finding import Finding
from ...engine.rules import Rules
from ...moves import Track
from ...ruleset import Measure, StackingLimit, StackingRule


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
    yield from ()
