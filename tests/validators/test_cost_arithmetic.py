"""Costs that are not exactly known: whatever each of several costs turns out to be, what becomes of them
together lies within the interval that is worked out for them. And the concepts that rulesets share."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import product
from random import Random

import pytest
from tiers import SEED
from vassal_umpire.validators.concepts.charts import ChartReader, cheapest, class_cost, dearest
from vassal_umpire.validators.concepts.logic import both, every, negation, some
from vassal_umpire.validators.cost_interval import (
    ANYTHING,
    BARRED,
    WHOLE,
    CostInterval,
    total,
    union_all,
)

DRAWS = 1500
Outcome = int | str
"""A number, ``bar`` (prohibited) or ``all`` (the whole allowance)."""


def drawn(rng: Random) -> CostInterval:
    low = rng.randrange(4)
    number = CostInterval(
        low,
        rng.choice((low, low + 1, low + 2, None)),
        rng.choice((False, False, None)),
        rng.choice((False, False, None)),
    )
    return rng.choice((BARRED, WHOLE, ANYTHING, *[number] * 7))


def outcomes(cost: CostInterval) -> Iterator[Outcome]:
    """All that a cost may turn out to be; of one without an upper bound a few numbers."""
    if cost.barred is not False:
        yield "bar"
    if cost.barred is True:
        return
    if cost.whole is not False:
        yield "all"
    if cost.whole is not True:
        yield from range(cost.lo, (cost.lo + 4 if cost.hi is None else cost.hi) + 1)


def within(outcome: Outcome, cost: CostInterval) -> bool:
    if outcome == "bar":
        return cost.barred is not False
    if outcome == "all":
        return cost.barred is not True and cost.whole is not False
    assert isinstance(outcome, int)
    bounded = cost.lo <= outcome and (cost.hi is None or outcome <= cost.hi)
    return cost.barred is not True and cost.whole is not True and bounded


def combined(each: Sequence[Outcome], numbers: Callable[[list[int]], int]) -> set[Outcome]:
    """Several costs that are all due: a prohibition goes before the whole allowance, that before numbers."""
    for word in ("bar", "all"):
        if word in each:
            return {word}
    return {numbers([one for one in each if isinstance(one, int)])}


def of_choice(each: Sequence[Outcome]) -> set[Outcome]:
    """Several costs of which the mover pays one: the least number, or the whole allowance."""
    numbers = [one for one in each if isinstance(one, int)]
    found: set[Outcome] = {min(numbers)} if numbers else set()
    return found | ({"all"} if "all" in each else set()) or {"bar"}


@pytest.mark.parametrize(
    ("worked_out", "meant"),
    [
        (total, lambda each: combined(each, sum)),
        (dearest, lambda each: combined(each, max)),
        (cheapest, of_choice),
        (union_all, set),
    ],
    ids=["total", "dearest", "cheapest", "one of them"],
)
def test_nothing_that_may_come_of_it_lies_outside(
    worked_out: Callable[[Sequence[CostInterval]], CostInterval],
    meant: Callable[[Sequence[Outcome]], set[Outcome]],
) -> None:
    rng = Random(f"{SEED} cost arithmetic")
    for _ in range(DRAWS):
        costs = [drawn(rng) for _ in range(rng.choice((1, 2, 2, 3)))]
        found = worked_out(costs)
        for each in product(*map(outcomes, costs)):
            assert all(within(one, found) for one in meant(each)), (costs, each, found)


# -- charts and three-valued logic ------------------------------------------------------------------


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
