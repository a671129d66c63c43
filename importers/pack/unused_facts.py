"""Facts that hold for nothing in a game: a side for a unit it does not have, a form for a displacement that
nobody made. A mistyped number would else go unseen."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TypeGuard

from ...model.game import Displacement, Event
from ...model.problem import Problem
from ...model.unit import Unit
from .facts import LAST_STEP, Facts, Span
from .facts_logs import UNUSED
from .unit_classification import UnitNames


def unused_facts(
    facts: Facts, events: Iterable[Event], units: Mapping[str, Unit], names: UnitNames
) -> Iterator[Problem]:
    """A warning for each of ``facts`` that matches nothing in the game, whose logs their spans count.

    Whether a unit was displaced is said of units alone that everyone may know of: of others it would
    tell where they went.
    """
    moved = [event for event in events if _is_made(event)]
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
    """They may come into play in the rest of the game, or a number is mistyped: one warning for all."""
    source, unit = found[0]
    message = f"sides of units that are in none of these logs, the first {unit}: is the id right?"
    return Problem(UNUSED, message, source, count=len(found))


def _is_made(event: Event) -> TypeGuard[Displacement]:
    """Whether somebody displaced a unit: where it lies when a log opens was nobody's doing."""
    return isinstance(event, Displacement) and event.cause != "reseated"


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
