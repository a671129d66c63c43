"""What the rules of the tables about certain steps make of one step."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, NamedTuple

from ...concepts.logic import every
from ...concepts.ways import Halt, Term
from ...cost_interval import FREE, CostInterval, optional
from .step_rules import BARRED, COST, STOP, StepRule, concerned, fits

if TYPE_CHECKING:
    from .land import TableLand

Mark = tuple[int, bool | None]
"""A rule that asks for friends in the hex entered, by its number, and whether all else of it holds."""


class Ruled(NamedTuple):
    """All that is due on a step, whether it ends the move, and the rules that ask for friends."""

    terms: tuple[Term, ...]
    halt: Halt | None
    marks: tuple[Mark, ...]


def ruled_step(
    land: TableLand, here: str, to: str, road: str, parts: Mapping[str, tuple[Term, ...]]
) -> Ruled:
    """A step of which ``parts`` are due by the charts, as the rules about certain steps change it."""
    kept = dict(parts)
    terms: list[Term] = []
    halt: Halt | None = None
    marks: list[Mark] = []
    for rule, holds in _in_question(land, here, to, road):
        if rule.friends is not None:
            marks.append((rule.number, holds))
            continue
        for part in rule.instead_of.intersection(kept):
            gone = _gone if holds else _perhaps_not
            kept[part] = tuple(gone(term, rule) for term in kept[part])
        if rule.cost is not None:
            terms.append(rule_term(land, rule, holds))
        if rule.stop and (halt is None or not halt.sure):
            text = f"goes on after {rule.reason}"
            halt = Halt(STOP, text, bool(holds), ("step", str(rule.number)))
    every_term = (*(t for part in kept.values() for t in part), *terms)
    return Ruled(every_term, halt, tuple(marks))


def _in_question(
    land: TableLand, here: str, to: str, road: str
) -> Iterator[tuple[StepRule, bool | None]]:
    """The rules that are about a step, or may be."""
    for rule, holds in land.applied:
        concerns = concerned(rule, land.classes)
        found = every((holds, concerns, fits(rule, land.board, here, to, road)))
        if found is not False:
            yield rule, found


def _gone(term: Term, rule: StepRule) -> Term:
    """A term that a rule takes away: a road that perhaps is not there stays one."""
    there = term.clause != "GEN-ROAD" or term.cost.barred is False
    return term._replace(cost=FREE if there else CostInterval(0, 0, term.cost.barred))


def _perhaps_not(term: Term, rule: StepRule) -> Term:
    """A term that a rule perhaps takes away."""
    about = ("step", str(rule.number)) if term.cost.is_exact else term.about
    return term._replace(cost=optional(term.cost, None), about=about)


def rule_term(land: TableLand, rule: StepRule, holds: bool | None) -> Term:
    """What a rule lets a mover pay."""
    cost = land.by_class(rule.cost or {})
    text = f"makes a step that is prohibited to {land.who} ({rule.reason})"
    about = ("step", str(rule.number))
    return Term(optional(cost, holds), COST, rule.reason, BARRED, text, about)
