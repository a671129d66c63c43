"""Facts that hold for nothing in a game: a log it does not have, steps after the last of a log, a form
for a displacement that nobody made. A mistyped number would else go unseen."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TypeGuard

from ...model.game import Displacement, Event
from ...model.problem import Problem
from ...model.table import LogHistory
from ...model.unit import Unit
from .facts import (
    LAST_STEP,
    DeclaredCell,
    DeclaredCondition,
    DeclaredPhase,
    DeclaredUnit,
    Facts,
    Span,
)
from .unit_classification import UnitNames

UNUSED = "idle-fact"
"""Code of the :class:`Problem` of a fact that matches nothing."""


def unused_facts(
    facts: Facts,
    logs: Iterable[LogHistory],
    events: Iterable[Event],
    units: Mapping[str, Unit],
    names: UnitNames,
) -> Iterator[Problem]:
    """A warning for each of ``facts`` that matches nothing in the game.

    Whether a unit was displaced is said of units alone that everyone may know of: of others it would
    tell where they went.
    """
    ends = tuple(max((s.engine_number or 0 for s in log.steps), default=0) for log in logs)
    moved = [event for event in events if _is_made(event)]
    cells: tuple[DeclaredCell, ...] = (*facts.hexes, *facts.hexsides, *facts.lines)
    entries: tuple[DeclaredPhase | DeclaredCondition | DeclaredUnit | DeclaredCell, ...]
    entries = (*facts.phases, *facts.conditions, *facts.units, *cells)
    elsewhere = [entry for entry in entries if entry.span.first.log > len(ends)]
    if elsewhere:
        yield _of_other_logs([(e.source, e.span) for e in elsewhere], len(ends))
    absent = [entry for entry in entries if _is_on_none(entry, names) and entry not in elsewhere]
    if absent:
        yield _of_absent_units([(e.source, e.unit) for e in absent])
    for entry in entries:
        if entry.span.first.log > len(ends):
            continue
        if not _covers(entry.span, ends):
            end = f"log {entry.span.first.log} ends with step {ends[entry.span.first.log - 1]}"
            yield _problem(entry.source, f"it holds for {_said(entry.span)}, and {end}")
        elif isinstance(entry, DeclaredCondition) and entry.key == "form" and entry.unit:
            unit = names.find(entry.unit)
            if unit is None or units[unit].seen_by is not None:
                continue
            if not any(event.unit == unit and event.at in entry.span for event in moved):
                said = f"nobody displaces {entry.unit} in {_said(entry.span)}"
                yield _problem(entry.source, said)


def _of_other_logs(found: list[tuple[str, Span]], logs: int) -> Problem:
    """Of a game of which not all logs are at hand this is as it should be: a note, one for all."""
    source, span = found[0]
    there = "there is one log" if logs == 1 else f"there are {logs} logs"
    message = f"facts for logs that are not here, the first for {_said(span)}; {there}"
    return Problem(UNUSED, message, source, "note", len(found))


def _is_on_none(
    entry: DeclaredPhase | DeclaredCondition | DeclaredUnit | DeclaredCell, names: UnitNames
) -> TypeGuard[DeclaredUnit]:
    """Whether a fact gives the side of a unit, by its id, that the logs do not have."""
    return isinstance(entry, DeclaredUnit) and names.is_id_of_none(entry.unit)


def _of_absent_units(found: list[tuple[str, str]]) -> Problem:
    """They may come into play in the rest of the game, or a number is mistyped: one warning for all."""
    source, unit = found[0]
    message = f"sides of units that are in none of these logs, the first {unit}: is the id right?"
    return Problem(UNUSED, message, source, count=len(found))


def _problem(source: str, why: str) -> Problem:
    return Problem(UNUSED, f"this fact matches nothing: {why}", source)


def _is_made(event: Event) -> TypeGuard[Displacement]:
    """Whether somebody displaced a unit: where it lies when a log opens was nobody's doing."""
    return isinstance(event, Displacement) and event.cause != "reseated"


def _covers(span: Span, ends: tuple[int, ...]) -> bool:
    """Whether any step of the game lies in a span. ``ends``: the last step of each log."""
    for number, end in enumerate(ends, 1):
        first = span.first.step if number == span.first.log else 0
        last = end if span.last is None or number < span.last.log else min(end, span.last.step)
        inside = span.first.log <= number and (span.last is None or number <= span.last.log)
        if inside and first <= last:
            return True
    return False


def _said(span: Span) -> str:
    """The steps of a span, as a sentence has them."""
    first, last = span.first, span.last
    if span.whole:
        return "the whole game"
    if last is None:
        return f"{first.said} and all after it"
    if last.step == LAST_STEP:
        return f"log {first.log}" if first.step == 0 else f"{first.said} and all after it"
    return first.said if first == last else f"steps {first} to {last}"
