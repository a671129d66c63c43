"""How many may be in a hex: the three alternatives of 6.9, and fortifications (20.4, 20.5)."""

from __future__ import annotations

from fractions import Fraction

from ...ruleset import Measure, Requirement, StackingLimit, StackingRule
from .record import ON_FOOT
from .tables import AFV, FOOT, GUN, SQUADS, VEHICLE, WEAPON, Tables


def stacking_rule(tables: Tables) -> StackingRule | None:
    """The stacking rule in force."""
    numbers = tables.stacking
    exempt: tuple[Requirement, ...] = ()
    if tables.applies("6.9-f"):
        exempt = (Requirement("aboard", (*ON_FOOT, False), negated=True),)
    infantry = FOOT if tables.leader_counts == "yes" else SQUADS
    if not tables.applies("6.9-s"):
        infantry = (*infantry, WEAPON)

    def measure(name: str, *classes: str) -> Measure:
        return Measure(name, "", (Requirement("class", classes),), exempt)

    measures = (
        measure("AFVs, vehicles and guns", AFV, VEHICLE, GUN),
        measure("infantry units", *infantry),
    )
    two, four = numbers["vehicles"], numbers["infantry"]
    one, with_one = numbers["mixed"]["vehicles"], numbers["mixed"]["infantry"]
    bounds = tuple(
        (Fraction(a), Fraction(b)) for a, b in ((one, with_one), (two, 0), (0, four))
    )
    return StackingRule("VV-6.9-b", measures, (StackingLimit(bounds),))
