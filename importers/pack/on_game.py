"""A facts file applied to a game that is there already, such as that of an analysis document."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from itertools import groupby
from typing import Any

from ...model.board import Board, edge
from ...model.fact import UNKNOWN, Fact
from ...model.game import Event, Game, PhaseStart, Rules, Source, StateChange, StepRef
from ...model.logs import logs_among
from ...model.problem import Problem
from ...model.relations import relations_of
from ..analysis.game_json import FORMS, PHASES
from .declared import DeclaredAttributes, after, declared_attributes, declared_conditions, misspelt
from .declared_board import facts_seen, untold, with_declared_board
from .facts import DeclaredPhase, Facts, phase_at
from .facts_logs import on_logs
from .load import merged, wrong
from .opened import opened
from .pack_tables import changes_of, charts_of
from .toml_text import check
from .unit_classification import UnitNames, declared_sides

OPENING = StepRef(1, 0)


def with_facts(game: Game, facts: Facts) -> tuple[Game, tuple[Problem, ...]]:
    """``game`` with the facts added, which take precedence over what the game itself says; and a note if some
    are of other logs. Raises :class:`WrongPack` with one problem for each fact that does not fit the game."""
    facts, unheard = on_logs(facts, logs_among(game.sources))
    names = UnitNames({unit.id: (unit.name,) for unit in game.units.values()})
    sides, lost = declared_sides(facts, names)
    conditions, strange = declared_conditions(facts, names)
    game = _amended(game, facts)
    board, told_events, faults = with_declared_board(game.board, game.events, facts)
    game = replace(game, events=tuple(told_events))
    unknown = misspelt(facts, game.phases, game.forms, game.sides)
    problems = [*unheard, *lost, *strange, *faults, *unknown]
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
    with_it = replace(
        game,
        title=facts.title or game.title,
        board=board,
        units=units,
        events=tuple(events),
        conditions=(*game.conditions, *conditions),
        sources=(*game.sources, *more),
        suggestions=untold(game.suggestions, facts),
        seen=None if game.seen is None else game.seen | facts_seen(board, facts),
    )
    return with_it, unheard


def _amended(game: Game, facts: Facts) -> Game:
    """``game`` as its pack would have made it if the pack contained the ``[[pack]]`` tables of the facts."""
    for amendment in facts.amendments:
        values, where = amendment.values, amendment.source
        problems = [replace(p, where=where) for p in check("pack", merged(_A_PACK, values), "", {})]
        problems += [
            Problem(
                "facts", f"expected no {key}: an analysis document has no pieces", where, "error"
            )
            for key in _of_pieces(values)
        ]
        if problems:
            raise wrong(facts.file, problems)
        now = {"phase": PHASES.write(game.phases), "form": FORMS.write(game.forms)}
        now = merged(now, {key: values[key] for key in now if key in values})
        relations = (*game.relations, *relations_of(values.get("relation", ())))
        game = replace(
            game,
            board=_amended_board(game.board, values.get("board", {})),
            relations=relations,
            rules=_amended_rules(game.rules, values),
            phases=PHASES.read(now["phase"]),
            forms=FORMS.read(now["form"]),
        )
    return game


_A_PACK = {
    "pack": {"name": "document", "version": "1", "ruleset": "generic"},
    "board": {"sheet": [{"map": "document"}]},
}
"""The least that is a pack: what an amendment is checked in."""


def _of_pieces(values: Mapping[str, Any]) -> Iterator[str]:
    """The keys of an amendment that concern pieces and maps of a module."""
    yield from (key for key in ("units", "phases") if key in values)
    yield from (f"board.{key}" for key in values.get("board", {}) if key not in _OF_BOARDS)


_OF_BOARDS = ("complete", "links", "barriers", "changes")


def _amended_board(board: Board, values: Mapping[str, Any]) -> Board:
    board = opened(board, changes_of(values.get("changes", "none")))
    return replace(
        board,
        complete=board.complete | set(values.get("complete", ())),
        links=board.links | {edge(a, b) for a, b in values.get("links", ())},
        barriers=board.barriers | {edge(a, b) for a, b in values.get("barriers", ())},
    )


def _amended_rules(rules: Rules, values: Mapping[str, Any]) -> Rules:
    tables, complete = charts_of(values.get("rules", {}))
    return replace(
        rules,
        tables=merged(rules.tables, tables),
        options=merged(rules.options, values.get("options", {})),
        complete=None if rules.complete is None else rules.complete | complete,
    )


def _with_attributes(game: Game, told: DeclaredAttributes) -> Iterator[Event]:
    """The events, with changes of attributes by the facts. They come before the other events of a step."""
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
    """The events, with the phases by the facts. After a declared phase the phase is again that of the
    game."""
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
        phase = phase_at(phases, at)
        if phase is not None:
            return phase.start(at)
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
