"""The facts file's entries about units and the game, matched with the game's units, and the entries that
match nothing.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping
from dataclasses import replace

from ...model.fact import Fact
from ...model.game import MOVEMENT, OTHER, Condition, Displacement, Event, StepRef
from ...model.problem import Problem
from ...model.unit import Unit
from .facts import LAST_STEP, Facts, Span
from .facts_logs import UNUSED
from .unit_classification import UnitNames


def after(span: Span) -> StepRef | None:
    """The step right after ``span``; None if it has no end."""
    if span.last is None:
        return None
    return StepRef(span.last.log, min(span.last.step, LAST_STEP) + 1)


class DeclaredAttributes:
    """Attributes of units that the facts file gives for spans of steps, or for the whole game."""

    def __init__(self, entries: Iterable[tuple[str, str, Fact, Span]]) -> None:
        self._by_unit: dict[str, list[tuple[str, Fact, Span]]] = {}
        edges: set[tuple[StepRef, str]] = set()
        for unit, attribute, fact, span in entries:
            self._by_unit.setdefault(unit, []).append((attribute, fact, span))
            edges.add((span.first, unit))
            end = after(span)
            if end is not None:
                edges.add((end, unit))
        self._edges = sorted(edges)
        self._next = 0

    def over(self, unit: str, at: StepRef, attributes: dict[str, Fact]) -> dict[str, Fact]:
        """``attributes`` with the facts' values at a step; later entries win."""
        for attribute, fact, span in self._by_unit.get(unit, ()):
            if at in span:
                attributes[attribute] = fact
        return attributes

    def due(self, at: StepRef) -> set[str]:
        """Units whose facts begin or end at this step, or did so since the step of the last call."""
        found: set[str] = set()
        while self._next < len(self._edges) and self._edges[self._next][0] <= at:
            found.add(self._edges[self._next][1])
            self._next += 1
        return found


def without_absent_sides(facts: Facts, names: UnitNames) -> Facts:
    """``facts`` without sides of ids that no piece here has: a side holds for the whole game, and they may
    come into play after these logs."""
    units = (one for one in facts.units if one.attributes or not names.is_id_of_none(one.unit))
    return replace(facts, units=tuple(units))


def of_seen_units(facts: Facts, names: UnitNames, his: UnitNames, seen: Container[str]) -> Facts:
    """``facts`` without those on units that a viewer does not see. ``names``: of all units; ``his``:
    those of the units that he sees; ``seen``: their ids. If a name means another unit to him, or none, the
    id replaces it."""

    def named(called: str, unit: str) -> str:
        return called if not called or his.find(called) == unit else unit

    units = ((one, names.find(one.unit)) for one in facts.units)
    conditions = ((one, names.find(one.unit) if one.unit else "") for one in facts.conditions)
    return replace(
        facts,
        units=tuple(
            one if unit is None else replace(one, unit=named(one.unit, unit))
            for one, unit in units
            if unit is None or unit in seen
        ),
        conditions=tuple(
            replace(one, unit=named(one.unit, unit))
            for one, unit in conditions
            if unit is not None and (not unit or unit in seen)
        ),
    )


def declared_attributes(facts: Facts, names: UnitNames) -> DeclaredAttributes:
    """The attributes that the facts give units; entries whose unit is unclear are left out."""
    return DeclaredAttributes(
        (unit, attribute, fact, entry.span)
        for entry in facts.units
        for unit in (names.find(entry.unit),)
        if unit is not None
        for attribute, fact in entry.attributes.items()
    )


def declared_conditions(
    facts: Facts, names: UnitNames
) -> tuple[tuple[Condition, ...], tuple[Problem, ...]]:
    """The conditions that the facts give, and a problem for each unit that is unclear."""
    found: list[Condition] = []
    problems: list[Problem] = []
    for fact in facts.conditions:
        unit = names.find(fact.unit) if fact.unit else ""
        if unit is None:
            problems.append(names.fault(fact.unit, fact.source))
            continue
        found.append(Condition(fact.key, fact.fact, fact.span.first, fact.span.last, unit))
    return tuple(found), tuple(problems)


def misspelt(
    facts: Facts, phases: Iterable[str], forms: Iterable[str], sides: Iterable[str]
) -> Iterable[Problem]:
    """Names in the facts that the game does not know: phases, sides, forms."""
    known_phases, known_sides = tuple(phases), tuple(sides)
    known_forms = tuple(dict.fromkeys((*forms, MOVEMENT, OTHER)))
    for phase in facts.phases:
        if phase.phase is not None and phase.phase not in known_phases:
            yield _unknown(phase.source, "a phase of the pack", known_phases, phase.phase)
        if phase.active is not None and known_sides and phase.active not in known_sides:
            yield _unknown(phase.source, "a side", known_sides, phase.active)
    for unit in facts.units:
        if unit.side is not None and known_sides and unit.side not in known_sides:
            yield _unknown(unit.source, "a side", known_sides, unit.side)
    for condition in facts.conditions:
        if condition.key == "form":
            for option in condition.fact.options or ():
                if option not in known_forms:
                    yield _unknown(condition.source, "a form of the pack", known_forms, str(option))


def _unknown(source: str, what: str, known: tuple[str, ...], found: str) -> Problem:
    listed = ", ".join(known) or "it names none"
    return Problem("facts", f"expected {what} ({listed}); found {found}", source, "error")


def unused_facts(
    facts: Facts, events: Iterable[Event], units: Mapping[str, Unit], names: UnitNames
) -> Iterator[Problem]:
    """A warning for each of ``facts`` that matches nothing in the game: a side for a unit it does not have, a
    form for a displacement that nobody made. Often a number was mistyped. Spans count the game's logs.

    Missing displacements are reported only for units that everyone may know: for others that would reveal
    where they went.
    """
    moved = [e for e in events if isinstance(e, Displacement) and e.cause != "reseated"]
    absent = [(one.source, one.unit) for one in facts.units if names.is_id_of_none(one.unit)]
    if absent:
        yield _of_absent_units(absent)
    for entry in facts.conditions:
        unit = names.find(entry.unit) if entry.key == "form" and entry.unit else None
        if unit is None or units[unit].seen_by is not None:
            continue
        if not any(event.unit == unit and event.at in entry.span for event in moved):
            said = f"nobody displaces {entry.unit} in {_said(entry.span)}"
            yield Problem(UNUSED, f"this fact matches nothing: {said}", entry.source)


def _of_absent_units(found: list[tuple[str, str]]) -> Problem:
    """One warning for all absent units. They may enter play later, or a number is mistyped."""
    source, unit = found[0]
    message = f"sides of units that are in none of these logs, the first {unit}: is the id right?"
    return Problem(UNUSED, message, source, count=len(found))


def _said(span: Span) -> str:
    """The steps of a span, as text for a sentence."""
    first, last = span.first, span.last
    if span.whole:
        return "the whole game"
    if last is None:
        return f"{first.said} and all after it"
    if last.step == LAST_STEP:
        return f"log {first.log}" if first.step == 0 else f"{first.said} and all after it"
    return first.said if first == last else f"steps {first} to {last}"
