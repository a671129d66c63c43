"""Stacking: the three alternatives of 6.9, and the limits of fortifications (20.4, 20.5)."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from ...ruleset import Measure, Requirement, StackingLimit, StackingRule
from . import ruleset_facts
from .tables import AFV, GUN, LEADERS, SQUADS, VEHICLE, WEAPON, Tables
from .unit_history import ON_FOOT

_LEADERS_COUNT = ruleset_facts.reading(
    "leader_counts_stacking", "do leaders count as infantry units in stacking (6.9)?"
)
Bounds = tuple[Fraction | None, ...]
"""The limits for the four measures, in their order: AFVs, vehicles and guns; infantry units; AFVs and
vehicles that can move on; guns. None: no limit."""


def stacking_rule(tables: Tables) -> StackingRule:
    """The stacking rule in force."""
    return StackingRule("VV-6.9-b", _measures(tables), tuple(_limits(tables)))


def _measures(tables: Tables) -> tuple[Measure, ...]:
    exempt: tuple[Requirement, ...] = ()
    if tables.applies("6.9-f"):
        exempt = (Requirement("aboard", (*ON_FOOT, False), negated=True),)
    infantry = (*SQUADS, *LEADERS) if tables.leader_counts == "yes" else SQUADS
    if not tables.applies("6.9-s"):
        infantry = (*infantry, WEAPON)
    is_open = tables.leader_counts == "open"

    def measure(name: str, *classes: str, also: tuple[Requirement, ...] = ()) -> Measure:
        return Measure(name, "", (Requirement("class", classes), *also), exempt)

    heavy = measure("AFVs, vehicles and guns", AFV, VEHICLE, GUN)
    foot = Measure(
        "infantry units",
        "",
        (Requirement("class", infantry),),
        exempt,
        (Requirement("class", LEADERS),) if is_open else (),
        _LEADERS_COUNT if is_open else None,
    )
    going = measure("AFVs and vehicles", AFV, VEHICLE, also=_GOING)
    return heavy, foot, going, measure("guns", GUN)


_GOING = tuple(Requirement(mark, (True,), negated=True) for mark in ("immobile", "pinned"))
"""The vehicles that can move on. One that was stopped by fire while passing through a hex need not leave it
(13.8)."""


def _limits(tables: Tables) -> Iterator[StackingLimit]:
    """The stacking limits of a hex, by the features in it. The mixed stack comes first, because of
    alternatives that are exceeded by the same number the first is cited."""
    works, numbers = tables.works, tables.stacking
    if tables.applies("20.5-a"):
        gun, two = numbers["bunker"]["guns"], numbers["bunker"]["infantry"]
        bounds = (_bounds(None, 0, 0, gun), _bounds(None, two, 0, 0))
        yield StackingLimit(bounds, works.bunkers, ("VV-20.5-a",) * 2)
    vehicles = numbers["vehicles"] if tables.applies("6.9-a") else None
    infantry = numbers["infantry"] if tables.applies("6.9-b") else None
    one, with_one = numbers["mixed"]["vehicles"], numbers["mixed"]["infantry"]
    if tables.applies("20.4-a"):
        foot = (_bounds(None, infantry, 0, 0),)
        yield StackingLimit(foot, works.infantry_only, ("VV-20.4-a",))
        held = (
            _bounds(one, with_one, 0, None),
            _bounds(vehicles, 0, 0, None),
            _bounds(0, infantry, 0, None),
        )
        yield StackingLimit(held, works.no_vehicles, ("VV-20.4-a", "VV-6.9-a", "VV-6.9-b"))
    mixed = _bounds(one, with_one, None, None) if tables.applies("6.9-c") else _bounds(*(None,) * 4)
    any_hex = (mixed, _bounds(vehicles, 0, None, None), _bounds(0, infantry, None, None))
    yield StackingLimit(any_hex, (), ("VV-6.9-c", "VV-6.9-a", "VV-6.9-b"))


def _bounds(*numbers: int | None) -> Bounds:
    return tuple(None if number is None else Fraction(number) for number in numbers)
