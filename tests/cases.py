"""The conformance cases, read once, and the audit of each, run once for all tests that look at it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from random import Random

from vassal_umpire.importers.cases.case import Case, CaseVerdict
from vassal_umpire.importers.cases.load import read_cases
from vassal_umpire.model.fact import Value
from vassal_umpire.model.finding import Audit
from vassal_umpire.model.game import Displacement, Event, Game, PhaseStart, StepRef
from vassal_umpire.plugin.conformance import Outcome, run_case
from vassal_umpire.plugin.registry import rulesets

FOLDER = Path(__file__).parent / "conformance"
RULESETS = rulesets().parts


@cache
def cases(ruleset: str) -> Mapping[str, Case]:
    """The cases of a ruleset that are not ignored, by id."""
    every = [case for case in read_cases([FOLDER / ruleset]) if not case.ignore]
    found = {case.id: case for case in every}
    assert list(found.values()) == every, "several cases of one id"
    return found


@cache
def every_case(verdict: CaseVerdict | None = None) -> tuple[Case, ...]:
    """The cases of all rulesets; with ``verdict``, those that expect it."""
    every = (case for ruleset in sorted(RULESETS) for case in cases(ruleset).values())
    return tuple(c for c in every if verdict is None or c.expectation.verdict == verdict)


def draw(ruleset: str, rng: Random, number: int, first: Iterable[str] = ()) -> list[Case]:
    """``number`` cases of a ruleset, or all if there are fewer, after those named in ``first``."""
    every = cases(ruleset)
    drawn = rng.sample(sorted(every), min(number, len(every)))
    return [every[name] for name in dict.fromkeys((*first, *drawn))]


@cache
def outcome_of(ruleset: str, name: str, *off: str) -> Outcome:
    """What the audit of a case says; ``off``: clauses switched off besides."""
    return run_case(cases(ruleset)[name], RULESETS[ruleset], off)


def outcome(case: Case, *off: str) -> Outcome:
    """:func:`outcome_of` a case as it was read."""
    return outcome_of(case.ruleset, case.id, *off)


def outcome_with(case: Case, game: Game) -> Outcome:
    """What the audit of a case says if its game is ``game``."""
    if game is case.game:
        return outcome(case)
    return run_case(replace(case, game=game), RULESETS[case.ruleset])


def audit_of(case: Case) -> Audit:
    """The audit of a case as it was read."""
    return outcome(case).audit


def with_events(game: Game, *events: Event) -> Game:
    """The game with events that come in steps of their own, one after the other; the steps of their log from
    there on are so many later."""
    at = events[0].at

    def later(step: StepRef | None) -> StepRef | None:
        if step is None or step.log != at.log or step < at:
            return step
        return StepRef(step.log, step.step + len(events))

    def put_off(event: Event) -> Event:
        event = replace(event, at=later(event.at) or event.at)
        if isinstance(event, PhaseStart):
            return replace(event, last=later(event.last))
        return (
            replace(event, cancels=later(event.cancels))
            if isinstance(event, Displacement)
            else event
        )

    number = next((n for n, e in enumerate(game.events) if e.at >= at), len(game.events))
    told = list(map(put_off, game.events))
    conditions = tuple(
        replace(c, first=later(c.first) or c.first, last=later(c.last)) for c in game.conditions
    )
    there = (*told[:number], *events, *told[number:])
    return replace(game, events=there, conditions=conditions)


@cache
def values(ruleset: str) -> Mapping[str, Sequence[Value]]:
    """Every value that the cases of a ruleset have of an attribute."""
    found: dict[str, dict[tuple[type, Value], Value]] = defaultdict(dict)
    for case in cases(ruleset).values():
        for unit in case.game.units.values():
            for name, fact in unit.attributes.items():
                if fact.value is not None:
                    found[name][type(fact.value), fact.value] = fact.value
    return {name: tuple(several.values()) for name, several in found.items()}
