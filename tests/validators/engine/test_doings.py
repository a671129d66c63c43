"""A way of which a unit was carried for a part, and what it paid besides its steps."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import pytest
from vassal_umpire.model.bill import Amount
from vassal_umpire.validators.cost_interval import CostInterval
from vassal_umpire.validators.engine.doings import DoingsGraph, Expense, Paid, Way
from vassal_umpire.validators.ruleset import START, Breach, CostBreakdown, Step, World

STOP = Breach("T-1", "goes on after wire in 2", "2", "1")


class Corridor:
    """Hexes 1, 2, 3 …: each step on costs 1; in 2 a unit has to stop if ``wired``."""

    least = 1

    def __init__(self, wired: bool = False) -> None:
        self.wired = wired

    def steps(self, hex_name: str, tag: Any, /) -> Sequence[Step]:
        to = str(int(hex_name) + 1)
        return [Step(to, 1, START, STOP if self.wired and to == "2" else None)]

    edges_with_violations = steps

    def cost_breakdown(self, hex_name: str, tag: Any, step: Step, /) -> CostBreakdown:
        return CostBreakdown(())


def graph(world: World, *, wired: bool = False, paid: CostInterval | None = None) -> DoingsGraph:
    """Carried from 2 to 5; before that, and after it, it may have gone by itself."""
    expense = [Expense(Paid("2", paid), "T-2", "boards", ())] if paid else []
    hops = (("2", "5"),)
    return DoingsGraph(Corridor(wired), world, hops, (True, False), tuple(expense), 1)


def ways(found: Sequence[Step]) -> set[tuple[str, int]]:
    return {(step.to, step.cost) for step in found}


def test_where_it_was_carried_it_goes_for_nothing_and_once() -> None:
    told = graph("favourable")
    assert ways(told.steps("2", START)) == {("5", 0), ("3", 1)}
    assert ways(told.steps("2", Way(hops=1))) == {("3", 1)}
    assert told.least == 0


def test_where_the_log_does_not_show_that_it_walked_only_the_favourable_world_lets_it() -> None:
    assert ways(graph("adverse").steps("5", Way(hops=1))) == set()
    assert ways(graph("favourable").steps("5", Way(hops=1))) == {("6", 1)}


@pytest.mark.parametrize(("world", "first"), [("favourable", 2), ("adverse", 4)])
def test_what_it_paid_besides_is_due_once_with_its_first_step(world: World, first: int) -> None:
    told = graph(world, paid=CostInterval(1, 3))
    (step,) = (step for step in told.steps("1", START) if step.to == "2")
    assert step.cost == first
    charged = told.cost_breakdown("1", START, step).charges
    assert [(c.hex, c.amount) for c in charged] == [("2", Amount(Fraction(1), Fraction(3)))]
    assert not told.cost_breakdown("2", step.tag, step).charges
    assert ("3", 1) in ways(told.steps("2", step.tag))


def test_who_has_to_stop_may_still_be_carried_on() -> None:
    told = graph("favourable", wired=True)
    stopped = [step for step in told.steps("1", START) if step.to == "2"]
    assert [step.stops for step in stopped] == [STOP, None]
    assert ways(told.steps("2", stopped[1].tag)) == {("5", 0)}
