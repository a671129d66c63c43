"""Stacking: the three alternatives of 6.9, and the limits of fortifications (20.4, 20.5)."""

from __future__ import annotations

from fractions import Fraction

from ...engine.event_index import ON_FOOT
from ...engine.rules import Rules
from ...ruleset import Measure, Requirement, StackingLimit, StackingRule
from .terms import LEADERS, SQUADS


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
