"""Events of one step count in their order: what was displaced before a phase began is of the phase before."""

from __future__ import annotations

from dataclasses import replace

import pytest
from vassal_umpire.model.finding import Audit
from vassal_umpire.model.game import Displacement, Event, Game, PhaseStart, StepRef, Witness
from vassal_umpire.plugin.registry import rulesets
from vassal_umpire.validators.audit import audit
from vassal_umpire.validators.phase_order import phases_in_order

from .conftest import place
from .test_changing_board import game

RED = PhaseStart(StepRef(1, 2), "1", "Movement", "Red")
BLUE = PhaseStart(StepRef(1, 2), "1", "Movement", "Blue")


def drag(origin: str = "0101", target: str = "0201") -> Displacement:
    return Displacement(StepRef(1, 2), "a", place(origin), place(target), 1, "drag", "Red")


def judged(told: Game) -> Audit:
    return audit(told, rulesets().parts["generic"])


def verdicts(*events: Event) -> list[str]:
    return [move.verdict for move in judged(game(*events)).moves]


def test_a_phase_after_the_drag_is_not_that_of_the_drag() -> None:
    assert verdicts(drag(), BLUE) == ["legal"]


def test_a_phase_before_the_drag_is() -> None:
    assert verdicts(BLUE, drag()) == ["illegal"]


def test_a_drag_on_each_side_of_it_leaves_the_phase_of_the_step_open() -> None:
    found = verdicts(drag(), BLUE, drag("0201", "0301"))
    assert set(found) == {"unverifiable"}


@pytest.mark.parametrize("events", [(BLUE, drag()), (Witness(StepRef(1, 2), "roll"), BLUE, drag())])
def test_where_phases_begin_with_their_step_nothing_is_changed(events: tuple[Event, ...]) -> None:
    told = game(*events)
    assert phases_in_order(told) is told


def test_the_phase_begins_with_the_next_step_then() -> None:
    told = phases_in_order(game(drag(), BLUE, Witness(StepRef(1, 2), "roll")))
    starts = [event for event in told.events if isinstance(event, PhaseStart)]
    assert [(s.at.step, s.active) for s in starts] == [(1, "Red"), (3, "Blue"), (9, "Red")]
    steps = [event.at for event in told.events]
    assert steps == sorted(steps)


def test_a_counter_put_down_where_it_was_is_not_displaced() -> None:
    told = game(replace(drag(), target=place("0101")), BLUE)
    assert phases_in_order(told) is told
