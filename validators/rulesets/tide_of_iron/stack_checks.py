"""Checks of stacks: squads in entrenchments (X-EN-a), and squads that get out into a full hex (SB-8b)."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from ....model.fact import UNKNOWN
from ....model.finding import Finding
from ....model.game import Game, StateChange
from ....model.unit import Unit
from ...answers import answer
from ...ruleset import Measure, Requirement, StackingLimit, StackingRule
from ...verdicts import left_open
from .ruleset_facts import dug_in, posture
from .tables import Tables
from .unit_actions import NO
from .unit_history import UnitHistory


def squads_in_entrenchments() -> StackingRule:
    """The limit of squads in entrenchments: one for each entrenchment, and three in a hex at most
    (X-EN-a)."""
    measure = Measure("squads in entrenchments", "", (Requirement("works", ("entrenchment",)),))
    one = StackingLimit(((Fraction(1),),), ("entrenchment",))
    two = StackingLimit(((Fraction(2),),), ("two entrenchments",))
    return StackingRule("TOI-X-EN-a", (measure,), (two, one, StackingLimit(((Fraction(3),),))))


def left_open_if_more_entrenchments(
    found: Finding, game: Game, unit_history: UnitHistory
) -> Finding | None:
    """``found``, left open if a marker that was in the hex may be an entrenchment that is not on the board.
    If the facts answer whether there were enough entrenchments: ``found`` itself, or None if there were."""
    name, end = found.hexes[0], unit_history.timeline.end_event(found.steps[-1])
    for marker, unit in game.units.items():
        if unit.kind != "marker" or not _perhaps_entrenchment(unit, unit_history, end):
            continue
        places = (unit_history.place(marker, 0), *unit_history.targets(marker, 0, end))
        if any(place.kind == "hex" and place.name == name for place in places):
            enough = answer(game, dug_in(name))
            if enough is None:
                return left_open(found, dug_in(name).unknown())
            return None if enough else found
    return found


def _perhaps_entrenchment(marker: Unit, unit_history: UnitHistory, end: int) -> bool:
    """Whether a marker was an entrenchment at some time before event ``end``, or may have been, by its name
    or its type."""
    if "entrenchment" in marker.name.lower():
        return True
    facts = [fact for _, fact in unit_history.series(marker.id, "type", 0, end)]
    told = facts if "type" in marker.attributes else facts[1:]
    if any(fact.options is None for fact in told):
        return True
    return any("entrenchment" in str(o).lower() for fact in told for o in fact.options or ())


def left_open_if_squads_left(found: Finding, game: Game, unit_history: UnitHistory) -> Finding:
    """``found``, left open if a squad came into the hex with its attribute ``works`` still set from the hex
    that it left."""
    _, end = unit_history.phase(unit_history.timeline.first_event(found.steps[-1]))
    strays = [
        unit
        for unit in found.units
        if unit_history.drags(unit, unit_history.said(unit, "works", end), end)
        and not unit_history.is_declared(unit_history.value(unit, "works", end))
    ]
    if not strays:
        return found
    return left_open(found, *(posture(game.units[unit], "works") for unit in strays))


def crowded_exits(
    game: Game, unit_history: UnitHistory, tables: Tables
) -> Iterator[tuple[str, str, int]]:
    """(unit, hex, number of the phase) for every squad that got out of a vehicle into a hex where the
    stacking limit was then exceeded."""
    limit = tables.stacking_limit
    for index, event in enumerate(game.events):
        if limit is None or not isinstance(event, StateChange) or event.attribute != "aboard":
            continue
        if event.unit not in game.units:
            continue
        out = event.after.must_be(NO) and not event.undo and event.before != UNKNOWN
        place, side = unit_history.place(event.unit, index), game.units[event.unit].side
        if not out or event.before.may_be(NO) or place.kind != "hex":
            continue
        vehicle = unit_history.vehicle((event.before.options or (NO,))[0], event.unit, index)
        if vehicle is None or unit_history.place(vehicle, index) != place:
            continue
        there = [
            name
            for name, unit in game.units.items()
            if unit.kind == "unit"
            and unit.side == side
            and unit_history.place(name, index) == place
            and (name == event.unit or unit_history.value(name, "aboard", index).must_be(NO))
        ]
        if len(there) > limit:
            number = unit_history.timeline.phase_number(unit_history.timeline.step_of(index))
            yield event.unit, place.name, number
