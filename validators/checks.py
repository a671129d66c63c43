"""The names of the checks that need no ruleset, and their questions."""

from __future__ import annotations

from collections.abc import Iterable

from ..model.fact import MissingFact
from ..model.finding import Clause
from ..model.game import MOVEMENT, OTHER, Game, PhaseStart, StepRef
from ..model.stanza import BLANK, pack_stanza, stanza
from .timeline import Timeline
from .tracker import Interlude

PHASE = "CHK-PHASE"
FORM = "CHK-FORM"
PLACE = "CHK-PLACE"
FACTS = "CHK-FACTS"
OWNER = "CHK-OWNER"
TAKEBACK = "CHK-TAKEBACK"
CONTINUITY = "CHK-CONTINUITY"
INTEGRITY = "CHK-INTEGRITY"

CLAUSES: dict[str, Clause] = {
    clause.id: clause
    for clause in (
        Clause(
            PHASE,
            "moves belong to a phase",
            "A unit is moved in a phase in which its side may move. If the phase is not known, two"
            " displacements may be in different phases, and nobody is accused.",
            kind="check",
        ),
        Clause(
            FORM,
            "how a unit got there",
            "A displacement is judged as movement only where the pack says that it can be nothing else.",
            kind="check",
        ),
        Clause(
            PLACE,
            "where a counter lies",
            "A displacement from or to a place off the hex grid cannot be measured.",
            kind="check",
        ),
        Clause(
            FACTS,
            "what a verdict rests on",
            "A move that is legal under some completions of the facts not known and illegal under others "
            "is neither: the facts that would decide it are named.",
            kind="check",
        ),
        Clause(
            OWNER,
            "whose counter it is",
            "A player moved another side's counter. Often that is agreed (a retreat, a dead counter).",
            kind="check",
        ),
        Clause(
            TAKEBACK,
            "moves taken back",
            "A move put back before a die was rolled or another side did something is not a move; put back "
            "later it stays made.",
            kind="check",
        ),
        Clause(
            CONTINUITY,
            "one log follows another",
            "The position a log opens with is the one the log before it ended with.",
            kind="check",
        ),
        Clause(
            INTEGRITY,
            "one step follows another",
            "Every step of a log follows from the position before it.",
            kind="check",
        ),
    )
}


def names_of(game: Game, units: Iterable[str]) -> tuple[str, ...]:
    """The names of ``units``; for a unit that the game does not know, its id."""
    return tuple(game.units[unit].name if unit in game.units else unit for unit in units)


def listed(names: Iterable[str], most: int = 4) -> str:
    """``names`` as a list in text; after ``most`` of them only the number of the rest."""
    every = list(names)
    shown = ", ".join(every[:most])
    return shown if len(every) <= most else f"{shown} and {len(every) - most} more"


def steps_between(first: StepRef, last: StepRef) -> str:
    """Steps of one log as a facts file writes them, ``3-7``; ``3`` if there is only one, or the last is in
    another log."""
    several = first.log == last.log and last != first
    return f"{first.step}-{last.step}" if several else f"{first.step}"


def phase_unknown(timeline: Timeline, at: StepRef) -> MissingFact:
    """The missing fact: which phase is step ``at`` in? It asks about all steps around it whose phase is not
    known."""
    start = timeline.phase_start(at)
    if isinstance(start, Interlude) and start.within is not None:
        return _combat_unknown(start, start.within)
    first, last = timeline.stretch(at)
    steps = steps_between(first, last)
    said = f"steps {steps}" if last.step > first.step else f"step {steps}"
    return MissingFact(
        key=f"phase of log {at.log} steps {steps}",
        question=f"which turn, phase and active side is it in {said} of log {at.log}, "
        "and where does the next begin?",
        file="facts.toml",
        stanza=stanza(
            "[[phase]]",
            {"log": at.log, "steps": steps, "turn": BLANK, "phase": BLANK, "active": BLANK},
        ),
    )


def phase_end_unknown(timeline: Timeline, at: StepRef, phase: PhaseStart) -> MissingFact:
    """The missing fact: does ``phase`` end with ``at``, its last step that is available?"""
    first, last = timeline.stretch(at)
    steps = steps_between(first, last)
    return MissingFact(
        key=f"phase of log {at.log} steps {steps}",
        question=f"is the phase {phase.phase} over with {last.said}? Say so if these steps are all of it",
        file="facts.toml",
        stanza=stanza("[[phase]]", {"log": at.log, "steps": steps, **_told(phase)}),
    )


def _combat_unknown(start: PhaseStart, within: PhaseStart) -> MissingFact:
    """The missing fact: were the steps from ``start`` on combat, or part of the phase ``within``?"""
    first, last = start.at, start.last or start.at
    if first.log != last.log:
        span: dict[str, str | int] = {"first": str(first), "last": str(last)}
        said = f"{first.said} to {last.said}"
    else:
        steps = steps_between(first, last)
        span = {"log": first.log, "steps": steps}
        said = f"steps {steps} of log {first.log}" if last != first else first.said
    were = "were" if last != first else "was"
    return MissingFact(
        key=f"combat from {first} to {last}",
        question=f"{were} {said} combat (yes), or still the phase {within.phase} (no)?",
        file="facts.toml",
        stanza=stanza("[[phase]]", {**span, **_told(within), "combat": BLANK}),
    )


def _told(phase: PhaseStart) -> dict[str, str]:
    """Turn, phase and active side of a phase as entries of a facts file; those not known are left out."""
    named = {"turn": phase.turn, "phase": phase.phase, "active": phase.active}
    return {key: value for key, value in named.items() if value is not None}


def phase_undescribed(phase: str) -> MissingFact:
    """The missing fact: what may be moved in ``phase``, and how?"""
    return MissingFact(
        key=f"phase {phase} in the pack",
        question=f'what may be moved in the phase "{phase}", and can a displacement be anything else?',
        file="facts.toml",
        stanza=pack_stanza(
            "phase",
            entry=[{"name": phase, "movers": BLANK, "forms": [BLANK], "complete": BLANK}],
        ),
    )


def form_unknown(
    unit: str, name: str, first: StepRef, last: StepRef, forms: Iterable[str]
) -> MissingFact:
    """The missing fact: in which movement form was ``unit`` moved?"""
    steps = steps_between(first, last)
    choice = ", ".join(dict.fromkeys((*forms, MOVEMENT, OTHER)))
    return MissingFact(
        key=f"form of unit {unit} log {first.log} steps {steps}",
        question=f"how did {name} get there: {choice}?",
        file="facts.toml",
        stanza=stanza(
            "[[displacement]]",
            {"unit": unit, "log": first.log, "steps": steps, "form": BLANK},
        ),
    )


def sides_unknown(a: str, b: str) -> MissingFact:
    """The missing fact: are two sides friends or enemies?"""
    one, other = sorted((a, b))
    return MissingFact(
        key=f"sides {one} and {other}",
        question=f"are {one} and {other} friends, enemies, or neutral to each other?",
        file="facts.toml",
        stanza=pack_stanza("relation", entry=[{"sides": [one, other], "are": BLANK}]),
    )
