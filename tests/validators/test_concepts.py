"""The concepts that rulesets share: three-valued logic, and the costs of a chart."""

from __future__ import annotations

import pytest
from vassal_umpire.validators.concepts.charts import ChartReader, cheapest, class_cost, dearest
from vassal_umpire.validators.concepts.logic import both, every, negation, some
from vassal_umpire.validators.cost_interval import ANYTHING, BARRED, CostInterval

TWO, FIVE = CostInterval(2, 2), CostInterval(5, 5)
PERHAPS_BARRED = CostInterval(2, 2, None)


@pytest.mark.parametrize(
    ("answers", "all_hold", "any_holds"),
    [
        ((True, True), True, True),
        ((True, False), False, True),
        ((None, False), False, None),
        ((None, True), None, True),
        ((), True, False),
    ],
)
def test_not_known_decides_only_where_nothing_else_does(
    answers: tuple[bool | None, ...], all_hold: bool | None, any_holds: bool | None
) -> None:
    assert every(answers) is all_hold
    assert some(answers) is any_holds
    if len(answers) == 2:
        assert both(*answers) is all_hold
    assert negation(None) is None


@pytest.mark.parametrize(
    ("costs", "least", "most"),
    [
        ((TWO, FIVE), TWO, FIVE),
        ((TWO, BARRED), TWO, BARRED),
        ((BARRED, BARRED), BARRED, BARRED),
        ((PERHAPS_BARRED, FIVE), CostInterval(2, 5), CostInterval(5, 5, None)),
        ((PERHAPS_BARRED, BARRED), PERHAPS_BARRED, BARRED),
    ],
)
def test_cheapest_and_dearest(
    costs: tuple[CostInterval, ...], least: CostInterval, most: CostInterval
) -> None:
    assert cheapest(costs) == least
    assert dearest(costs) == most


def test_what_the_chart_leaves_open_may_be_cheaper_and_may_be_dearer() -> None:
    assert cheapest((TWO, CostInterval(0, None)))[:2] == (0, 2)
    assert dearest((TWO, CostInterval(0, None)))[:2] == (2, None)


def test_a_clause_switched_off_takes_its_part_out_of_the_chart() -> None:
    raw = {"foot": "3/2", "wheels": "prohibited"}
    whole = ChartReader(("foot", "wheels"), frozenset())
    costs = whole.costs(raw, "COST", "BAR")
    assert whole.scale == 2
    assert class_cost(costs, ("foot",), 2) == CostInterval(3, 3)
    assert class_cost(costs, ("wheels",), 2) == BARRED
    free = ChartReader(("foot", "wheels"), frozenset({"COST", "BAR"})).costs(raw, "COST", "BAR")
    assert class_cost(free, ("foot",), 2) == class_cost(free, ("wheels",), 2) == CostInterval()
    assert class_cost(whole.costs("unknown", "COST"), ("foot",), 2) == ANYTHING
