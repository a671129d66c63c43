"""A facts file applied to a game that is there already, such as that of an analysis document."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import groupby

from ...model.fact import UNKNOWN, Fact
from ...model.game import Event, Game, PhaseStart, Source, StateChange, StepRef
from ...model.problem import Problem
from .cast import UnitNames, declared_sides
from .declared import Told, after, declared_attributes, declared_conditions, misspelt
from .facts import DeclaredPhase, Facts
from .load import wrong
from .terrain import with_declared

OPENING = StepRef(1, 0)


def with_facts(game: Game, facts: Facts) -> Game:
    """``game`` with what the facts tell of it, which goes before what the game says itself.

    Raises :class:`WrongPack` with one problem for each fact that does not fit the game.
    """
    names = UnitNames({unit.id: (unit.name,) for unit in game.units.values()})
    sides, lost = declared_sides(facts, names)
    conditions, strange = declared_conditions(facts, names)
    board, faults = with_declared(game.board, facts)
    problems = [*lost, *strange, *faults, *misspelt(facts, game.phases, game.forms, game.sides)]
    errors: list[Problem] = [problem for problem in problems if problem.severity == "error"]
    if errors:
        raise wrong(facts.file, errors)
    told = declared_attributes(facts, names)
    units = {
        name: replace(
            unit,
            side=sides.get(name, unit.side),
            attributes=told.over(name, OPENING, dict(unit.attributes)),
        )
        for name, unit in game.units.items()
    }
    events = _with_phases(_with_attributes(game, told), facts.phases)
    more = (Source(facts.file, "facts", facts.sha256, facts.version),) if facts.file else ()
    return replace(
        game,
        title=facts.title or game.title,
        board=board,
        units=units,
        events=tuple(events),
        conditions=(*game.conditions, *conditions),
        sources=(*game.sources, *more),
    )


def _with_attributes(game: Game, told: Told) -> Iterator[Event]:
    """The events, with the attributes of units as they are told: before anything else of a step."""
    bare = {name: dict(unit.attributes) for name, unit in game.units.items()}
    seen = {n: told.over(n, OPENING, dict(facts)) for n, facts in bare.items()}
    told.due(OPENING)

    def changes(unit: str, at: StepRef, cause: StateChange | None) -> Iterator[StateChange]:
        now, before = told.over(unit, at, dict(bare.get(unit, {}))), seen.get(unit, {})
        for attribute in dict.fromkeys((*now, *before)):
            was, is_now = before.get(attribute, UNKNOWN), now.get(attribute, UNKNOWN)
            if _said(was) != _said(is_now):
                actor, undo = (cause.actor, cause.undo) if cause is not None else (None, False)
                yield StateChange(at, unit, attribute, was, is_now, actor, undo)
        seen[unit] = now

    for at, events in groupby(game.events, key=lambda event: event.at):
        for unit in sorted(told.due(at)):
            yield from changes(unit, at, None)
        for event in events:
            if isinstance(event, StateChange):
                bare.setdefault(event.unit, {})[event.attribute] = event.after
                yield from changes(event.unit, at, event)
            else:
                yield event


def _said(fact: Fact) -> tuple[object, ...]:
    return fact.options, fact.lo, fact.hi


def _with_phases(events: Iterable[Event], declared: Iterable[DeclaredPhase]) -> list[Event]:
    """The events, with the phases as they are declared; where a declared one ends, the phase is again
    what the game says."""
    phases = sorted(declared, key=lambda phase: phase.span.first)
    if not phases:
        return list(events)
    rest = list(events)
    edges = {phase.span.first for phase in phases}
    edges |= {end for phase in phases if (end := after(phase.span)) is not None}
    waiting = sorted(edges)
    said: PhaseStart | None = None
    found: list[Event] = []

    def start(at: StepRef) -> PhaseStart:
        for phase in phases:
            if at in phase.span:
                return PhaseStart(at, phase.turn, phase.phase, phase.active, phase.source)
        return PhaseStart(at, None, None, None) if said is None else replace(said, at=at)

    for event in rest:
        while waiting and waiting[0] <= event.at:
            found.append(start(waiting.pop(0)))
        if not isinstance(event, PhaseStart):
            found.append(event)
            continue
        said = event
        if not any(event.at in phase.span for phase in phases):
            found.append(event)
    return [*found, *map(start, waiting)]
