"""Nobody is accused because the turn tracker was set on and back, or because combat parts a phase."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest
from vassal_umpire.model.game import Game, PhaseStart, StepRef
from vassal_umpire.validators.audit import audit

from .sweeps import RULESETS, cases

EVER_FOUND = [
    ("ocs", "RELEASED-UNMARKED"),
    ("ocs", "MARKED-LATE"),
    ("wacht-am-rhein", "D16"),
    ("wacht-am-rhein", "PIN-SLIP"),
    ("zoc-classes", "MARCH-LOST"),
    ("zoc-classes", "SLIP-OWED"),
]
"""Cases in which somebody was accused so once."""


@pytest.mark.parametrize("combat", [False, True])
@pytest.mark.parametrize(("ruleset", "name"), EVER_FOUND)
def test_a_phase_goes_on_after_a_slip_and_after_combat(
    ruleset: str, name: str, *, combat: bool
) -> None:
    """What was moved and marked before belongs to the phase."""
    for _, parted in slipped(cases(ruleset)[name].game, combat=combat):
        assert "illegal" not in str(verdicts(parted))


def verdicts(game: Game) -> list[tuple[str, ...]]:
    """The verdict on each move, and the clauses held against somebody or left open."""
    found = audit(game, RULESETS[game.rules.name])
    moves = tuple(move.verdict for move in found.moves)
    return [moves, tuple(sorted(f"{one.verdict} {one.code}" for one in found.findings))]


def slipped(game: Game, *, combat: bool = False) -> Iterator[tuple[StepRef, Game]]:
    """The game with the tracker set to another phase and back before each step but the first, where the phase
    is known; or with combat within the phase there, as facts declare it."""
    steps = sorted({event.at for event in game.events if not isinstance(event, PhaseStart)})
    for at in steps[1:]:
        began = [e for e in game.events if isinstance(e, PhaseStart) and e.at < at]
        other = next((name for name in game.phases if began and name != began[-1].phase), None)
        if began and began[-1].phase is not None and other is not None:
            on = replace(began[-1], at=at, phase=other, last=None, declared=False)
            within = replace(on, phase=None, combat=True, last=at, declared=True)
            yield at, with_slip(game, at, began[-1], within if combat else on)


def with_slip(game: Game, at: StepRef, now: PhaseStart, on: PhaseStart) -> Game:
    """The game in the phase ``now``, with ``on`` begun in the step ``at`` and ``now`` again in the next; the
    steps of its log from there on are two later."""

    def later(step: StepRef | None) -> StepRef | None:
        if step is None or step.log != at.log or step < at:
            return step
        return StepRef(step.log, step.step + 2)

    events = [replace(event, at=later(event.at) or event.at) for event in game.events]
    events = [
        replace(event, last=later(event.last)) if isinstance(event, PhaseStart) else event
        for event in events
    ]
    number = next(n for n, event in enumerate(game.events) if event.at >= at)
    back = replace(now, at=StepRef(at.log, at.step + 1), last=later(now.last), declared=False)
    conditions = tuple(
        replace(c, first=later(c.first) or c.first, last=later(c.last)) for c in game.conditions
    )
    return replace(
        game, events=(*events[:number], on, back, *events[number:]), conditions=conditions
    )
